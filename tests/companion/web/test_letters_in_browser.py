"""A text is cut between what people see as letters: those that Chromium's own segmenter finds."""

from __future__ import annotations

import pytest
from companion.web.browser import needs_chromium
from playwright.sync_api import Browser

from cribpi.cribbage.rules.names import shortened
from cribpi.cribbage.rules.shown import beginning

pytestmark = [pytest.mark.browser, needs_chromium]

TEXTS = [
    "ANNA",
    "E\u0301VA Zoe\u0308",  # letters with accents of their own
    "A\u0301\u0323\u20ddB",  # several on one
    "\u0928\u093f\u0936\u093e",  # vowel signs of Devanagari
    "\U0001f1e6\U0001f1f9\U0001f1e9\U0001f1ea!",  # two flags
    "x\U0001f1e6\U0001f1f9\U0001f1e9\U0001f1eay\U0001f1e8\U0001f1ed",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 and \U0001f44d\U0001f3fd",  # a family, and a tone of skin
    "\u2764\ufe0f\u200d\U0001f525\u2660\ufe0e",  # a heart on fire
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f!",  # Scotland's flag
    "1\ufe0f\u20e3A",  # a key with a digit
]
ENDS = """texts => texts.map((text) => {
  const found = [0];
  for (const { segment } of new Intl.Segmenter("en").segment(text)) found.push(found.at(-1) + [...segment].length);
  return found;
})"""
"""After how many characters each letter of a text ends."""


def test_texts_are_cut_where_chromium_finds_the_end_of_a_letter(browser: Browser) -> None:
    page = browser.new_page()
    for text, ends in zip(TEXTS, page.evaluate(ENDS, TEXTS), strict=True):
        for longest in range(len(text) + 1):
            assert len(beginning(text, longest)) == max(end for end in ends if end <= longest), ascii(text)
        for cells in range(1, len(text)):
            assert len(shortened(text, cells).removesuffix("\N{HORIZONTAL ELLIPSIS}").rstrip()) in {
                len(text[:end].rstrip()) for end in ends
            }, ascii(text)
    page.close()
