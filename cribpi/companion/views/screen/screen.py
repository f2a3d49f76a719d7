"""The glass: one picture for where the game stands, the input so far, and what was refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec

from PIL import Image

from cribpi.companion.entry import desk as desks
from cribpi.companion.entry.choice import Rows
from cribpi.companion.entry.desk import Desk, Dialog
from cribpi.companion.entry.reply import Refusal
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

    *trouble* has a sentence for each device that fails: a mark on every screen, the words on the idle
    screen and the menu.  *shift* moves the idle screen by a few px against burn-in; any whole number will do.
    A *player* is told of in place of a table at which nobody plays.
    """
    sheet, state, desk = Sheet(view, trouble), view.state, view.desk
    if refusal is not None:
        dialogs.refused(sheet, state, refusal)
    elif desk.message is not None:
        dialogs.noted(sheet, state, desk.message)
    elif _belongs(desk.dialog, state):
        kind = type(desk.dialog)
        if sheet.view.scene.rows is None:
            SCREENS.get(kind, dialogs.sentence)(sheet, state, desk.dialog)
        else:
            LISTS.get(kind, lists.listed)(sheet, state, sheet.view.scene.rows)
    elif (pairing := view.pairing) is not None:
        start.next_pairing(sheet, state, pairing, may_undo=may_undo)
    elif player is not None and view.following is None:
        ending.attract(sheet, state, player)
    else:
        _game(sheet, state, desk, may_undo=may_undo, shift=shift)
    if trouble:
        sheet.mark()
    return sheet


def _painted(of: Callable[P, Sheet]) -> Callable[P, Image.Image]:
    """Return a function of the same arguments, which paints the sheet."""
    return lambda *args, **kwargs: of(*args, **kwargs).picture()


draw: Final = _painted(compose)
"""Return the picture of the glass, mode "1", 128 x 64; for the arguments of `compose`."""


def draw_last(view: TableView, message: str) -> Image.Image:
    """Return the picture that stays on the glass when the machine is off; *message* tells of the plug."""
    sheet = Sheet(view)
    dialogs.shutting_down(sheet, view.state, message)
    return sheet.picture()


def draw_start(step: str, share: float | None = None) -> Image.Image:
    """Return the picture of a start that has come to *step*, with a bar if a *share* of it, to 1, is done."""
    sheet = Sheet()
    start.starting(sheet, step, share)
    return sheet.picture()


def draw_not_started(why: str) -> Image.Image:
    """Return the picture that stays where a start has failed."""
    sheet = Sheet()
    start.not_started(sheet, why)
    return sheet.picture()


LISTS: Final[dict[type, Callable[[Sheet, State, Rows], None]]] = {
    desks.NewGame: lists.new_game,
    desks.Menu: lists.menu,
    desks.Correct: lists.correct,
    desks.PhoneList: lists.phone_list,
    desks.Why: dialogs.why,
}
"""The screen of each list that does not simply stand under its title."""

SCREENS: Final[dict[type, Callable[[Sheet, State, Any], None]]] = {
    desks.PhoneList: lists.phones_off,
    desks.Status: dialogs.status,
    desks.SwitchOff: dialogs.switch_off,
    desks.Undone: dialogs.undone,
    desks.FalseWin: dialogs.false_win,
    desks.MatchSoFar: ending.match_so_far,
    desks.GameSums: ending.game_sums,
    desks.EndMatch: ending.end_match,
    desks.Question: play.question,
    desks.CountHand: show.counting,
}
"""The screen of each other kind of dialog; one that has none is a sentence with its keys."""


def _belongs(dialog: Dialog | None, state: State) -> bool:
    """Tell whether *dialog* can be shown where the game stands; a desk may come from a damaged file."""
    match dialog:
        case desks.Correct(side=side):
            return side in range(state.sides)
        case desks.FalseWin(side=side):
            return side == state.winner
        case desks.MatchSoFar() | desks.GameSums() | desks.EndMatch():
            return bool(state.pegs)
        case desks.Question() | desks.CountHand():
            return state.deal is not None
    return dialog is not None


def _game(sheet: Sheet, state: State, desk: Desk, *, may_undo: bool, shift: int) -> None:
    deal = state.deal
    if state.winner is not None:
        ending.game_over(sheet, state, state.winner, may_undo=may_undo, following=sheet.view.following)
    elif state.phase is Phase.CUT:
        start.cut(sheet, state)
    elif deal is None:
        start.idle(sheet, shift, desk.here.club_page)
    elif state.entry is Entry.PEG:
        pegging.pegging(sheet, state, desk, deal)
    elif sheet.view.scene.is_dead_end:
        dialogs.noted(sheet, state, sheet.view.scene.asks)
    elif state.is_show:
        show.show(sheet, state, desk)
    elif state.entry is Entry.DEALT:
        play.dealt(sheet, state, desk, deal)
    elif state.phase is Phase.PLAY:
        play.play(sheet, state, deal)
    else:
        start.deal(sheet, state, deal)
