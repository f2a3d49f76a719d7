"""What can be open beside the game: a room each, and this table of them.

A rank key picks a line, P1 and P2 (or LEFT and RIGHT) change it, OK accepts, UNDO leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cribpi.entry import corrections
from cribpi.entry.choice import Place, Scene
from cribpi.entry.desk import (
    Correct,
    CountHand,
    EndMatch,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    Question,
    Why,
)
from cribpi.entry.dialogs.count_hand import count_hand
from cribpi.entry.dialogs.menu import menu
from cribpi.entry.dialogs.new_game import end_match, new_game
from cribpi.entry.dialogs.question import question
from cribpi.entry.dialogs.standing import match
from cribpi.entry.dialogs.why import why

SCENES: Final[dict[type, Callable[[Place, Any], Scene]]] = {
    Question: question,
    NewGame: new_game,
    EndMatch: end_match,
    Menu: menu,
    Correct: corrections.correct,
    FalseWin: corrections.false_win,
    Why: why,
    MatchSoFar: match,
    CountHand: count_hand,
}
"""What is asked for while each kind of dialog is open."""


def dialog_scene(place: Place) -> Scene:
    """Return what is asked for while a dialog is open."""
    return SCENES[type(place.desk.dialog)](place, place.desk.dialog)
