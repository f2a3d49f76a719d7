"""Files: read and checked key by key, and written atomically."""
