"""Files: checked key by key, written whole or not at all."""
