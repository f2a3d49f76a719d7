"""Keys in a game that the machine deals: a person's own cards are chosen by their ranks, and the rest is OK.

A rank chooses a card of the hand, again another of the same rank, and OK discards or plays what is chosen;
a rank that is held once is played at once.  FLNB asks the machine for a hint, which chooses what it would.
Where several persons share the glass, each hand is opened by OK, for its holder, and closed with what he
does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cribpi.companion.entry import by_cards, corrections, the_show
from cribpi.companion.entry.choice import Offer, Place, Scene, Text, capital, scene
from cribpi.companion.entry.desk import Desk, Hint
from cribpi.companion.entry.reply import Move, Reply
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.rules.errors import NotHeld
from cribpi.cribbage.rules.grammar import does, series, whose, within
from cribpi.cribbage.words.call import number


def persons(state: State) -> tuple[int, ...]:
    return tuple(seat for seat in range(state.players) if state.is_person(seat))


def next_person(state: State) -> int | None:
    """Return the first person who owes a card, if any."""
    return next((seat for seat in deciders(state) if state.is_person(seat)), None)


def next_machine(state: State) -> int | None:
    """Return the computer's seat that acts next, if any.

    A dealer who has to take his heels does so before anything else.
    """
    deal = state.deal
    if deal is not None and deal.heels_open and state.winner is None and not state.is_person(deal.dealer):
        return deal.dealer
    return next((seat for seat in deciders(state) if not state.is_person(seat)), None)


def is_by_machine(state: State, event: Event) -> bool:
    """Return whether *event*, in the game of *state*, was the decision of a computer's seat.

    Nobody decides the deal, the starter or the show, even if somebody presses OK for them.
    """
    match event:
        case events.Discarded(seat) | events.CardPlayed(seat) | events.GoSaid(seat):
            return not state.is_person(seat)
        case events.HeelsTaken():
            return state.deal is not None and not state.is_person(state.deal.dealer)
        case _:
            return False


def open_hand(state: State, desk: Desk, viewer: int | None = None) -> int | None:
    """Return the seat whose hand is open for its holder to see; None if none is.

    The seat that is the *viewer* sees its own hand, and so does one person alone.  Of several who share a
    screen only the one whose decision it is, once OK was pressed; of those who are away, none.  A hand of the
    computer's is never open, whoever asks: a phone may have the seat from another game, in which a person
    played it.
    """
    deal, people = state.deal, persons(state)
    if state.phase not in _CLOSED or deal is None or not any(deal.dealt):
        return None
    if viewer is not None or len(people) == 1:
        seat = viewer if viewer is not None else people[0]
        return seat if seat in people and seat not in desk.here.away else None
    return desk.open_seat if desk.open_seat == next_here(state, desk) else None


def next_here(state: State, desk: Desk) -> int | None:
    """Return the next person who owes a card and has no phone to choose it on, if any."""
    return next(
        (seat for seat in deciders(state) if state.is_person(seat) and seat not in desk.here.away), None
    )


_CLOSED: Final = (Phase.DEAL, Phase.STARTER, Phase.PLAY)
"""The phases in which all but its holder see the backs of a hand."""


_FORCED: Final = {
    Phase.CUT: "cut",
    Phase.DEAL: "deal",
    Phase.STARTER: "starter",
    Phase.SHOW: "peg",
    Phase.CRIB: "peg",
}


def forced_step(state: State) -> str | None:
    """Return which of `desk.AUTOMATIC` comes next, if it is one; None where a person has to choose."""
    if state.entry is not Entry.DEALT:
        return "peg" if the_show.is_certain(state) else None
    seat = next_person(state)
    if seat is None:
        return None if the_show.players_count(state) else _FORCED.get(state.phase)
    if state.phase is not Phase.PLAY or len(persons(state)) > 1 or sight_of(state, seat).playable:
        return None
    return "go"


def plays_itself(state: State, desk: Desk) -> bool:
    """Tell whether OK is all that the game waits for, and no person has to press it."""
    if state.winner is not None or (state.entry is not Entry.DEALT and not the_show.is_certain(state)):
        return False
    if desk.dialog is not None or next_machine(state) is not None:
        return False
    return not persons(state) or forced_step(state) in desk.setup.automatic


def is_nobodys(before: State, event: Event, desk: Desk) -> bool:
    """Tell whether no person has done *event* at *before*: a machine has, or it went without a key."""
    if is_by_machine(before, event):
        return True
    if not persons(before):
        return False
    match event:
        case events.DealerChosen():
            is_forced = before.rules.first_dealer == "random"
        case (
            events.CardCut()
            | events.PackShuffled()
            | events.StarterTurned()
            | events.GoSaid()
            | events.HandShown()
            | events.CribShown()
        ):
            is_forced = True
        case _:
            is_forced = False
    return is_forced and forced_step(before) in desk.setup.automatic


def to_read(state: State) -> int:
    """Return how long people look before what goes without a key: two, and one for each line of a count.

    Without persons, and where there is nothing to look at, it is 0.
    """
    step = forced_step(state) if persons(state) else None
    lines = {"go": 0, "peg": len(the_show.least(state)) if step == "peg" else 0}
    return lines[step] + 2 if step in lines else 0


def hand(state: State, seat: int) -> tuple[Card, ...]:
    """Return the cards that *seat* holds, lowest first."""
    return tuple(in_order(sight_of(state, seat).hand))


def held(deal: Deal, seat: int) -> int:
    """Return how many cards *seat* holds: all dealt until it has discarded, then those not played."""
    return deal.cards_left(seat) if deal.discards[seat] else len(deal.dealt[seat])


def chosen(state: State, desk: Desk, seat: int) -> tuple[Card, ...]:
    """Return what is chosen of the hand of *seat*, in the order in which it was."""
    held = hand(state, seat)
    return tuple(card for card in map(Card.parse, desk.chosen) if card in held)


def takes_heels(state: State, desk: Desk, viewer: int | None = None) -> bool:
    """Tell whether OK takes his heels: for a dealer whose hand is open, with no card of it chosen."""
    deal = the_deal(state)
    is_open = deal.heels_open and open_hand(state, desk, viewer) == deal.dealer
    return is_open and not chosen(state, desk, deal.dealer)


def may_hint(state: State, desk: Desk, viewer: int | None = None) -> bool:
    """Tell whether a hint can be asked for: by the person whose hand is open, where there is a choice."""
    seat = asked(state, desk, viewer)
    if seat is None or takes_heels(state, desk, viewer):
        return False
    return state.phase is Phase.DEAL or len(sight_of(state, seat).playable) > 1


def asked(state: State, desk: Desk, viewer: int | None = None) -> int | None:
    """Return the seat whose hand is open and that is asked for a card, if there is one."""
    seat = open_hand(state, desk, viewer)
    return seat if seat == next_to_act(state, desk, viewer) else None


def next_to_act(state: State, desk: Desk, viewer: int | None) -> int | None:
    """Return whose card is asked for next: the *viewer*'s, or that of the next person at a shared screen."""
    if viewer is None:
        return next_here(state, desk)
    return viewer if viewer in deciders(state) and state.is_person(viewer) else None


def hint_asked(state: State, desk: Desk, viewer: int | None = None) -> int | None:
    """Return the seat for whose holder a hint is to be thought of; None where none was asked for."""
    is_asked = desk.hint is not None and not desk.hint.cards and desk.dialog is None
    return open_hand(state, desk, viewer) if is_asked and may_hint(state, desk, viewer) else None


def wanted(state: State) -> int:
    """Return how many cards are to be chosen now: to discard, or one to play."""
    return state.rules.sizes.discarded if state.phase is Phase.DEAL else 1


def deal_to_crib(place: Place) -> Scene:
    """Take the deal, the choice for the crib, the starter, the play and the show."""
    asks = {Phase.STARTER: _starter, Phase.SHOW: _show, Phase.CRIB: _show}.get(place.state.phase, _cards)
    return asks(place).also(*corrections.by_side_key(place))


def _starter(place: Place) -> Scene:
    state, deal = place.state, place.deal
    turn = events.StarterTurned(deal.to_turn) if deal.to_turn is not None else None
    turns = Offer("OK", Text("Turn up the starter", "turn the starter"), place.makes(turn))
    return scene(by_cards.who_cuts(state, deal), (turns,))


def _cards(place: Place) -> Scene:
    """Deal, and then ask those who hold cards for what they discard or play."""
    state, desk, deal = place.state, place.desk, place.deal
    if not any(deal.dealt):
        asks = does(state.names[deal.dealer], f"deals {number(state.rules.sizes.dealt)} each")
        shuffle = Text("Shuffle and deal", "shuffle, deal")
        return scene(asks, (Offer("OK", shuffle, place.makes(move=Move.SHUFFLE)),))
    takes = Offer("OK", by_cards.text_of_heels(state), Reply(desk, events.HeelsTaken()))
    heels = (takes,) if takes_heels(state, desk, place.viewer) else ()
    seat = next_to_act(state, desk, place.viewer)
    if seat is None:
        return scene(who_is_next(*awaited(state)), heels)
    name = state.names[seat]
    if open_hand(state, desk, place.viewer) != seat:
        text = Text(f"Show {whose(within(name))} cards", "{name}'s hand", name)
        opens = Offer("OK", text, Reply(replace(desk.cleared(), open_seat=seat)))
        return scene(f"Pass to {name}", (*heels, opens))
    found = _hand(place, seat)
    is_shared = place.viewer is None and len(persons(state)) > 1
    asks = f"{name}: {found.asks}" if is_shared else capital(found.asks)
    return scene(asks, (*heels, *found.offers), takes_ranks=True, how=found.how)


def awaited(state: State) -> tuple[list[str], str]:
    """Return who owes a card, persons before the computer, and what: theirs "to play"; it is "thinking"."""
    owing = deciders(state)
    people = [seat for seat in owing if state.is_person(seat)]
    what = ("to discard" if state.phase is Phase.DEAL else "to play") if people else "thinking"
    return [state.names[seat] for seat in people or owing], what


def who_is_next(names: Sequence[str], what: str) -> str:
    """Say for whom the others wait, as `awaited` has found it.

    >>> who_is_next(["ANN"], "to play"), who_is_next(["ANN", "BOB", "CAT"], "to discard")
    ('ANN to play', 'ANN, BOB and CAT to discard')
    >>> who_is_next(["Easy"], "thinking"), who_is_next(["Easy", "Hard"], "thinking")
    ('Easy is thinking', 'Easy and Hard are thinking')
    """
    if not names:
        return what
    is_many = len(names) > 1
    verb = "" if what.startswith("to ") else ("are " if is_many else "is ")
    return f"{series(names)} {verb}{what}"


def _hand(place: Place, seat: int) -> Scene:
    """Offer what the person in *seat* can do with the open hand."""
    state, desk = place.state, place.desk
    held = hand(state, seat)
    ranks = (Card(card.rank) for card in held)
    cards = dict.fromkeys((*ranks, *held, *place.cards))
    found = _discard(place, seat) if state.phase is Phase.DEAL else _play(place, seat)
    found = found.also(*(_card(place, seat, card) for card in cards))
    if may_hint(state, desk, place.viewer):
        return found.also(Offer("FLNB", "Hint", Reply(replace(desk, hint=Hint(), chosen=()))))
    return found


def _discard(place: Place, seat: int) -> Scene:
    state, dealer = place.state, place.deal.dealer
    picked, name = chosen(state, place.desk, seat), state.names[dealer]
    crib, text = "your crib", Text("Send to my crib", "to my crib")
    if seat != dealer:
        crib = f"{whose(within(name))} crib"
        text = Text(f"Send to {crib}", "to {name}", name)
    missing = wanted(state) - len(picked)
    if missing:
        return scene(f"choose {_MISSING[len(picked), missing]} for {crib}", ())
    sends = Offer("OK", text, place.makes(events.Discarded(seat, picked)))
    how = f"{place.pad.named('OK')}: {text.long}, or choose another"
    return scene(f"discard {_PICKED[len(picked)]}?", (sends,), how=how)


_MISSING: Final = {(0, 2): "two cards", (1, 1): "one more card", (0, 1): "one card"}
"""What to choose for the crib, by how many cards are chosen and how many are missing."""


_PICKED: Final = {1: "this one", 2: "these two"}
"""What is chosen for the crib, by how many cards that is."""


def _play(place: Place, seat: int) -> Scene:
    state, picked = place.state, chosen(place.state, place.desk, seat)
    go = Offer("GO", "Say go", place.makes(events.GoSaid(seat)))
    if not sight_of(state, seat).playable:
        is_likely = takes_heels(state, place.desk, place.viewer)
        return scene("you can't play", (replace(go, key="OK"), replace(go, is_likely=is_likely)))
    plays = [Offer("OK", _play_it(card), place.makes(events.CardPlayed(seat, card))) for card in picked]
    return scene("choose a card to play", (*plays, go))


def _play_it(card: Card) -> Text:
    return Text(f"Play the {card.face}", f"play {card.face}")


def _card(place: Place, seat: int, card: Card) -> Offer:
    """Choose *card*, by its rank or whole; one that leaves no choice is played at once."""
    state, desk = place.state, place.desk
    held, picked = hand(state, seat), chosen(state, desk, seat)
    alike = list(filter(card.may_be, held))
    chooses = Text(f"Choose the {card.face}", f"choose {card.face}")
    if not alike:

        def refuse() -> Reply:
            raise NotHeld(f"You have no {card if card.suit else card.rank.name.lower()}")

        return Offer(str(card), chooses, refuse)
    if state.phase is Phase.PLAY and (len(alike) == 1 or alike[0] not in sight_of(state, seat).playable):
        return Offer(str(card), _play_it(card), place.makes(events.CardPlayed(seat, alike[0])))
    after = choose(alike, picked, wanted(state))
    puts_back = Text(f"Put the {card.face} back", f"put {card.face} back")
    text = puts_back if len(after) < len(picked) else chooses
    return Offer(str(card), text, Reply(replace(desk, chosen=tuple(map(str, after)), hint=None)))


def choose(alike: Sequence[Card], picked: tuple[Card, ...], most: int) -> tuple[Card, ...]:
    """Return what is chosen after one of the cards *alike* was pressed, *most* cards at most.

    It is the next of them that is not chosen yet.  With all of them chosen they are put back, but for a rank
    of which one card is wanted: there the first is chosen again.  What was chosen longest ago makes room.
    """
    left = [card for card in alike if card not in picked]
    if left:
        return (*picked, left[0])[-most:]
    return tuple(card for card in picked if card not in alike)


def _show(place: Place) -> Scene:
    """Show a hand or the crib: a machine's own count is true; a person's is his, where the rules say so."""
    state, desk = place.state, place.desk
    if state.rules.miscount == "machine" or the_show.players_count(state):
        return the_show.show(place)
    points = the_show.worth(state, desk)
    goes_on = Offer("OK", "Go on", place.makes(the_show.show_event(state, desk, points)))
    return scene(f"{the_show.what_is_shown(state)}, and counts {points}", (goes_on,))
