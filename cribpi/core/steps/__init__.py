"""The steps of a game, a module for each of its parts; `cribpi.core.game.step` dispatches to them."""
