"""Parser for cards as people type them: in letters, signs or words, with or without separators.

Ambiguous text is refused, with an error message that shows a clear form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from cribpi.cribbage.rules.errors import BadCard
from cribpi.cribbage.rules.shown import shown

_RANKS: Final = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
_SPELT: Final = "ACE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN JACK QUEEN KING".split()
_RANK_OF: Final = dict(zip(_SPELT, _RANKS, strict=True)) | {"T": "10"}


def _letters() -> dict[int, str | None]:
    """Return a translation table from signs to plain letters; invisible signs are dropped."""
    table: dict[int, str | None] = {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}  # full width
    signs = {"C": "\u2663\u2667", "D": "\u2666\u2662", "H": "\u2665\u2661\u2764", "S": "\u2660\u2664"}
    for suit, ways in signs.items():
        table |= dict.fromkeys(map(ord, ways), suit)
    for suit, ace in {"S": 0x1F0A1, "H": 0x1F0B1, "D": 0x1F0C1, "C": 0x1F0D1}.items():  # signs of whole cards
        places = (*range(11), 12, 13)  # Unicode has a knight between jack and queen
        table |= {ace + place: f" {rank}{suit} " for place, rank in zip(places, _RANKS, strict=True)}
    table[0x1F51F] = "10"  # a single sign, the keycap ten
    for first, last in ((0xAD, 0xAD), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF)):
        table |= dict.fromkeys(range(first, last + 1))
    return table | dict.fromkeys((*range(0xFE00, 0xFE10), 0x20E3))  # variation selectors and keycaps


_LETTERS: Final = _letters()

_BETWEEN: Final = (
    r"[-,;/|+&.:'\"`_"
    "\u00ab\u00b4\u00b7\u00bb\u2010-\u2015\u2018-\u201f\u2022\u2039\u203a\u2212\u3001\u3002]"
)
"""Separators of cards, besides spaces; they never occur inside a card."""
_WORD: Final = re.compile(
    rf"(?P<between>{_BETWEEN}|\bAND\b)|\bTHE\b|(?P<word>(?:(?!{_BETWEEN})\S)+)", re.IGNORECASE
)

_RANK: Final = "10|[2-9ATJQK]"
_NAME: Final = "|".join(_SPELT)
_SUIT: Final = "[CDHS]|(?:CLUB|DIAMOND|HEART|SPADE)S?"
_JOINS: Final = "\N{WORD JOINER}"
"""The replacement for the "of" between a rank and its suit; in typed text, `_LETTERS` drops it."""
_OF: Final = re.compile(r"\s+OF\s+", re.IGNORECASE)
_BY_NAME: Final = re.compile(rf"({_NAME})(?:{_JOINS}({_SUIT}))?|({_RANK}){_JOINS}({_SUIT})")
_IN_A_ROW: Final = re.compile(rf"(?!JACKS$)(?:(?:{_RANK})[CDHS]?)+")
_COULD_BE_FIRST: Final = re.compile(rf"[CDHS](?:{_RANK})(?![CDHS])")
"""A suit before a rank without one after it: it may belong to that rank or to the one before."""
_SUIT_FIRST: Final = re.compile(rf"(?:[CDHS](?:{_RANK}))+")
_TWO_WAYS: Final = "can be read in two ways"
_AN_ACE: Final = re.compile(rf"\bA\s+(?:(?:{_NAME})\b|(?:{_RANK}){_JOINS})", re.IGNORECASE)


class _TypedCard(NamedTuple):
    """A rank with its suit; either may be "" for missing."""

    rank: str
    suit: str


def names(text: str) -> list[str]:
    """Return the cards in *text* in the form of `str(card)`.

    >>> names("5h,5D 5♠ J"), names("555J 5"), names("ten of hearts")
    (['5H', '5D', '5S', 'J'], ['5', '5', '5', 'J', '5'], ['10H'])

    Raises:
        BadCard: If a part of *text* is not a card, or is ambiguous.
    """
    return [item.rank + item.suit for item in _items(text) if item is not None]


def name(text: str) -> str:
    """Return the single card in *text* in the form of `str(card)`.

    Raises:
        BadCard: If *text* is not exactly one card.
    """
    items = [] if re.search(_BETWEEN, text) else _items(text)
    if len(items) != 1 or items[0] is None:
        raise BadCard(_not_a_card(text.strip()))
    return items[0].rank + items[0].suit


def _items(text: str) -> list[_TypedCard | None]:
    """Return the cards in *text*, and None for each separator."""
    plain = _OF.sub(_JOINS, text.translate(_LETTERS))
    if match := _AN_ACE.search(plain):
        raise BadCard(f"{_quoted(match[0])}: is the A an ace? Write ace if it is, or leave it out")
    items: list[_TypedCard | None] = []
    for match in _WORD.finditer(plain):
        if match["between"]:
            items.append(None)
        elif match["word"]:
            items += _parse_word(match["word"])
    after, before = _with_suits(items), _with_suits(items[::-1])
    ways = [way for way in (after, before and before[::-1]) if way is not None]
    if not ways:
        raise BadCard(f"{_quoted(plain)}: a suit is left over; write each right after its rank, as in 5H 6D")
    if ways[0] != ways[-1]:
        raise BadCard(f"{_quoted(plain)} {_TWO_WAYS}: write each suit right after its rank, as in 5H 6")
    return ways[0]


def _parse_word(text: str) -> list[_TypedCard]:
    """Return the cards in one word, or a single suit.

    Raises:
        BadCard: If *text* is neither, or is ambiguous.
    """
    word = text.upper() if text.replace(_JOINS, "").isascii() else text
    if match := _BY_NAME.fullmatch(word):
        spelt, of_spelt, rank, suit = match.groups("")
        return [_item(spelt or rank, of_spelt or suit)]
    if _IN_A_ROW.fullmatch(word):
        if _COULD_BE_FIRST.search(word):
            raise BadCard(f"{_quoted(text)} {_TWO_WAYS}: put a space between the cards, as in 5H 6")
        return [_item(rank, suit) for rank, suit in re.findall(rf"({_RANK})([CDHS]?)", word)]
    if _SUIT_FIRST.fullmatch(word):
        return [_item(rank, suit) for suit, rank in re.findall(rf"([CDHS])({_RANK})", word)]
    if re.fullmatch(_SUIT, word):
        return [_TypedCard("", word[0])]
    raise BadCard(_not_a_card(text))


def _item(rank: str, suit: str) -> _TypedCard:
    return _TypedCard(_RANK_OF.get(rank, rank), suit[:1])


def _with_suits(items: Iterable[_TypedCard | None]) -> list[_TypedCard | None] | None:
    """Attach each separate suit to the card before it; return None if that has a suit or is missing."""
    cards: list[_TypedCard | None] = []
    for item in items:
        last = cards[-1] if cards else None
        if item is None or item.rank:
            cards.append(item)
        elif last is not None and not last.suit:
            cards[-1] = _TypedCard(last.rank, item.suit)
        else:
            return None
    return cards


def _not_a_card(word: str) -> str:
    is_one = re.search(r"1(?!0)", word) and re.fullmatch(r"[0-9ATJQKCDHS]+", word, re.IGNORECASE)
    remedy = (
        "write A for an ace, 10 for a ten, J, Q or K for 11, 12 or 13"
        if is_one
        else "write a rank (A 2 3 4 5 6 7 8 9 10 J Q K), then perhaps a suit (C D H S)"
    )
    return f"{_quoted(word)} is not a card: {remedy}"


def _quoted(text: str) -> str:
    return shown(text.strip().replace(_JOINS, " of "))
