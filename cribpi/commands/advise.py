"""`cribpi advise`: rank the discards of a hand, or with --play the cards to play."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cribpi.commands.replay import replay
from cribpi.commands.score import rules_of
from cribpi.commands.streams import show
from cribpi.cribbage.api.weighing import advise, advise_card, cards_in_play, scores_of, sight_in_play
from cribpi.cribbage.game.deal import PlayedDeal
from cribpi.cribbage.game.play import LIMIT, count_of
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.players.play_inference import Cards
from cribpi.cribbage.rules.errors import BadArgument, UserError
from cribpi.cribbage.rules.grammar import series
from cribpi.cribbage.rules.rules import Rules

if TYPE_CHECKING:  # importing them loads NumPy
    from cribpi.cribbage.players.advice import Advised, AdvisedCard

_OF_THE_PLAY: Final = ("hand", "before", "starter", "discards", "game", "name")
"""Options that are valid only with --play."""

_NAMES: Final = {
    2: ("you", "opponent"),
    3: ("you", "left", "right"),
    4: ("you", "left", "partner", "right"),
}
"""Names of the seats in order of play, by number of players."""


def run(options: Namespace) -> None:
    """Print all discards of a hand, or all playable cards."""
    try:
        _advise(options)
    except BadArgument as bad:
        raise UserError(f"--{bad}") from None


def _advise(options: Namespace) -> None:
    if options.play is not None:
        _advise_card(options, rules_of(options))
        return
    given = [name for name in _OF_THE_PLAY if getattr(options, name) is not None]
    if given:
        raise UserError(f"--{given[0]} belongs to the play: give the cards of this count with --play")
    if options.dealt is None:
        raise UserError(
            'no cards: give the ones you were dealt, for example cribpi advise "5H 6C 7D JS QS KH" --pone'
        )
    if not (options.dealer or options.pone):
        raise UserError("whose crib is it? add --dealer if it is yours, or --pone")
    rows = advise(options.dealt, dealer=options.dealer, score=options.score, rules=rules_of(options))
    show(_table(rows), {"ways": [_row_json(row) for row in rows]}, is_json=options.json)


def _rounded(**numbers: float | None) -> dict[str, float | None]:
    return {name: None if number is None else round(number, 4) for name, number in numbers.items()}


# --- the discard ---


def _table(rows: Sequence[Advised]) -> Iterator[str]:
    """Yield a text table: discard, cards kept, points, and the chance of winning if known."""
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
    return {
        "away": [str(card) for card in row.away],
        "keep": [str(card) for card in row.kept],
        **_rounded(
            hand=row.hand, crib=row.crib, play=row.play, points=row.points, win=row.win, brings=row.brings
        ),
        "why": row.why,
    }


# --- a card in the play ---


def _advise_card(options: Namespace, rules: Rules) -> None:
    if options.dealt is not None:
        raise UserError("with --play, give the cards you have left with --hand")
    if options.hand is None:
        raise UserError('give the cards you have left with --hand, such as --play "7 8" --hand "9 J"')
    scores = scores_of(options.score, rules)
    cards = cards_in_play(
        options.hand, options.play, options.before or "", options.starter, options.discards, rules
    )
    if all(card.rank.pips > LIMIT - count_of(cards.pile) for card in cards.hand):
        why = _go(cards)
        show((why,), {"plays": [], "ways": [], "why": why}, is_json=options.json)
        return
    is_dealer = bool(options.dealer) if options.dealer or options.pone else None
    sight = replace(sight_in_play(cards, scores, rules, is_dealer=is_dealer), past=_past(options))
    rows = advise_card(sight)
    names = _NAMES[rules.players]
    data = {
        "plays": [{"seat": names[play.seat], "card": str(play.card)} for play in sight.plays],
        "ways": [_card_json(row) for row in rows],
        "why": rows[0].why,
    }
    show(_card_table(sight, rows), data, is_json=options.json)


def _past(options: Namespace) -> tuple[PlayedDeal, ...]:
    """Return the deals of the game so far, from its record, with the user in seat 0."""
    if options.game is None:
        if options.name is not None:
            raise UserError("--name is your name in a record: give the record with --game")
        return ()
    *_, end = (NEW_TABLE, *(entry.after for entry in replay(Path(options.game))))
    if end.players != 2 or end.rules.is_five_card:
        raise UserError(
            f"{options.game}: expert reads one opponent only, with hands of four: leave out --game"
        )
    if options.name not in end.names:
        raise UserError(f"who are you in {options.game}? add --name, one of {', '.join(end.names)}")
    deals = end.played_deals
    return deals if end.names[0] == options.name else tuple(deal.with_seats_swapped() for deal in deals)


def _go(cards: Cards) -> str:
    """Return the reason for a go, such as "Say go: 9 makes 32 and J 33, over 31"."""
    count = count_of(cards.pile)
    counts = {card.rank.symbol: count + card.rank.pips for card in cards.hand}
    (first, reached), *rest = counts.items()
    parts = [f"{first} makes {reached}", *(f"{symbol} {number}" for symbol, number in rest)]
    return f"Say go: {series(parts)}, over 31"


def _card_table(sight: SeatSight, rows: Sequence[AdvisedCard]) -> Iterator[str]:
    """Yield a text table: each card's points, its expected replies and its value, then the reasons."""
    is_chance = rows[0].worth.win is not None
    yield f"{'card':<6}{'pegs':>4}{'reply':>7}{'go':>6}{'points':>8}{'wins' if is_chance else '':>8}".rstrip()
    for row in rows:
        reply, go = ("-" if chance is None else f"{chance:.0%}" for chance in (row.reply, row.go))
        win = f"{row.worth.win:.1%}" if row.worth.win is not None else ""
        line = f"{row.card!s:<6}{row.outlook.points:>4}{reply:>7}{go:>6}{row.worth.points:>+8.2f}{win:>8}"
        yield line.rstrip()
    yield ""
    yield from (f"{row.why}." for row in rows)
    yield from ("", _read(sight))


def _read(sight: SeatSight) -> str:
    """Describe the current count card by card, and suggest options that would make the advice more exact."""
    names = _NAMES[sight.players]
    plays = sight.plays[len(sight.plays) - len(sight.pile) :]
    count = ", ".join(f"{names[play.seat]} {play.card}" for play in plays) or "yours to lead"
    count += "".join(f"; {names[seat]} said go" for seat in sight.out)
    if len(sight.kept) < sight.rules.sizes.hand:
        return f"This count: {count}. Add the earlier cards with --before for exact advice."
    if sight.players == 2 and sight.starter is None:
        return f"This count: {count}. Add --starter for the chance of winning."
    return f"This count: {count}."


def _card_json(row: AdvisedCard) -> dict[str, Any]:
    return {
        "card": str(row.card),
        "count": row.outlook.count,
        "pegs": row.outlook.points,
        "replies": [
            {"makes": reply.name, "ranks": [rank.symbol for rank in reply.ranks]}
            for reply in row.outlook.replies
        ],
        **_rounded(
            reply=row.reply,
            go=row.go,
            points=row.worth.points,
            win=row.worth.win,
            brings=row.worth.brings,
        ),
        "why": row.why,
    }
