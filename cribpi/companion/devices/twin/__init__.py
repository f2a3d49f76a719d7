"""The twin: emulated chips for the real drivers."""
