"""A whole game with the keys of each kit alone: pins or USB, driver, debouncing, entry, table, lights,
glass."""

from __future__ import annotations

from random import Random

import pytest
from support.games import Expected, referee_game
from support.presses import random_key
from support.samples import some
from support.scripts import keys_by_cards, keys_by_points

from cribpi.companion.entry.by_points import amounts
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.cribbage.game import events
from cribpi.cribbage.game.state import Phase, State

NUMPAD_SIDES = {"P1": "J", "P2": "Q", "GO": "K"}
STICK_SIDES = {"P1": ["LEFT"], "P2": ["RIGHT"], "GO": ["MENU", "OK"]}


def parts(points: int) -> list[str]:
    """Return the keys of a numpad that add up to *points*: it has none above 10."""
    keys = []
    while points:
        keys.append("A" if points == 1 else str(min(points, 10)))
        points -= min(points, 10)
    return keys


def on_numpad(expected: Expected, state: State, entry: str) -> list[str]:
    """Return the keys of a numpad for what *expected* tells."""
    if entry == "cards":
        return keys_by_cards(expected.event, state)
    keys = keys_by_points(expected, state)
    typed = sum({"A": 1, "J": 11, "Q": 12, "K": 13}.get(key) or int(key) for key in keys if is_amount(key))
    done = False
    found = []
    for key in keys:
        if is_amount(key):
            found += [] if done else parts(typed)
            done = True
        else:
            found.append(NUMPAD_SIDES.get(key, key))
    return found


def is_amount(key: str) -> bool:
    return key not in {"OK", "P1", "P2", "GO"}


def on_stick(expected: Expected, state: State) -> list[str]:
    """Return the ways of a joystick for what *expected* tells: up or down to the amount, then to its side."""
    keys = keys_by_points(expected, state)
    typed = sum({"A": 1, "J": 11, "Q": 12, "K": 13}.get(key) or int(key) for key in keys if is_amount(key))
    found: list[str] = []
    done = False
    for key in keys:
        if is_amount(key):
            found += [] if done else ["steps"]
            done = True
        else:
            found += STICK_SIDES.get(key, [key])
    return [way for key in found for way in ([f"to {typed}"] if key == "steps" else [key])]


class Table:
    """A rehearsal whose keys are all on the kit."""

    def __init__(self, kit: str, seed: int) -> None:
        self.bench = Rehearsal(load_kit(kit), seed)
        self.keys = set(self.bench.kit.pad.keys)

    def press(self, key: str) -> None:
        """Press a key, or count with the joystick to an amount by the shorter way."""
        if key.startswith("to "):
            possible = amounts(self.bench.now.state)
            place = possible.index(int(key.removeprefix("to ")))
            down = len(possible) - place
            for way in ["UP"] * place if place <= down else ["DOWN"] * down:
                self.press(way)
            return
        assert key in self.keys, f"{key} is not on the kit"
        refused = self.bench.press(key)
        assert refused is None, (key, refused)


START = {
    # kit, entry, players: the keys from a new table to the cut; the target is 61 to be short
    ("numpad", "cards", 2): "OK 2 Q OK",
    ("numpad", "cards", 3): "OK Q 2 Q OK",
    ("numpad", "peg", 2): "OK 2 Q 3 Q OK",
    ("numpad", "peg", 3): "OK Q 2 Q 3 J J OK",
    ("bonnet", "peg", 2): "OK DOWN RIGHT OK",
    ("bonnet", "peg", 3): "OK RIGHT DOWN RIGHT OK",
}


@pytest.mark.parametrize(("kit", "entry", "players"), some(START, 0, 3, 5))
def test_a_whole_game_is_played_with_the_kits_own_keys_alone(kit: str, entry: str, players: int) -> None:
    table = Table(kit, 1)
    bench = table.bench
    try:
        for expected in referee_game(Random(players), players, 61, suited=False):
            event = expected.event
            if isinstance(event, events.GameStarted):
                assert event.dealer is not None
                keys = START[kit, entry, players].split()
                if kit == "numpad":
                    keys += ["2" if seat == event.dealer else "9" for seat in range(players)]
                else:  # no card can be said; so the table chooses
                    third = ["MENU", *["DOWN"] * event.dealer, "OK"]
                    keys += third if event.dealer == 2 else [("LEFT", "RIGHT")[event.dealer]]
            elif kit == "numpad":
                keys = on_numpad(expected, bench.now.state, entry)
            else:
                keys = on_stick(expected, bench.now.state)
            for key in keys:
                table.press(key)
            assert bench.now.state.scores() == expected.scores, event
        assert bench.now.state.phase is Phase.GAME_OVER
        assert str(bench.now.state.entry) == entry
        assert bench.loop.troubles == {}
        table.press("OK")
        assert bench.now.state.phase is not Phase.GAME_OVER, "and the next game begins"
    finally:
        bench.close()


@pytest.mark.parametrize(("kit", "entry"), [("table", "cards"), ("numpad", "cards"), ("bonnet", "peg")])
def test_the_first_new_game_is_entered_as_the_kit_has_it(kit: str, entry: str) -> None:
    bench = Rehearsal(load_kit(kit), 1)
    try:
        assert bench.now.context.next_game.entry == entry
    finally:
        bench.close()


def test_a_long_press_is_what_the_kit_says() -> None:
    bench = Rehearsal(load_kit("numpad"), 1)
    try:
        assert bench.press("MENU") is None
        assert bench.now.input_state.dialog is not None, "the point held opens the menu"
        assert bench.press("UNDO") is None
        assert bench.press("hold:MENU") is None
        assert bench.now.input_state.message == "can't shut down: this is not a Raspberry Pi"
        before = bench.now.seq
        bench.twin.press("FLNB", 0.5)
        assert bench.now.seq == before
        assert bench.now.refusal is not None, "a short press of the point is FLNB, which does nothing yet"
    finally:
        bench.close()


@pytest.mark.parametrize("kit", ["numpad", "bonnet"])
def test_no_random_press_of_a_kits_own_keys_breaks_anything(kit: str) -> None:
    table, chance = Table(kit, 5), Random(5)
    bench = table.bench
    accepted = 0
    try:
        for _ in range(160):
            key = random_key(bench.now.state, bench.now.saved, chance)
            key = key if key in table.keys and chance.random() < 0.7 else chance.choice(sorted(table.keys))
            accepted += bench.press(key) is None
            assert bench.loop.troubles == {}
            assert bench.glass().getbbox() is not None
        assert accepted > 60
    finally:
        bench.close()


def test_the_pad_may_be_unplugged_in_the_middle_of_a_game() -> None:
    table = Table("numpad", 3)
    bench = table.bench
    try:
        for key in "OK OK A 5 7 4".split():
            table.press(key)
        before = bench.now.state
        bench.twin.close_key("9")
        bench.twin.unplug()
        bench.press("hold:UNDO")  # time passes, with keys that are not there
        assert list(bench.loop.troubles.values()) == ["keypad: it has been unplugged; plug it in again"]
        bench.twin.open_key("9")
        bench.twin.plug()
        bench.press("5")
        bench.press("5")
        assert bench.loop.troubles == {}
        assert bench.now.state != before
    finally:
        bench.close()
