"""The strip's picture: the pegs of every side, and their motion."""
