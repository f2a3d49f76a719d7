"""The journal: one SQLite file, the only thing on disk that a key press changes."""
