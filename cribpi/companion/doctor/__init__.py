"""One line for each thing that can be wrong, with its fix."""
