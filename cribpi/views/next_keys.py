"""The keys that make sense next, which the page marks: likely ones, and only those that would be accepted."""

from __future__ import annotations

from cribpi.core import seats
from cribpi.core.decide import next_person
from cribpi.core.errors import RuleError
from cribpi.core.events import Entry
from cribpi.core.game import step
from cribpi.core.state import Phase, State
from cribpi.entry import by_cards, by_dealing, corrections, menus
from cribpi.entry.by_points import amounts, only_side, takers
from cribpi.entry.desk import (
    Correct,
    CountHand,
    Desk,
    EndMatch,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    Question,
    Undone,
    Why,
)
from cribpi.entry.keys import RANKS, SIDES, amount_of, side_key
from cribpi.entry.meaning import meaning
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.press import is_dead_end, press


def keys(state: State, desk: Desk, pad: Pad = TWENTY) -> tuple[str, ...]:
    """Return the keys of *pad* that make sense next and would be accepted, the likeliest first."""
    if is_dead_end(state, desk, pad):
        return ("MENU",)
    likely = _likely(state, desk, pad)
    if not pad.has_ranks:
        likely = _with_a_stick(likely, desk)
    found = tuple(key for key in likely if _is_accepted(state, desk, key)) or ("UNDO",)
    own = (pad.reach(key, lambda one: meaning(state, desk, one, pad)) for key in found)
    there = tuple(key for key in own if key is not None)
    if pad.has_ranks:
        return there
    # A line that a keypad of twenty keys changes may be fixed where there are no ranks.
    return tuple(key for key in there if key == "UNDO" or _is_accepted(state, desk, key, pad))


def _with_a_stick(likely: tuple[str, ...], desk: Desk) -> tuple[str, ...]:
    """Return *likely* with a joystick's ways up and down: to a line, and to an amount that is not yet right."""
    steps: tuple[str, ...] = ("UP", "DOWN")
    if isinstance(desk.dialog, Menu | Why):
        instead = {"P1": "UP", "P2": "DOWN"}
        return tuple(instead.get(key, key) for key in likely)
    if desk.typed and desk.dialog is None:
        return (*likely, *steps)
    at = next((place for place, key in enumerate(likely) if key in RANKS), None)
    return likely if at is None else (*likely[:at], *steps, *likely[at:])


def sides_now(state: State, desk: Desk, pad: Pad = TWENTY) -> dict[str, int]:
    """Return the keys of *pad* that are a side's now, each with its side.

    GO is the third side's in a game kept by points, where there is no key of its own for it.
    """
    found = {}
    for key in pad.keys:
        means = meaning(state, desk, key, pad)
        side = side_key(means, state.sides)
        if side is not None and (means != "GO" or pad.side_keys(state.sides)[side] == "GO"):
            found[key] = side
    return found if state.entry is Entry.PEG else {key: side for key, side in found.items() if key != "GO"}


def amount_typed(state: State, desk: Desk) -> int | None:
    """Return the amount typed so far, where rank keys type one: 0 before the first; None elsewhere."""
    is_show = state.phase in {Phase.SHOW, Phase.CRIB}
    if desk.dialog is not None or not (is_show or state.phase is Phase.PLAY):
        return None
    if state.entry is Entry.PEG:
        return desk.amount
    is_whole = is_show and len(by_cards.shown(state)) == seats.HAND
    may_count = is_whole and by_cards.players_count(state) and by_cards.offered(state) is None
    return desk.amount if may_count else None


def typing_keys(state: State, desk: Desk, pad: Pad = TWENTY) -> tuple[str, ...]:
    """Return the keys of *pad* that would be taken as a part of an amount now: ranks, or a joystick's up and down."""
    if amount_typed(state, desk) is None:
        return ()
    found = (key for key in (RANKS if pad.has_ranks else ("UP", "DOWN")) if _is_accepted(state, desk, key))
    own = (pad.reach(key, lambda one: meaning(state, desk, one, pad)) for key in found)
    return tuple(key for key in own if key is not None)


def _is_accepted(state: State, desk: Desk, key: str, pad: Pad = TWENTY) -> bool:
    try:
        event = press(state, desk, key, pad=pad).event
        if event is not None:
            step(state, event)
    except RuleError:
        return False
    return True


def _likely(state: State, desk: Desk, pad: Pad) -> tuple[str, ...]:
    match desk.dialog:
        case Undone(_, left):
            return ("OK", "UNDO") if left else ("OK",)
        case Question():
            return ("OK", "UNDO", "GO")
        case NewGame():
            return ("OK", *RANKS[: len(menus.new_game_lines(desk.setup))], "P1", "P2")
        case EndMatch():
            return ("OK", "UNDO")
        case FalseWin():
            return ("OK", "P1", "P2", "FLNB", "UNDO")
        case Why():
            return ("OK", "P1", "P2")
        case MatchSoFar():
            return ("OK",)
        case Menu():
            return ("OK", "P1", "P2", "UNDO")
        case Correct():
            return ("OK", "P1", "P2", *RANKS[: len(corrections.lines(state))], "FLNB", "GO", "UNDO")
        case CountHand():
            ready = menus.counted(state, desk.dialog)[2]
            return ("OK", *(["FLNB"] * (len(ready) > 1)), "UNDO") if ready else RANKS
    if state.phase is Phase.IDLE or state.winner is not None:
        return ("OK",)
    if state.phase is Phase.CUT:
        if state.entry is Entry.DEALT and state.rules.first_dealer == "low-cut":
            return ("OK", *SIDES)
        return ("OK", *RANKS) if state.rules.first_dealer == "low-cut" else ("OK", *SIDES, *RANKS)
    if state.entry is Entry.PEG:
        return _keys_by_points(state, desk, pad)
    if state.entry is Entry.DEALT and state.phase in {Phase.DEAL, Phase.STARTER, Phase.PLAY}:
        return _keys_by_dealing(state, desk)
    return _keys_by_cards(state, desk)


def _keys_by_points(state: State, desk: Desk, pad: Pad) -> tuple[str, ...]:
    is_show = state.phase in {Phase.SHOW, Phase.CRIB}
    if desk.typed:
        compares = ("FLNB",) if is_show and by_cards.players_count(state) else ()
        if not takers(state, desk):  # as 19, which may still become 20
            possible = amounts(state)
            more = tuple(key for key in RANKS if desk.amount + (amount_of(key) or 0) in possible)
            return (*more, *compares, "UNDO")
        return pad.side_keys(state.sides) if only_side(state) is None else ("OK", *compares, "UNDO")
    if state.phase is Phase.PLAY:
        return (*RANKS, "GO", "OK")
    if state.phase is Phase.STARTER:
        return ("OK", "2")
    if is_show:
        return (*RANKS, "OK") if by_cards.players_count(state) else (*RANKS, "OK", "FLNB")
    return ("OK",)


def _keys_by_dealing(state: State, desk: Desk) -> tuple[str, ...]:
    seat = by_dealing.open_hand(state, desk)
    if seat is None or seat != next_person(state):
        return ("OK",)
    ranks = tuple(dict.fromkeys(card.rank.symbol for card in by_dealing.hand(state, seat)))
    return ("OK", *ranks, "FLNB")


def _keys_by_cards(state: State, desk: Desk) -> tuple[str, ...]:
    deal = state.deal
    if deal is None or state.phase in {Phase.DEAL, Phase.STARTER}:
        return RANKS
    if state.phase is Phase.PLAY:
        fitting = tuple(key for key in RANKS if min(RANKS.index(key) + 1, 10) <= deal.room)
        heels = ("OK",) if deal.heels_open else ()
        return (*heels, *fitting) if deal.room >= 10 else (*heels, *fitting, "GO")
    if by_cards.offered(state) is not None:
        return ("OK", "GO")
    if len(by_cards.shown(state)) < seats.HAND:
        return RANKS
    if by_cards.players_count(state):
        return ("OK", "FLNB", "UNDO", *RANKS) if desk.typed else (*RANKS, "GO", "FLNB")
    return ("OK", "FLNB") if len(by_cards.claims(state)) > 1 else ("OK",)
