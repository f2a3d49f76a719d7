"""Keys in a game kept by points: an amount, then the side that pegs it; OK goes on to the next step."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cribpi.core.errors import ImpossiblePoints, RuleError
from cribpi.core.events import PointsPegged, StepPassed
from cribpi.core.game import step
from cribpi.core.heels import his_heels
from cribpi.core.rules import Rules
from cribpi.core.scores import Kind
from cribpi.core.show import HIGHEST_SHOW, IMPOSSIBLE_SHOWS
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps.points import highest_play, play_points
from cribpi.core.steps.show import check_count
from cribpi.entry import corrections
from cribpi.entry.by_cards import can_count, players_count
from cribpi.entry.desk import CountHand, Desk
from cribpi.entry.keys import SIDES, amount_of, side_key
from cribpi.entry.reply import Reply, WrongKey


def scored_events(rules: Rules) -> tuple[tuple[Kind, int], ...]:
    """Return each scored event of the play with its points by *rules*, as the menu lists them."""
    return tuple((kind, points) for kind, worth in play_points(rules).items() for points in worth)


def press(state: State, desk: Desk, key: str) -> Reply:
    """Take a key from the deal to the crib."""
    deal = state.deal
    if deal is None:
        raise WrongKey("no deal has begun: MENU starts a new game")
    amount = amount_of(key)
    if amount is not None and state.phase is Phase.DEAL:
        raise WrongKey("nothing can be pegged before the starter is cut: OK goes on to it")
    if amount is not None:
        if desk.kind is None and desk.amount + amount > HIGHEST_SHOW:
            raise ImpossiblePoints(
                f"{desk.amount} and {amount} is {desk.amount + amount}: nothing counts more than {HIGHEST_SHOW}; "
                f"UNDO takes the last one back"
            )
        if desk.kind is not None:
            return Reply(replace(desk, typed=(amount,), kind=None))
        return Reply(replace(desk, typed=(*desk.typed, amount)))
    if key in STEPS:
        return _press_step(state, desk, STEPS[key])
    side = side_key(key, state.sides)
    if side is not None:
        if not desk.typed and desk.kind is None:
            return Reply(replace(desk, dialog=corrections.open_for(state, side)))
        return Reply(desk.cleared(), pegged(desk, side))
    if key == "GO":
        if state.phase is not Phase.PLAY:
            raise WrongKey("GO pegs the go in the play; here OK goes on")
        if desk.typed:
            raise WrongKey(f"{desk.amount} is typed: a side's key pegs it, UNDO clears it; then GO")
        return Reply(replace(desk, kind=str(Kind.GO), typed=(1,)))
    is_show = state.phase in {Phase.SHOW, Phase.CRIB}
    if key == "OK" and (desk.typed or desk.kind):
        only = only_side(state)
        if only is not None:
            return Reply(desk.cleared(), pegged(desk, only))
        raise WrongKey(f"{desk.amount} is typed: {how_to_peg(state)}, UNDO clears it")
    if key == "OK":
        return Reply(desk.cleared(), StepPassed())
    if key == "FLNB" and is_show and players_count(state):
        if not desk.typed:
            raise WrongKey("type what was counted first; then FLNB compares it with the cards, or OK pegs it")
        check_count(desk.amount, state.rules.miscount)
        return Reply(replace(desk.cleared(), dialog=CountHand(claimed=desk.amount)))
    if key == "FLNB" and is_show and desk.typed:
        raise WrongKey(f"{desk.amount} is typed: OK pegs it, UNDO clears it; then FLNB counts by cards")
    if key == "FLNB" and is_show:
        return Reply(replace(desk.cleared(), dialog=CountHand()))
    if key == "FLNB":
        raise WrongKey("FLNB counts a hand at the show; here type an amount, then a side's key")
    raise WrongKey(f"{key} does nothing here: type an amount, then a side's key; OK goes on")


STEPS: Final = {"UP": 1, "DOWN": -1}
"""A joystick's ways to count an amount up and down."""


def amounts(state: State) -> tuple[int, ...]:
    """Return the amounts that can be pegged now, 0 for none first.

    They are 1 to 15 for a card, what his heels are worth, and for a show what a hand can count.
    """
    match state.phase:
        case Phase.STARTER:
            return (0, his_heels(state.rules))
        case Phase.PLAY:
            return tuple(range(highest_play(state.rules) + 1))
        case Phase.SHOW | Phase.CRIB:
            return tuple(points for points in range(HIGHEST_SHOW + 1) if points not in IMPOSSIBLE_SHOWS)
        case _:
            return (0,)


def _press_step(state: State, desk: Desk, by: int) -> Reply:
    """Count the amount up or down *by* one, past those that cannot be; from 0 down it is the most."""
    possible = amounts(state)
    if len(possible) == 1:
        raise WrongKey("nothing can be pegged before the starter is cut: OK goes on to it")
    if by > 0:
        amount = next((points for points in possible if points > desk.amount), 0)
    else:
        amount = next((points for points in reversed(possible) if points < desk.amount), possible[-1])
    return Reply(replace(desk, typed=(amount,) if amount else (), kind=None))


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
    return tuple(side for side in sides if desk.typed and _is_pegged(state, pegged(desk, side)))


def may_compare(state: State, desk: Desk) -> bool:
    """Tell whether FLNB compares what lies typed with the cards: a count that players make, and somebody can."""
    if not desk.typed or state.phase not in {Phase.SHOW, Phase.CRIB} or not players_count(state):
        return False
    return can_count(state, desk.amount)


def _is_pegged(state: State, event: PointsPegged) -> bool:
    try:
        step(state, event)
    except RuleError:
        return False
    return True


def how_to_peg(state: State) -> str:
    """Say which keys peg what lies typed: those of the first two sides, and with three sides the third's."""
    third = f", GO for {side_name(state, 2)}" if state.sides == 3 else ""
    return f"{' or '.join(SIDES[:2])} pegs it{third}"


def pegged(desk: Desk, side: int) -> PointsPegged:
    """Return the pegging of what lies typed on *desk*, or was chosen by its name, for *side*."""
    return PointsPegged(side, desk.amount, Kind(desk.kind) if desk.kind else None)
