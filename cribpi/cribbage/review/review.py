"""The review of one game: its decisions, its course as a chance of winning, and notes on missing parts.

The course is for two players or two pairs, with luck separated from decisions.  All chances are those of side
0: 1 is a win, 0 a loss.  Each deal begins with a chance from the table of scores, and ends with that of the
next deal; in between there are three more, for which all hands and the crib are known: before the cut, after
it, and after the play.  A change between two stages, less the cost of the decisions in it, is luck.  So luck
and decisions add up to the result.  Each chance is rounded once, so they add up to the last digit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from cribpi.cribbage.analysis.pack import Floats, Places, hand_numbers
from cribpi.cribbage.analysis.pegging.policy import pegging
from cribpi.cribbage.analysis.winning import EVEN, chance
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Entry, Event, StarterTurned
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.game.steps.deal import his_heels, is_heels
from cribpi.cribbage.players.win_chance import AverageGame, after_the_play, average_game, before_the_play
from cribpi.cribbage.review import FIVE_CARD
from cribpi.cribbage.review.deals import DealSeen, deals_of
from cribpi.cribbage.review.decisions import CHANCE, Decision, Mark, Which, accuracy, decision_in
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import amount
from cribpi.cribbage.words.worth import hand_points


@dataclass(frozen=True)
class KnownDeal:
    """A deal with two sides of which all hands and the crib are known.

    The points in the play are the averages for such hands.
    """

    dealer: int
    """A seat."""
    hands: tuple[tuple[Card, ...], ...]
    """By seat."""
    crib: tuple[Card, ...]
    rules: Rules

    @property
    def usual(self) -> AverageGame:
        return average_game(self.rules)

    @property
    def side(self) -> int:
        return seats.side_of(self.dealer, len(self.hands))

    @property
    def pegged(self) -> tuple[Floats, Floats]:
        """The expected points of the dealer's side and pone's in the play, relative to average."""
        players = len(self.hands)
        more = np.zeros(2)
        for place in range(players):  # the table of the play numbers seats from the dealer's
            hand = self.hands[(self.dealer + place) % players]
            ranks = np.sort(np.array([[card.rank - 1 for card in hand]]), axis=1)
            # For a hand of pone's side, the table has that side's points first.
            by_hand = pegging(players).points[place, hand_numbers(ranks)][0][:: -1 if place % 2 else 1]
            more += by_hand - self.usual.points.pegged
        return more[0], more[1]

    def before_the_cut(self, to_go: tuple[int, int]) -> float:
        """Return the chance of side 0 over all starters, by both sides' points to go."""
        seen = {*chain(*self.hands), *self.crib}
        starters = [card for card in PACK if card not in seen]
        plain = self.before_the_play(to_go, starters)
        left = list(to_go)
        left[self.side] = max(to_go[self.side] - his_heels(self.rules, to_go[self.side]), 0)
        if left[self.side]:
            with_heels = self.before_the_play((left[0], left[1]), starters)
        else:
            with_heels = np.full(len(starters), float(self.side == 0))
        heels = np.array([is_heels(self.rules, card.rank) for card in starters])
        return float(np.where(heels, with_heels, plain).mean())

    def before_the_play(self, to_go: tuple[int, int], starters: Sequence[Card]) -> Floats:
        """Return the chance of side 0 for each of *starters*: (starters,)."""

        def after(dealer: Places, pone: Places) -> Floats:
            return after_the_play(self.usual.after, dealer, pone, shows)

        shows = [points[:, None] for points in self._shows(starters)]
        chances = before_the_play(self.usual, self._by_role(to_go), self.pegged, after)
        return 1.0 - chances if self.side else chances

    def after_the_play(self, to_go: tuple[int, int], starter: Card) -> float:
        """Return the chance of side 0 after the play, from the counts of all hands and the crib."""
        dealer, pone = map(np.array, self._by_role(to_go))
        chance = float(after_the_play(self.usual.after, dealer, pone, self._shows([starter]))[0])
        return 1.0 - chance if self.side else chance

    def _by_role(self, to_go: tuple[int, int]) -> tuple[int, int]:
        return to_go[self.side], to_go[1 - self.side]

    def _shows(self, starters: Sequence[Card]) -> list[Places]:
        """Return the points of each hand with each of *starters*, in the order of the shows, then the crib's.

        `after_the_play` expects both sides in turn, so a 0 for pone's side comes before the dealer's crib.
        """
        is_strict = self.rules.crib_flush == "five"
        hands = [self.hands[seat] for seat in seats.around(self.dealer, len(self.hands))]
        return [
            *(np.array([hand_points(hand, card) for card in starters], np.intp) for hand in hands),
            np.zeros(len(starters), np.intp),
            np.array([hand_points(self.crib, card, is_strict=is_strict) for card in starters], np.intp),
        ]


@dataclass(frozen=True, slots=True)
class DealCourse:
    """The changes of side 0's chance in one deal."""

    number: int
    dealer: int
    """The side that dealt."""
    before: float
    after: float
    cards: float
    """Luck of the cards that were dealt."""
    cut: float
    """Luck of the starter."""
    play: float
    """Luck of the play: the cards that the other held and played."""
    count: float
    """The change by wrong counts, muggins and penalties at the show."""
    discards: tuple[float, float]
    """The loss of each side by its discards, without regard to skunks: 0 or more."""
    plays: tuple[float, float]
    """The loss of each side by the cards it played: 0 or more."""
    is_known: bool
    """Whether hands and crib were known: if not, all luck is with the cards."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game, as the chance of side 0."""

    deals: tuple[DealCourse, ...]
    cut_for_deal: float
    """Luck of the first deal."""

    @property
    def luck(self) -> float:
        return self.cut_for_deal + sum(deal.cards + deal.cut + deal.play for deal in self.deals)

    @property
    def counts(self) -> float:
        return sum(deal.count for deal in self.deals)

    def lost(self, side: int) -> float:
        return sum(deal.discards[side] + deal.plays[side] for deal in self.deals)


def course_of(deals: Sequence[DealSeen], decisions: Sequence[Decision]) -> Course:
    """Return the course of a game of two sides from its *deals* and *decisions*.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    return Course(
        tuple(_deal(deal, [each for each in decisions if each.deal == deal.number]) for deal in deals),
        _chance(deals[0].first) - EVEN if deals else 0.0,
    )


def _deal(deal: DealSeen, decisions: Sequence[Decision]) -> DealCourse:
    lost = {which: [0.0, 0.0] for which in Which}
    players = deal.first.players
    for decision in decisions:
        lost[decision.which][seats.side_of(decision.seat, players)] += decision.lost_worth
    before, after = _chance(deal.first), _chance(deal.last)
    stages = _stages(deal)
    dealt, cut, played = (round(chance, CHANCE) for chance in stages or (after, after, after))
    by_discards = lost[Which.DISCARD][1] - lost[Which.DISCARD][0]
    by_plays = lost[Which.PLAY][1] - lost[Which.PLAY][0]
    return DealCourse(
        number=deal.number,
        dealer=seats.side_of(deal.dealer, players),
        before=before,
        after=after,
        cards=dealt - before - by_discards - (0.0 if stages else by_plays),
        cut=cut - dealt,
        play=played - cut - by_plays if stages else 0.0,
        count=after - played,
        discards=(lost[Which.DISCARD][0], lost[Which.DISCARD][1]),
        plays=(lost[Which.PLAY][0], lost[Which.PLAY][1]),
        is_known=stages is not None,
    )


def _chance(state: State) -> float:
    """Return the chance of side 0: 1 or 0 if the game is won, else the chance before the current deal."""
    deal = state.deal
    if state.winner is not None:
        return float(state.winner == 0)
    if deal is None:
        raise TypeError("who deals is not known yet")
    is_dealer = seats.side_of(deal.dealer, state.players) == 0
    exact = chance(*state.scores(), is_dealer=is_dealer, target=state.rules.target, players=state.players)
    return round(exact, CHANCE)


def _to_go(state: State) -> tuple[int, int]:
    return max(state.to_go(0), 0), max(state.to_go(1), 0)


def _stages(deal: DealSeen) -> tuple[float, float, float] | None:
    """Return the chances before the cut, before the play, and after it; None if cards are not known."""
    hands = tuple(deal.kept_cards(seat) for seat in range(deal.first.players))
    starter, crib = deal.starter, deal.crib
    if starter is None or any(len(cards) < seats.HAND for cards in (*hands, crib)):
        return None
    if not all(card.suit for card in (*chain(*hands), *crib, starter)):
        return None
    at_starter = next((step for step in deal.happened if isinstance(step.event, StarterTurned)), None)
    if at_starter is None:
        return None
    known = KnownDeal(deal.dealer, hands, crib, at_starter.before.rules)
    dealt = known.before_the_cut(_to_go(at_starter.before))
    plays = (step for step in deal.happened if step.before.phase is Phase.PLAY)
    over = next((step.after for step in plays if step.after.phase is not Phase.PLAY), deal.last)
    if at_starter.after.winner is not None:
        return dealt, _chance(at_starter.after), _chance(at_starter.after)
    cut = float(known.before_the_play(_to_go(at_starter.after), [starter])[0])
    if over.winner is not None and over.won_in is Phase.PLAY:
        return dealt, cut, _chance(over)
    return dealt, cut, known.after_the_play(_to_go(over), starter)


Progress = Callable[[int, int], None]
"""Receives the number of deals reviewed, and of all deals."""


@dataclass(frozen=True, slots=True)
class Review:
    state: State
    decisions: tuple[Decision, ...]
    course: Course | None
    """The chance of winning, deal by deal; None with three players."""
    lacking: tuple[str, ...]
    """Sentences on the parts that can't be reviewed, with reasons."""

    def of(self, seat: int, which: Which | None = None) -> tuple[Decision, ...]:
        return tuple(
            each for each in self.decisions if each.seat == seat and (which is None or each.which is which)
        )

    def accuracy(self, seat: int, which: Which | None = None) -> float | None:
        """Return the accuracy of *seat*, 0 to 1, or None if its options were always equal."""
        chosen = [decision for decision in self.of(seat, which) if decision.stake > 0]
        return accuracy((decision.lost for decision in chosen), is_chance=self.state.players != 3)

    def marks(self, seat: int) -> dict[Mark, int]:
        marks = Counter(decision.mark for decision in self.of(seat))
        return {mark: marks[mark] for mark in Mark}


def review(events: Iterable[Event], tell: Progress = lambda _done, _all: None) -> Review:
    """Review one game from its *events*; an unfinished game is reviewed as far as it goes.

    Raises:
        RuleError: If an event is illegal.
        TablesError: If a shipped table is missing or damaged.
    """
    happened = tuple(events)
    deals = [deal for deal in deals_of(happened) if deal.happened]
    state = fold(happened)
    if state.rules.is_five_card:
        return Review(state, (), None, (FIVE_CARD,))
    decisions: list[Decision] = []
    for number, deal in enumerate(deals):
        tell(number, len(deals))
        decisions += filter(None, (decision_in(deal, each) for each in deal.happened))
    tell(len(deals), len(deals))
    course = course_of(deals, decisions) if state.players != 3 and deals else None
    return Review(state, tuple(decisions), course, tuple(_lacking(state, deals)))


def _lacking(state: State, deals: Sequence[DealSeen]) -> Iterator[str]:
    if not deals:
        yield "no cards were dealt: there is nothing to review"
        return
    if state.entry is Entry.PEG:
        yield "only points were entered: decisions can't be reviewed"
        return
    begun = [deal for deal in deals if deal.starter is not None]
    unknown = sum(not deal.discards(seat) for deal in begun for seat in range(state.players))
    if unknown and unknown == len(begun) * state.players:
        yield "with real cards only the play can be reviewed: discards are not known"
    elif unknown:
        one = unknown == 1
        yield f"{amount(unknown, 'discard')} can't be reviewed: {'it is' if one else 'they are'} not known"
    if state.players == 3:
        yield "with three players everything is in points: there are no chances of winning"
