"""Pure functions from a game's state to lights, pictures and words."""
