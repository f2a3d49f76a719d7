"""From a state to lights, pictures and words; pure."""
