"""Fingers on the twin's keys: one small interface for keys of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Protocol

from cribpi.devices.linux_input import PRESSED, RELEASED
from cribpi.devices.twin.pins import GROUND, MatrixFactory
from cribpi.devices.twin.usb import Pad, UsbPorts


class Contacts(Protocol):
    """Keys that can be closed and opened by name; any other name is a `KeyError`."""

    names: tuple[str, ...]

    def close(self, name: str) -> None:
        """Close the contact of the key *name*."""

    def open(self, name: str) -> None:
        """Open it."""

    def plug(self) -> None:
        """Plug the keys in, if they can be."""

    def unplug(self) -> None:
        """Pull them out."""


class Soldered:
    """Keys between two pins, or between a pin and ground, by name."""

    def __init__(self, factory: MatrixFactory, pins: Mapping[str, tuple[int, int]]) -> None:
        self.names = tuple(pins)
        self._factory = factory
        self._pins = pins

    def close(self, name: str) -> None:
        """Join the two pins of the key *name*."""
        self._factory.join(*self._pins[name])

    def open(self, name: str) -> None:
        """Part them."""
        self._factory.part(*self._pins[name])

    def plug(self) -> None:
        """Refuse: these are soldered.

        Raises:
            ValueError: Always.
        """
        raise ValueError("these keys are soldered to the pins: only keys on USB are plugged in and out")

    unplug = plug


def matrix(
    factory: MatrixFactory,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    keys: tuple[tuple[str, ...], ...],
) -> Soldered:
    """Return a matrix of *keys*, a tuple of names for each GPIO of *rows*; "" is no key."""
    cells = product(range(len(rows)), range(len(columns)))
    pins = {keys[row][column]: (rows[row], columns[column]) for row, column in cells if keys[row][column]}
    return Soldered(factory, pins)


def buttons(factory: MatrixFactory, pins: Mapping[str, int]) -> Soldered:
    """Return keys that each close their GPIO to ground."""
    return Soldered(factory, {key: (pin, GROUND) for key, pin in pins.items()})


class UsbContacts:
    """The keys of a USB keypad, by key code; it is plugged in from the start."""

    def __init__(self, ports: UsbPorts, pad: Pad, codes: Mapping[str, int]) -> None:
        self.names = tuple(codes)
        self._ports = ports
        self._pad = pad
        self._codes = codes
        self.plug()

    def close(self, name: str) -> None:
        """Press the key *name*."""
        self._ports.move(self._pad, self._codes[name], PRESSED)

    def open(self, name: str) -> None:
        """Release the key *name*."""
        self._ports.move(self._pad, self._codes[name], RELEASED)

    def plug(self) -> None:
        self._ports.plug(self._pad)

    def unplug(self) -> None:
        self._ports.unplug(self._pad)
