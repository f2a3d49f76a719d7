"""One finished game among others: its summary for a list, how it went, par, and the game that follows it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import add
from typing import Final

from cribpi.cribbage.game.events import Entry, GameStarted
from cribpi.cribbage.game.ledger import Ledger, Show
from cribpi.cribbage.game.state import Phase, State, side_name
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase
from cribpi.cribbage.rules.seats import START


@dataclass(frozen=True, slots=True)
class Listing:
    """Rules, seats, scores and winner of a game; `text` and `read_listing` are inverses."""

    rules: str
    target: int
    entry: str
    seats: tuple[str, ...]
    sides: tuple[tuple[str, int], ...]
    """Each side's name and score."""
    winner: int | None

    @property
    def hides_cards(self) -> bool:
        """Whether its events hold cards that not everybody may see: the computer's packs, until it is won.

        Until then it may be played on: UNDO leads back to it from any later game.
        """
        return self.entry == Entry.DEALT and self.winner is None

    def json(self) -> dict[str, object]:
        """Return it in the format of `cribpi export --list --json`."""
        return {
            "rules": self.rules,
            "target": self.target,
            "entry": self.entry,
            "seats": list(self.seats),
            "sides": [{"name": name, "score": score} for name, score in self.sides],
            "winner": self.winner,
        }

    def text(self) -> str:
        """Return it in the format of the journal: JSON on one line."""
        return json.dumps(self.json())

    def side_names(self) -> str:
        """Return the players: `ANN and BOB`."""
        return " and ".join(name for name, _ in self.sides)

    def of_the_game(self) -> str:
        """Return the kind of game: `to 121, standard`."""
        return f"to {self.target}, {self.rules}"

    def scores(self) -> str:
        """Return the scores: `ANN 121, BOB 98`."""
        return ", ".join(f"{name} {score}" for name, score in self.sides)

    def outcome(self) -> str:
        """Return the winner, or that nobody has won yet."""
        return "not over" if self.winner is None else f"{self.sides[self.winner][0]} has won"


def listing_of(state: State) -> Listing:
    """Summarize the game of *state*, which must have begun."""
    sides = tuple((side_name(state, side), score) for side, score in enumerate(state.scores()))
    return Listing(state.rules.name, state.rules.target, state.entry, state.names, sides, state.winner)


def read_listing(text: str) -> Listing:
    """Parse the output of `Listing.text`.

    Raises:
        ValueError, LookupError, TypeError: If it is something else.
    """
    found = json.loads(text)
    sides = tuple((side["name"], side["score"]) for side in found["sides"])
    return Listing(
        found["rules"], found["target"], found["entry"], tuple(found["seats"]), sides, found["winner"]
    )


def course(ledger: Ledger) -> tuple[tuple[int, ...], ...]:
    """Return each side's score after each deal, the last as it stands."""
    brought = [[gains.total for gains in row.gains] for row in ledger]
    scores = accumulate(brought, lambda scores, more: list(map(add, scores, more)))
    return tuple(map(tuple, scores))[1:]


def best(shows: Sequence[Show]) -> Show | None:
    """Return the hand or crib that was worth most, of several the first."""
    return max(shows, key=lambda show: show.points, default=None)


AVERAGE_DEAL: Final = (16.13, 10.17)
"""What a deal brings the dealer and pone on average, between two strong players by the `standard` rules.

From the shipped tables, as the waves in docs/reference/chances.md are.  There are no such tables for more
players.
"""


def par_holes(state: State) -> tuple[int | None, ...]:
    """Return each side's hole by what its deals as dealer and as pone bring on average, up to this deal.

    It depends on who dealt, how many deals there were, and the target alone.  None stands for a hole that is
    not on the way: the start, the game hole, and all that would lie behind it.  Empty with three or four
    players, and before it is known who deals.

    >>> from cribpi.cribbage.game.events import DealerChosen, Entry, GameStarted
    >>> from cribpi.cribbage.game.step import fold
    >>> from cribpi.cribbage.rules.rules import STANDARD
    >>> par_holes(fold([GameStarted(("ANN", "BOB"), STANDARD, Entry.PEG), DealerChosen(0)]))
    (None, None)
    """
    deal, first = state.deal, state.first_dealer
    if deal is None or first is None or state.players != len(AVERAGE_DEAL):
        return ()
    over = deal.number - 1
    as_dealer = [(over + (seat == first)) // 2 for seat in range(len(AVERAGE_DEAL))]
    holes = [int(dealt * AVERAGE_DEAL[0] + (over - dealt) * AVERAGE_DEAL[1] + 0.5) for dealt in as_dealer]
    return tuple(hole if START < hole < state.rules.target else None for hole in holes)


def next_game(state: State) -> GameStarted:
    """Return the game after this one: the same seats and rules; a decided match is followed by a new one.

    The option `next_first_dealer` says who deals: "At the start of each new game, the loser of the previous
    game deals" (lowe).  With three players the loser is the one with the lowest score; of two with the same,
    the first to the winner's left.

    Raises:
        WrongPhase: If this game is not over.
    """
    winner = state.winner
    if winner is None:
        raise WrongPhase("this game is not over: play it to the end, or start a new one from the menu")
    tally = () if state.phase is Phase.MATCH_OVER else state.tally_now
    match state.rules.next_first_dealer:
        case "winner":
            dealer: int | None = winner
        case "alternate":
            first = state.first_dealer
            dealer = None if first is None else seats.left_of(first, state.players)
        case "cut":
            dealer = None
        case _:  # the loser
            losers = [seat for seat in seats.around(winner, state.players) if state.side(seat) != winner]
            dealer = min(losers, key=lambda seat: state.pegs[state.side(seat)].front)
    return GameStarted(state.names, state.rules, state.entry, dealer, tally, state.levels)
