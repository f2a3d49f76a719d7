"""Handlers of the events, a module for each part of a game. `step.step` calls them."""
