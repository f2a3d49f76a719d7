"""A club night: who meets whom, what each game brought, and who leads; no clock, no network, no disk."""
