"""Contests between two opponents over mirrored deals."""
