"""Whole games and random tables: a referee who knows all cards, and events of every sort."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from cribpi.core import events, seats
from cribpi.core.cards import Card, Rank, Suit
from cribpi.core.events import Entry, Event
from cribpi.core.rules import TARGETS, Rules
from cribpi.core.scores import Kind
from cribpi.core.show import Claim, crib_claims, hand_claims
from cribpi.core.state import Deal, Phase, State
from support import naive

PACK = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
NAMES = ("ANN", "BOB", "CAT", "DAN")
CLAIMS = tuple(Claim(flush, nobs) for flush in (0, 4, 5) for nobs in (False, True))

# --- strategies -------------------------------------------------------------------------------------

ranks = st.sampled_from(Rank)
suits = st.sampled_from(Suit)
cards = st.builds(Card, ranks, st.none() | suits)
pack_cards = st.sampled_from(PACK)
claims = st.sampled_from(CLAIMS)
small = st.integers(-9, 9)
names = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), min_size=1, max_size=12).filter(
    lambda text: text == " ".join(text.split()) and text.isprintable()
)


def hands(size: int) -> st.SearchStrategy[tuple[Card, ...]]:
    return st.lists(cards, min_size=size, max_size=size).map(tuple)


some_names = st.lists(names, min_size=0, max_size=5).map(tuple)

any_event: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        events.GameStarted,
        some_names,
        st.sampled_from([Rules(target=target) for target in TARGETS]),
        st.sampled_from(Entry),
        st.none() | st.integers(0, 9),
        st.just(()) | st.lists(st.integers(0, 99_999), min_size=2, max_size=3).map(tuple),
    ),
    st.builds(events.SeatsNamed, some_names),
    st.builds(events.CardCut, small, cards),
    st.builds(events.DealerChosen, small),
    st.builds(events.HandDealt, small, hands(6) | hands(5)),
    st.builds(events.CardsLaidAway, small, hands(1) | hands(2)),
    st.builds(events.StarterTurned, cards),
    st.builds(events.CardPlayed, st.integers(0, 9), cards),
    st.builds(events.GoSaid, st.integers(0, 9)),
    st.builds(events.NewCountLed, st.integers(0, 9), cards),
    st.builds(events.HandShown, small, claims),
    st.builds(events.CribCardTurned, cards),
    st.builds(events.CribShown, claims),
    st.builds(events.PointsPegged, small, st.integers(-40, 40), st.none() | st.sampled_from(Kind)),
    st.builds(events.HandCounted, small, hands(4), cards, claims),
    st.builds(events.StepPassed),
    st.builds(events.PenaltyPegged, small, st.integers(-200, 200)),
    st.builds(events.ScorePutRight, small, st.integers(-20, 140)),
)
"""Events of every type, most of them illegal wherever they come."""


# --- random tables ----------------------------------------------------------------------------------


def random_card(chance: Random) -> Card:
    """Return any card, mostly of unknown suit."""
    return Card(chance.choice(list(Rank)), chance.choice(list(Suit)) if chance.random() < 0.3 else None)


def random_event(state: State, chance: Random) -> Event:
    """Return an event that may well be legal in *state*, or else is anything at all."""
    if chance.random() < 0.12:
        return wild_event(chance)
    deal = state.deal
    if deal is None:
        if chance.random() < 0.3:
            return events.DealerChosen(chance.randrange(max(state.players, 1)))
        return events.CardCut(state.next_to_cut or 0, random_card(chance))
    if state.entry is Entry.PEG:
        return _by_points(state, deal, chance)
    return _by_cards(state, deal, chance)


def _by_cards(state: State, deal: Deal, chance: Random) -> Event:
    card = random_card(chance)
    match state.phase:
        case Phase.DEAL if chance.random() < 0.5:
            seat = chance.randrange(state.players)
            if deal.dealt[seat] and chance.random() < 0.8:
                away = chance.sample(deal.dealt[seat], seats.cards_laid_away(state.players))
                return events.CardsLaidAway(seat, tuple(away))
            return events.HandDealt(seat, tuple(chance.sample(PACK, seats.cards_dealt(state.players))))
        case Phase.DEAL | Phase.STARTER:
            return events.StarterTurned(card)
        case Phase.PLAY:
            seat = deal.turn or 0
            held = deal.may_hold(seat)
            if held:
                card = chance.choice(held)
            if naive.pips(card) <= deal.room:
                return events.CardPlayed(seat, card)
            if chance.random() < 0.3:
                return events.NewCountLed(deal.next_to_lead() or 0, card)
            return events.GoSaid(seat)
        case Phase.SHOW:
            claim = chance.choice(hand_claims(deal.played[deal.shower], deal.starter or card))
            return events.HandShown(deal.shower, claim)
        case _:
            if len(deal.crib) < 4:
                return events.CribCardTurned(card)
            return events.CribShown(chance.choice(crib_claims(deal.crib, deal.starter or card)))


def _by_points(state: State, deal: Deal, chance: Random) -> Event:
    side = chance.randrange(state.sides)
    if chance.random() < 0.3:
        return events.StepPassed()
    match state.phase:
        case Phase.STARTER:
            return events.PointsPegged(side, 2, chance.choice([None, Kind.HEELS]))
        case Phase.PLAY:
            return events.PointsPegged(side, chance.randint(1, 15), chance.choice([None, None, *Kind]))
        case Phase.SHOW | Phase.CRIB if chance.random() < 0.5:
            return events.PointsPegged(state.side(deal.shower), chance.randint(0, 30))
        case Phase.SHOW | Phase.CRIB:
            *hand, starter = chance.sample(PACK, 5)
            if deal.starter is not None:
                starter = deal.starter
            find = crib_claims if state.phase is Phase.CRIB else hand_claims
            possible = find(tuple(hand), starter) or CLAIMS
            return events.HandCounted(deal.shower, tuple(hand), starter, chance.choice(possible))
        case _:
            return events.StepPassed()


def wild_event(chance: Random) -> Event:
    """Return any event, with seats and numbers that may not be."""
    seat, number, card = chance.randint(-1, 4), chance.randint(-20, 140), random_card(chance)
    hand = tuple(random_card(chance) for _ in range(chance.choice([1, 2, 4, 5, 6])))
    claim = chance.choice(CLAIMS)
    some: list[Event] = [
        events.SeatsNamed(tuple(chance.sample(NAMES, chance.randint(1, 4)))),
        events.CardCut(seat, card),
        events.DealerChosen(seat),
        events.HandDealt(seat, hand),
        events.CardsLaidAway(seat, hand),
        events.StarterTurned(card),
        events.CardPlayed(seat, card),
        events.GoSaid(seat),
        events.NewCountLed(seat, card),
        events.HandShown(seat, claim),
        events.CribCardTurned(card),
        events.CribShown(claim),
        events.PointsPegged(seat, number, chance.choice([None, *Kind])),
        events.HandCounted(seat, hand, card, claim),
        events.StepPassed(),
        events.PenaltyPegged(seat, chance.randint(-5, 5)),
        events.ScorePutRight(seat, number),
    ]
    return chance.choice(some)


def random_start(chance: Random, players: int, entry: Entry) -> events.GameStarted:
    """Return a new game of *players*, dealt or to be cut for."""
    dealer = chance.choice([None, chance.randrange(players)])
    return events.GameStarted(NAMES[:players], Rules(target=chance.choice(TARGETS)), entry, dealer)


# --- a referee's game -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    """An event, and what each side has after it."""

    event: Event
    scores: tuple[int, ...]


def referee_game(chance: Random, players: int, target: int, *, suited: bool) -> Iterator[Expected]:
    """Play a whole game with a real pack, scored by the naive referee, to the first who reaches *target*.

    Where *suited* is false, every card is entered by its rank alone, and what the suits are worth is
    claimed at the show.
    """
    sides = 2 if players == 4 else players
    scores = [0] * sides
    dealer = chance.randrange(players)

    def told(card: Card) -> Card:
        return card if suited else Card(card.rank)

    def after(event: Event, pegged: dict[int, int]) -> Expected:
        for seat, points in pegged.items():
            scores[seat % sides] = min(scores[seat % sides] + points, target)
        return Expected(event, tuple(scores))

    def deal() -> Iterator[Expected]:
        pack = chance.sample(PACK, 52)
        laid = 2 if players == 2 else 1
        all_hands = [[pack.pop() for _ in range(4)] for _ in range(players)]
        crib = [pack.pop() for _ in range(laid * players)]
        crib += [pack.pop() for _ in range(4 - len(crib))]
        starter = pack.pop()
        yield after(events.StarterTurned(told(starter)), {dealer: 2} if starter.rank == 11 else {})
        pone = (dealer + 1) % players
        for act in naive.play(all_hands, pone, chance.choice):
            event = events.CardPlayed(act.seat, told(act.card)) if act.card else events.GoSaid(act.seat)
            yield after(event, act.points)
        for step in range(1, players + 1):
            seat = (dealer + step) % players
            points = naive.show(all_hands[seat], starter)
            claim = _claim(all_hands[seat], starter, is_crib=False)
            yield after(events.HandShown(seat, claim), {seat: points})
        for card in crib:
            yield after(events.CribCardTurned(told(card)), {})
        points = naive.show(crib, starter, is_crib=True)
        yield after(events.CribShown(_claim(crib, starter, is_crib=True)), {dealer: points})

    yield Expected(
        events.GameStarted(NAMES[:players], Rules(target=target), Entry.CARDS, dealer), tuple(scores)
    )
    while True:
        for expected in deal():
            yield expected
            if max(scores) >= target:
                return
        dealer = (dealer + 1) % players


def _claim(four: list[Card], starter: Card, *, is_crib: bool) -> Claim:
    """Return what the suits are worth: the difference that leaving them out makes."""
    bare = [Card(card.rank) for card in four]
    extra = naive.show(four, starter, is_crib=is_crib) - naive.show(bare, Card(starter.rank))
    nobs = any(card.rank == 11 and card.suit == starter.suit for card in four)
    return Claim(extra - nobs, nobs)
