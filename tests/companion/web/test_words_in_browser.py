"""What the page says names no key of the device, and nobody by a colour who has a name."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files

import pytest
from companion.web.browser import PAINTED, TABLE, needs_chromium, show, visit
from companion.web.dealt_scenes import DEALT_SCENES, MENU
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import PLAY, SCENES
from playwright.sync_api import Browser

from cribpi.companion.web.files import without_comments
from cribpi.companion.web.server import PageServer

OF_THE_DEVICE = re.compile(r"(?<!hold:)\b(?:P[1-4]|FLNB|OK|GO|UNDO|MENU|ORANGE|BLUE|WHITE)\b")
NAMES = ("ANN", "BOB", "CAT", "DAN")
AT_THE_START = ("idle", "new-game")
"""The scenes without a table."""
OTHERS = (
    *("", "#rules", "#settings", "#phones", "#names", "#count", "#learn/1", "#games", "#stats", "#stats/ANN"),
    *("#practice", "#practice/discard", "#practice/count", "#practice/play"),
)
SAID = """() => {
  const left = '.device, .keypad:not(.own), .keys-list, script, style';
  const found = [document.title];
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest(left)) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(one.getAttribute(name) ?? '');
    for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.data.trim());
  }
  return found.filter(Boolean);
}"""
"""All that can be read or heard, but for the device and the list of keys."""


def named(scene: Scene) -> Scene:
    """Return *scene* with people who have names."""
    setup = scene.setup.with_house(names=NAMES[: scene.setup.players])
    return replace(scene, setup=setup, before=scene.before and named(scene.before))


def of_the_device(texts: list[str]) -> list[str]:
    return [text for text in texts if OF_THE_DEVICE.search(text)]


@pytest.mark.browser
@needs_chromium
def test_what_is_shown_names_no_key_of_the_device(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    said = 0
    companion.change(named(PLAY))  # what is announced stays a while
    with visit(browser, server.url, path=TABLE) as page:
        for name, scene in {**SCENES, **DEALT_SCENES, "menu": MENU}.items():
            if name not in AT_THE_START:
                show(page, companion, named(scene))
                page.evaluate(PAINTED)
                texts = page.evaluate(SAID)
                assert of_the_device(texts) == [], name
                said += len(texts)
        for path in OTHERS:
            page.goto(server.url + path)
            page.wait_for_selector("main:not(.failed)")
            page.wait_for_function("() => document.querySelector('h1, h2, .way')")
            texts = page.evaluate(SAID)
            assert of_the_device(texts) == [], path
            said += len(texts)
    assert said > 1000


def test_the_catalogue_names_no_key_of_the_device() -> None:
    catalogue = [
        one
        for one in files("cribpi.companion.web").joinpath("page").iterdir()
        if one.name.startswith("words")
    ]
    assert {one.name for one in catalogue} >= {"words.js", "words-more.js"}
    for one in catalogue:
        lines = without_comments(one.read_bytes()).decode().splitlines()
        assert of_the_device(lines) == [], one.name
