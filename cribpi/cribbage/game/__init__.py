"""The game: `step.step` takes a state and an event to the next state."""
