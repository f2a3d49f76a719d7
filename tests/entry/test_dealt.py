"""A game that the machine deals, at keys that do not know it yet: nothing breaks, and the way out is told."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from support.presses import Model
from support.referee import NAMES, PACK

from cribpi.core.cards import Card, Rank
from cribpi.core.errors import BadSetup, RuleError
from cribpi.core.events import CardCut, CardsLaidAway, Entry, Event, GameStarted, PackShuffled, ScorePutRight
from cribpi.core.game import fold, step
from cribpi.core.presets import preset
from cribpi.core.state import Phase
from cribpi.entry.desk import Desk, NewGame, Setup, from_json, to_json
from cribpi.entry.keys import KEYS
from cribpi.entry.pad import Pad
from cribpi.entry.press import NOT_BY_KEYS, press
from cribpi.entry.reply import WrongKey
from cribpi.views import next_keys
from cribpi.views.prompts import prompt
from cribpi.views.screen import compose

BARE = Pad(("UNDO", "MENU", "OK", "P1", "P2"))
"""Keys without ranks."""


START = GameStarted(NAMES[:2], preset("standard"), Entry.DEALT, 0, levels=("", "solid"))


def table(*more: Event) -> Model:
    """Return a table at which the machine has begun a game, and *more* has happened."""
    model = Model()
    for event in (START, *more):
        model.events.append(event)
        model.states.append(step(model.state, event))
    return model


SHUFFLED = PackShuffled(tuple(Random(1).sample(PACK, 52)))


@pytest.mark.parametrize("more", [(), (SHUFFLED,)], ids=["before the deal", "laying away"])
def test_no_key_plays_it_yet_and_the_way_out_is_told(more: tuple[Event, ...]) -> None:
    model = table(*more)
    for key in ("A", "7", "7H", "GO", "FLNB", "P1", "OK"):
        with pytest.raises(WrongKey) as refused:
            model.press(key)
        assert str(refused.value) == NOT_BY_KEYS
    assert prompt(model.state, model.desk).lower() == NOT_BY_KEYS.lower()
    assert next_keys.keys(model.state, model.desk) == ("MENU",)
    assert "machine deals" in " ".join(text.text for text in compose(model.state, model.desk).texts())
    model.press("UNDO")
    assert len(model.events) == len(more)


def test_another_game_is_begun_from_its_menu() -> None:
    model = table(SHUFFLED)
    while not isinstance(model.desk.dialog, NewGame):
        model.press("MENU")
        while "new game" not in prompt(model.state, model.desk):
            model.press("P2")
        model.press("OK")
    assert model.press("OK").event == Setup().event()


def test_any_keys_in_any_order_are_answered_at_every_step_of_the_deal() -> None:
    deal = fold([START, SHUFFLED]).deal
    assert deal is not None
    away = [CardsLaidAway(seat, dealt[:2]) for seat, dealt in enumerate(deal.dealt)]
    steps: list[list[Event]] = [
        [],
        [SHUFFLED],
        [SHUFFLED, away[0]],
        [SHUFFLED, *away],
        [ScorePutRight(1, 121)],
    ]
    for more in steps:
        chance, model = Random(len(more)), table(*more)
        for _ in range(60):
            with suppress(RuleError):
                model.press(chance.choice(KEYS))
            assert prompt(model.state, model.desk)
            assert list(compose(model.state, model.desk).texts())


def test_the_new_game_menu_does_not_offer_it() -> None:
    model = Model()
    model.press_all("OK 3")
    seen = set()
    for _ in range(4):
        seen.add(model.press("P2").desk.setup.entry)
    assert seen == {"cards", "peg"}
    with pytest.raises(BadSetup, match="choose cards or peg"):
        Setup(entry="dealt").event()
    with pytest.raises(ValueError, match="not a desk"):
        from_json(json.loads(json.dumps(to_json(Desk(Setup(entry="dealt"))))))


def test_the_game_after_it_is_dealt_by_the_machine_too_whatever_keys_there_are() -> None:
    over = table(ScorePutRight(1, 121)).state
    for pad in (Pad(KEYS), BARE):
        event = press(over, Desk(), "OK", pad=pad).event
        assert isinstance(event, GameStarted)
        assert (event.entry, event.levels) == (Entry.DEALT, ("", "solid"))
        assert fold([event]).phase is Phase.DEAL


def test_the_first_dealer_is_found_with_the_keys_as_ever() -> None:
    model = Model()
    model.events.append(replace(START, dealer=None))
    model.states.append(fold(model.events))
    assert model.press("7").event == CardCut(0, Card(Rank.SEVEN))
