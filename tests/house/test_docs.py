"""The pages hold together: every link leads somewhere, every page is found, and what they tell of the house
is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from support import architecture_page, pages

from cribpi.companion.kit import Keypad
from cribpi.companion.kit.reader import load_kit

ALL = [pytest.param(page, id=pages.name(page)) for page in pages.pages()]


@pytest.mark.parametrize("page", ALL)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in pages.links(pages.read(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{pages.name(page)}: {link}"
        if anchor:
            assert anchor in pages.anchors(pages.read(target)), f"{pages.name(page)}: {link}"


def test_every_page_is_reachable_from_the_index() -> None:
    index = pages.DOCS / "README.md"
    seen, waiting = {index}, [index]
    while waiting:
        page = waiting.pop()
        for link in pages.links(pages.read(page)):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target not in seen and target.is_relative_to(pages.DOCS):
                seen.add(target)
                waiting.append(target)
    assert set(pages.DOCS.rglob("*.md")) == seen


@pytest.mark.parametrize("page", ALL)
def test_no_page_has_a_path_of_the_machine_it_was_written_on(page: Path) -> None:
    text = pages.read(page)
    assert not re.search(r"/(?:home|root|tmp|work|Users|mnt)/", text)
    assert str(pages.HOUSE) not in text


def test_the_changelog_begins_with_the_version_of_the_project() -> None:
    project = tomllib.loads(pages.read(pages.HOUSE / "pyproject.toml"))["project"]
    versions = re.findall(r"^## (\S+)", pages.read(pages.HOUSE / "CHANGELOG.md"), flags=re.MULTILINE)
    assert versions[0] == project["version"]


def test_the_architecture_has_each_room_of_the_house_as_its_docstring_tells_it() -> None:
    assert pages.read(architecture_page.PAGE) == architecture_page.page(), (
        "look at it, after `PYTHONPATH=tests python -m support.architecture_page`"
    )


def test_the_wiring_is_that_of_the_kit() -> None:
    kit = load_kit("table")
    assert isinstance(kit.keypad, Keypad)
    told = {
        what: tuple(int(pin) for pin in re.findall(r"\d+", pins))
        for what, pins, *_ in pages.rows(
            pages.section(pages.read(pages.DOCS / "how-to" / "build.md"), "## Wire it")
        )
    }
    assert told == {
        "OLED data, clock": (kit.glass.data, kit.glass.clock),
        "strip data": (kit.strip.gpio,),
        "keypad rows, first to last": kit.keypad.rows,
        "keypad columns, first to last": kit.keypad.columns,
    }
    readme = pages.read(pages.HOUSE / "README.md")
    assert f"{kit.strip.leds} LEDs" in readme
