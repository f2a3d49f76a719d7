"""What games came to: sums of what the game has booked, and no second opinion."""
