"""The steps of a game, one module for each of its parts; `cribpi.core.game.step` chooses among them."""
