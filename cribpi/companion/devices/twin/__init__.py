"""The twin: emulated hardware, on which the real drivers run."""
