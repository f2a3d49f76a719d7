"""Statistics of players: wins, skunks, streaks, averages per deal, best hands, head to head.

A `Summary` has the necessary facts of one game.  It is stored as text, so that no game is replayed twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Final, NamedTuple

from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.ledger import Gains, Show
from cribpi.cribbage.game.state import State
from cribpi.cribbage.results.games import margin
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.grammar import does, spoken
from cribpi.cribbage.rules.names import renamed, unlike
from cribpi.cribbage.words.levels import title_of

if TYPE_CHECKING:
    from cribpi.cribbage.results import json_types

FORMAT: Final = 5
"""The first item of a summary's text; a summary in an earlier format is made again from the game."""

BEGINNING: Final = f"[{FORMAT},"
"""The beginning of a summary's text in this format."""

BEST_KEPT: Final = 3
"""The number of best hands in a seat's summary, and in a player's statistics."""

NOTHING: Final = Gains()


@dataclass(frozen=True, slots=True)
class InRole:
    """A side's points in its complete deals as dealer, or as pone, without void deals."""

    deals: int = 0
    gains: Gains = NOTHING

    def __add__(self, more: InRole) -> InRole:
        return InRole(self.deals + more.deals, self.gains + more.gains)

    def a_deal(self, points: int) -> float | None:
        """Return *points* per deal, or None without a deal."""
        return points / self.deals if self.deals else None

    @property
    def average(self) -> float | None:
        """The total points per deal, to a tenth, or None without a deal."""
        return self.averages((self.gains.total,))[0]

    def averages(self, parts: Sequence[int]) -> tuple[float | None, ...]:
        """Return each of *parts* per deal, in tenths that add up to the total; all None without a deal."""
        if not self.deals:
            return (None,) * len(parts)
        return _together([Fraction(points, self.deals) for points in parts])


def _together(numbers: Sequence[Fraction]) -> tuple[float, ...]:
    """Round *numbers* to tenths that add up to their rounded sum: those with the largest rest go up.

    >>> _together([Fraction("1.04"), Fraction("2.04"), Fraction("3.04")]), _together([Fraction("-0.26")])
    ((1.1, 2.0, 3.0), (-0.3,))
    """
    units = [floor(10 * number) for number in numbers]
    missing = round(10 * sum(numbers)) - sum(units)
    for place in sorted(range(len(units)), key=lambda place: units[place] - 10 * numbers[place])[:missing]:
        units[place] += 1
    return tuple(unit / 10 for unit in units)


NO_DEALS: Final = InRole()


class BestShow(NamedTuple):
    """One of the best hands or cribs, with its cards as text."""

    deal: int
    points: int
    cards: str
    starter: str
    is_crib: bool
    flush: int
    """With *nobs*, the claim for the suits, because the cards may be known by rank alone."""
    nobs: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a game; an unfinished game has only the fields up to *winner*."""

    rules: str
    target: int
    entry: str
    seats: tuple[str, ...]
    players: tuple[str, ...]
    """The name under which the games of each seat count: see `player_name`."""
    sides: tuple[str, ...]
    scores: tuple[int, ...]
    winner: int | None
    skunks: tuple[int, ...] = ()
    """For each side 1 if it was skunked, 2 if it was double skunked, else 0."""
    gains: tuple[Gains, ...] = ()
    roles: tuple[tuple[InRole, InRole], ...] = ()
    """Each side as dealer and as pone; empty unless two play."""
    best: tuple[tuple[BestShow, ...], ...] = ()
    """The best hands and cribs of each seat, best first."""
    is_five_card: bool = False
    """Whether hands had three cards: such deals are counted separately."""

    def side(self, seat: int) -> int:
        return seats.side_of(seat, len(self.seats))

    @property
    def levels(self) -> tuple[str | None, ...]:
        """The computer's name in each seat: its level, made unlike all others; None for a person."""
        taken = [player for player in self.players if not is_computer(player)]
        levels: list[str | None] = []
        for player in self.players:
            levels.append(unlike(_title(player), taken) if is_computer(player) else None)
            taken.append(levels[-1] or player)
        return tuple(levels)

    @property
    def skunk(self) -> int:
        """The worst skunk of any side: 0, 1 for a skunk, 2 for a double skunk."""
        return max(self.skunks, default=0)

    @property
    def hides_cards(self) -> bool:
        """Whether its events have secret cards: the computer's packs, until the game is won.

        Until then the game may continue, because UNDO leads back to it from any later game.
        """
        return self.entry == Entry.DEALT and self.winner is None

    def with_person_renamed(self, old: str, new: str) -> Summary:
        """Return the summary with the person *old* renamed to *new*, unless another person is *new*."""
        are_computers = list(map(is_computer, self.players))
        names = renamed(self.seats, are_computers, old, new)
        if names == self.seats:
            return self
        players = (
            player if is_level else name
            for name, player, is_level in zip(names, self.players, are_computers, strict=True)
        )
        sides = list(self.sides)
        for side in range(len(sides)):
            partners = seats.partners(side, len(names))
            if any(names[seat] != self.seats[seat] for seat in partners):
                sides[side] = "+".join(names[seat] for seat in partners)
        return replace(self, players=tuple(players), seats=names, sides=tuple(sides))

    def side_names(self) -> str:
        """Format the sides: `ANN and BOB`."""
        return " and ".join(self.sides)

    def of_the_game(self) -> str:
        """Format the kind of game: `to 121, standard`."""
        return f"to {self.target}, {self.rules}"

    def shown_scores(self) -> str:
        """Format the scores: `ANN 121, BOB 98`."""
        return ", ".join(f"{name} {score}" for name, score in zip(self.sides, self.scores, strict=True))

    def outcome(self) -> str:
        """Format the result: `ANN has won`, or `not over`."""
        return "not over" if self.winner is None else does(self.spoken(self.winner), "has won")

    def spoken(self, side: int) -> str:
        """Return the name of *side* for a sentence: partners by both names."""
        return spoken(self.sides[side], [self.seats[seat] for seat in seats.partners(side, len(self.seats))])

    def json(self) -> json_types.GameSummary:
        """Return the entry of the game in `cribpi export --list --json`."""
        return {
            "rules": self.rules,
            "target": self.target,
            "entry": Entry(self.entry),
            "seats": list(self.seats),
            "sides": [
                {"name": name, "said": self.spoken(side), "score": self.scores[side]}
                for side, name in enumerate(self.sides)
            ],
            "winner": self.winner,
        }

    def text(self) -> str:
        """Return two lines of JSON; `read_summary` is the inverse, and `read_brief` reads only the first."""
        brief = [
            FORMAT,
            self.rules,
            self.target,
            self.entry,
            self.seats,
            self.players,
            self.sides,
            self.scores,
            self.winner,
        ]
        rest = [
            self.skunks,
            list(map(astuple, self.gains)),
            [[[role.deals, *astuple(role.gains)] for role in both] for both in self.roles],
            self.best,
            self.is_five_card,
        ]
        return "\n".join(json.dumps(line, separators=(",", ":")) for line in (brief, rest))


def read_summary(text: str) -> Summary:
    """Parse the output of `Summary.text`.

    Raises:
        ValueError, LookupError, TypeError: If *text* is not a summary, or of another format.
    """
    brief = read_brief(text)
    skunks, gains, roles, best, is_five_card = json.loads(text.partition("\n")[2])
    return replace(
        brief,
        skunks=tuple(skunks),
        gains=tuple(Gains(*row) for row in gains),
        roles=tuple((_role(dealer), _role(pone)) for dealer, pone in roles),
        best=tuple(tuple(BestShow(*row) for row in rows) for rows in best),
        is_five_card=is_five_card,
    )


def read_brief(text: str) -> Summary:
    """Parse the first line of `Summary.text`, up to the winner: enough for a list, and five times faster.

    Raises:
        ValueError, LookupError, TypeError: See `read_summary`.
    """
    version, rules, target, entry, names, players, sides, scores, winner = json.loads(text.partition("\n")[0])
    if version != FORMAT:
        raise ValueError(f"a summary of format {version}")
    return Summary(rules, target, entry, tuple(names), tuple(players), tuple(sides), tuple(scores), winner)


def _role(row: Sequence[int]) -> InRole:
    deals, *gains = row
    return InRole(deals, Gains(*gains))


def player_name(name: str, level: str) -> str:
    """Return the name under which a seat's games count: the computer's count by its level.

    >>> player_name("BLUE", ""), player_name("BLUE", "medium")
    ('BLUE', 'computer (Medium)')
    """
    return f"computer ({title_of(level)})" if level else name


def is_computer(player: str) -> bool:
    return player.startswith("computer (")


def display_name(player: str, players: Iterable[str]) -> str:
    """Return the name of *player* among *players*: a level of the computer differs from any person.

    >>> others = ["Ann"], ["Medium"]
    >>> [display_name("computer (Medium)", players) for players in others], display_name("Ann", [])
    (['Medium', 'Medium 2'], 'Ann')
    """
    if not is_computer(player):
        return player
    return unlike(_title(player), [other for other in players if not is_computer(other)])


def _title(player: str) -> str:
    return player.removeprefix("computer (").removesuffix(")")


def summary_of(state: State) -> Summary:
    """Summarize the game of *state*, which must have begun."""
    sides = range(state.sides)
    brief = Summary(
        state.rules.name,
        state.rules.target,
        state.entry,
        state.names,
        tuple(player_name(name, state.level(seat)) for seat, name in enumerate(state.names)),
        tuple(state.side_name(side) for side in sides),
        state.scores(),
        state.winner,
    )
    if state.winner is None:
        return brief
    return replace(
        brief,
        skunks=tuple(map(state.skunk, sides)),
        gains=state.gains,
        roles=tuple(_roles(state, side) for side in sides) if state.players == 2 else (),
        best=tuple(_best(show for show in state.shows if show.seat == seat) for seat in range(state.players)),
        is_five_card=state.rules.is_five_card,
    )


def _roles(state: State, side: int) -> tuple[InRole, InRole]:
    """Return the points of *side* as dealer and as pone, without the last deal, which is incomplete."""
    dealer, pone = InRole(), InRole()
    for deal in state.ledger[1:-1]:
        more = InRole(1, deal.played(side))
        if deal.dealer == side:
            dealer += more
        else:
            pone += more
    return dealer, pone


def _best(shows: Iterable[Show]) -> tuple[BestShow, ...]:
    return tuple(
        BestShow(
            show.deal,
            show.points,
            " ".join(map(str, show.cards)),
            str(show.starter),
            show.is_crib,
            show.claim.flush,
            show.claim.nobs,
        )
        for show in sorted(shows, key=lambda show: -show.points)[:BEST_KEPT]
    )


# --- a player over many games -----------------------------------------------------------------------


@dataclass(slots=True)
class HeadToHead:
    """A player's results against one other.

    *spread* is the difference of all points; *skunks* and *skunked* are the numbers of games in which the
    player skunked the other, and was skunked.
    """

    games: int = 0
    wins: int = 0
    skunks: int = 0
    skunked: int = 0
    spread: int = 0


@dataclass(frozen=True, slots=True)
class GameResult:
    """A player's result in one game: its number, whether it was won, and by how much it was won or lost."""

    game: int
    is_won: bool
    margin: int


@dataclass(slots=True)
class Statistics:
    """The figures of one player; `add` counts one game after the other, oldest first."""

    name: str
    games: int = 0
    wins: int = 0
    skunks: int = 0
    """Losers that it skunked, and of those the double skunks; a loser with a partner is one."""
    double_skunks: int = 0
    skunked: int = 0
    """Games in which it was skunked, and of those the double skunks."""
    double_skunked: int = 0
    streak: int = 0
    """Games won in a row up to now; below 0 games lost."""
    longest_wins: int = 0
    longest_losses: int = 0
    gains: Gains = NOTHING
    dealer: InRole = NO_DEALS
    """As dealer and as pone of two, with six cards each."""
    pone: InRole = NO_DEALS
    five_card: tuple[InRole, InRole] = (NO_DEALS, NO_DEALS)
    """Averages of five-card deals."""
    best: list[tuple[int, BestShow]] = field(default_factory=list)
    """Its best hands and cribs, best first, each with the number of its game."""
    results: list[GameResult] = field(default_factory=list)
    against: dict[str, HeadToHead] = field(default_factory=dict)

    def add(self, number: int, game: Summary, seat: int) -> None:
        """Count game *number*, in which the player had *seat*."""
        side = game.side(seat)
        is_won = side == game.winner
        others = [other for other in range(len(game.scores)) if other != side]
        lead = margin(game.scores, side)
        self.games += 1
        if is_won:
            self.wins += 1
            self.skunks += sum(game.skunks[other] > 0 for other in others)
            self.double_skunks += sum(game.skunks[other] > 1 for other in others)
        self.skunked += game.skunks[side] > 0
        self.double_skunked += game.skunks[side] > 1
        if is_won:
            self.streak = max(self.streak, 0) + 1
            self.longest_wins = max(self.longest_wins, self.streak)
        else:
            self.streak = min(self.streak, 0) - 1
            self.longest_losses = max(self.longest_losses, -self.streak)
        self.gains += game.gains[side]
        dealer, pone = game.roles[side] if game.roles else (NO_DEALS, NO_DEALS)
        if game.is_five_card:
            self.five_card = (self.five_card[0] + dealer, self.five_card[1] + pone)
        else:
            self.dealer, self.pone = self.dealer + dealer, self.pone + pone
        if game.best[seat] and (
            len(self.best) < BEST_KEPT or game.best[seat][0].points > self.best[-1][1].points
        ):
            self.best += [(number, show) for show in game.best[seat]]
            self.best = sorted(self.best, key=lambda numbered: -numbered[1].points)[:BEST_KEPT]
        self.results.append(GameResult(number, is_won, lead))
        for other_seat, other in enumerate(game.players):
            if game.side(other_seat) != side and other != self.name:
                row, other_side = self.against.setdefault(other, HeadToHead()), game.side(other_seat)
                row.games += 1
                row.wins += is_won
                row.skunks += is_won and game.skunks[other_side] > 0
                row.skunked += game.winner == other_side and game.skunks[side] > 0
                row.spread += game.scores[side] - game.scores[other_side]


def statistics(games: Iterable[tuple[int, Summary]], name: str | None = None) -> dict[str, Statistics]:
    """Return the statistics of each player, or only of *name*; *games* are numbered, oldest first."""
    by_player: dict[str, Statistics] = {}
    for number, game in games:
        for seat, player in enumerate(game.players):
            if name is None or player == name:
                by_player.setdefault(player, Statistics(player)).add(number, game, seat)
    return by_player
