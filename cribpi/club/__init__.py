"""A club night: pairings, results and standings, the director's desk, and the night's website."""
