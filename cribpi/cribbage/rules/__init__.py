"""The rules of a game as immutable data, with an option for each point on which the sources differ.

`rules.toml` has the options, the presets, and quotes from the sources; `rulebook` reads it. `rules` creates
and changes the rules of one game. `cite` finds the source of a rule in a game.
"""
