"""Results, and statistics: sums of what the game has booked."""
