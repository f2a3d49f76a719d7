"""Formatting for messages: quoted values, escaped characters, amounts and ranges."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

LONGEST: Final = 80
"""Maximum length of a quoted value in characters."""


JOINER: Final = "\N{ZERO WIDTH JOINER}"
AS_EMOJI: Final = "\N{VARIATION SELECTOR-16}"
"""Invisible character that makes the sign before it an emoji."""
_EMOJI: Final = (range(0x2190, 0x2200), range(0x2600, 0x27C0), range(0x2B00, 0x2C00), range(0x1F000, 0x1FB00))
_FLAGS: Final = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_PARTS: Final = frozenset(map(chr, (*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080))))
"""Skin tones, and the tags of a region's flag. They belong to the emoji before them."""


def is_emoji(letter: str) -> bool:
    """Return whether *letter* is an emoji or a part of one, such as a skin tone."""
    return any(ord(letter) in block for block in _EMOJI)


def hidden(text: str) -> str | None:
    r"""Return the first invisible character of *text*, or None. A joiner between two emoji is allowed.

    >>> hidden("\N{MAN}\N{ZERO WIDTH JOINER}\N{GIRL}"), hidden("A\N{ZERO WIDTH JOINER}B")
    (None, '\u200d')
    """
    if text.isprintable():
        return None
    for at, letter in enumerate(text):
        if not letter.isprintable() and not _joins(text, at):
            return letter
    return None


def _joins(text: str, at: int) -> bool:
    before, after = text[:at].removesuffix(AS_EMOJI)[-1:], text[at + 1 : at + 2]
    return text[at] == JOINER and bool(before and after) and is_emoji(before) and is_emoji(after)


def visible(text: str) -> str:
    r"""Return *text* with unprintable characters escaped, so that it stays on one line.

    >>> print(visible("red \x1b[31m\n"))
    red \x1b[31m\n
    """
    if hidden(text) is None:
        return text
    return "".join([letter if letter.isprintable() else repr(letter)[1:-1] for letter in text])


def beginning(text: str, longest: int) -> str:
    r"""Return at most the first *longest* characters of *text*. No letter is split.

    A letter is a grapheme cluster (UAX #29): a letter with its accents, a flag, or an emoji with its skin
    tone or family.

    >>> beginning("ANNA", 3), ascii(beginning("E\N{COMBINING ACUTE ACCENT}VA", 1)), beginning("AN", -1)
    ('ANN', "''", '')
    """
    end = max(longest, 0)
    while 0 < end < len(text) and _is_within_letter(text, end):
        end -= 1
    return text[:end]


def ending(text: str, longest: int) -> str:
    """Return at most the last *longest* characters of *text*. No letter is split.

    >>> ending("ANNA", 3), ending("E\N{COMBINING ACUTE ACCENT}VA", 3), ending("AN", 9), ending("AN", 0)
    ('NNA', 'VA', 'AN', '')
    """
    start = len(text) - min(max(longest, 0), len(text))
    while 0 < start < len(text) and _is_within_letter(text, start):
        start += 1
    return text[start:]


def _is_within_letter(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if after in _FLAGS:
        return (at - len(text[:at].rstrip(_FLAGS))) % 2 == 1
    is_part = after == JOINER or after in _PARTS or unicodedata.category(after) in {"Mn", "Me", "Mc"}
    return is_part or (before == JOINER and is_emoji(after))


def cut(text: str, longest: int = LONGEST) -> str:
    """Return *text*, cut to at most *longest* characters with an ellipsis if needed."""
    return text if len(text) <= longest else f"{beginning(text, longest - 4)} ..."


def shown(value: object, written: Callable[[object], str] = repr, longest: int = LONGEST) -> str:
    """Format *value* for a message, in at most *longest* characters. *written* converts the value to text.

    >>> shown("7X"), shown("9" * 1000)[-9:]
    ("'7X'", '99999 ...')
    """
    if isinstance(value, str):
        value = value[: longest + 1]  # cut before the slow repr: a text can have 50 million characters
    try:
        return cut(visible(written(value)), longest)
    except ValueError:  # Python refuses to print an int of more than 4,300 digits
        return "(a number too long to show)"
    except RecursionError:
        return "(nested too deeply to show)"


def amount(many: int, thing: str) -> str:
    """Format a number of things.

    >>> amount(0, "card"), amount(1, "card"), amount(2_000, "card")
    ('0 cards', '1 card', '2,000 cards')
    """
    return f"{many:,} {thing}" if many == 1 else f"{many:,} {thing}s"


def ranges(numbers: Sequence[int]) -> str:
    """Format *numbers* as a choice, with ranges for consecutive ones. There is at least one, and they ascend.

    >>> ranges((1, 2, 6, 7)), ranges((1, 2, 3, 5, 7, 8, 9)), ranges((4,))
    ('1, 2, 6 or 7', '1 to 3, 5 or 7 to 9', '4')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    *first, last = [
        text for run in runs for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]
    return f"{', '.join(first)} or {last}" if first else last


class ByName:
    """An enumeration whose members have a repr that can be pasted back, such as ``Rank.FIVE``."""

    name: str

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
