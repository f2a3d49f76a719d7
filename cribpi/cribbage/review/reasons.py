"""The reason why a decision was worse than the best: its greatest cost, with the figures of the search.

For a discard, hand, crib and play are each evaluated separately: the loss if only that part were as chosen.
For a card, the points now, the replies, and the later play are compared.  If none of these is worse, no
reason is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.pack import Floats, Places
from cribpi.cribbage.analysis.pegging.search import Utility
from cribpi.cribbage.game.cards import PIPS, Card, Rank
from cribpi.cribbage.game.show import Kind, Score
from cribpi.cribbage.players.advice import others_hands, reply_probabilities
from cribpi.cribbage.players.card_effects import (
    LEAST,
    Outlook,
    Reply,
    outlook,
    rounded_difference,
    said_points,
    said_replies,
)
from cribpi.cribbage.players.expert import card_values, chances
from cribpi.cribbage.players.solid import ways_of
from cribpi.cribbage.review.decisions import MOST, UNSURE, Decision, Which
from cribpi.cribbage.rules import seats
from cribpi.cribbage.words.call import name, number
from cribpi.cribbage.words.cards import ranks_apart

APART: Final = 0.05
"""The least difference in the chances of a reply that counts as a reason."""


def because(decision: Decision, owner: str) -> str:
    """Return the reason why the decision was worse than the best, or "" if there is no single one.

    *owner* is the owner of the crib, such as "Ann's".

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    if decision.which is Which.DISCARD:
        return _because_discard(decision, f"{owner} crib")
    return _because_card(decision)


# --- of a discard ------------------------------------------------------------------------------------


def costs(decision: Decision) -> tuple[float, ...]:
    """Return the separate costs of the hand, the crib and the play of a discard; negative for gains.

    They are in chance of winning, or in points with three players.
    """
    chosen, best = decision.chosen, decision.best
    if not decision.is_chance:
        return tuple(more - less for more, less in zip(best.parts, chosen.parts, strict=True))
    ways = {frozenset(way.away): way for way in ways_of(decision.sight)}
    actual, ideal = ways[frozenset(chosen.cards)], ways[frozenset(best.cards)]
    mixed = (
        ideal,
        replace(ideal, hand_points=actual.hand_points),
        replace(ideal, crib_points=actual.crib_points),
        replace(ideal, kept=actual.kept),  # the key of the table of points in the play
    )
    whole, *parts = chances(decision.sight, mixed).tolist()
    return tuple(whole - part for part in parts)


def _because_discard(decision: Decision, crib: str) -> str:
    lost = costs(decision)
    most = max(range(3), key=lambda part: lost[part])
    if lost[most] < (UNSURE if decision.is_chance else LEAST):
        return ""
    less = rounded_difference(decision.best.parts[most], decision.chosen.parts[most])
    if less <= 0:
        part = ("the hand", crib, "the play")[most]
        return f": on average {part} is worth at least as much, but from this score it is worth less"
    if most == 0:
        kept = [[*({*decision.sight.hand} - {*option.cards})] for option in (decision.best, decision.chosen)]
        more, fewer = (
            f"{ranks_apart(cards, other)}{_flush(cards)}{average} {option.parts[0]:.1f}"
            for cards, other, average, option in zip(
                kept, kept[::-1], (" averages", ""), (decision.best, decision.chosen), strict=True
            )
        )
        return f": {more}, {fewer}"
    if most == 1:
        return f": {_crib_lost(decision, crib, less)}"
    return f": the cards kept peg {said_points(less)} less"


def _flush(cards: Sequence[Card]) -> str:
    return " (a flush)" if len(cards) == seats.HAND and len({card.suit for card in cards}) == 1 else ""


def _crib_lost(decision: Decision, crib: str, less: float) -> str:
    """Name a strength of one discard in the crib that the other lacks, or else the difference in points."""
    own = seats.side_of(decision.sight.dealer, decision.sight.players) == decision.sight.side
    chosen, better = (option.cards for option in (decision.chosen, decision.best))
    strong, weak = (better, chosen) if own else (chosen, better)
    strength = next((gift for gift in _gifts(strong) if gift not in _gifts(weak)), None)
    if strength:
        return f"{strength} in {crib}"
    return f"it is worth {said_points(less)} {'less' if own else 'more'} in {crib}"


def _gifts(cards: Sequence[Card]) -> list[str]:
    """Return the strengths of a discard in the crib, the best first."""
    pips, held = [PIPS[card.rank] for card in cards], sorted(card.rank for card in cards)
    is_two = len(cards) == 2
    said = {
        f"the pair of {held[0].symbol}s counts two": is_two and held[0] == held[-1],
        f"{held[0].symbol} and {held[-1].symbol} make fifteen": is_two and sum(pips) == 15,
        "a 5 makes fifteen with any ten or court card": Rank.FIVE in held,
        f"{held[0].symbol} and {held[-1].symbol} may make a run": is_two and held[-1] - held[0] in (1, 2),
    }
    return [gift for gift, has in said.items() if has]


# --- of a card ---------------------------------------------------------------------------------------


def _because_card(decision: Decision) -> str:
    sight = decision.sight
    card, better = (outlook(sight, option.cards[0]) for option in (decision.chosen, decision.best))
    if better.points > card.points:
        return f": the {better.card.rank.symbol} pegs {_named(better.scores)}"
    return _reply(decision, card, better) or _later(decision, card, better)


def _reply(decision: Decision, card: Outlook, better: Outlook) -> str:
    """Compare the chances that the other scores on the card, or can't play on it; "" if they are similar."""
    on, than = card.card.rank.symbol, better.card.rank.symbol
    hands = others_hands(decision.sight)
    if hands is None:
        return f": {said_replies(card.replies[:1])}" if card.threat > better.threat else ""
    (hit, stuck), (least, most) = (
        reply_probabilities(effects, *hands) if effects.is_open else (0.0, 0.0) for effects in (card, better)
    )
    if hit - least >= APART:
        gravest = max(card.replies, key=lambda reply: _weight(reply, *hands))
        likely = f"the opponent can score on it {hit:.0%} of the time, on the {than} {least:.0%}"
        return f": {said_replies([gravest])}, and {likely}"
    if card.is_open and better.is_open and most - stuck >= APART:
        return f": the opponent can't play on the {than} {most:.0%} of the time, on the {on} {stuck:.0%}"
    return ""


def _weight(reply: Reply, cards: NDArray[np.uint8], weights: Floats) -> float:
    """Return the average points of *reply*, if it is played whenever possible."""
    can = np.isin(cards, [rank - 1 for rank in reply.ranks]).any(axis=1)
    return float(reply.points * weights[can].sum())


def _later(decision: Decision, card: Outlook, better: Outlook) -> str:
    """Compare the points of both sides from here on; "" if the card is not worse."""
    less = rounded_difference(decision.best.points, decision.chosen.points)
    if less <= 0:
        return ""
    now = card.points - better.points
    if now > 0:
        return f": it pegs {number(now)} more now, and {said_points(less + now)} less after that"
    if decision.sight.players != 2:
        return f": what follows pegs {said_points(less)} less"
    own = _own_points(decision)
    pegs, ideal = (own[option.cards[0].rank] for option in (decision.chosen, decision.best))
    other = max(pegs - decision.chosen.points, 0.0)
    ideal_other = max(ideal - decision.best.points, 0.0)
    return (
        f": from here on it pegs {pegs:.1f} and the opponent {other:.1f}, "
        f"after the {better.card.rank.symbol} {ideal:.1f} and {ideal_other:.1f}"
    )


def _own_points(decision: Decision) -> dict[Rank, float]:
    """Return the average points of the player's side from here on, for each card."""
    sight = decision.sight

    def own(pegged: NDArray[np.int16], hands: Places) -> Floats:
        del hands
        return np.asarray(pegged[:, sight.side], np.float64)

    utility: Utility = own
    return {card.rank: worth for card, worth in card_values(sight, utility=utility, most=MOST[2])}


def _named(scores: Sequence[Score]) -> str:
    return " and ".join(
        f"{number(score.points)} for {name(score)}" if score.kind is not Kind.HEELS else name(score)
        for score in scores
    )
