"""What the doctor says of a WLED controller."""

from __future__ import annotations

import pytest
from support.ddp import HERE, INFO, answer, controller, forced, state
from support.refusals import is_line_with

from cribpi.companion.devices.health import Problem
from cribpi.companion.doctor.pi import check_wled


def test_a_controller_that_answers_is_named_with_its_leds() -> None:
    with controller(242) as oak:
        found = check_wled(HERE, 242, oak.ports[1])
    assert not isinstance(found, Problem)
    assert is_line_with(found, "WLED", HERE, "Cribbage", "242 LEDs")


@pytest.mark.parametrize(
    ("said", "says", "remedy"),
    [
        (answer(INFO % 30), "is set to 30 LEDs, and the kit has 242", "set 242 in WLED"),
        (answer("{}"), "answers, but is not WLED", "correct strip.host in the kit"),
    ],
    ids=["too few", "not WLED"],
)
def test_what_is_wrong_is_said_with_what_to_do(said: bytes, says: str, remedy: str) -> None:
    with controller(242) as oak:
        oak.answer = said
        found = check_wled(HERE, 242, oak.ports[1], lambda _service: {})
    assert isinstance(found, Problem)
    assert found.says == f"{HERE} {says}"
    assert found.remedy.startswith(remedy)


@pytest.mark.parametrize(
    ("changed", "says", "remedy"),
    [
        (
            {"bri": 128},
            "is dimmed to 50 % in WLED",
            "under Config, Sync Interfaces, turn on Force max brightness",
        ),
        (
            {"on": False},
            "is switched off in WLED",
            "under Config, Sync Interfaces, turn on Force max brightness",
        ),
        ({"lor": 1}, "shows its own light instead", "on WLED's page, end the override of live data"),
    ],
)
def test_a_controller_that_dims_the_lights_or_shows_its_own_is_not_well(
    changed: dict[str, object], says: str, remedy: str
) -> None:
    with controller(242) as oak:
        oak.answer = state(242, **changed)
        assert check_wled(HERE, 242, oak.ports[1]) == Problem(f"{HERE} {says}", remedy)
        oak.config = forced(is_forced=True)
        is_shown = "lor" not in changed
        assert isinstance(check_wled(HERE, 242, oak.ports[1]), str) == is_shown


@pytest.mark.parametrize(
    ("others", "named"),
    [
        ({}, ""),
        ({HERE: HERE}, ""),
        (
            {"oak.local": "10.0.0.7", "elm.local": "10.0.0.8"},
            "; found here: oak.local (10.0.0.7) and elm.local (10.0.0.8)",
        ),
    ],
    ids=["none", "itself", "two"],
)
def test_a_controller_that_is_off_is_not_well_and_others_are_named(
    others: dict[str, str], named: str
) -> None:
    with controller(242) as oak:
        port = oak.ports[1]
    asked = list[str]()

    def find(service: str) -> dict[str, str]:
        asked.append(service)
        return others

    says, mend = f"the WLED controller {HERE} does not answer{named}", "check its power and its Wi-Fi"
    assert check_wled(HERE, 242, port, find) == Problem(says, mend)
    assert asked == ["_wled._tcp"]
