"""What players say: the count aloud, what happened, and why."""
