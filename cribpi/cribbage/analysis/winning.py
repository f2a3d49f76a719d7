"""The dealer's chance of winning from every pair of scores, for two sides, by backward induction.

The chance depends only on who deals and on the points that each side still needs, so one table serves every
target.  `chances[d, p]` is the dealer's chance before the deal if the dealer has *d* points to go and pone
*p*, 0 to 121.  A side with 0 to go has won.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Final

import numpy as np

from cribpi.cribbage.analysis.discard.habits import discard_table
from cribpi.cribbage.analysis.pack import Floats
from cribpi.cribbage.analysis.pegging.policy import pegging
from cribpi.cribbage.analysis.tables import Arrays, TablesError, Tell, load
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules import seats

_LOG: Final = logging.getLogger(__name__)

Chances = Floats
"""The dealer's chances by the dealer's and pone's points to go: shape (122, 122)."""

LONGEST: Final = 121
"""Maximum points to go: the whole board."""

SIZE: Final = LONGEST + 1

SCALE: Final = 65_535
"""The shipped table stores chances as integers: 65,535 is a chance of 1."""

ENDGAME: Final = 25
"""`DealPoints.endgame` is 0 if a side has more points to go than this."""

_TO_GO: Final = np.arange(SIZE)

_JACKS: Final = 4 / 52


@dataclass(frozen=True)
class DealPoints:
    """The probabilities of the points in one deal, in the order of the game.

    The parts are treated as independent, which is not exact, because all hands share the starter.
    `docs/explanation/analysis.md` shows the size of the error.
    """

    heels: float
    """The probability of his heels; 0 if the rules give no points for them."""
    play: Floats
    """The probability of the dealer's points in the play (row) and pone's (column); sums to 1."""
    first: Floats
    """The probability that in the play the dealer reaches the row's points before pone reaches the column's.

    Has the shape of *play*, but does not sum to 1.
    """
    pone_hand: Floats
    """The probability of each count of pone's hand, 0 to 29; *dealer_hand* and *crib* are like it."""
    dealer_hand: Floats
    crib: Floats
    heels_points: int = 2
    hands: int = 1
    """The number of hands that each side shows: 1, or 2 with four players.  The sides alternate."""
    endgame: Chances = field(default_factory=partial(np.zeros, (SIZE, SIZE)))
    """The gain in the dealer's chance if both sides play to the score, by points to go.

    It is the argument *more* of `lifted`, and applies before a deal and before its play.
    """
    worth: Floats = field(default_factory=partial(np.ones, SIZE))
    """The worth of a win, 0.5 to 1, by the loser's points to go.  A loss is worth 1 minus that.

    If skunks don't count it is 1 everywhere, and the worth of a game is the chance of winning it.
    """

    @cached_property
    def pegged(self) -> Floats:
        """The average points of the dealer's side and pone's in the play: (2,)."""
        points = np.arange(len(self.play))
        return np.array([self.play.sum(axis=1) @ points, self.play.sum(axis=0) @ points])

    @cached_property
    def steps(self) -> tuple[Chances, Chances, Chances]:
        """The transition matrices of pone's hand, the dealer's hand and the crib, by points to go."""
        return advance(self.pone_hand), advance(self.dealer_hand), advance(self.crib)

    @cached_property
    def neither(self) -> Chances:
        """The chance that neither side goes out in the play, by points to go."""
        rows, columns = self.play.shape
        never = np.ones((SIZE, SIZE))
        sums = self.play.cumsum(axis=0).cumsum(axis=1)
        places = _TO_GO - 1
        never[1:, 1:] = sums[np.minimum(places[1:], rows - 1)][:, np.minimum(places[1:], columns - 1)]
        never[0], never[:, 0] = 0.0, 0.0
        return never

    @cached_property
    def out(self) -> Chances:
        """The part of the dealer's expected worth that comes from games ending in the play, by points to go.

        The loser is assumed to have pegged half of its points in a full play.
        """
        if (self.worth == 1).all():
            return self.home
        home = _worth_in_the_play(self.worth, self.play)
        away = _worth_in_the_play(self.worth, self.play.T).T
        return np.asarray(self.home * home + (1.0 - self.home - self.neither) * (1.0 - away))

    @cached_property
    def least(self) -> Chances:
        """The minimum worth of a game to the dealer, that of a loss, by points to go."""
        return np.asarray(np.broadcast_to(1.0 - self.worth, (SIZE, SIZE)).T)

    @cached_property
    def most(self) -> Chances:
        """The maximum worth of a game to the dealer, that of a win, by points to go."""
        return np.asarray(np.broadcast_to(self.worth, (SIZE, SIZE)))

    @cached_property
    def home(self) -> Chances:
        """The chance that the dealer goes out in the play, before pone does, by points to go."""
        rows, columns = self.first.shape
        home = np.zeros((SIZE, SIZE))
        home[:rows, :columns] = self.first
        home[:rows, columns:] = self.play.sum(axis=1)[::-1].cumsum()[::-1, None]  # pone can't peg that many
        home[0] = 1.0
        return home


@dataclass(frozen=True)
class Stages:
    """The dealer's chances at the stages of a deal, each by the points to go at that stage."""

    deal: Chances
    """Before the starter is turned."""
    play: Chances
    """Before the first card is played."""
    shows: tuple[Chances, ...]
    """The chances just before each hand is shown, in order: pone's first."""
    crib: Chances
    """Before the crib is shown, which comes last."""


def solve(points: DealPoints) -> Chances:
    """Return the dealer's chances before a deal, if every deal has the distribution *points*.

    Backward induction alone is not enough: after a deal in which nobody scores, the scores are the same and
    the deal has passed.  So this iterates until no chance changes by more than 1e-12.
    """
    chances: Chances = np.full((SIZE, SIZE), 0.5)
    while True:
        following = stages(points, chances).deal
        if np.abs(following - chances).max() < 1e-12:
            return following
        chances = following


def stages(points: DealPoints, chances: Chances) -> Stages:
    """Return the dealer's chance of winning at each stage of a deal whose points are distributed as *points*.

    *chances* is the chance of the next dealer, before the next deal.
    """
    worth = points.worth
    after = settled(1.0 - chances.T, worth)  # the deal passes to pone
    by_pone, by_dealer, by_crib = points.steps
    crib = settled(by_crib @ after, worth)
    shows = [crib]
    for _ in range(points.hands):
        shows.append(settled(by_dealer @ shows[-1], worth))
        shows.append(settled(shows[-1] @ by_pone.T, worth))
    play: Chances = points.out.copy()
    for dealer, pone in np.argwhere(points.play).tolist():
        after_it = shows[-1][1 : SIZE - dealer, 1 : SIZE - pone]
        play[dealer + 1 :, pone + 1 :] += points.play[dealer, pone] * after_it
    play = settled(play, worth)
    with_heels = np.maximum(_TO_GO - points.heels_points, 0)
    deal = (1.0 - points.heels) * play + points.heels * play[with_heels]
    deal, play = (
        settled(lifted(stage, points.endgame, points.least, points.most), worth) for stage in (deal, play)
    )
    return Stages(deal, play, tuple(shows[:0:-1]), crib)


def lifted(chances: Floats, more: Floats | float, least: Floats | float, most: Floats | float) -> Floats:
    """Return *chances* moved by up to *more*, a share of the range from *least* to *most*.

    A chance in the middle of the range moves by all of *more*, -0.25 to 0.25; one nearer to an end moves
    less.  So the chances keep their order and stay in the range.

    >>> lifted(np.array([0.0, 0.1, 0.5, 1.0]), 0.05, 0.0, 1.0).round(3).tolist()
    [0.0, 0.118, 0.55, 1.0]
    """
    room = np.asarray(most) - least
    share = (chances - least) / np.where(room > 0, room, 1.0)
    return np.asarray(least + room * (share + 4 * share * (1.0 - share) * more))


def advance(probabilities: Floats) -> Floats:
    """Return the transition matrices of shows, from points to go before (rows) to points to go after.

    *probabilities* has the probability of each count in its last axis, which becomes the two axes of size
    `SIZE`.
    """
    points = _TO_GO[:, None] - _TO_GO
    likely = np.zeros((*probabilities.shape[:-1], SIZE + 1))  # the last entry stays 0, for points < 0
    likely[..., : probabilities.shape[-1]] = probabilities
    matrices: Floats = likely[..., np.where(points < 0, SIZE, points)]
    matrices[..., 0] = likely[..., SIZE - 1 :: -1].cumsum(axis=-1)[..., ::-1]
    return matrices


def settled(chances: Chances, worth: Floats | float = 1.0) -> Chances:
    """Return *chances* with the results of games already won: by the dealer in row 0, by pone in column 0.

    *worth* is `DealPoints.worth`.
    """
    settled = chances.copy()
    settled[:, 0] = 1.0 - worth
    settled[0, :] = worth
    return settled


def _worth_in_the_play(worth: Floats, play: Floats) -> Chances:
    """Return the mean worth of a win in the play, by the winner's points to go (rows) and the loser's.

    *play* is the probability of both sides' points in the play; rows are the winner's.
    """
    reached = play[::-1].cumsum(axis=0)[::-1]
    share = reached / np.maximum(reached.sum(axis=1, keepdims=True), 1e-12)
    half = np.arange(play.shape[1]) // 2
    # Rows are the loser's points to go, columns the points that the loser would peg in a full play.
    then = worth[np.maximum(_TO_GO[:, None] - half, 1)]
    rows = np.minimum(_TO_GO, len(share) - 1)
    return np.asarray(share[rows] @ then.T)


def average_deal(heels: int = 2, players: int = 2) -> DealPoints:
    """Return the points of an average deal between strong sides, with *heels* points for his heels.

    The shipped tables assume players who ignore the score.  With two *players*, `endgame` adds the measured
    gain of `expert` near the end (see `workshop.tables.endgame`); with four it has not been measured and is
    0.  It is also 0 if its table is missing; then a warning is logged.

    Raises:
        TablesError: If another shipped table is missing or damaged.
    """
    shows = discard_table(players)
    pegged = pegging(players)
    endgame = np.zeros((SIZE, SIZE))
    if players == 2:
        try:
            endgame = on_the_board(load("endgame-2").arrays["more"] / SCALE)
        except TablesError as trouble:
            _LOG.warning("the chances near the end are those of an average deal: %s", trouble)
    return DealPoints(
        heels=_JACKS if heels else 0.0,
        play=pegged.spread[0],
        first=pegged.first,
        pone_hand=shows.hand_points[1],
        dealer_hand=shows.hand_points[0],
        crib=shows.crib_points,
        heels_points=heels,
        hands=players // 2,
        endgame=endgame,
    )


def on_the_board(more: Floats) -> Chances:
    padded = np.zeros((SIZE, SIZE))
    padded[: len(more), : len(more)] = more
    return padded


@cache
def winning(players: int = 2) -> Chances:
    """Return the dealer's chances before a deal, by the dealer's and pone's points to go: shape (122, 122).

    With four *players*, they are the chances of the dealer's side.

    Raises:
        TablesError: If the shipped table is missing, damaged, of another format, or made for other rules.
    """
    return load(f"winning-{players}").arrays["chances"].astype(np.float64) / SCALE


def chance(score: int, other: int, *, is_dealer: bool, target: int = LONGEST, players: int = 2) -> float:
    """Return the chance, 0 to 1, that a side with *score* beats one with *other*, before a deal.

    Both sides are assumed to be strong players under the standard rules.

    >>> round(chance(0, 0, is_dealer=True), 2), round(chance(0, 0, is_dealer=False), 2)
    (0.56, 0.44)
    >>> chance(62, 60, is_dealer=True) == chance(2, 0, is_dealer=True, target=61)
    True

    Args:
        score: The side's front peg, 0 to *target* - 1.
        other: The other side's front peg, 0 to *target* - 1.
        is_dealer: Whether the side deals next.
        target: The game hole, 1 to 121.
        players: 2, or 4 as two pairs.

    Raises:
        ValueError: If the target or a score is out of range: a side at the game hole has already won.
        TablesError: If the shipped table is missing, damaged, of another format, or made for other rules.
    """
    if not 1 <= target <= LONGEST:
        raise ValueError(
            f"a game to {target}: the board has {LONGEST} holes, give a target from 1 to {LONGEST}"
        )
    for given in (score, other):
        if not 0 <= given < target:
            raise ValueError(
                f"a score of {given} in a game to {target}: give one from 0 to {target - 1}, "
                f"because a player with {target} has won"
            )
    own_to_go, other_to_go = target - score, target - other
    chances = winning(players)
    return float(chances[own_to_go, other_to_go] if is_dealer else 1.0 - chances[other_to_go, own_to_go])


def winning_table(players: int, tell: Tell) -> Arrays:
    """Compute the table that `winning` reads from the other tables.

    Raises:
        TablesError: If another table is missing or damaged, including that of the endgame.
    """
    if players == 2:
        load("endgame-2")  # without it, `average_deal` would fall back to average deals alone
    chances = solve(average_deal(players=players))
    tell(
        f"from the start of a game to 121 the dealer wins {chances[121, 121]:.4f}, to 61 "
        f"{chances[61, 61]:.4f}"
    )
    return {"chances": np.rint(chances * SCALE).astype(np.uint16)}


# --- in the middle of a game ---------------------------------------------------------------------------

EVEN: Final = 0.5
"""The chance of each side before the dealer is known."""


@cache
def _stages(players: int) -> Stages:
    return stages(average_deal(players=players), winning(players))


def chances_now(state: State) -> tuple[float, float] | None:
    """Return both sides' chances of winning, 0 to 1, adding up to 1.

    None without a game, with three players, or in five-card cribbage.

    The chances depend on the scores, the dealer, and the progress of the deal, which everyone can see.  All
    cards are ignored, even those face up: hands, crib and starter count as average ones of strong players.

    In the show, hands that are still to be counted matter.  In the play, each card moves the chance from that
    before the play towards that after it.  In points mode the cards played are unknown, so the chance stays
    as it was before the play.

    Raises:
        TablesError: If a shipped table is missing or damaged.
    """
    if state.players not in {2, 4} or state.rules.is_five_card:
        return None
    if state.winner is not None:
        first = float(state.winner == 0)
    elif state.deal is None:
        first = EVEN
    else:
        deal = state.deal
        to_go = [state.rules.target - score for score in state.scores()]
        side = seats.side_of(deal.dealer, state.players)
        score = (to_go[side], to_go[1 - side])
        chances = _stages(state.players)
        match state.phase:
            case Phase.PLAY:
                played = len(deal.order) / (state.players * seats.HAND)
                chance = float((1 - played) * chances.play[score] + played * chances.shows[0][score])
            case Phase.SHOW:
                chance = float(chances.shows[deal.shown][score])
            case Phase.CRIB:
                chance = float(chances.crib[score])
            case _:
                chance = float(chances.deal[score])
        chance = min(max(chance, 0.0), 1.0)  # sums of floats can miss this range by a rounding error
        first = 1.0 - chance if side else chance
    return first, 1.0 - first
