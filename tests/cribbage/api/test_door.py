"""`import cribpi`: what it offers, and that it loads nothing before it is asked."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import pytest

import cribpi
from cribpi import Card, Rank, Rules, Suit, errors
from cribpi.cribbage.game.cards import CARDS


def loaded(program: str) -> set[str]:
    """Return the modules that *program* loads."""
    whole = f"import sys; before = {{*sys.modules}}; {program}; print(*{{*sys.modules}} - before)"
    done = subprocess.run([sys.executable, "-c", whole], check=True, capture_output=True, text=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_loads_nothing() -> None:
    assert loaded("import cribpi") == {"cribpi"}


def test_a_count_loads_no_more_than_the_command() -> None:
    command = "from cribpi.cli import main; main(['score', '7H 8C 8D KS', '--starter', '9S'])"
    ours = loaded("import cribpi; cribpi.score('7H 8C 8D KS', '9S').call")
    new = {name for name in ours - loaded(command) if name.startswith(("cribpi", "numpy"))}
    assert new == {f"cribpi.cribbage.api{name}" for name in ("", ".given", ".scoring")}


def test_a_game_does_not_load_numpy() -> None:
    assert "numpy" not in loaded("import cribpi; cribpi.Game(['ANN', 'BOB'], seed=1).legal()")


def test_each_name_is_there_and_no_other() -> None:
    assert all(getattr(cribpi, name) is not None for name in cribpi.__all__)
    assert set(cribpi.__all__) <= set(dir(cribpi))
    with pytest.raises(AttributeError, match="module 'cribpi' has no attribute 'shuffle'"):
        _ = cribpi.shuffle  # type: ignore[attr-defined]


def test_each_name_and_each_method_of_it_is_described() -> None:
    found = [getattr(cribpi, name) for name in cribpi.__all__ if name != "__version__"]
    found += [
        one
        for module in (cribpi.errors, cribpi.events)
        for one in vars(module).values()
        if inspect.isclass(one) and one.__module__ == module.__name__
    ]
    methods = [
        method
        for one in found
        if inspect.isclass(one)
        for name, method in vars(one).items()
        if not name.startswith("_") and (callable(method) or isinstance(method, property))
    ]
    assert [one for one in (*found, *methods) if not inspect.getdoc(one)] == []


VALUES = [
    *CARDS.values(),
    *Rank,
    *Suit,
    Rules(),
    cribpi.rules("acc"),
    cribpi.rules("lowe", 4, target=61, match="best-of-3", skunk=False, double_skunk=False),
    *cribpi.Game(["ANN", "BOB"], seed=1).legal()[:1],
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_paste_back(value: object) -> None:
    names = {"Card": Card, "Rank": Rank, "Suit": Suit, "Rules": Rules, **vars(cribpi.events)}
    assert eval(repr(value), names) == value  # noqa: S307  that is what is promised


ERRORS = [
    errors.BadCard("not a card"),
    errors.RecordError("a card is missing", 3, 7),
    errors.WrongSeat("not you"),
    errors.WrongSeat("not you", "show-order"),
    errors.ImpossibleCards("five sevens", Rank.SEVEN),
    errors.BadSetup("no such target", (("target", "61"),)),
]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_errors_paste_back_and_are_value_errors(error: ValueError) -> None:
    for again in (eval(repr(error), vars(errors)), pickle.loads(pickle.dumps(error))):  # noqa: S301, S307
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    assert isinstance(error, ValueError)
    assert isinstance(error, cribpi.ParseError) != isinstance(error, cribpi.RuleError)
