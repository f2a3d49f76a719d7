"""The implementation of each command; `cribpi.cli` parses their arguments."""
