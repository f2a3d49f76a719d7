"""What the strip shows: the pegs of every side, and how they move."""
