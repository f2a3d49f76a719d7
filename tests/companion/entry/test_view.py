"""One view of the table: what a viewer can't see is in no part of it, and nothing is worked out twice."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from inspect import CO_GENERATOR
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final

import pytest
from support import paths
from support.presses import Input, view_at
from support.referee import Referee
from support.samples import some
from support.who_knows import cards_in
from support.worlds import cards_within, open_cards, own_cards

from cribpi.companion.entry.choice import GameView
from cribpi.companion.entry.here import Here
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import Hint, InputState
from cribpi.companion.entry.keys import TWENTY
from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.phones import Phone, Role
from cribpi.companion.entry.requests import Press, Start
from cribpi.companion.entry.view import TableView
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.table.loop import Loop
from cribpi.companion.table.table import Table
from cribpi.companion.views.lights.frame import Frame
from cribpi.companion.web.json.page import page_json
from cribpi.companion.web.json.state import AS_JSON
from cribpi.companion.web.phones.session import PhoneSession
from cribpi.cribbage.game.cards import PACK
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
            assert hand.seat not in view.context.here.away
            assert people == [hand.seat] or (hand.seat == view.input_state.open_seat and hand.is_asked)
        assert set(cards_within(hand)) <= own_cards(state, hand.seat)
        known |= own_cards(state, hand.seat)
    parts = (view.seats, view.sides, view.awaited, view.machine, view.show if state.is_show else None)
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
        for input_state in inputs_at(state):
            for viewer in (None, *seats):
                check_secrets(view_at(state, input_state, seat=viewer))
    assert phases >= {Phase.DEAL, Phase.PLAY, Phase.SHOW, Phase.CRIB}


def inputs_at(state: State) -> list[Input]:
    """Return inputs with which each hand is open, chosen from, hinted at, or held on a phone."""
    found: list[Input] = [
        InputState(),
        SavedInput(InputState(), InputContext(here=Here(away=tuple(range(state.players))))),
    ]
    for seat in range(state.players if state.deal and any(state.deal.dealt) else 0):
        cards = tuple(map(str, sorted(own_cards(state, seat), key=str)[:1]))
        found.append(SavedInput(InputState(open_seat=seat), InputContext(here=Here(away=(seat,)))))
        if seat in deciders(state)[:1]:
            found += [
                InputState(open_seat=seat, chosen=cards),
                InputState(open_seat=seat, hint=Hint(cards), chosen=cards),
            ]
    return found


# --- nothing twice ----------------------------------------------------------------------------------------

ROOMS: Final = ("companion/entry/", "cribbage/words/")
PACKAGE: Final = f"{paths.PACKAGE}/"

AGAIN: Final = {
    "view.effect": "kept by the view",
    "hands.open_hand": "asked before there is a view: whether a phone may be shown its hand",
    "hands.awaited": "two views of one phone are of one state: before a card is chosen, and after",
    "hands.persons": "who sits where is a field of the state",
    "hands.next_here": "for the open hand, and for who is waited for",
    "hands.next_machine": "for who thinks, and for whether OK is all: a fault in one leaves the other",
    "hands.next_person": "two views are of one state: the board's and the phone's",
    "hands.forced_step": "as above",
    "hands.seat_views": "as above",
    "hands._next_seats": "as above",
    "by_cards.who_cuts": "as above",
    "corrections.open_for": "as above",
    "corrections.missed_by": "as above",
    "corrections._calls": "as above",
    "tell._who_deals": "a card is written in what is told, and said in what is announced",
    "speech._won": "for what is said, and for its sound",
}
"""What is asked again of one state in one press, and why: small things, no part of the view or the log."""


def asked_again(press: Callable[[], object]) -> dict[str, int]:
    """Return which functions over a state were called more than once with the very same arguments."""
    calls: Counter[tuple[object, ...]] = Counter()
    kept: list[object] = []

    def look(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(PACKAGE) or code.co_flags & CO_GENERATOR:
            return
        file = code.co_filename[len(PACKAGE) :]
        values = [frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]]
        if file.startswith(ROOMS) and any(isinstance(one, State | GameView) for one in values):
            kept.extend(values)
            calls[f"{Path(file).stem}.{code.co_name}", *map(id, values)] += 1

    sys.setprofile(look)
    try:
        press()
    finally:
        sys.setprofile(None)
    found: Counter[str] = Counter()
    for (name, *_), times in calls.items():
        found[str(name)] = max(found[str(name)], times)
    return {name: times for name, times in found.items() if times > 1}


class Nowhere:
    """See `Outputs`."""

    def show_frame(self, frame: Frame, /) -> None:
        pass

    def show_picture(self, picture: Any, contrast: int, /, *, is_turned: bool = False) -> None:  # noqa: ANN401
        pass


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path / "journal.db")) as found:
        yield found


def table(journal: Journal, changes: Changes) -> tuple[Table, Loop]:
    chance = Random(1)
    found = Table(
        journal,
        formatter=AS_JSON,
        clock=lambda: "",
        draw=lambda: 0,
        shuffle=lambda: chance.sample(PACK, len(PACK)),
    )
    found.do(Start(changes))
    return found, Loop(found, load_kit("table"), Nowhere(), clock=lambda: 0.0)


def seen(at: Table, loop: Loop) -> None:
    """Have all read what is new at the board: glass, lights, state and page."""
    loop.show(0.0)
    json.dumps(page_json(at.now, at.now.choices, at.faults, {}))


def test_in_a_press_of_real_cards_nothing_about_one_state_is_worked_out_twice(journal: Journal) -> None:
    at, loop = table(journal, Changes(entry="cards", names=("ANN", "BOB")))

    def press(key: str) -> None:
        loop._press(key)
        seen(at, loop)

    for key in "7 2 5 9 6 6 5 GO 4 GO 10 7 10 OK OK 5 J 2 2 OK".split():
        again = asked_again(lambda: press(key))  # noqa: B023  called at once
        assert again.keys() <= AGAIN.keys(), (key, again)
    assert at.now.state.deal_number == 2


def test_in_a_phones_discard_nothing_about_one_state_is_worked_out_twice(journal: Journal) -> None:
    changes = Changes(
        entry="dealt", levels=("", ""), automatic=("cut", "deal", "starter"), names=("ANN", "BOB")
    )
    at, loop = table(journal, changes)
    while not (at.now.state.deal and any(at.now.state.deal.dealt)):
        at.do(Press("OK"))
    for seat in (0, 1):
        phone = PhoneSession(Phone(seat + 1, "iPhone", Role.SEAT, seat), TWENTY)
        assert at.now.state.deal is not None
        hand = at.now.state.deal.dealt[seat]

        def press(key: str, phone: PhoneSession = phone) -> None:
            before = at.now
            answer = at.do(Press(key), phone)
            assert answer.is_accepted, answer.text
            loop._changed(before)
            seen(at, loop)
            json.dumps(page_json(phone.seen(at.now), lambda: phone.choices(at.now), at.faults, {}))

        for key in (str(hand[0]), str(hand[1]), "OK"):
            again = asked_again(lambda: press(key))  # noqa: B023  called at once
            assert again.keys() <= AGAIN.keys(), (key, again)
    assert at.now.state.phase is Phase.STARTER
