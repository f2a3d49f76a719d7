"""Cribbage in five minutes: the page and the docs have the same text, and its hand is counted rightly."""

from __future__ import annotations

import re

from support import pages

from cribpi.cribbage.game.show import score_hand, total
from cribpi.cribbage.words.call import steps
from cribpi.cribbage.words.cards import parse_cards

SCRIPT = pages.HOUSE / "cribpi" / "companion" / "web" / "page" / "words-five-minutes.js"
PAGE = pages.DOCS / "tutorial" / "five-minutes.md"
SUITS = str.maketrans("♠♥♦♣", "SHDC")


def test_the_page_and_the_docs_say_the_same() -> None:
    found = re.search(r"FIVE_MINUTES = `(.*)`;", pages.read(SCRIPT), re.DOTALL)
    assert found is not None
    assert pages.read(PAGE) == found[1].replace(r"\`", "`"), f"copy the text of {SCRIPT.name} to {PAGE.name}"


def test_its_hand_is_counted_as_cribpi_counts_it() -> None:
    text = pages.read(PAGE)
    shown = re.search(r"^`(.*)`$", text, re.MULTILINE)
    assert shown is not None
    *hand, starter = parse_cards(shown[1].translate(SUITS))
    scores = score_hand(tuple(hand), starter)
    lines = list(pages.rows(text[shown.end() :]))
    assert [words.removeprefix("and ") for _, words in lines] == steps(scores)
    counted = sorted(tuple(sorted(cards.translate(SUITS).split())) for cards, _ in lines)
    assert counted == sorted(tuple(sorted(map(str, score.cards))) for score in scores)
    assert total(scores) == 16
