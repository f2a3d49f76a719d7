"""Cribbage for reinforcement learning: a PettingZoo environment with the AEC interface.

It needs the extra `rl`; only this module imports PettingZoo and Gymnasium.  Agent `player_N` has seat N; with
four, `player_0` and `player_2` are partners.

Agents choose only discards and plays.  Go is automatic, because it is legal only if no card fits; hands and
the crib are counted, and his heels taken, automatically.  Seats discard one after the other, from the
dealer's left, and do not see each other's discards.

Cards are numbered as in `PACK`: clubs, diamonds, hearts, spades, each from the ace up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from math import prod
from random import Random
from typing import Any, Final, Literal

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from cribpi.cribbage.api.game import Game
from cribpi.cribbage.api.given import rules_of
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import CardPlayed, Discarded, Event, GoSaid
from cribpi.cribbage.game.legal import deciders, legal
from cribpi.cribbage.game.play import LIMIT
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules

_NUMBERS: Final = {card: number for number, card in enumerate(PACK)}

Reward = Literal["game", "points"]


def env(players: int = 2, rules: str | Rules = "standard", reward: Reward = "game") -> OrderEnforcingWrapper:
    """Return an environment for 2, 3 or 4 *players*, which ends with the game.

    An action that the mask forbids raises a `RuleError` and changes nothing.

    Args:
        players: The number of agents.
        rules: A set of rules by its name, or from `cribpi.rules`; agents always count correctly and take his
            heels.
        reward: `game` gives 1 to the winner, or to both partners, and shares -1 among the other sides: with
            three players, -0.5 to each.  `points` gives, after each step, the points that the agent's side
            has pegged, less the mean of the others.

    Raises:
        BadSetup: If the rules do not exist for that many players.
        ValueError: If *reward* is not one of these.
    """
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(CribbageEnv(players, rules, reward)))


def actions(players: int) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of each action, by its number: 52 plays of a card, then all possible discards.

    A discard is a pair with two players, in the order of `combinations(PACK, 2)`; with more, a card.

    >>> [len(actions(players)) for players in (2, 3, 4)]
    [1378, 104, 104]
    >>> actions(2)[52]
    (Card.parse('AC'), Card.parse('2C'))
    """
    return (*((card,) for card in PACK), *combinations(PACK, seats.usual(players).discarded))


def layout(players: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each part of an observation, which has all parts flattened and concatenated.

    All values are from 0 to 1.  Seats are counted from the agent's own to the left, and so are sides.  Unused
    rows are 0.

    - hand, discards, starter, pile: a 1 for each card: those that the agent holds, its own discards, the
      starter, the cards of this count
    - plays: a row for each card played in this deal, in order: 1 at the card, then at the seat
    - goes: a row for each go in this deal, in order: 1 at the seat, then the count / 31, then the number of
      cards that the seat had played / 4
    - out, dealer, turn: 1 at the seats that said go in this count, at the dealer, and at the seat to play
    - scores: the score of each side / the target
    - count: the count / 31

    >>> [sum(map(prod, layout(players).values())) for players in (2, 3, 4)]
    [673, 956, 1287]
    """
    pack = (len(PACK),)
    # A go needs a count of 22 or more, because no card is more than 10; each seat says it once per count.
    goes = players * (10 * seats.HAND * players // 22)
    return {
        "hand": pack,
        "discards": pack,
        "starter": pack,
        "pile": pack,
        "plays": (seats.HAND * players, len(PACK) + players),
        "goes": (goes, players + 2),
        "out": (players,),
        "dealer": (players,),
        "turn": (players,),
        "scores": (seats.sides(players),),
        "count": (1,),
    }


def observation(sight: SeatSight) -> NDArray[np.float32]:
    """Return the view of a seat as an array with the parts of `layout`."""
    players = sight.players
    parts = {name: np.zeros(shape, np.float32) for name, shape in layout(players).items()}

    def to_left(seat: int) -> int:
        return (seat - sight.seat) % players

    starter = (sight.starter,) if sight.starter else ()
    for name, cards in (
        ("hand", sight.hand),
        ("discards", sight.discards),
        ("starter", starter),
        ("pile", sight.pile),
    ):
        parts[name][[_NUMBERS[card] for card in cards]] = 1
    for row, play in zip(parts["plays"], sight.plays, strict=False):
        row[[_NUMBERS[play.card], len(PACK) + to_left(play.seat)]] = 1
    for row, go in zip(parts["goes"], sight.goes, strict=False):
        row[to_left(go.seat)] = 1
        row[players:] = go.count / LIMIT, go.played / seats.HAND
    parts["out"][[to_left(seat) for seat in sight.out]] = 1
    parts["dealer"][to_left(sight.dealer)] = 1
    if sight.turn is not None:
        parts["turn"][to_left(sight.turn)] = 1
    parts["scores"][:] = np.roll(sight.scores, -sight.side) / np.float32(sight.rules.target)
    parts["count"][:] = sight.count / LIMIT
    return np.concatenate([part.ravel() for part in parts.values()])


class CribbageEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """The environment itself, which `env` wraps; reach it by `unwrapped`.

    `observe` returns `observation`, float32 of the size of `layout`, and `action_mask`, int8 with a 1 for
    each legal action; all 0 if it is another agent's turn.
    """

    metadata: Final = {"name": "cribbage_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, players: int, rules: str | Rules, reward: Reward) -> None:
        if reward not in {"game", "points"}:
            raise ValueError(f"reward {reward!r}: choose 'game' or 'points'")
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._rules = replace(rules_of(rules, players), miscount="machine", heels_deadline="none")
        self._by_points = reward == "points"
        self._seeds = Random()  # noqa: S311  not for security
        self.game = Game(self.possible_agents, self._rules, seed=0)
        """The whole game, with cards that agents must not see: for its record, or a review."""
        self._discards = list(combinations(PACK, seats.usual(players).discarded))
        self._discard_numbers = {
            frozenset(cards): number for number, cards in enumerate(self._discards, start=len(PACK))
        }
        size = sum(map(prod, layout(players).values()))
        number = len(PACK) + len(self._discards)
        self.action_spaces = {agent: Discrete(number) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 1, (size,), np.float32),
                    "action_mask": Box(0, 1, (number,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game: with a *seed* the same as `Game(..., seed=seed)`, else a random one.

        The games after a seeded game are reproducible too.  *options* are ignored.
        """
        if seed is not None:
            self._seeds = Random(int(seed))  # noqa: S311  not for security
        else:
            seed = self._seeds.getrandbits(63)
        self.game = Game(self.possible_agents, self._rules, seed=int(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[deciders(self.game.state)[0]]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(PACK) + len(self._discards), np.int8)
        if agent == self.agent_selection:
            mask[[self._number(act) for act in legal(self.game.state, seat)]] = 1
        return {"observation": observation(self.game.sight(seat)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if action is None or self.terminations[agent]:
            self._was_dead_step(action)
            return
        before = self.game.state.scores()
        self.game.play(self._act(self.possible_agents.index(agent), int(action)))
        while (waiting := deciders(self.game.state)) and isinstance(
            go := legal(self.game.state, waiting[0])[0], GoSaid
        ):
            self.game.play(go)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._rewards_since(before)
        self._accumulate_rewards()
        if waiting:
            self.agent_selection = self.possible_agents[waiting[0]]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]

    def _act(self, seat: int, action: int) -> Event:
        if action < len(PACK):
            return CardPlayed(seat, PACK[action])
        return Discarded(seat, self._discards[action - len(PACK)])

    def _number(self, act: Event) -> int:
        match act:
            case CardPlayed(_, card):
                return _NUMBERS[card]
            case Discarded(_, cards):
                return self._discard_numbers[frozenset(cards)]
        raise AssertionError(act)  # a go is said in `step`, and his heels are pegged with the starter

    def _rewards_since(self, scores: tuple[int, ...]) -> dict[str, float]:
        state = self.game.state
        if self._by_points:
            gains = [now - then for now, then in zip(state.scores(), scores, strict=True)]
        else:
            gains = [int(side == state.winner) for side in range(state.sides)]
        others = state.sides - 1
        shares = [gain - (sum(gains) - gain) / others for gain in gains]
        return {agent: shares[state.side(seat)] for seat, agent in enumerate(self.possible_agents)}
