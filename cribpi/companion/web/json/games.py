"""Past games as JSON for the page: the list, one game line by line, and how the table stood after a step."""

from __future__ import annotations

from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.keys import TWENTY
from cribpi.companion.history.past_games import Line
from cribpi.companion.web.json.page import cards_on_table_json, table_json
from cribpi.companion.web.json.results import result_json
from cribpi.companion.web.json.state import cards_json, pegged_json, seat_json, state_json
from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import SHOWS, State, side_name
from cribpi.cribbage.results.statistics import Summary
from cribpi.cribbage.rules.rules import house_changes
from cribpi.cribbage.words.tell import tell


def row_json(number: int, began: str, found: Summary) -> dict[str, object]:
    """Return a game of the list; `players` are the names under which it counts, `skunk` the worst in it.

    One that is `hidden` can't be looked at yet.
    """
    return {
        "game": number,
        "begun": began,
        **found.json(),
        "players": list(found.seats if found.winner is None else found.players),
        "skunk": found.skunk,
        "hidden": found.hides_cards,
    }


def game_json(number: int, began: str, line: Line) -> dict[str, object]:
    """Return a game with what it came to, and what happened in each of its steps, counted from 1."""
    state = line[-1][1]
    return {
        "game": number,
        "begun": began,
        "rules": state.rules.name,
        "house": house_changes(state.rules),
        "target": state.rules.target,
        "entry": str(state.entry),
        "seats": [seat_json(state, seat) for seat in range(state.players)],
        "sides": [
            {"name": side_name(state, side), "score": score} for side, score in enumerate(state.scores())
        ],
        "winner": state.winner,
        "skunk": max(map(state.skunk, range(state.sides))) if state.winner is not None else 0,
        "result": result_json(state),
        "lines": [
            {
                "step": step,
                "deal": after.deal_of(event),
                "text": tell(event, after),
                "pegged": pegged_json(event, after),
            }
            for step, (event, after) in enumerate(line, start=1)
        ],
    }


def step_json(number: int, line: Line, step: int) -> dict[str, object]:
    """Return the table after *step* of a game: what all saw, and the hands, which all may see by now."""
    event, state = line[step - 1]
    return {
        "game": number,
        "step": step,
        "steps": len(line),
        "text": tell(event, state),
        "state": state_json(state, Desk(), step, may_undo=False, may_redo=False),
        "table": table_json(state, Desk(), TWENTY),
        "felt": cards_on_table_json(state, Desk(), ()),
        "hands": [cards_json(in_order(_hand(state, seat))) for seat in range(state.players)],
        "crib": cards_json(in_order(_crib(state))),
    }


def _crib(state: State) -> tuple[Card, ...]:
    """Return the crib, once all have discarded."""
    deal = state.deal
    if deal is None or (state.entry is Entry.DEALT and not all(deal.discards)):
        return ()
    return deal.crib


def _hand(state: State, seat: int) -> tuple[Card, ...]:
    """Return the cards that *seat* holds; at the show the hand that it shows, as far as it is known."""
    deal = state.deal
    if deal is None:
        return ()
    is_shown = (state.won_in or state.phase) in SHOWS
    return deal.hand(seat) if is_shown else deal.possible_cards(seat) or ()
