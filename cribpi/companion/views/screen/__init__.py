"""The screen of 128 x 64 px: `screen.draw` chooses one of `layouts`."""
