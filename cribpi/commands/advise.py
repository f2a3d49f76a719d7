"""`cribpi advise`: what to discard from a hand, every choice with its worth, best first.

With --play it advises on a card: see `advise_play`.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from cribpi.commands.errors import needing_numpy
from cribpi.commands.score import rules_of
from cribpi.commands.streams import show
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import amount, shown
from cribpi.cribbage.words.cards import parse_cards

if TYPE_CHECKING:  # it loads NumPy
    from cribpi.cribbage.players.advice import Advised


_OF_THE_PLAY: Final = {
    "--hand": "left",
    "--before": "before",
    "--starter": "starter",
    "--discards": "discards",
}
"""The options that only the play has, and where they are kept."""


def run(options: Namespace) -> int:
    """Print every way to discard from a hand, or every card to play."""
    if options.play is not None:
        from cribpi.commands.advise_play import run as run_play  # noqa: PLC0415  for the play alone

        rules = rules_of(options)
        return run_play(options, rules, _scores(options.score, rules))
    given = [name for name in _OF_THE_PLAY if getattr(options, _OF_THE_PLAY[name]) is not None]
    if given:
        raise UserError(f"{given[0]} belongs to the play: give the cards of this count with --play")
    if options.hand is None:
        raise UserError('no cards: write those you were dealt, as cribpi advise "5H 6C 7D JS QS KH" --pone')
    if not (options.dealer or options.pone):
        raise UserError("whose crib is it? add --dealer if it is yours, or --pone")
    rows = advice(options.hand, options.score, rules_of(options), is_dealer=options.dealer)
    show(_table(rows), {"ways": [_row_json(row) for row in rows]}, is_json=options.json)
    return 0


def advice(hand: str, score: str, rules: Rules, *, is_dealer: bool) -> tuple[Advised, ...]:
    """Return the ways to discard from *hand*, best first; *score* is `96-101`, one's own side first.

    Raises:
        UserError: If these are not the right number of cards of one pack, or not a score of a game; or if
            a table, or NumPy, cannot be loaded.
    """
    cards = _cards(hand, rules)
    scores = _scores(score, rules)
    with needing_numpy():  # imported only now, so that invalid arguments are refused at once
        from cribpi.cribbage.players.advice import advise, sight_for  # noqa: PLC0415
    sight = sight_for(cards, is_dealer=is_dealer, scores=scores, rules=rules)
    return advise(sight)


def _table(rows: Sequence[Advised]) -> Iterator[str]:
    """Yield *rows* as a table for people: discard, cards kept, points, and the chance of winning."""
    chances = f"{'play':>7}{'wins':>8}" if rows[0].win is not None else ""
    yield f"{'discard':<9}{'keep':<17}{'hand':>6}{'crib':>7}{chances}"
    for row in rows:
        away, kept = (" ".join(map(str, cards)) for cards in (row.away, row.kept))
        line = f"{away:<9}{kept:<17}{row.hand:6.2f}{row.crib:+7.2f}"
        if row.play is not None and row.win is not None:
            line += f"{row.play:+7.2f}{row.win:8.1%}"
        yield line
    yield from ("", f"{rows[0].why}.")


def _row_json(row: Advised) -> dict[str, Any]:
    """Return *row* for JSON; points and chances are rounded to four decimals."""
    numbers = {"hand": row.hand, "crib": row.crib, "play": row.play, "points": row.points, "win": row.win}
    rounded = {name: None if number is None else round(number, 4) for name, number in numbers.items()}
    return {
        "away": [str(card) for card in row.away],
        "keep": [str(card) for card in row.kept],
        **rounded,
        "why": row.why,
    }


def _cards(hand: str, rules: Rules) -> tuple[Card, ...]:
    needed = seats.cards_dealt(rules.players)
    cards = parse_cards(hand)
    check_possible(cards)
    if len(cards) != needed:
        raise UserError(
            f"{shown(hand.strip())} has {amount(len(cards), 'card')}: "
            f"with {rules.players} players you are dealt {needed}"
        )
    bare = [str(card) for card in cards if card.suit is None]
    if bare:
        raise UserError(f"{bare[0]} has no suit: give each card with its suit, as {bare[0]}H")
    return cards


def _scores(score: str, rules: Rules) -> tuple[int, int]:
    """Parse `96-101`: one's own score and the best of the others'.

    Raises:
        UserError: If it is not a score, or one at which the game is won.
    """
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*", score)
    if found is None:
        raise UserError(f"--score {shown(score, str)}: write your score and your opponent's, as 96-101")
    mine, theirs = int(found[1]), int(found[2])
    for one in (mine, theirs):
        if one >= rules.target:
            raise UserError(
                f"--score {shown(score, str)}: {one} has won a game to {rules.target}; give scores below that"
            )
    return mine, theirs
