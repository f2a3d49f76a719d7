"""What can be open over the game, a module each; `choices.SCENES` is the table of them.

A rank key picks a line, P1 and P2 (or LEFT and RIGHT) change it, OK accepts, UNDO leaves.
"""
