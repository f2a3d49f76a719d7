"""What the screen shows, 128 x 64 px: `screen.draw` chooses one of `layouts`."""
