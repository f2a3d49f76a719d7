"""Discards: all options of a hand, the resulting crib, and the discard habits of strong players."""
