"""Implied steps: presses of OK that a card tapped on a page implies, in games with real cards.

On the keypad, OK pegs a show, or starts a new count. On a page, tapping the next card implies that OK. The
events are the same, so the game and its records do not depend on this.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cribpi.companion.entry.by_cards import new_count_led, text_of_new_count
from cribpi.companion.entry.effect import Effect
from cribpi.companion.entry.input_state import Question, Undone
from cribpi.companion.entry.keys import card_of
from cribpi.companion.entry.view import TableView
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import CribShown, Entry, Event, HandShown
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import is_legal
from cribpi.cribbage.rules.grammar import does, series, within


class PressSequence(NamedTuple):
    """The *presses* that a key makes, including its own, and a label for their effect."""

    presses: tuple[str, ...]
    label: str


class PendingShow(NamedTuple):
    """A hand or crib that is pegged automatically when the next card is tapped."""

    seat: int
    crib: bool
    cards: tuple[Card, ...]
    points: int


class ImpliedPresses(NamedTuple):
    """For each key, the presses that it implies, such as the OKs for shows that are due before it.

    *shows* are the hands or cribs that those OKs peg. *sentence* tells the player so.
    """

    keys: dict[str, PressSequence]
    shows: tuple[PendingShow, ...] = ()
    sentence: str = ""


NONE_IMPLIED: Final = ImpliedPresses({})

_NEXT: Final = {
    Phase.SHOW: "The next card shown",
    Phase.CRIB: "The crib's first card",
    Phase.DEAL: "The next starter",
}
"""Words for the next card, by phase."""


def implied_presses(view: TableView) -> ImpliedPresses:
    """Return the implied presses in *view*. Only ranks have any, or digits for the first points of a deal."""
    state = view.state
    if state.deal is None or state.entry is Entry.DEALT:
        return NONE_IMPLIED
    if state.entry is Entry.PEG:
        return _first_points(view)
    return _new_count(view) if state.phase is Phase.PLAY else _go_on(view)


def press_with_implied(view: TableView, key: str) -> Effect:
    """Press *key* in *view*, after the presses that it implies, if any. Return the effect.

    Raises:
        RuleError: If one of the presses is refused.
    """
    card, before = card_of(key), list[Event]()
    rank = str(Card(card.rank)) if card else key
    found = implied_presses(view).keys.get(rank)
    presses = found.presses if found else (rank,)
    *first, last = (key if each == rank else each for each in presses)
    for each in first:
        effect = view.press(each)
        view = view.after(effect)
        if effect.event is not None:
            before.append(effect.event)
    effect = view.press(last)
    if effect.event is None and before:  # A digit has no event, so the last implied press keeps its place.
        effect = effect._replace(event=before.pop())
    return effect._replace(before=tuple(before))


def _new_count(view: TableView) -> ImpliedPresses:
    """Return the cards that would pass 31. They can only start a new count."""
    state, dialogs = view.state, {one.key: one.effect.input_state.dialog for one in view.choices}
    over = [key for key, asks in dialogs.items() if isinstance(asks, Question) and asks.card == key]
    led = new_count_led(state, Card.parse(over[0])) if over else None
    if led is None or not is_legal(state, led):  # This is legal either for all of these cards or for none.
        return NONE_IMPLIED
    name = state.names[led.seat]
    found = {key: PressSequence((key, "OK"), text_of_new_count(Card.parse(key), name).long) for key in over}
    return ImpliedPresses(found, sentence="A card over 31 starts a new count")


def _first_points(view: TableView) -> ImpliedPresses:
    """Return the digits. They imply the OKs for the deal and the cut. The first points may be his heels."""
    before, name = list[str](), view.state.names[view.deal.dealer]
    if view.input_state.typed or not isinstance(view.input_state.dialog, Undone | None):
        return NONE_IMPLIED
    while view.state.phase in {Phase.DEAL, Phase.STARTER}:
        view = _gone_on(view, before)
        effect = view.press("OK")
        if effect.event is None:
            return NONE_IMPLIED
        view = view.after(effect)
        before.append("OK")
    if not before:
        return NONE_IMPLIED
    keys = {f"digit:{digit}": PressSequence((*before, f"digit:{digit}"), str(digit)) for digit in range(10)}
    return ImpliedPresses(keys, sentence=f"{does(name, 'deals')}: enter the first points, then who gets them")


def _gone_on(view: TableView, before: list[str]) -> TableView:
    """Return *view* after OK has closed an undo message, if one is open. That press is added to *before*."""
    if not isinstance(view.input_state.dialog, Undone):
        return view
    before.append("OK")
    return view.after(view.opened(None))


def _is_ready(view: TableView) -> bool:
    """Return whether OK would peg the show now: no card missing, no points typed, and no ruling due."""
    if (
        not view.state.is_show
        or view.input_state.typed
        or not isinstance(view.input_state.dialog, Undone | None)
    ):
        return False
    return not view.show.is_counted and not view.show.missing and view.show.to_rule_on is None


def _go_on(view: TableView) -> ImpliedPresses:
    """Return the keys for the next show or the next starter. Each first pegs the shows that are due."""
    before = list[str]()
    shows = list[PendingShow]()
    said = list[str]()
    pegs = list[str]()
    while _is_ready(view):
        view = _gone_on(view, before)
        effect, show = view.press("OK"), view.show
        if not isinstance(effect.event, HandShown | CribShown):
            return NONE_IMPLIED
        view = view.after(effect)
        before.append("OK")
        points, name = view.state.outcomes[0].points, view.state.names[show.seat]
        shows.append(PendingShow(show.seat, show.is_crib, show.cards, points))
        pegs.append(f"{points} for {within(name)}")
        said.append(f"{within(name) if said else does(name, 'pegs')} {points}")
    if not before or view.state.winner is not None:
        return NONE_IMPLIED
    cards = view.choices_of(binding for binding in view.scene.bindings if binding.takes_suit)
    keys = {one.key: PressSequence((*before, one.key), f"{', '.join(said)}. {one.label}") for one in cards}
    return ImpliedPresses(
        keys, tuple(shows), f"{_NEXT[view.state.phase]} also pegs {series(pegs)}" if keys else ""
    )
