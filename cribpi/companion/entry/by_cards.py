"""Keys in a game kept by cards: each card as it falls; the player is whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from cribpi.companion.entry import corrections
from cribpi.companion.entry.choice import Offer, Place, Scene, attempt, per_card, scene, undo
from cribpi.companion.entry.desk import Desk, Question
from cribpi.companion.entry.keys import RANKS, amounts_of, side_keys_of
from cribpi.companion.entry.reply import Move, Reply
from cribpi.companion.entry.texts import Text
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.deal import Deal, Renege
from cribpi.cribbage.game.events import (
    CardCut,
    CardPlayed,
    CribCardTurned,
    CribShown,
    DealerChosen,
    Entry,
    GoSaid,
    HandCardTurned,
    HandShown,
    HeelsTaken,
    RenegeRuled,
    StarterTurned,
)
from cribpi.cribbage.game.show import HIGHEST_SHOW, Score, SuitClaim, score_claimed, score_ranks, total
from cribpi.cribbage.game.state import Phase, State, side_name, the_deal
from cribpi.cribbage.game.steps.corrections import renege_points
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.game.steps.show import check_count, claims_of
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import ImpossibleClaim, ImpossiblePoints, WrongPhase
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.tell import for_his_heels

SUITS: Final = Text("Flush or his nobs", "flush, nobs")
PEG_NOTHING: Final = Text("Nothing to peg", "peg 0")

MOST_PIPS = 10
"""What a card is worth at the most towards the count: below so much room somebody may have to say go."""


def cut(place: Place) -> Scene:
    """Find who deals first, as the option `first_dealer` says.

    A cut: a rank for the seat whose cut it is, a side's key to choose, OK to leave it to chance; where the
    computer deals it cuts for each seat.  Drawn: OK.  Chosen: a side's key, or A to 4 for a seat.
    """
    state, say, by_rank = place.state, place.pad.named, place.pad.has_ranks
    drawn = place.makes(move=Move.DRAW)
    if state.rules.first_dealer == "random":
        return scene("The first dealer is drawn", [Offer("OK", "Draw the dealer", drawn)])
    choose = choose_dealer(place, side_keys_of(state.sides))
    if state.rules.first_dealer == "chosen":
        by_seat = choose_dealer(place, zip(RANKS, range(state.players), strict=False))
        how = f"{say('P1')} or {say('P2')}, or {say('MENU')} for the others"
        if by_rank:
            last = say(RANKS[state.players - 1])
            seats_too = f", or {say('A')} to {last} for the seat" if state.players > 2 else ""
            how = f"Press a side's key{seats_too}"
        return scene("Who deals first?", (*choose, *by_seat), how=how)
    seat = state.next_to_cut or 0
    if state.entry is Entry.DEALT:
        cut_one = Offer("OK", "Cut a card", place.makes(move=Move.CUT))
        asks = f"{state.names[seat]} cuts for the deal, and the lowest card deals"
        return scene(asks, (cut_one, *(offer.unlikely() for offer in choose)))
    cuts = per_card(
        place,
        lambda card: Text(f"{state.names[seat]} cuts the {card.face}", f"cut {card.face}"),
        lambda card: place.makes(CardCut(seat, card)),
    )
    rank = ": press the rank" * by_rank
    return scene(
        f"{state.names[seat]} cuts for the deal{rank}",
        (
            Offer("OK", Text("Draw the first dealer", "by chance"), drawn),
            *cuts,
            *(replace(offer, is_likely=not by_rank) for offer in choose),
        ),
        takes_ranks=True,
    )


def choose_dealer(place: Place, keys: Iterable[tuple[str, int]]) -> tuple[Offer, ...]:
    """Offer seats as the first dealer, each by its key of *keys*."""
    names = place.state.names
    return tuple(
        Offer(key, text_of_dealer(names[seat]), place.makes(DealerChosen(seat))) for key, seat in keys
    )


def text_of_dealer(name: str) -> Text:
    """Return what the key says by which *name* deals first."""
    return Text(f"{name} deals first", "{name} deals", name)


def deal_to_crib(place: Place) -> Scene:
    """Take the deal, the starter, the play and the show of real cards."""
    asked = {Phase.PLAY: _play, Phase.SHOW: show, Phase.CRIB: show}.get(place.state.phase, _deal)
    return asked(place).also(*corrections.by_side_key(place))


def _deal(place: Place) -> Scene:
    """Take the starter; who deals, how many cards each and who cuts is said with it."""
    state, deal = place.state, place.deal
    dealt = number(seats.cards_dealt(state.players))
    keepers = [state.names[seat] for seat in state.rules.scorekeepers] if deal.number == 1 else []
    keep = f"; {' and '.join(keepers)} keep the board" * bool(keepers)
    return scene(
        f"{state.names[deal.dealer]} deals {dealt} each, {who_cuts(state, deal)}: press the starter's "
        f"rank{keep}",
        per_card(
            place,
            lambda card: Text(f"The starter is the {card.face}", f"starter {card.face}"),
            lambda card: place.makes(StarterTurned(card)),
        ),
        takes_ranks=True,
    )


def who_cuts(state: State, deal: Deal) -> str:
    """Say who cuts or turns the starter up, as the option `starter_cut` says."""
    if state.rules.starter_cut == "dealer-turns":
        return f"{state.names[deal.dealer]} turns up the top card"
    return f"{state.names[deal.show_order[0]]} cuts"


def _play(place: Place) -> Scene:
    state, deal, turn = place.state, place.deal, place.deal.turn
    if turn is None:
        return scene("The play is over", ())
    name = state.names[turn]

    def play(card: Card) -> Offer:
        if card.rank.pips <= deal.room or state.rules.play_rounds == "one":
            plays = Text(f"{name} plays the {card.face}", f"{{name}} plays {card.face}", name)
            return Offer(str(card), plays, place.makes(CardPlayed(turn, card)), takes_suit=True)
        over = Text(f"The {card.face} would go over 31", f"{card.face}: over 31")
        asks = attempt(partial(_ask, place, card))
        return Offer(str(card), over, asks, is_likely=False, takes_suit=True)

    go = Offer("GO", text_of_go(name), place.makes(GoSaid(turn)), is_likely=deal.room < MOST_PIPS)
    heels = [Offer("OK", text_of_heels(state), place.makes(HeelsTaken()))] * deal.heels_open
    offers = sorted((*heels, *map(play, place.cards), go), key=lambda offer: not offer.is_likely)
    found = scene(f"{name} to play", offers, takes_ranks=True)
    return replace(found, remedy=f"{name} to play: press the card")


def _ask(place: Place, card: Card) -> Reply:
    """Ask what is meant by a card that passes thirty-one, if a pack has it."""
    check_possible((*place.deal.seen, card))
    return place.opened(Question(str(card)))


def text_of_go(name: str) -> Text:
    """Return what the key says by which *name* says go."""
    return Text(f"{name} says go", "says go")


def text_of_heels(state: State) -> Text:
    """Return what the key says that takes his heels."""
    return Text(f"Take {for_his_heels(state.rules)}", f"take {number(his_heels(state.rules))}")


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


def _rule(place: Place, renege: Renege) -> Scene:
    """Ask for the table's ruling on a wrong go."""
    state = place.state
    points = renege_points(state, len(renege.cards))
    others = [side_name(state, side) for side in range(state.sides) if side != state.side(renege.seat)]
    who, each = " and ".join(others), f"{points} each"
    text = Text(f"Give {who} {points}", f"{{name}} {points}", who)
    if len(others) > 1:
        text = Text(f"Give {who} {each}", each)
    offers = (
        Offer("OK", text, place.makes(RenegeRuled(renege.seat, points))),
        Offer("GO", "No penalty", place.makes(RenegeRuled(renege.seat, 0))),
    )
    return scene(
        f"{state.names[renege.seat]} said go at {renege.count}, but held the "
        f"{' '.join(map(str, renege.cards))}",
        offers,
    )


def shown(state: State) -> tuple[Card, ...]:
    """Return the cards of the hand or crib whose show it is, as far as they are known."""
    deal = the_deal(state)
    return deal.crib if state.phase is Phase.CRIB else deal.hand(deal.shower)


def players_count(state: State) -> bool:
    """Tell whether a player is to count what is shown now, by the rules; a computer's seat never does."""
    is_asked = state.is_show and state.rules.miscount != "machine"
    return is_asked and state.is_person(the_deal(state).shower)


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
        attempt(lambda: Reply(replace(desk, claim=next_claim(possible, desk.claim)))),
        is_likely=len(possible) > 1,
    )
    if len(shown(state)) < seats.HAND:
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
    what = "'s crib" if state.phase is Phase.CRIB else " shows"
    return state.names[the_deal(state).shower] + what


def what_is_shown(state: State) -> str:
    """Say whose hand or crib it is, its cards and the starter."""
    return f"{whose_show(state)} {' '.join(map(str, shown(state)))} with {the_deal(state).starter}"


def _turn_up(place: Place, suits: Offer) -> Scene:
    """Take the cards of a crib, or of a hand that was not played out, one after the other."""
    state, seat = place.state, place.deal.shower
    if state.phase is Phase.CRIB:
        cards = per_card(
            place,
            lambda card: Text(f"The crib has the {card.face}", card.face),
            lambda card: place.makes(CribCardTurned(card)),
        )
        what = "its cards"
    else:
        name = state.names[seat]
        cards = per_card(
            place,
            lambda card: Text(f"{name} shows the {card.face}", card.face),
            lambda card: place.makes(HandCardTurned(seat, card)),
        )
        what = "the cards not played"
    too_early = Offer("OK", PEG_NOTHING, place.makes(show_event(state, place.desk, None)))
    missing = seats.HAND - len(shown(state))
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
    amounts = [
        Offer(key, str(amount), attempt(partial(_typed, state, desk, amount)), is_amount=True)
        for key, amount in amounts_of(place.cards)
    ]
    number = partial(_digit, state, desk)
    if not desk.typed:
        nothing = Offer("GO", Text("Claim nothing", "nothing"), place.makes(show_event(state, desk, 0)))
        return scene(f"{asks}: type the count", (*amounts, nothing, suits), takes_ranks=True, number=number)
    claims_it = f"Claim {desk.amount}"
    claim = Offer("OK", claims_it, place.makes(show_event(state, desk, desk.amount)))
    if not can_count(state, desk.amount):  # as 19, which may still become 20
        asks = f"{desk.amount}: {NOT_PEGGED[state.phase]}; type more"
    return scene(asks, (claim, suits, undo(place), *amounts), takes_ranks=True, number=number)


NOT_PEGGED: Final = {
    Phase.DEAL: "nothing can be pegged before the starter is cut",
    Phase.STARTER: "only {points} for his heels can be pegged",
    Phase.PLAY: "no card pegs that",
    Phase.SHOW: "no hand counts that",
    Phase.CRIB: "no crib counts that",
}
"""Why what lies typed can't be pegged."""


def _typed(state: State, desk: Desk, amount: int) -> Reply:
    """Add *amount* to what is typed."""
    return _counted_so_far(state, replace(desk, typed=(*desk.typed, amount)))


def _digit(state: State, desk: Desk, digit: int | None) -> Reply:
    return _counted_so_far(state, desk.with_digit(digit))


def _counted_so_far(state: State, desk: Desk) -> Reply:
    """Let *desk* hold what is typed, unless nobody can count so much or more; 19 may still become 20."""
    points = desk.amount
    if points > HIGHEST_SHOW or state.rules.miscount == "muggins":  # there it may be an overclaim
        check_count(points, state.rules.miscount)
    return Reply(desk)


def can_count(state: State, points: int) -> bool:
    """Tell whether a player can count *points* by the rules of this game; by muggins it may be too much."""
    try:
        check_count(points, state.rules.miscount)
    except ImpossiblePoints:
        return False
    return True


def show_event(state: State, desk: Desk, points: int | None) -> HandShown | CribShown:
    """Return the show that comes now, with the player's own count in *points*, or None if cribpi counts."""
    claim = claim_of(state, desk)
    if state.phase is Phase.CRIB:
        return CribShown(claim, points)
    return HandShown(the_deal(state).shower, claim, points)


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
    return claims_of(state, cards, starter_of(state)) if len(cards) == seats.HAND else ()


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
        raise ImpossibleClaim("press all four cards first; then flush and his nobs can be added")
    if len(possible) == 1:
        raise ImpossibleClaim("with these cards there is no flush or his nobs to choose")
    return (claim + 1) % len(possible)
