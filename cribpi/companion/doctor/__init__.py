"""The doctor: one line for each thing that can be wrong, with the command that fixes it."""
