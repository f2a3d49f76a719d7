"""A sheet: a canvas for one screen that also writes keys with their labels, and records them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from cribpi.companion.entry.choice import Text as ChoiceText
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.keys import Pad
from cribpi.companion.entry.view import TableView
from cribpi.companion.views.screen.canvas import CELL, MARGIN, SMALL, WIDTH, Align, Canvas
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.step import NEW_TABLE

Key: TypeAlias = str | tuple[str, str]
"""A key, which gets the label of its effect, or a key (or name of several keys) with an explicit label."""

ROWS: Final = tuple(range(16, 64, 8))
"""The tops in px of the six rows of small text below the scores; the last row is for keys."""

TITLE: Final = ROWS[0] + 1
"""The top in px of a title below the scores of two players, after one dark row."""

MARK_LEFT: Final = 122
"""Left edge in px of the mark for failed devices, at the right end of the key row."""

KEYS_RIGHT: Final = MARK_LEFT - 2
"""Right end in px of the key row, before the mark."""

CARD_WIDTH: Final = 28
CARD_HEIGHT: Final = 19

_GLYPHS: Final = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→", "Enter": "↵"}
"""Symbols for keys, which take a single cell."""

ANY_RANK: Final = "A..K"
"""Name on the screen for all rank keys."""
ANY_NUMBER: Final = "1..9"
"""Name on the screen for the number keys if the keys of the court cards stand for sides."""

_NOWHERE: Final = TableView(NEW_TABLE, InputState())
"""The view of a sheet that shows no effects of keys."""


class Sheet(Canvas):
    """A canvas for one screen, with the keys that it names and their labels."""

    def __init__(self, view: TableView = _NOWHERE, trouble: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.view = view
        self.trouble = trouble
        self.pad = view.pad
        """The keypad: keys are written with its captions, and missing keys are left out."""
        self.legend: list[tuple[str, str]] = []
        """The keys that the screen names, with their labels."""

    def small(self, x: int, y: int, text: str, *, align: Align = "left", inverse: bool = False) -> None:
        self.write(x, y, text, align=align, inverse=inverse)

    def medium(self, x: int, y: int, text: str, *, align: Align = "left") -> None:
        """Write *text* 15 px high with its top at *y*."""
        self.write(x, y, text, "medium", align=align)

    def big(self, x: int, y: int, text: str, *, align: Align = "left") -> None:
        """Write *text* 24 px high with its top at *y*."""
        self.write(x, y, text, "big", align=align)

    def row(self, row: int, text: str, *, x: int = MARGIN, align: Align = "left") -> None:
        """Write *text* in the small face in *row*, 0 to 5, below the scores."""
        self.small(x, ROWS[row], text, align=align)

    def lines(
        self, lines: Iterable[str], *, x: int = MARGIN, y: int = ROWS[0], align: Align = "left"
    ) -> None:
        """Write *lines* in the small face, one below the other, the first with its top at *y*."""
        for number, line in enumerate(lines):
            self.small(x, y + number * SMALL.height, line, align=align)

    @property
    def title_top(self) -> int:
        """The top in px of a title below the scores; one px lower with more than two players."""
        return TITLE + 1 if self.view.state.players > 2 else TITLE

    def title(self, text: str, y: int | None = None) -> None:
        """Write *text* dark on a lit bar of 9 px across the whole screen, with the top of the text at *y*."""
        y = self.title_top if y is None else y
        self.small(WIDTH // 2, y, text, align="centre")
        self.invert(0, y - 1, WIDTH, 9)

    def card(self, x: int, y: int, card: Card | None) -> None:
        """Draw the face of *card* with its top left corner at (*x*, *y*); draw the back if *card* is None."""
        self.box(x, y, CARD_WIDTH, CARD_HEIGHT)
        if card is None:
            self.box(x + 2, y + 2, CARD_WIDTH - 4, CARD_HEIGHT - 4)
            return
        rank, suit = card.rank.symbol, card.face.removeprefix(card.rank.symbol)
        self.medium(x + CARD_WIDTH // 2 - (3 if suit else 0), y + 2, rank, align="centre")
        self.small(x + CARD_WIDTH - 2, y + 2, suit, align="right")

    def offered(self, key: str) -> ChoiceText | None:
        """Return the label of *key*'s effect, or None if the press would be refused."""
        binding = self.view.bindings.get(key)
        return binding.text if binding and self.view.effect(binding) else None

    @property
    def stick(self) -> tuple[Key, ...]:
        """The keys for moving from line to line, if the keypad is a joystick without rank keys."""
        return () if self.pad.has_ranks else (("UP", ""), ("DOWN", ""))

    def keys(self, *keys: Key, y: int = ROWS[-1], gap: int = CELL) -> None:
        """Write keys as lit caps with their labels, *gap* px between them."""
        x = MARGIN + 1
        for key, label in self._labelled(keys, gap):
            width = self.key(x, y, key, label)
            x += width + gap if width else 0

    def keys_apart(self, first: Key, last: Key) -> None:
        """Write two keys at the ends of the key row, except one that would be refused."""
        (key, label), *rest = self._labelled((first, last), CELL)
        self.key(MARGIN + 1, ROWS[-1], key, label)
        for key, label in rest:
            self.last_key(key, label)

    def last_key(self, key: str, label: str = "") -> None:
        """Write *key* at the right end of the key row."""
        self.key(KEYS_RIGHT - self.key_width(key, label), ROWS[-1], key, label)

    def _labelled(self, keys: Sequence[Key], gap: int) -> list[tuple[str, str]]:
        """Return each key with its label, by default the short label of its effect.

        A key that would be refused is left out. Names in labels are cut short so that all keys fit in a row.
        """
        candidates = [
            (key, self.offered(key)) if isinstance(key, str) else (key[0], ChoiceText("", key[1]))
            for key in keys
        ]
        shown = [(key, label) for key, label in candidates if label is not None]
        whole = [(key, label.short) for key, label in shown]
        over = sum(self.key_width(*pair) + gap for pair in whole) - gap - (KEYS_RIGHT - MARGIN - 1)
        if over <= 0:
            return whole
        cells = -(-over // CELL)
        return [(key, label.fit(len(label.short) - cells)) for key, label in shown]

    def key(self, x: int, y: int, key: str, label: str = "") -> int:
        """Write *key* as a lit cap with its *label*, its top left corner at (*x*, *y*); return the width."""
        shown = cap(key, self.pad)
        if shown is not None:
            self.legend.append((key, label))
            self.small(x, y, shown, inverse=True)
            self.small(x + len(shown) * CELL + 3, y, label)
        return self.key_width(key, label)

    def key_width(self, key: str, label: str = "") -> int:
        """Return the width in px of the cap of *key* with its *label*; 0 if the keypad has no such key."""
        shown = cap(key, self.pad)
        if shown is None:
            return 0
        return len(shown) * CELL + (3 + len(label) * CELL - 1 if label else 0)

    def mark(self) -> None:
        """Draw the mark for failed devices at the right end of the last row."""
        self.small(MARK_LEFT, ROWS[-1], "!", inverse=True)


def cap(key: str, pad: Pad) -> str | None:
    """Return the caption of *key* on the screen for *pad*, or None if *pad* has no such key.

    >>> from cribpi.companion.entry.keys import TWENTY, Pad
    >>> stick = Pad(("LEFT", "OK"), caps=(("OK", "Enter"),))
    >>> cap("P1", stick), cap("OK", stick), cap("FLNB", stick), cap("A..K", stick), cap("7", TWENTY)
    ('←', '↵', None, None, '7')
    """
    if key in {ANY_RANK, ANY_NUMBER}:
        return key if pad.has_ranks else None
    own = pad.physical_key(key)
    if own is None:
        return None
    printed = dict(pad.caps).get(own, own)
    return _GLYPHS.get(printed, printed)


def amount_keys(pad: Pad) -> tuple[str, ...]:
    """Return the names on the screen of the keys that enter an amount in points mode."""
    if not pad.has_ranks:
        return "UP", "DOWN"
    return (ANY_NUMBER,) if pad.sides else (ANY_RANK,)
