"""Updates of cribpi, from a checkout or a bundle."""
