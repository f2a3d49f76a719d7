"""What to discard: every way, what the crib comes to, and how players who know that discard."""
