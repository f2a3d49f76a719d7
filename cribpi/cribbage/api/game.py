"""A game, act by act: the legal acts, play and undo, and the record."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Self

from cribpi.cribbage.api.acts import legal_acts
from cribpi.cribbage.api.given import rules_of
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Entry, Event, GameStarted
from cribpi.cribbage.game.phases import check_place
from cribpi.cribbage.game.sight import SeatSight, sight_of
from cribpi.cribbage.game.state import SHOWS, Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record import KEYWORDS, parse_event, print_record
from cribpi.cribbage.record.legacy import played
from cribpi.cribbage.rules.errors import ParseError, RecordError, WrongPhase
from cribpi.cribbage.rules.names import given_names
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.cards import parse_card


class Game:
    """A game of two, three or four players, from the cut for the deal to the last hole.

    It changes with `play` and `undo`; each `state` is frozen.

    >>> game = Game(["ANN", "BOB"], seed=7, dealer=0)
    >>> game.legal()[0]
    Discarded(seat=1, cards=(Card.parse('7S'), Card.parse('AS')))
    """

    def __init__(
        self,
        names: Sequence[str],
        rules: str | Rules = "standard",
        *,
        dealer: int | None = None,
        seed: int | str | None = None,
    ) -> None:
        """Begin a game.

        Args:
            names: A name for each seat; seats go to the left, and with four, partners sit opposite.
            rules: A set of rules by its name, or from `rules`.
            dealer: The seat that deals first, from 0; None to cut for it, or to draw it if *seed* is given.
            seed: If given, the library deals, turns the starter and shows hands, with the same cards for the
                same seed.  Otherwise you play the events for the cards dealt and turned.

        Raises:
            BadSetup: If the names or the rules are invalid.
            WrongSeat: If *dealer* is not a seat.
        """
        if isinstance(names, str):
            raise ParseError(f"names {shown(names)}: give a list of them, such as ['ANN', 'BOB']")
        entry = Entry.CARDS if seed is None else Entry.DEALT
        start = GameStarted(given_names(names), rules_of(rules, len(names)), entry, dealer)
        self._seed = seed
        self._line: list[tuple[Event, State]] = [(start, step(NEW_TABLE, start))]
        self._acts = [0]
        """The index in the line of each act that was played."""
        self._follow()

    def __repr__(self) -> str:
        state = self.state
        scores = ", ".join(f"{state.side_name(side)} {score}" for side, score in enumerate(state.scores()))
        return f"<Game {scores}: {state.phase}>"

    @property
    def state(self) -> State:
        """The current state: `scores()`, `phase`, `winner`, `deal`, and the outcomes of the last act."""
        return self._line[-1][1]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far, in order; the first begins the game."""
        return tuple(event for event, _ in self._line)

    def legal(self) -> tuple[Event, ...]:
        """Return the legal acts of all seats now; empty if the game is over.

        Some legal acts are not listed: hands, whole packs, points in points mode, and rulings such as a
        penalty.
        """
        return legal_acts(self.state)

    def play(self, act: Event | Card | str) -> tuple[Event, ...]:
        """Play *act*; return it and the automatic events after it: with a seed, the deal, starter and shows.

        Args:
            act: One of `legal`, or a line of a record, such as `laid-away 1 5H KH`.  In the play, the card
                alone is enough, or `go`, as people type them: `10h`, `GO`.

        Raises:
            ParseError: If *act* is text that is not an act.
            RuleError: If *act* is illegal now; the game is unchanged.
            TypeError: If *act* is neither an event, nor a card, nor text.
        """
        event = self._read(str(act)) if isinstance(act, Card | str) else act
        if not isinstance(event, Event):
            raise TypeError(f"{shown(act)} is not an act: give one of legal(), a line of a record, or a card")
        if isinstance(event, GameStarted):
            raise WrongPhase("a Game is one game: make another Game for the next one")
        before, state = len(self._line), step(self.state, event)
        self._line.append((event, state))
        self._acts.append(before)
        self._follow()
        return tuple(event for event, _ in self._line[before:])

    def undo(self) -> None:
        """Undo the last `play`, with the automatic events after it.

        Raises:
            WrongPhase: If no act has been played.
        """
        if len(self._acts) < 2:
            raise WrongPhase("nothing has been played yet: there is nothing to undo")
        del self._line[self._acts.pop() :]

    def copy(self) -> Self:
        """Return an independent copy; `copy.copy` and `copy.deepcopy` do the same.

        >>> game = Game(["ANN", "BOB"], seed=7, dealer=0)
        >>> other = game.copy()
        >>> _ = other.play("laid-away 1 7S AS")
        >>> game == other, len(game.events), len(other.events)
        (False, 2, 3)
        """
        other = object.__new__(type(self))
        other._seed = self._seed
        other._line, other._acts = self._line.copy(), self._acts.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Compare the events so far; the cards that a seed will deal later may differ."""
        return self.events == other.events if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        """Hash the events so far.  Put only copies into sets, because `play` changes a game."""
        return hash(self.events)

    def sight(self, seat: int) -> SeatSight:
        """Return the view of *seat*: its own cards and those face up, and no other card.

        Raises:
            WrongPhase: If no deal has begun, or the cards dealt to *seat* are not known.
            WrongSeat: If *seat* does not exist.
            TypeError: If *seat* is not a number.
        """
        if not isinstance(seat, int):
            raise TypeError(f"{shown(seat)} is not a seat: give its number, from 0")
        check_place("seat", seat, self.state.players)
        return sight_of(self.state, seat)

    def record(self) -> str:
        """Return the game as docs/reference/record.md describes it; `read_record` is the inverse."""
        return print_record(self.events)

    def _read(self, text: str) -> Event:
        words, deal = text.split(), self.state.deal
        keyword = words[0].lower() if words else ""
        if len(words) == 1 and keyword not in KEYWORDS and deal is not None and deal.turn is not None:
            text = f"play {deal.turn}:{keyword if keyword == 'go' else parse_card(words[0])}"
        elif words:
            text = text.replace(words[0], keyword, 1)
        try:
            return parse_event(text)
        except RecordError as bad:
            raise ParseError(bad.problem) from None

    def _follow(self) -> None:
        while (event := self._next(self.state)) is not None:
            self._line.append((event, step(self.state, event)))

    def _next(self, state: State) -> Event | None:
        """Return the automatic event that follows *state*, or None if a player must act."""
        deal = state.deal
        if self._seed is None:
            return None
        if state.phase is Phase.CUT:
            return events.DealerChosen(self._chance("dealer").randrange(state.players))
        if deal is not None and state.phase is Phase.DEAL and not any(deal.dealt):
            shuffles = sum(isinstance(event, events.PackShuffled) for event, _ in self._line)
            return events.PackShuffled(tuple(self._chance(shuffles).sample(PACK, len(PACK))))
        is_counted = state.phase in SHOWS and state.rules.miscount == "machine"
        if is_counted or state.phase is Phase.STARTER:
            return legal_acts(state)[0]
        return None

    def _chance(self, what: int | str) -> Random:
        return Random(f"{self._seed}/{what}")  # noqa: S311  reproducible on purpose


class _ReadGame(Game):
    """A game from a record: *line* has each event with the state after it."""

    def __init__(self, line: list[tuple[Event, State]]) -> None:
        self._seed = None
        self._line = line
        self._acts = [*range(len(line))]


def read_record(text: str) -> tuple[Game, ...]:
    """Read a game record: its games in order, each as far as it was played.  Comments are left out.

    An unfinished game continues with the cards that you play; if the computer dealt, with a `pack`.

    Raises:
        RecordError: If *text* is not a record, or has an illegal act, with its line and column.
    """
    games: list[list[tuple[Event, State]]] = []
    for event, state in played(text):
        if isinstance(event, GameStarted):
            games.append([])
        games[-1].append((event, state))
    return tuple(map(_ReadGame, games))
