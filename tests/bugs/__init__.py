"""Bugs that are planted on purpose, each of which must turn a test red."""
