"""The play, many deals at once: what cards are worth to play, and what the others may hold."""
