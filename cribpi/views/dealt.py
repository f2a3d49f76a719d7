"""A game that the machine deals, in words: what a person is to do with his hand, and who is at it."""

from __future__ import annotations

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.deal import Deal
from cribpi.core.decide import deciders, next_machine, next_person
from cribpi.core.heels import for_his_heels
from cribpi.core.sight import sight_of
from cribpi.core.state import Phase, State
from cribpi.core.words import number
from cribpi.entry import by_dealing
from cribpi.entry.desk import Desk


def hand_json(state: State, desk: Desk) -> dict[str, object] | None:
    """Return the hand that lies open for its holder, as the page shows it; None where none does.

    It is the only place where a card can leave that not all at the table see.
    """
    seat = by_dealing.open_hand(state, desk)
    if seat is None:
        return None
    is_asked = seat == next_person(state)
    return {
        "seat": seat,
        "cards": _written(by_dealing.hand(state, seat)),
        "chosen": _written(by_dealing.chosen(state, desk, seat)),
        "playable": _written(_usable(state, seat)) if is_asked else [],
        "wanted": by_dealing.wanted(state) if is_asked else 0,
        "may_hint": by_dealing.may_hint(state, desk),
        "hint": None if desk.hint is None else {"words": desk.hint.words or None},
    }


def thinking(state: State, desk: Desk) -> int | None:
    """Return the seat of the machine that is at it; None where none is, or it waits for what lies open."""
    return next_machine(state) if desk.dialog is None else None


def prompt(state: State, desk: Desk, deal: Deal) -> str:
    """Say what to do next, from the deal to the last card of the play."""
    dealer = state.names[deal.dealer]
    if state.phase is Phase.DEAL and not any(deal.dealt):
        return f"{dealer} deals {number(seats.cards_dealt(state.players))} each: OK shuffles and deals"
    if state.phase is Phase.STARTER:
        turns = (
            f"{dealer} turns up"
            if state.rules.starter_cut == "dealer-turns"
            else f"{state.names[deal.show_order[0]]} cuts"
        )
        return f"{turns}: OK turns the starter"
    seat = next_person(state)
    if seat is None:
        at_it = f"{' and '.join(state.names[one] for one in deciders(state))}: the machine is at it"
        takes = by_dealing.takes_heels(state, desk)
        return at_it + (f"; OK takes {for_his_heels(state.rules)} for {dealer}" if takes else "")
    name = state.names[seat]
    if by_dealing.open_hand(state, desk) != seat:
        return f"{name} is next, and the others look away: OK opens {name}'s hand"
    picked = by_dealing.chosen(state, desk, seat)
    if state.phase is Phase.DEAL:
        return _laying_away(state, name, picked, dealer)
    if picked:
        return f"{name} to play: OK plays the chosen card, its rank again chooses another"
    heels = (
        f"OK takes {for_his_heels(state.rules)} for {dealer}" if by_dealing.takes_heels(state, desk) else ""
    )
    if not _usable(state, seat):
        return (
            f"{name} has no card that fits {deal.count}: {f'{heels}, GO says go' if heels else 'OK says go'}"
        )
    return f"{name} to play: choose a card" + (f"; {heels}, until his first card" if heels else "")


def _laying_away(state: State, name: str, picked: tuple[Card, ...], dealer: str) -> str:
    crib = f"{dealer}'s own crib" if name == dealer else f"{dealer}'s crib"
    missing = by_dealing.wanted(state) - len(picked)
    if not missing:
        return f"{name}: OK lays {number(len(picked))} away to {crib}, or choose others"
    more = f"{number(missing)} more" if picked else number(missing)
    return f"{name}: choose {more} for {crib}"


def _usable(state: State, seat: int) -> tuple[Card, ...]:
    """Return the cards of *seat* that can be chosen now."""
    held = by_dealing.hand(state, seat)
    if state.phase is not Phase.PLAY:
        return held
    fits = sight_of(state, seat).playable
    return tuple(card for card in held if card in fits)


def _written(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]
