"""Plain words: what people read has none of the words that a native speaker would not use."""

from __future__ import annotations

import re

import pytest
from support.words import PATTERNS, RULEBOOK, hits, lines, texts

NOT_TO_BE_USED: dict[str, tuple[str, tuple[str, ...]]] = {
    # pattern, in any case: (what to say instead, the places where it may stand)
    r"\blay(s|ing)? (two |one |it |them )?away\b|\blaid (two |one )?away\b|\bto lay away\b": (
        "discard",
        # the word of records and journals, and the tables' name
        ("docs/reference/record.md", "docs/reference/events.md"),
    ),
    r"\bput(s|ting)? right\b": ("set score, or: correct", ("docs/reference/record.md",)),
    r"\b(is|are) at it\b": ("is thinking", ()),
    r"\b(cards of paper|paper cards|no paper)\b": ("real cards; the computer deals", ()),
    r"\bhalf entered\b": ("what you are entering; input", ()),
    r"\bfaults? of ours\b": ("a bug", ()),
    r"\bmachine (deals|counts|draws|plays|thinks|shuffles)\b": (
        "the computer",
        (),
    ),
    r"\bmachine's (seats?|levels?|moves?)\b": ("the computer's", ()),
    r"\b(level|seat|move|game)s? of (the )?machines?\b": ("of the computer", ()),
    r"(?<!there )\b(is|are|was) no "
    r"(card|hand|key|play|claim|name|option|kit|JSON|text|object|list|hole|level|"
    r"journal|speed|port|Debian|Raspberry Pi|setting|kind|number|file|pack)\b": ("is not a ...", ()),
    r"\b(request|port|name|\d{5}) is none\b|\bthere (is|are) none (of|at|called)\b": (
        "not a ...; not found",
        (),
    ),
    r"\bcan't be: choose\b": ("is not offered: choose", ()),
    r"\bknows no game\b": ("is not for N players", ()),
    r"\bpast (31\b|\{limit\}|\{LIMIT\})": ("over 31", ()),
    r"\bcame to nothing\b": ("failed", ()),
    r"\ball is well again\b": ("working again", ()),
    r"\bbrought back: |\btaken back: |\bredone: ": ("whose what is back; who took back what", ()),
    r"\bchanged by the house\b|\bby the house:": ("name the house rules that differ", ()),
    r"\ball the same\b": ("anyway", ()),
    r"\bit is there already\b": ("already exists", ()),
    r"\bgames? taken in\b|\btake (in games?|games? in)\b": ("imported", ()),
    r"\bthe table stands at\b": ("the score is now", ()),
    r"\bnothing, a nineteen\b": ('no points, players call it a "nineteen"', ()),
    r"\bon the average\b": ("on average", ()),
    r"\b(\d|\{missing\}|\{number\}) to come\b": ("more", ()),
    r"\bdo the same again\b": ("try again", ()),
    r"\bsee to the\b": ("check the", ()),
    r"\bthe house has it\b|\bsits? where\b|\bWho sits here\b": ("a house rule; who plays in each seat", ()),
    r"\bmend: |\bmends it\b": ("fix", ()),
    r"\bthe best there (is|was)\b": ("the best choice", ()),
    r"\bput(s|ting)? (away|aside)\b|\bcards? put away\b": ("discard", ()),
    r"\b(is|are|was|were) told\b": ("gets; is notified; or say it", ()),
    r"\bgames? of two\b(?! players)": ("a two-player game", ()),
    r"\b(row|thread|process|module|pin|GPIO|desk|page|place|number)s? of (its|their) own\b": (
        "its own row; a separate process",
        (),
    ),
    r"\bat the (most|least)\b": ("at most, at least", ()),
    r"\blet(s|ting)? it be\b(?! )": ("no penalty", ()),
    r"\bphones? (is|are) let in\b|\blet(s|ting)? (no |all )?phones in\b|\bsends? \w+( phones)? away\b": (
        "phones may join; turn phones off",
        (),
    ),
    r"\b(a|two) blanks?\b": ("a space", ()),
    r"\bso many (names|players|seconds|games)\b": ("this many, that many", ("cribpi/cribbage/rules/",)),
    r"\bwhat (it|a game|each finished game) came to\b": (
        "its result",
        ("docs/explanation/architecture.md", "cribpi/companion/journal/database.py"),
    ),
    r"\bbeside (what|the usual|a right)\b": ("next to, compared with", ()),
    r"\b(three|four) will do\b": ("are enough", ()),
    r"\bbrings? (your|their|\w+'s) own crib\b": ("is worth more in your crib", ()),
    r"\b(pass(es|ing)?|past) (31|thirty-one)\b": ("over 31", ()),
    r"\bNot yet tested on a Raspberry Pi\b": (
        "nothing: it is said once",
        ("docs/how-to/install.md", "cribpi/workshop/drawings/wiring.py"),
    ),
    r"\bthe glass\b": (
        "the screen",
        ("cribpi/companion/views/screen/", "docs/explanation/", "docs/reference/events.md"),
    ),
}
"""Words that a reader stumbles over, what to say in their place, and the few places where they may stand."""


@pytest.mark.parametrize("pattern", NOT_TO_BE_USED)
def test_what_people_read_is_said_in_plain_words(pattern: str) -> None:
    better, places = NOT_TO_BE_USED[pattern]
    found = re.compile(pattern, re.IGNORECASE)
    wrong = [
        f'{text.file}, line {text.line}: "{hit[0]}"; say: {better}'
        for text in texts()
        if (hit := found.search(text.words)) and not text.file.startswith(places or "/")
    ]
    assert not wrong, "\n".join(wrong)


def test_enough_is_read() -> None:
    files = {text.file for text in texts()}
    assert {
        "cribpi/commands/commands.txt",
        "cribpi/companion/web/page/words.js",
        "cribpi/cribbage/rules/rules.toml",
        "README.md",
    } <= files
    assert len(texts()) > 3000


def test_the_sheets_are_quoted_as_they_stand() -> None:
    """A quotation may say what we would not, and our own sentence beside it may not."""
    said = " ".join(text.words for text in lines(RULEBOOK))
    assert "each player discards 2 cards" not in said
    assert "Each player discards to the crib" in said
    assert "six each, two discarded" in said


ALWAYS_SEVERAL = {
    # file, why there is never just one
    "cribpi/companion/run/config.py": "more than four names are refused",
    "cribpi/companion/entry/next_game.py": "more than four players are refused",
    "cribpi/cribbage/game/steps/deal.py": "the cards of a pack",
    "cribpi/companion/views/screen/layouts/play.py": "several players who wait",
}
COUNTED = re.compile(
    r"\{len\([^{}]*\)(?::,)?\} "
    r"(cards|events|games|levels|messages|names|players|points|sides|starters|steps)\b"
)


def test_one_of_a_thing_is_not_called_several() -> None:
    """`amount` says 1 card and 2 cards."""
    wrong = [
        f"{text.file}, line {text.line}: {hit[0]}"
        for text in texts()
        if (hit := COUNTED.search(text.words)) and text.file not in ALWAYS_SEVERAL
    ]
    assert not wrong, "\n".join(wrong)
    assert ALWAYS_SEVERAL.keys() <= {text.file for text in texts() if COUNTED.search(text.words)}


@pytest.mark.parametrize("number", range(1, len(PATTERNS) + 1))
def test_a_habit_of_a_translator_has_a_reason_or_is_not_there(number: int) -> None:
    """`make words ARGS=3` lists those of one pattern."""
    assert [f"{text.file}:{text.line}: {text.words}" for text, why in hits(number) if not why] == []
