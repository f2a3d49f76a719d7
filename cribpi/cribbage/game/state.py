"""The state of a game: one immutable value, and what can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal, PlayedDeal
from cribpi.cribbage.game.events import PERSON, Entry, Event
from cribpi.cribbage.game.ledger import Gains, Ledger, Purpose, Show
from cribpi.cribbage.game.match import Tally, after_game, leaders
from cribpi.cribbage.game.show import Score, total
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import WrongPhase
from cribpi.cribbage.rules.grammar import spoken
from cribpi.cribbage.rules.rules import STANDARD, Rules
from cribpi.cribbage.rules.seats import Pegs


class Phase(StrEnum):
    IDLE = "idle"
    CUT = "cut"
    DEAL = "deal"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    CRIB = "crib"
    GAME_OVER = "game-over"
    MATCH_OVER = "match-over"


OVER: Final = (Phase.GAME_OVER, Phase.MATCH_OVER)
SHOWS: Final = (Phase.SHOW, Phase.CRIB)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event pegged for one side, and what for: all sums are made of these."""

    event: Event
    side: int
    deal: int
    """The number of the deal to which it belongs; 0 before the first."""
    purpose: Purpose
    points: int = 0
    """The total, even if fewer holes were left to the game hole; negative for a penalty."""
    scores: tuple[Score, ...] = ()
    """What the points are for; empty if people pegged an amount."""
    count: int = 0
    """The count that was called, in the play by cards."""
    counted_by_player: int | None = None
    """The player's own count at a show, if the rules leave it to players."""

    @property
    def missed(self) -> int:
        """The points the player missed at a show, 0 or more."""
        if self.counted_by_player is None:
            return 0
        return max(total(self.scores) - self.counted_by_player, 0)


@dataclass(frozen=True, slots=True)
class MugginsWindow:
    """A show for which muggins can be called: its side, and what more it may have been worth.

    *points* is what has been pegged for it so far, by whichever side.  *least* is what is known to be
    missing. *unseen* is what else may be missing if only the table knows the suits, or the cards: one of
    these amounts, fewest first, or nothing.
    """

    side: int
    points: int
    deal: int
    """The number of the deal in which it was shown: the next one has begun after a crib."""
    least: int = 0
    unseen: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    """The sides that have called wrongly: each can do so once."""

    @property
    def right_calls(self) -> tuple[int, ...]:
        """The amounts that can be called, ascending: a part of *least*, or all of it plus one of *unseen*.

        >>> MugginsWindow(0, points=2, deal=1, least=2, unseen=(4, 5)).right_calls
        (1, 2, 6, 7)
        """
        return (*range(1, self.least + 1), *(self.least + more for more in self.unseen))

    def without(self, called: int) -> MugginsWindow:
        """Return what remains after *called*, one of `right_calls`, is taken.

        What only the table has seen can be called once: after that all of it is known.

        >>> MugginsWindow(0, points=2, deal=1, least=2, unseen=(4, 5)).without(2)
        MugginsWindow(side=0, points=4, deal=1, least=0, unseen=(4, 5), wrong=())
        >>> MugginsWindow(0, points=4, deal=1, unseen=(4, 5)).without(4).right_calls
        ()
        """
        points = self.points + called
        if called <= self.least:
            return replace(self, points=points, least=self.least - called)
        return replace(self, points=points, least=0, unseen=())


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment, as far as its cards are known, with what the last event pegged."""

    phase: Phase = Phase.IDLE
    rules: Rules = STANDARD
    entry: Entry = Entry.CARDS
    names: tuple[str, ...] = ()
    """One per seat."""
    pegs: tuple[Pegs, ...] = ()
    """One pair per side."""
    tally: tuple[Tally, ...] = ()
    """What each side had won in this match before this game."""
    levels: tuple[str, ...] = ()
    """The computer's level in each seat, "" for a person; empty if all are persons."""
    cuts: tuple[Card | None, ...] = ()
    """What each seat has cut for the deal."""
    cutting: tuple[int, ...] = ()
    """The seats that cut: all of them, then only those that tied."""
    ties: int = 0
    deal: Deal | None = None
    past: tuple[PlayedDeal, ...] = ()
    """The play of each earlier deal of this game that was played to its end."""
    ledger: Ledger = ()
    """What each deal of this game brought; its totals are the scores."""
    leads: tuple[int, ...] = ()
    """The longest lead of each side in this game, in holes over all others; 0 for one that never led."""
    outcomes: tuple[Outcome, ...] = ()
    """The outcomes of the last card, go, show, peg or correction, in order."""
    counted: MugginsWindow | None = None
    """The last show, as long as muggins can be called for it."""
    winner: int | None = None
    """The winning side."""
    won_in: Phase | None = None
    """The phase in which it won."""

    @property
    def last(self) -> Outcome | None:
        """The last outcome that pegged something, else simply the last."""
        pegged = [outcome for outcome in self.outcomes if outcome.points] or self.outcomes
        return pegged[-1] if pegged else None

    def outcomes_of(self, event: Event) -> tuple[Outcome, ...]:
        """Return the outcomes of *event*, in order; none if another event came after it."""
        return tuple(outcome for outcome in self.outcomes if outcome.event is event)

    @property
    def deal_number(self) -> int:
        """The number of the deal, from 1; 0 before the first."""
        return self.deal.number if self.deal else 0

    @property
    def gains(self) -> tuple[Gains, ...]:
        """What each side's score is made of."""
        return tuple(sum((row.gains[side] for row in self.ledger), Gains()) for side in range(self.sides))

    @property
    def shows(self) -> tuple[Show, ...]:
        """Every hand and crib shown in this game, in order, but for those that a misdeal took back."""
        return tuple(show for row in self.ledger for show in row.shows)

    @property
    def is_show(self) -> bool:
        """Whether a hand or the crib is being shown."""
        return self.phase in SHOWS

    @property
    def cards_to_show(self) -> int:
        """How many cards are in the hand, or the crib, whose show it is."""
        return seats.HAND if self.deal is None or self.phase is Phase.CRIB else self.deal.size

    @property
    def players(self) -> int:
        """How many players there are: 2, 3 or 4."""
        return len(self.names)

    @property
    def sides(self) -> int:
        """How many sides there are: 2 or 3."""
        return len(self.pegs)

    def level(self, seat: int) -> str:
        """Return the computer's level in *seat*, or PERSON."""
        return self.levels[seat] if self.levels else PERSON

    @property
    def played_deals(self) -> tuple[PlayedDeal, ...]:
        """The play of each deal of this game that was played to its end, this one included."""
        deal = self.deal
        if deal is None or deal.starter is None or any(len(row) < deal.size for row in deal.played):
            return self.past
        return (*self.past, PlayedDeal(deal.dealer, deal.starter, deal.plays))

    def is_person(self, seat: int) -> bool:
        """Return whether a person plays in *seat*, and not the computer."""
        return self.level(seat) == PERSON

    def side(self, seat: int) -> int:
        """Return the side of *seat*: with four players 0 or 1, else the seat itself."""
        return seats.side_of(seat, self.players)

    @property
    def tally_now(self) -> tuple[Tally, ...]:
        """What each side has won in this match, including this game once it is won."""
        if self.winner is None:
            return self.tally
        return after_game(self.tally, self.scores(), self.winner, self.rules)

    @property
    def games(self) -> tuple[int, ...]:
        """Games won, per side."""
        return tuple(tally.games + (side == self.winner) for side, tally in enumerate(self.tally))

    @property
    def match_winners(self) -> tuple[int, ...]:
        """The sides that won the match, several if they are equal; empty before it is over."""
        return leaders(self.tally_now) if self.phase is Phase.MATCH_OVER else ()

    @property
    def first_dealer(self) -> int | None:
        """The seat that dealt first in this game."""
        return None if self.deal is None else (self.deal.dealer - self.deal.number + 1) % self.players

    @property
    def next_to_cut(self) -> int | None:
        """The seat that cuts next for the deal, or None."""
        return next((seat for seat in self.cutting if self.cuts[seat] is None), None)

    def skunk(self, side: int) -> int:
        """Return 1 if *side* would be skunked now, 2 if doubly, or else 0."""
        return self.rules.skunk_of(self.pegs[side].front)

    def to_go(self, side: int) -> int:
        """Return the points that *side* needs to win."""
        return self.rules.target - self.pegs[side].front

    def scores(self) -> tuple[int, ...]:
        """Return the score of each side: its front peg."""
        return tuple(pegs.front for pegs in self.pegs)

    def side_name(self, side: int) -> str:
        """Return the name of *side*: partners' two joined by a plus, or their colour while unnamed."""
        first, *other = (self.names[seat] for seat in seats.partners(side, self.players))
        is_colour = first.isupper() and other == [f"{first} 2"]
        return first if is_colour or not other else "+".join((first, *other))

    def spoken_side(self, side: int) -> str:
        """Return *side* as it is written in a sentence: partners by both names."""
        return spoken(self.side_name(side), [self.names[seat] for seat in seats.partners(side, self.players)])


def the_deal(state: State) -> Deal:
    """Return the current deal; the transition table keeps out events that need one before it has begun.

    Raises:
        WrongPhase: If there is none.
    """
    if state.deal is None:
        raise WrongPhase("no deal has begun: cut for it, or choose who deals")
    return state.deal
