"""Keys in a game kept by points: an amount, then the side that pegs it; OK goes on to the next step."""

from __future__ import annotations

from dataclasses import replace

from cribpi.core.errors import ImpossiblePoints
from cribpi.core.events import PointsPegged, StepPassed
from cribpi.core.rules import Rules
from cribpi.core.scores import Kind
from cribpi.core.show import HIGHEST_SHOW
from cribpi.core.state import Phase, State
from cribpi.core.steps.points import play_points
from cribpi.entry import corrections
from cribpi.entry.by_cards import players_count
from cribpi.entry.desk import CountHand, Desk
from cribpi.entry.keys import amount_of, side_key, side_keys
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
    side = side_key(key, state.sides)
    if side is not None:
        if not desk.typed and desk.kind is None:
            return Reply(replace(desk, dialog=corrections.open_for(state, side)))
        return Reply(desk.cleared(), _pegged(desk, side))
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
            return Reply(desk.cleared(), _pegged(desk, only))
        keys = " or ".join(side_keys(state.sides))
        raise WrongKey(f"{desk.amount} is typed: {keys} pegs it, UNDO clears it")
    if key == "OK":
        return Reply(desk.cleared(), StepPassed())
    if key == "FLNB" and is_show and players_count(state):
        if not desk.typed:
            raise WrongKey("type what was counted first; then FLNB compares it with the cards, or OK pegs it")
        return Reply(replace(desk.cleared(), dialog=CountHand(claimed=desk.amount)))
    if key == "FLNB" and is_show and desk.typed:
        raise WrongKey(f"{desk.amount} is typed: OK pegs it, UNDO clears it; then FLNB counts by cards")
    if key == "FLNB" and is_show:
        return Reply(replace(desk.cleared(), dialog=CountHand()))
    if key == "FLNB":
        raise WrongKey("FLNB counts a hand at the show; here type an amount, then a side's key")
    raise WrongKey(f"{key} does nothing here: type an amount, then a side's key; OK goes on")


def only_side(state: State) -> int | None:
    """Return the side that alone can peg now, so that OK pegs for it; None in the play."""
    deal = state.deal
    if deal is None or state.phase is Phase.PLAY:
        return None
    return state.side(deal.dealer if state.phase is Phase.STARTER else deal.shower)


def _pegged(desk: Desk, side: int) -> PointsPegged:
    return PointsPegged(side, desk.amount, Kind(desk.kind) if desk.kind else None)
