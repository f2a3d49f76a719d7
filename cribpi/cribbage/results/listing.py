"""A short summary of a game, for a list of games."""

from __future__ import annotations

import json
from dataclasses import dataclass

from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import State, side_name


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
