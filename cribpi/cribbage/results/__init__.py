"""Results, and statistics: sums of what each game recorded."""
