"""Keys in cards mode. Each card is entered as it is played, for the player whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from cribpi.companion.entry import corrections
from cribpi.companion.entry.choice import GameView, KeyBinding, Scene, Text, per_card
from cribpi.companion.entry.effect import Effect, TableCommand
from cribpi.companion.entry.input_state import NO_INPUT, Question
from cribpi.companion.entry.keys import RANKS, card_of, side_keys_of
from cribpi.companion.entry.the_show import show
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.rules.grammar import does, verb_of
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.tell import for_his_heels

MOST_PIPS = 10
"""Maximum that a card adds to the count. With less room than this, a player may have to say go."""


def cut(view: GameView) -> Scene:
    """Return the scene that decides who deals first. It depends on the option `first_dealer`.

    - "low-cut": a rank enters the next seat's cut, a side's key chooses the dealer, and OK draws the dealer
    at
      random. If the computer deals, OK cuts for the next seat.
    - "random": OK draws the dealer.
    - "chosen": a side's key chooses the dealer, or a rank from A to 4 the dealer's seat.
    """
    state, say = view.state, view.pad.label_for
    by_rank = view.pad.has_ranks
    drawn = view.makes(command=TableCommand.DRAW)
    if state.rules.first_dealer == "random":
        return Scene("The first dealer is drawn", (KeyBinding("OK", "Draw the dealer", drawn),))
    choose = choose_dealer(view, side_keys_of(state.sides))
    if state.rules.first_dealer == "chosen":
        by_seat = choose_dealer(view, zip(RANKS, range(state.players), strict=False))
        key_help = f"{say('P1')} or {say('P2')}, or {say('MENU')} for the others"
        if by_rank:
            last = say(RANKS[state.players - 1])
            seats_too = f", or {say('A')} to {last} for the seat" if state.players > 2 else ""
            key_help = f"Press a side's key{seats_too}"
        return Scene("Who deals first?", (*choose, *by_seat), key_help=key_help)
    seat = state.next_to_cut or 0
    if state.entry is Entry.DEALT:
        cut_one = KeyBinding("OK", "Cut a card", view.makes(command=TableCommand.CUT))
        prompt = does(state.names[seat], "cuts for the deal, and the lowest card deals")
        return Scene(prompt, (cut_one, *(binding.unlikely() for binding in choose)))
    cuts = per_card(
        view,
        lambda card: Text(does(state.names[seat], f"cuts the {card.face}"), f"cut {card.face}"),
        lambda card: view.makes(events.CardCut(seat, card)),
    )
    rank = ": press the rank" if by_rank else ""
    return Scene(
        does(state.names[seat], f"cuts for the deal{rank}"),
        (
            KeyBinding("OK", Text("Draw the first dealer", "by chance"), drawn),
            *cuts,
            *(binding._replace(is_likely=not by_rank) for binding in choose),
        ),
        takes_ranks=True,
    )


def choose_dealer(view: GameView, keys: Iterable[tuple[str, int]]) -> tuple[KeyBinding, ...]:
    names = view.state.names
    return tuple(
        KeyBinding(key, text_of_dealer(names[seat]), view.makes(events.DealerChosen(seat)))
        for key, seat in keys
    )


def text_of_dealer(name: str) -> Text:
    return Text(does(name, "deals first"), f"{{name}} {verb_of(name, 'deals')}", name)


def deal_to_crib(view: GameView) -> Scene:
    asked = {Phase.PLAY: _play, Phase.SHOW: show, Phase.CRIB: show}.get(view.state.phase, _deal)
    return asked(view).also(*corrections.by_side_key(view))


def _deal(view: GameView) -> Scene:
    """Return the scene before the starter. Its prompt also covers the deal and the cut."""
    state, deal = view.state, view.deal
    dealt = number(state.rules.sizes.dealt)
    keepers = [state.names[seat] for seat in state.rules.scorekeepers] if deal.number == 1 else []
    keep = f"; {' and '.join(keepers)} move the pegs" if keepers else ""
    starters = per_card(
        view,
        lambda card: Text(f"The starter is the {card.face}", f"starter {card.face}"),
        lambda card: view.makes(events.StarterTurned(card)),
    )
    return Scene(
        f"{does(state.names[deal.dealer], 'deals')} {dealt} each, {who_cuts(state, deal)}: press the "
        f"starter's rank{keep}",
        tuple(starters),
        takes_ranks=True,
    )


def who_cuts(state: State, deal: Deal) -> str:
    """Format who cuts or turns up the starter. This depends on the option `starter_cut`."""
    if state.rules.starter_cut == "dealer-turns":
        return does(state.names[deal.dealer], "turns up the top card")
    return does(state.names[deal.show_order[0]], "cuts")


def _play(view: GameView) -> Scene:
    state, deal = view.state, view.deal
    turn = view.deal.turn
    if turn is None:
        return Scene("The play is over", ())
    name, room = state.names[turn], deal.room

    def play(card: Card) -> KeyBinding:
        if card.rank.pips <= room or state.rules.play_rounds == "one":
            plays_it = partial(view.makes, events.CardPlayed(turn, card))
            return KeyBinding(str(card), partial(_plays, name, card), plays_it, takes_suit=True)
        asks = partial(_ask, view, card)
        return KeyBinding(str(card), partial(_over, card), asks, is_likely=False, takes_suit=True)

    says_go = partial(view.makes, events.GoSaid(turn))
    go = KeyBinding("GO", text_of_go(name), says_go, is_likely=room < MOST_PIPS)
    heels = [KeyBinding("OK", text_of_heels(state), view.makes(events.HeelsTaken()))] * deal.heels_open
    bindings = sorted((*heels, *map(play, view.cards), go), key=lambda binding: not binding.is_likely)
    return Scene(
        f"{name} to play", tuple(bindings), takes_ranks=True, remedy=f"{name} to play: press the card"
    )


def _plays(name: str, card: Card) -> Text:
    return Text(does(name, f"plays the {card.face}"), f"{{name}} plays {card.face}", name)


def _over(card: Card) -> Text:
    return Text(f"The {card.face} would go over 31", f"{card.face}: over 31")


def _ask(view: GameView, card: Card) -> Effect:
    """Ask whether a *card* over thirty-one is right.

    Raise ImpossibleCards if the pack can't have it any more.
    """
    check_possible((*view.deal.seen, card))
    return view.opened(Question(str(card)))


def text_of_go(name: str) -> Text:
    return Text(does(name, "says go"), "says go")


def text_of_heels(state: State) -> Text:
    return Text(f"Take {for_his_heels(state.rules)}", f"take {number(his_heels(state.rules))}")


def question(view: GameView, dialog: Question) -> Scene:
    card = Card.parse(dialog.card)
    state, clear = view.state, NO_INPUT
    deal = state.deal
    if deal is None or deal.turn is None:
        return Scene(
            "", (KeyBinding("OK", "Close", Effect(clear)), KeyBinding("UNDO", "Close", Effect(clear)))
        )
    led = new_count_led(state, card)
    leads, new_count = text_of_new_count(card, state.names[led.seat]), Effect(clear, led)
    meant = deal_to_crib(replace(view, input_state=replace(view.input_state, dialog=None)))
    bindings = (
        KeyBinding("OK", leads, new_count),
        KeyBinding("UNDO", Text("Wrong key", "wrong"), Effect(clear)),
        KeyBinding("GO", text_of_go(state.names[deal.turn]), Effect(clear, events.GoSaid(deal.turn))),
        *(binding.unlikely() for binding in meant.bindings if card_of(binding.key) is not None),
    )
    pips = card.rank.pips
    return Scene(f"{deal.count} + {pips} = {deal.count + pips}, over 31", bindings, takes_ranks=True)


def text_of_new_count(card: Card, name: str) -> Text:
    return Text(f"New count with the {card.face}", f"{{name}} leads {card.face}", name)


def new_count_led(state: State, card: Card) -> events.NewCountLed:
    """Return the event for a *card* over thirty-one: everybody says go, and the card starts a new count."""
    deal = the_deal(state)
    is_first_go = state.rules.lead_after_close == "first-go"
    seat = next(iter(deal.out), deal.turn) if is_first_go else deal.next_to_lead()
    return events.NewCountLed(seat or 0, card)
