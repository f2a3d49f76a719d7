// A Pi's I2C bus 1 with an SSD1306 on it, after the data sheet of the chip.
//
// /dev/pi-oled tells, when read, the registers as words of NAME=NUMBER in a first line, and then the memory: eight
// lines, a page each, in hexadecimal.  It takes a line at a time:
//   fail TIMES    the next TIMES transfers are not acknowledged; -1: none is until "fail 0"
//   cut BYTES     the next transfer breaks off after so many bytes, and the chip stays where it is in its command
//   power off     it has no power: no transfer is acknowledged
//   power on      it has power again: registers as after a reset, its memory is noise, and its display is off
//   upset         a spike: some registers change without an error on the bus

#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/uaccess.h>

#define ADDRESS 0x3C
#define STATUS 0x06 // what panels give in the bits that the data sheet calls reserved
#define COLUMNS 128
#define PAGES 8
#define MICROSECONDS_A_BYTE 23 // nine bits at 400 kHz

enum { HORIZONTAL, VERTICAL, BY_PAGE };

struct panel {
	u8 memory[PAGES][COLUMNS];
	bool is_on, is_inverse, is_all_lit, is_segment_remapped, is_scanned_down;
	u8 contrast, start_line, multiplex, offset, com_pins, charge_pump, mode;
	u8 first_column, last_column, first_page, last_page; // the window of the modes 0 and 1
	u8 column, page; // where the next byte goes
	u8 command[8]; // the command that is being received
	u8 received;
	unsigned int unknown, transfers;
};

static struct panel panel;
static bool has_power = true;
static int fails, cut_after = -1;
static DEFINE_MUTEX(lock);
static struct platform_device *board;

static void reset(void)
{
	panel = (struct panel){
		.contrast = 0x7F,
		.multiplex = 63,
		.com_pins = 0x12,
		.mode = BY_PAGE,
		.last_column = COLUMNS - 1,
		.last_page = PAGES - 1,
	};
	get_random_bytes(panel.memory, sizeof(panel.memory));
}

// How many bytes the command that begins with byte has besides it.
static unsigned int arguments(u8 byte)
{
	switch (byte) {
	case 0x26: case 0x27:
		return 6;
	case 0x29: case 0x2A:
		return 5;
	case 0x21: case 0x22: case 0xA3:
		return 2;
	case 0x20: case 0x81: case 0x8D: case 0xA8: case 0xAD: case 0xD3: case 0xD5: case 0xD9: case 0xDA: case 0xDB:
		return 1;
	default:
		return 0;
	}
}

// Whether single pages and columns may be set; in the other modes it is windows.
static bool is_by_page(void)
{
	return panel.mode != HORIZONTAL && panel.mode != VERTICAL;
}

static void carry_out(const u8 *command)
{
	u8 byte = command[0];

	switch (byte) {
	case 0x00 ... 0x0F:
		if (is_by_page())
			panel.column = (panel.column & 0x70) | byte;
		break;
	case 0x10 ... 0x1F:
		if (is_by_page())
			panel.column = (panel.column & 0x0F) | (byte & 0x07) << 4;
		break;
	case 0x20:
		panel.mode = command[1] & 3;
		break;
	case 0x21:
		panel.column = panel.first_column = command[1] & 0x7F;
		panel.last_column = command[2] & 0x7F;
		break;
	case 0x22:
		panel.page = panel.first_page = command[1] & 7;
		panel.last_page = command[2] & 7;
		break;
	case 0x40 ... 0x7F:
		panel.start_line = byte & 0x3F;
		break;
	case 0x81:
		panel.contrast = command[1];
		break;
	case 0x8D:
		panel.charge_pump = command[1];
		break;
	case 0xA0 ... 0xA1:
		panel.is_segment_remapped = byte & 1;
		break;
	case 0xA4 ... 0xA5:
		panel.is_all_lit = byte & 1;
		break;
	case 0xA6 ... 0xA7:
		panel.is_inverse = byte & 1;
		break;
	case 0xA8:
		panel.multiplex = command[1] & 0x3F;
		break;
	case 0xAE ... 0xAF:
		panel.is_on = byte & 1;
		break;
	case 0xB0 ... 0xB7:
		if (is_by_page())
			panel.page = byte & 7;
		break;
	case 0xC0 ... 0xCF:
		panel.is_scanned_down = byte & 8;
		break;
	case 0xD3:
		panel.offset = command[1] & 0x3F;
		break;
	case 0xDA:
		panel.com_pins = command[1];
		break;
	case 0x26: case 0x27: case 0x29: case 0x2A: case 0x2E: case 0x2F: case 0xA3: // scrolling: not shown
	case 0xAD: case 0xD5: case 0xD9: case 0xDB: // currents, clocks and voltages: not seen
	case 0xE3: // nothing
		break;
	default:
		panel.unknown++;
	}
}

static void take_command(u8 byte)
{
	panel.command[panel.received++] = byte;
	if (panel.received > arguments(panel.command[0])) {
		carry_out(panel.command);
		panel.received = 0;
	}
}

static void take_data(u8 byte)
{
	bool is_last_column = panel.column == panel.last_column, is_last_page = panel.page == panel.last_page;

	panel.memory[panel.page][panel.column] = byte;
	switch (panel.mode) {
	case HORIZONTAL:
		panel.column = is_last_column ? panel.first_column : (panel.column + 1) % COLUMNS;
		if (is_last_column)
			panel.page = is_last_page ? panel.first_page : (panel.page + 1) % PAGES;
		break;
	case VERTICAL:
		panel.page = is_last_page ? panel.first_page : (panel.page + 1) % PAGES;
		if (is_last_page)
			panel.column = is_last_column ? panel.first_column : (panel.column + 1) % COLUMNS;
		break;
	default:
		panel.column = (panel.column + 1) % COLUMNS;
	}
}

// A transfer is control bytes: each says whether data or commands follow, and whether for one byte or up to the end.
static void take(const u8 *bytes, unsigned int length)
{
	unsigned int at = 0;

	panel.transfers++;
	while (at < length) {
		u8 control = bytes[at++];
		unsigned int end = control & 0x80 ? min(at + 1, length) : length;

		for (; at < end; at++) {
			if (control & 0x40)
				take_data(bytes[at]);
			else
				take_command(bytes[at]);
		}
	}
}

static int transfer(struct i2c_msg *message)
{
	if (message->addr != ADDRESS || !has_power)
		return -EREMOTEIO;
	if (fails) {
		fails -= fails > 0;
		return -EREMOTEIO;
	}
	if (message->flags & I2C_M_RD) {
		memset(message->buf, STATUS | (panel.is_on ? 0x00 : 0x40), message->len);
		return 0;
	}
	if (cut_after >= 0) {
		take(message->buf, min_t(unsigned int, cut_after, message->len));
		cut_after = -1;
		return -EREMOTEIO;
	}
	take(message->buf, message->len);
	return 0;
}

static int bus_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i, bad = 0;

	for (i = 0; i < count && !bad; i++) {
		mutex_lock(&lock);
		bad = transfer(&messages[i]);
		mutex_unlock(&lock);
		fsleep(MICROSECONDS_A_BYTE * (messages[i].len + 1));
	}
	return bad ? bad : count;
}

static u32 bus_functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = bus_transfer,
	.functionality = bus_functionality,
};

static struct i2c_adapter bus = {
	.owner = THIS_MODULE,
	.name = "bcm2835 (i2c@7e804000)",
	.algo = &algorithm,
	.nr = 1,
};

static ssize_t oled_read(struct file *file, char __user *to, size_t length, loff_t *at)
{
	char *text = kzalloc(PAGE_SIZE, GFP_KERNEL);
	ssize_t size;
	int page;

	if (!text)
		return -ENOMEM;
	mutex_lock(&lock);
	size = scnprintf(text, PAGE_SIZE,
			 "power=%d on=%d inverse=%d all=%d segments=%d down=%d contrast=%d line=%d multiplex=%d offset=%d "
			 "pins=%d pump=%d mode=%d unknown=%u transfers=%u\n",
			 has_power, panel.is_on, panel.is_inverse, panel.is_all_lit, panel.is_segment_remapped,
			 panel.is_scanned_down, panel.contrast, panel.start_line, panel.multiplex, panel.offset,
			 panel.com_pins, panel.charge_pump, panel.mode, panel.unknown, panel.transfers);
	for (page = 0; page < PAGES; page++)
		size += scnprintf(text + size, PAGE_SIZE - size, "%*phN%*phN\n", 64, panel.memory[page], 64,
				  panel.memory[page] + 64);
	mutex_unlock(&lock);
	size = simple_read_from_buffer(to, length, at, text, size);
	kfree(text);
	return size;
}

static ssize_t oled_write(struct file *file, const char __user *from, size_t length, loff_t *at)
{
	char text[64];
	int bad = 0;

	if (length >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, length))
		return -EFAULT;
	text[length] = 0;
	mutex_lock(&lock);
	if (sscanf(text, "fail %d", &fails) == 1 || sscanf(text, "cut %d", &cut_after) == 1) {
		// that is all
	} else if (sysfs_streq(text, "power off")) {
		has_power = false;
	} else if (sysfs_streq(text, "power on")) {
		reset();
		has_power = true;
	} else if (sysfs_streq(text, "upset")) {
		panel.start_line = 17;
		panel.offset = 9;
		panel.multiplex = 31;
		panel.com_pins = 0x02;
		panel.contrast = 1;
		panel.mode = VERTICAL;
		panel.is_inverse = true;
		panel.is_segment_remapped = !panel.is_segment_remapped;
	} else {
		bad = -EINVAL;
	}
	mutex_unlock(&lock);
	return bad ? bad : length;
}

static const struct file_operations oled_ops = {
	.owner = THIS_MODULE,
	.read = oled_read,
	.write = oled_write,
	.llseek = default_llseek,
};

static struct miscdevice oled = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "pi-oled",
	.fops = &oled_ops,
};

static int __init oled_init(void)
{
	int bad;

	reset();
	board = platform_device_register_simple("pi-oled", -1, NULL, 0);
	if (IS_ERR(board))
		return PTR_ERR(board);
	bus.dev.parent = &board->dev;
	bad = i2c_add_numbered_adapter(&bus);
	if (bad)
		goto no_bus;
	bad = misc_register(&oled);
	if (!bad)
		return 0;
	i2c_del_adapter(&bus);
no_bus:
	platform_device_unregister(board);
	return bad;
}

static void __exit oled_exit(void)
{
	misc_deregister(&oled);
	i2c_del_adapter(&bus);
	platform_device_unregister(board);
}

module_init(oled_init);
module_exit(oled_exit);
MODULE_DESCRIPTION("The I2C bus of a Raspberry Pi with an SSD1306, for tests");
MODULE_LICENSE("Dual MIT/GPL");
