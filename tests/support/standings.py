"""Games between two computer levels from a given score, and single deals, played by the core."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import (
    CribShown,
    Event,
    GameStarted,
    HandShown,
    ScorePutRight,
    StarterTurned,
)
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.games import play_on
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.rules.rules import STANDARD

DEALER, PONE = 0, 1

PARTS = ("his heels", "dealer's play", "pone's play", "pone's hand", "dealer's hand", "crib")
"""Parts of a deal's points, in order except for the play."""


def is_won_by_dealer(scores: tuple[int, int], levels: tuple[str, str], number: int) -> bool:
    """Play game *number* from *scores*, the dealer's and pone's, at these *levels*.

    Return whether the dealer wins.

    The cards depend only on the scores, the number and the deal.
    """

    def pack(deal: int) -> Sequence[Card]:
        return _shuffled(f"{scores}/{number}/deal {deal}")

    ((_, end),) = deque(_played(_begun(scores), levels, f"{scores}/{number}", pack), maxlen=1)
    return end.winner == DEALER


def parts_of_a_deal(level: str, number: int) -> tuple[int, ...]:
    """Return the points of each of `PARTS` in deal *number* of a new game. Both players have *level*."""
    parts = dict.fromkeys(PARTS, 0)
    state = _begun((0, 0))
    for event, then in _played(state, (level, level), str(number), lambda _: _shuffled(f"joint {number}")):
        for side, part in zip((DEALER, PONE), _parts(event), strict=True):
            parts[part] += then.scores()[side] - state.scores()[side]
        state = then
        if isinstance(event, CribShown):
            break
    return tuple(parts.values())


def _parts(event: Event) -> tuple[str, str]:
    """Return the part to which the dealer's points of *event* belong, and the part for pone's."""
    match event:
        case StarterTurned():
            return "his heels", "pone's play"
        case HandShown():
            return "dealer's hand", "pone's hand"
        case CribShown():
            return "crib", "pone's play"
        case _:
            return "dealer's play", "pone's play"


def _begun(scores: tuple[int, int]) -> State:
    state = step(NEW_TABLE, GameStarted(("DEALER", "PONE"), STANDARD, dealer=DEALER))
    for side, score in enumerate(scores):
        if score:
            state = step(state, ScorePutRight(side, score))
    return state


def _shuffled(seed: str) -> Sequence[Card]:
    return Random(seed).sample(PACK, len(PACK))


def _played(
    state: State, levels: tuple[str, str], seed: str, pack: Callable[[int], Sequence[Card]]
) -> Iterator[tuple[Event, State]]:
    """Play from *state* to the end of the game, each deal from its *pack*.

    Yield each event with the state after it.
    """
    players = [opponent(level, chance=Random(f"{seed}/{seat}")) for seat, level in enumerate(levels)]
    return play_on(state, players, pack)
