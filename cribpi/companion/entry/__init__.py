"""From key presses to events, by pure functions."""
