"""The lights of the LED strip: the pegs of every side, and their motion."""
