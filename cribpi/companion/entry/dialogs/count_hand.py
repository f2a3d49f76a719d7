"""A hand that is counted by its cards, in a game kept by points."""

from __future__ import annotations

from dataclasses import replace

from cribpi.companion.entry import by_cards
from cribpi.companion.entry.choice import Offer, Place, Scene, attempt, per_card, scene
from cribpi.companion.entry.desk import CountHand
from cribpi.companion.entry.reply import Reply
from cribpi.companion.entry.texts import Text
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.events import HandCounted
from cribpi.cribbage.game.show import SuitClaim, score_claimed, total
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.steps.show import claims_of
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import NotHeld


def counted(state: State, dialog: CountHand) -> tuple[tuple[Card, ...], Card | None, tuple[SuitClaim, ...]]:
    """Return the hand that is being counted, the starter where it is known, and the possible claims.

    There are claims once four cards and the starter are there.
    """
    cards = tuple(Card.parse(card) for card in dialog.cards)
    hand = cards[: seats.HAND]
    known = state.deal.starter if state.deal else None
    starter = known or next(iter(cards[seats.HAND :]), None)
    if len(hand) < seats.HAND or starter is None:
        return hand, starter, ()
    return hand, starter, claims_of(state, hand, starter)


def counted_claim(
    dialog: CountHand, hand: tuple[Card, ...], starter: Card, claims: tuple[SuitClaim, ...]
) -> SuitClaim:
    """Return the claim that FLNB has chosen; until then the one that the count implies, or else the least."""
    return by_cards.chosen_claim(hand, starter, claims, dialog.claim, dialog.claimed)


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

        cards = per_card(place, _the, lambda card: attempt(lambda: more(card)))
        missing = seats.HAND - len(hand)
        asks = f"press its cards, {missing} more" if missing else "now the starter"
        return scene(f"Count a hand: {asks}", (*cards, leave.unlikely()), takes_ranks=True)
    claim = counted_claim(dialog, hand, starter, claims)
    points = total(score_claimed(hand, starter, claim))
    event = HandCounted(state.deal.shower, hand, starter, claim, dialog.claimed)

    def other_claim() -> Reply:
        return place.opened(replace(dialog, claim=by_cards.next_claim(claims, dialog.claim)))

    say = place.pad.named
    full = NotHeld(f"All the cards are in: {say('OK')} pegs them, {say('UNDO')} undoes the last one")
    offers = [
        Offer("OK", by_cards.text_of_show(state, points), place.makes(event)),
        Offer("FLNB", by_cards.SUITS, attempt(other_claim), is_likely=len(claims) > 1),
        leave,
        *(offer.unlikely() for offer in per_card(place, _the, lambda _card: full)),
    ]
    asks = f"{' '.join(map(str, hand))} with {starter}"
    if dialog.claimed is not None:
        asks += f": {dialog.claimed} counted, the cards make {points}"
    return scene(asks, offers, takes_ranks=True)


def _the(card: Card) -> Text:
    return Text(f"The {card.face}", card.face)
