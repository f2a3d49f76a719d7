"""Keys in a game kept by points: an amount, then the side that pegs it; OK goes on to the next step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from cribpi.core.errors import ImpossiblePoints
from cribpi.core.events import PointsPegged, StepPassed
from cribpi.core.rules import Rules
from cribpi.core.scores import Kind
from cribpi.core.show import HIGHEST_SHOW, IMPOSSIBLE_SHOWS
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps.points import highest_play, play_points
from cribpi.core.steps.show import check_count
from cribpi.entry import corrections, texts
from cribpi.entry.by_cards import can_count, players_count
from cribpi.entry.choice import Offer, Place, Scene, attempt, is_legal, menu, scene, undo
from cribpi.entry.desk import CountHand, Desk
from cribpi.entry.keys import RANKS, SIDES, amount_of, amounts_of, side_keys_of
from cribpi.entry.reply import Reply, WrongKey


def scored_events(rules: Rules) -> tuple[tuple[Kind, int], ...]:
    """Return each scored event of the play with its points by *rules*, as the menu lists them."""
    return tuple((kind, points) for kind, worth in play_points(rules).items() for points in worth)


def deal_to_crib(place: Place) -> Scene:
    """Take amounts and sides from the deal to the crib; the likeliest keys come first."""
    if place.state.deal is None:
        return scene((), "no deal has begun: MENU starts a new game")
    offers = {
        offer.key: offer
        for offer in (
            *_amounts(place),
            *_steps(place),
            *_sides(place),
            *_go(place),
            _ok(place),
            _by_cards(place),
            undo(place),
            menu(place),
        )
    }
    first = _likely(place)
    return scene(
        (
            *(offers[key] for key in first if key in offers),
            *(offer.unlikely() for key, offer in offers.items() if key not in first),
        ),
        "type an amount, then a side's key; OK goes on",
    )


def _likely(place: Place) -> tuple[str, ...]:
    """Return the keys that are likely next, the likeliest first."""
    state, desk, pad = place.state, place.desk, place.pad
    is_show, counts = state.phase in {Phase.SHOW, Phase.CRIB}, players_count(state)
    amount = RANKS if pad.has_ranks else ("UP", "DOWN")
    if desk.typed:
        more = () if pad.has_ranks else ("UP", "DOWN")
        compares = ("FLNB",) if is_show and counts else ()
        if not takers(state, desk):  # as 19, which may still become 20
            possible = amounts(state)
            up = [key for key in RANKS if desk.amount + (amount_of(key) or 0) in possible] if not more else ()
            return (*up, *compares, "UNDO", *more)
        commits = pad.side_keys(state.sides) if only_side(state) is None else ("OK", *compares, "UNDO")
        return (*commits, *more)
    match state.phase:
        case Phase.PLAY:
            return (*amount, "GO", "OK")
        case Phase.STARTER:
            return ("OK", str(state.rules.heels)) if pad.has_ranks else ("OK", *amount)
        case Phase.SHOW | Phase.CRIB:
            return (*amount, "OK") if counts else (*amount, "OK", "FLNB")
        case _:
            return ("OK",)


def _amounts(place: Place) -> Iterator[Offer]:
    """Offer the amount of each rank key, which adds to what lies typed, or takes the place of a named event."""
    for key, amount in amounts_of(place.cards):
        yield Offer(key, texts.ADD.of(points=amount), attempt(partial(_typed, place, amount)), is_amount=True)


def _typed(place: Place, amount: int) -> Reply:
    desk = place.desk
    if place.state.phase is Phase.DEAL:
        raise WrongKey(_BEFORE_STARTER)
    if desk.kind is not None:
        return Reply(replace(desk, typed=(amount,), kind=None))
    if desk.amount + amount > HIGHEST_SHOW:
        raise ImpossiblePoints(
            f"{desk.amount} and {amount} is {desk.amount + amount}: nothing counts more than {HIGHEST_SHOW}; "
            f"UNDO takes the last one back"
        )
    return Reply(replace(desk, typed=(*desk.typed, amount)))


_BEFORE_STARTER: Final = "nothing can be pegged before the starter is cut: OK goes on to it"


def _steps(place: Place) -> Iterator[Offer]:
    """Offer to count the amount up or down by one, past those that cannot be; from 0 down it is the most."""
    desk, possible = place.desk, amounts(place.state)
    above = next((points for points in possible if points > desk.amount), 0)
    below = next((points for points in reversed(possible) if points < desk.amount), possible[-1])
    for key, text, amount in (("UP", texts.MORE, above), ("DOWN", texts.LESS, below)):
        counted = Reply(replace(desk, typed=(amount,) if amount else (), kind=None))
        yield Offer(key, text, counted if len(possible) > 1 else WrongKey(_BEFORE_STARTER), is_amount=True)


def _sides(place: Place) -> Iterable[Offer]:
    """Offer to peg what lies typed for each side by its key; with nothing typed its corrections."""
    state, desk = place.state, place.desk
    if not desk.typed and desk.kind is None:
        return corrections.by_side_key(place, is_go_third=True)
    return [
        Offer(key, texts.PEGS.of(name=side_name(state, side), points=desk.amount), _pegs(place, side))
        for key, side in side_keys_of(state.sides)
    ]


def _pegs(place: Place, side: int) -> Reply:
    return Reply(place.desk.cleared(), pegged(place.desk, side))


def _go(place: Place) -> Iterator[Offer]:
    """Offer the go by its own key, where that is not the third side's."""
    state, desk = place.state, place.desk
    if state.sides == len(SIDES):
        return
    go: Reply | WrongKey = Reply(replace(desk, kind=str(Kind.GO), typed=(1,)))
    if state.phase is not Phase.PLAY:
        go = WrongKey("GO pegs the go in the play; here OK goes on")
    elif desk.typed:
        go = WrongKey(f"{desk.amount} is typed: a side's key pegs it, UNDO clears it; then GO")
    yield Offer("GO", texts.THE_GO, go)


def _ok(place: Place) -> Offer:
    """Offer to peg what lies typed, where one side alone can; with nothing typed, to go on to the next step."""
    state, desk, only = place.state, place.desk, only_side(place.state)
    if not desk.typed and not desk.kind:
        return Offer("OK", _PASSED[state.phase], Reply(desk.cleared(), StepPassed()))
    if only is None:
        refused = WrongKey(f"{desk.amount} is typed: {how_to_peg(state)}, UNDO clears it")
        return Offer("OK", texts.PEG.of(points=desk.amount), refused)
    return Offer("OK", texts.PEGS.of(name=side_name(state, only), points=desk.amount), _pegs(place, only))


_PASSED: Final = {
    Phase.DEAL: texts.STARTER_IS_CUT,
    Phase.STARTER: texts.NO_JACK,
    Phase.PLAY: texts.PLAY_IS_OVER,
    Phase.SHOW: texts.PEG_NOTHING,
    Phase.CRIB: texts.PEG_NOTHING,
}


def _by_cards(place: Place) -> Offer:
    """Offer to count a hand by its cards, or to compare with them what a player has counted."""
    state, desk = place.state, place.desk
    if state.phase not in {Phase.SHOW, Phase.CRIB}:
        wrong = WrongKey("FLNB counts a hand at the show; here type an amount, then a side's key")
        return Offer("FLNB", texts.COUNT_HAND, wrong)
    if players_count(state):
        return Offer("FLNB", texts.COMPARE, attempt(partial(_compared, place)))
    if desk.typed:
        wrong = WrongKey(f"{desk.amount} is typed: OK pegs it, UNDO clears it; then FLNB counts by cards")
        return Offer("FLNB", texts.COUNT_HAND, wrong)
    return Offer("FLNB", texts.COUNT_HAND, Reply(replace(desk.cleared(), dialog=CountHand())))


def _compared(place: Place) -> Reply:
    desk = place.desk
    if not desk.typed:
        raise WrongKey("type what was counted first; then FLNB compares it with the cards, or OK pegs it")
    check_count(desk.amount, place.state.rules.miscount)
    return Reply(replace(desk.cleared(), dialog=CountHand(claimed=desk.amount)))


def amounts(state: State) -> tuple[int, ...]:
    """Return the amounts that can be pegged now, 0 for none first.

    They are 1 to 15 for a card, 2 for his heels, and for a show what a hand can count.
    """
    match state.phase:
        case Phase.STARTER:
            return (0, state.rules.heels)
        case Phase.PLAY:
            return tuple(range(highest_play(state.rules) + 1))
        case Phase.SHOW | Phase.CRIB:
            return tuple(points for points in range(HIGHEST_SHOW + 1) if points not in IMPOSSIBLE_SHOWS)
        case _:
            return (0,)


def only_side(state: State) -> int | None:
    """Return the side that alone can peg now, so that OK pegs for it; None in the play."""
    deal = state.deal
    if deal is None or state.phase is Phase.PLAY:
        return None
    return state.side(deal.dealer if state.phase is Phase.STARTER else deal.shower)


def takers(state: State, desk: Desk) -> tuple[int, ...]:
    """Return the sides for which what lies typed on *desk* would be pegged if its key were pressed."""
    only = only_side(state)
    sides = range(state.sides) if only is None else (only,)
    return tuple(side for side in sides if desk.typed and is_legal(state, pegged(desk, side)))


def may_compare(state: State, desk: Desk) -> bool:
    """Tell whether FLNB compares what lies typed with the cards: a count that players make, and somebody can."""
    if not desk.typed or state.phase not in {Phase.SHOW, Phase.CRIB} or not players_count(state):
        return False
    return can_count(state, desk.amount)


def how_to_peg(state: State) -> str:
    """Say which keys peg what lies typed: those of the first two sides, and with three sides the third's."""
    third = f", GO for {side_name(state, 2)}" if state.sides == 3 else ""
    return f"{' or '.join(SIDES[:2])} pegs it{third}"


def pegged(desk: Desk, side: int) -> PointsPegged:
    """Return the pegging of what lies typed on *desk*, or was chosen by its name, for *side*."""
    return PointsPegged(side, desk.amount, Kind(desk.kind) if desk.kind else None)
