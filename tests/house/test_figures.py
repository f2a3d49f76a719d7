"""The figures, modules and bugs that pages name are those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bugs.planted import bugs
from support import house, pages

from cribpi.companion.kit.reader import load_kit
from cribpi.cribbage.results.games import AVERAGE_DEAL
from cribpi.cribbage.review import FORMAT
from cribpi.cribbage.review.decisions import BY_CHANCE, BY_POINTS, Mark
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.levels import OFFERED
from cribpi.workshop.tables.endgame import ROUNDS

HOMES = ("cribpi", "systemd", "tests", "docs")
KITS = pages.HOUSE / "hardware" / "kits"


HALF, HALF_POINTS = ({name: least for least, name in by}[Mark.BLUNDER] for by in (BY_CHANCE, BY_POINTS))
"""What a decision costs that counts half."""
GAME = next(room for room in house.rooms(inside="cribbage") if room.name == "game")
PRESETS = len(rulebook().presets)
BOARDS = sum(1 for folder in KITS.iterdir() if folder.is_dir())
FIGURES = {
    "CONTRIBUTING.md": (
        f"some {round(len(bugs()), -1)} bugs",
        f"in {-(-GAME.lines // 100) * 100:,} lines",
    ),
    "Makefile": (f"`expert` plays {sum(ROUNDS):,} deals",),
    "docs/explanation/analysis.md": (f"{sum(ROUNDS):,} deals",),
    "docs/reference/chances.md": (f"{sum(ROUNDS):,} of its deals",),
    "docs/reference/review.md": (
        f"`format`: {FORMAT};",
        f"cost {100 * HALF:.0f} % of the chance of winning (or {HALF_POINTS:.0f} points with three) 50 %",
    ),
    "cribpi/companion/web/page/words-review.js": (
        f'costs ${{isChance ? "{100 * HALF:.0f}% of the chance of winning" :',
        f': "{number(int(HALF_POINTS))} points"}} 50%.',
    ),
    "docs/reference/settings.md": (
        f"{AVERAGE_DEAL[0]} points for a deal as dealer and {AVERAGE_DEAL[1]} as pone",
    ),
    "README.md": (
        f"{load_kit('table').strip.leds} LEDs",
        f"{number(BOARDS - 1).capitalize()} other kits",
        f"{number(len(OFFERED))} levels",
    ),
    "CHANGELOG.md": (
        f"{number(BOARDS).capitalize()} kits",
        f"{number(PRESETS)} sets",
        f"{number(len(OFFERED))} levels",
    ),
    "docs/how-to/house-rules.md": (f"{number(PRESETS)} sets of rules",),
    "docs/how-to/faq.md": (f"{number(PRESETS - 1)} other sets of rules", f"{number(len(OFFERED))} levels"),
}


@pytest.mark.parametrize(("page", "figure"), [(page, one) for page, all_ in FIGURES.items() for one in all_])
def test_a_page_has_the_figure_of_the_program(page: str, figure: str) -> None:
    assert figure in (pages.HOUSE / page).read_text(encoding="utf-8")


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
