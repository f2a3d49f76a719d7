"""The next thing to do, in one line, and the keys for it."""

from __future__ import annotations

from typing import Final

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.errors import RuleError
from cribpi.core.events import Entry
from cribpi.core.game import step
from cribpi.core.scores import total
from cribpi.core.show import Claim, score_claimed
from cribpi.core.state import Deal, Phase, State, side_name
from cribpi.core.words import number
from cribpi.entry import by_cards, menus
from cribpi.entry.by_points import only_side
from cribpi.entry.desk import Correct, CountHand, Desk, Menu, NewGame, Question
from cribpi.entry.keys import RANKS, side_keys
from cribpi.entry.press import press

OVER_31: Final = "OK: all said go, {leader} leads the {card}. UNDO: a slip. GO: {turn} says go."


def phase_of(state: State, desk: Desk) -> str:
    """Return the phase as the page is told it: a core phase, or `new-game` while that menu is open."""
    return "new-game" if isinstance(desk.dialog, NewGame) else str(state.phase)


def prompt(state: State, desk: Desk) -> str:
    """Say what to do next, in one line."""
    match desk.dialog:
        case NewGame():
            setup, way = desk.setup, "every card" if desk.setup.entry == Entry.CARDS else "points only"
            what = f"{number(setup.players)} players to {setup.target}, {way}"
            return f"New game, {what}: OK starts it; A, 2, 3 pick a line, P1 and P2 change it"
        case Question(card):
            return f"The {card} would pass 31: OK for a new count, UNDO for a slip"
        case Menu():
            lines = menus.items(state, desk)
            line = desk.dialog.line % len(lines)
            place = f"{line + 1} of {len(lines)}"
            return f"Menu, {place}: {lines[line].text}; OK takes it, P1 and P2 move, UNDO leaves"
        case Correct(side):
            return f"Correct {side_name(state, side)}: {_correction(desk.dialog)}; P1 less, P2 more, OK applies, UNDO leaves"
        case CountHand():
            return _counting(state, desk.dialog)
    if state.phase is Phase.IDLE:
        return "Press OK for a new game"
    if state.winner is not None:
        return f"{_won(state, state.winner)}: OK for the next game"
    if state.next_to_cut is not None and state.phase is Phase.CUT:
        return (
            f"{state.names[state.next_to_cut]} cuts for the deal: press the rank, or OK to leave it to chance"
        )
    if state.deal is None:
        return ""
    if state.entry is Entry.PEG:
        return _by_points(state, desk, state.deal)
    return _by_cards(state, desk, state.deal)


def _by_cards(state: State, desk: Desk, deal: Deal) -> str:
    dealer, leads = state.names[deal.dealer], state.names[deal.show_order[0]]
    match state.phase:
        case Phase.DEAL | Phase.STARTER:
            dealt = number(seats.cards_dealt(state.players))
            return f"{dealer} deals {dealt} each, {leads} cuts: press the starter's rank"
        case Phase.PLAY:
            return f"{state.names[deal.turn or 0]} to play"
        case Phase.SHOW:
            return f"{state.names[deal.shower]} shows {_worth(state, desk, deal.played[deal.shower])}"
        case _:
            missing = seats.HAND - len(deal.crib)
            if missing:
                return f"{dealer}'s crib: press its cards, {missing} to come"
            return f"{dealer}'s crib {_worth(state, desk, deal.crib)}"


def _by_points(state: State, desk: Desk, deal: Deal) -> str:
    dealer, shower = state.names[deal.dealer], state.names[deal.shower]
    if desk.typed:
        only = only_side(state)
        if only is not None:
            return f"{desk.amount}: OK pegs it for {side_name(state, only)}"
        keys = " or ".join(side_keys(state.sides))
        return f"{desk.amount}: {keys} pegs it"
    match state.phase:
        case Phase.DEAL:
            return f"{dealer} deals: OK when the starter is cut"
        case Phase.STARTER:
            return f"Starter: 2 for his heels to {dealer}, or OK to play"
        case Phase.PLAY:
            return "The play: type an amount, then a side's key; OK when it is over"
        case Phase.SHOW:
            return f"{shower} shows: type the count and OK, or FLNB to count it by cards"
        case _:
            return f"{dealer}'s crib: type the count and OK, or FLNB to count it by cards"


def _counting(state: State, dialog: CountHand) -> str:
    hand, starter, claims = menus.counted(state, dialog)
    if len(hand) < seats.HAND:
        return f"Count a hand: press its cards, {seats.HAND - len(hand)} to come"
    if starter is None:
        return "Count a hand: now the starter"
    claim = claims[dialog.claim % len(claims)]
    return f"{_cards(hand)} with {starter}: {_pegs(hand, starter, claim, len(claims))}"


def _worth(state: State, desk: Desk, cards: tuple[Card, ...]) -> str:
    """Say what *cards* are worth with the starter, and what can be done about it."""
    starter = state.deal.starter if state.deal else None
    if starter is None:
        return _cards(cards)
    claims = by_cards.claims(state)
    return f"{_cards(cards)} with {starter}: {_pegs(cards, starter, by_cards.claim_of(state, desk), len(claims))}"


def _pegs(cards: tuple[Card, ...], starter: Card, claim: Claim, choices: int) -> str:
    points = total(score_claimed(cards, starter, claim))
    return f"OK pegs {points}" + (", FLNB for flush or nobs" if choices > 1 else "")


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _correction(dialog: Correct) -> str:
    return (
        f"A a penalty of {dialog.penalty:+}"
        if dialog.line == 0
        else f"2 the score put right to {dialog.score}"
    )


def _won(state: State, winner: int) -> str:
    """Say who has won, by what scores, and whether it is a skunk."""
    best = max(score for side, score in enumerate(state.scores()) if side != winner)
    said = f"{side_name(state, winner)} wins {state.pegs[winner].front}-{best}"
    skunked = [score for score in state.scores() if score < state.rules.skunk_below]
    if not skunked:
        return said
    return said + (", a double skunk" if min(skunked) < state.rules.double_skunk_below else ", a skunk")


def keys(state: State, desk: Desk) -> tuple[str, ...]:
    """Return the keys that make sense next and would be accepted, the likeliest first."""
    return tuple(key for key in _likely(state, desk) if _is_accepted(state, desk, key)) or ("UNDO",)


def _is_accepted(state: State, desk: Desk, key: str) -> bool:
    try:
        event = press(state, desk, key).event
        if event is not None:
            step(state, event)
    except RuleError:
        return False
    return True


def _likely(state: State, desk: Desk) -> tuple[str, ...]:
    match desk.dialog:
        case Question():
            return ("OK", "UNDO", "GO")
        case NewGame():
            return ("OK", *RANKS[: len(menus.NEW_GAME_LINES)], "P1", "P2")
        case Menu():
            return ("OK", "P1", "P2", "UNDO")
        case Correct():
            return ("OK", "P1", "P2", "A", "2", "UNDO")
        case CountHand():
            ready = menus.counted(state, desk.dialog)[2]
            return ("OK", *(["FLNB"] * (len(ready) > 1)), "UNDO") if ready else RANKS
    if state.phase in {Phase.IDLE, Phase.GAME_OVER}:
        return ("OK",)
    if state.phase is Phase.CUT:
        return ("OK", *RANKS)
    if state.entry is Entry.PEG:
        return _keys_by_points(state, desk)
    return _keys_by_cards(state)


def _keys_by_points(state: State, desk: Desk) -> tuple[str, ...]:
    is_show = state.phase in {Phase.SHOW, Phase.CRIB}
    if desk.typed:
        return side_keys(state.sides) if only_side(state) is None else ("OK", "UNDO")
    if state.phase is Phase.PLAY:
        return (*RANKS, "GO", "OK")
    return (*RANKS, "OK", "FLNB") if is_show else ("OK",)


def _keys_by_cards(state: State) -> tuple[str, ...]:
    deal = state.deal
    if deal is None or state.phase in {Phase.DEAL, Phase.STARTER}:
        return RANKS
    if state.phase is Phase.PLAY:
        fitting = tuple(key for key in RANKS if min(RANKS.index(key) + 1, 10) <= deal.room)
        return fitting if deal.room >= 10 else (*fitting, "GO")
    if state.phase is Phase.CRIB and len(deal.crib) < seats.HAND:
        return RANKS
    return ("OK", "FLNB") if len(by_cards.claims(state)) > 1 else ("OK",)
