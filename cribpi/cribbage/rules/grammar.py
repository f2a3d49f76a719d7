"""Grammar of names in sentences: single players, partners, and `YOU`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cribpi.cribbage.rules.names import YOU


class Partners(str):
    """Names of partners in a sentence, which take plural verbs."""

    __slots__ = ()


def spoken(side: str, names: Sequence[str]) -> str:
    """Return the name of *side* for a sentence: "Ann and Cid" for partners.

    *names* are the names of its seats.

    >>> does(spoken("Ann+Cid", ["Ann", "Cid"]), "wins"), does(spoken("ORANGE", ["ORANGE", "ORANGE 2"]), "has")
    ('Ann and Cid win', 'ORANGE has')
    """
    return side if side == names[0] else Partners(" and ".join(names))


_SECOND_PERSON: Final = {"is": "are", "has": "have", "does": "do"}
"""Verbs whose third person is more than an added s."""


def does(name: str, verb: str) -> str:
    """Return *name* followed by the right form of *verb*.

    *verb* is in the third person, and may have more words.

    >>> does("Ann", "turns up"), does("You", "turns up"), does("You", "is dealt"), does("You", "has")
    ('Ann turns up', 'You turn up', 'You are dealt', 'You have')
    >>> does(within("You"), "leads")
    'you lead'
    """
    return f"{name} {verb_of(name, verb)}"


def verb_of(name: str, verb: str) -> str:
    """Return the form of *verb* for *name*. *verb* is in the third person: see `does`."""
    if name not in {YOU, within(YOU)} and not isinstance(name, Partners):
        return verb
    first, space, rest = verb.partition(" ")
    return f"{_SECOND_PERSON.get(first, first.removesuffix('s'))}{space}{rest}"


def capital(sentence: str) -> str:
    """Return *sentence* with a capital first letter. It must not begin with a name."""
    return sentence[:1].upper() + sentence[1:]


def series(words: Sequence[str]) -> str:
    """Format *words* as a list in a sentence, with "and" before the last.

    >>> series(["Ann"]), series(["Ann", "Bob"]), series(["Ann", "Bob", "Cleo"])
    ('Ann', 'Ann and Bob', 'Ann, Bob and Cleo')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def whose(name: str) -> str:
    """Return the possessive of *name*.

    >>> whose("Ann"), whose("You"), whose(spoken("You+Cid", ["You", "Cid"]))
    ("Ann's", 'Your', "Your and Cid's")
    """
    if isinstance(name, Partners) and name.startswith((f"{YOU} ", f"{within(YOU)} ")):
        return f"{name[: len(YOU)]}r{name[len(YOU) :]}'s"
    return f"{name}r" if name in {YOU, within(YOU)} else f"{name}'s"


def whose_turn(what: str, name: str, other: str) -> str:
    """Return an error message: *name* must do *what* next, not *other*.

    >>> whose_turn("cut", "Ann", "You")
    "it is Ann's cut, not yours"
    """
    not_owner = "yours" if other == YOU else whose(other)
    return f"it is {whose(within(name))} {what}, not {not_owner}"


def plays_or_goes(name: str, room: int) -> str:
    """Return the choices of *name* as a sentence, if only cards up to *room* fit the count.

    >>> plays_or_goes("Ann", 6), plays_or_goes("You", 6)
    ('Ann plays 6 or less, or says go', 'You play 6 or less, or say go')
    """
    return f"{does(name, 'plays')} {room} or less, or {verb_of(name, 'says')} go"


def within(name: str) -> str:
    """Return *name* for use within a sentence. `YOU` gets a small first letter.

    >>> within("Ann"), whose(within("You")), whose(within(spoken("You+Cid", ["You", "Cid"])))
    ('Ann', 'your', "your and Cid's")
    """
    if isinstance(name, Partners) and name.startswith(f"{YOU} "):
        return Partners(within(YOU) + name[len(YOU) :])
    return name.lower() if name == YOU else name
