"""What makes the shipped tables, in hours of work."""
