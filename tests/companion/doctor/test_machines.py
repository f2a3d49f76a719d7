"""The checks of pins on machines as their owners have told of them in public."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.machines import NAMES, header, machine

from cribpi.companion.devices.health import Problem
from cribpi.companion.doctor.pi import check_keys, check_pins
from cribpi.companion.kit.reader import load_kit


@pytest.mark.parametrize("name", NAMES)
def test_the_chip_of_the_header_is_found_whatever_its_number_is(name: str, tmp_path: Path) -> None:
    found = check_keys(machine(name, tmp_path / "root"), load_kit("table"))
    assert isinstance(found, str)
    assert found.startswith(f"/dev/{header(name)} (pinctrl-")


SHUTDOWN = "dtoverlay=gpio-shutdown,gpio_pin=17,active_low=1,gpio_pull=up"
IN_USE = {
    ("pi-5-meshtastic", "table"): ("the keys: GPIO 12 is held by portduino", "gpioinfo"),
    ("pi-5-sata", "bonnet"): ("UP: GPIO 17 is held by hat_button", "gpioinfo"),
    ("pi-4-power-switch", "bonnet"): (
        "UP: GPIO 17 belongs to something else: " + SHUTDOWN,
        "take that line out",
    ),
    ("pi-4-ubo", "bonnet"): (
        "DOWN: GPIO 22 belongs to something else: dtoverlay=gpio-fan,gpiopin=22,temp=60000",
        "take that line out",
    ),
    ("pi-3-jukebox", "table"): (
        "the keys: GPIO 19 belongs to something else: dtoverlay=hifiberry-dac",
        "take that line out",
    ),
}


@pytest.mark.parametrize("kit", ["table", "bonnet"])
@pytest.mark.parametrize("name", NAMES)
def test_a_pin_in_use_is_said_with_its_holder_and_its_line_of_config_txt_and_no_other(
    name: str, kit: str, tmp_path: Path
) -> None:
    found = check_pins(machine(name, tmp_path / "root"), load_kit(kit))
    if (name, kit) not in IN_USE:
        assert isinstance(found, str)
        return
    says, remedy = IN_USE[name, kit]
    assert isinstance(found, Problem)
    assert found.says == says + " in /boot/firmware/config.txt" * ("dtoverlay" in says)
    assert remedy in found.remedy


@pytest.mark.parametrize(
    ("config", "what"),
    [
        ("dtoverlay=gpio-fan", "the keys: GPIO 12 "),
        ("dtoverlay=gpio-shutdown", "the OLED's SCL: GPIO 3 "),
        ("dtoverlay=gpio-poweroff", "the keys: GPIO 26 "),
        ("dtparam=i2s=on", "the keys: GPIO 19 "),
        ("dtoverlay=gpio-fan\ndtparam=gpiopin=13", "the keys: GPIO 13 "),
        ("[pi5]\ndtoverlay=gpio-fan\n[pi4]\ndtoverlay=gpio-key,gpio=16", "the keys: GPIO 16 "),
    ],
)
def test_the_usual_pin_of_an_overlay_and_its_section_count(config: str, what: str, tmp_path: Path) -> None:
    pi = machine("pi-4-fan", tmp_path / "root")
    (pi.root / "boot/firmware/config.txt").write_text(config, encoding="utf-8")
    found = check_pins(pi, load_kit("table"))
    assert isinstance(found, Problem)
    assert found.says.startswith(what)


def test_a_line_that_cribpi_itself_holds_is_in_nobodys_way(tmp_path: Path) -> None:
    pi = machine("pi-5-meshtastic", tmp_path / "root")
    held = pi.holder_of
    object.__setattr__(pi, "holder_of", lambda chip, line: held(chip, line) and "lg")
    assert isinstance(check_pins(pi, load_kit("table")), str)
