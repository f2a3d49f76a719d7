"""A club night: who meets whom, how each game ended, and who leads; no clock, no network, no disk."""
