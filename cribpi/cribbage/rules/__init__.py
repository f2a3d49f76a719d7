"""The rules of a game: immutable data, with an option wherever the sources differ.

`table` has every option, a row each; `presets` says which source plays by which, and changes them;
`citations` what each source says; and `cite` whose rule applies in a game.
"""
