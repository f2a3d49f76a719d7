"""The companion at the table: keys, journal, screen, lights and page."""
