"""The journal: one SQLite file in the state folder, the only lasting effect of a press."""
