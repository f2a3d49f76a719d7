"""The show as everybody sees it: whose it is, its cards and what they may be worth, and who counts them."""

from __future__ import annotations

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Renege
from cribpi.cribbage.game.show import Score, SuitClaim, score_claimed
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.steps.show import claims_of
from cribpi.cribbage.rules.grammar import does, whose


def offered(state: State) -> Renege | None:
    """Return the wrong go that the table is to rule on at this show, where the house has a rule for it."""
    wrong = the_deal(state).open_reneges()
    return None if state.rules.renege == "noted" else next(iter(wrong), None)


def noted(state: State) -> tuple[Renege, ...]:
    """Return the wrong goes that are remarked on now, where the house has no rule for them.

    All are known when the play has ended, but for one that ended early: there each is at its seat's show.
    """
    if state.rules.renege != "noted" or state.phase is not Phase.SHOW:
        return ()
    deal, is_early = the_deal(state), state.rules.play_rounds == "one"
    return tuple(
        wrong for wrong in deal.open_reneges() if deal.shown == 0 or (is_early and wrong.seat == deal.shower)
    )


def wrong_go(state: State, renege: Renege) -> str:
    """Return who said go, at which count, and which cards would have fitted."""
    cards = " ".join(map(str, renege.cards))
    return f"{state.names[renege.seat]} said go at {renege.go.count}, but held the {cards}"


def whose_show(state: State) -> str:
    """Say whose hand or crib is shown."""
    name = state.names[the_deal(state).shower]
    return f"{whose(name)} crib" if state.phase is Phase.CRIB else does(name, "shows")


def shown(state: State) -> tuple[Card, ...]:
    """Return the cards of the hand or crib whose show it is, as far as they are known."""
    deal = the_deal(state)
    return deal.crib if state.phase is Phase.CRIB else deal.hand(deal.shower)


def players_count(state: State) -> bool:
    """Tell whether a player is to count what is shown now, by the rules; a computer's seat never does."""
    is_asked = state.is_show and state.rules.miscount != "machine"
    return is_asked and state.is_person(the_deal(state).shower)


def claims(state: State) -> tuple[SuitClaim, ...]:
    """Return the claims that the suits of this show allow, fewest points first; none until it is complete."""
    cards, starter = shown(state), the_deal(state).starter
    return claims_of(state, cards, starter) if starter and len(cards) == state.cards_to_show else ()


def least(state: State) -> tuple[Score, ...]:
    """Return the scores of the hand or crib being shown, with the least claim, once it is complete."""
    starter, possible = the_deal(state).starter, claims(state)
    return score_claimed(shown(state), starter, possible[0]) if starter and possible else ()
