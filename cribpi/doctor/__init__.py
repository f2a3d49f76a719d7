"""The doctor: one line for each thing that can be wrong, and the command that mends it."""
