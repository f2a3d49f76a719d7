"""His heels: the one place that asks the rules what a jack turned up as the starter is worth."""

from __future__ import annotations

from cribpi.cribbage.game.cards import Card, Rank
from cribpi.cribbage.game.scores import Kind, Score
from cribpi.cribbage.rules.table import Rules


def his_heels(rules: Rules) -> int:
    """Return the points the dealer pegs for his heels; 0 if the rules give nothing."""
    return rules.heels


def is_heels(rules: Rules, starter: Rank = Rank.JACK) -> bool:
    """Tell whether the dealer pegs for *starter*: for a jack, where the rules give anything for it.

    >>> is_heels(Rules()), is_heels(Rules(), Rank.QUEEN), is_heels(Rules(heels=0))
    (True, False, False)
    """
    return starter is Rank.JACK and his_heels(rules) > 0


def score_heels(rules: Rules, *jack: Card) -> Score:
    """Return the score for his heels, with the *jack* if its suit is known."""
    return Score(Kind.HEELS, his_heels(rules), jack)
