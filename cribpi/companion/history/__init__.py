"""Past games: read from the journal, summarized, exported and reviewed."""
