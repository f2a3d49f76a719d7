"""The environment for reinforcement learning: PettingZoo's own tests pass, an agent sees what its seat sees,
and rewards are those of the game."""

from __future__ import annotations

from functools import partial
from math import prod
from random import Random
from types import SimpleNamespace

import pytest
from support.worlds import another_world

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.test import api_test, seed_test

import cribpi
from cribpi import Game, RuleError, events
from cribpi.cribbage.api.environment import Reward, actions, env, layout
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.rules.rulebook import rulebook

Array = NDArray[np.float32]
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
MASKED = pytest.mark.filterwarnings("ignore:Observation (is not a NumPy|space for each agent probably)")
"""PettingZoo's test warns of a mask beside an observation, but for its own games."""


def played(game: AECEnv, chance: Random, seed: int | None = None) -> dict[str, float]:
    """Play a game by chance; return what each agent was rewarded."""
    game.reset(seed=seed)
    rewards = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, over, _, _ = game.last()
        rewards[agent] += reward
        game.step(None if over else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    return rewards


def parts(seen: Array, players: int) -> dict[str, Array]:
    """Take an observation apart, as the layout says."""
    found, at = dict[str, Array](), 0
    for name, shape in layout(players).items():
        found[name] = seen[at : at + prod(shape)].reshape(shape)
        at += prod(shape)
    assert at == len(seen)
    return found


def cards(row: Array) -> set[Card]:
    return {PACK[number] for number in np.flatnonzero(row)}


@MASKED
@PLAYERS
@pytest.mark.parametrize("reward", ["game", "points"])
def test_the_tests_of_pettingzoo_pass(players: int, reward: Reward) -> None:
    api_test(env(players, reward=reward), num_cycles=400)
    seed_test(lambda: env(players, reward=reward), num_cycles=400)


@PLAYERS
def test_the_winners_are_those_of_the_record(players: int) -> None:
    by_game, by_points = env(players), env(players, reward="points")
    for seed in range(4):
        rewards, margins = (played(one, Random(seed), seed) for one in (by_game, by_points))
        (game,) = cribpi.read_record(by_game.unwrapped.game.record())
        winner, scores = game.state.winner, game.state.scores()
        sides = [game.state.side(seat) for seat in range(players)]
        assert winner is not None
        assert list(rewards.values()) == [1 if side == winner else -1 / (len(scores) - 1) for side in sides]
        assert list(margins.values()) == pytest.approx(
            [scores[side] - (sum(scores) - scores[side]) / (len(scores) - 1) for side in sides]
        )


def test_what_is_pegged_by_the_others_too_is_in_the_rewards() -> None:
    game = env(reward="points")
    game.reset(seed=next(seed for seed in range(99) if heels(seed)))
    pone = game.agent_selection
    for _ in range(2):
        game.step(int(np.flatnonzero(game.last()[0]["action_mask"])[0]))
    assert game.agent_selection == pone
    assert game.last()[1] == -2


def heels(seed: int) -> bool:
    deal = Game(["ANN", "BOB"], seed=seed).state.deal
    return deal is not None and deal.to_turn is not None and deal.to_turn.rank.symbol == "J"


@PLAYERS
def test_an_agent_sees_nothing_of_the_cards_that_its_seat_does_not_see(players: int) -> None:
    chance, game, compared = Random(players), env(players), 0
    while compared < 60:
        game.reset(seed=chance.randrange(2**32))
        raw = game.unwrapped
        for _ in range(chance.randrange(60)):
            if not any(game.terminations.values()):
                game.step(int(chance.choice(np.flatnonzero(game.last()[0]["action_mask"]))))
        real, before = raw.game, {agent: game.observe(agent) for agent in game.agents}
        for seat, agent in enumerate(game.agents):
            try:
                other = fold(another_world(real.events, real.sight(seat).seen, chance))
            except RuleError:  # there somebody who said go would have held a card that fits
                continue
            if other == real.state:
                continue
            raw.game = SimpleNamespace(state=other, sight=partial(sight_of, other))
            seen = game.observe(agent)
            for key in ("observation", "action_mask"):
                assert np.array_equal(seen[key], before[agent][key])
            compared += 1
        raw.game = real


@PLAYERS
def test_an_observation_has_what_the_seat_sees(players: int) -> None:
    chance, game, goes = Random(players), env(players), 0
    for seed in range(3):
        game.reset(seed=seed)
        for agent in game.agent_iter():
            seen, _, over, _, _ = game.last()
            sight = game.unwrapped.game.sight(game.possible_agents.index(agent))
            found = parts(seen["observation"], players)
            around = [(sight.seat + place) % players for place in range(players)]
            assert cards(found["hand"]) == set(sight.hand)
            assert cards(found["discards"]) == set(sight.discards)
            assert cards(found["starter"]) == ({sight.starter} - {None})
            assert cards(found["pile"]) == set(sight.pile)
            rows = [row for row in found["plays"] if row.any()]
            assert [(*cards(row[:52]), around[int(row[52:].argmax())]) for row in rows] == [
                (play.card, play.seat) for play in sight.plays
            ]
            said = [row for row in found["goes"] if row.any()]
            assert [
                (around[int(row[:players].argmax())], round(row[players] * 31), row[players + 1] * 4)
                for row in said
            ] == [(go.seat, go.count, go.played) for go in sight.goes]
            assert {around[place] for place in np.flatnonzero(found["out"])} == set(sight.out)
            assert [around[place] for place in np.flatnonzero(found["dealer"])] == [sight.dealer]
            assert [around[place] for place in np.flatnonzero(found["turn"])] == (
                [] if sight.turn is None else [sight.turn]
            )
            sides = len(sight.scores)
            assert [round(score * 121) for score in found["scores"].tolist()] == [
                sight.scores[(sight.side + place) % sides] for place in range(sides)
            ]
            assert round(found["count"].item() * 31) == sight.count
            goes = max(goes, len(said))
            game.step(None if over else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    assert goes > 1


@PLAYERS
def test_the_mask_has_what_is_legal_and_all_else_is_refused(players: int) -> None:
    chance, game = Random(players), env(players)
    game.reset(seed=1)
    for agent in game.agent_iter(60):
        seen, _, over, _, _ = game.last()
        assert not over
        mask, seat = seen["action_mask"], game.possible_agents.index(agent)
        legal = [act for act in game.unwrapped.game.legal() if act.seat == seat]
        assert {frozenset(actions(players)[number]) for number in np.flatnonzero(mask)} == {
            frozenset(act.cards if isinstance(act, events.Discarded) else [act.card]) for act in legal
        }
        assert mask.sum() == len(legal)
        before = game.unwrapped.game.events
        for action in chance.sample(np.flatnonzero(mask == 0).tolist(), 20):
            with pytest.raises(RuleError):
                game.step(action)
        assert game.unwrapped.game.events == before
        assert not any(game.observe(other)["action_mask"].any() for other in game.agents if other != agent)
        game.step(int(chance.choice(np.flatnonzero(mask))))


def test_a_seed_deals_the_cards_of_a_game_with_that_seed_and_without_one_they_change() -> None:
    game = env()

    def cards_of_next(seed: int | None = None) -> list[events.Event]:
        game.reset(seed=seed)
        return list(game.unwrapped.game.events[1:])

    first, second = cards_of_next(7), cards_of_next()
    assert first == list(Game(["ANN", "BOB"], seed=7).events[1:])
    assert first != second
    assert [cards_of_next(7), cards_of_next(), cards_of_next() == second] == [first, second, False]


@pytest.mark.parametrize("name", rulebook().presets)
def test_every_set_of_rules_is_played_to_its_end(name: str) -> None:
    for players in rulebook().presets[name].players:
        game = env(players, name)
        assert max(played(game, Random(1), seed=1).values()) == 1
        assert game.unwrapped.game.state.rules.name == name


def test_what_makes_no_game_is_refused() -> None:
    with pytest.raises(RuleError, match="acc is not for 3 players: choose 2 players"):
        env(3, "acc")
    with pytest.raises(RuleError, match="standard is not for 5 players"):
        env(5)
    with pytest.raises(RuleError):
        env(3, cribpi.rules("standard", 2))
    with pytest.raises(ValueError, match="reward 'skunks': choose 'game' or 'points'"):
        env(reward="skunks")  # type: ignore[arg-type]
