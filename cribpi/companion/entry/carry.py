"""What a card says without more on a page, with real cards: that the show before it is pegged, or who leads.

The keypad asks for OK there.  A card that is tapped on a page is pressed with that OK: each event is one that
the keypad makes, so the game and its records know nothing of this.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cribpi.companion.entry.by_cards import new_count_led, text_of_new_count
from cribpi.companion.entry.desk import Question, Undone
from cribpi.companion.entry.keys import card_of
from cribpi.companion.entry.reply import Reply
from cribpi.companion.entry.view import TableView
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CribShown, Entry, Event, HandShown
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import is_legal
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


def carry(view: TableView) -> Carry:
    """Return the rank keys of *view* that imply an OK of the keypad."""
    state = view.state
    if state.deal is None or state.entry is Entry.DEALT:
        return NOTHING
    if state.entry is Entry.PEG:
        return _first_points(view)
    return _new_count(view) if state.phase is Phase.PLAY else _go_on(view)


def press_carrying(view: TableView, key: str) -> Reply:
    """Return the action of *key* with all that it implies in *view*; for most keys, that of a press.

    Raises:
        RuleError: As `TableView.press`.
    """
    card, before = card_of(key), list[Event]()
    rank = str(Card(card.rank)) if card else key
    found = carry(view).keys.get(rank)
    presses = found.presses if found else (rank,)
    *first, last = (key if each == rank else each for each in presses)
    for each in first:
        reply = view.press(each)
        view = view.after(reply)
        if reply.event is not None:
            before.append(reply.event)
    reply = view.press(last)
    if reply.event is None and before:  # a digit alone pegs nothing yet
        reply = reply._replace(event=before.pop())
    return reply._replace(before=tuple(before))


def _new_count(view: TableView) -> Carry:
    """A card that would pass thirty-one can only be the first of a new count."""
    state, dialogs = view.state, {one.key: one.reply.desk.dialog for one in view.choices}
    over = [key for key, asks in dialogs.items() if isinstance(asks, Question) and asks.card == key]
    led = new_count_led(state, Card.parse(over[0])) if over else None
    if led is None or not is_legal(state, led):  # with all of these cards, or with none
        return NOTHING
    name = state.names[led.seat]
    found = {key: Carried((key, "OK"), text_of_new_count(Card.parse(key), name).long) for key in over}
    return Carry(found, says="A card over 31 starts a new count")


def _first_points(view: TableView) -> Carry:
    """Points before the starter: it is cut, and his heels, if any, are among them."""
    before, name = list[str](), view.state.names[view.deal.dealer]
    if view.desk.typed or not isinstance(view.desk.dialog, Undone | None):
        return NOTHING
    while view.state.phase in {Phase.DEAL, Phase.STARTER}:
        view = _gone_on(view, before)
        reply = view.press("OK")
        if reply.event is None:
            return NOTHING
        view = view.after(reply)
        before.append("OK")
    if not before:
        return NOTHING
    keys = {f"digit:{digit}": Carried((*before, f"digit:{digit}"), str(digit)) for digit in range(10)}
    return Carry(keys, says=f"{does(name, 'deals')}: enter the first points, then who gets them")


def _gone_on(view: TableView, before: list[str]) -> TableView:
    """Return the view after OK, added to *before*, has closed the note of an undo."""
    if not isinstance(view.desk.dialog, Undone):
        return view
    before.append("OK")
    return view.after(view.opened(None))


def _is_ready(view: TableView) -> bool:
    """Return whether OK pegs the show at once: no card is missing, no points typed, no ruling due."""
    if not view.state.is_show or view.desk.typed or not isinstance(view.desk.dialog, Undone | None):
        return False
    return not view.show.is_counted and not view.show.missing and view.show.to_rule_on is None


def _go_on(view: TableView) -> Carry:
    """The crib's first card pegs the hands as they lie, and the next starter the crib."""
    before = list[str]()
    shows = list[Waiting]()
    said = list[str]()
    pegs = list[str]()
    while _is_ready(view):
        view = _gone_on(view, before)
        reply, show = view.press("OK"), view.show
        if not isinstance(reply.event, HandShown | CribShown):
            return NOTHING
        view = view.after(reply)
        before.append("OK")
        points, name = view.state.outcomes[0].points, view.state.names[show.seat]
        shows.append(Waiting(show.seat, show.is_crib, show.cards, points))
        pegs.append(f"{points} for {within(name)}")
        said.append(f"{within(name) if said else does(name, 'pegs')} {points}")
    if not before or view.state.winner is not None:
        return NOTHING
    cards = view.choices_of(offer for offer in view.scene.offers if offer.takes_suit)
    keys = {one.key: Carried((*before, one.key), f"{', '.join(said)}. {one.label}") for one in cards}
    return Carry(keys, tuple(shows), f"{_NEXT[view.state.phase]} also pegs {series(pegs)}" if keys else "")
