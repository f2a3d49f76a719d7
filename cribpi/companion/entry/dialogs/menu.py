"""The menu: whatever else can be done, a line each."""

from __future__ import annotations

from dataclasses import replace

from cribpi.companion.entry import by_points, corrections, texts
from cribpi.companion.entry.by_points import scored_events
from cribpi.companion.entry.choice import Place, Row, Rows, Scene, closing
from cribpi.companion.entry.desk import (
    ChangeSettings,
    Desk,
    Dialog,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    PhoneList,
    Status,
    SwitchOff,
    Why,
)
from cribpi.companion.entry.keys import SIDES
from cribpi.companion.entry.lists import how_to_move, list_scene
from cribpi.companion.entry.reply import Move, Reply
from cribpi.cribbage.game.events import DealerChosen, Entry, Misdealt
from cribpi.cribbage.game.scores import Kind
from cribpi.cribbage.game.state import Phase, State, side_name
from cribpi.cribbage.words import call as words


def items(state: State, desk: Desk) -> tuple[Row, ...]:
    """Return what the menu lists where the game stands at *state*."""
    closed, winner = desk.cleared(), state.winner

    def opens(text: texts.Text, dialog: Dialog) -> Row:
        return Row(text, Reply(replace(closed, dialog=dialog)))

    found = []
    if by_points.only_side(state) is None and state.sides > len(SIDES[:2]):
        for side in reversed(by_points.takers(state, desk)):
            text = texts.PEGS.of(points=desk.amount, name=side_name(state, side))
            found.append(Row(text, Reply(closed, by_points.pegged(desk, side))))
    if state.entry is Entry.PEG and state.phase is Phase.PLAY:
        for kind, points in scored_events(state.rules):
            found.append(Row(_scored(kind, points), Reply(replace(closed, typed=(points,), kind=str(kind)))))
    if state.phase is Phase.CUT and state.rules.first_dealer != "random":
        for seat, name in enumerate(state.names):
            found.append(Row(texts.DEALS_FIRST_LINE.of(name=name), Reply(closed, DealerChosen(seat))))
    if winner is None:
        for side in range(state.sides):
            text = texts.CORRECT_LINE.of(name=side_name(state, side))
            found.append(opens(text, corrections.open_for(state, side)))
        if state.deal is not None:
            found.append(Row(texts.MISDEAL, Reply(closed, Misdealt())))
    else:
        text = texts.NOT_WON.of(name=side_name(state, winner))
        found.append(opens(text, FalseWin(winner, state.pegs[winner].back)))
    if state.phase is not Phase.IDLE:
        found += [opens(texts.WHY, Why()), opens(texts.MATCH_SO_FAR, MatchSoFar())]
    found += [opens(texts.NEW_GAME_LINE, NewGame()), Row(texts.REDO_LINE, Reply(closed, move=Move.REDO))]
    found.append(opens(texts.SETTINGS_LINE, ChangeSettings()))
    if desk.phones is not None:
        found.append(opens(texts.PHONES_LINE, PhoneList()))
    found.append(opens(texts.STATUS_LINE, Status()))
    if desk.settings.is_pi:
        found.append(opens(texts.SWITCH_OFF_LINE, SwitchOff()))
    return tuple(found)


def _scored(kind: Kind, points: int) -> texts.Text:
    """Name a scored event of the play with its points."""
    return texts.SCORED[kind].of(points=points, length=words.number(points))


def menu(place: Place, dialog: Menu) -> Scene:
    found = items(place.state, place.desk)
    rows = Rows("", found, dialog.line % len(found))
    asks = f"Menu, {rows.at + 1} of {len(found)}: {rows.row.said}"
    how = how_to_move(place.pad, " selects")
    return list_scene(place, dialog, rows, asks, how=how, leave=closing(place, is_likely=True))
