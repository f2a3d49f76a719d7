"""The play, many deals at once: which card to play, and what the others may hold."""
