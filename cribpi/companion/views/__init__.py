"""Views: pure functions from the state of a game to lights, pictures and words."""
