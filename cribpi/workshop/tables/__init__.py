"""What makes the tables that players and reviews read: hours of work, done once, and shipped."""
