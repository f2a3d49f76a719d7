"""All checks; a check comes after those that it depends on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cribpi.companion.devices.strip import chosen_driver
from cribpi.companion.doctor import house, pi
from cribpi.companion.doctor.machine import Finding, MachineFiles, finding
from cribpi.companion.kit import Kit
from cribpi.companion.run.bootstrap import Chips
from cribpi.companion.run.config import Config


def check_all(
    chips: Chips, kit: Kit, state: Path, config: Config, machine: MachineFiles
) -> Iterator[Finding]:
    """Yield a finding for each thing that can be wrong; with emulated chips only some checks apply."""
    yield finding("kit", f"{kit.name}: {kit.title}")
    if chips.twin is None:
        yield from _on_a_pi(chips, kit, state, machine)
    else:
        yield finding("board", "emulated chips: no pin or bus of this computer is used")
        yield finding("oled", pi.check_oled(chips.open_bus, kit))
    yield from house.check_voice(machine, kit, config.sound)
    yield finding("free space", house.check_room(state))
    yield finding("state folder", house.check_lasting(state, machine))
    yield finding("write speed", house.check_writes(state))
    yield finding("journal", house.check_journal(state))
    yield finding("port", house.check_port(config.port))
    yield finding("phones", house.check_phones(state, config.port, machine, is_wanted=config.page.lan))
    if config.broker is not None:
        yield finding("broker", house.check_broker(config.broker))
    if config.engines:
        yield finding("engines", house.check_engines(config.port, machine))


def _on_a_pi(chips: Chips, kit: Kit, state: Path, machine: MachineFiles) -> Iterator[Finding]:
    board = finding("board", pi.check_board(machine))
    yield board
    if not board.is_well:
        if kit.strip.host is not None:  # a WLED controller is real hardware on any computer
            yield finding("led driver", pi.check_wled(kit.strip.host, kit.strip.leds))
        return
    driver = chosen_driver(kit.strip.driver, kit.strip.gpio)
    yield finding("supply", pi.check_supply(machine))
    yield finding("heat", pi.check_heat(machine))
    yield finding("card", pi.check_card(machine))
    yield finding("clock", house.check_clock(state, machine))
    yield finding("groups", pi.check_groups(machine, kit))
    yield finding("modules", pi.check_modules(machine, kit, driver))
    yield finding("gpio library", pi.check_gpio(machine, chips.open_pins))
    yield finding("keys", pi.check_keys(machine, kit))
    yield finding("pins", pi.check_pins(machine, kit))
    yield finding("i2c bus", pi.check_bus(machine, kit))
    yield finding("oled", pi.check_oled(chips.open_bus, kit))
    yield finding("spi", pi.check_spi(machine, kit, driver))
    yield finding("core clock", pi.check_clock(machine, kit))
    yield finding("led driver", pi.check_driver(machine, kit, driver))
