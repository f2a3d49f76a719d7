"""Advice and reviews for programs, and what they are asked with; both load NumPy when first asked."""

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

if TYPE_CHECKING:  # they load NumPy
    from cribpi.cribbage.players.advice import Advised, AdvisedCard
    from cribpi.cribbage.review.review import Review

Scores = str | tuple[int, int]
"""One's own score and the best of the others': `"96-101"` or `(96, 101)`."""


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
    """Weigh every way to discard, or with *play* every card that fits, the best first.

    Args:
        about: What a seat of a `Game` sees, from `Game.sight`, and nothing else; or the cards you were dealt,
            each with its suit; or with *play* those you have left, where ranks alone are enough.
        play: The cards of this count in order; none if you lead.
        before: The cards of the counts before, in order.
        starter: Without it there is no chance of winning in the play.
        discards: What you discarded.
        dealer: Whether you deal; in the play it is found from the cards if it is left out.
        score: Yours and the best of the others'.
        rules: A set of rules for two by its name, or from `rules`.

    Returns:
        `Advised` for a discard, `AdvisedCard` for a card: `win` is a chance from 0 to 1, points are averages,
        and `why` is a sentence.  Empty if no card fits: say go.

    Raises:
        ParseError: If cards or scores can't be read, or are too many or too few.
        RuleError: If a pack can't hold the cards, or the seat has nothing to decide.
        UserError: If the cards can't have been played like this; or if NumPy or a table can't be loaded.
    """
    if isinstance(about, SeatSight):
        if max(about.scores) >= about.rules.target:
            raise GameIsOver("the game is over: there is nothing left to decide")
        if about.turn == about.seat:
            return advise_card(about)
        if about.starter is None and not about.discards:
            return advise_discard(about)
        raise WrongPhase(f"seat {about.seat} has nothing to decide now: ask for the seat whose turn it is")
    found = rules_of(rules)
    if play is None:
        for name, cards_of_play in (("before", before), ("starter", starter), ("discards", discards)):
            if cards_of_play:
                raise BadArgument(f"{name} belongs to the play: give the cards of this count as play")
        if dealer is None:
            raise BadArgument("dealer: whose crib is it? give dealer=True if it is yours, else dealer=False")
        return advise_discard(sight_of_dealt(about, score, found, is_dealer=dealer))
    scores = scores_of(score, found)
    cards = cards_in_play(about, play, before, starter, discards, found)
    return advise_card(sight_in_play(cards, scores, found, is_dealer=dealer))


def advise_discard(sight: SeatSight) -> tuple[Advised, ...]:
    """Return the advice on the discard of the seat that sees *sight*, as `advise`."""
    _check_tables(sight.rules)
    with needs_numpy():  # imported only now, so that what is invalid is refused at once
        from cribpi.cribbage.players import advice  # noqa: PLC0415
    return advice.advise(sight)


def advise_card(sight: SeatSight) -> tuple[AdvisedCard, ...]:
    """Return the advice on the card of the seat that sees *sight*, as `advise`."""
    _check_tables(sight.rules)
    with needs_numpy():  # as above
        from cribpi.cribbage.players import advice  # noqa: PLC0415
    return advice.advise_card(sight, advice.card_worths(sight)) if sight.playable else ()


def _check_tables(rules: Rules) -> None:
    if rules.is_five_card:
        raise BadArgument(
            "rules: there is no advice on five-card, because the tables are for hands of four cards"
        )


def review(game: Game) -> Review:
    """Weigh each decision of a game, as far as it was played: what it cost, and what was luck.

    Returns:
        A `Review`: `decisions` in order, each with `seat`, `lost` and `mark`; `accuracy(seat)`, 0 to 1;
        `course`, the chance of winning deal by deal; and `lacking`, what can't be reviewed and why.  It is
        explained in docs/reference/review.md.  It takes a second or so for a game on a laptop.

    Raises:
        UserError: If NumPy or a table can't be loaded.
    """
    with needs_numpy("a review"):
        from cribpi.cribbage.review.review import review as weigh  # noqa: PLC0415
    return weigh(game.events)


@contextmanager
def needs_numpy(what: str = "advice") -> Iterator[None]:
    """Name the remedy if an import fails, as without NumPy.

    Raises:
        UserError: If it fails.
    """
    try:
        yield
    except ImportError as missing:
        from cribpi.cribbage.players.fallback import reason  # noqa: PLC0415  seldom is it missing

        raise UserError(
            f"{what} needs NumPy, which can't be loaded ({reason(missing)}): install it, or reinstall cribpi"
        ) from None


# --- what is asked -------------------------------------------------------------------------------------


def scores_of(score: Scores, rules: Rules) -> tuple[int, int]:
    """Return one's own score and the best of the others'.

    Raises:
        BadArgument: If *score* is not two scores, or one at which the game is won.
    """
    text = score if isinstance(score, str) else "-".join(map(str, score))
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*", text)
    if found is None:
        raise BadArgument(f"score {shown(text, str)}: write your score and your opponent's, such as 96-101")
    mine, theirs = int(found[1]), int(found[2])
    for one in (mine, theirs):
        if one >= rules.target:
            raise BadArgument(
                f"score {shown(text, str)}: {one} has won a game to {rules.target}; give scores below that"
            )
    return mine, theirs


def sight_of_dealt(hand: given.Cards, score: Scores, rules: Rules, *, is_dealer: bool) -> SeatSight:
    """Return what seat 0 sees if it was dealt *hand*.

    Raises:
        ParseError: If these are not the right number of cards with suits, or not a score of a game.
        ImpossibleCards: If a pack can't hold them.
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
        ParseError: If they are not cards, or too many or too few, or a count is over 31 or closed.
        ImpossibleCards: If a pack can't hold them.
    """
    parts = [text_of(part or "") for part in (hand, play, before, starter, discards)]
    mine, pile, earlier, turned_up, away = map(parse_cards, parts)
    check_possible((*mine, *pile, *earlier, *turned_up, *away))
    if not 1 <= len(mine) <= rules.sizes.hand:
        raise BadArgument(f"hand {shown(parts[0])}: you have one to four cards left when you play")
    if starter is not None and len(turned_up) != 1:
        raise BadArgument(f"starter {shown(parts[3])}: the starter is one card")
    needed = rules.sizes.discarded
    if discards is not None and len(away) != needed:
        raise BadArgument(f"discards {shown(parts[4])}: with {rules.players} players you discard {needed}")
    count = count_of(pile)
    if count >= LIMIT:
        what = "over 31: a count ends there" if count > LIMIT else "a count that is over"
        raise BadArgument(
            f'play {shown(parts[1])} is {count}, {what}; "before" is for the cards of earlier counts'
        )
    return Cards(mine, pile, earlier, turned_up[0] if turned_up else None, away)


def sight_in_play(
    cards: Cards, scores: tuple[int, int], rules: Rules, *, is_dealer: bool | None
) -> SeatSight:
    """Return what seat 0 sees; *is_dealer* is None if it is not known whether it deals.

    Raises:
        UserError: If the cards can't have been played like this, or NumPy can't be loaded.
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
