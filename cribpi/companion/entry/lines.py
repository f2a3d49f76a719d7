"""Lines of a menu: the keys that move from one to another, and those that change the one that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from cribpi.companion.entry import texts
from cribpi.companion.entry.choice import Offer, Place
from cribpi.companion.entry.desk import Dialog
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.entry.pad import Pad

BACK_AND_FORTH: Final = (("P1", -1), ("P2", 1), ("UP", -1), ("DOWN", 1))
"""The keys that go from page to page where nothing is changed, and by how many."""


def line_offers(
    place: Place, at: int, lines: Sequence[str], moved: Callable[[int], Dialog]
) -> Iterator[Offer]:
    """Offer each of the *lines* by its rank, and the ones above and below line number *at*.

    A keypad without ranks has up and down in their place.
    """
    by_rank = place.pad.has_ranks
    for key, text, line in (("UP", texts.PREVIOUS, at - 1), ("DOWN", texts.NEXT, at + 1)):
        yield Offer(key, text, place.opened(moved(line % len(lines))), is_likely=not by_rank)
    for line, (rank, said) in enumerate(zip(RANKS, lines, strict=False)):
        yield Offer(rank, texts.LINE.of(name=said), place.opened(moved(line)))


def scrolled(place: Place, at: int, lines: Sequence[str], moved: Callable[[int], Dialog]) -> Iterator[Offer]:
    """Offer the same where nothing is changed: there P1 and P2 move too, and the ranks are seldom pressed."""
    by_rank, has_more = place.pad.has_ranks, len(lines) > 1
    for key, text, line in (("P1", texts.PREVIOUS, at - 1), ("P2", texts.NEXT, at + 1)):
        yield Offer(key, text, place.opened(moved(line % len(lines))), is_likely=by_rank and has_more)
    for offer in line_offers(place, at, lines, moved):
        yield replace(offer, is_likely=not by_rank and has_more)


def changes(place: Place, by: int, changed: Callable[[int], Dialog]) -> Iterator[Offer]:
    """Offer to change a number *by* so much, down and up, by the keys of the first two sides."""
    for key, text, step in (("P1", texts.LOWER, -by), ("P2", texts.HIGHER, by)):
        yield Offer(key, text.of(by=by), place.opened(changed(step)))


def how_to_change(pad: Pad) -> str:
    """Say which keys of *pad* select a line, and which change it."""
    say = pad.named
    if pad.has_ranks:
        return f"Press a line's number to select it, {say('P1')} or {say('P2')} to change it"
    return f"{say('UP')} and {say('DOWN')} select a line, {say('P1')} and {say('P2')} change it"
