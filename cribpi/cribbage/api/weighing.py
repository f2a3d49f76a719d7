"""Advice and reviews for programs, and the parsing of their arguments; both load NumPy on first use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, overload

from cribpi.cribbage.api import given
from cribpi.cribbage.api.game import Game
from cribpi.cribbage.api.given import rules_of, text_of
from cribpi.cribbage.game.cards import check_possible
from cribpi.cribbage.game.play import LIMIT, count_of
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.play_inference import Cards, sight_of_cards
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import BadArgument, GameIsOver, ParseError, UserError, WrongPhase
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import amount, shown
from cribpi.cribbage.words.cards import parse_cards

if TYPE_CHECKING:  # these modules load NumPy
    from cribpi.cribbage.players.advice import Advised, AdvisedCard
    from cribpi.cribbage.review.review import Review

Scores = str | tuple[int, int]
"""The player's own score and the best of the others': `"96-101"` or `(96, 101)`."""


@overload
def advise(about: SeatSight) -> tuple[Advised, ...] | tuple[AdvisedCard, ...]: ...
@overload
def advise(
    about: given.Cards, *, dealer: bool, score: Scores = "0-0", rules: str | Rules = "standard"
) -> tuple[Advised, ...]: ...
@overload
def advise(
    about: given.Cards,
    *,
    play: given.Cards,
    before: given.Cards = "",
    starter: given.Cards | None = None,
    discards: given.Cards | None = None,
    dealer: bool | None = None,
    score: Scores = "0-0",
    rules: str | Rules = "standard",
) -> tuple[AdvisedCard, ...]: ...
def advise(
    about: SeatSight | given.Cards,
    *,
    play: given.Cards | None = None,
    before: given.Cards = "",
    starter: given.Cards | None = None,
    discards: given.Cards | None = None,
    dealer: bool | None = None,
    score: Scores = "0-0",
    rules: str | Rules = "standard",
) -> tuple[Advised, ...] | tuple[AdvisedCard, ...]:
    """Evaluate every way to discard, or with *play* every card that fits, the best first.

    Args:
        about: The view of a seat of a `Game`, from `Game.sight`, without other arguments; or the cards dealt
            to you, each with its suit; or with *play* the cards you have left, for which ranks are enough.
        play: The cards of this count in order; empty if you lead.
        before: The cards of the counts before, in order.
        starter: The starter; without it, the play has no chance of winning.
        discards: Your discard.
        dealer: Whether you deal; in the play it is inferred from the cards if left out.
        score: Your score and the best of the others'.
        rules: A set of rules for two by its name, or from `rules`.

    Returns:
        `Advised` for a discard, `AdvisedCard` for a card: `win` is a chance from 0 to 1, points are averages,
        and `why` is a sentence.  Empty if no card fits, so that you must say go.

    Raises:
        ParseError: If cards or scores can't be parsed, or their number is wrong.
        RuleError: If one pack can't hold the cards, or the seat has no decision to make.
        UserError: If the cards can't have been played under the rules, or NumPy or a table can't be loaded.
    """
    if isinstance(about, SeatSight):
        if max(about.scores) >= about.rules.target:
            raise GameIsOver("the game is over: there is nothing left to decide")
        if about.turn == about.seat:
            return advise_card(about)
        if about.starter is None and not about.discards:
            return advise_discard(about)
        raise WrongPhase(f"seat {about.seat} has nothing to decide now: ask for the seat whose turn it is")
    resolved = rules_of(rules)
    if play is None:
        for name, cards_of_play in (("before", before), ("starter", starter), ("discards", discards)):
            if cards_of_play:
                raise BadArgument(f"{name} belongs to the play: give the cards of this count as play")
        if dealer is None:
            raise BadArgument("dealer: whose crib is it? give dealer=True if it is yours, else dealer=False")
        return advise_discard(sight_of_dealt(about, score, resolved, is_dealer=dealer))
    scores = scores_of(score, resolved)
    cards = cards_in_play(about, play, before, starter, discards, resolved)
    return advise_card(sight_in_play(cards, scores, resolved, is_dealer=dealer))


def advise_discard(sight: SeatSight) -> tuple[Advised, ...]:
    """Return the advice on the discard of the seat with *sight*: see `advise`."""
    _check_tables(sight.rules)
    with needs_numpy():  # imported late, so that invalid arguments are refused at once
        from cribpi.cribbage.players import advice  # noqa: PLC0415
    return advice.advise(sight)


def advise_card(sight: SeatSight) -> tuple[AdvisedCard, ...]:
    """Return the advice on the card of the seat with *sight*: see `advise`."""
    _check_tables(sight.rules)
    with needs_numpy():  # imported late, so that invalid arguments are refused at once
        from cribpi.cribbage.players import advice  # noqa: PLC0415
    return advice.advise_card(sight, advice.card_worths(sight)) if sight.playable else ()


def _check_tables(rules: Rules) -> None:
    if rules.is_five_card:
        raise BadArgument(
            "rules: there is no advice on five-card, because the tables are for hands of four cards"
        )


def review(game: Game) -> Review:
    """Review a game as far as it was played: the cost of each decision, and luck.

    Returns:
        A `Review`: `decisions` in order, each with `seat`, `lost` and `mark`; `accuracy(seat)`, 0 to 1;
        `course`, the chance of winning deal by deal; and `lacking`, sentences on the parts that can't be
        reviewed.  See docs/reference/review.md.  On a laptop, a game takes about a second.

    Raises:
        UserError: If NumPy or a table can't be loaded.
    """
    with needs_numpy("a review"):
        from cribpi.cribbage.review.review import review as weigh  # noqa: PLC0415
    return weigh(game.events)


@contextmanager
def needs_numpy(what: str = "advice") -> Iterator[None]:
    """Return a context that converts an `ImportError`, as without NumPy, to a `UserError` with the remedy.

    Raises:
        UserError: If an import fails.
    """
    try:
        yield
    except ImportError as missing:
        from cribpi.cribbage.players.fallback import reason  # noqa: PLC0415  rarely needed

        raise UserError(
            f"{what} needs NumPy, which can't be loaded ({reason(missing)}): install it, or reinstall cribpi"
        ) from None


# --- arguments -----------------------------------------------------------------------------------------


def scores_of(score: Scores, rules: Rules) -> tuple[int, int]:
    """Return the player's own score and the best of the others'.

    Raises:
        BadArgument: If *score* is not two scores, or the game is won at one of them.
    """
    text = score if isinstance(score, str) else "-".join(map(str, score))
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*", text)
    if match is None:
        raise BadArgument(f"score {shown(text, str)}: write your score and your opponent's, such as 96-101")
    own, best_other = int(match[1]), int(match[2])
    for front in (own, best_other):
        if front >= rules.target:
            raise BadArgument(
                f"score {shown(text, str)}: {front} has won a game to {rules.target}; give scores below that"
            )
    return own, best_other


def sight_of_dealt(hand: given.Cards, score: Scores, rules: Rules, *, is_dealer: bool) -> SeatSight:
    """Return the view of seat 0 if it was dealt *hand*.

    Raises:
        ParseError: If the number of cards is wrong, a suit is missing, or the score is invalid.
        ImpossibleCards: If one pack can't hold the cards.
        UserError: If NumPy can't be loaded.
    """
    text, needed = text_of(hand), rules.sizes.dealt
    cards = parse_cards(text)
    check_possible(cards)
    if len(cards) != needed:
        raise ParseError(
            f"{shown(text.strip())} has {amount(len(cards), 'card')}: "
            f"with {rules.players} players you are dealt {needed}"
        )
    bare = [str(card) for card in cards if card.suit is None]
    if bare:
        raise ParseError(f"{bare[0]} has no suit: give each card with its suit, such as {bare[0]}H")
    scores = scores_of(score, rules)
    with needs_numpy():
        from cribpi.cribbage.players.advice import sight_for  # noqa: PLC0415
    return sight_for(cards, is_dealer=is_dealer, scores=scores, rules=rules)


def cards_in_play(
    hand: given.Cards,
    play: given.Cards,
    before: given.Cards,
    starter: given.Cards | None,
    discards: given.Cards | None,
    rules: Rules,
) -> Cards:
    """Return the cards of the play that seat 0 knows.

    Raises:
        ParseError: If they are not cards, their number is wrong, or the count is 31 or more.
        ImpossibleCards: If one pack can't hold the cards.
    """
    parts = [text_of(part or "") for part in (hand, play, before, starter, discards)]
    held, pile, earlier, turned_up, discarded = map(parse_cards, parts)
    check_possible((*held, *pile, *earlier, *turned_up, *discarded))
    if not 1 <= len(held) <= rules.sizes.hand:
        raise BadArgument(f"hand {shown(parts[0])}: you have one to four cards left when you play")
    if starter is not None and len(turned_up) != 1:
        raise BadArgument(f"starter {shown(parts[3])}: the starter is one card")
    needed = rules.sizes.discarded
    if discards is not None and len(discarded) != needed:
        raise BadArgument(f"discards {shown(parts[4])}: with {rules.players} players you discard {needed}")
    count = count_of(pile)
    if count >= LIMIT:
        what = "over 31: a count ends there" if count > LIMIT else "a count that is over"
        raise BadArgument(
            f'play {shown(parts[1])} is {count}, {what}; "before" is for the cards of earlier counts'
        )
    return Cards(held, pile, earlier, turned_up[0] if turned_up else None, discarded)


def sight_in_play(
    cards: Cards, scores: tuple[int, int], rules: Rules, *, is_dealer: bool | None
) -> SeatSight:
    """Return the view of seat 0; *is_dealer* is None if the dealer is not known.

    Raises:
        UserError: If the cards can't have been played under the rules, or NumPy can't be loaded.
    """
    others = range(1, rules.players)
    if is_dealer:
        dealers: tuple[int, ...] = (0,)
    elif is_dealer is False:
        dealers = tuple(seat for seat in others if seats.side_of(seat, rules.players) != 0)
    else:
        dealers = (0, *others)
    with needs_numpy():
        from cribpi.cribbage.players.advice import of_sides  # noqa: PLC0415
    return sight_of_cards(cards, rules, dealers, of_sides(scores, rules.players))
