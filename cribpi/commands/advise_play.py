"""`cribpi advise --play`: which card to play, every one that fits with its worth, best first."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from cribpi.commands.errors import needing_numpy
from cribpi.commands.streams import show
from cribpi.cribbage.game.cards import check_possible
from cribpi.cribbage.game.play import LIMIT, count_of
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.as_played import Cards, sight_of_cards
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.cards import parse_cards

if TYPE_CHECKING:  # it loads NumPy
    from cribpi.cribbage.players.advice import AdvisedCard

_NAMES: Final = {
    2: ("you", "opponent"),
    3: ("you", "left", "right"),
    4: ("you", "left", "partner", "right"),
}
"""What each seat is called, by the number of players; the next to play is on the left."""


def run(options: Namespace, rules: Rules, scores: tuple[int, int]) -> int:
    """Print every card that fits, or that none does; *scores* are one's own and the best of the others'."""
    cards = _cards(options, rules)
    if all(card.rank.pips > LIMIT - count_of(cards.pile) for card in cards.hand):
        why = _go(cards)
        show((why,), {"plays": [], "ways": [], "why": why}, is_json=options.json)
        return 0
    with needing_numpy():  # imported only now, so that invalid arguments are refused at once
        from cribpi.cribbage.players.advice import (  # noqa: PLC0415
            advise_card,
            card_worths,
            of_sides,
        )
    sight = sight_of_cards(cards, rules, _dealers(options, rules), of_sides(scores, rules.players))
    rows = advise_card(sight, card_worths(sight))
    data = {
        "plays": [{"seat": _name(sight, play.seat), "card": str(play.card)} for play in sight.plays],
        "ways": [_row_json(row) for row in rows],
        "why": rows[0].why,
    }
    show(_table(sight, rows), data, is_json=options.json)
    return 0


def _cards(options: Namespace, rules: Rules) -> Cards:
    """Return the cards that were given.

    Raises:
        UserError: If they are not cards, or too many or too few, or a count is over 31 or closed.
    """
    if options.hand is not None:
        raise UserError("with --play, give the cards you have left with --hand")
    if options.left is None:
        raise UserError('give the cards you have left with --hand, as --play "7 8" --hand "9 J"')
    parts = (options.left, options.play, options.before, options.starter, options.discards)
    hand, pile, before, starter, discards = (parse_cards(part or "") for part in parts)
    check_possible((*hand, *pile, *before, *starter, *discards))
    if not 1 <= len(hand) <= seats.HAND:
        raise UserError(f"--hand {shown(options.left)}: you have one to four cards left when you play")
    if options.starter is not None and len(starter) != 1:
        raise UserError(f"--starter {shown(options.starter)}: the starter is one card")
    away = seats.cards_discarded(rules.players)
    if options.discards is not None and len(discards) != away:
        raise UserError(
            f"--discards {shown(options.discards)}: with {rules.players} players you discard {away}"
        )
    count = count_of(pile)
    if count >= LIMIT:
        what = "over 31: a count ends there" if count > LIMIT else "a closed count"
        raise UserError(
            f"--play {shown(options.play)} is {count}, {what}; give the cards of earlier counts with --before"
        )
    return Cards(hand, pile, before, starter[0] if starter else None, discards)


def _dealers(options: Namespace, rules: Rules) -> tuple[int, ...]:
    """Return the seats that may have dealt: oneself, an opponent, or anybody if that is not said."""
    if options.dealer:
        return (0,)
    others = range(1, rules.players)
    if options.pone:
        return tuple(seat for seat in others if seats.side_of(seat, rules.players) != 0)
    return (0, *others)


def _go(cards: Cards) -> str:
    """Say why nothing fits: "Say go: 9 makes 32 and J 33, over 31"."""
    count = count_of(cards.pile)
    made = {card.rank.symbol: count + card.rank.pips for card in cards.hand}
    (first, reached), *rest = made.items()
    more = [f"{symbol} {number}" for symbol, number in rest]
    said = [f"{first} makes {reached}", *more]
    return (
        f"Say go: {', '.join(said[:-1])} and {said[-1]}, over 31" if more else f"Say go: {said[0]}, over 31"
    )


def _name(sight: SeatSight, seat: int) -> str:
    return _NAMES[sight.players][seat]


def _read(sight: SeatSight) -> str:
    """Say who is taken to have played what in this count, and what would make the advice sharper."""
    plays = sight.plays[len(sight.plays) - len(sight.pile) :]
    said = ", ".join(f"{_name(sight, play.seat)} {play.card}" for play in plays) or "yours to lead"
    goes = "".join(f"; {_name(sight, seat)} said go" for seat in sight.out)
    if len(sight.kept) < seats.HAND:
        return f"This count: {said}{goes}. Add the earlier cards with --before for exact advice."
    if sight.players == 2 and sight.starter is None:
        return f"This count: {said}{goes}. Add --starter for the chance of winning."
    return f"This count: {said}{goes}."


def _table(sight: SeatSight, rows: Sequence[AdvisedCard]) -> Iterator[str]:
    """Yield *rows* as a table for people: what each card pegs, what may follow, what it is worth, and why."""
    is_chance = rows[0].worth.win is not None
    yield f"{'card':<6}{'pegs':>4}{'reply':>7}{'go':>6}{'points':>8}{'wins' if is_chance else '':>8}".rstrip()
    for row in rows:
        win = f"{row.worth.win:.1%}" if row.worth.win is not None else ""
        yield (
            f"{row.card!s:<6}{row.outlook.points:>4}{_percent(row.reply):>7}{_percent(row.go):>6}"
            f"{row.worth.points:>+8.2f}{win:>8}"
        ).rstrip()
    yield ""
    yield from (f"{row.why}." for row in rows)
    yield from ("", _read(sight))


def _percent(chance: float | None) -> str:
    return "-" if chance is None else f"{chance:.0%}"


def _row_json(row: AdvisedCard) -> dict[str, Any]:
    """Return *row* for JSON; points and chances are rounded to four decimals."""
    numbers = {"reply": row.reply, "go": row.go, "points": row.worth.points, "win": row.worth.win}
    return {
        "card": str(row.card),
        "count": row.outlook.count,
        "pegs": row.outlook.points,
        "replies": [
            {"makes": reply.name, "ranks": [rank.symbol for rank in reply.ranks]}
            for reply in row.outlook.replies
        ],
        **{name: None if number is None else round(number, 4) for name, number in numbers.items()},
        "why": row.why,
    }
