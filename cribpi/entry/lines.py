"""Lines of a menu: the keys that move from one to another, and those that change the one that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cribpi.entry import texts
from cribpi.entry.choice import Offer, Place
from cribpi.entry.desk import Dialog
from cribpi.entry.keys import RANKS


def line_offers(
    place: Place, at: int, lines: Sequence[str], moved: Callable[[int], Dialog]
) -> Iterator[Offer]:
    """Offer to go to each of the *lines* by its rank, and up and down from line number *at*; *moved* opens a line.

    A keypad without ranks has up and down in their place.
    """
    by_rank = place.pad.has_ranks
    for key, text, line in (
        ("UP", texts.PREVIOUS, (at - 1) % len(lines)),
        ("DOWN", texts.NEXT, (at + 1) % len(lines)),
    ):
        yield Offer(key, text, place.opened(moved(line)), is_likely=not by_rank)
    for line, (rank, said) in enumerate(zip(RANKS, lines, strict=False)):
        yield Offer(rank, texts.LINE.of(name=said), place.opened(moved(line)))


def changes(place: Place, what: str, changed: Callable[[int], Dialog]) -> Iterator[Offer]:
    """Offer to change *what* by the keys of the first two sides; *changed* opens it lower or higher by a step."""
    for key, text, step in (("P1", texts.LOWER, -1), ("P2", texts.HIGHER, 1)):
        yield Offer(key, text.of(what=what), place.opened(changed(step)))


def wanted_of_lines(lines: int) -> str:
    """Say which keys pick one of so many *lines* and change it."""
    picks = f"A to {RANKS[min(lines, len(RANKS)) - 1]} picks a line, " if lines > 1 else ""
    return f"{picks}P1 and P2 change it, OK accepts"
