"""A game that the computer deals, for the page: what all see of the cards, an open hand, and who is at it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import accumulate

from cribpi.core.cards import Card
from cribpi.core.deal import Deal
from cribpi.core.decide import next_machine, next_person
from cribpi.core.events import CribShown, Entry, HandShown
from cribpi.core.rules import Rules
from cribpi.core.scores import Kind, Score, total
from cribpi.core.show import score_claimed
from cribpi.core.state import Phase, State
from cribpi.core.why import reason_of
from cribpi.core.words import name, number
from cribpi.entry import by_cards, by_dealing
from cribpi.entry.choice import Choice
from cribpi.entry.desk import Desk, Hint, Undone
from cribpi.views.json.state import cards_json


def thinking(state: State, desk: Desk) -> int | None:
    """Return the seat of the machine that is at it; None where none is, or it waits for what lies open."""
    return next_machine(state) if desk.dialog is None else None


def hand_json(state: State, desk: Desk, offered: Sequence[Choice]) -> dict[str, object] | None:
    """Return the hand that lies open for its holder, as the page shows it; None where none does.

    It is the only place where a card can leave that not all at the table see.
    """
    seat = by_dealing.open_hand(state, desk)
    if seat is None:
        return None
    is_asked, keys = seat == next_person(state), {choice.key for choice in offered}
    hand = cards_json(by_dealing.hand(state, seat))
    return {
        "seat": seat,
        "cards": hand,
        "chosen": cards_json(by_dealing.chosen(state, desk, seat)),
        "playable": [card for card in hand if card in keys] if is_asked else [],
        "wanted": by_dealing.wanted(state) if is_asked else 0,
        "may_hint": by_dealing.may_hint(state, desk),
        "hint": _hint_json(desk.hint) if desk.hint else None,
    }


def _hint_json(hint: Hint) -> dict[str, object]:
    return {"words": hint.words or None, "cards": list(hint.cards)}


def felt_json(state: State, desk: Desk, offered: Sequence[Choice]) -> dict[str, object] | None:
    """Return what the table sees of the cards, and what OK does; None where the cards are of paper.

    `held` is how many cards each seat holds, `crib` how many lie in the crib face down, `hides` the person
    whose closed hand OK opens, `shown` the hand or crib that is shown.  `ok` is what OK does of what is
    *offered*; None where it does nothing, or a menu or a question is open.
    """
    if state.entry is not Entry.DEALT or state.phase is Phase.IDLE:
        return None
    deal, asked = state.deal, next_person(state)
    has_dialog = desk.dialog is not None and not isinstance(desk.dialog, Undone)
    hidden = (*deal.discards, deal.from_pack) if deal and state.phase is not Phase.CRIB else ()
    return {
        "held": [by_dealing.held(deal, seat) if deal else 0 for seat in range(state.players)],
        "crib": sum(map(len, hidden)),
        "cuts": [str(card) if card else None for card in state.cuts] if state.phase is Phase.CUT else [],
        "hides": None if by_dealing.open_hand(state, desk) == asked else asked,
        "shown": _shown_json(state, deal) if deal else None,
        "ok": None if has_dialog else next((one.label for one in offered if one.key == "OK"), None),
        "dialog": has_dialog,
    }


def _shown_json(state: State, deal: Deal) -> dict[str, object] | None:
    """Return the hand or crib that lies open for all, with its tally, unless the player has to count it."""
    last, is_told = state.last, True
    if state.winner is not None and last is not None and isinstance(last.event, HandShown | CribShown):
        is_crib, scores = last.is_crib, last.scores
        cards = deal.crib if is_crib else deal.hand(deal.shower)
    elif state.phase in {Phase.SHOW, Phase.CRIB} and deal.starter is not None:
        cards, is_crib = by_cards.shown(state), state.phase is Phase.CRIB
        scores = score_claimed(cards, deal.starter, by_cards.claims(state)[0])
        is_told = not by_cards.players_count(state)
    else:
        return None
    return {
        "seat": deal.shower,
        "crib": is_crib,
        "cards": _in_order(cards),
        "points": total(scores) if is_told else None,
        "tally": tally(scores, state.rules, is_crib=is_crib) if is_told else [],
    }


def _in_order(cards: Iterable[Card]) -> list[str]:
    return cards_json(sorted(cards, key=lambda card: (card.rank, card.suit or "")))


def tally(scores: tuple[Score, ...], rules: Rules, *, is_crib: bool) -> list[dict[str, object]]:
    """Count aloud, a line a score, each with the total so far, and the rule that it rests on."""
    totals = accumulate(score.points for score in scores)
    return [
        {
            "words": _said(score, so_far),
            "cards": _in_order(score.cards),
            "points": score.points,
            "total": so_far,
            "why": asdict(reason_of(score, rules, is_crib=is_crib)),
        }
        for score, so_far in zip(scores, totals, strict=True)
    ]


def _said(score: Score, so_far: int) -> str:
    """Say one score of a tally.

    >>> _said(Score(Kind.FIFTEEN, 2, ()), 4), _said(Score(Kind.PAIR, 2, ()), 6)
    ('fifteen four', 'a pair is six')
    """
    return f"fifteen {number(so_far)}" if score.kind is Kind.FIFTEEN else f"{name(score)} is {number(so_far)}"
