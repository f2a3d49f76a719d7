"""What can be pressed at one place: an offer for each key, before any kit gives the key its name.

What an offer says it says in full, for a button or a sentence, and short, for the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

from cribpi.companion.entry.desk import Desk, Dialog, Menu, SavedInput
from cribpi.companion.entry.hands import Awaited, HandView, awaited, hand_view, persons
from cribpi.companion.entry.keys import TWENTY, Pad, card_of, side_keys_of
from cribpi.companion.entry.next_game import USUAL_GAME, NextGame
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import NO_PHONES, Phones
from cribpi.companion.entry.reply import Move, Reply
from cribpi.companion.entry.shows import ShowView, show_view
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import PERSON, Entry, Event
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.step import is_legal
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import shortened

CELLS: Final = 17
"""Cells of the small face beside the cap of a key of two letters."""


class Text(NamedTuple):
    """A text of the interface, in full and short.

    >>> plays = Text("ANNABEL THE FIRST plays the 7", "{name} 7", "ANNABEL THE FIRST")
    >>> plays.short, plays.fit(8)
    ('ANNABEL THE FI… 7', 'ANNAB… 7')
    """

    long: str
    brief: str
    name: str = ""
    """Whom the short form names, in braces until it is known how much room there is."""

    @property
    def short(self) -> str:
        """The short form beside the cap of a key of two letters."""
        return self.fit(CELLS)

    def fit(self, cells: int) -> str:
        """Return the short form with the name cut so that it takes *cells* at most, if that is possible."""
        rest = len(self.brief) - len("{name}")
        return self.brief.replace("{name}", shortened(self.name, max(cells - rest, 1)))


def text_of(said: Text | str) -> Text:
    """Return what is *said* with its short form, which is the same but for a capital if none is given.

    >>> text_of("Next match").short
    'next match'
    """
    return said if isinstance(said, Text) else Text(said, said[:1].lower() + said[1:])


EVERY_RANK: Final = tuple(Card(rank) for rank in Rank)
"""A card of each rank, its suit unknown: what the rank keys of a keypad name."""


class Choice(NamedTuple):
    """A key that can be pressed now, and what it does."""

    key: str
    """What is pressed: a key of the keypad, or a card of the open hand, as `7H`."""
    name: str
    """What that key is called on this kit."""
    label: str
    """What it does, for a button or a sentence."""
    short: str
    """The same in 17 cells of the screen."""
    reply: Reply
    is_likely: bool
    """Whether it is one of the next steps, and to be lit; `Menu` can always be pressed, and seldom is."""
    is_amount: bool = False
    """Whether it adds to an amount that is typed."""
    takes_suit: bool = False
    """Whether the rank may be pressed with a suit, as `7H`."""


class Offer(NamedTuple):
    """What *key* does, of a keypad that has every key."""

    key: str
    says: Text | str | Callable[[], Text]
    gives: Reply | Callable[[], Reply]
    """What comes of it, or what works that out once it is asked for, and may refuse: most keys are never."""
    is_likely: bool = True
    is_amount: bool = False
    takes_suit: bool = False

    @property
    def text(self) -> Text:
        """What it says, in full and short."""
        return self.says() if callable(self.says) else text_of(self.says)

    def reply(self) -> Reply:
        """Return what comes of the key.

        Raises:
            RuleError: If it is refused.
        """
        return self.gives if isinstance(self.gives, Reply) else self.gives()

    def unlikely(self) -> Offer:
        """Return the same as something that is seldom done."""
        return self._replace(is_likely=False)


@dataclass(frozen=True)
class Place:
    """A game, the input so far, and the keypad; derived parts are computed once."""

    state: State
    desk: Desk
    pad: Pad = TWENTY
    viewer: int | None = None
    """The seat whose own view it is; None at a screen that all can see."""
    cards: tuple[Card, ...] = EVERY_RANK
    """The cards that are asked about: one of each rank, or the one that was pressed."""
    next_game: NextGame = USUAL_GAME

    @property
    def saved(self) -> SavedInput:
        return SavedInput(self.desk, self.next_game)

    @cached_property
    def deal(self) -> Deal:
        """The deal: there is one from the first deal of a game to its end."""
        return the_deal(self.state)

    @cached_property
    def hand(self) -> HandView | None:
        """The open hand of this view."""
        return hand_view(self.state, self.desk, self.viewer)

    @cached_property
    def awaited(self) -> Awaited:
        """The players whose cards are awaited."""
        return awaited(self.state, self.desk, self.viewer)

    @cached_property
    def show(self) -> ShowView:
        """The hand or crib whose show it is: there is one from the end of the play to that of the deal."""
        return show_view(self.state, self.desk)

    @cached_property
    def following(self) -> Pairing | None:
        """The next pairing of a club night; None in a game or a menu, or once its game has begun."""
        state, here = self.state, self.desk.here
        is_free = self.desk.dialog is None and (state.phase is Phase.IDLE or state.winner is not None)
        return here.pairing if is_free and here.is_waiting else None

    @cached_property
    def pairing(self) -> Pairing | None:
        """The pairing whose game OK starts: not before people have seen who has won the last one."""
        is_due = self.state.winner is None or self.desk.here.is_result_seen
        return self.following if is_due else None

    @property
    def phones(self) -> Phones:
        """The phones at this table; a phone's own desk shows none."""
        return self.desk.here.phones or NO_PHONES

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons in the game that is on, or in the one that is set up."""
        if self.state.names:
            return persons(self.state)
        setup = self.next_game
        levels = setup.seat_levels() if setup.entry == Entry.DEALT else (PERSON,) * setup.players
        return tuple(seat for seat, level in enumerate(levels) if level == PERSON)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats in the game that is on, or in the one that is set up."""
        return self.state.names or self.next_game.seat_names()

    def asked(self, key: str) -> Place:
        """Return the place with the card that *key* names alone asked about, or none."""
        card = card_of(key)
        return replace(self, cards=() if card is None else (card,))

    def makes(self, event: Event | None = None, move: Move | None = None) -> Reply:
        """Return a reply that makes *event* or *move*, and clears the input."""
        return Reply(self._cleared, event, move)

    @cached_property
    def _cleared(self) -> Desk:
        return self.desk.cleared()

    def opened(self, dialog: Dialog | None) -> Reply:
        """Return a reply that opens *dialog*, or closes the open one, and keeps the rest of the input."""
        return Reply(replace(self.desk, dialog=dialog))


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is asked for.  What a digit or a step does to it may be refused."""

    value: int | None
    """What it is so far; None until a digit is typed."""
    typed: Callable[[int | None], Reply]
    """What a digit does, as in `keys.DIGITS`."""
    moved: Callable[[int], Reply] | None = None
    """What adding so many does; None where the number can only be typed."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list: its name, its value, and what OK does while the cursor is on it."""

    says: Text | str
    reply: Reply
    """What OK does."""
    does: Text | str | None = None
    """What that is called; without, as the row is."""
    value: str = ""
    """Its value in a sentence."""
    shown: str | tuple[str, str] = ""
    """The same on the screen, or what it was and what it becomes."""
    turned: Callable[[int], Reply] | None = None
    """What P1 (-1) and P2 (1) do where the value is one of several; it may refuse."""
    number: Number | None = None
    """The number that they lower and raise in place of it."""
    by: int = 1
    """How much they change it."""

    @property
    def name(self) -> Text:
        """What it is called, in full and short."""
        return text_of(self.says)

    @property
    def ok(self) -> Text:
        """What OK says here."""
        return text_of(self.does or self.says)

    @property
    def said(self) -> str:
        """The row in a sentence."""
        return f"{self.name.long}: {self.value}" if self.value else self.name.long


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of an open list, one at least, and the number of that at which the cursor is."""

    title: str
    """The list's name on the screen; empty where the scores stand there."""
    rows: tuple[Row, ...]
    at: int
    cells: int = CELLS
    """How many cells of the screen a name of a row can take."""

    @property
    def row(self) -> Row:
        """The row at which the cursor is."""
        return self.rows[self.at]

    @property
    def can_change(self) -> bool:
        """Whether P1 and P2 change values here; else they move the cursor."""
        return any(row.turned or row.number for row in self.rows)


class Scene(NamedTuple):
    """What is asked for at a place, and the offers, the likeliest first; of two for a key the first holds."""

    asks: str
    """What to do, in a sentence without its full stop and without keys."""
    offers: tuple[Offer, ...]
    takes_ranks: bool = False
    """Whether cards or amounts up to the king are asked for, so that a key that is both is a rank."""
    how: str | None = None
    """The keys for it in words, where that is not simply each likely key with what it does."""
    by_keys: str = ""
    """What to do at a keypad, where that is done otherwise than with buttons that say what they do."""
    remedy: str | None = None
    """What the refusal of a wrong key says, if that is more than what is asked."""
    number: Number | None = None
    """The number asked for, if one is."""
    rows: Rows | None = None
    """The list, where one is open."""
    is_dead_end: bool = False
    """Whether a rank is wanted that no key can say."""

    @property
    def at_keypad(self) -> str:
        """What to do, as a keypad is asked."""
        return self.by_keys or self.asks

    def also(self, *offers: Offer) -> Scene:
        """Return the scene with more *offers*."""
        return self._replace(offers=(*self.offers, *offers))


def first_of_each_key(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return *offers* without those for a key that an earlier one has."""
    by_key: dict[str, Offer] = {}
    for offer in offers:
        by_key.setdefault(offer.key, offer)
    return tuple(by_key.values())


def per_card(place: Place, says: Callable[[Card], Text], reply: Callable[[Card], Reply]) -> Iterator[Offer]:
    """Offer *reply* of each card that is asked about."""
    for card in place.cards:
        yield Offer(str(card), partial(says, card), partial(reply, card), takes_suit=True)


def per_side(
    place: Place,
    says: Callable[[str], Text],
    reply: Callable[[int], Reply],
    *,
    is_go_third: bool = True,
    is_likely: bool = True,
) -> Iterator[Offer]:
    """Offer *reply* of each side by its key, in the words that *says* has for its name."""

    def text(side: int) -> Text:
        return says(place.state.side_name(side))

    for key, side in side_keys_of(place.state.sides, is_go_third=is_go_third):
        yield Offer(key, partial(text, side), partial(reply, side), is_likely)


def undo(place: Place) -> Offer:
    """Offer to undo the last input, or else the last step of the game."""
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
    """Offer to close the open dialog by UNDO and MENU; UNDO is seldom pressed where OK does so too."""
    closes = Offer("UNDO", "Close", place.opened(None), is_likely)
    return closes, closes._replace(key="MENU").unlikely()


def accepted(place: Place, offer: Offer) -> Reply | None:
    """Return the reply of *offer*, or None if it is refused or not legal."""
    try:
        reply = offer.reply()
    except RuleError:
        return None
    return reply if reply.event is None or is_legal(place.state, reply.event) else None
