"""What can be pressed now, what it is called here, and what it does: one answer for everybody who asks.

`choices` lists it, and `press` looks one up; every press goes through it, from keypad and page alike.  What
is in the table is accepted, and any other key of the keypad is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, lru_cache, partial
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
from cribpi.companion.entry.keys import ARROWS, DIGITS, HOLDS, KEYS, STEPS, TWENTY, Pad, side_keys_of
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
    return _here(state, desk, pad, seat).choices


def press(state: State, desk: Desk, key: str, pad: Pad = TWENTY, seat: int | None = None) -> Reply:
    """Return what *key* of *pad* does where the game stands at *state*, after the input on *desk*.

    *seat* is as in `choices`.

    Raises:
        RuleError: If it does nothing here; nothing has changed, and the text says what would.
    """
    found = _here(state, desk, pad, seat)
    place, here = found.place, found.scene
    if here.number is not None and key in DIGITS:
        return here.number.typed(DIGITS[key])
    if here.number is not None and here.number.moved is not None and key in STEPS:
        return here.number.moved(STEPS[key])
    means = meaning(key, here, pad)
    if means not in KEYS:  # a card with its suit: of those that lie in no open hand, only ranks are offered
        place = place.asked(means)
        here = scene_at(place)
    for offer in here.offers:
        if offer.key == means:
            return offer.reply()
    raise WrongKey(here.remedy or prompt_of(here, place), here.remedy or here.asks)


def prompt(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> str:
    """Say what to do next, in one line, with the keys of *pad*; the refusal of a wrong key says the same."""
    return _here(state, desk, pad, seat).prompt


def scene_of(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> Scene:
    """Return what is asked for where the game stands at *state*; *seat* is as in `choices`."""
    return _here(state, desk, pad, seat).scene


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
    here = scene_of(state, desk, pad)
    is_go_third = state.entry is Entry.PEG and pad.side_keys(state.sides)[-1:] == ("GO",)
    sides = dict(side_keys_of(state.sides, is_go_third=is_go_third))
    means = {key: meaning(key, here, pad) for key in pad.keys}
    return {key: sides[side] for key, side in means.items() if side in sides}


def likely_keys(offered: tuple[Choice, ...], pad: Pad) -> tuple[str, ...]:
    """Return the keys of *pad* that are likely next among the choices *offered*: those to be lit."""
    found = tuple(choice.key for choice in offered if choice.is_likely and choice.key in pad.keys)
    return found or ("UNDO",) * ("UNDO" in pad.keys)


def amount_keys(offered: tuple[Choice, ...]) -> tuple[str, ...]:
    """Return the keys that add to an amount: ranks, or a joystick's up and down."""
    return tuple(choice.key for choice in offered if choice.is_amount)


def fitted(desk: Desk, pad: Pad) -> Desk:
    """Return *desk* with the next game set up so that it can be kept with the keys of *pad*."""
    if pad.has_ranks or desk.setup.entry == Entry.PEG:
        return desk
    return replace(desk, setup=replace(desk.setup, entry=str(Entry.PEG)))


# --- how it is found ----------------------------------------------------------------------------------


class _Same:
    """What counts as the same only if it is the very same object: states and desks are large, and frozen."""

    __slots__ = ("it",)

    def __init__(self, it: Any) -> None:  # noqa: ANN401  a state, a desk, a keypad
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.it is other.it

    def __hash__(self) -> int:
        return id(self.it)


class _Here:
    """A place, and what follows from it, each worked out once, when it is first asked for."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.scene = scene_at(place)

    @cached_property
    def prompt(self) -> str:
        return prompt_of(self.scene, self.place)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        pad, found = self.place.pad, []
        for offer in self.scene.offers:
            key: str | None = offer.key  # a long press, or a card of the open hand
            if key in KEYS:
                key = next((own for own in pad.keys if meaning(own, self.scene, pad) == key), None)
            if key and (reply := accepted(self.place, offer)):
                text, likely = offer.text, offer.is_likely
                how = offer.is_amount, offer.takes_suit
                found.append(Choice(key, pad.named(key), text.long, text.short, reply, likely, *how))
        return tuple(sorted(found, key=lambda choice: not choice.is_likely))


def _here(state: State, desk: Desk, pad: Pad, seat: int | None) -> _Here:
    """Return what there is at one place: the keypad, the screen, the page and the answer ask in turn."""
    return _at(_Same(state), _Same(desk), pad, seat)


@lru_cache(maxsize=KEPT)
def _at(state: _Same, desk: _Same, pad: Pad, seat: int | None) -> _Here:
    return _Here(Place(state.it, fitted(desk.it, pad), pad, seat))


def scene_at(place: Place) -> Scene:
    """Return what is asked for at *place*, with what can be pressed at any time."""
    here = place if place.desk.message is None else replace(place, desk=replace(place.desk, message=None))
    dialog = here.desk.dialog
    if dialog is not None:
        return SCENES[type(dialog)](here, dialog).also(*_holds(here))
    found = _game(here)
    if is_dead_end(here):
        can = (offer.unlikely() for offer in found.offers if accepted(here, offer))
        found = scene(no_ranks(here.pad), (menu(here), *can), how="")
    return found.also(undo(here).unlikely(), menu(here).unlikely(), *_holds(here))


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
        found.asks,
        (
            Offer("OK", "Go on", closed.opened(None)),
            replace(undo(closed), is_likely=bool(dialog.left)),
            *(offer.unlikely() for offer in found.offers),
        ),
        by_keys=found.by_keys,
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
        Offer(redo, "Redo", partial(place.makes, move=Move.REDO), is_likely=False),
        Offer(shut_down, "Shut down", off, is_likely=False),
    )


# --- keypads without ranks ----------------------------------------------------------------------------


def is_dead_end(place: Place) -> bool:
    """Tell whether a rank is wanted that no key can say: a game by cards was begun with another kit."""
    state, desk = place.state, place.desk
    if place.pad.has_ranks or desk.dialog is not None or state.entry is Entry.PEG:
        return False
    return state.phase is not Phase.CUT and _game(place).takes_ranks  # a dealer can be chosen without a rank


def no_ranks(pad: Pad) -> str:
    """Say what there is to say where a game can't go on with the keys that there are."""
    return f"This game needs keys for the ranks, and this kit has none: {pad.named('MENU')} starts a new one"


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
