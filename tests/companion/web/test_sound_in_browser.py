"""What is heard on the page: what has happened, in order and once; silence unless somebody wants to hear it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from companion.web.test_table_in_browser import MOVED_ON, play, set_up
from playwright.sync_api import Browser, Page
from support.companions import start_of
from support.patience import PATIENCE

from cribpi.companion.entry.requests import Press
from cribpi.companion.web.json.table_types import LogLine

pytestmark = [pytest.mark.browser, needs_chromium]

STUBS = """() => {
  window.heard = { notes: [], said: [], buzzes: [], cancelled: 0 };
  const silent = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const node = (more) => ({ connect: (next) => next, ...more });
  window.AudioContext = class {
    state = "running"; currentTime = 0; destination = node({});
    createGain() { return node({ gain: silent }); }
    createOscillator() {
      const frequency = { value: 0 };
      return node({ frequency, start: (at) => heard.notes.push([frequency.value, at]), stop() {} });
    }
  };
  Object.defineProperty(window, "speechSynthesis", { value: {
    pending: false, speak: ({ text, lang }) => heard.said.push(`${lang}: ${text}`), cancel: () => heard.cancelled++,
  } });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(navigator, "vibrate", { value: (buzz) => (heard.buzzes.push(buzz), true) });
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: ACTIVE } });
  localStorage.setItem("cribpi", JSON.stringify(PREFERENCES));
}"""
"""A loudspeaker, a voice and a motor that note what they are given."""

TUNES = {
    "win": [523, 659, 784, 1047],
    "thirty-one": [523, 659, 784],
    "heels": [784, 988, 1175],
    "fifteen": [587, 784],
    "peg": [660, 880],
    "card": [190],
    "go": [392],
}
NEXT = {"rules": "standard", "players": 2, "entry": "cards", "options": {}}
ALL = {"sound": True, "voice": True, "vibration": True}


@contextmanager
def listening(
    browser: Browser, table: RealTable, *, is_touched: bool = True, **wants: bool
) -> Iterator[Page]:
    """Open the page for somebody who *wants* to hear something, on a screen for fingers."""
    stubs = STUBS.replace("ACTIVE", json.dumps(is_touched)).replace("PREFERENCES", json.dumps(wants))
    script = f"if (location.protocol === 'http:') ({stubs})()"
    with visit(browser, table.url, (390, 844), is_touch=True, path="#table", script=script) as page:
        noise: list[str] = []
        page.on("console", lambda message: noise.append(message.text))
        yield page
        assert noise == []


def heard(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("heard")
    return found


def tunes(notes: list[tuple[float, float]]) -> list[str]:
    """Tell which tunes *notes* are; each begins when the one before has ended."""
    times = [at for _, at in notes]
    assert times == sorted(times)
    left, found = [frequency for frequency, _ in notes], list[str]()
    while left:
        name = next(name for name, tune in TUNES.items() if left[: len(tune)] == tune)
        left = left[len(TUNES[name]) :]
        found.append(name)
    return found


def choose(page: Page, title: str, value: str) -> None:
    page.get_by_role("radiogroup", name=title, exact=True).get_by_role("radio", name=value).click()


def begin(table: RealTable, page: Page) -> None:
    """Begin a game with real cards, and wait until the page shows it."""
    table.press(*"OK OK 7 2".split())
    table.until_shown(page)


def happened(table: RealTable) -> list[LogLine]:
    """Return the lines of what has happened in this game, oldest first."""
    return table.companion.log()[::-1]


@pytest.mark.prove
def test_a_whole_game_is_heard_and_felt_as_it_was_played_each_event_once(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path, seed=6) as table, listening(browser, table, **ALL) as page:
        set_up(table, "", "solid", target="31")
        page.wait_for_selector("main.table")
        play(page)
        lines, found = happened(table), heard(page)
        wanted = [line["sound"] for line in lines if line["sound"]]
        assert {"card", "peg", "win"} <= set(wanted)
        assert tunes(found["notes"]) == wanted
        assert len(found["buzzes"]) == len(wanted)
        assert found["said"] == [f"en: {line['said']}" for line in lines if line["said"]]
        assert found["said"][-1].endswith(" wins")


def test_what_is_taken_back_is_silent_and_heard_again_when_it_is_played_again(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, listening(browser, table, **ALL) as page:
        begin(table, page)
        for key in "5 7 8 UNDO UNDO 7".split():
            seq = table.state()["seq"]
            table.companion.do(Press(key)).result(PATIENCE)
            page.wait_for_function(MOVED_ON, arg=seq)
        said = [words.removeprefix("en: ") for words in heard(page)["said"]]
        assert said == ["the starter is a five", "seven", "fifteen for two", "seven"]
        assert tunes(heard(page)["notes"]) == ["card", "card", "fifteen", "card"]
        seq = table.state()["seq"]
        table.companion.do(start_of(NEXT)).result(PATIENCE)
        table.press("UNDO")
        page.wait_for_function(MOVED_ON, arg=seq + 1)
        assert table.state()["starter"] == "5", "the new game is taken back"
        assert len(heard(page)["said"]) == 4


def test_of_the_words_that_wait_the_latest_alone_are_said(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, listening(browser, table, voice=True) as page:
        begin(table, page)
        for key, is_more in (("5", False), ("7", True)):
            page.evaluate("(is) => (speechSynthesis.pending = is)", is_more)
            seq = table.state()["seq"]
            table.companion.do(Press(key)).result(PATIENCE)
            page.wait_for_function(MOVED_ON, arg=seq)
            assert heard(page)["cancelled"] == is_more
        found = heard(page)
        assert found["said"] == ["en: the starter is a five", "en: seven"]
        assert found["notes"] == [], "the voice alone was wanted"


@pytest.mark.parametrize(
    ("is_touched", "wants"), [(True, {}), (False, ALL)], ids=["nobody wants it", "nobody touched the page"]
)
def test_it_is_silent_until_somebody_wants_to_hear_it_and_has_touched_the_page(
    tmp_path: Path, browser: Browser, wants: dict[str, bool], *, is_touched: bool
) -> None:
    with real_table(tmp_path) as table, listening(browser, table, is_touched=is_touched, **wants) as page:
        begin(table, page)
        table.press(*"5 7 8".split())
        table.until_shown(page)
        found = heard(page)
        assert (found["notes"], found["said"], found["buzzes"]) == ([], [], [])


def test_each_is_tried_out_when_it_is_turned_on_and_the_voice_is_cut_off_when_it_is_turned_off(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, listening(browser, table) as page:
        page.goto(f"{table.url}#settings")
        for title in ("Sound", "Voice", "Vibration"):
            choose(page, title, "On")
        found = heard(page)
        assert tunes(found["notes"]) == ["peg"]
        assert found["said"] == ["en: Fifteen two, fifteen four, and a pair is six"]
        assert found["buzzes"] == [[25]]
        choose(page, "Voice", "Off")
        assert heard(page)["cancelled"] > found["cancelled"]
