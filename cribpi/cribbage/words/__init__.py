"""What players say: the count aloud, what has happened, and why it was so."""
