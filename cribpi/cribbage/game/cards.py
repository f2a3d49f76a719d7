"""Cards: a rank, and a suit if it is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

from cribpi.cribbage.rules.errors import BadCard, ImpossibleCards
from cribpi.cribbage.rules.shown import ByName, shown


class Suit(ByName, StrEnum):
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"


class Rank(ByName, IntEnum):
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
        """Pips of this rank: 1 to 10."""
        return PIPS[self]

    @property
    def symbol(self) -> str:
        """Text of the rank: `A 2 ... 9 10 J Q K`."""
        return SYMBOLS[self]


PIPS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""Pips by rank, with a 0 for the unused index 0."""

SYMBOLS: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

_SIGNS: Final = dict(zip(Suit, "♣♦♥♠", strict=True))


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A card: a rank, and a suit if it is known.

    Cards have no natural order; sort them with a key.

    >>> Card.parse("10S"), str(Card(Rank.TEN, Suit.SPADES))
    (Card.parse('10S'), '10S')
    """

    rank: Rank
    suit: Suit | None = None

    def __str__(self) -> str:
        return SYMBOLS[self.rank] + (self.suit or "")

    def __repr__(self) -> str:
        return f"Card.parse('{self}')"

    @property
    def face(self) -> str:
        """Text for people, such as `10♥`, or `10` without a suit."""
        return SYMBOLS[self.rank] + (_SIGNS[self.suit] if self.suit else "")

    def may_be(self, other: Card) -> bool:
        """Return whether this card could be *other*: its rank is the same, and its suit the same or unknown.

        >>> Card.parse("7").may_be(Card.parse("7H")), Card.parse("7S").may_be(Card.parse("7H"))
        (True, False)
        """
        return self.rank is other.rank and self.suit in {None, other.suit}

    @classmethod
    def parse(cls, text: str) -> Card:
        """Parse a card as `str` writes it. For text typed by people, use `words.cards.parse_card`.

        Raises:
            BadCard: If *text* is not a card in that form.
        """
        if card := CARDS.get(text):
            return card
        raise BadCard(f"{shown(text)} is not a card: write a rank (A 2 ... 10 J Q K), then perhaps a suit")


PACK: Final = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards, suit by suit, each from the ace up."""

CARDS: Final = {str(card): card for card in (*map(Card, Rank), *PACK)}
"""Every card, with or without a suit, by its text."""


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Sort *cards* by rank from the ace up, then by suit, with cards without a suit first.

    >>> [str(card) for card in in_order(map(Card.parse, ["KS", "2H", "2", "2C"]))]
    ['2', '2C', '2H', 'KS']
    """
    return sorted(cards, key=lambda card: (card.rank, card.suit or ""))


def check_possible(cards: Iterable[Card]) -> None:
    """Check that *cards* can come from one pack: at most four of a rank, and no card twice.

    Raises:
        ImpossibleCards: If they can't.
    """
    cards = tuple(cards)
    ranks = [card.rank for card in cards]
    for rank in dict.fromkeys(ranks):
        if (number := ranks.count(rank)) > 4:
            raise ImpossibleCards(
                f"{number} cards of rank {rank.symbol}: a pack has four; enter the right card", rank
            )
    suited = [card for card in cards if card.suit]
    if len(set(suited)) < len(suited):
        twice = next(card for card in suited if suited.count(card) > 1)
        raise ImpossibleCards(f"{twice} twice: a pack has it once; enter the right card", twice.rank)
