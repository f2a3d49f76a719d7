"""Cribbage as a library."""
