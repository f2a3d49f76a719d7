"""Keys if the computer deals. Players choose their own cards by rank; OK does everything else.

A rank key chooses a card of the hand. Pressed again, it chooses another card of that rank, or puts them back
if all are chosen. OK discards or plays the chosen cards. In the play, a rank key plays its card at once if
the hand has only one of that rank. FLNB requests a hint, which chooses the cards that the computer would.

If several people share the screen, OK opens each hand for its player. The discard or play closes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from cribpi.companion.entry import by_cards, corrections, the_show
from cribpi.companion.entry.choice import GameView, KeyBinding, Scene, Text
from cribpi.companion.entry.effect import Effect, TableCommand
from cribpi.companion.entry.hands import HandView, persons
from cribpi.companion.entry.input_state import Hint, InputState
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.errors import NotHeld
from cribpi.cribbage.rules.grammar import capital, does, whose, within
from cribpi.cribbage.words.call import number


def deal_to_crib(view: GameView) -> Scene:
    asks = {Phase.STARTER: _starter, Phase.SHOW: _show, Phase.CRIB: _show}.get(view.state.phase, _cards)
    return asks(view).also(*corrections.by_side_key(view))


def _starter(view: GameView) -> Scene:
    state, deal = view.state, view.deal
    turn = events.StarterTurned(deal.to_turn) if deal.to_turn is not None else None
    turns = KeyBinding("OK", Text("Turn up the starter", "turn the starter"), view.makes(turn))
    return Scene(by_cards.who_cuts(state, deal), (turns,))


def _cards(view: GameView) -> Scene:
    """Return the scene for the deal, a discard, or a play."""
    state, input_state = view.state, view.input_state
    deal = view.deal
    if not any(deal.dealt):
        prompt = does(state.names[deal.dealer], f"deals {number(state.rules.sizes.dealt)} each")
        shuffle = Text("Shuffle and deal", "shuffle, deal")
        return Scene(prompt, (KeyBinding("OK", shuffle, view.makes(command=TableCommand.SHUFFLE)),))
    hand, seat = view.hand, view.awaited.here
    takes = KeyBinding("OK", partial(by_cards.text_of_heels, state), Effect(input_state, events.HeelsTaken()))
    heels = (takes,) if hand is not None and hand.takes_heels else ()
    if seat is None:
        return Scene(str(view.awaited), heels)
    name = state.names[seat]
    if hand is None or not hand.is_asked:
        text = Text(f"Show {whose(within(name))} cards", "{name}'s hand", name)
        opens = KeyBinding("OK", text, Effect(InputState(open_seat=seat)))
        return Scene(f"Pass to {name}", (*heels, opens))
    found = _hand(view, hand)
    is_shared = view.viewer is None and len(persons(state)) > 1
    prompt = f"{name}: {found.prompt}" if is_shared else capital(found.prompt)
    return Scene(prompt, (*heels, *found.bindings), takes_ranks=True, key_help=found.key_help)


def _hand(view: GameView, hand: HandView) -> Scene:
    ranks = (Card(card.rank) for card in hand.cards)
    cards = dict.fromkeys((*ranks, *hand.cards, *view.cards))
    found = _discard(view, hand) if view.state.phase is Phase.DEAL else _play(view, hand)
    found = found.also(*(_card(view, hand, card) for card in cards))
    if hand.may_hint:
        return found.also(
            KeyBinding("FLNB", "Hint", Effect(replace(view.input_state, hint=Hint(), chosen=())))
        )
    return found


def _discard(view: GameView, hand: HandView) -> Scene:
    dealer, picked = view.deal.dealer, hand.chosen
    name = view.state.names[dealer]
    crib, text = "your crib", Text("Send to my crib", "to my crib")
    if hand.seat != dealer:
        crib = f"{whose(within(name))} crib"
        text = Text(f"Send to {crib}", "to {name}", name)
    missing = hand.wanted - len(picked)
    if missing:
        return Scene(f"choose {_MISSING[len(picked), missing]} for {crib}", ())
    sends = KeyBinding("OK", text, view.makes(events.Discarded(hand.seat, picked)))
    key_help = f"{view.pad.label_for('OK')}: {text.long}, or choose another"
    return Scene(f"discard {_PICKED[len(picked)]}?", (sends,), key_help=key_help)


_MISSING: Final = {(0, 2): "two cards", (1, 1): "one more card", (0, 1): "one card"}
"""Words for the cards to choose, by the numbers of chosen and missing cards."""

_PICKED: Final = {1: "this one", 2: "these two"}


def _play(view: GameView, hand: HandView) -> Scene:
    seat = hand.seat
    go = KeyBinding("GO", "Say go", view.makes(events.GoSaid(seat)))
    if not hand.playable:
        return Scene("you can't play", (go._replace(key="OK"), go._replace(is_likely=hand.takes_heels)))
    plays = [
        KeyBinding("OK", _text_of("Play", card), view.makes(events.CardPlayed(seat, card)))
        for card in hand.chosen
    ]
    return Scene("choose a card to play", (*plays, go))


def _text_of(verb: str, card: Card, end: str = "") -> Text:
    return Text(f"{verb} the {card.face}{end}", f"{verb.lower()} {card.face}{end}")


def _card(view: GameView, hand: HandView, card: Card) -> KeyBinding:
    """Return the key binding of *card*, which may lack a suit. It chooses the card.

    In the play it plays the card instead, if the hand has no other card of that rank.
    """
    alike = list(filter(card.may_be, hand.cards))
    if not alike:

        def refuse() -> Effect:
            raise NotHeld(f"You have no {card if card.suit else card.rank.name.lower()}")

        return KeyBinding(str(card), partial(_text_of, "Choose", card), refuse)
    if view.state.phase is Phase.PLAY and (len(alike) == 1 or alike[0] not in hand.playable):
        plays_it = partial(view.makes, events.CardPlayed(hand.seat, alike[0]))
        return KeyBinding(str(card), partial(_text_of, "Play", card), plays_it)
    after = choose(alike, hand.chosen, hand.wanted)
    words = ("Put", card, " back") if len(after) < len(hand.chosen) else ("Choose", card)

    def chosen() -> Effect:
        return Effect(replace(view.input_state, chosen=tuple(map(str, after)), hint=None))

    return KeyBinding(str(card), partial(_text_of, *words), chosen)


def choose(alike: Sequence[Card], picked: tuple[Card, ...], most: int) -> tuple[Card, ...]:
    """Return the chosen cards after a press that can mean any of *alike*. At most *most* cards are chosen.

    The press adds the first of *alike* that is not chosen. If that is too many, the card chosen first is
    dropped. If all of *alike* are already chosen, they are put back.
    """
    left = [card for card in alike if card not in picked]
    if left:
        return (*picked, left[0])[-most:]
    return tuple(card for card in picked if card not in alike)


def _show(view: GameView) -> Scene:
    """Return the scene for the show of a hand or the crib.

    The computer counts its own hands, always correctly. People count theirs if the rules say so.
    """
    state, show = view.state, view.show
    if state.rules.miscount == "machine" or show.is_counted:
        return the_show.show(view)
    goes_on = KeyBinding("OK", "Go on", view.makes(show.event(show.points)))
    return Scene(f"{the_show.what_is_shown(state, show)}, and counts {show.points}", (goes_on,))
