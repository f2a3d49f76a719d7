"""The dealer's chance of winning from every pair of scores, for two sides, solved back from the end.

The chance depends only on the points each side still needs and on who deals, so one table serves every
target: `chances[d, p]` is the dealer's chance before the deal, with *d* points to go for the dealer and *p*
for pone, 0 to 121.  0 is the game hole.
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
"""The most points to go: the whole board."""

SIZE: Final = LONGEST + 1

SCALE: Final = 65_535
"""The shipped chances are integers: multiples of 1 / 65,535."""

ENDGAME: Final = 25
"""The most points to go at which `DealPoints.endgame` says more than the average deal."""

_TO_GO: Final = np.arange(SIZE)

_JACKS: Final = 4 / 52


@dataclass(frozen=True)
class DealPoints:
    """The probabilities of the points in one deal, in the order of the game.

    The parts are treated as independent.  They are not quite, as all hands share the starter;
    `docs/explanation/analysis.md` says how much that matters.
    """

    heels: float
    """The probability of his heels; 0 where the rules give nothing for them."""
    play: Floats
    """By the dealer's points in the play (row) and pone's (column); sums to 1."""
    first: Floats
    """That the dealer reaches so many points in the play (row) before pone reaches so many (column).

    Has the shape of *play*, and is the one array that does not sum to 1.
    """
    pone_hand: Floats
    """By points, 0 to 29."""
    dealer_hand: Floats
    crib: Floats
    heels_points: int = 2
    hands: int = 1
    """How many hands each side shows: with four players two, by turns, pone's first."""
    endgame: Chances = field(default_factory=partial(np.zeros, (SIZE, SIZE)))
    """How much more often the dealer wins, before a deal and its play, where both play to the score.

    As `lifted` takes it: a chance of a half is more by so much, and one of nearly 0 or 1 by nearly nothing.
    """
    worth: Floats = field(default_factory=partial(np.ones, SIZE))
    """What it is worth to win when the other has so many points to go, 0.5 to 1; to lose is the rest to 1.

    All 1 where a win is a win: then what a game is worth is the chance of winning it.
    """

    @cached_property
    def pegged(self) -> Floats:
        """What the dealer's side and pone's peg in the play on average: (2,)."""
        points = np.arange(len(self.play))
        return np.array([self.play.sum(axis=1) @ points, self.play.sum(axis=0) @ points])

    @cached_property
    def steps(self) -> tuple[Chances, Chances, Chances]:
        """The transition matrices of pone's hand, the dealer's hand and the crib, by points to go."""
        return advance(self.pone_hand), advance(self.dealer_hand), advance(self.crib)

    @cached_property
    def neither(self) -> Chances:
        """The chance that nobody goes out in the play, by points to go."""
        rows, columns = self.play.shape
        never = np.ones((SIZE, SIZE))
        sums = self.play.cumsum(axis=0).cumsum(axis=1)
        places = _TO_GO - 1
        never[1:, 1:] = sums[np.minimum(places[1:], rows - 1)][:, np.minimum(places[1:], columns - 1)]
        never[0], never[:, 0] = 0.0, 0.0
        return never

    @cached_property
    def out(self) -> Chances:
        """What it is worth to the dealer that a side may go out in the play, by points to go.

        The other is taken to have pegged half of what it would have in the whole play.
        """
        if (self.worth == 1).all():
            return self.home
        home = _worth_in_the_play(self.worth, self.play)
        away = _worth_in_the_play(self.worth, self.play.T).T
        return np.asarray(self.home * home + (1.0 - self.home - self.neither) * (1.0 - away))

    @cached_property
    def least(self) -> Chances:
        """What the dealer has at least, by points to go: to lose."""
        return np.asarray(np.broadcast_to(1.0 - self.worth, (SIZE, SIZE)).T)

    @cached_property
    def most(self) -> Chances:
        """What the dealer has at most, by points to go: to win."""
        return np.asarray(np.broadcast_to(self.worth, (SIZE, SIZE)))

    @cached_property
    def home(self) -> Chances:
        """The chance that the dealer goes out in the play, before pone does, by points to go."""
        rows, columns = self.first.shape
        home = np.zeros((SIZE, SIZE))
        home[:rows, :columns] = self.first
        home[:rows, columns:] = self.play.sum(axis=1)[::-1].cumsum()[::-1, None]  # pone can't get there
        home[0] = 1.0
        return home


@dataclass(frozen=True)
class Stages:
    """The dealer's chances at each stage of a deal, by the points to go at that stage."""

    deal: Chances
    """Before the starter is turned."""
    play: Chances
    """Before the first card is played."""
    shows: tuple[Chances, ...]
    """Before each hand is shown, in order: pone's first."""
    crib: Chances
    """When only the crib is left to show."""


def solve(points: DealPoints) -> Chances:
    """Return the dealer's chances before a deal, when each deal brings *points*.

    A deal in which nobody pegs leads back to the same scores with the deal passed on, so this iterates until
    no chance changes by more than 1e-12.
    """
    chances: Chances = np.full((SIZE, SIZE), 0.5)
    while True:
        following = stages(points, chances).deal
        if np.abs(following - chances).max() < 1e-12:
            return following
        chances = following


def stages(points: DealPoints, chances: Chances) -> Stages:
    """Return the chances at each stage of a deal that brings *points*, from the *chances* after it."""
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
    """Return *chances*, between *least* and *most*, moved by *more*, -0.25 to 0.25, where they are halfway.

    Towards both ends they are moved by less: they keep their order, and stay between *least* and *most*.

    >>> lifted(np.array([0.0, 0.1, 0.5, 1.0]), 0.05, 0.0, 1.0).round(3).tolist()
    [0.0, 0.118, 0.55, 1.0]
    """
    room = np.asarray(most) - least
    share = (chances - least) / np.where(room > 0, room, 1.0)
    return np.asarray(least + room * (share + 4 * share * (1.0 - share) * more))


def advance(probabilities: Floats) -> Floats:
    """Return the transition matrices of points to go (rows to columns) for shows of these *probabilities*.

    The last axis is the points shown, and becomes two of the size `SIZE`.
    """
    points = _TO_GO[:, None] - _TO_GO
    likely = np.zeros(
        (*probabilities.shape[:-1], SIZE + 1)
    )  # the last one stays 0, and stands for points < 0
    likely[..., : probabilities.shape[-1]] = probabilities
    matrices: Floats = likely[..., np.where(points < 0, SIZE, points)]
    matrices[..., 0] = likely[..., SIZE - 1 :: -1].cumsum(axis=-1)[..., ::-1]
    return matrices


def settled(chances: Chances, worth: Floats | float = 1.0) -> Chances:
    """Return *chances* with what is settled where the dealer (row) or pone (column) has no points to go.

    *worth* is as in `DealPoints`.
    """
    settled = chances.copy()
    settled[:, 0] = 1.0 - worth
    settled[0, :] = worth
    return settled


def _worth_in_the_play(worth: Floats, play: Floats) -> Chances:
    """Return what winning in the play is worth on average, by the winner's (rows) and loser's points to go.

    *play* is what both peg in it, the winner in rows.
    """
    reached = play[::-1].cumsum(axis=0)[::-1]
    share = reached / np.maximum(reached.sum(axis=1, keepdims=True), 1e-12)
    half = np.arange(play.shape[1]) // 2
    # By the loser's points to go, and what the loser pegs in the whole play.
    then = worth[np.maximum(_TO_GO[:, None] - half, 1)]
    rows = np.minimum(_TO_GO, len(share) - 1)
    return np.asarray(share[rows] @ then.T)


def average_deal(heels: int = 2, players: int = 2) -> DealPoints:
    """Return what a deal brings between two sides of strong players, with *heels* points for his heels.

    It is that of players who keep and play alike at every score; with two *players*, with what `expert` was
    found to win more often near the end: see `workshop.tables.endgame`.  With four it is not known.

    Without the table of the endgame it is that of an average deal alone, with a line in the log.

    Raises:
        TablesError: If another shipped table it needs is missing or damaged.
    """
    shows, pegged, endgame = discard_table(players), pegging(players), np.zeros((SIZE, SIZE))
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
    """Return *more*, for the last holes, as an array for the whole board: 0 elsewhere."""
    every = np.zeros((SIZE, SIZE))
    every[: len(more), : len(more)] = more
    return every


@cache
def winning(players: int = 2) -> Chances:
    """Return the dealer's chances before a deal, by the dealer's and pone's points to go: shape (122, 122).

    With four *players* they are those of the dealer's side.

    Raises:
        TablesError: If the shipped table is missing, damaged, of another format, or made for other rules.
    """
    return load(f"winning-{players}").arrays["chances"].astype(np.float64) / SCALE


def chance(score: int, other: int, *, is_dealer: bool, target: int = LONGEST, players: int = 2) -> float:
    """Return the chance, 0 to 1, that a side with *score* beats one with *other*, before a deal.

    It assumes strong players and standard rules.  Only the points that each side still needs matter, so
    every *target* from 1 to 121 will do.

    >>> round(chance(0, 0, is_dealer=True), 2), round(chance(0, 0, is_dealer=False), 2)
    (0.56, 0.44)
    >>> chance(62, 60, is_dealer=True) == chance(2, 0, is_dealer=True, target=61)
    True

    Args:
        score: The side's front peg, 0 to *target* - 1.
        other: The other side's, likewise.
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
    for one in (score, other):
        if not 0 <= one < target:
            raise ValueError(
                f"a score of {one} in a game to {target}: give one from 0 to {target - 1}, "
                f"because a player with {target} has won"
            )
    mine, theirs = target - score, target - other
    before = winning(players)
    return float(before[mine, theirs] if is_dealer else 1.0 - before[theirs, mine])


def winning_table(players: int, tell: Tell) -> Arrays:
    """Make the table that `winning` reads, from the other tables.

    Raises:
        TablesError: If one of them is missing or damaged, that of the endgame included.
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
"""The chance before anybody has cut."""


@cache
def _stages(players: int) -> Stages:
    return stages(average_deal(players=players), winning(players))


def chances_now(state: State) -> tuple[float, float] | None:
    """Return both sides' chances of winning, 0 to 1, adding up to 1.

    None without a game, with three, or at five-card.

    They are by what the whole table sees: the scores, who deals, and how far the deal has come.  No card is
    looked at, closed or open: hands, crib and starter count as the average between strong players.

    Before the play it is that of the table, in the show that of the hands and the crib that are still to be
    counted.  In the play it goes over, with each card, from the chance before the play to the one after it;
    where cards are not entered it stays with the first.

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
        deal, to_go = state.deal, [state.rules.target - score for score in state.scores()]
        side = seats.side_of(deal.dealer, state.players)
        at, of = (to_go[side], to_go[1 - side]), _stages(state.players)
        match state.phase:
            case Phase.PLAY:
                played = len(deal.order) / (state.players * seats.HAND)
                chance = float((1 - played) * of.play[at] + played * of.shows[0][at])
            case Phase.SHOW:
                chance = float(of.shows[deal.shown][at])
            case Phase.CRIB:
                chance = float(of.crib[at])
            case _:
                chance = float(of.deal[at])
        chance = min(max(chance, 0.0), 1.0)  # the sums behind it are out by a rounding
        first = 1.0 - chance if side else chance
    return first, 1.0 - first
