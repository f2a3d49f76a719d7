// A Pi's first SPI port, seen as /dev/spidev0.0, whose every transfer is kept for a test to decode.
//
// /dev/pi-wire gives, when read, the transfers since the last reading: the length and the clock in hertz as two 32-bit
// little-endian numbers, then the bytes.  What nobody reads makes room for what comes later.  A transfer takes as long
// as on a wire, with a clock of pause after each byte.

#include <linux/delay.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>

#define KEPT (1 << 20)

struct head {
	u32 length;
	u32 hertz;
};

static struct kfifo transfers;
static DEFINE_MUTEX(lock);
static struct platform_device *board;
static struct spi_controller *port;

static void make_room(size_t length)
{
	struct head head;
	u8 byte;

	while (kfifo_avail(&transfers) < length && kfifo_out(&transfers, (u8 *)&head, sizeof(head)))
		while (head.length--)
			if (!kfifo_out(&transfers, &byte, 1))
				break;
}

static int wire_transfer(struct spi_controller *controller, struct spi_device *device, struct spi_transfer *transfer)
{
	struct head head = { transfer->len, transfer->speed_hz };

	if (transfer->rx_buf)
		memset(transfer->rx_buf, 0, transfer->len);
	if (transfer->tx_buf && sizeof(head) + head.length <= KEPT) {
		mutex_lock(&lock);
		make_room(sizeof(head) + head.length);
		kfifo_in(&transfers, (u8 *)&head, sizeof(head));
		kfifo_in(&transfers, (u8 *)transfer->tx_buf, head.length);
		mutex_unlock(&lock);
	}
	fsleep(div_u64(9000000ull * head.length, max(head.hertz, 1u)));
	return 0;
}

static ssize_t wire_read(struct file *file, char __user *to, size_t length, loff_t *at)
{
	unsigned int copied = 0;
	int bad;

	mutex_lock(&lock);
	bad = kfifo_to_user(&transfers, to, length, &copied);
	mutex_unlock(&lock);
	return bad ? bad : copied;
}

static const struct file_operations wire_ops = {
	.owner = THIS_MODULE,
	.read = wire_read,
	.llseek = noop_llseek,
};

static struct miscdevice wire = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "pi-wire",
	.fops = &wire_ops,
};

// The kernel binds its spidev only to names that it knows; this is one of them.
static struct spi_board_info strip = {
	.modalias = "bk4",
	.max_speed_hz = 125000000,
	.chip_select = 0,
};

static int __init wire_init(void)
{
	int bad = kfifo_alloc(&transfers, KEPT, GFP_KERNEL);

	if (bad)
		return bad;
	board = platform_device_register_simple("pi-wire", -1, NULL, 0);
	if (IS_ERR(board)) {
		bad = PTR_ERR(board);
		goto no_board;
	}
	port = spi_alloc_master(&board->dev, 0);
	if (!port) {
		bad = -ENOMEM;
		goto no_port;
	}
	port->bus_num = 0;
	port->num_chipselect = 2;
	port->mode_bits = SPI_CPOL | SPI_CPHA;
	port->bits_per_word_mask = SPI_BPW_MASK(8);
	port->transfer_one = wire_transfer;
	bad = spi_register_controller(port);
	if (bad) {
		spi_controller_put(port);
		goto no_port;
	}
	if (!spi_new_device(port, &strip)) {
		bad = -ENODEV;
		goto no_strip;
	}
	bad = misc_register(&wire);
	if (!bad)
		return 0;
no_strip:
	spi_unregister_controller(port);
no_port:
	platform_device_unregister(board);
no_board:
	kfifo_free(&transfers);
	return bad;
}

static void __exit wire_exit(void)
{
	misc_deregister(&wire);
	spi_unregister_controller(port);
	platform_device_unregister(board);
	kfifo_free(&transfers);
}

module_init(wire_init);
module_exit(wire_exit);
MODULE_DESCRIPTION("The SPI port of a Raspberry Pi, for tests");
MODULE_LICENSE("Dual MIT/GPL");
