"""Checks of the installation: a line for each possible fault, with its remedy."""
