"""What can be pressed now, what it is called here, and what it does: one answer for everybody who asks.

`choices` lists it, and `press` looks one up; every press goes through it, from keypad and page alike.  What
is in the table is accepted, and any other key of the keypad is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cribpi.core.events import Entry, Event, GameStarted
from cribpi.core.game import next_game
from cribpi.core.state import OVER, Phase, State, side_name
from cribpi.entry import by_cards, by_dealing, by_points, texts
from cribpi.entry.choice import Choice, Offer, Place, Scene, is_accepted, menu, prompt_of, scene, undo
from cribpi.entry.desk import Desk, FalseWin, MatchSoFar, NewGame, Undone
from cribpi.entry.dialogs import dialog_scene
from cribpi.entry.keys import HOLDS, card_of, side_keys_of
from cribpi.entry.pad import ARROWS, TWENTY, Pad
from cribpi.entry.reply import Move, Reply, WrongKey


def choices(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> tuple[Choice, ...]:
    """Return every key of *pad* that would be accepted where the game stands at *state*, the likeliest first.

    Each card of a hand that lies open is there too, as `7H`.  A rank key of a game with real cards stands for
    that rank with any suit.  Whether there is a step to take back, the table alone knows.

    With a *seat* it is that seat's own view, where the computer deals: its hand and no other.  Without one it
    is what a screen offers that all can see.
    """
    place = Place(state, fitted(desk, pad), pad, seat)
    here = scene_at(place)
    found = [
        Choice(key, pad.named(key), *offer.text.forms, reply, offer.is_likely, offer.is_amount)
        for offer in here.offers
        if (key := _pressed_with(offer.key, here, pad)) is not None
        and (reply := _accepted(place, offer)) is not None
    ]
    return tuple(sorted(found, key=lambda choice: not choice.is_likely))


def moves(state: State, seat: int) -> tuple[Event, ...]:
    """Return every single event by which *seat* can go on now, where the computer deals."""
    events = (choice.reply.event for choice in choices(state, Desk(), seat=seat))
    return tuple(dict.fromkeys(event for event in events if event is not None))


def press(state: State, desk: Desk, key: str, pad: Pad = TWENTY, seat: int | None = None) -> Reply:
    """Return what *key* of *pad* does where the game stands at *state* and *desk* lies half entered.

    *seat* is as in `choices`.

    Raises:
        RuleError: If it does nothing here; nothing has changed, and the text says what would.
    """
    card = card_of(key)
    place = Place(state, fitted(desk, pad), pad, seat, (card,) if card else ())
    here = scene_at(place)
    means = meaning(key, here, pad)
    if means != key:
        card = card_of(means)
        here = scene_at(replace(place, cards=(card,) if card else ()))
    found = next((offer.reply for offer in here.offers if offer.key == means), None)
    if isinstance(found, Reply):
        return _by_points_without_ranks(found, pad)
    raise found or WrongKey(here.remedy or prompt_of(here, place))


def prompt(state: State, desk: Desk, pad: Pad = TWENTY, seat: int | None = None) -> str:
    """Say what to do next, in one line, with the keys of *pad*; every refused key is told the same."""
    place = Place(state, fitted(desk, pad), pad, seat)
    return prompt_of(scene_at(place), place)


def meaning(key: str, here: Scene, pad: Pad) -> str:
    """Return which key of a keypad that has every one *key* of *pad* is.

    A joystick's left and right are the sides' keys.  A rank key that stands for a side is that side's, unless
    a rank can be pressed now: on a numpad `/` is J while cards are entered, and P1 in a menu or in a game
    kept by points.
    """
    if key in ARROWS:
        return ARROWS[key]
    side = dict(pad.sides).get(key)
    return key if side is None or here.takes_ranks else side


def sides_now(state: State, desk: Desk, pad: Pad = TWENTY) -> dict[str, int]:
    """Return the keys of *pad* that are a side's now, each with its side, whether or not it can be pressed.

    GO is the third side's in a game kept by points, where there is no key of its own for it.
    """
    here = scene_at(Place(state, fitted(desk, pad), pad, cards=()))
    is_go_third = state.entry is Entry.PEG and pad.side_keys(state.sides)[-1:] == ("GO",)
    sides = dict(side_keys_of(state.sides, is_go_third=is_go_third))
    means = {key: meaning(key, here, pad) for key in pad.keys}
    return {key: sides[side] for key, side in means.items() if side in sides}


def likely_keys(offered: tuple[Choice, ...], pad: Pad) -> tuple[str, ...]:
    """Return the keys of *pad* that are likely next among the choices *offered*: those to be lit."""
    found = tuple(choice.key for choice in offered if choice.is_likely and choice.key in pad.keys)
    return found or tuple(key for key in pad.keys if key == "UNDO")


def amount_keys(offered: tuple[Choice, ...], pad: Pad) -> tuple[str, ...]:
    """Return the keys of *pad* that add to an amount: ranks, or a joystick's up and down."""
    return tuple(choice.key for choice in offered if choice.is_amount and choice.key in pad.keys)


def fitted(desk: Desk, pad: Pad) -> Desk:
    """Return *desk* with the next game set up so that it can be kept with the keys of *pad*."""
    if pad.has_ranks or desk.setup.entry == Entry.PEG:
        return desk
    return replace(desk, setup=replace(desk.setup, entry=str(Entry.PEG)))


# --- how it is found ----------------------------------------------------------------------------------


def scene_at(place: Place) -> Scene:
    """Return what is asked for at *place*, with what can be pressed at any time."""
    desk = replace(place.desk, message=None)
    here = replace(place, desk=desk)
    if isinstance(desk.dialog, Undone):
        found = _after_undo(here, desk.dialog)
    elif desk.dialog is not None:
        found = dialog_scene(here)
    else:
        found = _without_ranks(here, _game(here)) if is_dead_end(here) else _game(here)
        found = replace(found, offers=(*found.offers, undo(here).unlikely(), menu(here).unlikely()))
    return replace(found, offers=scene("", (*found.offers, *_holds(here))).offers)


def _game(place: Place) -> Scene:
    state = place.state
    if state.phase is Phase.IDLE:
        opens = Offer("OK", texts.NEW_GAME, place.opened(NewGame()))
        return scene("No game yet", (opens,))
    if state.phase in OVER:
        return _over(place)
    if state.phase is Phase.CUT:
        return by_dealing.cut(place) if state.entry is Entry.DEALT else by_cards.cut(place)
    match state.entry:
        case Entry.PEG:
            return by_points.deal_to_crib(place)
        case Entry.DEALT:
            return by_dealing.deal_to_crib(place)
        case Entry.CARDS:
            return by_cards.deal_to_crib(place)


def _over(place: Place) -> Scene:
    state, desk = place.state, place.desk
    if state.phase is Phase.MATCH_OVER:
        goes_on = Offer("OK", texts.MATCH_RESULT, Reply(replace(desk.cleared(), dialog=MatchSoFar())))
    else:
        goes_on = Offer("OK", texts.NEXT_GAME, Reply(desk.cleared(), event=next_game(state)))
    winner = state.winner or 0
    text = texts.NOT_WON.of(name=side_name(state, winner))
    takes_back = place.opened(FalseWin(winner, state.pegs[winner].back))
    not_won = [
        Offer(key, text, takes_back).unlikely() for key, side in side_keys_of(state.sides) if side == winner
    ]
    match_too = ", and the match is over" if state.phase is Phase.MATCH_OVER else ""
    return scene(f"{won(state, winner)}{match_too}", (goes_on, *not_won))


def won(state: State, winner: int) -> str:
    """Say who has won, by what scores, and whether it is a skunk."""
    others = sorted((score for side, score in enumerate(state.scores()) if side != winner), reverse=True)
    said = f"{side_name(state, winner)} wins {'-'.join(map(str, (state.pegs[winner].front, *others)))}"
    skunked = [score for score in state.scores() if score < state.rules.skunk_below]
    if not skunked:
        return said
    return said + (", a double skunk" if min(skunked) < state.rules.double_skunk_below else ", a skunk")


def _after_undo(place: Place, dialog: Undone) -> Scene:
    """Say what was taken back until the next key, which does what it would have done without."""
    closed = replace(place, desk=replace(place.desk, dialog=None))
    found, step_back = scene_at(closed), undo(closed)
    return scene(
        "",
        (
            Offer("OK", texts.GO_ON, closed.opened(None)),
            step_back if dialog.left else step_back.unlikely(),
            *(offer.unlikely() for offer in found.offers),
        ),
        takes_ranks=found.takes_ranks,
    )


def _holds(place: Place) -> Iterator[Offer]:
    """Offer the long presses."""
    desk = place.desk
    shown = None if isinstance(desk.dialog, Undone) else desk.dialog
    redo, shut_down = HOLDS
    yield Offer(redo, texts.REDO, Reply(desk.cleared(), move=Move.REDO)).unlikely()
    off = Reply(replace(desk, dialog=shown), move=Move.SHUT_DOWN)
    yield Offer(shut_down, texts.SHUT_DOWN, off).unlikely()


# --- keypads without ranks ----------------------------------------------------------------------------


def is_dead_end(place: Place) -> bool:
    """Tell whether a rank is wanted that no key can say: a game by cards was begun with another kit."""
    state, desk = place.state, place.desk
    if place.pad.has_ranks or desk.dialog is not None or state.entry is Entry.PEG:
        return False
    return state.phase is not Phase.CUT and _game(place).takes_ranks  # a dealer can be chosen without a rank


def no_ranks(pad: Pad) -> str:
    """Say what there is to say where a game can't go on with the keys that there are."""
    return (
        f"This game is kept by cards, and this kit has no keys for the ranks: {pad.named('MENU')} starts "
        f"a new one"
    )


def _without_ranks(place: Place, found: Scene) -> Scene:
    """Return of a scene what can be done without the rank that it asks for."""
    can = (offer.unlikely() for offer in found.offers if _accepted(place, offer) is not None)
    return scene(no_ranks(place.pad), (menu(place), *can), how="")


def _by_points_without_ranks(reply: Reply, pad: Pad) -> Reply:
    """Return *reply*; a game that it starts is one that *pad* can keep."""
    event = reply.event
    if isinstance(event, GameStarted) and not pad.has_ranks:
        return replace(reply, event=replace(event, entry=Entry.PEG, levels=()))
    return reply


# --- what is accepted, and with which key -------------------------------------------------------------


def _accepted(place: Place, offer: Offer) -> Reply | None:
    """Return what comes of *offer*, or None if it is refused."""
    return (
        _by_points_without_ranks(offer.reply, place.pad)
        if is_accepted(place, offer) and isinstance(offer.reply, Reply)
        else None
    )


def _pressed_with(key: str, here: Scene, pad: Pad) -> str | None:
    """Return what is pressed for *key* here: a key of *pad*, a long press, or a card; None if nothing is."""
    card = card_of(key)
    if key in HOLDS or (card is not None and card.suit is not None):
        return key
    return pad.reach(key, lambda own: meaning(own, here, pad))
