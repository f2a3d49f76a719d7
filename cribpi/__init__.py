"""A Raspberry Pi companion for real cribbage: keys, rules, lights and glass."""

__version__ = "0.1.0"
