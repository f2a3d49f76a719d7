"""The journal: one SQLite file with every accepted key press. A press changes nothing else on disk."""
