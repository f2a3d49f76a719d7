"""From key presses to events: pure functions over what is half entered."""
