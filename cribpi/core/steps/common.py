"""What every step needs: the phase and the seats checked, points awarded, the winner found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

from cribpi.core.board import Pegs
from cribpi.core.cards import Card
from cribpi.core.errors import ImpossiblePoints, NotHeld, WrongPhase, WrongSeat
from cribpi.core.events import Entry, PenaltyPegged, ScorePutRight
from cribpi.core.state import Deal, Outcome, Phase, State, find, side_name

T = TypeVar("T")

_EXPECTED: Final = {
    Phase.IDLE: "start a new game",
    Phase.CUT: "cut for the deal, or choose who deals",
    Phase.DEAL: "deal, lay away, and turn up the starter",
    Phase.STARTER: "turn up the starter",
    Phase.PLAY: "play a card, or say go",
    Phase.SHOW: "show the next hand",
    Phase.CRIB: "turn up the crib",
    Phase.GAME_OVER: "start the next game",
}
"""What each phase waits for, in a game kept by cards."""


def by_cards(state: State, what: str, *phases: Phase) -> Deal:
    """Return the deal, where the game is kept by cards and in one of *phases*.

    Raises:
        WrongPhase: If it is not.
    """
    if state.entry is not Entry.CARDS:
        raise WrongPhase(f"this game is kept by points; {what} belongs to a game kept by cards")
    if state.phase not in phases or state.deal is None:
        raise WrongPhase(f"{what} is not what comes now: {_EXPECTED[state.phase]}")
    return state.deal


def by_points(state: State, what: str, *phases: Phase) -> Deal:
    """Return the deal, where the game is kept by points and in one of *phases* (in any, without).

    Raises:
        WrongPhase: If it is not.
    """
    if state.entry is not Entry.PEG:
        raise WrongPhase(f"this game is kept by cards, which score by themselves; {what} is not needed")
    if state.deal is None or (phases and state.phase not in phases):
        raise WrongPhase(f"{what} is not what comes now; OK goes on to the next step")
    return state.deal


def check_seat(state: State, seat: int) -> None:
    """Raise `WrongSeat` if there is no *seat*."""
    if not 0 <= seat < state.players:
        raise WrongSeat(f"there is no seat {seat}: seats are 0 to {state.players - 1}")


def check_side(state: State, side: int) -> None:
    """Raise `WrongSeat` if there is no *side*."""
    if not 0 <= side < state.sides:
        raise WrongSeat(f"there is no side {side}: sides are 0 to {state.sides - 1}")


def check_shower(state: State, deal: Deal, seat: int) -> None:
    """Raise `WrongSeat` if it is not *seat* that shows now."""
    check_seat(state, seat)
    if seat != deal.shower:
        raise WrongSeat(f"it is {state.names[deal.shower]}'s show, not {state.names[seat]}'s")


def take(state: State, seat: int, card: Card, rest: Sequence[Card]) -> Card:
    """Return the card of *rest* that *card* names, which *seat* must hold.

    Raises:
        NotHeld: If there is none.
    """
    try:
        return find(card, rest)
    except LookupError:
        raise NotHeld(f"{state.names[seat]} does not hold {card}; play a card of the hand") from None


def put(row: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return *row* with *item* at *place*."""
    return (*row[:place], item, *row[place + 1 :])


def new_deal(state: State, dealer: int) -> State:
    """Begin the next deal, by *dealer*."""
    number = state.deal.number + 1 if state.deal else 1
    return replace(state, phase=Phase.DEAL, deal=Deal.new(number, dealer, state.players))


def award(state: State, outcome: Outcome) -> State:
    """Peg *outcome*; the side that reaches the target has won, at once (board-set, "How to win")."""
    return _placed(state, outcome, state.pegs[outcome.side].advance(outcome.points, state.rules.target))


def put_right(state: State, event: PenaltyPegged | ScorePutRight, score: int) -> State:
    """Move the front peg of a side to *score*, kept between the start and the game hole.

    Raises:
        ImpossiblePoints: If it stands there already.
    """
    pegs = state.pegs[event.side]
    score = min(max(score, 0), state.rules.target)
    if score == pegs.front:
        raise ImpossiblePoints(f"{side_name(state, event.side)} has {score} already; nothing would change")
    return _placed(state, Outcome(event, event.side, score - pegs.front), pegs.put_right(score))


def _placed(state: State, outcome: Outcome, pegs: Pegs) -> State:
    side = outcome.side
    state = replace(state, pegs=put(state.pegs, side, pegs), outcomes=(outcome,))
    if pegs.front < state.rules.target:
        return state
    games = put(state.games, side, state.games[side] + 1)
    deal = state.deal and replace(state.deal, turn=None)
    return replace(state, phase=Phase.GAME_OVER, winner=side, games=games, deal=deal)
