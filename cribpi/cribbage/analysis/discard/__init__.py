"""Discards: every choice, the crib it leads to, and the discards of players who know both."""
