"""The page in the browser, and its door."""
