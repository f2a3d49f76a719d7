"""Parsers for cards and hands as people write them, used for all input of cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from cribpi.cribbage.game.cards import CARDS, Card, check_possible, in_order
from cribpi.cribbage.rules.errors import BadCard
from cribpi.cribbage.rules.seats import HAND
from cribpi.cribbage.rules.shown import amount, shown

LONGEST_ROW: Final = 4_000
"""The most characters of cards in a row: a pack in words, such as "ace of spades", has about a thousand."""


def parse_card(text: str) -> Card:
    """Parse one card in any notation that people use; `str` is the inverse.

    >>> str(parse_card("th")), str(parse_card("7"))
    ('10H', '7')

    Raises:
        BadCard: If *text* is not one card.
    """
    if card := CARDS.get(text):
        return card
    from cribpi.cribbage.words import typed  # noqa: PLC0415  not needed for cards in the printed form

    return CARDS[typed.name(text)]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse cards in a row as people type them; `" ".join(map(str, cards))` is the inverse.

    >>> [str(card) for card in parse_cards("7h, 8C ts K")]
    ['7H', '8C', '10S', 'K']

    Raises:
        BadCard: If a part of *text* is not a card, or is ambiguous.
    """
    if len(text) > LONGEST_ROW:
        raise BadCard(f"{shown(text)} is too long: a pack has 52 cards")
    try:
        return tuple([CARDS[word] for word in text.split()])  # ten times as fast, for the printed form
    except KeyError:
        from cribpi.cribbage.words import typed  # noqa: PLC0415  not needed for cards in the printed form

        return tuple([CARDS[name] for name in typed.names(text)])


class TypedHand(NamedTuple):
    """A hand or crib as typed, perhaps with fewer cards or without the starter."""

    cards: tuple[Card, ...]
    starter: Card | None
    is_crib: bool
    """Whether the text has the word crib."""


_CRIB: Final = re.compile(r"\(?\bcrib\b\)?", re.IGNORECASE)


def parse_hand(text: str, size: int = HAND) -> TypedHand:
    """Parse a hand of up to *size* cards; the starter is the card after them, or after a bar.

    A crib always has four cards.

    >>> cards, starter, is_crib = parse_hand("2h 4h 8h kh | 6s crib")
    >>> " ".join(map(str, cards)), str(starter), is_crib
    ('2H 4H 8H KH', '6S', True)

    Raises:
        BadCard: If a part of *text* is not a card or is ambiguous, or the number of cards is wrong.
    """
    text = text.replace("\N{FULLWIDTH VERTICAL LINE}", "|")
    said, cribs = _CRIB.subn(",", text, count=1)
    before, _, behind = said.partition("|")
    cards, starters = (parse_cards(part.strip(" ,")) for part in (before, behind))
    size = HAND if cribs else size
    if not starters:
        cards, starters = cards[:size], cards[size:]
    if len(starters) > 1 or (starters and len(cards) != size):
        raise not_a_hand(text, len(cards), len(starters), size)
    return TypedHand(cards, next(iter(starters), None), bool(cribs))


def parse_show(
    text: str, starter_text: str | None = None, size: int = HAND
) -> tuple[tuple[Card, ...], Card, bool]:
    """Parse a complete hand and its starter, *starter_text* or the last card; see `TypedHand` for the result.

    Raises:
        BadCard: If a word is not a card, or the number of cards is wrong.
        ImpossibleCards: If one pack can't hold the cards.
    """
    given = text if starter_text is None else f"{text} | {starter_text}"
    cards, starter, is_crib = parse_hand(given, size)
    if starter is None:
        raise not_a_hand(given, len(cards), 0, HAND if is_crib else size)
    check_possible((*cards, starter))
    return cards, starter, is_crib


def not_a_hand(text: str, cards: int, starters: int, size: int) -> BadCard:
    """Return the error for *text*, which has *cards* cards and *starters* starters for a hand of *size*."""
    turned_up = amount(starters, "starter") if starters else "no starter"
    has = (
        f"{amount(cards, 'card')} and {turned_up}"
        if starters < 2 or "|" in text
        else f"{cards + starters} cards"
    )
    wanted = "four cards and the starter, such as 7H 8C 8D KS | 9S"
    if size != HAND:
        wanted = "three cards and the starter, such as 7H 8C 8D | 9S"
    return BadCard(f"{shown(text.strip())} has {has}: write {wanted}")


def ranks_apart(cards: Sequence[Card], other: Sequence[Card]) -> str:
    """Format the ranks of *cards*, with their suits if *other*, named in the same text, has the same ranks.

    >>> ace, king, other = map(Card.parse, ("AC", "KD", "KH"))
    >>> ranks_apart((ace, king), (ace, other)), ranks_apart((ace, king), (ace,))
    ('A♣-K♦', 'A-K')
    """
    is_alike = sorted(card.rank for card in cards) == sorted(card.rank for card in other)
    return "-".join(card.face if is_alike else card.rank.symbol for card in in_order(cards))
