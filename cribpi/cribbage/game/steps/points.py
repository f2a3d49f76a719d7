"""Points mode: players enter the points they peg. The step of the deal limits the possible amounts."""

from __future__ import annotations

from typing import Final

from cribpi.cribbage.game.cards import Card, Rank, check_possible
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import HandCounted, PointsPegged, StepPassed
from cribpi.cribbage.game.play import CARD_POINTS
from cribpi.cribbage.game.replace import replace
from cribpi.cribbage.game.show import HIGHEST_SHOW, IMPOSSIBLE_SHOWS, NO_SUCH_SHOW, PAIRS, Kind, Score
from cribpi.cribbage.game.state import MugginsWindow, Outcome, Phase, State, the_deal
from cribpi.cribbage.game.steps.common import award, check_shower, put
from cribpi.cribbage.game.steps.deal import is_heels, score_heels
from cribpi.cribbage.game.steps.show import PURPOSE_IN, after_show, counted_show
from cribpi.cribbage.rules.errors import ImpossibleCards, ImpossiblePoints, NotHeld, WrongPhase, WrongSeat
from cribpi.cribbage.rules.grammar import does, whose_turn, within
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import amount, ranges

PLAY_POINTS: Final = {
    Kind.FIFTEEN: (2,),
    Kind.THIRTY_ONE: (2, 1),
    **{kind: (points,) for kind, points in PAIRS.values()},
    Kind.RUN: (3, 4, 5, 6, 7),
    Kind.GO: (1,),
    Kind.LAST: (1,),
}
"""Possible points of each kind of score in the play. `play_points` limits them to a game's rules."""


def play_points(rules: Rules) -> dict[Kind, tuple[int, ...]]:
    """Return the possible points of each kind of score in the play under *rules*.

    Thirty-one scores 1 only if the rules award the go at the call, and it has been pegged.
    """
    worth = dict(PLAY_POINTS)
    if rules.go_award == "close":
        worth[Kind.THIRTY_ONE] = (2,)
    if not rules.last_card:
        del worth[Kind.LAST]
    return worth


def card_points(rules: Rules) -> tuple[int, ...]:
    """Return the amounts that one card can peg under *rules*, ascending.

    15 points need a fifteen with the last card of the deal. In a single count, that is possible only with two
    hands:
    the cards of more hands total more than fifteen.
    """
    has_last_fifteen = rules.last_card and (rules.play_rounds == "all" or rules.players == 2)
    return CARD_POINTS if has_last_fifteen else CARD_POINTS[:-1]


def peg(state: State, event: PointsPegged) -> State:
    """Peg an amount, or a named score, if this step of the deal allows it."""
    deal, side = the_deal(state), event.side
    points, kind = event.points, event.kind
    scores = (Score(kind, points, ()),) if kind else ()
    outcome = Outcome(event, side, deal.number, PURPOSE_IN[state.phase], points, scores)
    match state.phase:
        case Phase.STARTER:
            dealer = state.side(deal.dealer)
            score = score_heels(state.rules, to_go=state.to_go(dealer))
            if side != dealer or points != score.points or kind not in {None, Kind.HEELS}:
                raise ImpossiblePoints(
                    f"at the starter only {within(state.spoken_side(dealer))} can peg: "
                    f"{score.points} for his heels; go on to the play",
                    "heels",
                )
            deal = replace(deal, starter=Card(Rank.JACK))
            return award(replace(state, deal=deal, phase=Phase.PLAY), replace(outcome, scores=(score,)))
        case Phase.PLAY:
            if kind is not None and points not in play_points(state.rules).get(kind, ()):
                raise ImpossiblePoints(
                    f"{points} for {kind}: under these rules, the play has no such score", "most-for-a-card"
                )
            possible = range(1, CARD_POINTS[-1] + 1) if event.is_earlier else card_points(state.rules)
            if points not in possible:
                raise ImpossiblePoints(
                    f"{points} for one card: a card pegs {ranges(possible)}", "most-for-a-card"
                )
            # If the rules award the go at the call, 1 point may also be a thirty-one.
            named = kind or (Kind.GO if (points, state.rules.go_award) == (1, "close") else Kind.FIFTEEN)
            if not state.rules.counts(named, state.to_go(side)):
                said = does(state.spoken_side(side), "stands in the stinkhole, where a go pegs nothing")
                raise ImpossiblePoints(said, "stinkhole")
            return award(state, outcome)
        case _:
            if kind is not None:
                raise WrongPhase(f"{kind} by itself is for the play; at the show peg the whole count")
            if points in IMPOSSIBLE_SHOWS or not 0 <= points <= HIGHEST_SHOW:
                is_over = state.rules.miscount == "muggins" and points > 0
                also = "; it is an overclaim: peg the true count" if is_over else ""
                raise ImpossiblePoints(NO_SUCH_SHOW.format(points=points) + also)
            shower = state.side(deal.shower)
            if side != shower:
                raise WrongSeat(whose_turn("show", *map(state.spoken_side, (shower, side))), "show-order")
            return after_show(replace(state, counted=_unseen_count(side, points, deal)), outcome)


def count_hand(state: State, event: HandCounted) -> State:
    """Count and peg the cards of the hand or crib that is shown next."""
    deal = the_deal(state)
    check_shower(state, deal, event.seat)
    if len(event.cards) != state.cards_to_show:
        raise NotHeld(f"{amount(len(event.cards), 'card')}: give {state.cards_to_show} and the starter")
    if deal.starter is not None and deal.starter.rank is not event.starter.rank:
        raise ImpossibleCards(f"the starter of this deal is {deal.starter}, not {event.starter}")
    if state.phase is Phase.CRIB:
        deal = replace(deal, starter=event.starter, crib_turned_up=event.cards)
    else:
        deal = replace(deal, starter=event.starter, played=put(deal.played, event.seat, event.cards))
    check_possible(deal.seen)
    return counted_show(replace(state, deal=deal), event, event.cards)


def pass_step(state: State, event: StepPassed) -> State:
    """Move on to the next step of the deal. A hand or crib that is skipped pegs 0."""
    deal = the_deal(state)
    if state.is_show:
        side = state.side(deal.shower)
        nothing = Outcome(event, side, deal.number, PURPOSE_IN[state.phase])
        return after_show(replace(state, counted=_unseen_count(side, 0, deal)), nothing)
    may_peg_heels = is_heels(state.rules, to_go=state.to_go(state.side(deal.dealer)))
    before_play = Phase.STARTER if state.phase is Phase.DEAL and may_peg_heels else Phase.PLAY
    following = Phase.SHOW if state.phase is Phase.PLAY else before_play
    return replace(state, phase=following, counted=None)


def _unseen_count(side: int, points: int, deal: Deal) -> MugginsWindow:
    """Return a window for cards that were not entered.

    *points* were counted, but any higher count may be true.
    """
    higher = (count for count in range(points + 1, HIGHEST_SHOW + 1) if count not in IMPOSSIBLE_SHOWS)
    return MugginsWindow(side, points, deal.number, unseen=tuple(count - points for count in higher))
