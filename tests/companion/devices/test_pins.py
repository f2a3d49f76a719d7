"""Pins that are joined by keys."""

from __future__ import annotations

import pytest

from cribpi.companion.devices.twin.twin import GROUND, MatrixFactory, Twin


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
    twin = Twin(1)
    twin.solder_matrix((12,), (13,), (("A",),))
    with pytest.raises(KeyError, match="no key GO; it has A"):
        getattr(twin, act)("GO")


def test_a_pin_that_is_joined_with_ground_is_low_and_so_is_all_that_is_joined_with_it() -> None:
    factory = MatrixFactory()
    one, other = factory.pin(17), factory.pin(22)
    for pin in (one, other):
        pin.input_with_pull("up")
    factory.join(17, GROUND)
    assert (one.state, other.state) == (0, 1)
    factory.join(22, GROUND)
    assert (one.state, other.state) == (0, 0)
    factory.part(17, GROUND)
    assert (one.state, other.state) == (1, 0)
    assert factory.shorts == 0


def test_an_output_that_is_high_and_ground_are_a_short() -> None:
    factory = MatrixFactory()
    factory.pin(17).output_with_state(state=True)
    factory.join(17, GROUND)
    assert factory.shorts == 1


def test_keys_that_are_soldered_are_not_unplugged() -> None:
    with pytest.raises(ValueError, match="soldered"):
        Twin(1).unplug()
