"""Each part of the bench runs to its end; what it measures is for people, and nothing here judges it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from bench import deciding, thinking
from bench.bench import parts
from bench.figures import python
from companion.web.browser import CHROMIUM
from support.broker import needs_broker

PARTS: Final = parts(runs=1, rest=1, presses_watched=100, sizes=(10, 20))
QUICK: Final = {"scoring", "lights", "presses", "cold"}


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.prove) for name in PARTS]
)
def test_a_part_prints_its_rows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if name in {"page", "clicks"} and not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    PARTS[name]()
    assert "budget" in capsys.readouterr().out


def test_what_thinking_takes_is_measured_in_a_process_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    deciding.advising(1)
    assert float(python("-m", thinking.__name__, "decide", "thrifty", "2")) > 1
    assert "[" in python("-m", thinking.__name__, "wake", "thrifty", "0.1")
    assert "budget" in capsys.readouterr().out


@needs_broker
@pytest.mark.prove
def test_a_club_of_two_boards_is_measured() -> None:
    assert "messages sent" in python("-m", "bench.club", "--boards", "2", "--seconds", "2")


@pytest.mark.prove
def test_how_long_a_strip_holds_up_the_keys_is_measured() -> None:
    assert "process" in python(
        str(Path(__file__).with_name("strip_hold.py")), "--presses", "1", "--work", "0"
    )
