"""What can be pressed now, what it is called here, and what it does: one answer for everybody who asks.

`choices` lists it, and `press` looks one up; every press goes through it, from keypad and page alike.  What
is in the table is accepted, and any other key of the keypad is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from cribpi.companion.entry import by_cards, by_dealing, by_points, corrections
from cribpi.companion.entry.choice import (
    Choice,
    Offer,
    Place,
    Scene,
    accepted,
    following_game,
    menu,
    prompt_of,
    scene,
    undo,
)
from cribpi.companion.entry.desk import (
    ChangeSettings,
    Correct,
    CountHand,
    Desk,
    EndMatch,
    FalseWin,
    GameSums,
    MatchSoFar,
    Menu,
    NewGame,
    PhoneList,
    PhoneRole,
    Question,
    Status,
    SwitchOff,
    Undone,
    Why,
)
from cribpi.companion.entry.dialogs.count_hand import count_hand
from cribpi.companion.entry.dialogs.menu import menu as menu_lines
from cribpi.companion.entry.dialogs.new_game import end_match, new_game
from cribpi.companion.entry.dialogs.phones import phone_list, phone_role
from cribpi.companion.entry.dialogs.question import question
from cribpi.companion.entry.dialogs.settings import change_settings, switch_off
from cribpi.companion.entry.dialogs.standing import game_sums, match
from cribpi.companion.entry.dialogs.status import status
from cribpi.companion.entry.dialogs.why import why
from cribpi.companion.entry.keys import DIGITS, HOLDS, KEYS, side_keys_of
from cribpi.companion.entry.pad import ARROWS, TWENTY, Pad
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.reply import Move, Reply, WrongKey
from cribpi.companion.entry.texts import Text
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase, State, side_name

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


def waiting_pairing(state: State, desk: Desk) -> Pairing | None:
    """Return whose game is next for a club's desk; None in a game or a menu, or once it has begun."""
    is_free = desk.dialog is None and (state.phase is Phase.IDLE or state.winner is not None)
    return desk.club.pairing if is_free and desk.club.is_waiting else None


def offered_pairing(state: State, desk: Desk) -> Pairing | None:
    """Return whose game OK starts for a club's desk: not before people have seen who has won the last one."""
    is_due = state.winner is None or desk.club.is_result_seen
    return waiting_pairing(state, desk) if is_due else None


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


# The keypad, the screen, the page and the answer to the press that led here all ask the same of one place.


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
    pairing, found = waiting_pairing(place.state, place.desk), _own_game(place)
    if pairing is None:
        return found
    if offered_pairing(place.state, place.desk) is None:
        return _before_paired(place, pairing, found)
    return _paired(place, pairing, found)


def _before_paired(place: Place, pairing: Pairing, found: Scene) -> Scene:
    """Return *found*, the end of a game, with OK to go on to *pairing*."""
    text = Text(f"Go to round {pairing.round}: {pairing.names}", "next")
    desk = place.desk.cleared()
    seen = replace(desk, club=replace(desk.club, is_result_seen=True))
    return scene(found.asks, (Offer("OK", text, Reply(seen)), *found.offers))


def _paired(place: Place, pairing: Pairing, found: Scene) -> Scene:
    """Return *found*, what there is to do between games, with the game of *pairing* to come next."""
    who = f"Board {pairing.board}, round {pairing.round} of {pairing.games}: {pairing.names}"
    text = Text(f"Start round {pairing.round}: {pairing.names}", "start")
    start = Offer("OK", text, Reply(place.desk.begun(), pairing.game(place.desk.setup.entry)))
    asks = who if place.state.winner is None else f"{found.asks}. {who}"
    return scene(asks, (start, *found.offers), how=f"{place.pad.named('OK')}: Start")


def _own_game(place: Place) -> Scene:
    state = place.state
    if state.phase is Phase.IDLE:
        return scene("No game yet", (Offer("OK", "New game", place.opened(NewGame())),))
    if state.winner is not None:
        return _over(place, state.winner)
    if state.phase is Phase.CUT:
        return by_cards.cut(place)
    return _DEAL_TO_CRIB[state.entry](place)


def _over(place: Place, winner: int) -> Scene:
    state, asks = place.state, won(place.state, winner)
    if state.phase is Phase.MATCH_OVER:
        asks += ", and the match is over"
        goes_on = Offer(
            "OK", Text("Match result", "match"), Reply(replace(place.desk.cleared(), dialog=MatchSoFar()))
        )
    else:
        then = Text("Rematch", "next") if state.rules.match == "open" else Text("Next game", "next")
        goes_on = Offer("OK", then, Reply(place.desk.begun(), following_game(place)))
    text = corrections.text_of_false_win(side_name(state, winner))
    takes_back = place.opened(FalseWin(winner, state.pegs[winner].back))
    not_won = (
        Offer(key, text, takes_back, is_likely=False)
        for key, side in side_keys_of(state.sides)
        if side == winner
    )
    sums = place.opened(GameSums())
    looks_back = (
        Offer(key, Text("What each side got", "sum"), sums, is_likely=False) for key in ("FLNB", "DOWN")
    )
    return scene(asks, (goes_on, *not_won, *looks_back))


def won(state: State, winner: int) -> str:
    """Say who has won, by what scores, and whether it is a skunk."""
    others = sorted((score for side, score in enumerate(state.scores()) if side != winner), reverse=True)
    said = f"{side_name(state, winner)} wins {'-'.join(map(str, (state.pegs[winner].front, *others)))}"
    return said + ("", ", a skunk", ", a double skunk")[max(map(state.skunk, range(state.sides)))]


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
    Question: question,
    NewGame: new_game,
    EndMatch: end_match,
    Menu: menu_lines,
    ChangeSettings: change_settings,
    PhoneList: phone_list,
    PhoneRole: phone_role,
    Status: status,
    SwitchOff: switch_off,
    Correct: corrections.correct,
    FalseWin: corrections.false_win,
    Why: why,
    MatchSoFar: match,
    GameSums: game_sums,
    CountHand: count_hand,
    Undone: _after_undo,
}
"""The scene of each kind of dialog."""

_DEAL_TO_CRIB: Final = {
    Entry.PEG: by_points.deal_to_crib,
    Entry.DEALT: by_dealing.deal_to_crib,
    Entry.CARDS: by_cards.deal_to_crib,
}
"""The same while none is, by how the game is kept."""
