"""From a new game to the starter: names, cut for the deal, deal, discards and his heels."""

from __future__ import annotations

import re
from typing import Final

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card, Rank
from cribpi.cribbage.game.events import LONGEST_NIGHT, MOST_ROUNDS, PERSON_WORD, Entry
from cribpi.cribbage.game.ledger import DealGains, Gains, Purpose
from cribpi.cribbage.game.match import Tally
from cribpi.cribbage.game.phases import check_place
from cribpi.cribbage.game.replace import replace
from cribpi.cribbage.game.show import Kind, Score
from cribpi.cribbage.game.state import Outcome, Phase, State, the_deal
from cribpi.cribbage.game.steps.common import award, held_card, new_deal, put, with_cards
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import BadSetup, ImpossibleCards, NotHeld, WrongPhase, WrongSeat
from cribpi.cribbage.rules.grammar import does, whose_turn, within
from cribpi.cribbage.rules.names import check_names
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.rules.seats import Pegs
from cribpi.cribbage.rules.shown import amount, hidden, shown

_LEVEL: Final = re.compile(r"(?=.{1,16}$)[a-z]+(-[a-z]+)*")


def start_game(_: State, event: events.GameStarted) -> State:
    """Start a game with all pegs at the start. Only the tally of the match is kept."""
    players = len(event.names)
    if players not in seats.PLAYERS:
        raise BadSetup(f"cribbage is for 2, 3 or 4 players, not for {players}")
    if players != event.rules.players:
        raise BadSetup(f"{players} names, but rules for {event.rules.players} players: give a name for each")
    preset(event.rules.name, players)  # raises BadSetup if the source has no game for that many
    check_names(event.names)
    if wrong := _wrong_setup(event):
        raise BadSetup(wrong)
    sides = seats.sides(players)
    if event.tally and len(event.tally) != sides:
        many = amount(len(event.tally), "side")
        raise BadSetup(f"games are given for {many}: give them for each of {sides} sides")
    if any(min(won.games, won.points, won.skunks) < 0 for won in event.tally):
        raise BadSetup("games, points and skunks can't be below 0")
    state = State(
        phase=Phase.CUT,
        rules=event.rules,
        entry=event.entry,
        names=event.names,
        pegs=(Pegs(),) * sides,
        tally=event.tally or (Tally(),) * sides,
        levels=event.levels if any(event.levels) else (),
        cuts=(None,) * players,
        cutting=tuple(range(players)),
        ledger=(DealGains(None, (Gains(),) * sides),),
        leads=(0,) * sides,
    )
    if event.dealer is None:
        return state
    check_place("seat", event.dealer, players)
    return _first_deal(state, event, event.dealer)


def name_seats(state: State, event: events.SeatsNamed) -> State:
    check_names(event.names)
    if len(event.names) != state.players:
        raise BadSetup(f"{amount(len(event.names), 'name')} for {state.players} seats; give one for each")
    return replace(state, names=event.names)


def _wrong_setup(event: events.GameStarted) -> str:
    """Return an error message if levels, night or round are invalid, otherwise "".

    Any short word can be a level, because this package does not know the computer players.
    """
    if event.levels and event.entry is not Entry.DEALT:
        return "the computer plays only where it deals: choose entry=dealt, or a person for each seat"
    if event.levels and len(event.levels) != len(event.names):
        many = amount(len(event.levels), "level")
        return f"{many} for {len(event.names)} seats: give person or a level for each"
    for level in filter(None, event.levels):
        if level == PERSON_WORD or not _LEVEL.fullmatch(level):
            return f"{shown(level)} is not a level: give a short word in lower case, or nothing for a person"
    if event.night and (len(event.night) > LONGEST_NIGHT or hidden(event.night) is not None):
        return f"the night {shown(event.night)}: use up to {LONGEST_NIGHT} visible characters on one line"
    if bool(event.night) != (0 < event.round <= MOST_ROUNDS):
        return f"a game of a club's night has a round from 1 to {MOST_ROUNDS}, and no other game has one"
    return ""


def cut(state: State, event: events.CardCut) -> State:
    """Record a cut. The seat with the lowest card deals; seats tied for lowest cut again (lowe)."""
    if state.rules.first_dealer != "low-cut":
        raise WrongPhase(
            "under these rules, no cards are cut for the deal: choose who deals first", "first_dealer"
        )
    seat = next(other for other in state.cutting if state.cuts[other] is None)
    if event.seat != seat:
        raise WrongSeat(whose_turn("cut", state.names[seat], state.names[event.seat]), "first_dealer")
    state = replace(state, cuts=put(state.cuts, seat, event.card))
    if state.next_to_cut is not None:
        return state
    ranks = {seat: card.rank for seat in state.cutting if (card := state.cuts[seat]) is not None}
    lowest = tuple(seat for seat, rank in ranks.items() if rank == min(ranks.values()))
    if len(lowest) == 1:
        return _first_deal(state, event, lowest[0])
    again = tuple(None if seat in lowest else card for seat, card in enumerate(state.cuts))
    return replace(state, cuts=again, cutting=lowest, ties=state.ties + 1)


def choose_dealer(state: State, event: events.DealerChosen) -> State:
    return _first_deal(state, event, event.seat)


def _first_deal(state: State, event: events.Event, dealer: int) -> State:
    """Begin the first deal. Under some rules, pone first pegs three for last."""
    if state.rules.three_for_last:
        pone, score = state.side(seats.left_of(dealer, state.players)), Score(Kind.THREE_FOR_LAST, 3, ())
        state = award(state, Outcome(event, pone, 0, Purpose.PEGGING, score.points, (score,)))
    return new_deal(state, dealer)


def deal_pack(state: State, event: events.PackShuffled) -> State:
    """Deal a pack shuffled by the computer, one card at a time from the dealer's left (lowe).

    With three players, the next card goes to the crib. The card after that is the starter: in a shuffled
    pack, it is as random as a cut card.
    """
    deal = the_deal(state)
    if any(deal.dealt):
        raise WrongPhase("the cards are dealt already: discard, or call a misdeal first", "shuffle")
    if len(event.cards) != len(PACK) or set(event.cards) != set(PACK):
        raise ImpossibleCards(f"not a complete pack: it has {len(PACK)} cards, each once and with its suit")
    players = state.players
    all_dealt = players * state.rules.sizes.dealt
    to_crib = all_dealt + state.rules.sizes.from_pack
    dealt = deal.dealt
    for place, seat in enumerate(deal.show_order):
        dealt = put(dealt, seat, event.cards[place:all_dealt:players])
    deal = replace(deal, dealt=dealt, from_pack=event.cards[all_dealt:to_crib], to_turn=event.cards[to_crib])
    return replace(state, deal=deal, counted=None)


def deal_hand(state: State, event: events.HandDealt) -> State:
    deal = the_deal(state)
    size = state.rules.sizes.dealt
    if len(event.cards) != size or deal.dealt[event.seat] or deal.discards[event.seat]:
        said = f"is dealt {size} cards, only once, before the discards"
        raise NotHeld(does(state.names[event.seat], said), "deal")
    return with_cards(state, replace(deal, dealt=put(deal.dealt, event.seat, event.cards)))


def discard(state: State, event: events.Discarded) -> State:
    deal = the_deal(state)
    if state.entry is Entry.DEALT and not any(deal.dealt):
        raise WrongPhase("no card of this deal is dealt yet: shuffle the pack first")
    seat, sizes = event.seat, state.rules.sizes
    if len(event.cards) != sizes.discarded or deal.discards[seat]:
        raise NotHeld(
            does(state.names[seat], f"discards {sizes.discarded} of {sizes.dealt} cards, only once")
        )
    cards = event.cards
    rest = deal.possible_cards(seat)
    if rest is not None:
        left, named = list(rest), []
        for card in cards:
            same = [held for held in left if held.rank is card.rank]
            if state.entry is Entry.DEALT and card.suit is None and len(same) > 1:  # suits count in the crib
                both = " and ".join(map(str, same))
                raise NotHeld(does(state.names[seat], f"holds {both}: give the suit too"))
            named.append(held_card(state, seat, card, left))
            left.remove(named[-1])
        cards = tuple(named) if state.entry is Entry.DEALT else cards
    deal = replace(deal, discards=put(deal.discards, seat, cards))
    return with_cards(state, deal, Phase.STARTER if all(deal.discards) else Phase.DEAL)


def his_heels(rules: Rules, to_go: int = 0) -> int:
    """Return the points for his heels under *rules*.

    They are 0 if the dealer pegs nothing with *to_go* points to go, that is from the stinkhole. A *to_go* of
    0 ignores the score.
    """
    return rules.heels if rules.counts(Kind.HEELS, to_go) else 0


def is_heels(rules: Rules, starter: Rank = Rank.JACK, to_go: int = 0) -> bool:
    """Return whether the dealer pegs for *starter*: it is a jack, and the rules give points for it.

    >>> is_heels(Rules()), is_heels(Rules(), Rank.QUEEN), is_heels(Rules(heels=0))
    (True, False, False)
    """
    return starter is Rank.JACK and his_heels(rules, to_go) > 0


def score_heels(rules: Rules, *jack: Card, to_go: int = 0) -> Score:
    """Return the score for his heels, with the *jack* if known. For *to_go*, see `his_heels`."""
    return Score(Kind.HEELS, his_heels(rules, to_go), jack)


def turn_starter(state: State, event: events.StarterTurned) -> State:
    """Turn up the starter.

    For a jack, peg his heels at once, unless the rules set a deadline for taking them.
    """
    deal = the_deal(state)
    if state.entry is Entry.DEALT and event.card != deal.to_turn:
        raise ImpossibleCards(f"the {event.card} is not the starter: that was settled by the shuffle")
    is_jack = is_heels(state.rules, event.card.rank, state.to_go(state.side(deal.dealer)))
    is_open = is_jack and state.rules.heels_deadline == "first-card"
    deal = replace(deal, starter=event.card, to_turn=None, turn=deal.next_to_lead(), heels_open=is_open)
    state = with_cards(state, deal, Phase.PLAY)
    return _award_heels(state, event, event.card) if is_jack and not is_open else state


def take_heels(state: State, event: events.HeelsTaken) -> State:
    """Peg his heels. Under a deadline, the dealer must take them before playing a card (ACC)."""
    deal = the_deal(state)
    if not deal.heels_open or deal.starter is None:
        takes = does(within(state.names[deal.dealer]), "takes")
        said = f"there is nothing to take for his heels: {takes} it before playing a card"
        raise WrongPhase(said, "heels_deadline")
    return _award_heels(replace(state, deal=replace(deal, heels_open=False)), event, deal.starter)


def _award_heels(state: State, event: events.StarterTurned | events.HeelsTaken, card: Card) -> State:
    deal, score = the_deal(state), score_heels(state.rules, card)
    dealer = state.side(deal.dealer)
    return award(state, Outcome(event, dealer, deal.number, Purpose.HEELS, score.points, (score,)))
