"""Cards: a rank, and a suit if it is known."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from cribpi.cribbage.rules.errors import BadCard, ImpossibleCards
from cribpi.cribbage.rules.seats import HAND
from cribpi.cribbage.rules.shown import amount, shown


class Suit(StrEnum):
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"


class Rank(IntEnum):
    """A rank, from 1 for the ace, which is low, to 13 for the king."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def pips(self) -> int:
        """What a card of this rank adds to a count: 1 to 10."""
        return PIPS[self]

    @property
    def symbol(self) -> str:
        """How the rank is written: `A 2 ... 9 10 J Q K`."""
        return SYMBOLS[self]


PIPS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""Pips by rank; nothing has rank 0."""

SYMBOLS: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

_SIGNS: Final = {
    Suit.CLUBS: "\N{BLACK CLUB SUIT}",
    Suit.DIAMONDS: "\N{BLACK DIAMOND SUIT}",
    Suit.HEARTS: "\N{BLACK HEART SUIT}",
    Suit.SPADES: "\N{BLACK SPADE SUIT}",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A card: a rank, and a suit if it is known.

    Cards have no order of their own; sort them with a key.

    >>> Card.parse("10s"), str(Card(Rank.TEN, Suit.SPADES))
    (Card(rank=<Rank.TEN: 10>, suit=<Suit.SPADES: 'S'>), '10S')
    """

    rank: Rank
    suit: Suit | None = None

    def __str__(self) -> str:
        return SYMBOLS[self.rank] + (self.suit or "")

    @property
    def face(self) -> str:
        """How it is written for people, with its suit's sign: `10♥`; a rank alone where that is known."""
        return SYMBOLS[self.rank] + (_SIGNS[self.suit] if self.suit else "")

    def may_be(self, other: Card) -> bool:
        """Tell whether this card is *other*, or any of its rank, its own suit unknown.

        >>> Card.parse("7").may_be(Card.parse("7H")), Card.parse("7S").may_be(Card.parse("7H"))
        (True, False)
        """
        return self.rank is other.rank and self.suit in {None, other.suit}

    @classmethod
    def parse(cls, text: str) -> Card:
        """Parse one card in any way that people write it; `str` is the inverse.

        >>> str(Card.parse("th")), str(Card.parse("7"))
        ('10H', '7')

        Raises:
            BadCard: If *text* is not one card.
        """
        if found := _BY_NAME.get(text):
            return found
        from cribpi.cribbage.game import typed  # noqa: PLC0415  as a card is printed it is read without

        return _BY_NAME[typed.name(text)]


PACK: Final = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards, suit by suit, each from the ace up."""


LONGEST_ROW: Final = 4_000
"""The most characters of cards in a row: a pack in words, each with its suit, has a thousand."""

_BY_NAME: Final = {str(card): card for card in (*map(Card, Rank), *PACK)}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse cards in a row as people type them; `" ".join(map(str, cards))` is the inverse.

    >>> [str(card) for card in parse_cards("7h, 8C ts K")]
    ['7H', '8C', '10S', 'K']

    Raises:
        BadCard: If something in *text* is not a card, or could be two things.
    """
    if len(text) > LONGEST_ROW:
        raise BadCard(f"{shown(text)} is too long: a pack has 52 cards")
    try:
        return tuple([_BY_NAME[word] for word in text.split()])  # as cards are printed, ten times as fast
    except KeyError:
        from cribpi.cribbage.game import typed  # noqa: PLC0415  as above

        return tuple([_BY_NAME[name] for name in typed.names(text)])


class TypedHand(NamedTuple):
    """A hand or a crib as somebody types it: up to four cards, and the starter once it is there."""

    cards: tuple[Card, ...]
    starter: Card | None
    is_crib: bool
    """Whether the word crib stands before or behind its cards."""


_CRIB: Final = re.compile(r"\(?\bcrib\b\)?", re.IGNORECASE)


def parse_hand(text: str) -> TypedHand:
    """Parse a hand, or what is there of it; the starter is the fifth card, or behind a bar.

    >>> cards, starter, is_crib = parse_hand("2h 4h 8h kh | 6s crib")
    >>> " ".join(map(str, cards)), str(starter), is_crib
    ('2H 4H 8H KH', '6S', True)

    Raises:
        BadCard: If something in *text* is not a card, could be two things, or is too much.
    """
    text = text.replace("\N{FULLWIDTH VERTICAL LINE}", "|")
    said, cribs = _CRIB.subn(",", text, count=1)
    before, _, behind = said.partition("|")
    cards, turned = (parse_cards(part.strip(" ,")) for part in (before, behind))
    if not turned:
        cards, turned = cards[:HAND], cards[HAND:]
    if len(turned) > 1 or (turned and len(cards) != HAND):
        raise not_a_hand(text, len(cards), len(turned))
    return TypedHand(cards, next(iter(turned), None), bool(cribs))


def not_a_hand(text: str, cards: int, starters: int) -> BadCard:
    """Return what to say of *text*, which has so many *cards* and *starters*."""
    turned_up = amount(starters, "starter") if starters else "no starter"
    has = (
        f"{amount(cards, 'card')} and {turned_up}"
        if starters < 2 or "|" in text
        else f"{cards + starters} cards"
    )
    return BadCard(
        f"{shown(text.strip())} has {has}: write four cards and the starter, such as 7H 8C 8D KS | 9S"
    )


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Sort *cards* from the ace up, those of a rank by suit, one without a suit before the others.

    >>> [str(card) for card in in_order(parse_cards("KS 2H 2 2C"))]
    ['2', '2C', '2H', 'KS']
    """
    return sorted(cards, key=lambda card: (card.rank, card.suit or ""))


def check_possible(cards: Iterable[Card]) -> None:
    """Check that one pack can hold *cards*: at most four of a rank, and no card twice.

    Raises:
        ImpossibleCards: If it can't.
    """
    cards = tuple(cards)
    ranks = [card.rank for card in cards]
    for rank in dict.fromkeys(ranks):
        if (number := ranks.count(rank)) > 4:
            raise ImpossibleCards(
                f"{number} cards of rank {rank.symbol}: a pack has four; press the right card", rank
            )
    suited = [card for card in cards if card.suit]
    if len(set(suited)) < len(suited):
        twice = next(card for card in suited if suited.count(card) > 1)
        raise ImpossibleCards(f"{twice} twice: a pack has it once; press the right card", twice.rank)
