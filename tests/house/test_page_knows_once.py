"""The page knows a rule once, in one module, and its lines are short enough to be read."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

PAGE = Path(str(files("cribpi.companion.web").joinpath("page")))
WIDEST = 140
DOCUMENT = "words-five-minutes.js"
"""A script with a text of the docs, which has a line for each paragraph."""


@pytest.mark.parametrize(
    ("rule", "module"),
    [
        (r"\bseat % |\bone % scores|\(at \+ 1\) % 2|% sides\.length|% row\.sides", "ui.js"),
        (r"\b30\b.*\b60\b.*\b90\b|% 30\b|\bSTREET = |\[90, \[|\[60, \[", "streets.js"),
        (r"\[A2-9|\[JQK\]|\[CDHS\]|\[HD\]", "store.js"),
        (r"\b(?:CRIB|HAND) = 4\b", "cards.js"),
    ],
    ids=["the side of a seat", "the streets", "a card as it is written", "the cards of a crib"],
)
def test_one_module_of_the_page_knows(rule: str, module: str) -> None:
    # a comment may say it
    codes = {
        path.name: re.sub(r"//.*|/\*[\s\S]*?\*/", "", path.read_text("utf-8")) for path in PAGE.glob("*.js")
    }
    assert [name for name, code in sorted(codes.items()) if re.search(rule, code)] == [module]


def test_no_line_of_a_script_is_too_wide() -> None:
    lines = [
        f"{path.name}:{number}"
        for path in sorted(PAGE.glob("*.js"))
        if path.name != DOCUMENT
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if len(line) > WIDEST
    ]
    assert lines == []
