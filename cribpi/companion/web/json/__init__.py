"""What the page and the commands are given, as JSON."""
