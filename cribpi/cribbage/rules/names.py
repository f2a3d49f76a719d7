"""Players' names: validation, normalization, and detection of names that look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, count
from typing import Final

from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.shown import AS_EMOJI, JOINER, beginning, hidden, is_emoji, shown

LONGEST_NAME: Final = 40
"""Maximum length of a name in characters. Screens may shorten it further."""

YOU: Final = "You"
"""Default name of a person who plays alone against the computer. Sentences address this player."""

_UNSEEN: Final = frozenset(
    map(
        chr,
        (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810),
         *range(0xFE00, 0xFE10)),
    )
)  # fmt: skip
"""Invisible characters that Unicode counts as printable: fillers and variation selectors."""


def check_names(names: Sequence[str]) -> None:
    """Check that *names* are valid names of seats.

    Raises:
        BadSetup: If a name is empty, too long, has a stray space or an unprintable character, or two are
            equal.
    """
    for name in names:
        fault = _fault(name)
        if fault is not None:
            raise BadSetup(f"the name {shown(name)} {fault}")
    if len(set(names)) < len(names):
        raise BadSetup(f"the names {', '.join(names)} must all be different; change one")


def given_names(names: Sequence[str]) -> tuple[str, ...]:
    r"""Normalize *names* entered by people: a letter and its accent become one character.

    This is stricter than the check of names in a record or a journal, which are not changed.

    >>> given_names(["Zoe\N{COMBINING DIAERESIS}", "ANN"])
    ('Zoë', 'ANN')

    Raises:
        BadSetup: If a name is invalid, has an invisible character, or looks the same as another. Such names
            differ only in capitals or in the encoding of accents.
    """
    kept = tuple(unicodedata.normalize("NFC", name) for name in names)
    for name in kept:
        # An emoji may be followed by an invisible variation selector, which is allowed.
        shows = re.sub(f"(.){AS_EMOJI}", lambda match: "" if is_emoji(match[1]) else match[0], name)
        unseen = next((letter for letter in shows if letter in _UNSEEN), None)
        if unseen is not None:
            raise BadSetup(f"the name {shown(name)} {_hides(unseen)}")
    check_names(kept)
    seen: dict[str, str] = {}
    for name in kept:
        other = seen.setdefault(plain(name), name)
        if other != name:
            raise BadSetup(f"the names {other} and {name} look too much alike: change one")
    return kept


def unlike(name: str, others: Sequence[str]) -> str:
    """Return *name*, with a number added if it looks the same as one of *others*.

    The number is the lowest possible.

    >>> unlike("Medium", ["Ann"]), unlike("Medium", ["medium"]), unlike("Medium 2", ["Medium", "Medium 2"])
    ('Medium', 'Medium 2', 'Medium 3')
    """
    taken, head = set(map(plain, others)), re.sub(r" \d+$", "", name)
    candidates = chain([name], (f"{head} {number}" for number in count(2)))
    return next(candidate for candidate in candidates if plain(candidate) not in taken)


def renamed(names: Sequence[str], are_computers: Sequence[bool], old: str, new: str) -> tuple[str, ...]:
    """Return *names* with the person *old* renamed to *new*.

    If another person is called *new*, nothing changes.

    A computer player called *new* gets a number.

    >>> renamed(["You", "Medium"], [False, True], "You", "Medium")
    ('Medium', 'Medium 2')
    """
    seated = list(zip(names, are_computers, strict=True))
    if (old, False) not in seated or (new, False) in seated:
        return tuple(names)
    found = [new if one == (old, False) else one[0] for one in seated]
    for seat, is_computer in enumerate(are_computers):
        if is_computer:
            found[seat] = unlike(found[seat], found[:seat] + found[seat + 1 :])
    return tuple(found)


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """Return a normalized form of *name* for comparison. Names that look the same have the same form."""
    name = name.replace(JOINER, "").replace(AS_EMOJI, "")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _fault(name: str) -> str | None:
    if not name:
        return f"is empty: give 1 to {LONGEST_NAME} characters"
    if len(name) > LONGEST_NAME:
        return f"has {len(name):,} characters: use {LONGEST_NAME} at most"
    if unseen := hidden(name):
        return _hides(unseen)
    if name != name.strip():
        return f"{'begins' if name[0] == ' ' else 'ends'} with a space: remove it"
    if "  " in name:
        return "has two spaces in a row: remove one"
    return None


def _hides(letter: str) -> str:
    what = unicodedata.name(letter, "a control character").lower()
    return f"has U+{ord(letter):04X}, {what}, which is invisible: remove it"


def shortened(name: str, cells: int) -> str:
    """Return *name* shortened to at most *cells* characters, with an ellipsis if needed.

    A number at the end is kept, because it distinguishes partners of the same colour.

    >>> shortened("ORANGE", 8), shortened("ORANGE 2", 5), shortened("ALEXANDRIA", 5)
    ('ORANGE', 'ORA 2', 'ALEX…')
    """
    if len(name) <= cells:
        return name
    head, _, number = name.rpartition(" ")
    if not head or not number.isdigit() or len(number) + 2 > cells:
        return beginning(name, cells - 1).rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    return f"{beginning(head, cells - len(number) - 1).rstrip()} {number}"
