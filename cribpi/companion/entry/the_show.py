"""The show: a hand or the crib, its flush and nobs, and who counts it; a hand counted by its cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from cribpi.companion.entry.choice import Number, Offer, Place, Scene, Text, per_card, scene, undo
from cribpi.companion.entry.desk import CountHand, Desk, Undone
from cribpi.companion.entry.keys import amounts_of
from cribpi.companion.entry.reply import Reply
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.deal import Renege
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.show import HIGHEST_SHOW, Score, SuitClaim, score_claimed, score_ranks, total
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.steps.corrections import renege_points
from cribpi.cribbage.game.steps.show import check_count, claims_of
from cribpi.cribbage.rules.errors import ImpossibleClaim, ImpossiblePoints, NotHeld, WrongPhase
from cribpi.cribbage.rules.grammar import does, whose
from cribpi.cribbage.rules.names import YOU

SUITS: Final = Text("Flush or his nobs", "flush, nobs")


PEG_NOTHING: Final = Text("Nothing to peg", "peg 0")


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


def _rule(place: Place, renege: Renege) -> Scene:
    """Ask for the table's ruling on a wrong go."""
    state = place.state
    points = renege_points(state, len(renege.cards))
    others = [state.side_name(side) for side in range(state.sides) if side != state.side(renege.seat)]
    who, each = " and ".join(others), f"{points} each"
    text = Text(f"Give {who} {points}", f"{{name}} {points}", who)
    if len(others) > 1:
        text = Text(f"Give {who} {each}", each)
    offers = (
        Offer("OK", text, place.makes(events.RenegeRuled(renege.seat, points))),
        Offer("GO", "No penalty", place.makes(events.RenegeRuled(renege.seat, 0))),
    )
    return scene(wrong_go(state, renege), offers)


def shown(state: State) -> tuple[Card, ...]:
    """Return the cards of the hand or crib whose show it is, as far as they are known."""
    deal = the_deal(state)
    return deal.crib if state.phase is Phase.CRIB else deal.hand(deal.shower)


def players_count(state: State) -> bool:
    """Tell whether a player is to count what is shown now, by the rules; a computer's seat never does."""
    is_asked = state.is_show and state.rules.miscount != "machine"
    return is_asked and state.is_person(the_deal(state).shower)


def is_ready(state: State, desk: Desk) -> bool:
    """Tell whether OK pegs what is shown as cribpi counts it: nothing is missing, typed or to be ruled on."""
    is_open = desk.typed or not isinstance(desk.dialog, Undone | None)
    if not state.is_show or is_open or players_count(state):
        return False
    return len(shown(state)) == state.cards_to_show and offered(state) is None


def is_certain(state: State) -> bool:
    """Tell whether a show of real cards can be pegged unasked: neither a flush nor his nobs can be added."""
    if state.entry is not Entry.CARDS or not state.is_show or players_count(state):
        return False
    return len(claims(state)) == 1 and offered(state) is None


def show(place: Place) -> Scene:
    """Show a hand or the crib: its cards as far as they are missing, flush and nobs, and what it is worth."""
    state, desk = place.state, place.desk
    renege = offered(state)
    if renege is not None:
        return _rule(place, renege)
    possible = claims(state)
    suits = Offer(
        "FLNB",
        SUITS,
        lambda: Reply(replace(desk, claim=next_claim(possible, desk.claim))),
        is_likely=len(possible) > 1,
    )
    if len(shown(state)) < state.cards_to_show:
        return _turn_up(place, suits)
    if players_count(state):
        return _count(place, suits)
    pegs = Offer("OK", text_of_show(state, worth(state, desk)), place.makes(show_event(state, desk, None)))
    return scene(what_is_shown(state), (pegs, suits))


def text_of_show(state: State, points: int) -> Text:
    """Return the label of the key that pegs *points* for the hand or crib that is shown."""
    if not points:
        return PEG_NOTHING
    shower = the_deal(state).shower
    before = state.pegs[state.side(shower)].front
    after = min(before + points, state.rules.target)
    return Text(f"Peg {points}", f"{{name}} {before}\N{RIGHTWARDS ARROW}{after}", state.names[shower])


def whose_show(state: State) -> str:
    """Say whose hand or crib is shown."""
    name = state.names[the_deal(state).shower]
    return f"{whose(name)} crib" if state.phase is Phase.CRIB else does(name, "shows")


def what_is_shown(state: State) -> str:
    """Say whose hand or crib it is, its cards and the starter."""
    return f"{whose_show(state)} {' '.join(map(str, shown(state)))} with {the_deal(state).starter}"


def _turn_up(place: Place, suits: Offer) -> Scene:
    """Take the cards of a crib, or of a hand that was not played out, one after the other."""
    state, seat = place.state, place.deal.shower
    is_crib = state.phase is Phase.CRIB
    who, what = "The crib has", "its cards"
    if not is_crib:
        who, what = does(state.names[seat], "shows"), "the cards not played"

    def turned(card: Card) -> Reply:
        return place.makes(events.CribCardTurned(card) if is_crib else events.HandCardTurned(seat, card))

    cards = per_card(place, lambda card: Text(f"{who} the {card.face}", card.face), turned)
    too_early = Offer("OK", PEG_NOTHING, place.makes(show_event(state, place.desk, None)))
    missing = state.cards_to_show - len(shown(state))
    asks = f"{whose_show(state)}: press {what}, {missing} more"
    return scene(asks, (*cards, too_early, suits), takes_ranks=True)


def worth(state: State, desk: Desk) -> int:
    """Return what the hand or crib that is shown is worth with the claim that is chosen."""
    return total(score_claimed(shown(state), starter_of(state), claim_of(state, desk)))


def least(state: State) -> tuple[Score, ...]:
    """Return what the hand or crib that is shown counts, all its cards known, with the least claim."""
    return score_claimed(shown(state), starter_of(state), claims(state)[0])


def _count(place: Place, suits: Offer) -> Scene:
    """Let a player count: amounts that add up, then OK; GO for nothing."""
    state, desk, asks = place.state, place.desk, what_is_shown(place.state)
    if place.viewer not in {None, place.deal.shower}:
        return scene(f"{state.names[place.deal.shower]} is counting", ())
    amounts = []
    for key, amount in amounts_of(place.cards):
        more = partial(_counted_so_far, replace(desk, typed=(*desk.typed, amount)))
        amounts.append(Offer(key, str(amount), more, is_amount=True))

    def typed(digit: int | None) -> Reply:
        return _counted_so_far(desk.with_digit(digit))

    number = Number(desk.amount if desk.typed else None, typed)
    if not desk.typed:
        nothing = Offer("GO", Text(PEG_NOTHING.long, "nothing"), place.makes(show_event(state, desk, 0)))
        return scene(f"{asks}: type the count", (*amounts, nothing, suits), takes_ranks=True, number=number)
    name = state.side_name(state.side(place.deal.shower))
    claims_it = Text(text_of_points(desk.amount, name).long, f"count {desk.amount}")
    claim = Offer("OK", claims_it, place.makes(show_event(state, desk, desk.amount)))
    if not can_count(state, desk.amount):  # as 19, which may still become 20
        asks = f"{desk.amount}: {NOT_PEGGED[state.phase]}; type more"
    return scene(asks, (claim, suits, undo(place), *amounts), takes_ranks=True, number=number)


def text_of_points(points: int, name: str) -> Text:
    """Return the label of the key that pegs *points* for *name*.

    >>> text_of_points(12, "Ann").long, text_of_points(12, "You").long
    ('Peg 12 for Ann', 'Peg 12')
    """
    whom = "" if name in {"", YOU} else f" for {name}"
    return Text(f"Peg {points}{whom}", f"{points} for {{name}}", name)


NOT_PEGGED: Final = {
    Phase.DEAL: "nothing can be pegged before the starter is cut",
    Phase.STARTER: "only {points} for his heels can be pegged",
    Phase.PLAY: "no card pegs that",
    Phase.SHOW: "no hand counts that",
    Phase.CRIB: "no crib counts that",
}
"""Why what lies typed can't be pegged."""


def _counted_so_far(desk: Desk) -> Reply:
    """Let *desk* hold what is typed, unless no show counts so much: 19 may still become 20."""
    if desk.amount > HIGHEST_SHOW:
        raise ImpossiblePoints(f"no hand or crib counts {desk.amount}: the most is {HIGHEST_SHOW}")
    return Reply(desk)


def can_count(state: State, points: int) -> bool:
    """Tell whether a player can count *points* by the rules of this game; by muggins it may be too much."""
    try:
        check_count(points, state.rules.miscount)
    except ImpossiblePoints:
        return False
    return True


def show_event(state: State, desk: Desk, points: int | None) -> events.HandShown | events.CribShown:
    """Return the show that comes now, with the player's own count in *points*, or None if cribpi counts."""
    claim = claim_of(state, desk)
    if state.phase is Phase.CRIB:
        return events.CribShown(claim, points)
    return events.HandShown(the_deal(state).shower, claim, points)


def starter_of(state: State) -> Card:
    """Return the starter of a show.

    Raises:
        WrongPhase: If it is not known.
    """
    starter = the_deal(state).starter
    if starter is None:
        raise WrongPhase("the starter is not turned up yet")
    return starter


def claims(state: State) -> tuple[SuitClaim, ...]:
    """Return the claims that the suits of this show allow, fewest points first; none until it is complete."""
    cards = shown(state)
    return claims_of(state, cards, starter_of(state)) if len(cards) == state.cards_to_show else ()


def claim_of(state: State, desk: Desk) -> SuitClaim:
    """Return the claim that FLNB has chosen; until then the one that the count implies, or else the least."""
    possible = claims(state)
    if not possible:
        return SuitClaim()
    counted = desk.amount if desk.typed else None
    return chosen_claim(shown(state), starter_of(state), possible, desk.claim, counted)


def chosen_claim(
    cards: Sequence[Card], starter: Card, possible: tuple[SuitClaim, ...], claim: int, counted: int | None
) -> SuitClaim:
    """Return the *possible* claim that FLNB has chosen as its number *claim*.

    Until then it is the one with which the cards are worth what was *counted*, or else the least.
    """
    if claim or counted is None:
        return possible[claim % len(possible)]
    by_ranks = total(score_ranks(cards, starter))
    meant = (one for one in possible if by_ranks + one.points == counted)
    return next(meant, possible[0])


def next_claim(possible: tuple[SuitClaim, ...], claim: int) -> int:
    """Return the next of the *possible* claims after number *claim*.

    Raises:
        ImpossibleClaim: If there is no choice.
    """
    if not possible:
        raise ImpossibleClaim("press all its cards first; then flush and his nobs can be added")
    if len(possible) == 1:
        raise ImpossibleClaim("these cards have no flush and no nobs")
    return (claim + 1) % len(possible)


class SuitChoice(NamedTuple):
    """What the suits may add to a show, whether they do now, and how many presses of FLNB change that."""

    says: str
    is_on: bool
    presses: int


def suit_choices(state: State, desk: Desk) -> tuple[SuitChoice, ...]:
    """Return what can be added to the hand or crib that is shown, where cribpi counts: nobs, a flush."""
    possible = claims(state)
    if players_count(state) or len(possible) < 2:
        return ()
    now = claim_of(state, desk)
    nobs = SuitChoice("+1 his nobs", now.nobs, _presses(possible, now, now.flush, nobs=not now.nobs))
    found = [nobs] if any(one.nobs != now.nobs for one in possible) else []
    flushes = sorted({one.flush for one in possible if one.flush})
    for points in flushes:
        is_on, says = (
            now.flush == points,
            f"+{points} flush with starter" if points != flushes[0] else f"+{points} flush",
        )
        found.append(SuitChoice(says, is_on, _presses(possible, now, 0 if is_on else points, nobs=now.nobs)))
    return tuple(found)


def _presses(possible: tuple[SuitClaim, ...], now: SuitClaim, flush: int, *, nobs: bool) -> int:
    """Return how many presses of FLNB lead from *now* to the claim that is nearest to *flush* and *nobs*."""
    nearest = min(possible, key=lambda one: (one == now, 2 * (one.flush != flush) + (one.nobs != nobs)))
    return (possible.index(nearest) - possible.index(now)) % len(possible)


def counted(state: State, dialog: CountHand) -> tuple[tuple[Card, ...], Card | None, tuple[SuitClaim, ...]]:
    """Return the hand that is being counted, the starter where it is known, and the possible claims.

    There are claims once all its cards and the starter are there.
    """
    cards = tuple(Card.parse(card) for card in dialog.cards)
    hand = cards[: state.cards_to_show]
    known = state.deal.starter if state.deal else None
    starter = known or next(iter(cards[state.cards_to_show :]), None)
    if len(hand) < state.cards_to_show or starter is None:
        return hand, starter, ()
    return hand, starter, claims_of(state, hand, starter)


def counted_claim(
    dialog: CountHand, hand: tuple[Card, ...], starter: Card, claims: tuple[SuitClaim, ...]
) -> SuitClaim:
    """Return the claim that FLNB has chosen; until then the one that the count implies, or else the least."""
    return chosen_claim(hand, starter, claims, dialog.claim, dialog.claimed)


def count_hand(place: Place, dialog: CountHand) -> Scene:
    state = place.state
    hand, starter, claims = counted(state, dialog)
    fewer = replace(dialog, cards=dialog.cards[:-1], claim=0) if dialog.cards else None
    undoes = Text("Undo the last one", "clear") if dialog.cards else "Close"
    leave = Offer("UNDO", undoes, place.opened(fewer))
    if not claims or starter is None or state.deal is None:
        known = (*hand, *filter(None, (starter,)))

        def more(card: Card) -> Reply:
            check_possible((*known, card))
            return place.opened(replace(dialog, cards=(*dialog.cards, str(card)), claim=0))

        cards = per_card(place, _the, more)
        missing = state.cards_to_show - len(hand)
        asks = f"press its cards, {missing} more" if missing else "now the starter"
        return scene(f"Count a hand: {asks}", (*cards, leave.unlikely()), takes_ranks=True)
    claim = counted_claim(dialog, hand, starter, claims)
    points = total(score_claimed(hand, starter, claim))
    event = events.HandCounted(state.deal.shower, hand, starter, claim, dialog.claimed)

    def other_claim() -> Reply:
        return place.opened(replace(dialog, claim=next_claim(claims, dialog.claim)))

    def full(_card: Card) -> Reply:
        raise NotHeld("All the cards are in: peg them, or undo the last one")

    offers = [
        Offer("OK", text_of_show(state, points), place.makes(event)),
        Offer("FLNB", SUITS, other_claim, is_likely=len(claims) > 1),
        leave,
        *(offer.unlikely() for offer in per_card(place, _the, full)),
    ]
    asks = f"{' '.join(map(str, hand))} with {starter}"
    if dialog.claimed is not None:
        asks += f": {dialog.claimed} counted, the cards make {points}"
    return scene(asks, offers, takes_ranks=True)


def _the(card: Card) -> Text:
    return Text(f"The {card.face}", card.face)
