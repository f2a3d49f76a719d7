"""Rulings of the players: penalties, corrected scores, misdeals, muggins, reneges and false wins."""

from __future__ import annotations

from typing import Final

from cribpi.cribbage.game import events
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.ledger import DealGains, Gains, Purpose
from cribpi.cribbage.game.phases import NOTHING_TO_RETRACT, TOO_LATE
from cribpi.cribbage.game.replace import replace
from cribpi.cribbage.game.show import HIGHEST_SHOW
from cribpi.cribbage.game.state import OVER, SHOWS, MugginsWindow, Outcome, Phase, State, the_deal
from cribpi.cribbage.game.steps.common import award, longest_leads, place, put
from cribpi.cribbage.game.steps.points import card_points
from cribpi.cribbage.game.steps.show import go_on
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import ImpossiblePoints, WrongPhase, WrongSeat
from cribpi.cribbage.rules.grammar import does, verb_of
from cribpi.cribbage.rules.shown import ranges

FALSE_WIN_BACK: Final = 15
"""Holes that a side goes back after a false claim of the game (ACC)."""

_SHOWN: Final = (events.HandShown, events.CribShown, events.HandCounted, events.PointsPegged)
"""Events that peg a hand or crib."""


def penalize(state: State, event: events.PenaltyPegged) -> State:
    if abs(event.points) > state.rules.target:
        raise ImpossiblePoints(
            f"a penalty of {event.points}: {state.rules.target} is the whole game", "penalty"
        )
    return _move_front(state, event, state.pegs[event.side].front + event.points)


def put_score_right(state: State, event: events.ScorePutRight) -> State:
    if not 0 <= event.score <= state.rules.target:
        raise ImpossiblePoints(
            f"{event.score} is not a hole: the board has 0 to {state.rules.target}", "put-right"
        )
    return _move_front(state, event, event.score)


def _move_front(state: State, event: events.PenaltyPegged | events.ScorePutRight, score: int) -> State:
    """Move the front peg of a side to *score*, limited to the range from the start to the game hole."""
    side, pegs = event.side, state.pegs[event.side]
    score = min(max(score, 0), state.rules.target)
    if score == pegs.front:
        raise ImpossiblePoints(
            does(state.spoken_side(side), f"has {score} already; nothing would change"), "put-right"
        )
    # A misdeal resets the pegs to the start of the deal. It must not undo this ruling, so the score at the
    # start changes too. The exception is a correction of too many points: a misdeal cancels this deal's
    # points anyway.
    start = _deal_start(state, side)
    if isinstance(event, events.ScorePutRight) and score < pegs.front:
        start = min(start, score)
    else:
        start = min(max(start + score - pegs.front, 0), state.rules.target - 1)
    state = _with_deal_start(state, side, start)
    purpose = Purpose.PENALTY if isinstance(event, events.PenaltyPegged) else Purpose.CORRECTION
    outcome = Outcome(event, side, state.deal_number, purpose, score - pegs.front)
    state = place(state, (outcome,), pegs.put_right(score))
    is_to_other = state.rules.overpegged == "to-the-other" and purpose is Purpose.CORRECTION
    return _award_other_side(state, outcome, -outcome.points) if is_to_other and outcome.points < 0 else state


def _award_other_side(state: State, back: Outcome, points: int) -> State:
    """Award *points* to the other side by the ruling with outcome *back*. A misdeal does not cancel them."""
    other = 1 - back.side
    start = min(_deal_start(state, other) + points, state.rules.target - 1)
    gain = Outcome(back.event, other, back.deal, Purpose.PENALTY, points)
    pegs = state.pegs[other].advance(points, state.rules.target)
    return place(_with_deal_start(state, other, start), (back, gain), pegs)


def _deal_start(state: State, side: int) -> int:
    """Return the score of *side* at the start of the deal. A misdeal resets the side to this score."""
    return state.deal.pegs[side].front if state.deal else state.pegs[side].front


def _with_deal_start(state: State, side: int, score: int) -> State:
    deal = state.deal
    if deal is None:
        return state
    return replace(state, deal=replace(deal, pegs=put(deal.pegs, side, deal.pegs[side].put_right(score))))


def redeal(state: State, event: events.Misdealt) -> State:
    """Cancel the points of this deal. The same dealer deals again."""
    deal = the_deal(state)
    again = Deal.new(deal.number, deal.dealer, state.rules, deal.pegs)
    if state.phase is Phase.DEAL and deal == again:
        raise WrongPhase(NOTHING_TO_RETRACT, "misdeal")
    retracted = tuple(
        Outcome(event, side, deal.number, Purpose.CORRECTION, began.front - now.front)
        for side, (began, now) in enumerate(zip(deal.pegs, state.pegs, strict=True))
        if began.front != now.front
    )
    # The ledger loses this deal's gains, except rulings.
    *rows, row = state.ledger
    left = []
    for side, (pegs, gains) in enumerate(zip(deal.pegs, row.gains, strict=True)):
        before = sum(earlier.gains[side].total for earlier in rows)
        left.append(Gains(penalties=gains.penalties, corrections=pegs.front - before - gains.penalties))
    return replace(
        state,
        phase=Phase.DEAL,
        deal=again,
        pegs=deal.pegs,
        ledger=(*rows, DealGains(row.dealer, tuple(left), void=tuple(left))),
        leads=longest_leads(state.leads, deal.pegs),
        counted=None,
        outcomes=retracted or (Outcome(event, state.side(deal.dealer), deal.number, Purpose.CORRECTION),),
    )


def call_muggins(state: State, event: events.MugginsCalled) -> State:
    """Award the points missed at a show to the caller, or after a wrong call to the side called on (ACC)."""
    if state.rules.miscount != "muggins":
        raise WrongPhase("these rules have no muggins: choose miscount=muggins for the next game", "miscount")
    if event.side == event.of:
        raise WrongSeat("call muggins on another player's count, not on your own", "miscount")
    counted = _open_count(state, event.of)
    if counted is None or counted.side != event.of:
        raise WrongPhase(TOO_LATE, "miscount")
    if refusal := _refusal_to_call(state, event, counted):
        raise ImpossiblePoints(refusal, "miscount")
    if counted is state.counted:
        wrong = (*counted.wrong, event.side)
        left = counted.without(event.points) if event.is_right else replace(counted, wrong=wrong)
        state = replace(state, counted=left)
    to = event.side if event.is_right else event.of
    called = award(state, Outcome(event, to, counted.deal, Purpose.MUGGINS, event.points))
    if called.phase is not Phase.DEAL or called.deal is None:
        return called
    # The call is about the crib of the previous deal, so a misdeal of the current deal must not undo it.
    return replace(called, deal=replace(called.deal, pegs=called.pegs))


def _refusal_to_call(state: State, event: events.MugginsCalled, counted: MugginsWindow) -> str:
    """Return an error message if a call for these points is impossible, whether right or wrong.

    Otherwise "".
    """
    points, can = event.points, counted.right_calls
    most = _most_to_call(state, counted)
    if not 1 <= points <= HIGHEST_SHOW:
        return f"muggins for {points}: give what was missed, 1 to {HIGHEST_SHOW}"
    if event.is_right and points not in can:
        name, has = state.spoken_side(event.of), "can have" if counted.unseen else "has"
        if not can:
            return does(name, "has missed nothing: the call is wrong")
        return does(name, f"{has} missed {ranges(can)}, and not {points}: call that, or the call is wrong")
    if not event.is_right and event.side in counted.wrong:
        name = state.spoken_side(event.side)
        return does(name, "has already made a wrong call, and can't call again at this count")
    if not event.is_right and points <= counted.least:
        return f"{counted.least} were missed: the call is right"
    if not event.is_right and points > most:
        return f"muggins for {points}: no more than {most} can be missed here"
    return ""


def _most_to_call(state: State, counted: MugginsWindow) -> int:
    if state.entry is not Entry.PEG:  # a player can be wrong even about known cards
        return HIGHEST_SHOW
    return max(counted.unseen) if state.phase is Phase.PLAY else HIGHEST_SHOW - counted.points


def muggins_calls(state: State, side: int, of: int) -> tuple[int, ...]:
    """Return the points for which *side* can call muggins on side *of*, ascending.

    Wrong calls are negative.
    """
    counted = _open_count(state, of)
    if state.rules.miscount != "muggins" or counted is None or counted.side != of:
        return ()
    most = 0 if side in counted.wrong else _most_to_call(state, counted)
    wrong = range(counted.least + 1, most + 1)
    return (*(-points for points in reversed(wrong)), *counted.right_calls)


def _open_count(state: State, of: int) -> MugginsWindow | None:
    """Return the open muggins window against side *of*, or None.

    In points mode, it may be for a card just played.

    """
    if state.entry is Entry.PEG and state.phase is Phase.PLAY:
        unseen = tuple(range(1, card_points(state.rules)[-1] + 1))
        return MugginsWindow(of, 0, the_deal(state).number, unseen=unseen)
    return state.counted


def rule_on_renege(state: State, event: events.RenegeRuled) -> State:
    """Peg the penalty for a seat's first open wrong go. The penalty may be 0."""
    deal = the_deal(state)
    reneges = [renege for renege in deal.open_reneges() if renege.seat == event.seat]
    if not reneges:
        raise WrongPhase(
            does(state.names[event.seat], "has no wrong go to rule on: use a penalty instead"), "renege"
        )
    worth = renege_points(state, len(reneges[0].cards))
    # Older records may have rulings for only some of the cards.
    if event.points not in range(0, worth + 1, 2):
        raise ImpossiblePoints(
            f"{event.points} for the wrong go: these rules give {worth}, or nothing", "renege"
        )
    state = replace(state, deal=replace(deal, ruled=(*deal.ruled, reneges[0].go)))
    # If several sides reach the target, the first to the left wins.
    others = seats.around(state.side(event.seat), state.sides)[:-1]
    return award(
        state, *(Outcome(event, side, deal.number, Purpose.PENALTY, event.points) for side in others)
    )


def renege_points(state: State, cards: int) -> int:
    """Return the points for each other side after a wrong go.

    *cards* is the number of cards that would have fitted.
    """
    return {"noted": 0, "2": 2, "2-a-card": 2 * cards}[state.rules.renege]


def rule_on_false_win(state: State, event: events.FalseWinRuled) -> State:
    """Apply the ruling on a falsely claimed win: cancel the win, and correct the side's score.

    Under the ACC's rule, that side also goes back fifteen holes, and the other side pegs the overclaimed
    points. Under the rule of old books, the other side wins. Otherwise the game continues.
    """
    side, target = event.side, state.rules.target
    is_over = state.phase in OVER
    front, name = state.pegs[side].front, state.spoken_side(side)
    if is_over and state.winner != side:
        raise WrongSeat(does(name, "has not claimed the game"), "false_win")
    if not 0 <= event.score < target:
        raise ImpossiblePoints(
            f"a true score of {event.score}: give one below the game hole, {target}", "false_win"
        )
    if not is_over and (event.score != front or state.rules.false_win == "put-right"):
        raise WrongPhase(
            f"{does(name, 'stands')} at {front} and {verb_of(name, 'has')} not won: correct the score",
            "false_win",
        )
    # If a show won the game, the next hand is counted now. If the last card of the play did, the first hand
    # is.
    is_shown = is_over and state.won_in in SHOWS and isinstance(state.outcomes[-1].event, _SHOWN)
    if is_over:
        state = replace(state, winner=None, won_in=None, phase=state.won_in or state.phase)
    is_acc = state.rules.false_win == "acc"
    true = max(event.score - FALSE_WIN_BACK, 0) if is_acc else event.score
    back = Outcome(event, side, state.deal_number, Purpose.CORRECTION, true - front)
    state = place(state, (back,), state.pegs[side].put_right(true))
    start = min(_deal_start(state, side), event.score)
    state = _with_deal_start(state, side, max(start - (event.score - true), 0))
    if state.rules.false_win != "put-right":
        state = _award_other_side(state, back, target - event.score if is_acc else state.to_go(1 - side))
    return go_on(state) if is_shown and state.winner is None else state
