"""The chips: thin drivers that make no decisions, and their emulated twins."""
