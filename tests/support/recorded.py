"""Games to be stored as records.

They begin with examples from a rule sheet, and have comments that can be checked.

A comment explains a count part by part. `= ANN 12, BOB 8` is the referee's score after the line before.
`PYTHONPATH=tests python -m support.recorded` rewrites the records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.record import Comment, print_record
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.words.cards import parse_cards
from support import naive
from support.referee import NAMES, Expected, Layout, Referee


def laid(hands: Sequence[str], crib: str, starter: str, order: str = "") -> Layout:
    """Parse the cards of a layout. Each card has its suit."""
    return Layout(tuple(map(parse_cards, hands)), parse_cards(crib), Card.parse(starter), parse_cards(order))


Example = tuple[Layout, str]

BOARD_SET: Example = (
    laid(("10C 10D 9H 6S", "7C 6D 5H 4S"), "2C 3D KC KD", "QS", "9H 6D 6S 5H 4S 10C 7C 10D"),
    "board-set's first example: 9, 6 (fifteen two), 6 (a pair, two), 5, go, 4 (a run, three); 10, 7, 10",
)
BOARD_SET_2: Example = (
    laid(("10C 8D 7H 5S", "7C 6D 5H 4S"), "2C 3D KC KD", "QS", "8D 7C 7H 6D 5S 5H 10C 4S"),
    "board-set's second example: 8, 7 (fifteen two), 7 (a pair), 6, go; then a 5 that makes no run",
)
RUNS: Example = (
    laid(("4C 3D 6H KS", "2D 5C QS QD"), "9C 9D KH KD", "8S", "4C 2D 3D 5C 6H"),
    "4-2-3-5-6 is three, four and five (board-set)",
)
BROKEN_RUN: Example = (
    laid(("4C 3D 3H KS", "2D 4H QS QD"), "9C 9D KH KD", "8S", "4C 2D 3D 4H 3H"),
    "4-2-3-4-3 is three, three and nothing (board-set)",
)
FIFTEENS: Example = (
    laid(("KC JD 5H 5S", "AC 2D 9H 8S"), "3C 4D 9C 9D", "2S"),
    "K J 5 5 is eight for fifteens, and two for the pair: ten (board-set, computer-game)",
)
FIFTEENS_OF_THREE: Example = (
    laid(("KC JD 5H 5S", "AC 2D 9H 8S", "10C 10D 6H 6S"), "3C 4D 9C 9D", "2S"),
    "K J 5 5 is eight for fifteens, and two for the pair: ten (computer-game)",
)
TWO_RUNS: Example = (
    laid(("6C 7D 7H 8S", "AC 2D JH QS"), "3C 4D 9C 9D", "KC"),
    "6-7-7-8 is two runs of three, two fifteens and a pair: twelve (board-set, computer-game)",
)
EIGHTS: Example = (
    laid(("7C 8D 8H KS", "AC 2D JH QS"), "3C 4D 2C 2H", "9C"),
    "7 8 8 K with 9: fifteen two, fifteen four, a pair is six, a run nine, a run twelve (board-set)",
)
LOWE_RUN: Example = (
    laid(("6C 5D 10H 10S", "4C 9D 9H JS"), "2C 2D KH KD", "QS", "6C 4C 5D"),
    "6, 4, 5 can be arranged to run in succession: three (lowe), and fifteen is two more",
)
LOWE_RUN_OF_THREE: Example = (
    laid(("6C 9C 10H 10S", "4C 9D 9H JS", "5D QC KC 8D"), "2C 2D KH KD", "QS", "6C 4C 5D"),
    LOWE_RUN[1],
)
LOWE_RUN_OF_FOUR: Example = (
    laid(("6C 9C 10H 10S", "4C 9D 9H JS", "5D QC KC 8D", "AC AD 7C 7D"), "2C 2D KH KD", "QS", "6C 4C 5D"),
    LOWE_RUN[1],
)
OWN_PAIR: Example = (
    laid(("10C 3D 3H 3S", "10D KC QH QD"), "2C 2D KH KD", "8S", "10C 10D 3D 3H 3S"),
    "two threes of one player over a go are no pair here; the third is a pair royal, in succession (lowe)",
)
USE_RUN: Example = (
    laid(("3C 4D 2H KS", "6C 5D 9H 9S"), "JC JD QH QD", "8S", "3C 6C 4D 5D 2H"),
    "3-6-4-5 is four for the last player, and the 2 after it five (use-and-care)",
)
USE_END: Example = (BOARD_SET[0], "play ends for this deal with its first go (use-and-care)")
DOUBLE_RUN: Example = (
    laid(("AC 2D 2H 3S", "9C 9D JH QS"), "8C 8D KH 6D", "5C"),
    "a double run of three is 8 (travel-set)",
)
DOUBLE_FOUR: Example = (
    laid(("9C 10D JH QS", "AC 2D 4H 4S"), "8C 8D 6H 6D", "10C"),
    "a double run of four is 10 (travel-set)",
)
TRIPLE_RUN: Example = (
    laid(("2C 2D 2H 3S", "9C 9D JH QS"), "8C 8D KH 6D", "4C"),
    "a triple run of three is 15 (travel-set)",
)
QUADRUPLE_RUN: Example = (
    laid(("9C 9D 10H 10S", "AC 2D 4H 4S"), "8C 8D 6H 6D", "JC"),
    "a quadruple run of three is 16 (travel-set)",
)
HEARTS: Example = (
    laid(("AC 2D 9C 9S", "JD QD 7C 7D"), "2H 4H 8H KH", "6S"),
    "four hearts in the crib: a flush where four will do, and none where all five must be of a suit",
)
THREE_OF_A_SUIT: Example = (
    laid(("10C 9C 8C", "5D 7D 6D"), "2H 3H KH QH", "JD", "10C 5D 9C 7D"),
    "three of a suit in hand, and one more for the turned-up card; what is over is not played (hoyle)",
)
HEELS: Example = (
    laid(("AC 2D 9C 9S", "10S QD 7C 7D"), "2H 4H 8S KH", "JS"),
    "a jack turned up: two for his heels, but where a sheet never names it",
)


@dataclass(frozen=True)
class Game:
    """A game to record: its examples, and the seed of the cards after them."""

    preset: str
    players: int
    seed: int
    examples: tuple[Example, ...]
    mishaps: bool = False
    levels: tuple[str, ...] = ()
    """Level of each seat in a game that the computer deals. Empty in cards mode."""

    @property
    def name(self) -> str:
        return f"{'dealt' if self.levels else self.preset}-{self.players}"


GAMES = (
    Game("standard", 2, 1, (BOARD_SET, BOARD_SET_2, RUNS, BROKEN_RUN, FIFTEENS, TWO_RUNS)),
    Game("standard", 3, 2, (LOWE_RUN_OF_THREE,)),
    Game("standard", 4, 3, (LOWE_RUN_OF_FOUR,)),
    Game("computer-game", 2, 4, (FIFTEENS, TWO_RUNS, HEARTS, HEELS)),
    Game("computer-game", 3, 5, (FIFTEENS_OF_THREE,)),
    Game("lowe", 2, 6, (LOWE_RUN, OWN_PAIR, HEELS, BOARD_SET)),
    Game("lowe", 3, 7, (LOWE_RUN_OF_THREE,)),
    Game("lowe", 4, 8, (LOWE_RUN_OF_FOUR,)),
    Game("use-and-care", 2, 9, (USE_RUN, USE_END)),
    Game("travel-61", 2, 10, (DOUBLE_RUN, HEARTS, BOARD_SET)),
    Game("travel-121", 2, 11, (DOUBLE_RUN, DOUBLE_FOUR, TRIPLE_RUN, QUADRUPLE_RUN)),
    Game("five-card", 2, 14, (THREE_OF_A_SUIT,)),
    Game("acc", 2, 622, (EIGHTS, HEARTS), mishaps=True),
    Game("acc-muggins", 2, 75, (EIGHTS, FIFTEENS), mishaps=True),
    Game("standard", 2, 12, (), levels=("", "solid")),
    Game("standard", 3, 13, (), levels=("", "thrifty", "expert")),
)
"""A game of each preset for each number of players, and two that the computer deals."""


@dataclass
class Recorder:
    """Converts a referee's game into a record, with an explanation of each count."""

    rules: Rules
    title: str
    laid: Sequence[Example] = ()
    entries: list[Event | Comment] = field(default_factory=list)
    before: tuple[int, ...] = ()
    four: dict[int, list[Card]] = field(default_factory=dict)
    crib: list[Card] = field(default_factory=list)
    starter: Card | None = None
    deal: int = 0

    def record(self, game: Iterator[Expected]) -> list[Event | Comment]:
        """Return the record of *game*."""
        self.entries.append(Comment(self.title))
        for expected in game:
            self._tell(expected)
        return self.entries

    def _tell(self, expected: Expected) -> None:
        event = expected.event
        match event:
            case events.StarterTurned(card):
                self.starter = card
                self.deal += 1
                if self.deal <= len(self.laid):
                    self.entries.append(Comment(f"deal {self.deal}: {self.laid[self.deal - 1][1]}"))
            case (
                events.CardPlayed(seat, card)
                | events.NewCountLed(seat, card)
                | events.HandCardTurned(seat, card)
            ):
                self.four.setdefault(seat, []).append(card)
            case events.CribCardTurned(card):
                self.crib.append(card)
            case events.PackShuffled(cards) if self.rules.players == 3:
                self.crib.append(cards[15])
            case events.Discarded(_, cards):
                self.crib += cards
            case events.HandShown(seat, _, counted):
                self._explain(f"{NAMES[seat]} shows", self.four[seat], counted, is_crib=False)
            case events.CribShown(_, counted):
                self._explain("the crib", self.crib, counted, is_crib=True)
            case _:
                pass
        self.entries.append(event)
        if isinstance(event, events.CribShown | events.Misdealt):
            self.four, self.crib = {}, []
        is_play = isinstance(event, events.CardPlayed | events.GoSaid | events.NewCountLed)
        has_changed = bool(self.before) and expected.scores != self.before
        if expected.winner is not None or (has_changed and not is_play):
            self.entries.append(self._scores(expected.scores))
        self.before = expected.scores

    def _explain(self, what: str, four: list[Card], counted: int | None, *, is_crib: bool) -> None:
        assert self.starter is not None
        found = naive.explain(
            four, self.starter, is_crib=is_crib, four_will_do=self.rules.crib_flush == "four"
        )
        said = " + ".join(f"{points} {name}" for name, points in found) or "nothing"
        cards = " ".join(map(str, four))
        total = sum(points for _, points in found)
        claimed = "" if counted is None else f"; {counted} counted"
        self.entries.append(Comment(f"{what} {cards} with {self.starter}: {said} = {total}{claimed}"))

    def _scores(self, scores: Sequence[int]) -> Comment:
        sides = len(scores)
        names = ["+".join(NAMES[side : self.rules.players : sides]) for side in range(sides)]
        return Comment("= " + ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True)))


def recorded(game: Game) -> list[Event | Comment]:
    """Return the record of *game*. The last seat deals first, so seat 0 is pone in the first example."""
    rules = preset(game.preset, game.players)
    referee = Referee(
        rules,
        Random(game.seed),
        mishaps=game.mishaps,
        dealer=rules.players - 1,
        layouts=[layout for layout, _ in game.examples],
        entry=Entry.DEALT if game.levels else Entry.CARDS,
        levels=game.levels,
    )
    title = f"{game.name}: a whole game, each count explained; each score is the second scorer's"
    return Recorder(rules, title, game.examples).record(referee.game())


if __name__ == "__main__":
    for one in GAMES:
        path = Path(__file__).parents[1] / "games" / f"{one.name}.crib"
        path.write_text(print_record(recorded(one)), encoding="utf-8")
