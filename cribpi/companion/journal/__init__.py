"""One SQLite file, the only lasting effect of a press."""
