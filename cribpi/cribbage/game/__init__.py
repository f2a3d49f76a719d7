"""The game: `step.step` returns the state after an event."""
