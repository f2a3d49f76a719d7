"""What each event does, a module for each part of a game; `step.step` dispatches to them."""
