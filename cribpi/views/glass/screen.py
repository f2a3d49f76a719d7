"""The glass: one picture for where the game stands, what is half entered, and what was refused."""

from __future__ import annotations

from PIL import Image

from cribpi.core.events import Entry
from cribpi.core.state import Phase, State
from cribpi.entry.choice import Place
from cribpi.entry.choices import fitted, is_dead_end, no_ranks
from cribpi.entry.desk import (
    Correct,
    CountHand,
    Desk,
    Dialog,
    EndMatch,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    Question,
    Undone,
    Why,
)
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.reply import Refusal
from cribpi.views.glass.screens import corrections, dealt, dialogs, notes, pegging, play, reasons, show, start
from cribpi.views.glass.screens.match import end_match, match_so_far
from cribpi.views.glass.screens.over import game_over
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
    elif _belongs(desk.dialog, state):
        _dialog(sheet, state, desk, trouble)
    else:
        _game(sheet, state, desk, trouble, may_undo=may_undo, shift=shift)
    if trouble:
        sheet.mark()
    return sheet


def _dialog(sheet: Sheet, state: State, desk: Desk, trouble: tuple[str, ...]) -> None:
    """Compose what is open; one without a screen of its own is a sentence with its keys."""
    match desk.dialog:
        case NewGame() as dialog:
            dialogs.new_game(sheet, state, desk, dialog)
        case Menu() as dialog:
            dialogs.menu(sheet, state, desk, dialog, trouble)
        case Undone() as dialog:
            notes.undone(sheet, state, dialog)
        case Correct() as dialog:
            corrections.correct(sheet, state, dialog)
        case FalseWin() as dialog:
            corrections.false_win(sheet, state, dialog)
        case Why() as dialog:
            reasons.why(sheet, state, dialog)
        case MatchSoFar():
            match_so_far(sheet, state)
        case EndMatch():
            end_match(sheet, state)
        case Question() as dialog:
            play.question(sheet, state, dialog)
        case CountHand() as dialog:
            show.counting(sheet, state, dialog)
        case _:
            dialogs.sentence(sheet, state)


def _belongs(dialog: Dialog | None, state: State) -> bool:
    """Tell whether *dialog* can be shown where the game stands; a desk may come from a damaged file."""
    match dialog:
        case None:
            return False
        case Correct(side=side):
            return side < state.sides
        case FalseWin(side=side):
            return side == state.winner
        case MatchSoFar() | EndMatch():
            return bool(state.pegs)
        case Question() | CountHand():
            return state.deal is not None
        case _:
            return True


def _game(
    sheet: Sheet, state: State, desk: Desk, trouble: tuple[str, ...], *, may_undo: bool, shift: int
) -> None:
    deal = state.deal
    if state.winner is not None:
        game_over(sheet, state, state.winner, may_undo=may_undo)
    elif state.phase is Phase.CUT:
        start.cut(sheet, state)
    elif deal is None:
        start.idle(sheet, shift, trouble)
    elif state.entry is Entry.PEG:
        pegging.pegging(sheet, state, desk, deal)
    elif is_dead_end(Place(state, desk, sheet.pad)):
        notes.noted(sheet, state, no_ranks(sheet.pad))
    elif state.entry is Entry.DEALT and state.phase in {Phase.DEAL, Phase.STARTER, Phase.PLAY}:
        dealt.dealt(sheet, state, desk, deal)
    elif state.phase is Phase.PLAY:
        play.play(sheet, state, deal)
    elif state.phase in {Phase.SHOW, Phase.CRIB}:
        show.show(sheet, state, desk, deal)
    else:
        start.deal(sheet, state, deal)
