"""What the keys are called on the glass and in sentences: as they are called on the kit that people have.

Everything else speaks of the keys of a keypad of twenty; here, and nowhere else, that is put into the words
of another one.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from cribpi.entry.keys import RANKS
from cribpi.entry.pad import TWENTY, Pad
from cribpi.views import texts

_GLYPHS: Final = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→", "Enter": "↵"}
"""What takes one cell of the glass."""

ANY_NUMBER: Final = "1..9"
"""The keys of an amount, where the court cards' are the sides'."""

_KEY: Final = re.compile(r"\b(P1|P2|P3|GO|FLNB|UNDO|MENU|OK)\b")
_REFUSED: Final = re.compile(rf"^({'|'.join(RANKS)})(?= does nothing| comes later)")
_THIRD: Final = re.compile(r"(?<= pegs it, )GO(?= for )")
_SPAN: Final = re.compile(rf"\bA(?: to ({'|'.join(RANKS)})\b|, 2, 3, 4\b|(?=: ))")

_JOYSTICK: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"A(?: to \w+|, 2, 3, 4) picks? a line", "UP and DOWN pick a line"),
        (r"^(Correct [^:]+: )(?:A|[2-9]): ", r"\1"),
        (r"type an amount, then a side's key", "UP and DOWN set an amount, P1 or P2 pegs it"),
        (
            r"type (?:the count|what was counted)(?:,? and OK|, then OK).*",
            "UP and DOWN set the count, then OK",
        ),
        (
            r": (\d) for his heels to (.+), or OK to play",
            r": UP and OK is \1 for his heels to \2, OK alone goes on",
        ),
        (r"press the rank, or OK to leave", "P1 or P2 for who deals, or OK to leave"),
        (r"(?:P|p)ress the rank that was cut, or OK", "P1 or P2 for who deals, or OK"),
        (r"Press a side's key, or A to 4 for the seat", "P1 or P2, or MENU for the others"),
        (r"press that side's key, or A to 4 for the seat", "press P1 or P2, or MENU for the others"),
        (r", FLNB compares it with the cards", ""),
        (r", FLNB in \w+", ""),
        (r", GO the next side", ", UP and DOWN pick a line"),
        (r"P1 and P2 (move|for the others)", r"UP and DOWN \1"),
        (r"the winner's key", "P1 or P2"),
    )
)
"""What is said of keys that a joystick does not have, and what it has instead."""


def cap(key: str, pad: Pad) -> str | None:
    """Return what the glass shows for *key* on *pad*, or None where it has no such key.

    >>> from cribpi.entry.pad import ARROWS
    >>> stick = Pad(("LEFT", "OK"), caps=(("OK", "Enter"),))
    >>> cap("P1", stick), cap("OK", stick), cap("FLNB", stick), cap("A..K", stick), cap("7", TWENTY)
    ('←', '↵', None, None, '7')
    """
    if key in {texts.ANY_RANK, ANY_NUMBER}:
        return key if pad.has_ranks else None
    own = pad.reach(key)
    if own is None:
        return None
    printed = dict(pad.caps).get(own, own)
    return _GLYPHS.get(printed, printed)


def amount_keys(pad: Pad) -> tuple[str, ...]:
    """Return the keys that make an amount in a game kept by points, as a screen names them."""
    if not pad.has_ranks:
        return "UP", "DOWN"
    return (ANY_NUMBER,) if pad.sides else (texts.ANY_RANK,)


def in_words(sentence: str, pad: Pad) -> str:
    """Return *sentence* with the keys called as they are on *pad*.

    >>> slash = Pad((*TWENTY.keys, "UP"), caps=(("GO", "+"), ("OK", "Enter"), ("A", "1")))
    >>> in_words("A to 4 picks a line, OK accepts, GO for none", slash)
    '1 to 4 picks a line, Enter accepts, [+] for none'
    """
    if pad == TWENTY:
        return sentence
    if not pad.has_ranks:
        for pattern, instead in _JOYSTICK:
            sentence = pattern.sub(instead, sentence)
    sentence = _THIRD.sub(_third(pad), sentence)
    sentence = _SPAN.sub(partial(_span, pad), sentence)
    sentence = _REFUSED.sub(lambda found: _word(found[0], pad), sentence)
    return _KEY.sub(lambda found: _word(found[0], pad), sentence)


def _word(key: str, pad: Pad) -> str:
    """Return what *key* is called in a sentence; a name that is no word stands in brackets."""
    own = pad.reach(key)
    held = next((button for button, longer in pad.holds if longer == key), None)
    if own is None and held is not None:
        return f"{_word(held, pad)} held"
    if own is None:
        return key
    printed = dict(pad.caps).get(own, own)
    return printed if printed.isalnum() else f"[{printed}]"


def _third(pad: Pad) -> str:
    """Return what commits an amount to the third side: its key, or the first line of the menu."""
    key = pad.side_keys(3)[2]
    return "MENU OK" if key == "MENU" else key


def _span(pad: Pad, found: re.Match[str]) -> str:
    """Return rank keys from the ace on as they are called; those that stand for sides pick no line."""
    if found[1] is None:
        return found[0].replace("A", _word("A", pad), 1)
    last = "10" if found[1] in dict(pad.sides) else found[1]
    return f"{_word('A', pad)} to {_word(last, pad)}"
