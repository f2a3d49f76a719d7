"""The chips: thin drivers that decide nothing, and their emulated twins."""
