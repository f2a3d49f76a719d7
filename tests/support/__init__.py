"""What several tests need: a second scorer, a second referee, and random tables."""
