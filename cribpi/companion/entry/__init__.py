"""From key presses to events: pure functions of the game and of the input that is not committed to it yet."""
