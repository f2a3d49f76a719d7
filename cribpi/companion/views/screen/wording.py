"""Texts that fit the small screen: shortened names, wrapped sentences, and short words for scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from cribpi.companion.views.screen.canvas import COLUMNS, MEDIUM, WIDTH, fit
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.show import Kind, Score, total
from cribpi.cribbage.game.state import Outcome, State
from cribpi.cribbage.rules.grammar import capital
from cribpi.cribbage.rules.names import shortened
from cribpi.cribbage.rules.shown import beginning

_ASIDE: Final = re.compile(r" \([^)]*\)")
"""An aside in parentheses, with the space before it."""

_SHOWS: Final = (events.HandShown, events.CribShown, events.HandCounted)
_SEATED: Final = (events.CardPlayed, events.HandShown, events.HandCounted)
"""The events with a seat."""
_RULINGS: Final = (events.Misdealt, events.FalseWinRuled, events.RenegeRuled)
"""The events that can move several scores."""

_SCORES: Final = {
    Kind.FIFTEEN: "15",
    Kind.PAIR: "pair",
    Kind.PAIR_ROYAL: "pair royal",
    Kind.DOUBLE_PAIR_ROYAL: "double royal",
    Kind.RUN: "run of {points}",
    Kind.FLUSH: "flush",
    Kind.NOBS: "nobs",
    Kind.THIRTY_ONE: "thirty-one",
    Kind.GO: "go",
    Kind.LAST: "last card",
    Kind.HEELS: "his heels",
    Kind.THREE_FOR_LAST: "three for last",
}
"""Names of the scores."""

_BRIEF: Final = _SCORES | {
    Kind.THIRTY_ONE: "31",
    Kind.PAIR_ROYAL: "3 alike",
    Kind.DOUBLE_PAIR_ROYAL: "4 alike",
    Kind.RUN: "run {points}",
    Kind.LAST: "last",
    Kind.THREE_FOR_LAST: "3 for last",
}
"""Short names of the scores, for a line that lists several."""

_REASONS: Final[dict[type, str]] = {
    events.HandShown: "hand",
    events.HandCounted: "hand",
    events.CribShown: "crib",
    events.PenaltyPegged: "ruling",
    events.ScorePutRight: "score set",
    events.Misdealt: "misdeal",
    events.MugginsCalled: "muggins",
    events.RenegeRuled: "wrong go",
    events.FalseWinRuled: "false win",
}
"""Words for points that no card of the play has scored."""

_BREAKDOWN: Final = {
    Kind.FIFTEEN: ("1 fifteen", "{number} fifteens"),
    Kind.PAIR: ("1 pair", "{number} pairs"),
    Kind.PAIR_ROYAL: ("pair royal", "{number} royals"),
    Kind.DOUBLE_PAIR_ROYAL: ("double royal", "{number} doubles"),
    Kind.RUN: ("run of {points}", "{number} runs of {points}"),
    Kind.FLUSH: ("flush", "{number} flushes"),
    Kind.NOBS: ("his nobs", "{number} nobs"),
}
"""Names of one or several scores of a kind at a show: singular and plural."""


def fitted(template: str, cells: int = COLUMNS, *, name: str = "", **others: object) -> str:
    """Fill in *template*, with *name* cut short so that the result has at most *cells* characters.

    >>> fitted("{name} plays", name="ANN"), fitted("{name} plays on", 14, name="ALEXANDRIA")
    ('ANN plays', 'ALEX… plays on')
    """
    rest = len(template.format(name="", **others))
    return template.format(name=shortened(name, max(cells - rest, 1)), **others)


def paired(template: str, name: str, other: str, cells: int = COLUMNS) -> str:
    """Fill in *template* with two names, cut short (the longer one first) to at most *cells* characters.

    >>> cuts = "{name} cuts for {other}"
    >>> paired(cuts, "ORANGE", "BLUE"), paired(cuts, "ALEXANDRA", "BLUE")
    ('ORANGE cuts for BLUE', 'ALEXAN… cuts for BLUE')
    """
    room = cells - len(template.format(name="", other=""))
    first = max(room - min(len(other), room // 2), 1)
    name = shortened(name, first)
    return template.format(name=name, other=shortened(other, max(room - len(name), 1)))


def large(template: str, name: str) -> str:
    """Fill in *template* for the medium face, with *name* cut short so that the result fits in one line.

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
    """Cut each of *names* to its number of *cells*, without an ellipsis; keep them different if possible.

    >>> labels(("ORANGE", "BLUE", "ORANGE 2", "BLUE 2"), (3, 3, 3, 3))
    ('ORA', 'BLU', 'OR2', 'BL2')
    >>> labels(("ANNA", "ANNE"), (3, 3))
    ('ANA', 'ANE')
    """
    rooms = list(zip(names, cells, strict=True))
    cut = [
        _ended(name, room) if name[-1:].isdigit() else beginning(name, room).rstrip() for name, room in rooms
    ]
    return tuple(
        _ended(name, room) if cut.count(label) > 1 else label
        for (name, room), label in zip(rooms, cut, strict=True)
    )


def _ended(name: str, cells: int) -> str:
    """Cut *name* to *cells* but keep its last character."""
    if len(name) <= cells:
        return name
    return beginning(name, cells - 1).rstrip() + name[-1] if cells > 1 else beginning(name, 1)


def wrap(text: str, cells: int = COLUMNS) -> tuple[str, ...]:
    """Break *text* between words into lines of at most *cells*; a longer word is broken between letters.

    >>> wrap("count 24 and 9 is 33, past 31: BLUE plays 7 or less", 21)
    ('count 24 and 9 is 33,', 'past 31: BLUE plays 7', 'or less')
    """
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= cells:
            lines[-1] += f" {word}"
            continue
        rest = word
        while rest:
            lines.append(beginning(rest, cells) or rest[:cells])
            rest = rest[len(lines[-1]) :]
    return tuple(lines)


def paragraph(text: str, lines: int, cells: int = COLUMNS) -> tuple[str, ...]:
    """Wrap *text* into at most *lines*; if it is too long, drop the asides, then end with an ellipsis.

    >>> paragraph("nothing answers (error 121)", 1), paragraph("nothing answers; check its four wires", 1)
    (('nothing answers',), ('nothing answers;…',))
    """
    wrapped = wrap(text, cells)
    if len(wrapped) > lines:
        wrapped = wrap(_ASIDE.sub("", text), cells)
    if len(wrapped) > lines:
        wrapped = (*wrapped[: lines - 1], f"{fit(wrapped[lines - 1], cells - 1)}\N{HORIZONTAL ELLIPSIS}")
    return wrapped


def remedy(trouble: str) -> str:
    """Shorten the error message *trouble* to one line: if too long, the device and the start of the remedy.

    >>> remedy("oled: nothing answers at its address; check its four wires (error 121)")
    'Oled: check its four…'
    """
    device, _, message = _ASIDE.sub("", trouble).partition(": ")
    brief = trouble if len(trouble) <= COLUMNS else f"{device}: {message.rpartition('; ')[2]}"
    return fit(capital(brief), COLUMNS)


def cards(row: Iterable[Card]) -> str:
    """Format the cards *row*, separated by spaces.

    >>> cards([Card.parse("7H"), Card.parse("8")])
    '7♥ 8'
    """
    return " ".join(card.face for card in row)


def why(scores: Sequence[Score], cells: int = COLUMNS) -> str:
    """Format the scores of a card of the play, within *cells* if possible.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> from cribpi.cribbage.game.play import score_play
    >>> why(score_play(parse_cards("7 8"))), why(score_play(parse_cards("4 5 6")), 10)
    ('15', '15, run 3')
    """
    full, brief = (
        [names[score.kind].format(points=score.points) for score in scores] for names in (_SCORES, _BRIEF)
    )
    ways = (", ".join(full), ", ".join(brief), "+".join(brief))
    return next((way for way in ways if len(way) <= cells), ways[-1])


def breakdown(scores: Sequence[Score]) -> tuple[tuple[str, int], ...]:
    """Return the scores of a show grouped by kind: a few words and the points for each.

    >>> from cribpi.cribbage.words.cards import parse_cards
    >>> from cribpi.cribbage.game.show import score_hand
    >>> breakdown(score_hand(parse_cards("7 7 8 9"), Card.parse("8")))
    (('4 fifteens', 8), ('2 pairs', 4), ('4 runs of 3', 12))
    """
    counts = Counter((score.kind, score.points) for score in scores)
    return tuple(
        (_BREAKDOWN[kind][1 if number > 1 else 0].format(number=number, points=points), number * points)
        for (kind, points), number in counts.items()
    )


# --- what happened last -------------------------------------------------------------------------------


def last_outcome(state: State, cells: int = COLUMNS) -> str:
    """Format the last outcome in one line of at most *cells* characters; "" if there is none."""
    last = state.last
    if last is None:
        return ""
    if isinstance(last.event, events.Misdealt):
        return "A MISDEAL: deal again"
    if isinstance(last.event, events.RenegeRuled) and not last.points:
        return next((text for text in ("wrong go, no penalty", "no penalty") if len(text) <= cells), "")
    name, points = who(state, last), f"{last.points:+d}"
    room = cells - len(points) - 2 - min(len(name), 4)
    what = reason(last, room)
    if len(what) > room:
        what = ""
    return fitted("{name} {points} {what}", cells, name=name, points=points, what=what).rstrip()


def last_in_full(state: State) -> tuple[str, ...]:
    """Format the last outcome in at most two lines; more only if three scores have changed, one for each.

    The second line explains a wrong count, the scores that a correction or misdeal has changed, or the
    position of the back peg if it is ahead of the front peg.
    """
    last = state.last
    if last is None:
        return ()
    counted = wrong_count(state)
    if counted:
        claim, *rest = counted
        return claim, ": ".join(rest)
    if isinstance(last.event, events.ScorePutRight) and len(state.outcomes) > 1:
        return "pegged too many", *_moved(state)
    if isinstance(last.event, _RULINGS):
        is_false_win = isinstance(last.event, events.FalseWinRuled)
        return "false win" if is_false_win else last_outcome(state), *_moved(state)
    return last_outcome(state), *back_peg(state, "back peg {hole}")


def _moved(state: State) -> tuple[str, ...]:
    """Format the change of each score that changed: one or two share a line, three get a line each."""
    moved = [
        (state.side_name(outcome.side), f"{outcome.points:+d}")
        for outcome in state.outcomes
        if outcome.points
    ]
    lines = []
    for row in [moved] if 0 < len(moved) < 3 else [[move] for move in moved]:
        used = sum(len(points) for _, points in row)
        room = max((COLUMNS - used - 2 * (len(row) - 1)) // len(row) - 1, 1)
        names = labels([name for name, _ in row], [room] * len(row))
        lines.append(", ".join(f"{name} {points}" for name, (_, points) in zip(names, row, strict=True)))
    return tuple(lines)


def wrong_count(state: State, cells: int = COLUMNS) -> tuple[str, ...]:
    """Format a wrong count at the last show: the claim, the true value and the consequence.

    Each line takes at most *cells*. Empty if the count was right, or if players do not count.
    """
    if not state.outcomes:
        return ()
    main, *others = state.outcomes
    truth = total(main.scores)
    if main.counted_by_player is None or main.counted_by_player == truth:
        return ()
    claim = fitted("{name} said {number}", cells, name=who(state, main), number=main.counted_by_player)
    if main.counted_by_player > truth:
        then = f"{main.counted_by_player - truth} too many"
    elif others:
        points = f"{others[0].points:+d}"
        then = fitted("{name} {points}", min(cells, 12), name=who(state, others[0]), points=points)
    else:
        is_open = state.rules.miscount == "muggins" and state.counted is not None
        then = ("muggins {points}?" if is_open else "{points} lost").format(points=main.missed)
    return claim, f"worth {truth}", then


def back_peg(state: State, template: str) -> tuple[str, ...]:
    """Format the back peg's hole if the last outcome has moved the front peg behind it; otherwise ()."""
    if state.last is None:
        return ()
    pegs = state.pegs[state.last.side]
    is_behind = state.last.points < 0 and pegs.front < pegs.back
    return (template.format(hole=pegs.back),) if is_behind else ()


def who(state: State, outcome: Outcome) -> str:
    """Return the name of the seat that acted, or of the side if the event has no seat."""
    event = outcome.event
    if isinstance(event, _SEATED) and state.side(event.seat) == outcome.side:
        return state.names[event.seat]
    return state.side_name(outcome.side)


def reason(outcome: Outcome, cells: int) -> str:
    """Format the reason for the points of *outcome* in a few words, such as "pair" or "muggins"."""
    event = outcome.event
    if isinstance(event, _SHOWS) and outcome.purpose is Purpose.MUGGINS:
        return "muggins"
    if isinstance(event, events.MugginsCalled) and not event.is_right:
        return "wrong call"
    return _REASONS.get(type(event)) or why(outcome.scores, cells)
