"""Random tables: house rules, events of every type, and events that are probably legal."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from hypothesis import strategies as st

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, Rank, Suit
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.show import Kind, SuitClaim, possible_claims
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, changed, preset
from support import naive
from support.referee import NAMES, PACK, Expected, Referee, referee_game

__all__ = ["NAMES", "PACK", "Expected", "Referee", "referee_game"]

CLAIMS = tuple(SuitClaim(flush, nobs) for flush in (0, 4, 5) for nobs in (False, True))

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

ALL_PRESETS = tuple(
    preset(name, players) for name in rulebook().presets for players in find_preset(name).players
)
"""Each preset, for each number of players that it supports."""

ODD_VALUES = {
    "target": ("31", "45", "60", "91", "120"),
    "stake": ("1-1-9",),
    "match": ("first-to-1", "best-of-4"),
}
"""Values of options that accept more values than those listed."""


def random_house(chance: Random, plain: Rules | None = None, odds: float = 0.3) -> Rules:
    """Return a preset with some random house rules that are compatible with each other."""
    found = plain or chance.choice(ALL_PRESETS)
    options = list(rulebook().options.values())
    for option in chance.sample(options, len(options)):
        if option.name in {"players", "deal"} or chance.random() > odds:
            continue
        value = chance.choice((*option.values, *ODD_VALUES.get(option.name, ())))
        with suppress(BadSetup):
            found = changed(found, {option.name: value})
    return found


rules = st.sampled_from(ALL_PRESETS) | st.randoms(use_true_random=False).map(random_house)

LEVELS = ("", "", "chance", "solid", "expert-errs")
"""Levels of a random seat: a person or a computer level."""

levels = st.lists(st.sampled_from(LEVELS), min_size=2, max_size=4).map(tuple)
packs = st.randoms(use_true_random=False).map(lambda chance: tuple(chance.sample(PACK, 52)))

tallies = st.builds(Tally, st.integers(0, 99), st.integers(0, 99), st.integers(0, 9), st.integers(-999, 999))

rounds = st.just(("", 0)) | st.tuples(names, st.integers(1, 99))
"""Night and round of a club's game, or ("", 0)."""

starts = rules.flatmap(
    lambda found: st.builds(
        lambda *fields: events.GameStarted(*fields[:-1], *fields[-1]),
        st.lists(names, min_size=found.players, max_size=found.players).map(tuple),
        st.just(found),
        st.sampled_from(Entry),
        st.none() | st.integers(0, 9),
        st.just(()) | st.lists(tallies, min_size=2, max_size=3).map(tuple),
        st.just(()) | levels,
        rounds,
    )
)
"""New games with a name per player. Names may be equal, and dealers, tallies and levels wrong."""

any_event: st.SearchStrategy[Event] = st.one_of(
    starts,
    st.builds(events.SeatsNamed, some_names),
    st.builds(events.CardCut, small, cards),
    st.builds(events.DealerChosen, small),
    st.builds(events.PackShuffled, packs | hands(6)),
    st.builds(events.HandDealt, small, hands(6) | hands(5)),
    st.builds(events.Discarded, small, hands(1) | hands(2)),
    st.builds(events.StarterTurned, cards),
    st.builds(events.CardPlayed, st.integers(0, 9), cards),
    st.builds(events.GoSaid, st.integers(0, 9)),
    st.builds(events.NewCountLed, st.integers(0, 9), cards),
    st.builds(events.HeelsTaken),
    st.builds(events.HandCardTurned, small, cards),
    st.builds(events.HandShown, small, claims, st.none() | st.integers(0, 40)),
    st.builds(events.CribCardTurned, cards),
    st.builds(events.CribShown, claims, st.none() | st.integers(0, 40)),
    st.builds(events.PointsPegged, small, st.integers(-40, 40), st.none() | st.sampled_from(Kind)),
    st.builds(events.HandCounted, small, hands(4), cards, claims, st.none() | st.integers(0, 40)),
    st.builds(events.StepPassed),
    st.builds(events.PenaltyPegged, small, st.integers(-200, 200)),
    st.builds(events.ScorePutRight, small, st.integers(-20, 140)),
    st.builds(events.Misdealt),
    st.builds(events.MugginsCalled, small, small, small, st.booleans()),
    st.builds(events.RenegeRuled, small, small),
    st.builds(events.FalseWinRuled, small, st.integers(-20, 140)),
)
"""Events of every type. Most of them are illegal in any given state."""


# --- random tables ----------------------------------------------------------------------------------


def random_card(chance: Random) -> Card:
    """Return a random card, usually without a suit."""
    return Card(chance.choice(list(Rank)), chance.choice(list(Suit)) if chance.random() < 0.3 else None)


def random_event(state: State, chance: Random) -> Event:
    """Return a random event that is probably legal in *state*."""
    luck = chance.random()
    if luck < 0.12:
        return wild_event(chance)
    if luck < 0.17 or state.winner is not None:
        return random_correction(state, chance)
    deal = state.deal
    if deal is None:
        if chance.random() < 0.3:
            return events.DealerChosen(chance.randrange(max(state.players, 1)))
        return events.CardCut(state.next_to_cut or 0, random_card(chance))
    if state.entry is Entry.PEG:
        return _by_points(state, deal, chance)
    if state.entry is Entry.DEALT and state.phase in {Phase.DEAL, Phase.STARTER}:
        return _by_machine(state, deal, chance)
    return _by_cards(state, deal, chance)


def _by_cards(state: State, deal: Deal, chance: Random) -> Event:
    card = random_card(chance)
    match state.phase:
        case Phase.DEAL if chance.random() < 0.5:
            seat = chance.randrange(state.players)
            if deal.dealt[seat] and chance.random() < 0.8:
                away = chance.sample(deal.dealt[seat], state.rules.sizes.discarded)
                return events.Discarded(seat, tuple(away))
            return events.HandDealt(seat, tuple(chance.sample(PACK, state.rules.sizes.dealt)))
        case Phase.DEAL | Phase.STARTER:
            return events.StarterTurned(card)
        case Phase.PLAY if deal.heels_open and chance.random() < 0.3:
            return events.HeelsTaken()
        case Phase.PLAY:
            seat = deal.turn or 0
            held = deal.possible_cards(seat)
            if held:
                card = chance.choice(held)
            if naive.pips(card) <= deal.room:
                return events.CardPlayed(seat, card)
            if chance.random() < 0.3:
                return events.NewCountLed(deal.next_to_lead(state.rules.lead_after_close) or 0, card)
            return events.GoSaid(seat)
        case Phase.SHOW if len(deal.hand(deal.shower)) < deal.size:
            return events.HandCardTurned(
                deal.shower, chance.choice(deal.possible_cards(deal.shower) or (card,))
            )
        case Phase.SHOW if (found := deal.open_reneges()) and chance.random() < 0.7:
            return events.RenegeRuled(found[0].seat, chance.choice([0, 2, 2 * len(found[0].cards)]))
        case Phase.SHOW:
            claim = chance.choice(possible_claims(deal.hand(deal.shower), deal.starter or card))
            return events.HandShown(deal.shower, claim, _counted(state, chance))
        case _:
            if len(deal.crib) < seats.HAND:
                return events.CribCardTurned(card)
            is_strict = state.rules.crib_flush == "five"
            claim = chance.choice(possible_claims(deal.crib, deal.starter or card, is_strict=is_strict))
            return events.CribShown(claim, _counted(state, chance))


def _by_machine(state: State, deal: Deal, chance: Random) -> Event:
    if not any(deal.dealt) and chance.random() < 0.9:
        return events.PackShuffled(tuple(chance.sample(PACK, 52)))
    if deal.to_turn is not None and state.phase is Phase.STARTER:
        return events.StarterTurned(deal.to_turn if chance.random() < 0.9 else chance.choice(PACK))
    seat = chance.randrange(state.players)
    away = chance.sample(deal.dealt[seat] or PACK, state.rules.sizes.discarded)
    is_by_rank = chance.random() < 0.2
    return events.Discarded(seat, tuple(Card(card.rank) if is_by_rank else card for card in away))


def _counted(state: State, chance: Random) -> int | None:
    """Return the count that a player claims, or None if the computer counts."""
    return None if state.rules.miscount == "machine" else chance.choice([0, 2, 4, 6, 8, 12, 19, 20, 31])


def random_correction(state: State, chance: Random) -> Event:
    """Return a random correction that is probably legal in *state*."""
    side, other = chance.sample(range(max(state.sides, 2)), 2)
    front = state.pegs[side].front if side < state.sides else 0
    won = state.winner if state.winner is not None else side
    some: list[Event] = [
        events.PenaltyPegged(side, chance.randint(-12, 12)),
        events.ScorePutRight(side, max(front + chance.randint(-9, 9), 0)),
        events.Misdealt(),
        events.FalseWinRuled(won, chance.choice([front, max(state.rules.target - chance.randint(1, 20), 0)])),
    ]
    if state.counted is not None:
        points = chance.choice([state.counted.least or 1, chance.randint(1, 9)])
        some += [events.MugginsCalled(other, state.counted.side, points, chance.random() < 0.7)] * 4
    return chance.choice(some)


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
            possible = possible_claims(tuple(hand), starter, is_strict=state.phase is Phase.CRIB) or CLAIMS
            counted = None if state.rules.miscount == "machine" else chance.randint(0, 29)
            return events.HandCounted(deal.shower, tuple(hand), starter, chance.choice(possible), counted)
        case _:
            return events.StepPassed()


def wild_event(chance: Random) -> Event:
    """Return any event, with seats and numbers that may be out of range."""
    seat, number, card = chance.randint(-1, 4), chance.randint(-20, 140), random_card(chance)
    hand = tuple(random_card(chance) for _ in range(chance.choice([1, 2, 4, 5, 6])))
    claim = chance.choice(CLAIMS)
    some: list[Event] = [
        events.SeatsNamed(tuple(chance.sample(NAMES, chance.randint(1, 4)))),
        events.CardCut(seat, card),
        events.DealerChosen(seat),
        events.PackShuffled(hand),
        events.PackShuffled(tuple(chance.sample(PACK, 52))),
        events.HandDealt(seat, hand),
        events.Discarded(seat, hand),
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
        events.HeelsTaken(),
        events.HandCardTurned(seat, card),
        events.Misdealt(),
        events.MugginsCalled(seat, chance.randint(-1, 3), number, chance.random() < 0.5),
        events.RenegeRuled(seat, number),
        events.FalseWinRuled(seat, number),
    ]
    return chance.choice(some)


def random_start(
    chance: Random, players: int, entry: Entry, rules: Rules | None = None
) -> events.GameStarted:
    """Return a new game of *players*. The dealer may be open. Without *rules*, it is a standard game."""
    dealer = chance.choice([None, chance.randrange(players)])
    plain = changed(preset("standard", players), {"target": chance.choice(["121", "61"])})
    seated = tuple(chance.choice(LEVELS) for _ in range(players)) if entry is Entry.DEALT else ()
    return events.GameStarted(NAMES[:players], rules or plain, entry, dealer, levels=seated)
