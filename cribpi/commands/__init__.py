"""What each command does; `cribpi.cli` reads their arguments."""
