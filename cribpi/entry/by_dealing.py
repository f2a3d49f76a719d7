"""Keys in a game that the machine deals: a person's own cards are chosen by their ranks, and the rest is OK.

A rank chooses a card of the hand, again another of the same rank, and OK lays away or plays what is chosen;
a rank that is held once is played at once.  FLNB asks the machine for a hint, which chooses what it would.
Where several persons share the glass, each hand is opened by OK, for its holder, and closed with what he does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cribpi.core import seats
from cribpi.core.cards import PACK, Card
from cribpi.core.deal import Deal
from cribpi.core.decide import deciders, next_person, persons
from cribpi.core.errors import NotHeld
from cribpi.core.events import CardCut, CardPlayed, CardsLaidAway, GoSaid, HeelsTaken, StarterTurned
from cribpi.core.scores import total
from cribpi.core.show import score_claimed
from cribpi.core.sight import sight_of
from cribpi.core.state import Phase, State
from cribpi.entry import by_cards, corrections
from cribpi.entry.desk import Desk, Hint
from cribpi.entry.keys import card_of, side_key
from cribpi.entry.reply import Move, Reply, WrongKey


def open_hand(state: State, desk: Desk) -> int | None:
    """Return the seat whose hand lies open for its holder to see; None if none does.

    One person alone always sees his hand.  Of several only the one whose decision it is, once he has pressed OK.
    """
    deal, sit = state.deal, persons(state)
    hides = state.phase in {Phase.DEAL, Phase.STARTER, Phase.PLAY} and state.winner is None
    if deal is None or not hides or not any(deal.dealt):
        return None
    if len(sit) == 1:
        return sit[0]
    return desk.open_seat if desk.open_seat is not None and desk.open_seat == next_person(state) else None


def hand(state: State, seat: int) -> tuple[Card, ...]:
    """Return the cards that *seat* holds, lowest first."""
    return tuple(sorted(sight_of(state, seat).hand, key=lambda card: (card.rank, card.suit or "")))


def held(deal: Deal, seat: int) -> int:
    """Return how many cards *seat* holds: all that were dealt until it has laid away, then what it has not played."""
    if not deal.dealt[seat]:
        return 0
    return deal.cards_left(seat) if deal.laid_away[seat] else len(deal.dealt[seat])


def chosen(state: State, desk: Desk, seat: int) -> tuple[Card, ...]:
    """Return what is chosen of the hand of *seat*, in the order in which it was."""
    held = hand(state, seat)
    return tuple(card for card in map(Card.parse, desk.chosen) if card in held)


def takes_heels(state: State, desk: Desk) -> bool:
    """Tell whether OK takes two for his heels: for a dealer whose hand lies open, with no card of it chosen."""
    deal = state.deal
    if deal is None or not deal.heels_open or open_hand(state, desk) != deal.dealer:
        return False
    return not chosen(state, desk, deal.dealer)


def may_hint(state: State, desk: Desk) -> bool:
    """Tell whether a hint can be asked for: by the person whose hand lies open, where there is a choice."""
    seat = open_hand(state, desk)
    if seat is None or seat != next_person(state) or takes_heels(state, desk):
        return False
    return state.phase is Phase.DEAL or len(sight_of(state, seat).playable) > 1


def hint_asked(state: State, desk: Desk) -> int | None:
    """Return the seat for whose holder a hint is to be thought of; None where none was asked for."""
    is_asked = desk.hint is not None and not desk.hint.cards and desk.dialog is None
    return open_hand(state, desk) if is_asked and may_hint(state, desk) else None


def wanted(state: State) -> int:
    """Return how many cards are to be chosen now: to lay away, or one to play."""
    return seats.cards_laid_away(state.players) if state.phase is Phase.DEAL else 1


def press_cut(state: State, desk: Desk, key: str, draw: int) -> Reply:
    """Find who deals first: where that is a cut, OK cuts a card by *draw*, a whole number of the caller's chance."""
    seat = state.next_to_cut
    if state.rules.first_dealer != "low-cut" or key != "OK" or seat is None:
        if card_of(key) is not None and state.rules.first_dealer == "low-cut":
            raise WrongKey("there are no cards of paper: OK cuts one, or a side's key says who deals first")
        return by_cards.press_cut(state, desk, key, draw)
    left = [card for card in PACK if card not in state.cuts]
    return Reply(desk.cleared(), CardCut(seat, left[draw % len(left)]))


def press(state: State, desk: Desk, key: str) -> Reply:
    """Take a key from the deal to the crib."""
    deal = state.deal
    if deal is None:
        raise WrongKey("no deal has begun: MENU starts a new game")
    side = side_key(key, 2 if key == "GO" else state.sides)
    if side is not None:
        return Reply(replace(desk, dialog=corrections.open_for(state, side)))
    if state.phase in {Phase.SHOW, Phase.CRIB}:
        return _press_show(state, desk, deal, key)
    if key == "OK" and takes_heels(state, desk):
        return Reply(desk, HeelsTaken())
    if state.phase is Phase.DEAL and not any(deal.dealt):
        if key == "OK":
            return Reply(desk.cleared(), move=Move.SHUFFLE)
        raise WrongKey(f"{key} does nothing here: OK shuffles and deals")
    if state.phase is Phase.STARTER:
        if key == "OK" and deal.to_turn is not None:
            return Reply(desk.cleared(), StarterTurned(deal.to_turn))
        raise WrongKey(f"{key} does nothing here: OK turns up the starter")
    seat = next_person(state)
    if seat is None:
        waits = " and ".join(state.names[one] for one in deciders(state))
        raise WrongKey(f"{waits} is at it, which is the machine's: wait a moment")
    if open_hand(state, desk) != seat:
        if key == "OK":
            return Reply(replace(desk.cleared(), open_seat=seat))
        raise WrongKey(f"{state.names[seat]} first: OK opens the hand, when nobody else looks")
    return _press_hand(state, desk, seat, key)


def _press_hand(state: State, desk: Desk, seat: int, key: str) -> Reply:
    """Take a key of the person in *seat*, before whom the hand lies open."""
    card, picked = card_of(key), chosen(state, desk, seat)
    if key == "FLNB" and may_hint(state, desk):
        return Reply(replace(desk, hint=Hint(), chosen=()))
    if card is not None:
        return _press_card(state, desk, seat, card, picked)
    if state.phase is Phase.DEAL:
        if key == "OK" and len(picked) == wanted(state):
            return Reply(desk.cleared(), CardsLaidAway(seat, picked))
        missing = wanted(state) - len(picked)
        more = f"choose {missing} more for the crib" if missing else "OK lays them away"
        raise WrongKey(f"{key} does nothing here: {more}")
    playable = sight_of(state, seat).playable
    if key == "GO" or (key == "OK" and not playable):
        return Reply(desk.cleared(), GoSaid(seat))
    if key == "OK" and picked:
        return Reply(desk.cleared(), CardPlayed(seat, picked[0]))
    if playable:
        raise WrongKey(f"{key} does nothing here: press the card to play")
    raise WrongKey(f"{key} does nothing here: no card of the hand fits; OK says go")


def _press_card(state: State, desk: Desk, seat: int, card: Card, picked: tuple[Card, ...]) -> Reply:
    """Choose *card*, by its rank or whole; one that leaves no choice is played at once."""
    held = hand(state, seat)
    alike = [one for one in held if one == card or (card.suit is None and one.rank is card.rank)]
    if not alike:
        raise NotHeld(f"{state.names[seat]} holds no {card}: the hand is {' '.join(map(str, held))}")
    if state.phase is Phase.PLAY and len(alike) == 1:
        return Reply(desk.cleared(), CardPlayed(seat, alike[0]))
    picked = choose(alike, picked, wanted(state))
    return Reply(replace(desk, chosen=tuple(map(str, picked)), hint=None))


def choose(alike: Sequence[Card], picked: tuple[Card, ...], most: int) -> tuple[Card, ...]:
    """Return what is chosen after one of the cards *alike* was pressed, *most* cards at most.

    It is the next of them that is not chosen yet.  With all of them chosen they are put back, but for a rank
    of which one card is wanted: there the first is chosen again.  What was chosen longest ago makes room.
    """
    left = [card for card in alike if card not in picked]
    if left:
        return (*picked, left[0])[-most:]
    return tuple(card for card in picked if card not in alike)


def _press_show(state: State, desk: Desk, deal: Deal, key: str) -> Reply:
    """Show a hand or the crib: a machine's own count is true; a person's is his, where the rules say so."""
    if state.rules.miscount != "machine" and state.level(deal.shower):
        if key != "OK":
            raise WrongKey(f"{key} does nothing here: {state.names[deal.shower]} counts; OK goes on")
        return Reply(desk.cleared(), by_cards.show_event(state, desk, deal, true_count(state)))
    return by_cards.press_show(state, desk, deal, key, card_of(key))


def true_count(state: State) -> int:
    """Return what the hand or crib whose show it is is worth; its suits are all known."""
    deal = state.deal
    if deal is None or deal.starter is None:
        raise WrongKey("nothing is to be shown")
    return total(score_claimed(by_cards.shown(state), deal.starter, by_cards.claims(state)[0]))
