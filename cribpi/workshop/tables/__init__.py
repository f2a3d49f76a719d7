"""Makes the shipped tables, which takes hours."""
