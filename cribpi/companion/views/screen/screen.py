"""The OLED screen: chooses the layout for the game's state, the input so far, or a refusal, and draws it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec

from PIL import Image

from cribpi.companion.entry import input_state as inputs
from cribpi.companion.entry.choice import Rows
from cribpi.companion.entry.effect import Refusal
from cribpi.companion.entry.input_state import Dialog, InputState
from cribpi.companion.entry.view import TableView
from cribpi.companion.views.screen.layouts import dialogs, ending, lists, pegging, play, show, start
from cribpi.companion.views.screen.sheet import Sheet
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.results.statistics import Statistics

P = ParamSpec("P")


def compose(
    view: TableView,
    refusal: Refusal | None = None,
    *,
    trouble: tuple[str, ...] = (),
    may_undo: bool = False,
    shift: int = 0,
    player: Statistics | None = None,
) -> Sheet:
    """Compose the OLED screen of *view*, as texts and shapes.

    *trouble* has an error message for each failed device: every screen then has a mark, and the idle screen
    and the menu show the messages. *shift*, any integer, moves the idle screen by a few px to prevent
    burn-in. If *player* is given, their statistics replace the idle screen.
    """
    sheet = Sheet(view, trouble)
    state, input_state = view.state, view.input_state
    if refusal is not None:
        dialogs.refused(sheet, state, refusal)
    elif input_state.message is not None:
        dialogs.noted(sheet, state, input_state.message)
    elif _belongs(input_state.dialog, state):
        kind = type(input_state.dialog)
        if sheet.view.scene.rows is None:
            SCREENS.get(kind, dialogs.sentence)(sheet, state, input_state.dialog)
        else:
            LISTS.get(kind, lists.listed)(sheet, state, sheet.view.scene.rows)
    elif (pairing := view.pairing) is not None:
        start.next_pairing(sheet, state, pairing, may_undo=may_undo)
    elif player is not None and view.following is None:
        ending.attract(sheet, state, player)
    else:
        _game(sheet, state, input_state, may_undo=may_undo, shift=shift)
    if trouble:
        sheet.mark()
    return sheet


def _painted(compose_sheet: Callable[P, Sheet]) -> Callable[P, Image.Image]:
    """Return *compose_sheet* as a function that returns the painted picture instead of the sheet."""
    return lambda *args, **kwargs: compose_sheet(*args, **kwargs).picture()


draw: Final = _painted(compose)
"""Return the picture of the screen, mode "1", 128 x 64; takes the arguments of `compose`."""


def draw_last(view: TableView, message: str) -> Image.Image:
    """Return the picture that stays after a shutdown; *message* says when to unplug the Pi."""
    sheet = Sheet(view)
    dialogs.shutting_down(sheet, view.state, message)
    return sheet.picture()


def draw_start(step: str, share: float | None = None) -> Image.Image:
    """Return the picture shown while the program starts, at *step*; *share*, 0 to 1, adds a progress bar."""
    sheet = Sheet()
    start.starting(sheet, step, share)
    return sheet.picture()


def draw_not_started(reason: str) -> Image.Image:
    sheet = Sheet()
    start.not_started(sheet, reason)
    return sheet.picture()


LISTS: Final[dict[type, Callable[[Sheet, State, Rows], None]]] = {
    inputs.NewGame: lists.new_game,
    inputs.Menu: lists.menu,
    inputs.Correct: lists.correct,
    inputs.PhoneList: lists.phone_list,
    inputs.Why: dialogs.why,
}
"""Screens of the lists that have a special layout.  All other lists use `lists.listed`."""

SCREENS: Final[dict[type, Callable[[Sheet, State, Any], None]]] = {
    inputs.PhoneList: lists.phones_off,
    inputs.Status: dialogs.status,
    inputs.SwitchOff: dialogs.switch_off,
    inputs.Undone: dialogs.undone,
    inputs.FalseWin: dialogs.false_win,
    inputs.MatchSoFar: ending.match_so_far,
    inputs.GameSums: ending.game_sums,
    inputs.EndMatch: ending.end_match,
    inputs.Question: play.question,
    inputs.CountHand: show.counting,
}
"""Screens of the other dialogs.  A dialog that is not in the table shows its prompt with its keys."""


def _belongs(dialog: Dialog | None, state: State) -> bool:
    """Return whether *dialog* is possible in *state*; one restored from a damaged file may not be."""
    match dialog:
        case inputs.Correct(side=side):
            return side in range(state.sides)
        case inputs.FalseWin(side=side):
            return side == state.winner
        case inputs.MatchSoFar() | inputs.GameSums() | inputs.EndMatch():
            return bool(state.pegs)
        case inputs.Question() | inputs.CountHand():
            return state.deal is not None
    return dialog is not None


def _game(sheet: Sheet, state: State, input_state: InputState, *, may_undo: bool, shift: int) -> None:
    deal = state.deal
    if state.winner is not None:
        ending.game_over(sheet, state, state.winner, may_undo=may_undo, following=sheet.view.following)
    elif state.phase is Phase.CUT:
        start.cut(sheet, state)
    elif deal is None:
        start.idle(sheet, shift, sheet.view.context.here.club_page)
    elif state.entry is Entry.PEG:
        pegging.pegging(sheet, state, input_state, deal)
    elif sheet.view.scene.is_dead_end:
        dialogs.noted(sheet, state, sheet.view.scene.prompt)
    elif state.is_show:
        show.show(sheet, state, input_state)
    elif state.entry is Entry.DEALT:
        play.dealt(sheet, state, input_state, deal)
    elif state.phase is Phase.PLAY:
        play.play(sheet, state, deal)
    else:
        start.deal(sheet, state, deal)
