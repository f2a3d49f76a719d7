"""Docstrings, comments and code that must be read twice become fewer: each rule's hits may only fall."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import pages
from support.prose import CODE, COMMENT, DOCSTRING, counts, hits, hits_in, hits_of_page

MOST = {
    "opens with a clause": 4,
    "returns a clause": 0,
    "has no verb of the field": 0,
    "leans on another text": 1,
    "has nobody as its subject": 0,
    "says where for if": 3,
    "says anew, of its own, at the most": 0,
    "says told or hears": 0,
    "a comment without a subject": 8,
    "a text or list times a condition": 0,
    "three values in one assignment": 5,
    "a conditional inside a conditional": 0,
    "a comprehension with three loops": 0,
    "a function or class named by a participle": 7,
    "a parameter named by a participle": 3,
}
"""The most hits of each rule: lower a number with each room that is rewritten."""

SAMPLES = {
    "opens with a clause": '"""What a card counts."""',
    "returns a clause": 'def pips() -> int:\n    """Return what a card counts."""',
    "has no verb of the field": 'def is_red() -> bool:\n    """Tell whether the card is red."""',
    "leans on another text": 'def black() -> bool:\n    """The same for black."""',
    "has nobody as its subject": '"""A seat in which nobody sits."""',
    "says where for if": '"""The starter, where there is one."""',
    "says anew, of its own, at the most": 'MOST = 31\n"""A count, at the most."""',
    "says told or hears": '"""A view that is told of each event."""',
    "a comment without a subject": "pips = 10  # it is a king",
    "a text or list times a condition": 'said = "s" * (number != 1)',
    "three values in one assignment": "rank, suit, face = 1, 2, 3",
    "a conditional inside a conditional": "found = 1 if a else (2 if b else 3)",
    "a comprehension with three loops": "found = [x for a in b for c in a for x in c]",
    "a function or class named by a participle": "def shown() -> None: ...",
    "a parameter named by a participle": "def show(given: int) -> None: ...",
}

PLAIN = '''
"""Cards: a rank, and a suit if it is known."""

LIMIT = 31
"""The highest count, in points."""


def pips(rank: int) -> int:
    """Return the count of *rank*, 1 to 10.

    >>> what = pips(13)
    """
    return min(rank, 10)  # a king counts as a ten does
'''


@pytest.mark.parametrize("rule", [*DOCSTRING, *COMMENT, *CODE])
def test_what_must_be_read_twice_becomes_less(rule: str) -> None:
    found = [f"{hit.file}:{hit.line}: {hit.text[:90]}" for hit in hits() if hit.rule == rule]
    assert len(found) <= MOST[rule], "\n".join(found)


@pytest.mark.parametrize(("rule", "source"), SAMPLES.items(), ids=SAMPLES)
def test_each_rule_finds_its_sample(
    rule: str, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "HOUSE", tmp_path)
    module = tmp_path / "sample.py"
    module.write_text(source, encoding="utf-8")
    assert [hit.rule for hit in hits_in(module)] == [rule]


def test_each_rule_has_a_sample_and_a_number() -> None:
    assert [*SAMPLES] == [*MOST] == [*counts()]


def test_plain_words_are_no_hit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "HOUSE", tmp_path)
    module = tmp_path / "sample.py"
    module.write_text(PLAIN.lstrip(), encoding="utf-8")
    assert [*hits_in(module)] == []


def test_the_page_s_comments_are_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "HOUSE", tmp_path)
    script = tmp_path / "sample.js"
    script.write_text(
        "/** What a key means. */\n/** @param {string} key What it means. */\n"
        "const SPADE = 4; // it is black\n"
        "const HEART = 2; // red\nconst URL = 'http://what';\n",
        encoding="utf-8",
    )
    assert [(hit.line, hit.rule) for hit in hits_of_page(script)] == [
        (1, "opens with a clause"),
        (2, "opens with a clause"),
        (3, "a comment without a subject"),
    ]
