"""The state of a game: one immutable value with derived properties."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal, PlayedDeal
from cribpi.cribbage.game.events import PERSON, Entry, Event
from cribpi.cribbage.game.ledger import Gains, Ledger, Purpose, Show
from cribpi.cribbage.game.match import Tally, after_game, leaders
from cribpi.cribbage.game.replace import replace
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


@dataclass(frozen=True)
class Outcome:
    """The points of one side from an event, with their purpose. All totals are sums of outcomes."""

    event: Event
    side: int
    deal: int
    """Number of the deal; 0 before the first."""
    purpose: Purpose
    points: int = 0
    """Points scored, even if fewer holes remained to the game hole. Negative for a penalty."""
    scores: tuple[Score, ...] = ()
    """Scores that make up the points; empty if only an amount was entered."""
    count: int = 0
    """In the play with cards: the count after the card, or at the go."""
    counted_by_player: int | None = None
    """The player's own count at a show, if the rules make players count."""

    @property
    def missed(self) -> int:
        """Points that the player missed at a show, 0 or more."""
        if self.counted_by_player is None:
            return 0
        return max(total(self.scores) - self.counted_by_player, 0)


@dataclass(frozen=True)
class MugginsWindow:
    """A show on which muggins can be called.

    *side* is the side that showed, and *points* the points pegged so far for the show, by any side. *least*
    is the number of points known to be missing. If suits or cards were not entered, more may be missing:
    *unseen* has the possible additional amounts, ascending.
    """

    side: int
    points: int
    deal: int
    """Number of the show's deal. After a crib, the next deal has already begun."""
    least: int = 0
    unseen: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    """Sides that have called wrongly. Each may do so once."""

    @property
    def right_calls(self) -> tuple[int, ...]:
        """Amounts of right calls, ascending: up to *least*, or *least* plus one of *unseen*.

        >>> MugginsWindow(0, points=2, deal=1, least=2, unseen=(4, 5)).right_calls
        (1, 2, 6, 7)
        """
        return (*range(1, self.least + 1), *(self.least + more for more in self.unseen))

    def without(self, points: int) -> MugginsWindow:
        """Return the window after a right call for *points*, one of `right_calls`.

        A call with an amount of *unseen* reveals the true count, so no further call is possible.

        >>> MugginsWindow(0, points=2, deal=1, least=2, unseen=(4, 5)).without(2)
        MugginsWindow(side=0, points=4, deal=1, least=0, unseen=(4, 5), wrong=())
        >>> MugginsWindow(0, points=4, deal=1, unseen=(4, 5)).without(4).right_calls
        ()
        """
        if points <= self.least:
            return replace(self, points=self.points + points, least=self.least - points)
        return replace(self, points=self.points + points, least=0, unseen=())


@dataclass(frozen=True)
class State:
    """A game at one moment, with all known cards and the outcomes of the last event."""

    phase: Phase = Phase.IDLE
    rules: Rules = STANDARD
    entry: Entry = Entry.CARDS
    names: tuple[str, ...] = ()
    """Name of each seat."""
    pegs: tuple[Pegs, ...] = ()
    """Pegs of each side."""
    tally: tuple[Tally, ...] = ()
    """Results of each side in this match, without this game."""
    levels: tuple[str, ...] = ()
    """The computer's level in each seat, "" for a person. Empty if all players are persons."""
    cuts: tuple[Card | None, ...] = ()
    cutting: tuple[int, ...] = ()
    """Seats that cut for the deal: at first all, then only those that tied."""
    ties: int = 0
    deal: Deal | None = None
    past: tuple[PlayedDeal, ...] = ()
    """Earlier deals of this game in which all cards were played."""
    ledger: Ledger = ()
    """Gains of each side in each deal. The scores are their totals."""
    leads: tuple[int, ...] = ()
    """Longest lead of each side so far, in holes over the next side. 0 if it never led."""
    outcomes: tuple[Outcome, ...] = ()
    """Outcomes of the last card, go, show, peg or correction, in order."""
    counted: MugginsWindow | None = None
    """The last show while muggins can be called on it, otherwise None."""
    winner: int | None = None
    won_in: Phase | None = None
    """Phase in which *winner* won, or None if there is no winner yet."""

    @property
    def last(self) -> Outcome | None:
        """The last outcome with points. Without points, the last outcome, or None."""
        pegged = [outcome for outcome in self.outcomes if outcome.points] or self.outcomes
        return pegged[-1] if pegged else None

    def outcomes_of(self, event: Event) -> tuple[Outcome, ...]:
        """Return the outcomes of *event*, in order. Empty if a later event has replaced them."""
        return tuple(outcome for outcome in self.outcomes if outcome.event is event)

    @property
    def deal_number(self) -> int:
        """Number of the deal, from 1; 0 before the first."""
        return self.deal.number if self.deal else 0

    @property
    def gains(self) -> tuple[Gains, ...]:
        """Gains of each side in this game, by purpose."""
        return tuple(sum((row.gains[side] for row in self.ledger), Gains()) for side in range(self.sides))

    @property
    def shows(self) -> tuple[Show, ...]:
        """All hands and cribs shown in this game, in order. Misdeals are left out."""
        return tuple(show for row in self.ledger for show in row.shows)

    @property
    def is_show(self) -> bool:
        """Whether a hand or the crib is being shown."""
        return self.phase in SHOWS

    @property
    def cards_to_show(self) -> int:
        """Number of cards in the hand or crib that is shown next."""
        return seats.HAND if self.deal is None or self.phase is Phase.CRIB else self.deal.size

    @property
    def players(self) -> int:
        """2, 3 or 4."""
        return len(self.names)

    @property
    def sides(self) -> int:
        """2 or 3."""
        return len(self.pegs)

    def level(self, seat: int) -> str:
        """Return the computer's level in *seat*, or PERSON."""
        return self.levels[seat] if self.levels else PERSON

    @property
    def played_deals(self) -> tuple[PlayedDeal, ...]:
        """Deals of this game in which all cards were played, including the current one."""
        deal = self.deal
        if deal is None or deal.starter is None or any(len(row) < deal.size for row in deal.played):
            return self.past
        return (*self.past, PlayedDeal(deal.dealer, deal.starter, deal.plays))

    def is_person(self, seat: int) -> bool:
        """Return whether a person plays in *seat*, not the computer."""
        return self.level(seat) == PERSON

    def side(self, seat: int) -> int:
        """Return the side of *seat*. Four players form two sides; otherwise each seat is a side."""
        return seats.side_of(seat, self.players)

    @property
    def tally_now(self) -> tuple[Tally, ...]:
        """Results of each side in this match, including this game once it is won."""
        if self.winner is None:
            return self.tally
        return after_game(self.tally, self.scores(), self.winner, self.rules)

    @property
    def games(self) -> tuple[int, ...]:
        """Games won by each side in this match, including this one."""
        return tuple(tally.games + (side == self.winner) for side, tally in enumerate(self.tally))

    @property
    def match_winners(self) -> tuple[int, ...]:
        """Sides that won the match, several if they are equal. Empty while the match is not over."""
        return leaders(self.tally_now) if self.phase is Phase.MATCH_OVER else ()

    @property
    def first_dealer(self) -> int | None:
        """Seat that dealt first in this game."""
        return None if self.deal is None else (self.deal.dealer - self.deal.number + 1) % self.players

    @property
    def next_to_cut(self) -> int | None:
        """Seat that cuts next for the deal, or None."""
        return next((seat for seat in self.cutting if self.cuts[seat] is None), None)

    def skunk(self, side: int) -> int:
        """Return 1 if *side* would be skunked with its present score, 2 if double skunked, otherwise 0."""
        return self.rules.skunk_of(self.pegs[side].front)

    def to_go(self, side: int) -> int:
        """Return the points that *side* needs to win."""
        return self.rules.target - self.pegs[side].front

    def scores(self) -> tuple[int, ...]:
        """Return the score of each side."""
        return tuple(pegs.front for pegs in self.pegs)

    def side_name(self, side: int) -> str:
        """Return the name of *side*.

        Partners' names are joined by a plus; without names it is their colour.
        """
        first, *other = (self.names[seat] for seat in seats.partners(side, self.players))
        is_colour = first.isupper() and other == [f"{first} 2"]
        return first if is_colour or not other else "+".join((first, *other))

    def spoken_side(self, side: int) -> str:
        """Return the name of *side* for a sentence. Partners are "Ann and Cid"."""
        return spoken(self.side_name(side), [self.names[seat] for seat in seats.partners(side, self.players)])


def the_deal(state: State) -> Deal:
    """Return the current deal.

    Raises:
        WrongPhase: If no deal has begun. In a step this can't happen, because of the transition table.
    """
    if state.deal is None:
        raise WrongPhase("no deal has begun: cut for it, or choose who deals")
    return state.deal
