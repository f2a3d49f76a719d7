"""Pins that are joined by keys."""

from __future__ import annotations

import pytest

from cribpi.devices.twin.pins import MatrixFactory
from cribpi.devices.twin.twin import Twin


def test_a_joined_input_follows_the_output_and_then_its_pull() -> None:
    factory = MatrixFactory()
    row, column = factory.pin(12), factory.pin(13)
    column.input_with_pull("up")
    row.output_with_state(state=False)
    assert column.state == 1
    factory.join(12, 13)
    assert column.state == 0
    row.state = True
    assert column.state == 1
    row.state = False
    factory.part(12, 13)
    assert column.state == 1


def test_a_level_goes_on_through_several_keys() -> None:
    factory = MatrixFactory()
    end = factory.pin(19)
    end.input_with_pull("up")
    for one, other in ((12, 13), (13, 16), (16, 19)):
        factory.join(one, other)
    factory.pin(12).output_with_state(state=False)
    assert end.state == 0
    factory.part(13, 16)
    assert end.state == 1


def test_two_outputs_of_different_levels_on_one_wire_are_counted() -> None:
    factory = MatrixFactory()
    factory.pin(12).output_with_state(state=False)
    factory.pin(16).output_with_state(state=True)
    factory.join(12, 13)
    assert factory.shorts == 0
    factory.join(13, 16)
    assert factory.shorts == 1


@pytest.mark.parametrize("act", ["close_key", "open_key", "press", "stick", "unstick"])
def test_a_key_that_is_not_there_is_named(act: str) -> None:
    twin = Twin((12,), (13,), (("A",),), leds=1)
    with pytest.raises(KeyError, match="no key GO; it has A"):
        getattr(twin, act)("GO")
