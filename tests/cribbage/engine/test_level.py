"""A level over the engine interface: it answers what it answers directly, and nothing ends it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engines import sights_of

from cribpi.commands.engine import new_opponent, weighed
from cribpi.cribbage.engine.level import Engine
from cribpi.cribbage.engine.lines import write_bestmove, write_newgame, write_position
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules, preset

SEED = 7
BEGUN = ("cei 1", "newgame players 2")
DISCARD = "position seat 0 dealer 1 scores 96-101 hand 5H,6C,7D,JS,QS,KH"
PLAY = "position seat 0 dealer 1 scores 96-101 hand 6C,7D starter 9S discards 5H,KH plays 0:JS,1:4D,0:QS,1:go"


def engine(level: str) -> Engine:
    return Engine(level, "nobody", partial(new_opponent, level, level.removesuffix("-errs"), SEED), weighed)


def answers(asked: Engine, *lines: str) -> list[str]:
    return [answer for line in lines for answer in asked.answer(line)]


@pytest.mark.parametrize("players", seats.PLAYERS)
@pytest.mark.parametrize(
    ("level", "every"), [("chance", 1), ("thrifty-errs", 1), ("solid", 9), ("expert", 19)]
)
def test_it_answers_what_the_level_answers_directly(level: str, every: int, players: int) -> None:
    rules = preset("standard", players)
    asked, direct = engine(level), opponent(level, chance=Random(SEED))
    assert answers(asked, "cei 1", write_newgame(rules))[-2:] == ["ceiok", "readyok"]
    sights = sights_of(rules, Random(players))[::every]
    assert {sight.starter is None for sight in sights} == {True, False}
    for sight in sights:
        best = direct.discard(sight) if sight.starter is None else (direct.play(sight),)
        assert answers(asked, write_position(sight), "go movetime 1000") == [write_bestmove(best)]


def test_it_says_what_its_best_choices_are_worth() -> None:
    *infos, best = answers(engine("expert"), *BEGUN, DISCARD, "go multi 3")[4:]
    assert [line.split()[:2] for line in infos] == [["info", "move"]] * 3
    assert best == f"bestmove {infos[0].split()[2]}"
    *infos, best = answers(engine("expert"), *BEGUN, PLAY, "go multi 3")[4:]
    assert len(infos) == 2, "it holds two cards"
    assert best == f"bestmove {infos[0].split()[2]}"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["cei 2"], "error version '2' is not known: write cei 1"),
        (["go"], "error no game has begun: write newgame first"),
        ([DISCARD], "error no game has begun: write newgame first"),
        ([*BEGUN, "go"], "error there is no position: write position first"),
        ([*BEGUN, DISCARD, "position seat 9", "go"], "error there is no position: write position first"),
        ([*BEGUN, DISCARD, "newgame", "go"], "error there is no position: write position first"),
        ([*BEGUN, DISCARD, "go fast"], "error 'fast' is not expected here: write one of movetime, multi"),
        (["hello"], "error 'hello' is not expected: write cei 1, newgame, position, go or quit"),
        (
            [*BEGUN, PLAY.replace("hand 6C,7D", "hand KD,7D"), "go"],
            "bestmove 7D",
        ),
        (
            [*BEGUN, PLAY.replace("hand 6C,7D", "hand KD,KC"), "go"],
            "error no card fits at a count of 24: the referee says go",
        ),
    ],
)
def test_what_it_can_not_answer_it_refuses_and_goes_on(lines: Sequence[str], why: str) -> None:
    asked = engine("thrifty")
    assert answers(asked, *lines)[-1] == why
    assert answers(asked, *BEGUN, DISCARD, "go")[-1] == "bestmove 6C,7D"


def test_a_level_that_can_not_play_says_so_and_goes_on() -> None:
    def make(rules: Rules) -> Greedy:
        if rules.players == 3:
            raise ValueError("no table\nfor three")
        return Greedy()

    asked = Engine("two", "nobody", make)
    assert answers(asked, "newgame players 3") == ["cannot ValueError: no table for three"]
    assert answers(asked, "go") == ["error no game has begun: write newgame first"]
    assert answers(asked, "newgame", DISCARD, "go multi 2") == ["readyok", "bestmove 6C,7D"]


def test_a_bug_of_a_level_is_an_error_and_it_goes_on() -> None:
    class Broken(Greedy):
        def play(self, sight: SeatSight) -> Card:
            raise RuntimeError(sight.count)

    asked = Engine("broken", "nobody", lambda _: Broken())
    assert answers(asked, *BEGUN, PLAY, "go")[-1] == "error RuntimeError: 24"
    assert answers(asked, DISCARD, "go") == ["bestmove 6C,7D"]


WORDS = st.sampled_from(
    (*PLAY.split(), *DISCARD.split(), *BEGUN[1].split(), "cei", "go", "multi", "past", "-1")
)


@given(st.lists(st.lists(WORDS | st.text(max_size=4), max_size=14).map(" ".join), max_size=6))
def test_no_line_ends_it(lines: list[str]) -> None:
    asked = engine("thrifty")
    for line in (*BEGUN, *lines):
        found = answers(asked, line)
        assert all(answer.isprintable() for answer in found)
        assert asked.is_over == (line.split() == ["quit"])
        assert len(found) <= 1 or line.split() == ["cei", "1"]
    assert answers(asked, *BEGUN, PLAY, "go")[-1] == "bestmove 7D"


@given(st.randoms(use_true_random=False))
def test_a_spoiled_position_is_a_position_or_an_error(chance: Random) -> None:
    asked = engine("thrifty")
    answers(asked, *BEGUN)
    for sight in sights_of(preset("standard"), chance)[::7]:
        words = write_position(sight).split()
        place = chance.randrange(1, len(words))
        words[place] = chance.choice((chance.choice(words), words[place][:-1], words[place] + "9", ""))
        found = answers(asked, " ".join(words))
        assert len(found) <= 1
        assert all(answer.startswith("error ") for answer in found)
        (then,) = answers(asked, "go")
        assert then.startswith("error " if found else ("bestmove ", "error no card fits"))


def test_it_is_over_when_it_is_asked_to_quit() -> None:
    asked = engine("thrifty")
    assert answers(asked, "quit") == []
    assert asked.is_over
