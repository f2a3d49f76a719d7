"""The screens, one module per part of a game; `screen.draw` chooses among them."""
