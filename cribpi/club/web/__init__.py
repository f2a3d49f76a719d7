"""The desk's website: public pages, and the director's pages behind a password."""
