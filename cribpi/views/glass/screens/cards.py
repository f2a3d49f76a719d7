"""Cards drawn on the glass: a frame with a rank, and a suit where it is known; or the back of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cribpi.core.cards import Card
from cribpi.views.glass.sheet import Sheet
from cribpi.views.glass.wording import cards

CARD_WIDTH: Final = 28
CARD_HEIGHT: Final = 19


def draw_card(sheet: Sheet, x: int, y: int, card: Card) -> None:
    """Draw the face of *card* with its top left corner at (*x*, *y*)."""
    sheet.edge(x, y, CARD_WIDTH, CARD_HEIGHT)
    rank, suit = card.rank.symbol, card.face[len(card.rank.symbol) :]
    sheet.medium(x + CARD_WIDTH // 2 - 3 * bool(suit), y + 2, rank, align="centre")
    sheet.small(x + CARD_WIDTH - 2, y + 2, suit, align="right")


def draw_back(sheet: Sheet, x: int, y: int) -> None:
    """Draw the back of a card that is not known yet."""
    sheet.edge(x, y, CARD_WIDTH, CARD_HEIGHT)
    sheet.edge(x + 2, y + 2, CARD_WIDTH - 4, CARD_HEIGHT - 4)


def laid_out(row: Sequence[Card], starter: Card) -> str:
    """Write the cards of a hand and the starter in 16 cells.

    >>> from cribpi.core.cards import parse_cards
    >>> laid_out(parse_cards("7 8 8 J"), Card.parse("9"))
    '7 8 8 J + 9'
    """
    spaced = f"{cards(row)} + {starter.face}"
    return spaced if len(spaced) <= 16 else spaced.replace(" ", "")
