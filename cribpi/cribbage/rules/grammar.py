"""How a sentence speaks of a player: of one, of partners by both names, and to `YOU`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cribpi.cribbage.rules.names import YOU


class Partners(str):
    """How partners are written in a sentence: what is said of them is said of more than one."""

    __slots__ = ()


def spoken(side: str, names: Sequence[str]) -> str:
    """Return how the *side* of the seats *names* is written in a sentence: partners by both names.

    >>> does(spoken("Ann+Cid", ["Ann", "Cid"]), "wins"), does(spoken("ORANGE", ["ORANGE", "ORANGE 2"]), "has")
    ('Ann and Cid win', 'ORANGE has')
    """
    return side if side == names[0] else Partners(" and ".join(names))


_SECOND_PERSON: Final = {"is": "are", "has": "have", "does": "do"}
"""Verbs that differ from the third person by more than its s."""


def does(name: str, verb: str) -> str:
    """Return *name* with what it does, *verb* as of a third person and perhaps more; `YOU` is spoken to.

    >>> does("Ann", "turns up"), does("You", "turns up"), does("You", "is dealt"), does("You", "has")
    ('Ann turns up', 'You turn up', 'You are dealt', 'You have')
    >>> does(within("You"), "leads")
    'you lead'
    """
    return f"{name} {verb_of(name, verb)}"


def verb_of(name: str, verb: str) -> str:
    """Return *verb*, as of a third person, as it is said of *name*, or to it: see `does`."""
    if name not in {YOU, within(YOU)} and not isinstance(name, Partners):
        return verb
    first, space, rest = verb.partition(" ")
    return f"{_SECOND_PERSON.get(first, first.removesuffix('s'))}{space}{rest}"


def capital(sentence: str) -> str:
    """Return *sentence* with a capital; a name that begins it is not to be given."""
    return sentence[:1].upper() + sentence[1:]


def series(words: Sequence[str]) -> str:
    """Return *words* as a sentence lists them.

    >>> series(["Ann"]), series(["Ann", "Bob"]), series(["Ann", "Bob", "Cleo"])
    ('Ann', 'Ann and Bob', 'Ann, Bob and Cleo')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def whose(name: str) -> str:
    """Return *name* as an owner.

    >>> whose("Ann"), whose("You"), whose(spoken("You+Cid", ["You", "Cid"]))
    ("Ann's", 'Your', "Your and Cid's")
    """
    if isinstance(name, Partners) and name.startswith((f"{YOU} ", f"{within(YOU)} ")):
        return f"{name[: len(YOU)]}r{name[len(YOU) :]}'s"
    return f"{name}r" if name in {YOU, within(YOU)} else f"{name}'s"


def whose_turn(what: str, name: str, other: str) -> str:
    """Say that it is the turn of *name*, and not of the *other*, to do *what*.

    >>> whose_turn("cut", "Ann", "You")
    "it is Ann's cut, not yours"
    """
    theirs = "yours" if other == YOU else whose(other)
    return f"it is {whose(within(name))} {what}, not {theirs}"


def plays_or_goes(name: str, room: int) -> str:
    """Say what *name* may do where a card of up to *room* points fits, but the one that was played doesn't.

    >>> plays_or_goes("Ann", 6), plays_or_goes("You", 6)
    ('Ann plays 6 or less, or says go', 'You play 6 or less, or say go')
    """
    return f"{does(name, 'plays')} {room} or less, or {verb_of(name, 'says')} go"


def within(name: str) -> str:
    """Return *name* as it is written within a sentence.

    >>> within("Ann"), whose(within("You")), whose(within(spoken("You+Cid", ["You", "Cid"])))
    ('Ann', 'your', "your and Cid's")
    """
    if isinstance(name, Partners) and name.startswith(f"{YOU} "):
        return Partners(within(YOU) + name[len(YOU) :])
    return name.lower() if name == YOU else name
