"""In a game kept by points only what would be accepted is offered: by the prompt, the lit keys, the breathing
holes."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from support.presses import Input, Model, choices, lit_keys, press, prompt, view_at
from support.samples import some

from cribpi.companion.entry.by_points import amounts
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.keys import RANKS, TWENTY, Pad
from cribpi.companion.entry.menu import items
from cribpi.companion.entry.view import view_of
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.lights.motion import hints_for
from cribpi.companion.web.json.page import amount_keys
from cribpi.cribbage.game.events import Entry, GameStarted, PointsPegged
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.rules.errors import ImpossiblePoints, RuleError
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import changed, preset

GAMES = [(rules, players) for rules in rulebook().presets for players in find_preset(rules).players]
PADS = [load_kit(kit).pad for kit in ("table", "numpad", "bonnet", "table-3")]
NAMES = ("ANN", "BOB", "CAT", "DAN")


def at(text: str, rules: str = "standard", players: int = 2, **house: str) -> Model:
    """Return a game by points after the keys of *text*; the last seat deals."""
    model = Model()
    start = GameStarted(
        NAMES[:players], changed(preset(rules, players), house), Entry.PEG, dealer=players - 1
    )
    model.events.append(start)
    model.states.append(fold([start]))
    model.press_all(text)
    return model


def takes(state: State, given: Input, key: str, pad: Pad = TWENTY) -> bool:
    """Tell whether *key* is accepted, and with it the event that it makes."""
    try:
        event = press(state, given, key, pad=pad).event
        if event is not None:
            step(state, event)
    except RuleError:
        return False
    return True


def offered(said: str) -> set[str]:
    """Return the keys by which the prompt says that what is typed is pegged, or compared."""
    found = set(re.findall(r"\b(OK|P1|P2|GO): Peg \d+ for ", said))
    return found | ({"FLNB"} if "FLNB:" in said else set())


def check_offers(state: State, input_state: InputState, pad: Pad) -> None:
    """Assert that all that is offered while an amount lies typed is accepted, and the hole breathes for no
    other."""
    said = prompt(state, input_state)
    for key in offered(said):
        assert takes(state, input_state, key), f"{said!r}: {key} is refused"
    for key in lit_keys(state, input_state, pad):
        assert takes(state, input_state, key, pad), f"{said!r}: the lit {key} is refused"
    wanted = []
    for side in range(state.sides):
        with suppress(RuleError):
            after = step(
                state,
                PointsPegged(side, input_state.amount, Kind(input_state.kind) if input_state.kind else None),
            )
            wanted.append((side, after.pegs[side].front))
    assert list(hints_for(view_of(state, input_state))) == wanted, said
    assert bool(wanted) == bool(offered(said) - {"FLNB"}), said
    may_grow = any(points + input_state.amount in amounts(state) for points in range(1, len(RANKS) + 1))
    assert ("type more" in said) == (may_grow and not wanted), said
    if wanted:
        sides = {state.side_name(side) for side, _ in wanted}
        assert len(sides) > 1 or sides.pop() in said


def play(model: Model, chance: Random, presses: int) -> int:
    """Press keys by chance; return how often an amount lay typed."""
    typed, players = 0, model.state.players
    for _ in range(presses):
        state, input_state = model.state, model.input_state
        if state.winner is not None or state.phase in {Phase.IDLE, Phase.CUT}:  # UNDO may lead so far
            model = at("", state.rules.name, players)
            continue
        if input_state.typed and input_state.dialog is None:
            check_offers(state, input_state, chance.choice(PADS))
            typed += 1
        likely = chance.choices(lit_keys(state, model.saved), k=6)
        others = ("OK", "P1", "P2", "GO", "FLNB", "UNDO", "MENU")
        key = chance.choice(
            [*RANKS, *likely, *others] if input_state.dialog is None else [*likely, "UNDO", "UNDO"]
        )
        with suppress(RuleError):
            model.press(key)
    return typed


TYPED = [
    # keys, typed, prompt, lit first, breathes, why
    ("OK A", 1, "only 2 for his heels can be pegged; type more", ("A", "UNDO"), (), "one may become two"),
    (
        "OK A A",
        2,
        "2 typed. OK: Peg 2 for BOB",
        ("OK", "UNDO"),
        ((1, 2),),
        "two for his heels, to the dealer",
    ),
    ("OK 10 10 9", 29, "29: only 2 for his heels can be pegged. UNDO", ("UNDO",), (), "no way to two"),
    (
        "OK OK 10 9",
        19,
        "19: no card pegs that. UNDO: Undo the last one",
        ("UNDO",),
        (),
        "fifteen is the most",
    ),
    (
        "OK OK K",
        13,
        "Who gets 13? P1: Peg 13 for ANN, P2: Peg 13 for BOB",
        ("P1", "P2"),
        ((0, 13), (1, 13)),
        "either side's card",
    ),
    (
        "OK OK OK 10 9",
        19,
        "no hand counts that; type more",
        ("A", "2", "3", "4", "5", "9", "10", "UNDO"),
        (),
        "20",
    ),
    ("OK OK OK 10 10", 20, "20 typed. OK: Peg 20 for ANN", ("OK", "UNDO"), ((0, 20),), "twenty can be"),
    (
        "OK OK OK OK OK 9 K 5",
        27,
        "no crib counts that; type more",
        ("A", "2", "UNDO"),
        (),
        "28 and 29 can be",
    ),
]


@pytest.mark.parametrize(("text", "amount", "said", "lit", "breathing", "why"), TYPED)
def test_an_amount_that_cannot_be_is_not_offered_and_one_that_can_be_is(
    text: str, amount: int, said: str, lit: tuple[str, ...], breathing: tuple[tuple[int, int], ...], why: str
) -> None:
    model = at(text)
    assert model.input_state.amount == amount
    assert said in prompt(model.state, model.saved), why
    assert lit_keys(model.state, model.saved) == lit, why
    assert hints_for(view_at(model.state, model.saved)) == breathing, why


TAKEN = [
    # keys            kit     keys that would add to the amount
    ("OK OK", "table", RANKS, "any of them begins one"),
    ("OK OK K K", "table", ("A", "2", "3"), "26 and three are 29, the most that is"),
    ("OK OK OK K K 3", "table", (), "29"),
    ("OK OK K", "bonnet", ("UP", "DOWN"), "a joystick counts up and down"),
    ("OK OK K", "numpad", RANKS[:10], "three keys of the numpad are the sides'"),
    ("", "table", (), "nothing is pegged before the starter"),
]


@pytest.mark.parametrize(("text", "kit", "taken", "why"), TAKEN)
def test_the_keys_that_add_to_an_amount_are_those_that_are_taken(
    text: str, kit: str, taken: tuple[str, ...], why: str
) -> None:
    model, pad = at(text), load_kit(kit).pad
    found = amount_keys(choices(model.state, model.saved, pad))
    assert found == taken, why
    assert all(takes(model.state, model.saved, key, pad) for key in found)


def test_the_menu_pegs_for_the_third_side_only_what_can_be() -> None:
    model = at("OK OK 8", players=3)
    offered_lines = [item.sentence for item in items(model.view)[:3]]
    assert offered_lines == ["Peg 8 for CAT", "Peg 8 for BOB", "Peg 8 for ANN"]
    stale = replace(model.input_state, typed=(29,))  # as an older cribpi may have left it
    assert not any(item.sentence.startswith("Peg 29") for item in items(view_at(model.state, stale)))
    assert hints_for(view_of(model.state, stale)) == ()
    assert "no card pegs that" in prompt(model.state, stale)


def test_where_nobody_can_count_nineteen_it_is_not_compared_with_the_cards() -> None:
    lost, muggins = (at("OK OK OK 10 9", miscount=way) for way in ("lost", "muggins"))
    with pytest.raises(ImpossiblePoints, match="counts 19"):
        lost.press("FLNB")
    assert "FLNB" not in prompt(lost.state, lost.input_state)
    assert "FLNB" not in lit_keys(lost.state, lost.input_state)
    assert "FLNB: Compare it" in prompt(muggins.state, muggins.input_state), "an overclaim"
    muggins.press_all("FLNB 10 A 6 8 5 OK")
    assert muggins.state.scores() == (4, 0)


@pytest.mark.parametrize(("rules", "players"), some(GAMES, *range(0, len(GAMES), 4)))
def test_what_a_game_by_points_offers_is_accepted(rules: str, players: int) -> None:
    typed = 0
    for seed in range(2):
        chance = Random(seed)
        house = {"miscount": chance.choice(["machine", "lost", "muggins"]), "heels_deadline": "none"}
        model = at("", rules, players, **house)
        typed += play(model, chance, 120)
    assert typed > 30


@pytest.mark.prove
@pytest.mark.parametrize(("rules", "players"), GAMES)
def test_what_many_games_by_points_offer_is_accepted(rules: str, players: int) -> None:
    for seed in range(40):
        chance = Random(seed)
        house = {"miscount": chance.choice(["machine", "lost", "muggins"]), "heels_deadline": "none"}
        play(at("", rules, players, **house), chance, 600)
