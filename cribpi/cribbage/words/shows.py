"""The show as all players see it: its owner, cards, possible counts, and wrong goes."""

from __future__ import annotations

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Renege
from cribpi.cribbage.game.show import Score, SuitClaim, score_claimed
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.steps.show import claims_of
from cribpi.cribbage.rules.grammar import does, whose


def offered(state: State) -> Renege | None:
    """Return the wrong go to rule on at this show, or None, also if the rules have no penalty for it."""
    wrong = the_deal(state).open_reneges()
    return None if state.rules.renege == "noted" else next(iter(wrong), None)


def noted(state: State) -> tuple[Renege, ...]:
    """Return the wrong goes to mention now, if the rules have no penalty for them.

    They are known after the play; with a single count, only at the show of the seat.
    """
    if state.rules.renege != "noted" or state.phase is not Phase.SHOW:
        return ()
    deal, is_early = the_deal(state), state.rules.play_rounds == "one"
    return tuple(
        wrong for wrong in deal.open_reneges() if deal.shown == 0 or (is_early and wrong.seat == deal.shower)
    )


def wrong_go(state: State, renege: Renege) -> str:
    cards = " ".join(map(str, renege.cards))
    return f"{state.names[renege.seat]} said go at {renege.go.count}, but held the {cards}"


def whose_show(state: State) -> str:
    """Name the owner of the hand or crib that is shown now."""
    name = state.names[the_deal(state).shower]
    return f"{whose(name)} crib" if state.phase is Phase.CRIB else does(name, "shows")


def shown_cards(state: State) -> tuple[Card, ...]:
    """Return the cards of the hand or crib that is shown now, as far as they are known."""
    deal = the_deal(state)
    return deal.crib if state.phase is Phase.CRIB else deal.hand(deal.shower)


def players_count(state: State) -> bool:
    """Return whether a person must count the hand or crib shown now, under the rules."""
    is_own_count = state.is_show and state.rules.miscount != "machine"
    return is_own_count and state.is_person(the_deal(state).shower)


def claims(state: State) -> tuple[SuitClaim, ...]:
    """Return the claims that the suits of this show allow, fewest points first; () until it is complete."""
    cards, starter = shown_cards(state), the_deal(state).starter
    return claims_of(state, cards, starter) if starter and len(cards) == state.cards_to_show else ()


def least(state: State) -> tuple[Score, ...]:
    """Return the scores of the hand or crib shown now, with the least claim; () until it is complete."""
    starter, possible = the_deal(state).starter, claims(state)
    return score_claimed(shown_cards(state), starter, possible[0]) if starter and possible else ()
