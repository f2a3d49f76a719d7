"""Words that fit: names shortened, sentences wrapped, cards in a line, scores in a few words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.names import shortened
from cribpi.core.scores import Kind, Score
from cribpi.core.seats import partners
from cribpi.core.show import Claim
from cribpi.core.state import State
from cribpi.views.glass import texts
from cribpi.views.glass.canvas import COLUMNS, WIDTH, fit
from cribpi.views.glass.font import MEDIUM

_ASIDE: Final = re.compile(r" \([^)]*\)")
"""What stands in brackets, with the space before it."""


def claimed(claim: Claim) -> str:
    """Say what is claimed of the suits; an empty text for nothing."""
    return texts.CLAIMED.get((bool(claim.flush), bool(claim.nobs)), "")


def fitted(template: str, cells: int = COLUMNS, *, name: str = "", **others: object) -> str:
    """Fill *template* in, with *name* cut short so that the whole takes *cells* at most.

    >>> fitted("{name} plays", name="ANN"), fitted("{name} plays on", 14, name="ALEXANDRIA")
    ('ANN plays', 'ALEX… plays on')
    """
    rest = len(template.format(name="", **others))
    return template.format(name=shortened(name, max(cells - rest, 1)), **others)


def paired(template: str, name: str, other: str, cells: int = COLUMNS) -> str:
    """Fill *template* in with two names, the longer cut short first, so that the whole takes *cells* at most.

    >>> cuts = "{name} cuts for {other}"
    >>> paired(cuts, "ORANGE", "BLUE"), paired(cuts, "ALEXANDRA", "BLUE")
    ('ORANGE cuts for BLUE', 'ALEXAN… cuts for BLUE')
    """
    room = cells - len(template.format(name="", other=""))
    first = max(room - min(len(other), room // 2), 1)
    name = shortened(name, first)
    return template.format(name=name, other=shortened(other, max(room - len(name), 1)))


def large(template: str, name: str) -> str:
    """Fill *template* in for the medium face, *name* cut short so that the whole takes one line.

    >>> large("{name} WINS", "ANN"), large("{name} WINS", "WILHELMINA")
    ('ANN WINS', 'WILHELMI… WINS')
    """
    cells = COLUMNS
    text = fitted(template, cells, name=name.upper())
    while MEDIUM.width_of(text) > WIDTH - 2 and cells > 1:
        cells -= 1
        text = fitted(template, cells, name=name.upper())
    return text


def labels(names: Sequence[str], cells: Sequence[int]) -> tuple[str, ...]:
    """Cut *names* to as many *cells* each, without an ellipsis, and so that they differ where they can.

    >>> labels(("ORANGE", "BLUE", "ORANGE 2", "BLUE 2"), (3, 3, 3, 3))
    ('ORA', 'BLU', 'OR2', 'BL2')
    >>> labels(("ANNA", "ANNE"), (3, 3))
    ('ANA', 'ANE')
    """
    rooms = list(zip(names, cells, strict=True))
    cut = [_ended(name, room) if name[-1:].isdigit() else name[:room].rstrip() for name, room in rooms]
    return tuple(
        _ended(name, room) if cut.count(label) > 1 else label
        for (name, room), label in zip(rooms, cut, strict=True)
    )


def _ended(name: str, cells: int) -> str:
    """Cut *name* to *cells*, its last character kept."""
    if len(name) <= cells:
        return name
    return name[: cells - 1].rstrip() + name[-1] if cells > 1 else name[:1]


def side_label(state: State, side: int) -> str:
    """Name *side* on the glass: its seat's name, or both partners', or what the two have in common.

    ORANGE and ORANGE 2 are ORANGE; ANN and BEA are ANN+BEA.
    """
    first, *others = (state.names[seat] for seat in partners(side, state.players))
    if all(other.startswith(first + " ") for other in others):
        return first
    return "+".join((first, *others))


def wrap(text: str, cells: int = COLUMNS) -> tuple[str, ...]:
    """Break *text* between words into lines of *cells* at most; a longer word is broken anywhere.

    >>> wrap("count 24 and 9 is 33, past 31: BLUE plays 7 or less", 21)
    ('count 24 and 9 is 33,', 'past 31: BLUE plays 7', 'or less')
    """
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= cells:
            lines[-1] += f" {word}"
            continue
        lines += [word[start : start + cells] for start in range(0, len(word), cells)]
    return tuple(lines)


def paragraph(text: str, lines: int, cells: int = COLUMNS) -> tuple[str, ...]:
    """Wrap *text* into *lines* at most: without its asides if it is too long, and then with an ellipsis.

    >>> paragraph("nothing answers (error 121)", 1), paragraph("nothing answers; check its four wires", 1)
    (('nothing answers',), ('nothing answers;…',))
    """
    wrapped = wrap(text, cells)
    if len(wrapped) > lines:
        wrapped = wrap(_ASIDE.sub("", text), cells)
    if len(wrapped) > lines:
        wrapped = (*wrapped[: lines - 1], f"{fit(wrapped[lines - 1], cells - 1)}\N{HORIZONTAL ELLIPSIS}")
    return wrapped


def cards(row: Iterable[Card]) -> str:
    """Write cards one after the other, with spaces between.

    >>> cards([Card.parse("7H"), Card.parse("8")])
    '7♥ 8'
    """
    return " ".join(one.face for one in row)


def why(scores: Sequence[Score], cells: int = COLUMNS) -> str:
    """Say what a card of the play pegged for, in *cells* if that can be.

    >>> from cribpi.core.cards import parse_cards
    >>> from cribpi.core.play import score_play
    >>> why(score_play(parse_cards("7 8"))), why(score_play(parse_cards("4 5 6")), 10)
    ('fifteen', '15, run 3')
    """
    full, brief = (
        [names[score.kind].format(points=score.points) for score in scores]
        for names in (texts.SCORES, texts.BRIEF)
    )
    ways = (", ".join(full), ", ".join(brief), "+".join(brief))
    return next((way for way in ways if len(way) <= cells), ways[-1])


def breakdown(scores: Sequence[Score]) -> tuple[tuple[str, int], ...]:
    """Return each kind of a show's scores in a few words, with its points.

    >>> from cribpi.core.cards import parse_cards
    >>> from cribpi.core.show import score_hand
    >>> breakdown(score_hand(parse_cards("7 7 8 9"), Card.parse("8")))
    (('4 fifteens', 8), ('2 pairs', 4), ('4 runs of 3', 12))
    """
    found: dict[Kind, list[int]] = {}
    for score in scores:
        found.setdefault(score.kind, []).append(score.points)
    return tuple(
        (texts.BREAKDOWN[kind][len(points) > 1].format(number=len(points), points=points[0]), sum(points))
        for kind, points in found.items()
    )
