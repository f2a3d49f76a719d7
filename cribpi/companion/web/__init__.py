"""The page in the browser, and its HTTP API."""
