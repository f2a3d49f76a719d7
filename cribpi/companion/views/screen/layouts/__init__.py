"""The layouts of all screens, one module per part of a game; `screen.draw` chooses among them."""
