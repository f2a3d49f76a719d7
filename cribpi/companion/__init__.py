"""What stands on the table: keys, journal, screen, lights and page."""
