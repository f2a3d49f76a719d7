"""Key presses to events, by pure functions."""
