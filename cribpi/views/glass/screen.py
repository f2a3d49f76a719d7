"""The glass: one picture for where the game stands, what is half entered, and what was refused."""

from __future__ import annotations

from PIL import Image

from cribpi.core.events import Entry
from cribpi.core.state import Phase, State
from cribpi.entry import desk as desks
from cribpi.entry.choice import Place
from cribpi.entry.choices import fitted, is_dead_end, no_ranks
from cribpi.entry.desk import Desk
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.reply import Refusal
from cribpi.views.glass.screens import dealt, dialogs, match, notes, pegging, play, show, start
from cribpi.views.glass.sheet import Sheet, paint


def draw(
    state: State,
    desk: Desk,
    refusal: Refusal | None = None,
    *,
    trouble: tuple[str, ...] = (),
    may_undo: bool = False,
    shift: int = 0,
    pad: Pad = TWENTY,
) -> Image.Image:
    """Return the picture of the glass: mode "1", 128 x 64.

    *trouble* has a sentence for each device that fails: a mark on every screen, the words on the idle
    screen and the menu.  *shift* moves the idle screen by a few px against burn-in; any whole number will do.
    *pad* is the keys that the screen is to name.
    """
    return paint(compose(state, desk, refusal, trouble=trouble, may_undo=may_undo, shift=shift, pad=pad))


def draw_last(state: State, message: str) -> Image.Image:
    """Return the picture that stays on the glass when the machine is off; *message* tells of the plug."""
    sheet = Sheet()
    notes.parting(sheet, state, message)
    return paint(sheet)


def compose(
    state: State,
    desk: Desk,
    refusal: Refusal | None = None,
    *,
    trouble: tuple[str, ...] = (),
    may_undo: bool = False,
    shift: int = 0,
    pad: Pad = TWENTY,
) -> Sheet:
    """Return what `draw` paints, as texts and shapes."""
    sheet = Sheet(Place(state, fitted(desk, pad), pad, cards=()))
    if refusal is not None:
        notes.refused(sheet, state, refusal)
    elif desk.message is not None:
        notes.noted(sheet, state, desk.message)
    elif desk.dialog is None or not _dialog(sheet, state, desk, trouble):
        _game(sheet, state, desk, trouble, may_undo=may_undo, shift=shift)
    if trouble:
        sheet.mark()
    return sheet


def _dialog(sheet: Sheet, state: State, desk: Desk, trouble: tuple[str, ...]) -> bool:
    """Compose what is open; one without a screen of its own is a sentence with its keys.

    Tell whether it belongs where the game stands: a desk may come from a damaged file.
    """
    deal = state.deal
    match desk.dialog:
        case desks.NewGame() as dialog:
            dialogs.new_game(sheet, state, desk, dialog)
        case desks.Menu() as dialog:
            dialogs.menu(sheet, state, desk, dialog, trouble)
        case desks.Undone() as dialog:
            notes.undone(sheet, state, dialog)
        case desks.Why() as dialog:
            notes.why(sheet, state, dialog)
        case desks.Correct() as dialog if dialog.side < state.sides:
            dialogs.correct(sheet, state, dialog)
        case desks.FalseWin() as dialog if dialog.side == state.winner:
            dialogs.false_win(sheet, state, dialog)
        case desks.MatchSoFar() if state.pegs:
            match.match_so_far(sheet, state)
        case desks.EndMatch() if state.pegs:
            match.end_match(sheet, state)
        case desks.Question() as dialog if deal:
            play.question(sheet, state, deal, dialog)
        case desks.CountHand() as dialog if deal:
            show.counting(sheet, state, deal, dialog)
        case (
            desks.Correct()
            | desks.FalseWin()
            | desks.MatchSoFar()
            | desks.EndMatch()
            | desks.Question()
            | desks.CountHand()
        ):
            return False
        case _:
            dialogs.sentence(sheet, state)
    return True


def _game(
    sheet: Sheet, state: State, desk: Desk, trouble: tuple[str, ...], *, may_undo: bool, shift: int
) -> None:
    deal = state.deal
    if state.winner is not None:
        match.game_over(sheet, state, state.winner, may_undo=may_undo)
    elif state.phase is Phase.CUT:
        start.cut(sheet, state)
    elif deal is None:
        start.idle(sheet, shift, trouble)
    elif state.entry is Entry.PEG:
        pegging.pegging(sheet, state, desk, deal)
    elif is_dead_end(Place(state, desk, sheet.pad)):
        notes.noted(sheet, state, no_ranks(sheet.pad))
    elif state.phase in {Phase.SHOW, Phase.CRIB}:
        show.show(sheet, state, desk, deal)
    elif state.entry is Entry.DEALT:
        dealt.dealt(sheet, state, desk, deal)
    elif state.phase is Phase.PLAY:
        play.play(sheet, state, deal)
    else:
        start.deal(sheet, state, deal)
