"""Offers: the meaning of each key in the current state, whatever the kit calls that key.

An offer has a full text for a button or a sentence, and a short text for the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

from cribpi.companion.entry.context import ANY_CONTEXT, Context
from cribpi.companion.entry.desk import NO_INPUT, Desk, Dialog, Menu
from cribpi.companion.entry.hands import Awaited, HandView, awaited, hand_view, persons
from cribpi.companion.entry.keys import TWENTY, Pad, card_of, side_keys_of
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import NO_PHONES, Phones
from cribpi.companion.entry.reply import Move, Reply
from cribpi.companion.entry.shows import ShowView, show_view
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import PERSON, Event
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.step import is_legal
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import shortened

CELLS: Final = 17
"""Cells in the small font next to the cap of a two-letter key."""


class Text(NamedTuple):
    """A text of the interface, in full and short.

    >>> plays = Text("ANNABEL THE FIRST plays the 7", "{name} 7", "ANNABEL THE FIRST")
    >>> plays.short, plays.fit(8)
    ('ANNABEL THE FI… 7', 'ANNAB… 7')
    """

    long: str
    brief: str
    name: str = ""
    """The name that replaces `{name}` in *brief*, cut to the space available."""

    @property
    def short(self) -> str:
        """The short form that fits next to the cap of a two-letter key."""
        return self.fit(CELLS)

    def fit(self, cells: int) -> str:
        """Return the short form, its name cut to fit *cells* if possible."""
        rest = len(self.brief) - len("{name}")
        return self.brief.replace("{name}", shortened(self.name, max(cells - rest, 1)))


def text_of(text: Text | str) -> Text:
    """Return *text* as a `Text`; the short form of a string is the string without its first capital.

    >>> text_of("Next match").short
    'next match'
    """
    return text if isinstance(text, Text) else Text(text, text[:1].lower() + text[1:])


EVERY_RANK: Final = tuple(Card(rank) for rank in Rank)
"""A card of each rank without a suit, as the rank keys of a keypad name them."""


class Choice(NamedTuple):
    """A key that can be pressed now, and what it does."""

    key: str
    """A key of the keypad, or a card of the open hand, such as `7H`."""
    name: str
    """The key's name on this kit."""
    label: str
    """The effect, for a button or a sentence."""
    short: str
    """The effect in 17 cells of the screen."""
    reply: Reply
    is_likely: bool
    """Whether it is a usual next step, and its key is lit; `MENU`, for example, rarely is."""
    is_amount: bool = False
    """Whether it adds to the typed amount."""
    takes_suit: bool = False
    """Whether the rank can be pressed with a suit, such as `7H`."""


class Offer(NamedTuple):
    """The meaning of *key*, on a keypad that has every key."""

    key: str
    says: Text | str | Callable[[], Text]
    gives: Reply | Callable[[], Reply]
    """The reply or, since most keys are never pressed, a function that computes it on demand.

    That function may raise `RuleError`.
    """
    is_likely: bool = True
    is_amount: bool = False
    takes_suit: bool = False

    @property
    def text(self) -> Text:
        return self.says() if callable(self.says) else text_of(self.says)

    def reply(self) -> Reply:
        """Return the reply to the key.

        Raises:
            RuleError: If the key is refused.
        """
        return self.gives if isinstance(self.gives, Reply) else self.gives()

    def unlikely(self) -> Offer:
        """Return this offer as an unlikely one, whose key is not lit."""
        return self._replace(is_likely=False)


@dataclass(frozen=True)
class Place:
    """A game, the input so far, and the keypad; derived parts are computed once."""

    state: State
    desk: Desk
    pad: Pad = TWENTY
    viewer: int | None = None
    """The seat that sees this view; None on a shared screen."""
    cards: tuple[Card, ...] = EVERY_RANK
    """The cards to offer: one of each rank, or only the card that was pressed."""
    context: Context = ANY_CONTEXT

    @property
    def next_game(self) -> NextGame:
        return self.context.next_game

    @cached_property
    def deal(self) -> Deal:
        """The deal, which exists from a game's first deal to its end."""
        return the_deal(self.state)

    @cached_property
    def hand(self) -> HandView | None:
        """The open hand of this view."""
        return hand_view(self.state, self.desk, self.viewer, self.context.here.away)

    @cached_property
    def awaited(self) -> Awaited:
        """The players whose cards are awaited."""
        return awaited(self.state, self.viewer, self.context.here.away)

    @cached_property
    def show(self) -> ShowView:
        """The hand or crib being shown after the play or, in points mode, counted; meaningful only then."""
        return show_view(self.state, self.desk)

    @cached_property
    def following(self) -> Pairing | None:
        """A club's next pairing; None in a game or a menu, or once the game of the pairing has begun."""
        state, here = self.state, self.context.here
        is_free = self.desk.dialog is None and (state.phase is Phase.IDLE or state.winner is not None)
        return here.pairing if is_free and here.is_waiting else None

    @cached_property
    def pairing(self) -> Pairing | None:
        """The pairing whose game OK starts; None until the last game's result has been seen."""
        is_due = self.state.winner is None or self.context.here.is_result_seen
        return self.following if is_due else None

    @property
    def phones(self) -> Phones:
        """The phones at this table; a phone's own input has none."""
        return self.context.here.phones or NO_PHONES

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons in the current game, or else in the next one."""
        if self.state.names:
            return persons(self.state)
        setup = self.next_game
        levels = setup.dealt_levels or (PERSON,) * setup.players
        return tuple(seat for seat, level in enumerate(levels) if level == PERSON)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats in the current game, or else in the next one."""
        return self.state.names or self.next_game.seat_names()

    def for_card(self, key: str) -> Place:
        """Return the place with no card to offer but the one that *key* names."""
        card = card_of(key)
        return replace(self, cards=() if card is None else (card,))

    def makes(self, event: Event | None = None, move: Move | None = None) -> Reply:
        """Return a reply with *event* or *move* that clears the input."""
        return Reply(NO_INPUT, event, move)

    def opened(self, dialog: Dialog | None) -> Reply:
        """Return a reply that opens *dialog*, or closes the open one if None; other input is unchanged."""
        return Reply(replace(self.desk, dialog=dialog))


@dataclass(frozen=True, slots=True)
class Number:
    """A number to enter.  *typed* and *moved* may raise `RuleError`."""

    value: int | None
    """The number so far; None until a digit is typed."""
    typed: Callable[[int | None], Reply]
    """Return the reply to a digit, one of the values of `keys.DIGITS`."""
    moved: Callable[[int], Reply] | None = None
    """Return the reply to a step of this size; None if the number can only be typed."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list: its name, its value, and the reply to OK while the cursor is on it."""

    says: Text | str
    reply: Reply
    """The reply to OK."""
    does: Text | str | None = None
    """The label of OK; None for the row's name."""
    value: str = ""
    """The value in a sentence."""
    shown: str | tuple[str, str] = ""
    """The value on the screen, or the old value and the new one."""
    turned: Callable[[int], Reply] | None = None
    """Return the reply to P1 (-1) or P2 (1), for a value out of several; it may raise `RuleError`."""
    number: Number | None = None
    """The number that P1 and P2 lower and raise instead."""
    by: int = 1
    """The step by which P1 and P2 change *number*."""

    @property
    def name(self) -> Text:
        return text_of(self.says)

    @property
    def ok(self) -> Text:
        """The label of OK on this row."""
        return text_of(self.does or self.says)

    @property
    def sentence(self) -> str:
        return f"{self.name.long}: {self.value}" if self.value else self.name.long


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of an open list, at least one, and the index *at* of the row with the cursor."""

    title: str
    """The list's name on the screen; if empty, the scores are shown instead."""
    rows: tuple[Row, ...]
    at: int
    cells: int = CELLS
    """The maximum width of a row's name, in cells of the screen."""

    @property
    def row(self) -> Row:
        """The row with the cursor."""
        return self.rows[self.at]

    @property
    def can_change(self) -> bool:
        """Whether P1 and P2 change values; otherwise they move the cursor."""
        return any(row.turned or row.number for row in self.rows)


class Scene(NamedTuple):
    """A prompt and its offers, the likeliest first; of two for the same key the first counts."""

    asks: str
    """The prompt: a sentence without a full stop that names no keys."""
    offers: tuple[Offer, ...]
    takes_ranks: bool = False
    """Whether cards or amounts are asked for; a key that is a rank and a side key is then a rank."""
    how: str | None = None
    """Help on the keys; None for a list of the likely keys with their labels."""
    by_keys: str = ""
    """The prompt at a keypad, if it differs from the one above labelled buttons."""
    remedy: str | None = None
    """The error message for a wrong key, if it is more than the prompt."""
    number: Number | None = None
    """The number to enter, if any."""
    rows: Rows | None = None
    """The open list, if any."""
    is_dead_end: bool = False
    """Whether a rank is needed, and the kit has no keys for ranks."""

    @property
    def at_keypad(self) -> str:
        return self.by_keys or self.asks

    def also(self, *offers: Offer) -> Scene:
        """Return the scene with more *offers*."""
        return self._replace(offers=(*self.offers, *offers))


def first_of_each_key(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return *offers* without a second one for the same key."""
    by_key: dict[str, Offer] = {}
    for offer in offers:
        by_key.setdefault(offer.key, offer)
    return tuple(by_key.values())


def per_card(place: Place, label: Callable[[Card], Text], reply: Callable[[Card], Reply]) -> Iterator[Offer]:
    """Yield an offer for each card of *place*."""
    for card in place.cards:
        yield Offer(str(card), partial(label, card), partial(reply, card), takes_suit=True)


def per_side(
    place: Place,
    label: Callable[[str], Text],
    reply: Callable[[int], Reply],
    *,
    is_go_third: bool = True,
    is_likely: bool = True,
) -> Iterator[Offer]:
    """Yield an offer for each side's key, with the *label* of the side's name."""

    def text(side: int) -> Text:
        return label(place.state.side_name(side))

    for key, side in side_keys_of(place.state.sides, is_go_third=is_go_third):
        yield Offer(key, partial(text, side), partial(reply, side), is_likely)


def undo(place: Place) -> Offer:
    """Return the offer that undoes the last input, or else the last step of the game."""
    desk = place.desk
    if desk.hint is not None:
        return Offer("UNDO", Text("Close the hint", "no hint"), Reply(replace(desk, hint=None, chosen=())))
    if desk.typed or desk.kind or desk.chosen:
        fewer = replace(desk, typed=desk.typed[:-1], kind=None, chosen=desk.chosen[:-1])
        return Offer("UNDO", Text("Undo the last one", "clear"), Reply(fewer))
    return Offer("UNDO", "Undo", partial(place.makes, move=Move.UNDO))


def menu(place: Place) -> Offer:
    return Offer("MENU", "Menu", partial(place.opened, Menu()))


def closing(place: Place, *, is_likely: bool = False) -> tuple[Offer, ...]:
    """Return the offers of UNDO and MENU to close the dialog; UNDO is unlikely if OK closes it too."""
    closes = Offer("UNDO", "Close", place.opened(None), is_likely)
    return closes, closes._replace(key="MENU").unlikely()


def accepted(place: Place, offer: Offer) -> Reply | None:
    """Return the reply of *offer*, or None if it is refused or not legal."""
    try:
        reply = offer.reply()
    except RuleError:
        return None
    return reply if reply.event is None or is_legal(place.state, reply.event) else None
