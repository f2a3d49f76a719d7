"""What can be pressed now, what it is called here, and what it does: one answer for everybody who asks.

`choices` lists it, and `press` looks one up; every press goes through it, from keypad and page alike.  What
is in the table is accepted, and any other key of the keypad is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from cribpi.companion.entry import (
    between_games,
    by_cards,
    by_dealing,
    by_points,
    corrections,
    device,
    new_game,
    the_show,
)
from cribpi.companion.entry import desk as desks
from cribpi.companion.entry import menu as menus
from cribpi.companion.entry.choice import Choice, Offer, Place, Scene, accepted, menu, prompt_of, scene, undo
from cribpi.companion.entry.desk import Desk, Undone
from cribpi.companion.entry.keys import DIGITS, HOLDS, KEYS, side_keys_of
from cribpi.companion.entry.pad import ARROWS, TWENTY, Pad
from cribpi.companion.entry.reply import Move, Reply, WrongKey
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase, State

KEPT: Final = 16
"""Places whose scenes are kept: that of the board, and those of the phones, each for a press or two."""


def choices(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> tuple[Choice, ...]:
    """Return every key of *pad* that would be accepted where the game stands at *state*, the likeliest first.

    Each card of the open hand is there too, as `7H`.  A rank key of a game with real cards stands for
    that rank with any suit.  Whether there is a step to take back, the table alone knows.

    With a *seat* it is that seat's own view, where the computer deals: its hand and no other.  Without one it
    is what a screen offers that all can see.
    """
    return _choices(_Same(state), _Same(desk), pad, seat)


def press(state: State, desk: Desk, key: str, pad: Pad = TWENTY, seat: int | None = None) -> Reply:
    """Return what *key* of *pad* does where the game stands at *state*, after the input on *desk*.

    *seat* is as in `choices`.

    Raises:
        RuleError: If it does nothing here; nothing has changed, and the text says what would.
    """
    place, here = _here(_Same(state), _Same(desk), pad, seat)
    if key in DIGITS and here.number is not None:
        return here.number(DIGITS[key])
    means = meaning(key, here, pad)
    if means not in KEYS:  # a card with its suit: of those that lie in no open hand, only ranks are offered
        place = place.asked(means)
        here = scene_at(place)
    found = {offer.key: offer.reply for offer in here.offers}.get(means)
    if isinstance(found, Reply):
        return found
    if found is not None:
        raise found.with_traceback(None)  # it is kept, and is raised each time
    raise WrongKey(here.remedy or prompt_of(here, place))


def prompt(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> str:
    """Say what to do next, in one line, with the keys of *pad*; the refusal of a wrong key says the same."""
    return _prompt(_Same(state), _Same(desk), pad, seat)


def meaning(key: str, here: Scene, pad: Pad) -> str:
    """Return which key of a keypad that has every one *key* of *pad* is.

    A joystick's left and right are the sides' keys.  A rank key that stands for a side is that side's, unless
    a rank can be pressed now: on a numpad `/` is J while cards are entered, and P1 in a menu or in a game
    kept by points.
    """
    sides = ARROWS if here.takes_ranks else dict(pad.sides) | ARROWS
    return sides.get(key, key)


def sides_now(state: State, desk: Desk, pad: Pad = TWENTY) -> dict[str, int]:
    """Return the keys of *pad* that are a side's now, each with its side, whether or not it can be pressed.

    GO is the third side's in a game kept by points, where there is no key of its own for it.
    """
    _, here = _here(_Same(state), _Same(desk), pad)
    is_go_third = state.entry is Entry.PEG and pad.side_keys(state.sides)[-1:] == ("GO",)
    sides = dict(side_keys_of(state.sides, is_go_third=is_go_third))
    means = {key: meaning(key, here, pad) for key in pad.keys}
    return {key: sides[side] for key, side in means.items() if side in sides}


def likely_keys(offered: tuple[Choice, ...], pad: Pad) -> tuple[str, ...]:
    """Return the keys of *pad* that are likely next among the choices *offered*: those to be lit."""
    found = tuple(choice.key for choice in offered if choice.is_likely and choice.key in pad.keys)
    return found or ("UNDO",) * ("UNDO" in pad.keys)


def takes_digits(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> bool:
    """Tell whether a number is asked for, which a computer's keyboard types digit by digit."""
    _, here = _here(_Same(state), _Same(desk), pad, seat)
    return here.number is not None


def amount_keys(offered: tuple[Choice, ...]) -> tuple[str, ...]:
    """Return the keys that add to an amount: ranks, or a joystick's up and down."""
    return tuple(choice.key for choice in offered if choice.is_amount)


def fitted(desk: Desk, pad: Pad) -> Desk:
    """Return *desk* with the next game set up so that it can be kept with the keys of *pad*."""
    if pad.has_ranks or desk.setup.entry == Entry.PEG:
        return desk
    return replace(desk, setup=replace(desk.setup, entry=str(Entry.PEG)))


class _Same:
    """What counts as the same only if it is the very same object: states and desks are large, and frozen."""

    __slots__ = ("it",)

    def __init__(self, it: Any) -> None:  # noqa: ANN401  a state, a desk, a keypad
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.it is other.it

    def __hash__(self) -> int:
        return id(self.it)


@lru_cache(maxsize=KEPT)
def _here(state: _Same, desk: _Same, pad: Pad, seat: int | None = None) -> tuple[Place, Scene]:
    place = Place(state.it, fitted(desk.it, pad), pad, seat)
    return place, scene_at(place)


@lru_cache(maxsize=KEPT)
def _choices(state: _Same, desk: _Same, pad: Pad, seat: int | None) -> tuple[Choice, ...]:
    place, here = _here(state, desk, pad, seat)
    found = [
        Choice(
            key,
            pad.named(key),
            *offer.text.forms,
            reply,
            offer.is_likely,
            offer.is_amount,
            offer.takes_suit,
        )
        for offer in here.offers
        if (key := _pressed_with(offer.key, here, pad)) and (reply := accepted(place, offer))
    ]
    return tuple(sorted(found, key=lambda choice: not choice.is_likely))


@lru_cache(maxsize=KEPT)
def _prompt(state: _Same, desk: _Same, pad: Pad, seat: int | None) -> str:
    place, here = _here(state, desk, pad, seat)
    return prompt_of(here, place)


def scene_of(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> Scene:
    """Return what is asked for where the game stands at *state*; *seat* is as in `choices`."""
    return _here(_Same(state), _Same(desk), pad, seat)[1]


def scene_at(place: Place) -> Scene:
    """Return what is asked for at *place*, with what can be pressed at any time."""
    here = replace(place, desk=replace(place.desk, message=None))
    dialog = here.desk.dialog
    if dialog is not None:
        found = SCENES[type(dialog)](here, dialog)
    else:
        found = _without_ranks(here) if is_dead_end(here) else _game(here)
        found = found.also(undo(here).unlikely(), menu(here).unlikely())
    return found.also(*_holds(here))


def _game(place: Place) -> Scene:
    state = place.state
    if state.phase is Phase.IDLE or state.winner is not None:
        return between_games.between_games(place)
    if state.phase is Phase.CUT:
        return by_cards.cut(place)
    return _DEAL_TO_CRIB[state.entry](place)


def _after_undo(place: Place, dialog: Undone) -> Scene:
    """Say what was taken back until the next key, which does what it would have done without."""
    closed = replace(place, desk=replace(place.desk, dialog=None))
    found = scene_at(closed)
    return scene(
        "",
        (
            Offer("OK", "Go on", closed.opened(None)),
            replace(undo(closed), is_likely=bool(dialog.left)),
            *(offer.unlikely() for offer in found.offers),
        ),
        takes_ranks=found.takes_ranks,
        number=found.number,
    )


def _holds(place: Place) -> tuple[Offer, ...]:
    """Offer the long presses."""
    desk = place.desk
    if isinstance(desk.dialog, Undone):
        desk = replace(desk, dialog=None)
    off = Reply(desk, move=Move.SHUT_DOWN)
    redo, shut_down = HOLDS
    return (
        Offer(redo, "Redo", place.makes(move=Move.REDO), is_likely=False),
        Offer(shut_down, "Shut down", off, is_likely=False),
    )


def is_dead_end(place: Place) -> bool:
    """Tell whether a rank is wanted that no key can say: a game by cards was begun with another kit."""
    state, desk = place.state, place.desk
    if place.pad.has_ranks or desk.dialog is not None or state.entry is Entry.PEG:
        return False
    return state.phase is not Phase.CUT and _game(place).takes_ranks  # a dealer can be chosen without a rank


def no_ranks(pad: Pad) -> str:
    """Say what there is to say where a game can't go on with the keys that there are."""
    return f"This game needs keys for the ranks, and this kit has none: {pad.named('MENU')} starts a new one"


def _without_ranks(place: Place) -> Scene:
    """Return what can be done without the rank that is asked for."""
    can = (offer.unlikely() for offer in _game(place).offers if accepted(place, offer))
    return scene(no_ranks(place.pad), (menu(place), *can), how="")


def _pressed_with(key: str, here: Scene, pad: Pad) -> str | None:
    """Return what is pressed for *key* here: a key of *pad*, a long press, or a card; None if nothing is."""
    if key not in KEYS:
        return key
    return next((own for own in pad.keys if meaning(own, here, pad) == key), None)


SCENES: Final[dict[type, Callable[[Place, Any], Scene]]] = {
    desks.Question: by_cards.question,
    desks.NewGame: new_game.new_game,
    desks.EndMatch: new_game.end_match,
    desks.Menu: menus.menu,
    desks.ChangeSettings: device.change_settings,
    desks.PhoneList: device.phone_list,
    desks.PhoneRole: device.phone_role,
    desks.Status: device.status,
    desks.SwitchOff: device.switch_off,
    desks.Correct: corrections.correct,
    desks.FalseWin: corrections.false_win,
    desks.Why: menus.why,
    desks.MatchSoFar: between_games.match,
    desks.GameSums: between_games.game_sums,
    desks.CountHand: the_show.count_hand,
    desks.Undone: _after_undo,
}
"""The scene of each kind of dialog."""


_DEAL_TO_CRIB: Final = {
    Entry.PEG: by_points.deal_to_crib,
    Entry.DEALT: by_dealing.deal_to_crib,
    Entry.CARDS: by_cards.deal_to_crib,
}
"""The same while none is, by how the game is kept."""
