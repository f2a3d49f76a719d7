"""A game that the computer deals, for the page: the cards everyone sees, an open hand, and whose turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Any

from cribpi.companion.entry import by_dealing, the_show
from cribpi.companion.entry.by_dealing import next_machine
from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.desk import Desk, Hint, Undone
from cribpi.companion.web.json.state import cards_json, cards_left
from cribpi.cribbage.game.cards import in_order
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import CribShown, Entry, HandShown
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.show import Score, total
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.call import steps
from cribpi.cribbage.words.why import reason_of


def thinking(state: State, desk: Desk) -> int | None:
    """Return the seat of the machine that is at it; None where none is, or it waits for what lies open."""
    return next_machine(state) if desk.dialog is None else None


def hand_json(
    state: State, desk: Desk, offered: Sequence[Choice], viewer: int | None = None
) -> dict[str, object] | None:
    """Return the hand that lies open for its holder, as the page shows it; None where none does.

    It is the only place where a card can leave that not all at the table see.  With a *viewer* it is that
    seat's hand or none.
    """
    seat = by_dealing.open_hand(state, desk, viewer)
    if seat is None:
        return None
    is_asked = seat == by_dealing.next_to_act(state, desk, viewer)
    keys = {choice.key for choice in offered}
    hand = cards_json(by_dealing.hand(state, seat))
    return {
        "seat": seat,
        "cards": hand,
        "chosen": cards_json(by_dealing.chosen(state, desk, seat)),
        "playable": [card for card in hand if card in keys] if is_asked else [],
        "wanted": by_dealing.wanted(state) if is_asked else 0,
        "may_hint": "FLNB" in keys if viewer is not None else by_dealing.may_hint(state, desk),
        "hint": _hint_json(desk.hint) if desk.hint else None,
    }


def _hint_json(hint: Hint) -> dict[str, object]:
    return {"words": hint.words or None, "cards": list(hint.cards)}


def cards_on_table_json(
    state: State, desk: Desk, offered: Sequence[Choice], viewer: int | None = None
) -> dict[str, object] | None:
    """Return what the table sees of the cards, and what OK does; None where the cards are of paper.

    `held` is how many cards each seat holds, `crib` how many lie in the crib face down, `hides` the person
    whose closed hand OK opens, `shown` the hand or crib that is shown.  `ok` is what OK does of what is
    *offered*; None where it does nothing, or a menu or a question is open.
    """
    if state.entry is not Entry.DEALT or state.phase is Phase.IDLE:
        return None
    deal, asked = state.deal, by_dealing.next_to_act(state, desk, viewer)
    has_dialog = not isinstance(desk.dialog, Undone | None)
    labels = {} if has_dialog else {one.key: one.label for one in offered}
    hidden = (*deal.discards, deal.from_pack) if deal and state.phase is not Phase.CRIB else ()
    cuts = state.cuts if state.phase is Phase.CUT else ()
    return {
        "held": [cards_left(state, seat) for seat in range(state.players)],
        "crib": sum(map(len, hidden)),
        "cuts": [card and str(card) for card in cuts],
        "hides": None if by_dealing.open_hand(state, desk, viewer) == asked else asked,
        "shown": _shown_json(state, deal) if deal else None,
        "ok": labels.get("OK"),
        "dialog": has_dialog,
    }


def _shown_json(state: State, deal: Deal) -> dict[str, object] | None:
    """Return the hand or crib that lies open for all, with its tally, unless the player has to count it."""
    main = state.outcomes[0] if state.outcomes else None
    if state.is_show:
        is_crib, scores = state.phase is Phase.CRIB, the_show.least(state)
    elif state.winner is not None and main is not None and isinstance(main.event, HandShown | CribShown):
        is_crib, scores = main.purpose is Purpose.CRIB, main.scores
    else:
        return None
    found: dict[str, object] = {
        "seat": deal.shower,
        "crib": is_crib,
        "cards": cards_json(in_order(deal.crib if is_crib else deal.hand(deal.shower))),
    }
    if the_show.players_count(state):
        return found | {"points": None, "tally": []}
    return found | {"points": total(scores), "tally": tally(scores, state.rules, is_crib=is_crib)}


def counted_json(state: State) -> dict[str, object] | None:
    """Return the show that a player has just counted, with its cards and what it is worth; None elsewhere.

    `to` is the side that takes what was `missed`; None if nobody does by itself.
    """
    counted, *more = state.outcomes or (None,)
    if counted is None or counted.counted_by_player is None:
        return None
    show = state.ledger[counted.deal].shows[-1]
    return {
        "seat": show.seat,
        "crib": show.is_crib,
        "cards": cards_json(in_order(show.cards)),
        "starter": str(show.starter),
        "claimed": counted.counted_by_player,
        "points": show.points,
        "pegged": counted.points,
        "missed": counted.missed,
        "to": more[0].side if more else None,
        "tally": tally(counted.scores, state.rules, is_crib=show.is_crib),
    }


def tally(scores: tuple[Score, ...], rules: Rules, *, is_crib: bool) -> list[dict[str, Any]]:
    """Count aloud, a line a score, each with the total so far, and the rule that it rests on."""
    totals = accumulate(score.points for score in scores)
    lines = zip(steps(scores), scores, totals, strict=True)
    return [
        {
            "words": words,
            "cards": cards_json(in_order(score.cards)),
            "points": score.points,
            "total": so_far,
            "why": asdict(reason_of(score, rules, is_crib=is_crib)),
        }
        for words, score, so_far in lines
    ]
