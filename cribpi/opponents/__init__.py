"""Who plays when a seat is the machine's: each opponent is given a `SeatSight`, and answers with cards."""
