"""Other people's programs as players, each in its own process."""
