"""The question past thirty-one: was it a slip, or does the card lead a new count?"""

from __future__ import annotations

from dataclasses import replace

from cribpi.companion.entry import by_cards
from cribpi.companion.entry.choice import Offer, Place, Scene, scene
from cribpi.companion.entry.desk import Question
from cribpi.companion.entry.keys import card_of
from cribpi.companion.entry.reply import Reply
from cribpi.companion.entry.texts import Text
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import GoSaid, NewCountLed
from cribpi.cribbage.game.state import State, the_deal


def question(place: Place, dialog: Question) -> Scene:
    card = Card.parse(dialog.card)
    state, clear = place.state, place.desk.cleared()
    deal = state.deal
    if deal is None or deal.turn is None:
        return scene("", (Offer(key, "Close", Reply(clear)) for key in ("OK", "UNDO")))
    lead = leader(state)
    leads = Text(f"New count with the {card.face}", f"{{name}} leads {card.face}", state.names[lead])
    new_count = Reply(clear, NewCountLed(lead, card))
    meant = by_cards.deal_to_crib(replace(place, desk=replace(place.desk, dialog=None)))
    offers = (
        Offer("OK", leads, new_count),
        Offer("UNDO", Text("Wrong key", "wrong"), Reply(clear)),
        Offer("GO", by_cards.text_of_go(state.names[deal.turn]), Reply(clear, GoSaid(deal.turn))),
        *(offer.unlikely() for offer in meant.offers if card_of(offer.key) is not None),
    )
    return scene(over_31(deal, card), offers, takes_ranks=True)


def over_31(deal: Deal, card: Card) -> str:
    """Say that *card* passes thirty-one."""
    pips = card.rank.pips
    return f"{deal.count} + {pips} = {deal.count + pips}, over 31"


def leader(state: State) -> int:
    """Return the seat that would lead the next count if all said go now, or whose turn it is."""
    deal = the_deal(state)
    is_first_go = state.rules.lead_after_close == "first-go"
    seat = next(iter(deal.out), deal.turn) if is_first_go else deal.next_to_lead()
    return 0 if seat is None else seat
