"""The screens, one module for each part of a game; `screen.draw` chooses among them."""
