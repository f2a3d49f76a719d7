"""Screens before the play: the start, the idle screen, the next pairing, the cut for deal, and the deal."""

from __future__ import annotations

from typing import Final

from cribpi.companion.entry.keys import RANKS, SIDES
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.views.screen.canvas import CELL, COLUMNS, MARGIN, MEDIUM, WIDTH, fit
from cribpi.companion.views.screen.layouts.ending import games, games_won
from cribpi.companion.views.screen.layouts.scores import scores
from cribpi.companion.views.screen.sheet import ANY_RANK, CARD_HEIGHT, CARD_WIDTH, ROWS, TITLE, Sheet, cap
from cribpi.companion.views.screen.wording import fitted, labels, large, last_in_full, paired, paragraph
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import State
from cribpi.cribbage.rules.grammar import capital, verb_of, within

_MIDDLE: Final = WIDTH // 2
_CUT_TOP: Final = 27
"""The top of the cut cards, in px."""
_NAMES_TOP: Final = 6
"""The top in px of the first of two long names if there are no scores above."""
_NAMES_PITCH: Final = 16
"""Px from the top of the first long name to the top of the second."""
_DEAL_ROWS: Final = 3
"""Number of rows between the dealer's name and the keys."""
_WHY_ROWS: Final = 4
"""Number of rows for the reason why the program could not start."""
_BAR: Final = 100
"""The length in px of a full progress bar."""
_SHIFTS: Final = ((0, 0), (1, 0), (2, 1), (1, 2), (0, 2), (-1, 1), (-2, 0), (-1, 0))
"""Offsets of the idle screen in px, which are used in turn."""


def starting(sheet: Sheet, step: str, share: float | None = None) -> None:
    """Show the current *step* of the program's start, with a progress bar if *share*, 0 to 1, is given."""
    write_sign(sheet)
    sheet.small(_MIDDLE, 26, "STARTING", align="centre")
    sheet.small(_MIDDLE, 42, step, align="centre")
    if share is not None:
        sheet.box(_MIDDLE - _BAR // 2 - 2, 54, _BAR + 4, 8)
        sheet.fill(_MIDDLE - _BAR // 2, 56, round(share * _BAR), 4)


def not_started(sheet: Sheet, reason: str) -> None:
    write_sign(sheet)
    sheet.title("NOT STARTED")
    sheet.lines(paragraph(capital(reason), _WHY_ROWS), y=TITLE + 9)


def idle(sheet: Sheet, shift: int, club: str = "") -> None:
    """Show the idle screen: problems in turn, or else the address *club*, or an invitation to play."""
    x, y = _SHIFTS[shift % len(_SHIFTS)]
    write_sign(sheet, x)
    held = _held_for_menu(sheet)
    if sheet.trouble:
        sheet.lines(paragraph(sheet.trouble[shift % len(sheet.trouble)], 4), y=20)
    else:
        at_club = ("club night", club) if len(club) <= COLUMNS else (club[:COLUMNS], club[COLUMNS:])
        for row, text in enumerate(at_club if club else ("", "play with real cards")):
            sheet.small(_MIDDLE + x, y + (18 if held else 21) + 10 * row, text, align="centre")
        if held:
            sheet.key(MARGIN + 1, 46, held, "held: menu")
    _first_keys(sheet)


def next_pairing(sheet: Sheet, state: State, pairing: Pairing, *, may_undo: bool) -> None:
    """Write the names of the club's next pairing as large as they fit, with board and round."""
    first, second = pairing.players
    pair = f"{first} - {second}"
    is_short = MEDIUM.width_of(pair) < WIDTH - 1
    if state.pegs:
        scores(sheet, state)
    elif is_short:
        write_sign(sheet)
    if is_short:
        sheet.medium(_MIDDLE, ROWS[1], pair, align="centre")
    else:
        top = ROWS[0] if state.pegs else _NAMES_TOP
        sheet.medium(_MIDDLE, top, large("{name}", first), align="centre")
        sheet.medium(_MIDDLE, top + _NAMES_PITCH, large("- {name}", second), align="centre")
    board = f"board {pairing.board}"
    number, last = pairing.round, pairing.games
    rounds = (f"round {number} of {last}", f"round {number}/{last}", f"round {number}")
    where = next(text for suffix in rounds if len(text := f"{board}, {suffix}") <= COLUMNS)
    sheet.row(4, where, x=_MIDDLE, align="centre")
    if state.pegs:
        sheet.keys("OK", "DOWN" if sheet.stick else "FLNB", *([("UNDO", "")] if may_undo else []), gap=3)
    else:
        if held := _held_for_menu(sheet):
            sheet.key(MARGIN + 1, ROWS[3], held, "held: menu")
        _first_keys(sheet)


def _held_for_menu(sheet: Sheet) -> str | None:
    """Return the key whose long press opens the menu, or None if the keypad has a MENU key."""
    holds = {longer: key for key, longer in sheet.pad.holds}
    return None if sheet.pad.physical_key("MENU") else holds.get("MENU")


def _first_keys(sheet: Sheet) -> None:
    is_plain = cap("MENU", sheet.pad) in {"MENU", None}
    sheet.keys_apart("OK", ("MENU", "") if is_plain else "MENU")


def write_sign(sheet: Sheet, x: int = 0) -> None:
    """Write the program's name, shifted by *x* px, between two rows of holes with two pegs each."""
    sheet.medium(_MIDDLE + x, 0, "CRIBPI", align="centre")
    for left, holes in ((6, ".o.o."), (94, "o.o..")):
        for hole, peg in enumerate(holes):
            size, inset = {"o": (4, 0), ".": (2, 1)}[peg]
            sheet.fill(left + x + hole * 6 + inset, 5 + inset, size, size)


def cut(sheet: Sheet, state: State) -> None:
    scores(sheet, state)
    if state.rules.first_dealer != "low-cut":
        _first_dealer(sheet, state)
        return
    won = f"LOW CUT, WON {games(state)}" if games(state) else "CUT: LOW CARD DEALS"
    sheet.title("A TIE: CUT AGAIN" if state.ties else fit(won, COLUMNS))
    pitch = {2: 56, 3: 42, 4: 31}[state.players]
    names = labels(state.names, [(pitch - 4) // CELL] * state.players)
    for seat, name in enumerate(names):
        middle = _MIDDLE + pitch * (2 * seat - state.players + 1) // 2
        if seat == state.next_to_cut:
            sheet.box(middle - CARD_WIDTH // 2, _CUT_TOP, CARD_WIDTH, CARD_HEIGHT)
            sheet.medium(middle, _CUT_TOP + 2, "?", align="centre")
        else:
            sheet.card(middle - CARD_WIDTH // 2, _CUT_TOP, state.cuts[seat])
        sheet.small(middle, 47, name, align="centre")
    ranks = [(ANY_RANK, "cut")] if sheet.view.scene.takes_ranks else []
    sheet.keys(*ranks, "OK")


def _first_dealer(sheet: Sheet, state: State) -> None:
    """Ask for the first dealer if no cards are cut: OK draws at random, or players press a name's key."""
    sheet.title("WHO DEALS FIRST?")
    if state.rules.first_dealer == "random":
        sheet.small(_MIDDLE, 33, "drawn at random", align="centre")
        sheet.keys("OK")
    else:
        columns, pitch = (3, 42) if state.players == 3 else (2, 64)
        keys = RANKS if sheet.pad.has_ranks else (*SIDES[:2], "MENU", "MENU")
        names = labels(state.names, [(pitch - 4) // CELL - 2] * state.players)
        for seat, (key, name) in enumerate(zip(keys, names, strict=False)):
            row, column = divmod(seat, columns)
            sheet.key(3 + column * pitch, 31 + row * 12, key, name)
        sheet.row(5, "press a name's key")
    if state.players < 4:
        sheet.small(_MIDDLE, 46, games_won(state), align="centre")


def deal(sheet: Sheet, state: State, deal: Deal) -> None:
    write_deal(sheet, state, deal)
    sheet.keys((ANY_RANK, "the starter"))


def write_deal(sheet: Sheet, state: State, deal: Deal) -> None:
    """Write the dealer, the number of cards and who cuts, then the last outcome.

    Without an outcome, the last line has the games won or the partners who move the pegs.
    """
    scores(sheet, state)
    lines = last_in_full(state) or _games_or_scorekeepers(state, deal)
    name = state.names[deal.dealer]
    template = f"{{name}} {verb_of(name, 'deals').upper()}"
    if len(lines) > _DEAL_ROWS:  # after a misdeal: a line for each of three sides
        sheet.row(0, fitted(template, name=name.upper()))
        sheet.lines(lines, y=ROWS[1])
        return
    sheet.medium(1, ROWS[0], large(template, name))
    lines = (*_how_many(state, _DEAL_ROWS - 1 - len(lines)), _who_cuts(state, deal), *lines)
    sheet.lines(lines[-_DEAL_ROWS:], y=ROWS[2])


def _how_many(state: State, rows: int) -> tuple[str, ...]:
    """Format the number of cards dealt, including any from the pack to the crib, in at most *rows* lines."""
    sizes = state.rules.sizes
    dealt = f"{sizes.dealt} each, {sizes.discarded} to the crib"
    if not sizes.from_pack or rows < 1:
        return (dealt,)
    return (dealt, "and 1 from the pack") if rows > 1 else ("5 each, 1 from pack",)


def _who_cuts(state: State, deal: Deal) -> str:
    """Format the name of the player who cuts or turns up the starter, by the rule `starter_cut`."""
    dealer, left = state.names[deal.dealer], state.names[deal.show_order[0]]
    texts = {
        "pone-cuts": paired(f"{{name}} {verb_of(left, 'cuts')} for {{other}}", left, within(dealer)),
        "dealer-turns": fitted(f"{{name}} {verb_of(dealer, 'turns it up')}", name=dealer),
        "left-cuts": fitted(f"{{name}} {verb_of(left, 'cuts')}", name=left),
    }
    return texts[state.rules.starter_cut]


def _games_or_scorekeepers(state: State, deal: Deal) -> tuple[str, ...]:
    """Format the games won.

    If no game has been won yet, name the scorekeepers instead, in the first deal only.
    """
    if games(state):
        return (games_won(state),)
    if state.rules.scorekeepers and deal.number == 1 and state.entry is not Entry.DEALT:
        first, second = (state.names[seat] for seat in state.rules.scorekeepers)
        return (paired("{name} and {other} peg", first, second),)
    return ()
