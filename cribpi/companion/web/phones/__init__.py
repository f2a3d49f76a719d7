"""Phones, tablets and other screens that play along: admission, roles, and the network."""
