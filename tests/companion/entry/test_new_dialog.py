"""A dialog that is added: its module with class and scene, and its row, serve keypad, screen and page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from support.presses import choices, press, prompt
from support.screens import Evening

from cribpi.companion.entry import kept
from cribpi.companion.entry.choice import GameView, KeyBinding, Scene, Text
from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.input_state import Dialog
from cribpi.companion.entry.scenes import SCENES
from cribpi.companion.entry.view import view_of
from cribpi.companion.views.screen.screen import compose
from cribpi.companion.web.json.state import state_json


@dataclass(frozen=True, slots=True)
class TeaBreak(Dialog):
    """A pause, of so many *minutes*."""

    minutes: int = 5


def tea_break(view: GameView, dialog: TeaBreak) -> Scene:
    longer = view.opened(replace(dialog, minutes=dialog.minutes + 5))
    bindings = (
        KeyBinding("OK", "Go on", view.opened(None)),
        KeyBinding("P2", Text("One more", "+1"), longer),
    )
    return Scene(f"A break of {dialog.minutes} minutes", bindings)


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> Evening:
    monkeypatch.setitem(SCENES, TeaBreak, tea_break)
    evening = Evening().press("OK OK P2 J 5")
    evening.input_state = replace(evening.input_state, dialog=TeaBreak())
    return evening


def test_it_is_asked_and_answered_by_its_scene_alone(paused: Evening) -> None:
    state, now = paused.state, paused.input_state
    assert prompt(state, now) == "A break of 5 minutes. OK: Go on, P2: One more"
    assert [choice.key for choice in choices(state, now)] == ["OK", "P2", "hold:UNDO", "hold:MENU"]
    assert repr(press(state, now, "P2").input_state.dialog) == "TeaBreak(minutes=10)"
    assert press(state, now, "OK").input_state.dialog is None
    with pytest.raises(WrongKey, match="A break of 5 minutes"):
        press(state, now, "7")


def test_the_screen_shows_what_it_asks_and_its_keys(paused: Evening) -> None:
    sheet = compose(view_of(paused.state, paused.input_state))
    shown = " ".join(text.text for text in sheet.texts())
    assert "A break of 5 minutes" in shown
    assert sheet.legend == [("OK", "go on"), ("P2", "+1")]


def test_it_is_kept_and_read_again_and_the_page_has_it(paused: Evening) -> None:
    assert kept.from_json(kept.to_json(paused.saved)) == paused.saved
    broken: dict[str, Any] = kept.to_json(paused.saved)
    broken["dialog"] |= {"minutes": "five"}
    assert kept.from_json(broken) == paused.saved._replace(
        input_state=replace(paused.input_state, dialog=None)
    )
    state = state_json(view_of(paused.state, paused.input_state), 1, may_undo=True, may_redo=False)
    assert state["prompt"] == prompt(paused.state, paused.input_state)
