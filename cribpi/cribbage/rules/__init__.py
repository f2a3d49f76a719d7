"""The rules of a game: immutable data, with an option wherever the sources differ.

`rules.toml` has every option, a row each, the presets, and what each source says; `rulebook` reads it.
`rules` has the rules of one game, makes and changes them; `cite` says whose rule applies in a game.
"""
