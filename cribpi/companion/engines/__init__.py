"""Players that are programs of others, each in a process of its own."""
