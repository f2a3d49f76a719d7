"""The one place that changes a game: its queue and the computer's seats."""
