"""The table of what may follow what is whole: recorded games and probes come to all of it, and no further."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from support import paths
from support.events_page import EVENTS
from support.games import PACK
from support.laws import leads_to

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.phases import TABLE
from cribpi.cribbage.game.state import OVER, Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record import HEADER, Comment, parse
from cribpi.cribbage.rules.errors import RuleError, WrongPhase
from cribpi.cribbage.rules.seats import Pegs

GAMES = sorted(paths.GAMES.glob("*.crib"))


def shuffled(pone: str, dealer: str, starter: str) -> str:
    """Return the line of a pack that deals these hands to two players, and then has the starter."""
    dealt = [card for pair in zip(pone.split(), dealer.split(), strict=True) for card in pair]
    first = [*dealt, starter]
    return f"pack {' '.join([*first, *(card for card in map(str, PACK) if card not in first)])}"


DEALT_A_JACK = (
    shuffled("10C 10D 9C 5C AC AD", "KC KD QC 6D AH AS", "JH"),
    "laid-away 1 AC AD",
    "laid-away 0 AH AS",
)
UNCOUNTED = ("show 1 counted=0", "show 0 counted=0")

SELDOM = [
    # a record that comes where the recorded games do not, and why
    ('game "A" "B"', "cut 0 7", "cut 1 7", "cut 0 3"),  # a tie, cut again
    ('game "A" "B" entry=peg', "cut 0 7"),
    ('game "A" "B" entry=dealt', "cut 0 7"),
    ('game "A" "B" entry=peg heels=none dealer=0', "next"),
    ('game "A" "B" dealer=0', "dealt 0 7H 8C 9D 10S JH 2C", "laid-away 0 JH 2C", "laid-away 1 2 4"),
    ('game "A" "B" entry=dealt dealer=0', *DEALT_A_JACK, "starter JH"),
    ('game "A" "B" rules=acc dealer=0', "starter J"),  # two for his heels wait to be taken
    # the last card of the deal leads a new count
    ('game "A" "B" dealer=1', "starter K", "play 0:9 1:6 0:10 1:go 0:go 1:4 0:10 1:5 0:8 1:lead:5"),
    # the play ends with its first count: by a go, by thirty-one; and nobody counts what is there
    (
        'game "A" "B" rules=acc-muggins play_rounds=one entry=dealt dealer=0',
        *DEALT_A_JACK,
        "starter JH",
        "play 1:10C 0:KC 1:9C 0:go 1:go",
        *UNCOUNTED,
        "crib counted=0",
    ),
    ('game "A" "B" play_rounds=one dealer=1', "starter 5", "play 0:10 1:10 0:9 1:go 0:go", "hand-card 0 7"),
    ('game "A" "B" play_rounds=one dealer=1', "starter 5", "play 0:10 1:10 0:9 1:2"),
    (
        'game "A" "B" rules=acc-muggins dealer=0',
        "starter 7",
        "play 1:3 0:6 1:8 0:K 1:go 0:go 1:9 0:6 1:10 0:5",
        *UNCOUNTED,
        *("crib-card 2", "crib-card 4", "crib-card 5", "crib-card 6"),
        "crib counted=0",
    ),
    (
        'game "A" "B" rules=acc-muggins entry=peg dealer=0',
        *("next", "next", "next"),
        *("count 1 4 5 5 6 J counted=0", "count 0 2 3 5 6 J counted=0", "count 0 7 7 8 8 J counted=0"),
    ),
    (
        'game "A" "B" renege=2 dealer=0',
        "starter 5",
        "play 1:10 0:Q 1:4 0:go 1:go 0:J 1:10 0:3 1:8 0:K",  # a go that was wrong
        "show 1",
        "show 0",
    ),
]


def recorded() -> Iterator[tuple[list[Event], bool]]:
    """Give the events of each recorded game, then of the seldom ones, and whether it is one of these."""
    texts = [(game.read_text(encoding="utf-8"), False) for game in GAMES]
    texts += [("\n".join((HEADER, *lines)), True) for lines in SELDOM]
    for text, is_seldom in texts:
        yield [event for event in parse(text) if not isinstance(event, Comment)], is_seldom


def probes(state: State) -> Iterator[Event]:
    """Give what people may say at any time, and what can come where they seldom try it."""
    names = tuple("DCBA"[: max(state.players, 2)])
    yield events.GameStarted(names, replace(state.rules) if state.names else state.rules)
    yield events.GameStarted(names, state.rules, dealer=0)
    yield events.SeatsNamed(names)
    yield from (events.DealerChosen(0), events.StarterTurned(Card(Rank.JACK)), events.HeelsTaken())
    yield from (events.StepPassed(), events.Misdealt())
    yield from (
        events.PenaltyPegged(0, 5),
        events.ScorePutRight(0, 5),
        events.ScorePutRight(0, state.rules.target),
    )
    if state.deal is not None and state.deal.to_turn is not None:
        yield events.StarterTurned(state.deal.to_turn)
    for seat in range(state.players):
        yield events.CardCut(seat, Card(Rank.ACE))
        yield from (events.RenegeRuled(seat, points) for points in (0, 2))
        yield from (events.PointsPegged(seat % state.sides, points) for points in (2, 4))
    for side in range(state.sides):
        scores = (state.pegs[side].front, 20, state.rules.target - 1)
        yield from (events.FalseWinRuled(side, score) for score in scores)
        for points in (1, 2):
            yield from (events.MugginsCalled(side, 1 - side, points, right) for right in (True, False))


Change = tuple[type[Event], Entry, Phase, Phase]


@cache
def seen() -> tuple[frozenset[Change], dict[tuple[Entry, Phase], State]]:
    """Return what leads where in the recorded games, and a state of each phase.

    Everything is also tried a hole from the end, in a game that decides nothing and in one that decides the
    match, and what is won is claimed back.
    """
    changes: set[Change] = set()
    states: dict[tuple[Entry, Phase], State] = {}
    tried: set[Change] = set()

    def stepped(state: State, event: Event) -> State | None:
        try:
            after = step(state, event)
        except RuleError:
            return None
        changes.add((type(event), state.entry, state.phase, after.phase))
        states.setdefault((after.entry, after.phase), after)
        return after

    def probe(state: State, event: Event) -> None:
        acc = replace(state.rules, false_win="acc" if state.sides == 2 else "put-right")
        tables = [
            replace(state, rules=rules) for rules in (state.rules, acc, replace(acc, match="first-to-1"))
        ]
        ahead = replace(acc, target=121)
        far = tuple(Pegs(0 if side else 100, 0) for side in range(state.sides))
        tables.append(replace(state, rules=ahead, pegs=far))
        near = [replace(at, pegs=(Pegs(at.rules.target - 1, 0),) * at.sides) for at in tables]
        for at in (*tables, *near):
            for one in (event, *probes(at)):
                after = stepped(at, one)
                if after is not None and after.winner is not None:
                    claim_back(after)

    def claim_back(over: State) -> None:
        """Take the win back; with a hole missing the other side has won by that, the game or the match."""
        for one in probes(over):
            stepped(over, one)
        for match in ("open", "first-to-1"):
            at = replace(over, rules=replace(over.rules, match=match))
            stepped(at, events.FalseWinRuled(over.winner or 0, over.rules.target - 1))

    for line, is_seldom in recorded():
        state = NEW_TABLE
        for event in (*line, events.StepPassed()):
            after = stepped(state, event)
            change = (type(event), state.entry, state.phase, (after or state).phase)
            if is_seldom or change not in tried:  # of whole games the first of each is enough
                tried.add(change)
                probe(state, event)
            state = after or state
    return frozenset(changes), states


WHOLE = {(row.event, entry, row.phase, to) for row in TABLE for entry in row.entries for to in row.to}


def test_all_that_happens_is_in_the_table() -> None:
    assert seen()[0] - WHOLE == set()


def test_all_that_is_in_the_table_happens() -> None:
    assert WHOLE - seen()[0] == set()


def test_a_line_of_the_table_stands_there_once() -> None:
    keys = [(row.event, entry, row.phase) for row in TABLE for entry in row.entries]
    assert len(keys) == len(set(keys))
    assert {row.event for row in TABLE} == set(EVENTS)
    assert all(row.to and row.entries for row in TABLE)


EXAMPLES: list[Event] = [
    events.GameStarted(("A", "B")),
    *probes(step(NEW_TABLE, events.GameStarted(("A", "B"), dealer=0))),
    events.PackShuffled(PACK),
    events.HandDealt(0, PACK[:6]),
    events.Discarded(0, PACK[:2]),
    events.CardPlayed(0, PACK[0]),
    events.GoSaid(0),
    events.NewCountLed(0, PACK[0]),
    events.HandCardTurned(0, PACK[0]),
    events.HandShown(0),
    events.CribCardTurned(PACK[0]),
    events.CribShown(),
    events.HandCounted(0, PACK[:4], PACK[4]),
]


def test_there_is_an_example_of_each_event() -> None:
    assert {type(event) for event in EXAMPLES} == set(EVENTS)


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("entry", Entry)
def test_what_the_table_has_not_is_refused_as_of_another_phase(entry: Entry, phase: Phase) -> None:
    state = NEW_TABLE if phase is Phase.IDLE else seen()[1][entry, phase]
    for event in EXAMPLES:
        if (to := leads_to(type(event), state.entry, phase)) == frozenset():
            with pytest.raises(WrongPhase) as refused:
                step(state, event)
            assert len(str(refused.value).split()) > 3
        else:
            assert to <= set(Phase)


def test_a_game_can_be_won_wherever_a_match_can() -> None:
    for row in TABLE:
        assert len(row.to & set(OVER)) in {0, 2} or row.event is events.SeatsNamed, row
