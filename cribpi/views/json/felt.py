"""What lies on the table if the computer deals, for the page: the cards that all may see, and what OK does.

No card of a hand that is not shown is here: the open hand alone has those, in `views.dealt`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from cribpi.core.cards import Card
from cribpi.core.deal import Deal
from cribpi.core.decide import next_person
from cribpi.core.events import CribShown, Entry, HandShown
from cribpi.core.scores import Kind, Score, total
from cribpi.core.show import score_claimed
from cribpi.core.state import Phase, State
from cribpi.core.words import name, number
from cribpi.entry import by_cards, by_dealing
from cribpi.entry.choice import Choice
from cribpi.entry.desk import Desk, Undone


def felt_json(state: State, desk: Desk, offered: Sequence[Choice]) -> dict[str, object] | None:
    """Return what the table sees of the cards, and what OK does; None where the cards are of paper.

    `held` is how many cards each seat holds, `crib` how many lie in the crib, `hides` the person whose closed
    hand OK opens, `shown` the hand or crib that is shown.  `ok` is what OK does of what is *offered*; None
    where it does nothing, or a menu or a question is open.
    """
    if state.entry is not Entry.DEALT or state.phase is Phase.IDLE:
        return None
    deal = state.deal
    has_dialog = desk.dialog is not None and not isinstance(desk.dialog, Undone)
    return {
        "held": [by_dealing.held(deal, seat) if deal else 0 for seat in range(state.players)],
        "crib": _in_crib(deal, state.phase),
        "cuts": [str(card) if card else None for card in state.cuts] if state.phase is Phase.CUT else [],
        "hides": _closed(state, desk),
        "shown": _shown_json(state, deal) if deal else None,
        "ok": None if has_dialog else next((one.label for one in offered if one.key == "OK"), None),
        "dialog": has_dialog,
    }


def _in_crib(deal: Deal | None, phase: Phase) -> int:
    """Return how many cards lie in the crib, face down."""
    if deal is None or phase is Phase.CRIB:
        return 0
    return sum(map(len, deal.discards)) + len(deal.from_pack)


def _closed(state: State, desk: Desk) -> int | None:
    """Return the person whose hand OK would open; None where there is none, or it lies open."""
    seat, deal = next_person(state), state.deal
    if seat is None or deal is None or by_dealing.open_hand(state, desk) == seat:
        return None
    return seat


# --- the show ---------------------------------------------------------------------------------------


def _shown_json(state: State, deal: Deal) -> dict[str, object] | None:
    """Return the hand or crib that lies open for all, with its tally, unless the player has to count it."""
    last = state.last
    if state.winner is not None and last is not None and isinstance(last.event, HandShown | CribShown):
        cards, is_crib, scores = (
            deal.crib if last.is_crib else deal.hand(deal.shower),
            last.is_crib,
            last.scores,
        )
    elif state.winner is None and state.phase in {Phase.SHOW, Phase.CRIB} and deal.starter is not None:
        cards, is_crib = by_cards.shown(state), state.phase is Phase.CRIB
        scores = score_claimed(cards, deal.starter, by_cards.claims(state)[0])
    else:
        return None
    is_told = state.winner is not None or not by_cards.players_count(state)
    return {
        "seat": deal.shower,
        "crib": is_crib,
        "cards": [str(card) for card in sorted(cards, key=_in_order)],
        "points": total(scores) if is_told else None,
        "tally": tally(scores) if is_told else [],
    }


def _in_order(card: Card) -> tuple[int, str]:
    return card.rank, card.suit or ""


def tally(scores: tuple[Score, ...]) -> list[dict[str, object]]:
    """Count aloud, a line a score, each with the total so far."""
    totals = accumulate(score.points for score in scores)
    return [
        {"words": _said(score, so_far), "cards": [str(card) for card in sorted(score.cards, key=_in_order)]}
        for score, so_far in zip(scores, totals, strict=True)
    ]


def _said(score: Score, so_far: int) -> str:
    """Say one score of a tally.

    >>> _said(Score(Kind.FIFTEEN, 2, ()), 4), _said(Score(Kind.PAIR, 2, ()), 6)
    ('fifteen four', 'a pair is six')
    """
    return f"fifteen {number(so_far)}" if score.kind is Kind.FIFTEEN else f"{name(score)} is {number(so_far)}"
