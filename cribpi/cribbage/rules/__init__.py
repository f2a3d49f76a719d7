"""The rules of a game: immutable data, with an option wherever the sources differ.

`rules.toml` has a row for every option, the presets, and quotes from the sources; `rulebook` reads it.
`rules` has the rules of one game, and creates and changes them; `cite` finds the source of a rule in a game.
"""
