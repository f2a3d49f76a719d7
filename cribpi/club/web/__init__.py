"""The desk's page: what everybody may see, and behind a password what the director does."""
