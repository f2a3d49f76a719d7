"""Past games: read from the journal, summed up, exported, reviewed."""
