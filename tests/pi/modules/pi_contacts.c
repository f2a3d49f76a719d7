// The 54 pins of a Pi as a GPIO chip, and contacts between them that tests close and open.
//
// Nothing here knows of keys or of a keypad: a contact joins two pins, and pins that are joined have one level.  So a
// column of a matrix is low because a key joins it to a row that is driven low, three closed corners of a rectangle
// close the fourth, and two driven rows that are joined show as a short circuit (the count of them can be read).
//
// /dev/pi-contacts takes a line at a time:
//   close A B | open A B             join the pins A and B, or part them
//   bounce A B TIMES MICROSECONDS    change that contact TIMES times, with so long between two changes
// and tells, when read, one line for each pin that is in use: number, in or out, level; how often a program has asked
// for a level or set a pin; and, in the last line, how many shorts there were.

#include <linux/delay.h>
#include <linux/gpio/driver.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/uaccess.h>

#define PINS 54

struct pin {
	bool is_output;
	bool value; // what it drives, if it is an output
	bool level; // what it was last seen to have
	bool is_heard; // whether its interrupt is enabled
	enum pin_config_param pull;
	unsigned int edges; // IRQ_TYPE_EDGE_...
	u64 contacts; // the pins that it is joined to
};

static struct pin pins[PINS];
static unsigned int shorts, calls;
static DEFINE_RAW_SPINLOCK(lock);
static struct gpio_chip chip;
static struct platform_device *board;

// The pins that are joined to pin, itself included, directly or by others.
static u64 net_of(unsigned int pin)
{
	u64 net = BIT_ULL(pin), seen = 0;

	while (net != seen) {
		unsigned int i = __ffs64(net & ~seen);

		seen |= BIT_ULL(i);
		net |= pins[i].contacts;
	}
	return net;
}

// A driven level wins over pull-ups, low over high where both are driven (which is a short), and a pull-up wins over a
// pull-down.  What floats is low.
static bool level_of(unsigned int pin)
{
	u64 net = net_of(pin);
	bool is_low = false, is_high = false, is_pulled_up = false;
	unsigned int i;

	for (i = 0; i < PINS; i++) {
		if (!(net & BIT_ULL(i)))
			continue;
		if (pins[i].is_output && pins[i].value)
			is_high = true;
		else if (pins[i].is_output)
			is_low = true;
		else if (pins[i].pull == PIN_CONFIG_BIAS_PULL_UP)
			is_pulled_up = true;
	}
	if (is_low && is_high)
		shorts++;
	return !is_low && (is_high || is_pulled_up);
}

// Called with the lock held after anything has changed; returns the pins whose interrupt is due.
static u64 settle(void)
{
	u64 due = 0;
	unsigned int i;

	for (i = 0; i < PINS; i++) {
		bool level = level_of(i);
		unsigned int edge = level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING;

		if (level != pins[i].level && pins[i].is_heard && (pins[i].edges & edge))
			due |= BIT_ULL(i);
		pins[i].level = level;
	}
	return due;
}

// Interrupts are raised without the lock: what they call may ask for a level.
static void raise_interrupts(u64 due)
{
	while (due) {
		unsigned int i = __ffs64(due);

		due &= ~BIT_ULL(i);
		generic_handle_domain_irq_safe(chip.irq.domain, i);
	}
}

// Do something to the pins, and let what follows from it happen.
#define CHANGE(what) do {						\
		unsigned long flags;					\
		u64 due;						\
									\
		raw_spin_lock_irqsave(&lock, flags);			\
		what;							\
		due = settle();						\
		raw_spin_unlock_irqrestore(&lock, flags);		\
		raise_interrupts(due);					\
	} while (0)

// --- the chip ---

static int chip_get_direction(struct gpio_chip *gc, unsigned int pin)
{
	return pins[pin].is_output ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int chip_input(struct gpio_chip *gc, unsigned int pin)
{
	calls++;
	CHANGE(pins[pin].is_output = false);
	return 0;
}

static int chip_output(struct gpio_chip *gc, unsigned int pin, int value)
{
	calls++;
	CHANGE((pins[pin].is_output = true, pins[pin].value = value));
	return 0;
}

static int chip_get(struct gpio_chip *gc, unsigned int pin)
{
	unsigned long flags;
	bool level;

	calls++;
	raw_spin_lock_irqsave(&lock, flags);
	level = level_of(pin);
	raw_spin_unlock_irqrestore(&lock, flags);
	return level;
}

static void chip_set(struct gpio_chip *gc, unsigned int pin, int value)
{
	CHANGE(pins[pin].value = value);
}

static int chip_set_config(struct gpio_chip *gc, unsigned int pin, unsigned long config)
{
	enum pin_config_param what = pinconf_to_config_param(config);

	if (what != PIN_CONFIG_BIAS_PULL_UP && what != PIN_CONFIG_BIAS_PULL_DOWN && what != PIN_CONFIG_BIAS_DISABLE)
		return -ENOTSUPP;
	CHANGE(pins[pin].pull = what);
	return 0;
}

// --- its interrupts ---

static void irq_mask(struct irq_data *data)
{
	pins[irqd_to_hwirq(data)].is_heard = false;
	gpiochip_disable_irq(&chip, irqd_to_hwirq(data));
}

static void irq_unmask(struct irq_data *data)
{
	gpiochip_enable_irq(&chip, irqd_to_hwirq(data));
	pins[irqd_to_hwirq(data)].is_heard = true;
}

static int irq_set_type(struct irq_data *data, unsigned int type)
{
	if (type & ~IRQ_TYPE_EDGE_BOTH)
		return -EINVAL;
	pins[irqd_to_hwirq(data)].edges = type;
	return 0;
}

static const struct irq_chip interrupts = {
	.name = "pi_contacts",
	.irq_mask = irq_mask,
	.irq_unmask = irq_unmask,
	.irq_set_type = irq_set_type,
	.flags = IRQCHIP_IMMUTABLE,
	GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

// --- the contacts ---

static void join(unsigned int a, unsigned int b, bool is_closed)
{
	pins[a].contacts = is_closed ? pins[a].contacts | BIT_ULL(b) : pins[a].contacts & ~BIT_ULL(b);
	pins[b].contacts = is_closed ? pins[b].contacts | BIT_ULL(a) : pins[b].contacts & ~BIT_ULL(a);
}

static int obey(const char *line)
{
	unsigned int a, b, times = 1, pause = 0;
	char word[8];
	int found = sscanf(line, "%7s %u %u %u %u", word, &a, &b, &times, &pause);
	bool is_bounce = !strcmp(word, "bounce"), is_closed;

	if (found < 3 || a >= PINS || b >= PINS || a == b)
		return -EINVAL;
	if (!is_bounce && strcmp(word, "close") && strcmp(word, "open"))
		return -EINVAL;
	is_closed = is_bounce ? pins[a].contacts & BIT_ULL(b) : strcmp(word, "close");
	while (times--) {
		is_closed = !is_closed;
		CHANGE(join(a, b, is_closed));
		if (times && pause)
			usleep_range(pause, pause + 20);
	}
	return 0;
}

static ssize_t contacts_write(struct file *file, const char __user *from, size_t length, loff_t *at)
{
	char text[256], *rest = text, *line;
	int bad;

	if (length >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, length))
		return -EFAULT;
	text[length] = 0;
	while ((line = strsep(&rest, "\n"))) {
		if (*line && (bad = obey(line)))
			return bad;
	}
	return length;
}

static ssize_t contacts_read(struct file *file, char __user *to, size_t length, loff_t *at)
{
	char *text = kzalloc(PAGE_SIZE, GFP_KERNEL);
	ssize_t size = 0;
	unsigned int i;

	if (!text)
		return -ENOMEM;
	for (i = 0; i < PINS; i++)
		if (gpiochip_is_requested(&chip, i))
			size += scnprintf(text + size, PAGE_SIZE - size, "%u %s %d\n", i,
					  pins[i].is_output ? "out" : "in", pins[i].level);
	size += scnprintf(text + size, PAGE_SIZE - size, "calls %u\n", calls);
	size += scnprintf(text + size, PAGE_SIZE - size, "shorts %u\n", shorts);
	size = simple_read_from_buffer(to, length, at, text, size);
	kfree(text);
	return size;
}

static const struct file_operations contacts_ops = {
	.owner = THIS_MODULE,
	.read = contacts_read,
	.write = contacts_write,
	.llseek = default_llseek,
};

static struct miscdevice contacts = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "pi-contacts",
	.fops = &contacts_ops,
};

static int __init contacts_init(void)
{
	int bad;

	board = platform_device_register_simple("pi-contacts", -1, NULL, 0);
	if (IS_ERR(board))
		return PTR_ERR(board);
	chip = (struct gpio_chip){
		.label = "pinctrl-bcm2835",
		.parent = &board->dev,
		.owner = THIS_MODULE,
		.base = -1,
		.ngpio = PINS,
		.get_direction = chip_get_direction,
		.direction_input = chip_input,
		.direction_output = chip_output,
		.get = chip_get,
		.set = chip_set,
		.set_config = chip_set_config,
		.irq.handler = handle_simple_irq,
		.irq.default_type = IRQ_TYPE_NONE,
	};
	gpio_irq_chip_set_chip(&chip.irq, &interrupts);
	bad = gpiochip_add_data(&chip, NULL);
	if (bad)
		goto no_chip;
	bad = misc_register(&contacts);
	if (!bad)
		return 0;
	gpiochip_remove(&chip);
no_chip:
	platform_device_unregister(board);
	return bad;
}

static void __exit contacts_exit(void)
{
	misc_deregister(&contacts);
	gpiochip_remove(&chip);
	platform_device_unregister(board);
}

module_init(contacts_init);
module_exit(contacts_exit);
MODULE_DESCRIPTION("The pins of a Raspberry Pi and contacts between them, for tests");
MODULE_LICENSE("Dual MIT/GPL");
