"""Key bindings: what each key does in the current state.

A binding has a long label, for a button or a sentence, and a short label for the screen. It does not depend
on how a kit labels the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

from cribpi.companion.entry.effect import Effect, TableCommand
from cribpi.companion.entry.hands import Awaited, HandView, awaited, hand_view, persons
from cribpi.companion.entry.input_context import ANY_CONTEXT, InputContext
from cribpi.companion.entry.input_state import NO_INPUT, Dialog, InputState, Menu
from cribpi.companion.entry.keys import TWENTY, Pad, card_of, side_keys_of
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import NO_PHONES, Phones
from cribpi.companion.entry.shows import ShowView, show_view
from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import PERSON, Event
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.step import is_legal
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import shortened

CELLS: Final = 17
"""Width of a label in characters of the small font, next to a key's name of two letters."""


class Text(NamedTuple):
    """A text of the interface, in a long and a short form.

    >>> plays = Text("ANNABEL THE FIRST plays the 7", "{name} 7", "ANNABEL THE FIRST")
    >>> plays.short, plays.fit(8)
    ('ANNABEL THE FI… 7', 'ANNAB… 7')
    """

    long: str
    brief: str
    name: str = ""
    """Name that replaces `{name}` in *brief*. It is shortened if needed."""

    @property
    def short(self) -> str:
        """Short form with the default width, `CELLS`."""
        return self.fit(CELLS)

    def fit(self, cells: int) -> str:
        """Return the short form.

        The name in it is shortened to fit *cells* characters, if that is possible.
        """
        rest = len(self.brief) - len("{name}")
        return self.brief.replace("{name}", shortened(self.name, max(cells - rest, 1)))


def text_of(text: Text | str) -> Text:
    """Convert *text* to a `Text`. The short form of a string starts with a small letter.

    >>> text_of("Next match").short
    'next match'
    """
    return text if isinstance(text, Text) else Text(text, text[:1].lower() + text[1:])


EVERY_RANK: Final = tuple(Card(rank) for rank in Rank)
"""A card of each rank, without a suit. Rank keys of a keypad stand for these."""


class Choice(NamedTuple):
    """A key that can be pressed now, and its effect."""

    key: str
    """Name of a key, or a card of the open hand, such as `7H`."""
    name: str
    """Name of the key on this kit."""
    label: str
    """Effect of the key, for a button or a sentence."""
    short: str
    """Effect of the key in at most 17 characters."""
    effect: Effect
    is_likely: bool
    """Whether this is a usual next step, so that the key is lit. `MENU`, for example, rarely is."""
    is_amount: bool = False
    """Whether the key adds to the typed amount."""
    takes_suit: bool = False
    """Whether the rank can be combined with a suit, such as `7H`."""


class KeyBinding(NamedTuple):
    """The binding of *key*, independent of which keys a kit has."""

    key: str
    label: Text | str | Callable[[], Text]
    action: Effect | Callable[[], Effect]
    """The effect, or a function that computes it. Most keys are never pressed, so computing is lazy.

    The function may raise `RuleError`.
    """
    is_likely: bool = True
    is_amount: bool = False
    takes_suit: bool = False

    @property
    def text(self) -> Text:
        return self.label() if callable(self.label) else text_of(self.label)

    def effect(self) -> Effect:
        """Return the effect of this key.

        Raises:
            RuleError: If the key is refused.
        """
        return self.action if isinstance(self.action, Effect) else self.action()

    def unlikely(self) -> KeyBinding:
        """Return this binding marked as unlikely. Its key is then not lit."""
        return self._replace(is_likely=False)


@dataclass(frozen=True)
class GameView:
    """A game, the input so far, and the keypad. Cached properties are computed on first use."""

    state: State
    input_state: InputState
    pad: Pad = TWENTY
    viewer: int | None = None
    """Seat that sees this view, or None on a shared screen."""
    cards: tuple[Card, ...] = EVERY_RANK
    """Cards that can be pressed: one of each rank, or only the card that was pressed."""
    context: InputContext = ANY_CONTEXT

    @property
    def next_game(self) -> NextGame:
        return self.context.next_game

    @cached_property
    def deal(self) -> Deal:
        """Current deal. It exists from a game's first deal to its end."""
        return the_deal(self.state)

    @cached_property
    def hand(self) -> HandView | None:
        """Open hand of this view, or None."""
        return hand_view(self.state, self.input_state, self.viewer, self.context.here.away)

    @cached_property
    def awaited(self) -> Awaited:
        """Players who must play a card or discard."""
        return awaited(self.state, self.viewer, self.context.here.away)

    @cached_property
    def show(self) -> ShowView:
        """The hand or crib being shown, or a hand being counted in points mode.

        Meaningless at other times.
        """
        return show_view(self.state, self.input_state)

    @cached_property
    def following(self) -> Pairing | None:
        """A club's next pairing if it can start now, otherwise None.

        It can't while a game or a menu is open.
        """
        state, here = self.state, self.context.here
        is_free = self.input_state.dialog is None and (state.phase is Phase.IDLE or state.winner is not None)
        return here.pairing if is_free and here.is_waiting else None

    @cached_property
    def pairing(self) -> Pairing | None:
        """The pairing that OK would start, or None.

        First, the players must have seen the last game's result.
        """
        is_due = self.state.winner is None or self.context.here.is_result_seen
        return self.following if is_due else None

    @property
    def phones(self) -> Phones:
        """Phones at this table. A phone's own view lists none."""
        return self.context.here.phones or NO_PHONES

    @property
    def people(self) -> tuple[int, ...]:
        """Seats of persons in the current game. Before the first game, those in the next one."""
        if self.state.names:
            return persons(self.state)
        setup = self.next_game
        levels = setup.dealt_levels or (PERSON,) * setup.players
        return tuple(seat for seat, level in enumerate(levels) if level == PERSON)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats in the current game. Before the first game, those in the next one."""
        return self.state.names or self.next_game.seat_names()

    def for_card(self, key: str) -> GameView:
        """Return this context with no cards but the one that *key* names."""
        card = card_of(key)
        return replace(self, cards=() if card is None else (card,))

    def makes(self, event: Event | None = None, command: TableCommand | None = None) -> Effect:
        """Return an effect with *event* or *command*. The pending input is cleared."""
        return Effect(NO_INPUT, event, command)

    def opened(self, dialog: Dialog | None) -> Effect:
        """Return an effect that opens *dialog*, or with None closes the open one. All other input stays."""
        return Effect(replace(self.input_state, dialog=dialog))


@dataclass(frozen=True, slots=True)
class Number:
    """A number that can be entered. *typed* and *moved* may raise `RuleError`."""

    value: int | None
    """Number so far, or None until a digit is typed."""
    typed: Callable[[int | None], Effect]
    """Function from a digit to the effect.

    Digits are the values of `keys.DIGITS`; None erases the last one.
    """
    moved: Callable[[int], Effect] | None = None
    """Function from a step, such as -10, to the effect. None if the number can only be typed."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list: a name, a value, and the effect of OK."""

    label: Text | str
    effect: Effect
    """Effect of OK while the cursor is on this row."""
    does: Text | str | None = None
    """Label of OK, or None for the row's name."""
    value: str = ""
    """Value in words, for a sentence."""
    shown: str | tuple[str, str] = ""
    """Value on the screen, or a pair of the old and the new value."""
    turned: Callable[[int], Effect] | None = None
    """Function that selects the previous (-1, for P1) or next (1, for P2) value. May raise `RuleError`.
    """
    number: Number | None = None
    """Number that P1 and P2 lower and raise, or None."""
    by: int = 1
    """Step size of P1 and P2 for *number*."""

    @property
    def name(self) -> Text:
        return text_of(self.label)

    @property
    def ok(self) -> Text:
        """Label of OK on this row."""
        return text_of(self.does or self.label)

    @property
    def sentence(self) -> str:
        return f"{self.name.long}: {self.value}" if self.value else self.name.long


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of an open list, at least one. *at* is the index of the row with the cursor."""

    title: str
    """Title on the screen. If it is empty, the scores are shown instead."""
    rows: tuple[Row, ...]
    at: int
    cells: int = CELLS
    """Maximum width of a row's name on the screen, in characters."""

    @property
    def row(self) -> Row:
        """Row with the cursor."""
        return self.rows[self.at]

    @property
    def can_change(self) -> bool:
        """Whether P1 and P2 change values. Otherwise they move the cursor."""
        return any(row.turned or row.number for row in self.rows)


class Scene(NamedTuple):
    """A prompt and the key bindings, likeliest first.

    Of two bindings of the same key, the first one counts.
    """

    prompt: str
    """Prompt: a sentence without a full stop. It does not name keys."""
    bindings: tuple[KeyBinding, ...]
    takes_ranks: bool = False
    """Whether cards or amounts are expected. A key that is both a rank and a side's key is then a rank."""
    key_help: str | None = None
    """Help on the keys. None stands for a list of the likely keys with their labels."""
    keypad_prompt: str = ""
    """Prompt on a keypad, if it differs from the prompt above labelled buttons; otherwise ""."""
    remedy: str | None = None
    """Error message after a wrong key, or None for the prompt."""
    number: Number | None = None
    """Number that can be entered, or None."""
    rows: Rows | None = None
    """The open list, or None."""
    is_dead_end: bool = False
    """Whether only rank keys could continue, but the kit has none."""

    @property
    def at_keypad(self) -> str:
        return self.keypad_prompt or self.prompt

    def also(self, *bindings: KeyBinding) -> Scene:
        """Return this scene with more bindings."""
        return self._replace(bindings=(*self.bindings, *bindings))


def first_of_each_key(bindings: Iterable[KeyBinding]) -> tuple[KeyBinding, ...]:
    """Return *bindings* with only the first binding of each key."""
    by_key: dict[str, KeyBinding] = {}
    for binding in bindings:
        by_key.setdefault(binding.key, binding)
    return tuple(by_key.values())


def per_card(
    view: GameView, label: Callable[[Card], Text], effect: Callable[[Card], Effect]
) -> Iterator[KeyBinding]:
    """Yield a binding for each card of *view*."""
    for card in view.cards:
        yield KeyBinding(str(card), partial(label, card), partial(effect, card), takes_suit=True)


def per_side(
    view: GameView,
    label: Callable[[str], Text],
    effect: Callable[[int], Effect],
    *,
    is_go_third: bool = True,
    is_likely: bool = True,
) -> Iterator[KeyBinding]:
    """Yield a binding for each side's key. *label* is called with the side's name."""

    def text(side: int) -> Text:
        return label(view.state.side_name(side))

    for key, side in side_keys_of(view.state.sides, is_go_third=is_go_third):
        yield KeyBinding(key, partial(text, side), partial(effect, side), is_likely)


def undo(view: GameView) -> KeyBinding:
    """Return the binding of UNDO.

    It undoes the last input. Without any input, it undoes the last step of the game.
    """
    input_state = view.input_state
    if input_state.hint is not None:
        return KeyBinding(
            "UNDO", Text("Close the hint", "no hint"), Effect(replace(input_state, hint=None, chosen=()))
        )
    if input_state.typed or input_state.kind or input_state.chosen:
        fewer = replace(input_state, typed=input_state.typed[:-1], kind=None, chosen=input_state.chosen[:-1])
        return KeyBinding("UNDO", Text("Undo the last one", "clear"), Effect(fewer))
    return KeyBinding("UNDO", "Undo", partial(view.makes, command=TableCommand.UNDO))


def menu(view: GameView) -> KeyBinding:
    return KeyBinding("MENU", "Menu", partial(view.opened, Menu()))


def closing(view: GameView, *, is_likely: bool = False) -> tuple[KeyBinding, ...]:
    """Return the bindings of UNDO and MENU that close a dialog.

    UNDO is likely only if OK does not close it.
    """
    closes = KeyBinding("UNDO", "Close", view.opened(None), is_likely)
    return closes, closes._replace(key="MENU").unlikely()


def accepted(view: GameView, binding: KeyBinding) -> Effect | None:
    """Return the effect of *binding*, or None if it would be refused."""
    try:
        effect = binding.effect()
    except RuleError:
        return None
    return effect if effect.event is None or is_legal(view.state, effect.event) else None
