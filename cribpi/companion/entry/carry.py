"""What a card says without more on a page, with real cards: that the show before it is pegged, or who leads.

The keypad asks for OK there.  A card that is tapped on a page is pressed with that OK: each event is one that
the keypad makes, so the game and its records know nothing of this.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from cribpi.companion.entry.by_cards import leader, new_count_led, text_of_new_count
from cribpi.companion.entry.choice import is_legal
from cribpi.companion.entry.choices import choices, press
from cribpi.companion.entry.desk import Desk, Question, Undone
from cribpi.companion.entry.keys import TWENTY, Pad, card_of
from cribpi.companion.entry.reply import Reply
from cribpi.companion.entry.the_show import is_ready, shown
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CribShown, Entry, Event, HandShown
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.step import step
from cribpi.cribbage.rules.grammar import does, series, within


class Carried(NamedTuple):
    """What a card comes to: the *presses* of keys, the card's own among them, and what they do."""

    presses: tuple[str, ...]
    label: str


class Waiting(NamedTuple):
    """A hand or a crib that the next card pegs as it lies: whose it is, its cards and its points."""

    seat: int
    crib: bool
    cards: tuple[Card, ...]
    points: int


class Carry(NamedTuple):
    """What each rank comes to, the shows that it pegs first, and both in a sentence."""

    keys: dict[str, Carried]
    shows: tuple[Waiting, ...] = ()
    says: str = ""


NOTHING: Final = Carry({})

_NEXT: Final = {
    Phase.SHOW: "The next card shown",
    Phase.CRIB: "The crib's first card",
    Phase.DEAL: "The next starter",
}
"""Which card comes next."""


def carry(state: State, desk: Desk, pad: Pad = TWENTY) -> Carry:
    """Return what the ranks of *pad* come to at *state*, where that takes an OK on the keypad."""
    if state.deal is None or state.entry is Entry.DEALT:
        return NOTHING
    if state.entry is Entry.PEG:
        return _first_points(state, desk, pad)
    return _new_count(state, desk, pad) if state.phase is Phase.PLAY else _go_on(state, desk, pad)


def press_carrying(state: State, desk: Desk, key: str, pad: Pad = TWENTY) -> Reply:
    """Return the action of *key* of *pad* with all that it implies here; for most keys, that of `press`.

    Raises:
        RuleError: As `press`.
    """
    card, before = card_of(key), list[Event]()
    rank = str(Card(card.rank)) if card else key
    found = carry(state, desk, pad).keys.get(rank)
    presses = found.presses if found else (rank,)
    *first, last = (key if each == rank else each for each in presses)
    for each in first:
        reply = press(state, desk, each, pad)
        desk = reply.desk
        if reply.event is not None:
            state = step(state, reply.event)
            before.append(reply.event)
    reply = press(state, desk, last, pad)
    if reply.event is None and before:  # a digit alone pegs nothing yet
        reply = replace(reply, event=before.pop())
    return replace(reply, before=tuple(before))


def _new_count(state: State, desk: Desk, pad: Pad) -> Carry:
    """A card that would pass thirty-one can only be the first of a new count."""
    dialogs = {one.key: one.reply.desk.dialog for one in choices(state, desk, pad)}
    over = [key for key, asks in dialogs.items() if isinstance(asks, Question) and asks.card == key]
    if not over or not is_legal(
        state, new_count_led(state, Card.parse(over[0]))
    ):  # it is for all or for none
        return NOTHING
    name = state.names[leader(state)]
    found = {key: Carried((key, "OK"), text_of_new_count(Card.parse(key), name).long) for key in over}
    return Carry(found, says="A card over 31 starts a new count")


def _first_points(state: State, desk: Desk, pad: Pad) -> Carry:
    """Points before the starter: it is cut, and his heels, if any, are among them."""
    before, name = list[str](), state.names[the_deal(state).dealer]
    if desk.typed:
        return NOTHING
    while state.phase in {Phase.DEAL, Phase.STARTER}:
        if isinstance(desk.dialog, Undone):  # as below
            before.append("OK")
            desk = replace(desk, dialog=None)
        reply = press(state, desk, "OK", pad)
        if reply.event is None:
            return NOTHING
        state, desk = step(state, reply.event), reply.desk
        before.append("OK")
    if not before:
        return NOTHING
    keys = {f"digit:{digit}": Carried((*before, f"digit:{digit}"), str(digit)) for digit in range(10)}
    return Carry(keys, says=f"{does(name, 'deals')}: enter the first points, then who gets them")


def _go_on(state: State, desk: Desk, pad: Pad) -> Carry:
    """The crib's first card pegs the hands as they lie, and the next starter the crib."""
    before, shows, said, pegs = [], list[Waiting](), list[str](), list[str]()
    while is_ready(state, desk):
        if isinstance(desk.dialog, Undone):  # there OK goes on from what was taken back
            before.append("OK")
            desk = replace(desk, dialog=None)
        reply = press(state, desk, "OK", pad)
        if not isinstance(reply.event, HandShown | CribShown):
            return NOTHING
        cards, seat, is_crib = shown(state), the_deal(state).shower, state.phase is Phase.CRIB
        state, desk = step(state, reply.event), reply.desk
        before.append("OK")
        points = state.outcomes[0].points
        shows.append(Waiting(seat, is_crib, cards, points))
        name = state.names[seat]
        pegs.append(f"{points} for {within(name)}")
        said.append(f"{within(name) if said else does(name, 'pegs')} {points}")
    if not before or state.winner is not None:
        return NOTHING
    keys = {
        choice.key: Carried((*before, choice.key), f"{', '.join(said)}. {choice.label}")
        for choice in choices(state, desk, pad)
        if choice.takes_suit
    }
    return Carry(keys, tuple(shows), f"{_NEXT[state.phase]} also pegs {series(pegs)}" if keys else "")
