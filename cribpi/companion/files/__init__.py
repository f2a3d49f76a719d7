"""Files from outside and for good: read with care, checked key by key, written whole or not at all."""
