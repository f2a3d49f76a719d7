"""The menu: what can be done beside the game, a line each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribpi.core.events import (
    DealerChosen,
    Entry,
    Misdealt,
)
from cribpi.core.scores import Kind, Score
from cribpi.core.state import Phase, State, side_name
from cribpi.core.words import name
from cribpi.entry import by_points, corrections, texts
from cribpi.entry.by_points import scored_events
from cribpi.entry.choice import Offer, Place, Scene, scene
from cribpi.entry.desk import (
    Desk,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    Why,
)
from cribpi.entry.keys import SIDES
from cribpi.entry.lines import line_offers
from cribpi.entry.reply import Move, Reply


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the menu, and what OK makes of it."""

    text: texts.Text
    reply: Reply


def items(state: State, desk: Desk) -> tuple[Item, ...]:
    """Return what the menu lists where the game stands at *state*."""
    closed = desk.cleared()
    found = []
    if desk.typed and by_points.only_side(state) is None and state.sides > len(SIDES[:2]):
        found += [
            Item(
                texts.PEGS.of(points=desk.amount, name=side_name(state, side)),
                Reply(closed, by_points.pegged(desk, side)),
            )
            for side in reversed(by_points.takers(state, desk))
        ]
    if state.entry is Entry.PEG and state.phase is Phase.PLAY:
        found += [
            Item(
                _scored(kind, points),
                Reply(replace(closed, typed=(points,), kind=str(kind))),
            )
            for kind, points in scored_events(state.rules)
        ]
    if state.phase is Phase.CUT and state.rules.first_dealer != "random":
        found += [
            Item(texts.DEALS_FIRST_LINE.of(name=state.names[seat]), Reply(closed, DealerChosen(seat)))
            for seat in range(state.players)
        ]
    if state.phase is not Phase.IDLE and state.winner is None:
        found += [
            Item(
                texts.CORRECT_LINE.of(name=side_name(state, side)),
                Reply(replace(closed, dialog=corrections.open_for(state, side))),
            )
            for side in range(state.sides)
        ]
    if state.deal is not None and state.winner is None:
        found.append(Item(texts.MISDEAL, Reply(closed, Misdealt())))
    if state.winner is not None:
        false = FalseWin(state.winner, state.pegs[state.winner].back)
        found.append(
            Item(texts.NOT_WON.of(name=side_name(state, state.winner)), Reply(replace(closed, dialog=false)))
        )
    if state.phase is not Phase.IDLE:
        found.append(Item(texts.WHY, Reply(replace(closed, dialog=Why()))))
        found.append(Item(texts.MATCH_SO_FAR, Reply(replace(closed, dialog=MatchSoFar()))))
    found.append(Item(texts.NEW_GAME_LINE, Reply(replace(closed, dialog=NewGame()))))
    found.append(Item(texts.REDO_LINE, Reply(closed, move=Move.REDO)))
    return tuple(found)


def _scored(kind: Kind, points: int) -> texts.Text:
    """Name a scored event of the play with its points."""
    what = name(Score(kind, points, ())).removeprefix("a ")
    return texts.SCORED.of(what=what, brief=what.replace("double pair", "double"), points=points)


def menu(place: Place, dialog: Menu) -> Scene:
    listed = items(place.state, place.desk)
    at = dialog.line % len(listed)
    names = [item.text.long for item in listed]
    is_stick = not place.pad.has_ranks
    steps = [("P1", texts.PREVIOUS, at - 1), ("P2", texts.NEXT, at + 1)]
    moves = [
        Offer(key, text, place.opened(Menu(line % len(listed))), is_likely=not is_stick)
        for key, text, line in steps
    ]
    picks = line_offers(place, at, names, Menu)
    offers = [
        Offer("OK", listed[at].text, listed[at].reply),
        *moves,
        *(offer if is_stick else offer.unlikely() for offer in picks),
        Offer("UNDO", texts.CLOSE, place.opened(None)),
        Offer("MENU", texts.CLOSE, place.opened(None)).unlikely(),
    ]
    say = place.pad.named
    down, up = ("UP", "DOWN") if is_stick else ("P1", "P2")
    how = f"{say('OK')} selects, {say(down)} and {say(up)} move, {say('UNDO')} closes"
    return scene(f"Menu, {at + 1} of {len(listed)}: {names[at]}", offers, how=how)
