"""One view of the table: what a viewer can't see is in no part of it."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest
from support.referee import Referee
from support.samples import some
from support.who_knows import cards_in
from support.worlds import cards_within, open_cards, own_cards

from cribpi.companion.entry.desk import Desk, Hint
from cribpi.companion.entry.here import Here
from cribpi.companion.entry.view import TableView, view_of
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.rules import preset

# --- the law of secrets -----------------------------------------------------------------------------------

GAMES: Final = [
    (rules, players, levels)
    for rules, players in (("standard", 2), ("acc", 2), ("use-and-care", 2), ("standard", 3), ("standard", 4))
    for levels in ((), ("thrifty",))
]


def check_secrets(view: TableView) -> int:
    """Check that no part of *view* has a card that its viewer can't see; return how many it may."""
    state, hand = view.state, view.hand
    known = open_cards(state)
    if state.is_show:
        known |= set(view.show.cards)
    if hand is not None:
        assert state.is_person(hand.seat), "a computer's hand is open for nobody"
        assert view.viewer in {None, hand.seat}
        if view.viewer is None:
            people = [seat for seat in range(state.players) if state.is_person(seat)]
            assert hand.seat not in view.desk.here.away
            assert people == [hand.seat] or (hand.seat == view.desk.open_seat and hand.is_asked)
        assert set(cards_within(hand)) <= own_cards(state, hand.seat)
        known |= own_cards(state, hand.seat)
    parts = (view.seats, view.awaited, view.machine, view.sides, view.show if state.is_show else None)
    assert set(cards_within(parts)) <= known
    told = (view.prompt, view.remark or "", *(f"{one.key} {one.label} {one.short}" for one in view.choices))
    assert cards_in(*told) <= {str(card) for card in known}
    if state.is_show:
        is_counted = state.rules.miscount != "machine" and state.is_person(view.show.seat)
        assert (view.show.scores is None) == is_counted, "who counts is not told what it is worth"
    return len(known)


@pytest.mark.parametrize(("rules", "players", "levels"), some(GAMES, 0, 3, 7))
def test_what_a_viewer_cannot_see_is_in_no_part_of_the_view(
    rules: str, players: int, levels: tuple[str, ...]
) -> None:
    seats, phases = tuple(range(players)), set()
    seated = ("",) * (players - len(levels)) + levels
    referee = Referee(preset(rules, players), Random(players), entry=Entry.DEALT, levels=seated)
    state = NEW_TABLE
    for expected in referee.game():
        state = step(state, expected.event)
        phases.add(state.phase)
        for desk in desks_at(state):
            for viewer in (None, *seats):
                check_secrets(view_of(state, desk, viewer=viewer))
    assert phases >= {Phase.DEAL, Phase.PLAY, Phase.SHOW, Phase.CRIB}


def desks_at(state: State) -> list[Desk]:
    """Return desks at which each hand is open, chosen from, hinted at, or held on a phone."""
    found = [Desk(), Desk(here=Here(away=tuple(range(state.players))))]
    for seat in range(state.players if state.deal and any(state.deal.dealt) else 0):
        cards = tuple(map(str, sorted(own_cards(state, seat), key=str)[:1]))
        found.append(Desk(open_seat=seat, here=Here(away=(seat,))))
        if seat in deciders(state)[:1]:
            found += [
                Desk(open_seat=seat, chosen=cards),
                Desk(open_seat=seat, hint=Hint(cards), chosen=cards),
            ]
    return found
