"""The OLED screen of 128 x 64 px: `screen.draw` chooses one of the screens in `layouts` and draws it."""
