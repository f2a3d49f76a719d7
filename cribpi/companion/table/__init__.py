"""The one place that changes a game: the table, its queue, and the computer's seats."""
