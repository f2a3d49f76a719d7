"""The cribbage engine interface: its lines, and a level that answers them."""
