"""Events, rules and the journal are as their pages say."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from support import events_page, pages
from support.tables import pragmas

from cribpi.commands.count import count
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.cribbage.game.events import (
    Event,
    FalseWinRuled,
    GameStarted,
    Misdealt,
    PenaltyPegged,
    ScorePutRight,
    SeatsNamed,
)
from cribpi.cribbage.game.phases import TABLE
from cribpi.cribbage.game.show import score_crib, score_hand, total
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.record import parse_event, print_event
from cribpi.cribbage.words.cards import parse_cards

EVENTS_PAGE = events_page.PAGE
EVENTS = events_page.EVENTS


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


def test_an_event_is_legal_in_the_phases_that_the_page_names_and_in_no_others() -> None:
    legal = {event.__name__: set(map(str, events_page.phases_of(event))) for event in EVENTS}
    assert {name: phases for name, (phases, _) in event_rows().items()} == legal


def test_the_diagram_is_drawn_from_the_table_of_phases() -> None:
    assert pages.read(EVENTS_PAGE) == events_page.page(), events_page.REDRAW


def test_what_the_diagram_leaves_out_is_as_it_is_told_below_it() -> None:
    over = {Phase.GAME_OVER, Phase.MATCH_OVER}
    for row in TABLE:
        if row.event in {PenaltyPegged, ScorePutRight, SeatsNamed}:
            assert row.to <= {row.phase, *over}
        elif row.event is GameStarted:
            assert row.to == {Phase.CUT, Phase.DEAL}
        elif row.event is Misdealt:
            assert row.to == {Phase.DEAL}
        elif row.event is FalseWinRuled:
            assert row.to >= {row.phase, *over}


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
        assert [total(scores) for _, _, scores in count(cards)] == [int(points) for points in pegs.split()], (
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
        settings = pragmas(rehearsal.journal)
    finally:
        rehearsal.close()
    assert pages.rows(text) == [["" if cell is None else str(cell) for cell in row] for row in found]
    assert settings["journal_mode"] == "wal"
    assert settings["synchronous"] == 2  # FULL
