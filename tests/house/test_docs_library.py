"""The page of the library: each example explains it, and each name is on it."""

from __future__ import annotations

import doctest

from support import pages

import cribpi

PAGE = pages.DOCS / "reference" / "library.md"


def test_the_examples_of_the_library_show_what_the_page_says() -> None:
    text = "\n".join(block.text for block in pages.blocks(pages.read(PAGE), "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    said: list[str] = []
    found = doctest.DocTestRunner().run(examples, out=said.append)
    assert found.attempted > 30
    assert not found.failed, "".join(said)


def test_the_page_names_what_the_library_offers() -> None:
    text = pages.read(PAGE)
    quiet = {"Rank", "Suit", "SeatSight", "State", "__version__"}  # the types of what it shows
    assert not [name for name in cribpi.__all__ if name not in text and name not in quiet]
    assert len(text.split()) <= 1000
