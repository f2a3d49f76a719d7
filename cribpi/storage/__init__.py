"""Storage on disk: the journal, its file, and the games in it."""
