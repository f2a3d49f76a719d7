"""Newer versions of cribpi, in the checkout that it was installed from or in a bundle."""
