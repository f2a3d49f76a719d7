"""The menu of less common commands, and the pages of rules that explain the last step."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from cribpi.companion.entry import by_cards, by_points, corrections, the_show
from cribpi.companion.entry import input_state as inputs
from cribpi.companion.entry.by_points import scored_events
from cribpi.companion.entry.choice import GameView, Row, Rows, Scene, Text, closing
from cribpi.companion.entry.effect import Effect, TableCommand
from cribpi.companion.entry.input_state import NO_INPUT, Dialog, InputState
from cribpi.companion.entry.keys import SIDES
from cribpi.companion.entry.lists import how_to_move, list_scene
from cribpi.cribbage.game.events import DealerChosen, Entry, Misdealt
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.cite import HOUSE, NEVER_NAMED, SILENT, Reason
from cribpi.cribbage.words import call as words
from cribpi.cribbage.words.why import reasons_of


def items(view: GameView) -> tuple[Row, ...]:
    """Return the rows of the menu in the current state."""
    state, input_state = view.state, view.input_state
    winner = state.winner

    def opens(text: Text | str, dialog: Dialog) -> Row:
        return Row(text, Effect(InputState(dialog)))

    found = []
    if by_points.only_side(state) is None and state.sides > len(SIDES[:2]):
        for side in reversed(by_points.takers(state, input_state)):
            text = the_show.text_of_points(input_state.amount, state.side_name(side))
            found.append(Row(text, Effect(NO_INPUT, by_points.pegged(input_state, side))))
    if state.entry is Entry.PEG and state.phase is Phase.PLAY:
        for kind, points in scored_events(state.rules):
            found.append(Row(_scored(kind, points), Effect(InputState(typed=(points,), kind=str(kind)))))
    if state.phase is Phase.CUT and state.rules.first_dealer != "random":
        for seat, name in enumerate(state.names):
            found.append(Row(by_cards.text_of_dealer(name), Effect(NO_INPUT, DealerChosen(seat))))
    if winner is None:
        for side in range(state.sides):
            name = state.side_name(side)
            text = Text(f"correct {corrections.correction_name(name)}", "correct {name}", name)
            found.append(opens(text, corrections.open_for(state, side)))
        if state.deal is not None:
            found.append(Row(corrections.MISDEAL, Effect(NO_INPUT, Misdealt())))
    else:
        found += [opens(*one) for one in corrections.taken_back(state, winner)]
    if state.phase is not Phase.IDLE:
        found += [opens("why?", inputs.Why()), opens("match so far", inputs.MatchSoFar())]
    found += [opens("new game", inputs.NewGame()), Row("redo", Effect(NO_INPUT, command=TableCommand.REDO))]
    found.append(opens("settings", inputs.ChangeSettings()))
    if view.context.here.phones is not None:
        found.append(opens("phones", inputs.PhoneList()))
    found.append(opens("status", inputs.Status()))
    if view.context.machine.is_pi:
        found.append(opens(Text("switch off or restart", "off or restart"), inputs.SwitchOff()))
    return tuple(found)


def _scored(kind: Kind, points: int) -> Text:
    """Return the label of a scored event of the play."""
    names = {
        Kind.PAIR_ROYAL: "pair royal",
        Kind.DOUBLE_PAIR_ROYAL: "double pair royal",
        Kind.RUN: f"run of {words.number(points)}",
        Kind.LAST: "last card",
    }
    what = names.get(kind, str(kind))
    return Text(f"{what} {points}", f"{what} {points}".replace("double pair", "double"))


def menu(view: GameView, dialog: inputs.Menu) -> Scene:
    found = items(view)
    rows = Rows("", found, dialog.line % len(found))
    prompt = f"Menu, {rows.at + 1} of {len(found)}: {rows.row.sentence}"
    key_help = how_to_move(view.pad, " selects")
    return list_scene(view, dialog, rows, prompt, key_help=key_help, leave=closing(view, is_likely=True))


CELLS: Final = 21
"""Width of the screen in characters."""

LINES: Final = 5
"""Lines of a page on the screen."""


class WhyPage(NamedTuple):
    """One screen page of an explanation: its *reason*, and the lines that fit."""

    reason: Reason
    lines: tuple[str, ...]


def why_pages(state: State) -> tuple[WhyPage, ...]:
    """Return the pages of all rules that explain the last step."""
    return tuple(WhyPage(reason, lines) for reason in reasons_of(state) for lines in pages_of(reason))


def pages_of(reason: Reason) -> Iterator[tuple[str, ...]]:
    """Yield the lines of each page of *reason*. The rule and its quotation share a page if both fit."""
    is_quoted = reason.words not in {"", SILENT} and reason.source != HOUSE
    quoted = f'"{reason.words}"' if is_quoted else reason.words
    rule, words = (textwrap.wrap(text, CELLS, break_on_hyphens=False) for text in (reason.text, quoted))
    parts = [rule + words] if len(rule) + len(words) <= LINES else [rule, words]
    for part in parts:
        yield from (tuple(part[first : first + LINES]) for first in range(0, len(part), LINES))


def why(view: GameView, dialog: inputs.Why) -> Scene:
    pages = why_pages(view.state)
    at = dialog.line % len(pages)
    # The first page of a reason is labelled by the whole reason, later pages by their own text.
    before = (None, *(page.reason for page in pages))
    names = (
        " ".join(page.lines) if page.reason is last else page.reason.text
        for page, last in zip(pages, before, strict=False)
    )
    rows = tuple(Row(Text(name, name), view.opened(None), "Go on") for name in names)
    prompt = f"{pages[at].reason.text} {cited(pages[at].reason)}"
    return list_scene(view, dialog, Rows("", rows, at), prompt, leave=closing(view))


def cited(reason: Reason) -> str:
    """Return the source of *reason*, and its quotation if there is one."""
    if not reason.words:
        return f"{reason.source}: no source says this"
    said = reason.words if reason.words in {SILENT, NEVER_NAMED} else f'"{reason.words}"'
    return f"{reason.source}: {said}"
