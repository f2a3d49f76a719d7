"""The figures, modules and bugs that pages name are those of the program."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from bugs.planted import bugs
from support import house, pages

from cribpi.companion.entry.debounce import HOLD, HOLD_TO_SHUT_DOWN
from cribpi.companion.journal.database import CHECKED_AT_START
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.mqtt.client import LARGEST
from cribpi.companion.mqtt.session import MESSAGE_COST, RATE
from cribpi.companion.web.body import TIMEOUT as BODY_TIMEOUT
from cribpi.companion.web.json.results import RESULTS
from cribpi.companion.web.serving import MOST, TIMEOUT
from cribpi.companion.web.stream import ENDING, MOST_OF_BOARD, PING
from cribpi.cribbage.analysis.winning import average_deal, winning
from cribpi.cribbage.players.endgame_sampling import HANDS_OF_OTHER
from cribpi.cribbage.players.expert import MOST_WORLDS
from cribpi.cribbage.results.games import AVERAGE_DEAL
from cribpi.cribbage.review import FORMAT
from cribpi.cribbage.review.decisions import BY_CHANCE, BY_POINTS, Mark
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.levels import OFFERED
from cribpi.workshop.tables.endgame import ROUNDS

HOMES = ("cribpi", "systemd", "tests", "docs")
KITS = pages.HOUSE / "hardware" / "kits"


@cache
def figures() -> dict[str, tuple[str, ...]]:
    """Return what each page says, with the figures of the program."""
    half, half_points = ({name: least for least, name in by}[Mark.BLUNDER] for by in (BY_CHANCE, BY_POINTS))
    game = next(room for room in house.rooms(inside="cribbage") if room.name == "game")
    presets = len(rulebook().presets)
    boards = sum(1 for folder in KITS.iterdir() if folder.is_dir())
    leasts = {name: f"{100 * least:.0f} %" for least, name in BY_CHANCE}
    brought = average_deal(2, 2)
    means = [
        float(one @ np.arange(len(one))) for one in (brought.dealer_hand, brought.pone_hand, brought.crib)
    ]
    watchdog = re.search(
        r"^WatchdogSec=(\d+)$", (pages.HOUSE / "systemd/cribpi.service").read_text(), re.MULTILINE
    )
    rest = re.search(
        r"^const REST = (\d+);",
        (pages.HOUSE / "cribpi/companion/web/page/act.js").read_text(),
        re.MULTILINE,
    )
    assert watchdog is not None
    assert rest is not None
    return {
        "CONTRIBUTING.md": (
            f"some {round(len(bugs()), -1)} bugs",
            f"in {-(-game.lines // 100) * 100:,} lines",
        ),
        "Makefile": (f"`expert` plays {sum(ROUNDS):,} deals",),
        "docs/explanation/analysis.md": (
            f"{sum(ROUNDS):,} deals",
            f"To 121 the dealer's side wins {100 * winning(4)[121, 121]:.1f} %.",
            "The dealer's hand is worth {:.2f} on average, pone's {:.2f}, and the crib {:.2f}.".format(
                *means
            ),
        ),
        "docs/explanation/journal.md": (f"up to {CHECKED_AT_START // 10**6} MB",),
        "docs/explanation/playing.md": (f"against {HANDS_OF_OTHER} hands", f"{MOST_WORLDS} worlds"),
        "docs/how-to/pull-the-plug.md": (f"hangs for {watchdog[1]} seconds",),
        "docs/how-to/keypads.md": (f"for {HOLD:.0f} second", f"for {HOLD_TO_SHUT_DOWN:.0f} seconds"),
        "docs/reference/keys.md": (
            f"hold UNDO for {HOLD:.0f} second (`hold:UNDO`)",
            f"MENU for {HOLD_TO_SHUT_DOWN:.0f} seconds (`hold:MENU`)",
            f"takes no press for {int(rest[1]) / 1000} seconds",
        ),
        "docs/reference/http.md": (
            f"longer than {BODY_TIMEOUT:.0f} seconds",
            f"for {TIMEOUT:.0f} seconds is closed",
            f"too many connections: {2 * MOST}, or",
            f"429 if {ENDING * MOST_OF_BOARD} are open",
            f"after {PING:.0f} seconds without news",
            f"the last {RESULTS} games",
        ),
        "docs/reference/mqtt.md": (
            f"messages of {LARGEST:,} bytes at most",
            f"sends {RATE // 1024} kB a second, or {RATE // MESSAGE_COST} messages",
        ),
        "docs/tutorial/review.md": (
            f"A blunder costs {leasts[Mark.BLUNDER]} or more of the chance of winning",
            f"a mistake {leasts[Mark.MISTAKE]}, an inaccuracy {leasts[Mark.INACCURACY]}.",
        ),
        "docs/reference/chances.md": (f"{sum(ROUNDS):,} of its deals",),
        "docs/reference/review.md": (
            f"`format`: {FORMAT};",
            f"cost {100 * half:.0f} % of the chance of winning (or {half_points:.0f} points with three) 50 %",
            f"{200 * half:.0f} % 25 %",
        ),
        "cribpi/companion/web/page/words-more.js": (
            f'costs ${{isChance ? "{100 * half:.0f}% of the chance of winning" :',
            f': "{number(int(half_points))} points"}} 50%.',
        ),
        "docs/reference/settings.md": (
            f"{AVERAGE_DEAL[0]} points for a deal as dealer and {AVERAGE_DEAL[1]} as pone",
        ),
        "README.md": (
            f"{load_kit('table').strip.leds} LEDs",
            f"{number(boards - 1).capitalize()} other kits",
            f"{number(len(OFFERED))} levels",
        ),
        "CHANGELOG.md": (
            f"{number(boards).capitalize()} kits",
            f"{number(presets)} sets",
            f"{number(len(OFFERED))} levels",
        ),
        "docs/how-to/house-rules.md": (f"{number(presets)} sets of rules",),
        "docs/how-to/faq.md": (
            f"{number(presets - 1)} other sets of rules",
            f"{number(len(OFFERED))} levels",
        ),
    }


def test_the_pages_have_the_figures_of_the_program() -> None:
    texts = {page: (pages.HOUSE / page).read_text(encoding="utf-8") for page in figures()}
    assert [(page, one) for page, said in figures().items() for one in said if one not in texts[page]] == []


UNITS = re.compile(r"\d[\d,.]*\s?(?:ns|µs|ms|kB|MB|GB|seconds?|minutes?|hours?|tests)\b")
HELD = {
    "docs/explanation/club.md": "measured: the page has the command",
    "docs/explanation/strip.md": "tests/companion/devices, and measured: the page has the command",
    "docs/explanation/testing.md": "the last run, with its date",
    "docs/explanation/what-was-tested.md": "tests/pi has the scenarios",
    "docs/how-to/wled.md": "WLED's own",
    "docs/reference/arena.md": "measured: the page has the command",
    "docs/reference/engine-protocol.md": "tests/house/test_docs_engine.py",
    "docs/reference/mqtt.md": "tests/companion/mqtt",
    "docs/reference/settings.md": "tests/companion/run",
}
"""What holds the times and sizes of a page that `figures` does not."""


def comments(block: re.Match[str]) -> str:
    """Return what a *block* of commands says beside them."""
    return " ".join(re.findall(r" # .*", block[0]))


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_a_time_or_a_size_in_prose_comes_from_the_program_or_is_said_to_be_measured(page: Path) -> None:
    name = page.relative_to(pages.HOUSE).as_posix()
    held = " ".join(figures().get(name, ()))
    prose = re.sub(r"```.*?```|`[^`]*`", comments, pages.read(page), flags=re.DOTALL)
    found = [figure for figure in UNITS.findall(prose) if figure not in held]
    assert not found or name in HELD, found


def test_the_figures_of_the_first_review_are_those_that_the_terminal_prints() -> None:
    """Its blocks are run: see test_docs_commands.py."""
    page = pages.read(pages.DOCS / "tutorial" / "review.md")
    blocks = "".join(re.findall(r"```console.*?```", page, re.DOTALL))
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    figures = re.findall(r"[+-]?\d+\.\d+", prose)
    assert len(figures) > 10
    assert [figure for figure in figures if figure not in blocks] == []
    accuracies = dict(re.findall(r"  (discards|play) +(\d+) %", blocks))
    assert int(accuracies["discards"]) > int(accuracies["play"]), "Ann discarded better than she played"


@pytest.mark.parametrize("page", pages.pages(), ids=pages.name)
def test_a_module_that_a_page_names_exists(page: Path) -> None:
    modules = [path.as_posix() for folder in HOMES for path in (pages.HOUSE / folder).rglob("*.py")]
    for named in re.findall(r"`([\w./-]+\.py)`", pages.read(page)):
        assert any(module.endswith(f"/{named}") for module in modules), named


def test_the_bugs_that_a_page_names_are_planted() -> None:
    page = pages.read(pages.DOCS / "explanation" / "testing.md")
    named = re.findall(r'make bugs ARGS="(?:--whole )?([\w./-]+)', page)
    assert named
    for one in named:
        assert any(one == bug.name or bug.file.endswith(f"/{one}") for bug in bugs()), one
