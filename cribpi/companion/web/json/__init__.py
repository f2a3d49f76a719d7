"""JSON documents for the page and the commands."""
