"""The scene of each dialog and each phase.

A scene has a binding for each key that is accepted. All other keys are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from cribpi.companion.entry import (
    between_games,
    by_cards,
    by_dealing,
    by_points,
    corrections,
    device,
    new_game,
)
from cribpi.companion.entry import input_state as inputs
from cribpi.companion.entry import menu as menus
from cribpi.companion.entry.choice import GameView, KeyBinding, Scene, accepted, first_of_each_key, menu, undo
from cribpi.companion.entry.effect import Effect, TableCommand
from cribpi.companion.entry.input_state import Undone
from cribpi.companion.entry.keys import HOLDS, Pad
from cribpi.companion.entry.the_show import count_hand
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase


def scene_at(view: GameView) -> Scene:
    """Return the scene at *view*, including the keys that always work. Each key has one binding."""
    found = _scene_at(view)
    return found._replace(bindings=first_of_each_key(found.bindings))


def _scene_at(view: GameView) -> Scene:
    here = (
        view
        if view.input_state.message is None
        else replace(view, input_state=replace(view.input_state, message=None))
    )
    dialog = here.input_state.dialog
    if dialog is not None:
        return SCENES[type(dialog)](here, dialog).also(*_holds(here))
    found = _game(here)
    if found.takes_ranks and not here.pad.has_ranks and here.state.phase is not Phase.CUT:
        # The game was started in cards mode with another kit. The cut is no problem: choosing a dealer needs
        # no rank.
        can = (binding.unlikely() for binding in first_of_each_key(found.bindings) if accepted(here, binding))
        found = Scene(no_ranks(here.pad), (menu(here), *can), key_help="", is_dead_end=True)
    return found.also(undo(here).unlikely(), menu(here).unlikely(), *_holds(here))


def _game(view: GameView) -> Scene:
    state = view.state
    if state.phase is Phase.IDLE or state.winner is not None:
        return between_games.between_games(view)
    if state.phase is Phase.CUT:
        return by_cards.cut(view)
    return _DEAL_TO_CRIB[state.entry](view)


def _after_undo(view: GameView, dialog: Undone) -> Scene:
    """Return the scene after an undo. Its message closes at the next key, which also has its usual effect."""
    closed = replace(view, input_state=replace(view.input_state, dialog=None))
    found = scene_at(closed)
    goes_on = KeyBinding("OK", "Go on", closed.opened(None))
    undoes = undo(closed)._replace(is_likely=bool(dialog.left))
    bindings = (goes_on, undoes, *(binding.unlikely() for binding in found.bindings))
    return found._replace(bindings=bindings, key_help=None, remedy=None)


def _holds(view: GameView) -> tuple[KeyBinding, ...]:
    input_state = view.input_state
    if isinstance(input_state.dialog, Undone):
        input_state = replace(input_state, dialog=None)
    off = Effect(input_state, command=TableCommand.SHUT_DOWN)
    redo, shut_down = HOLDS
    return (
        KeyBinding(redo, "Redo", partial(view.makes, command=TableCommand.REDO), is_likely=False),
        KeyBinding(shut_down, "Shut down", off, is_likely=False),
    )


def no_ranks(pad: Pad) -> str:
    """Return the prompt of a game that needs rank keys, for a kit without them."""
    return (
        f"This game needs keys for the ranks, and this kit has none: {pad.label_for('MENU')} starts a new one"
    )


SCENES: Final[dict[type, Callable[[GameView, Any], Scene]]] = {
    inputs.Question: by_cards.question,
    inputs.NewGame: new_game.new_game,
    inputs.EndMatch: new_game.end_match,
    inputs.Menu: menus.menu,
    inputs.ChangeSettings: device.change_settings,
    inputs.PhoneList: device.phone_list,
    inputs.PhoneRole: device.phone_role,
    inputs.Status: device.status,
    inputs.SwitchOff: device.switch_off,
    inputs.Correct: corrections.correct,
    inputs.FalseWin: corrections.false_win,
    inputs.Why: menus.why,
    inputs.MatchSoFar: between_games.match,
    inputs.GameSums: between_games.game_sums,
    inputs.CountHand: count_hand,
    inputs.Undone: _after_undo,
}

_DEAL_TO_CRIB: Final = {
    Entry.PEG: by_points.deal_to_crib,
    Entry.DEALT: by_dealing.deal_to_crib,
    Entry.CARDS: by_cards.deal_to_crib,
}
"""Scene from the deal to the crib without a dialog, by mode."""
