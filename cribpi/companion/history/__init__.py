"""Past games: read out of the journal, summed up, exported, reviewed."""
