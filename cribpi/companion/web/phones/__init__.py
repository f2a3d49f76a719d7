"""Phones, tablets and other screens of players: admission, roles, and the network."""
