// What a Pi's firmware says of the board: the files below /proc/device-tree by which programs know it.
// They are in the test's image and nowhere else, so that no program has to be told that it is being tested.

#include <linux/module.h>
#include <linux/proc_fs.h>

struct text {
	const char *path;
	const char *bytes;
	size_t length;
};

#define TEXT(path, bytes) { path, bytes, sizeof(bytes) - 1 }

// As a Zero 2 W has them: texts end with a NUL, numbers are big-endian.
static const struct text texts[] = {
	TEXT("device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0"),
	TEXT("device-tree/compatible", "raspberrypi,model-zero-2-w\0brcm,bcm2837\0"),
	TEXT("device-tree/system/linux,revision", "\x00\x90\x21\x20"),
};

static ssize_t board_read(struct file *file, char __user *to, size_t length, loff_t *at)
{
	const struct text *text = pde_data(file_inode(file));

	return simple_read_from_buffer(to, length, at, text->bytes, text->length);
}

static const struct proc_ops board_ops = {
	.proc_read = board_read,
	.proc_lseek = default_llseek,
};

static int __init board_init(void)
{
	int i;

	if (!proc_mkdir("device-tree", NULL))
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		if (i == ARRAY_SIZE(texts) - 1)
			proc_mkdir("device-tree/system", NULL);
		if (!proc_create_data(texts[i].path, 0444, NULL, &board_ops, (void *)&texts[i])) {
			remove_proc_subtree("device-tree", NULL);
			return -ENOMEM;
		}
	}
	return 0;
}

static void __exit board_exit(void)
{
	remove_proc_subtree("device-tree", NULL);
}

module_init(board_init);
module_exit(board_exit);
MODULE_DESCRIPTION("The names of a Raspberry Pi, for tests");
MODULE_LICENSE("Dual MIT/GPL");
