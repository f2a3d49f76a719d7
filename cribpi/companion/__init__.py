"""What stands on the table: keys, journal, screen, lights, and the page in the browser."""
