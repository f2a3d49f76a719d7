"""Advice on the discard and on each card played: the worth of each choice, best first, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cribpi.cribbage.analysis.discard.ways import Way
from cribpi.cribbage.analysis.pack import Floats
from cribpi.cribbage.analysis.pegging.batch import NONE, PIPS_OR_NONE
from cribpi.cribbage.analysis.pegging.belief import counted, kept_by, position, worlds
from cribpi.cribbage.analysis.pegging.policy import policy
from cribpi.cribbage.analysis.pegging.styles import model_of_others
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.card_effects import Outlook, outlook, rounded_difference, said_now, said_replies
from cribpi.cribbage.players.expert import (
    ALIKE,
    CLOSE,
    MOST_HANDS,
    aim,
    card_values,
    chances,
    has_win_model,
    pegged_by_ways,
)
from cribpi.cribbage.players.opponent import has_own_crib
from cribpi.cribbage.players.solid import WORLDS, best_first, margin, points_in_worlds, ways_of
from cribpi.cribbage.players.win_chance import average_game, in_games, stakes_of
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import STANDARD, Rules

LIKE: float = 0.005
"""Tolerance in points: smaller differences count as equal."""


@dataclass(frozen=True, slots=True)
class Advised:
    """One possible discard, with its points averaged over all unseen cards."""

    kept: tuple[Card, ...]
    away: tuple[Card, ...]
    hand: float
    crib: float
    """Points of the whole crib, not only of the discard; negative if the crib is another side's."""
    play: float | None
    """Points that the side pegs in the play, less the other side's; None with three players."""
    win: float | None
    """The chance of winning the game, 0 to 1; None with three players."""
    points: float
    """Sum of hand, crib and play, as the margin over the mean of the other sides.  With three players, a crib
    of another player therefore counts half (see `habits.crib_worth`)."""
    why: str
    brings: float | None = None
    """The expected worth of the game, where a plain win is 1 and a loss 0; None if skunks don't count."""


def sight_for(
    hand: Sequence[Card], *, is_dealer: bool, scores: tuple[int, int], rules: Rules = STANDARD
) -> SeatSight:
    """Return the view of a player in seat 0 who was dealt *hand*; for *scores* see `of_sides`."""
    dealer = 0 if is_dealer else rules.players - 1
    return SeatSight(rules, 0, dealer, of_sides(scores, rules.players), tuple(hand))


def of_sides(scores: tuple[int, int], players: int) -> tuple[int, ...]:
    """Return a score per side: the first of *scores* is the player's own, the second goes to all others.

    >>> of_sides((96, 101), 3)
    (96, 101, 101)
    """
    own, best_other = scores
    return (own, *[best_other] * (seats.sides(players) - 1))


def advise(sight: SeatSight) -> tuple[Advised, ...]:
    """Return all possible discards from the hand in *sight*, best first.

    With two sides the order is by the chance of winning from these scores, computed by `expert`, or by the
    worth of the game if skunks count.  With three players it is by the points of hand and crib.

    Raises:
        TablesError: If a shipped table is missing or damaged.
        ValueError: If the hand has the wrong number of cards, or one without a suit.
    """
    ways, own_crib = ways_of(sight), has_own_crib(sight)
    wins: Sequence[float | None] = [None] * len(ways)
    plays: Sequence[float | None] = wins
    if has_win_model(sight.rules):
        pegged = pegged_by_ways(sight, ways)
        wins, plays = chances(sight, ways).tolist(), (pegged[:, 0] - pegged[:, 1]).tolist()
    rows = [
        Advised(
            way.kept,
            way.away,
            way.hand,
            way.crib if own_crib else -way.crib,
            play,
            win,
            way.worth + (play or 0.0),
            "",
            brings,
        )
        for way, play, win, brings in zip(ways, plays, wins, brought_by_ways(sight, ways), strict=True)
    ]
    rows.sort(key=lambda row: -round(row.brings or row.win or 0.0, ALIKE))  # ties stay in order of points
    if own_crib:
        crib = "your crib" if sight.seat == sight.dealer else "your partner's crib"
    else:
        crib = {2: "your opponent's crib", 3: "the dealer's crib", 4: "your opponents' crib"}[sight.players]
    return tuple(replace(row, why=_why(row, rows, crib)) for row in rows)


def brought_by_ways(sight: SeatSight, ways: tuple[Way, ...]) -> Sequence[float | None]:
    """Return `Advised.brings` for each of *ways* to discard."""
    stakes = stakes_of(sight.rules)
    if stakes is None or not has_win_model(sight.rules):
        return [None] * len(ways)
    won = chances(sight, ways, average_game(sight.rules, with_stakes=True))
    return [*map(float, in_games(won, stakes))]


def brought_by_cards(
    sight: SeatSight, *, most: int | None = None, seed: int = 0, close: float = CLOSE
) -> dict[Card, float]:
    """Return `CardWorth.brings` for each playable card, or an empty dict if skunks don't count.

    The arguments are those of `card_worths`.
    """
    stakes = stakes_of(sight.rules)
    if stakes is None or not has_win_model(sight.rules):
        return {}
    utility = aim(sight, average_game(sight.rules, with_stakes=True))
    if utility is None:
        return {}
    won = card_values(sight, utility=utility, most=most, seed=seed, close=close)
    return {card: float(in_games(np.array(worth), stakes)) for card, worth in won}


def _why(row: Advised, rows: Sequence[Advised], crib: str) -> str:
    best = rows[0]
    if row is best:
        return _why_best(best, rows, crib)
    differs = _differs(row, best, crib)
    return f"{differs} than the best" if differs else "as good as the best"


def _differs(row: Advised, best: Advised, crib: str) -> str:
    """Describe how hand, crib and play of *row* differ from the *best*; "" if all by less than a tenth."""
    parts = []
    for part, points, best_points in (
        ("in the hand", row.hand, best.hand),
        (f"in {crib}", abs(row.crib), abs(best.crib)),
        ("in the play", row.play or 0.0, best.play or 0.0),
    ):
        gap = rounded_difference(points, best_points)
        if gap:
            parts.append(f"{abs(gap):.1f} {'more' if gap > 0 else 'less'} {part}")
    return ", ".join(parts)


def _why_best(best: Advised, rows: Sequence[Advised], crib: str) -> str:
    kept, away = _ranks(best.kept), _ranks(best.away)
    # With three players a crib of another counts half, so *points* exceeds the sum of the parts.
    is_half = best.points > best.hand + best.crib + (best.play or 0.0) + LIKE
    half = ", half of it your loss" if is_half else ""
    said = f"Keep {kept} (average {best.hand:.1f}) and give {away} to {crib} ({abs(best.crib):.1f}{half})"
    surest = max(rows, key=lambda row: row.win or 0.0)
    if best.brings is not None and f"{surest.win:.1%}" != f"{best.win:.1%}":
        return f"{said}; {_ranks(surest.away)} would win more often from here, but a skunk is at stake"
    most = max(rows, key=lambda row: row.points)
    more = rounded_difference(most.points, best.points)
    if more > 0:
        is_safer = (most.win or 0.0) < (best.win or 0.0)
        but = "but wins less often from here" if is_safer else "but a skunk is at stake"
        return f"{said}; {_ranks(most.away)} would score {more:.1f} points more, {but}"
    second = next((row for row in rows if _ranks(row.away) != away), None)
    if second is None:
        return said
    differs = _differs(second, best, crib)
    return f"{said}; {_ranks(second.away)} instead: {differs or 'as good'}"


def _ranks(cards: Sequence[Card]) -> str:
    return " ".join(card.rank.symbol for card in cards)


LIKELY: Final = 0.25
"""Minimum chance of a go for it to be named as a reason."""

MOST_NAMED: Final = 2
"""Maximum number of replies that a reason names, the worst first."""


@dataclass(frozen=True, slots=True)
class CardWorth:
    """A playable card and its worth."""

    card: Card
    win: float | None
    """The chance of winning the game, 0 to 1; None with three players, or without the starter."""
    points: float = 0.0
    """The expected margin over the others in points, from here to the end of the play; 0 if not requested."""
    brings: float | None = None
    """The expected worth of the game if skunks count, as in `Advised`."""


@dataclass(frozen=True, slots=True)
class AdvisedCard:
    """A playable card, with reasons for or against it."""

    worth: CardWorth
    outlook: Outlook
    reply: float | None
    """The chance that the other player holds a card that scores on this one, 0 to 1.

    None with three or four players, if the earlier plays are unknown, or if the other can't play at all.
    """
    go: float | None
    """The chance that the other player must say go, 0 to 1; None whenever *reply* is None."""
    why: str

    @property
    def card(self) -> Card:
        return self.worth.card


def card_worths(
    sight: SeatSight,
    *,
    most: int | None = None,
    seed: int = 0,
    close: float = CLOSE,
    with_points: bool = True,
    with_stakes: bool = True,
) -> tuple[CardWorth, ...]:
    """Return the worth of each playable card, best first.

    The order is by the worth of the game if skunks count, otherwise by the chance of winning, or by points if
    that can't be computed.  The result is empty if no hands of the others fit the plays so far, or if the
    seat's own earlier cards are unknown (`sight.kept` has fewer than four).

    Args:
        sight: The view of the seat to play.
        most: The maximum number of deals of the others' hands to search; by default that of the level.
        seed: The seed of the sampling; used with four players only.
        close: The tolerance of the search with four players: see `search.values_in_worlds`.
        with_points: Whether to compute `points` too.  That doubles the time.
        with_stakes: Whether to compute `brings` too, if the rules count skunks.  That takes as long as the
            chance of winning.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    if len(sight.kept) < sight.rules.sizes.hand:
        return ()
    if not has_win_model(sight.rules):
        in_worlds = best_first(sight, *points_in_worlds(sight, most or WORLDS))
        return tuple(CardWorth(card, None, worth) for card, worth in in_worlds)
    utility, points = aim(sight), dict[Card, float]()
    if with_points or utility is None:
        points = dict(card_values(sight, utility=margin(sight.side), most=most, seed=seed))
    if utility is None:
        return tuple(CardWorth(card, None, worth) for card, worth in points.items())
    wins = card_values(sight, utility=utility, most=most, seed=seed, close=close)
    brought = brought_by_cards(sight, most=most, seed=seed, close=close) if with_stakes else {}
    worths = [CardWorth(card, win, points.get(card, 0.0), brought.get(card)) for card, win in wins]
    return tuple(sorted(worths, key=lambda worth: -(worth.brings or 0.0)))  # ties stay in order of chance


def advise_card(sight: SeatSight, worths: tuple[CardWorth, ...]) -> tuple[AdvisedCard, ...]:
    """Return advice on one playable card of each rank, best first.

    *worths* is from `card_worths`.  If it is empty, the worths are those of `solid`: the expected reply
    and the average worth of the remaining cards.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    hands = others_hands(sight) if worths else None
    rows = []
    for worth in worths or _policy_worths(sight):
        effects = outlook(sight, worth.card)
        reply, go = reply_probabilities(effects, *hands) if hands and effects.is_open else (None, None)
        rows.append(AdvisedCard(worth, effects, reply, go, why=""))
    return tuple(replace(row, why=_why_card(row, rows, sight)) for row in rows)


def others_hands(sight: SeatSight) -> tuple[NDArray[np.uint8], Floats] | None:
    """Return the possible hands of the other player and their weights; None unless two play.

    The hands are ranks, 0 to 12 or `NONE`: shape (hands, 4).  The weights have shape (hands,).
    """
    if sight.players != 2:
        return None
    chance = np.random.default_rng(0)  # unused with two players
    deals, weights, _ = worlds(sight, kept_by(sight), model_of_others(sight), chance, most=MOST_HANDS)
    return deals.cards[:, 1 - sight.seat], weights


def reply_probabilities(effects: Outlook, cards: NDArray[np.uint8], weights: Floats) -> tuple[float, float]:
    """Return two chances: that the other player can score on this card, and that it must say go.

    *cards* and *weights* are from `others_hands`.
    """

    def share(is_such: NDArray[np.bool_]) -> float:
        return float(weights[is_such.any(axis=1)].sum() / weights.sum())

    scores = np.isin(cards, [rank - 1 for reply in effects.replies for rank in reply.ranks])
    fits = (cards != NONE) & (PIPS_OR_NONE[cards] <= LIMIT - effects.count)
    return share(scores), 1.0 - share(fits)


def _policy_worths(sight: SeatSight) -> tuple[CardWorth, ...]:
    deals = position(sight)
    if len(sight.kept) < sight.rules.sizes.hand:
        deals.left[0] = _cards_left(sight)
    values = policy(sight.rules).values(deals, counted(sight.discards))[0]
    by_rank = dict(zip(deals.hold()[0].tolist(), values.tolist(), strict=True))
    first = {card.rank: card for card in reversed(sight.playable)}
    worths = [CardWorth(card, None, by_rank[rank - 1]) for rank, card in sorted(first.items())]
    return tuple(sorted(worths, key=lambda worth: -worth.points))


def _cards_left(sight: SeatSight) -> list[int]:
    """Estimate the number of cards in each seat's hand, assuming that all have played in turn.

    A seat has as many cards as the seat to play, or one less if it has already played in this round.
    """
    begun = sight.plays[0].seat if sight.plays else sight.seat
    order = [(seat - begun) % sight.players for seat in range(sight.players)]
    left = [len(sight.hand) - (place < order[sight.seat]) for place in order]
    return [max(number, 0) for number in left]


# --- in words ------------------------------------------------------------------------------------------


def _why_card(row: AdvisedCard, rows: Sequence[AdvisedCard], sight: SeatSight) -> str:
    is_best = row is rows[0]
    if is_best and len(rows) == 1:
        return f"Play the {row.card.rank.symbol}: nothing else fits"
    after = rows[1].outlook if is_best else None
    said = f"{'Play the' if is_best else 'The'} {row.card.rank.symbol}{said_now(row.outlook, after)}"
    replies = _describe_replies(row, sight)
    compared = _compared(rows[0].worth, rows[1].worth) if is_best else _less(rows[0].worth, row.worth)
    return ". ".join([said, *([replies] if replies else []), compared])


def _describe_replies(row: AdvisedCard, sight: SeatSight) -> str:
    """Describe the replies that score and their chance, a possible pair royal, and the chance of a go."""
    said = []
    if row.outlook.replies:
        named = said_replies(row.outlook.replies[:MOST_NAMED])
        more = ", among others" if len(row.outlook.replies) > MOST_NAMED else ""
        chance = "" if row.reply is None else f" ({row.reply:.0%} chance that your opponent can)"
        said.append(f"{named[0].upper()}{named[1:]}{more}{chance}")
        if row.outlook.counters:
            said.append(f"if it is paired, your other {row.card.rank.symbol} makes a pair royal")
    elif row.outlook.is_open:
        said.append("No card scores on it")
    if row.go is not None and row.go >= LIKELY and len(sight.hand) > 1:
        said.append(f"{row.go:.0%} chance that your opponent can't play")
    return "; ".join(said)


def _compared(best: CardWorth, second: CardWorth) -> str:
    after = second.card.rank.symbol
    if best.win is None or second.win is None:
        more = rounded_difference(best.points, second.points)
        than = f"{more:.1f} points more than" if more > 0 else "as many points as"
        return f"It scores {than} the {after}"
    shown, other = f"{best.win:.1%}", f"{second.win:.1%}"
    but = ", but a skunk is at stake" if best.win < second.win else ""
    return f"You win {shown} from here, " + (
        f"as with the {after}" if shown == other else f"{other} with the {after}{but}"
    )


def _less(best: CardWorth, worth: CardWorth) -> str:
    if best.win is None or worth.win is None:
        less = rounded_difference(best.points, worth.points)
        return f"{less:.1f} points less than the best" if less > 0 else "As good as the best"
    return f"You win {worth.win:.1%}"
