"""Past games in words.  Computers go by their level, and the only person is addressed, as in "you lost"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from cribpi.companion.web.json.results import SKUNKS
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.results.statistics import Summary
from cribpi.cribbage.review.lines import LEAST, MARKS, favoured
from cribpi.cribbage.rules.grammar import series, whose, within
from cribpi.cribbage.rules.names import YOU

if TYPE_CHECKING:
    from cribpi.companion.web.json import past_types

MINUS: Final = "\N{MINUS SIGN}"
_MODES: Final = {Entry.CARDS: "real cards", Entry.PEG: "points only", Entry.DEALT: "pass and play"}


class PastNames:
    """The names of a past game's seats and sides, for its readers."""

    def __init__(self, game: Summary) -> None:
        self.game = game
        persons = [seat for seat, level in enumerate(game.levels) if level is None]
        self.own = persons[0] if len(persons) == 1 < len(game.seats) else None
        """The seat of the only person, or None."""
        self.seats = [
            YOU if seat == self.own else level or game.seats[seat] for seat, level in enumerate(game.levels)
        ]

    @cached_property
    def sides(self) -> list[str]:
        game = self.game
        if not any(game.levels):
            return [game.spoken(side) for side in range(len(game.sides))]
        return [
            series([name for seat, name in enumerate(self.seats) if game.side(seat) == side])
            for side in range(len(game.sides))
        ]

    @property
    def own_side(self) -> int | None:
        return None if self.own is None else self.game.side(self.own)

    @cached_property
    def order(self) -> list[int]:
        """The sides, the person's own or else the winner's first."""
        first = self.game.winner if self.own_side is None else self.own_side
        return sorted(range(len(self.game.sides)), key=lambda side: side != first)

    def opponents(self) -> str:
        """Return the person's opponents, or else all players."""
        if self.own is None:
            return series([self.game.sides[side] for side in self.order])
        return series([self.sides[side] for side in self.order[1:]])

    def ended(self) -> past_types.Ended | None:
        """Return the result of a finished game for its only person, or else for the winner."""
        game, own = self.game, self.own_side
        if game.winner is None:
            return None
        is_lost = own is not None and own != game.winner
        losers = [side for side in self.order if (side == own if is_lost else side != game.winner)]
        by = game.scores[game.winner] - max(game.scores[side] for side in losers)
        # with three sides, another one may be skunked
        margin = f"{by}{SKUNKS[0 if is_lost and len(game.sides) > 2 else game.skunk]}"
        first, others = self.sides[game.winner], series([self.sides[side] for side in losers])
        if own is None:
            sentence = f"{first} beat {others} by {margin}"
            return {"won": None, "winner": first, "text": f"won by {margin}", "sentence": sentence}
        if is_lost:
            sentence = f"you lost to {first} by {margin}"
            return {"won": False, "winner": "", "text": f"Lost by {margin}", "sentence": sentence}
        sentence = f"you beat {others} by {margin}"
        return {"won": True, "winner": "", "text": f"Won by {margin}", "sentence": sentence}

    def json(self) -> past_types.PastWords:
        game = self.game
        is_computers = game.entry == Entry.DEALT and any(game.levels)
        return {
            "own": self.own,
            "called": self.seats,
            "sides_called": self.sides,
            "whom": self.opponents(),
            "mode": "computer" if is_computers else _MODES[Entry(game.entry)],
            "ended": self.ended(),
            "final": "\N{EN DASH}".join(str(game.scores[side]) for side in self.order),
        }

    def accuracy(self, reviewed: Sequence[past_types.Accuracy] | None) -> str:
        """Return the only person's accuracy, or each person's; empty for a game without a review."""
        if self.game.winner is None or self.game.is_five_card:
            return ""
        if reviewed is None:
            return "not reviewed yet"
        shares = [row["accuracy"] for row in reviewed]
        if self.own is not None:
            share = shares[self.own]
            return "" if share is None else f"{_percent(share)} accuracy"
        return ", ".join(
            f"{self.seats[seat]} {_percent(share)}"
            for seat, (level, share) in enumerate(zip(self.game.levels, shares, strict=True))
            if level is None and share is not None
        )

    def mistakes(self, reviewed: Sequence[past_types.Accuracy] | None) -> str:
        """Return the number of the only person's mistakes; empty for none to count."""
        if reviewed is None or self.own is None:
            return ""
        return _many(reviewed[self.own]["mistakes"], "mistake") or "no mistakes"

    def review(self, review: dict[str, Any]) -> dict[str, Any]:
        """Return *review* with its sentences: of each player's figures, and of the course for each side."""
        players = [player | {"words": list(_figures(player))} for player in review["players"]]
        course = review["course"]
        if course is not None:
            course = course | {"words": [self._course(course, side) for side in range(len(self.sides))]}
        return {**review, "players": players, "course": course}

    def _course(self, course: Mapping[str, Any], side: int) -> str:
        """Return the course in sentences for *side*: luck, counts, and the cost of its decisions."""
        us, them = self.sides[side], self.sides[1 - side]
        sign = -1 if side else 1
        ours, theirs = (course["lost"][each] / len(course["deals"]) for each in (side, 1 - side))
        count = sign * course["count"]
        sign_of_count = "+" if count > 0 else MINUS
        is_told = abs(count) >= LEAST
        counts = f" Counts and penalties: {sign_of_count}{_tenths(count)}." if is_told else ""
        luck = favoured(sign * course["luck"], within(us), within(them))
        return (
            f"Luck favoured {luck}.{counts} {whose(us)} decisions cost {_tenths(ours)} per deal, "
            f"{whose(within(them))} {_tenths(theirs)}."
        )


def _figures(player: Mapping[str, Any]) -> Iterator[str]:
    """Yield a player's accuracy, that of discards and pegging, and the number of mistakes.

    >>> list(_figures({"accuracy": 0.8, "discards": None, "plays": 0.8, "marks": {"blunder": 1, "mistake": 0,
    ...     "inaccuracy": 2}}))
    ['80% accuracy', 'pegging 80%', '1 blunder, 2 inaccuracies']
    """
    if player["accuracy"] is None:
        return
    yield f"{_percent(player['accuracy'])} accuracy"
    shares = {"discards": player["discards"], "pegging": player["plays"]}
    yield ", ".join(f"{what} {_percent(share)}" for what, share in shares.items() if share is not None)
    yield ", ".join(filter(None, (_many(player["marks"][mark], mark) for mark in MARKS))) or "no mistakes"


def _many(count: int, mark: str) -> str:
    what = mark if count == 1 else MARKS[mark]
    return f"{count} {what}" if count else ""


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _tenths(share: float) -> str:
    return f"{100 * abs(share):.1f}%"
