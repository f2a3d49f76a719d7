"""How error messages quote what someone wrote: cut if it is long, with nothing hidden in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

LONGEST: Final = 80
"""The most characters of a quotation."""


def visible(text: str) -> str:
    r"""Return *text* with unprintable characters escaped, so that it stays on its line.

    >>> print(visible("red \x1b[31m\n"))
    red \x1b[31m\n
    """
    if text.isprintable():
        return text
    return "".join([one if one.isprintable() else repr(one)[1:-1] for one in text])


def cut(text: str, longest: int = LONGEST) -> str:
    """Return *text* in at most *longest* characters, cut with an ellipsis if need be."""
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."


def shown(value: object, written: Callable[[object], str] = repr, longest: int = LONGEST) -> str:
    """Return *value* as a message quotes it, in at most *longest* characters; *written* converts it.

    >>> shown("7X"), shown("9" * 1000)[-9:]
    ("'7X'", '99999 ...')
    """
    if isinstance(value, str):
        value = value[: longest + 1]  # before repr: it would quote 50 million characters only to cut them
    try:
        return cut(visible(written(value)), longest)
    except ValueError:  # Python refuses to print an int of more than 4,300 digits
        return "(a number too long to show)"
    except RecursionError:
        return "(nested too deeply to show)"
