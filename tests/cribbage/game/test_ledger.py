"""The ledger says what every point was for: a recount from the pegs and the events alone finds the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from support.games import ALL_PRESETS, random_event, random_house, random_start
from support.samples import some_of

from cribpi.companion.web.json.results import result_json
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.ledger import Gains
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.results.games import course
from cribpi.cribbage.results.statistics import summary_of
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import Rules, changed, preset

Moment = tuple[State, Event, State]
STEPS = 4000
"""The most steps of a game: one by cards to 121, with all its corrections, has some 400."""

_SHOWS = events.HandShown | events.HandCounted | events.CribShown


def game(chance: Random, entry: Entry, rules: Rules) -> Iterator[Moment]:
    """Play a random game, with corrections, misdeals and calls of muggins, until it is won."""
    event: Event = random_start(chance, rules.players, entry, rules)
    before, state = NEW_TABLE, step(NEW_TABLE, event)
    yield before, event, state
    for _ in range(STEPS):
        if state.winner is not None and chance.random() < 0.5:  # a false claim may still be ruled on
            return
        event = random_event(state, chance)
        with suppress(RuleError):  # some of what chance asks for is refused
            before, state = state, step(state, event)
            yield before, event, state
    raise AssertionError(f"no end after {STEPS} steps by {rules}")


class Recount:
    """What each side's holes were for, by the pegs before and after each event."""

    def __init__(self, sides: int) -> None:
        self.deals: list[list[Counter[str]]] = [[Counter() for _ in range(sides)]]
        self.void: dict[tuple[int, int], Counter[str]] = {}
        """What a misdeal has left of a deal and a side."""
        self.leads = [0] * sides
        self.shows: list[tuple[int, int, int]] = []
        self.seen: Counter[str] = Counter()
        """How often holes were moved for each purpose, and by each sort of event."""
        self._shown_in = 0

    def take(self, before: State, event: Event, after: State) -> None:
        number = before.deal.number if before.deal else 0
        old = before.scores() or (0,) * after.sides
        by_points = events.PointsPegged | events.StepPassed  # the latter for a hand of nothing
        if isinstance(event, _SHOWS) or (before.is_show and isinstance(event, by_points)):
            self._shown_in = number
        if isinstance(event, events.MugginsCalled) and after.deal and before.phase is not Phase.PLAY:
            number = self._shown_in
        for side, (was, now) in enumerate(zip(old, after.scores(), strict=True)):
            if isinstance(event, events.Misdealt):
                continue
            what = self._purpose(before, event, side)
            self.deals[number][side][what] += now - was
            self.seen[what] += now != was
            self.seen[type(event).__name__] += now != was
        if isinstance(event, events.Misdealt):
            self._take_back(number, after)
        if isinstance(event, _SHOWS):
            deal = before.deal
            assert deal is not None
            self.shows.append((number, deal.shower, total(after.outcomes_of(event)[0].scores)))
        if after.deal is not None and after.deal.number == len(self.deals):
            self.deals.append([Counter() for _ in range(after.sides)])
        for scores in self._stands(old, event, after):
            for side, front in enumerate(scores):
                others = [other for at, other in enumerate(scores) if at != side]
                self.leads[side] = max(self.leads[side], front - max(others))

    @staticmethod
    def _stands(old: tuple[int, ...], event: Event, after: State) -> Iterator[tuple[int, ...]]:
        """Yield the scores after each outcome of *event*: one side pegs before the other."""
        scores = list(old)
        for outcome in () if isinstance(event, events.Misdealt) else after.outcomes_of(event):
            scores[outcome.side] = min(scores[outcome.side] + outcome.points, after.rules.target)
            yield tuple(scores)
        yield after.scores()

    @staticmethod
    def _purpose(before: State, event: Event, side: int) -> str:
        """Tell what an event that moves the peg of *side* pegs for."""
        match event:
            case events.MugginsCalled():
                return "muggins"
            case events.ScorePutRight(of) | events.FalseWinRuled(of):
                return "corrections" if of == side else "penalties"
            case events.PenaltyPegged() | events.RenegeRuled():
                return "penalties"
            case events.StarterTurned() | events.HeelsTaken():
                return "heels"
            case events.CardPlayed() | events.GoSaid() | events.NewCountLed():
                return "pegging"
        if not before.is_show:
            return "heels" if before.phase is Phase.STARTER else "pegging"
        if before.deal is not None and before.side(before.deal.shower) != side:
            return "muggins"
        return "cribs" if before.phase is Phase.CRIB else "hands"

    def _take_back(self, number: int, after: State) -> None:
        """Leave of a deal what was ruled in it: that stays when it is dealt again."""
        self.shows = [show for show in self.shows if show[0] != number]
        self.seen["misdeals with points"] += any(
            gains[what] for gains in self.deals[number] for what in ("pegging", "hands", "cribs", "heels")
        )
        for side, gains in enumerate(self.deals[number]):
            rest = after.scores()[side] - sum(
                sum(deal[side].values()) for at, deal in enumerate(self.deals) if at != number
            )
            stays = gains["penalties"]
            self.deals[number][side] = Counter(penalties=stays, corrections=rest - stays)
            self.void[number, side] = Counter(self.deals[number][side])

    def gains(self, number: int, side: int) -> Gains:
        return Gains(**self.deals[number][side])

    def played(self, number: int, side: int) -> Gains:
        """Return what the deal brought *side* since it was last dealt."""
        found = Counter(self.deals[number][side])
        found.subtract(self.void.get((number, side), {}))
        return Gains(**found)


CASES = [(entry, rules) for rules in ALL_PRESETS for entry in Entry]


def check(chance: Random, entry: Entry, rules: Rules) -> Counter[str]:
    """Check a whole game, step by step; return what moved pegs in it."""
    recount: Recount | None = None
    state = NEW_TABLE
    for before, event, state in game(chance, entry, rules):
        if recount is None:
            recount = Recount(state.sides)
        recount.take(before, event, state)
        for side in range(state.sides) if state.ledger is not before.ledger else ():
            rows = [recount.gains(number, side) for number in range(len(recount.deals))]
            assert [row.gains[side] for row in state.ledger] == rows, event
            assert state.gains[side].total == state.pegs[side].front, "the whole score is explained"
        assert list(state.leads) == recount.leads
        assert [(show.deal, show.seat, show.points) for show in state.shows] == recount.shows
        if len(state.ledger) > 1:
            assert course(state.ledger)[-1] == state.scores()
    assert recount is not None
    if state.winner is not None:
        _check_ends_agree(state, recount)
    return recount.seen


def _check_ends_agree(state: State, recount: Recount) -> None:
    """Check that what is told of a game at its end is the ledger, and no other count; averages leave out what
    was void."""
    found, told = summary_of(state), result_json(state)
    assert told is not None
    assert found.gains == state.gains
    sides = told["sides"]
    assert isinstance(sides, list)
    for side, gains in zip(sides, state.gains, strict=True):
        assert [side[what] for what in ("pegging", "hands", "cribs", "heels", "muggins", "other")] == [
            *(gains.pegging, gains.hands, gains.cribs, gains.heels, gains.muggins),
            gains.penalties + gains.corrections,
        ]
    most = max((show.points for show in state.shows), default=None)
    best = told["best"]
    assert (best["points"] if isinstance(best, dict) else None) == most
    for role in range(2 * bool(found.roles)):
        rows = range(1, len(state.ledger) - 1)
        deals = [number for number in rows if (state.ledger[number].dealer == 0) == (role == 0)]
        assert found.roles[0][role].deals == len(deals)
        assert found.roles[0][role].gains == sum((recount.played(number, 0) for number in deals), Gains())


@pytest.mark.parametrize("seed", some_of(range(40), 0))
def test_every_point_is_booked_for_what_it_was(seed: int) -> None:
    """Over every preset and form of entry, by the rules of many houses."""
    chance = Random(seed)
    for entry, rules in CASES:
        check(chance, entry, random_house(chance, changed(rules, {"target": "61"}), odds=0.15))


def test_muggins_for_a_hand_that_was_passed_is_booked_in_its_deal() -> None:
    house = {"miscount": "muggins", "renege": "2", "heels_deadline": "first-card"}
    assert check(Random(8), Entry.PEG, changed(preset("standard", 2), house))["muggins"]


def test_the_law_above_meets_all_that_it_is_about() -> None:
    """With muggins and reneges, in a few games there is every purpose, and every event that moves a peg."""
    seen: Counter[str] = Counter()
    plain = changed(preset("standard", 2), {"target": "61"})
    house = changed(plain, {"miscount": "muggins", "renege": "2", "heels_deadline": "first-card"})
    for entry in Entry:
        for seed in range(6):
            seen += check(Random(seed), entry, house)
        seen += check(Random(seed), entry, plain)
    assert set(seen) >= {
        "pegging", "hands", "cribs", "heels", "muggins", "penalties", "corrections", "misdeals with points",
        "StarterTurned", "HeelsTaken", "CardPlayed", "GoSaid", "NewCountLed", "HandShown", "CribShown",
        "PointsPegged", "HandCounted", "MugginsCalled", "PenaltyPegged", "ScorePutRight", "FalseWinRuled",
        "RenegeRuled",
    }, seen  # fmt: skip
