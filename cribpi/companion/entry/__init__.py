"""Turns key presses into game events. All functions here are pure."""
