"""Events, rules and the journal are as their pages say."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from support import pages
from support.games import ALL_PRESETS, random_event, random_house, random_start

from cribpi.app.rehearsal import Rehearsal
from cribpi.commands.count import count
from cribpi.core.board import Pegs
from cribpi.core.cards import Card, Rank, parse_cards
from cribpi.core.errors import RuleError
from cribpi.core.events import (
    Entry,
    Event,
    FalseWinRuled,
    GameStarted,
    HeelsTaken,
    Misdealt,
    MugginsCalled,
    PenaltyPegged,
    RenegeRuled,
    ScorePutRight,
    SeatsNamed,
    StarterTurned,
    StepPassed,
)
from cribpi.core.game import NEW_TABLE, fold, step
from cribpi.core.record import Comment, parse, parse_event, print_event
from cribpi.core.scores import total
from cribpi.core.show import score_crib, score_hand
from cribpi.core.state import State
from cribpi.kit import load_kit

EVENTS_PAGE = pages.DOCS / "reference" / "events.md"
EVENTS: tuple[type[Event], ...] = get_args(Event)
WHERE_A_SIDE_CAN_CLAIM = {"deal", "starter", "play", "show", "crib"}
ANYWHERE = {GameStarted, SeatsNamed, PenaltyPegged, ScorePutRight, Misdealt, FalseWinRuled}


def event_rows() -> dict[str, tuple[set[str], str]]:
    """Return for each event the phases in which the page allows it, and its example as a line of a record."""
    found = {}
    for row in pages.rows(pages.section(pages.read(EVENTS_PAGE), "## The events")):
        found[row[0].strip("`")] = set(pages.codes(row[2])), row[3].strip("`")
    return found


def test_every_event_has_a_line_of_the_record_that_reads_back() -> None:
    told = event_rows()
    assert list(told) == [event.__name__ for event in EVENTS]
    for name, (_, line) in told.items():
        event = parse_event(line)
        assert type(event).__name__ == name
        assert print_event(event) == line


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
def test_every_field_of_an_event_is_explained(event: type[Event]) -> None:
    told = {
        row[0].strip("`"): row for row in pages.rows(pages.section(pages.read(EVENTS_PAGE), "## The events"))
    }
    explained = set(pages.codes(told[event.__name__][1]))
    assert explained >= {field.name for field in fields(event)}


WRONG_GO = """cribpi record 1
game "ANN" "BOB" renege=2 dealer=0
starter 5
play 1:10 0:Q 1:4 0:go 1:go 0:J 1:10 0:3 1:8 0:K
show 1
show 0
"""
"""A wrong go that nobody has ruled on before the crib: chance seldom comes there."""

HEELS = """cribpi record 1
game "ANN" "BOB" rules=acc dealer=0
starter J
"""
"""Two for his heels that are still to be taken: so too."""


@cache
def transitions() -> set[tuple[str, type[Event], str]]:
    """Return every change (phase, event, phase) that random tables come to, each also one hole from the end.

    The tables are of every preset and of houses of their own.
    """
    chance = Random(20)
    found: set[tuple[str, type[Event], str]] = set()

    def stepped(before: State, event: Event) -> State:
        try:
            state = step(before, event)
        except RuleError:
            return before
        found.add((str(before.phase), type(event), str(state.phase)))
        return state

    def tried(state: State, event: Event) -> None:
        close = replace(state, pegs=(Pegs(state.rules.target - 1, 0),) * state.sides)
        last = replace(close, rules=replace(close.rules, match="first-to-1"))
        seldom: tuple[Event, ...] = (
            GameStarted(("ANN", "BOB")),
            GameStarted(("ANN", "BOB"), dealer=1),
            SeatsNamed(state.names[::-1]),
            StarterTurned(Card(Rank.JACK)),
            HeelsTaken(),
            PenaltyPegged(0, 5),
            ScorePutRight(0, 5),
            Misdealt(),
            MugginsCalled(0, 1, 2, is_right=False),
            *(RenegeRuled(seat, points) for seat in range(state.players) for points in (0, 2)),
            *(FalseWinRuled(side, state.pegs[side].front) for side in range(state.sides)),
            *(FalseWinRuled(side, 20) for side in range(state.sides)),
            *(FalseWinRuled(side, state.rules.target - 1) for side in range(state.sides)),
        )
        for probe in (event, *seldom):
            stepped(state, probe)
            if state.winner is None and (end := stepped(close, probe)).winner is not None:
                tried(end, probe)
                tried(stepped(last, probe), probe)

    tried(NEW_TABLE, StepPassed())
    for record, probe in ((WRONG_GO, RenegeRuled(0, 2)), (HEELS, HeelsTaken())):
        tried(fold(entry for entry in parse(record) if not isinstance(entry, Comment)), probe)
    for rules in ALL_PRESETS:
        for entry in Entry:
            for is_house in (False, True):
                start = random_start(chance, rules.players, entry)
                house = random_house(chance, rules) if is_house else rules
                state = step(NEW_TABLE, replace(start, rules=house))
                for number in range(80):
                    event = random_event(state, chance)
                    if number % 5 == 0:  # a deal has more events than that
                        tried(state, event)
                    after = stepped(state, event)
                    state = state if after.winner is not None else after
    return found


def test_an_event_is_legal_in_the_phases_that_the_page_names_and_in_no_others() -> None:
    seen: dict[str, set[str]] = {event.__name__: set() for event in EVENTS}
    for phase, event, _ in transitions():
        seen[event.__name__].add(phase)
    assert {name: phases for name, (phases, _) in event_rows().items()} == seen


def test_the_diagram_shows_every_change_of_phase_and_no_other() -> None:
    drawn = set()
    for line in pages.blocks(pages.read(EVENTS_PAGE), "mermaid")[0].lines[1:]:
        edge = re.fullmatch(r"\s*(\S+) --> (\S+): (.+)", line)
        assert edge, line
        drawn |= {
            (edge[1].replace("_", "-"), name, edge[2].replace("_", "-")) for name in edge[3].split(", ")
        }
    seen = {
        (before, event.__name__, after)
        for before, event, after in transitions()
        if after not in {before, "match-over"} and event not in ANYWHERE
    }
    assert drawn == seen


def test_a_correction_can_end_a_game_but_changes_no_other_phase() -> None:
    over = {"game-over", "match-over"}
    for before, event, after in transitions():
        if event in {PenaltyPegged, ScorePutRight, SeatsNamed}:
            assert after in {before, *over}


def test_wherever_a_game_can_end_a_match_can() -> None:
    ends = {(before, event) for before, event, after in transitions() if after == "game-over"}
    matches = {(before, event) for before, event, after in transitions() if after == "match-over"}
    alike = {(before, event) for before, event in ends if before != "game-over"}
    assert alike == {(before, event) for before, event in matches if before != "match-over"}


def test_a_misdeal_leads_back_to_the_deal_and_a_false_claim_into_the_game() -> None:
    for before, event, after in transitions():
        if event is Misdealt:
            assert after == "deal"
        if event is FalseWinRuled and after in {"game-over", "match-over"}:
            assert before in {
                "game-over",
                "match-over",
                *WHERE_A_SIDE_CAN_CLAIM,
            }  # the other side has won by it


# --- rules and journal ---

RULES_PAGE = pages.DOCS / "explanation" / "rules.md"


def test_the_shows_that_engines_get_wrong_are_as_the_page_says() -> None:
    told = pages.rows(pages.section(pages.read(RULES_PAGE), "### At the show"))
    assert len(told) >= 6
    for cards, turned, hand, crib, *_ in told:
        four, (starter,) = parse_cards(cards), parse_cards(turned)
        assert (total(score_hand(four, starter)), total(score_crib(four, starter))) == (
            int(hand),
            int(crib),
        ), cards


def test_the_plays_that_engines_get_wrong_are_as_the_page_says() -> None:
    told = pages.rows(pages.section(pages.read(RULES_PAGE), "### In the play"))
    assert len(told) >= 3
    for cards, pegs, *_ in told:
        assert [total(play.scores) for play in count(cards)] == [int(points) for points in pegs.split()], (
            cards
        )


JOURNAL_PAGE = pages.DOCS / "explanation" / "journal.md"


def test_the_rows_of_the_journal_are_as_the_page_shows_them(tmp_path: Path) -> None:
    text = pages.section(pages.read(JOURNAL_PAGE), "## Undo is a tree")
    rehearsal = Rehearsal(load_kit("table"), seed=1, journal=tmp_path / "journal.db")
    try:
        keys = next(code for code in pages.codes(text) if code.startswith("OK "))
        for key in pages.expand(keys):
            assert rehearsal.press(key) is None
        found = rehearsal.journal._db.execute(
            "SELECT id, act, event, parent, head FROM steps ORDER BY id"
        ).fetchall()
        pragmas = rehearsal.journal.pragmas()
    finally:
        rehearsal.close()
    assert pages.rows(text) == [["" if cell is None else str(cell) for cell in row] for row in found]
    assert pragmas["journal_mode"] == "wal"
    assert pragmas["synchronous"] == 2  # FULL
