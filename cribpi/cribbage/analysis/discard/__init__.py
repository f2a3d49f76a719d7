"""Discards: every choice, the crib it leads to, and what players who know all that discard."""
