"""The unit: hardened, clean in systemd's own eyes, and wired to what the program needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from steps import COMMAND
from support.paths import SYSTEMD

from cribpi.companion.doctor.pi import modules_for
from cribpi.companion.engines import keeper, sandbox
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.companion.run.config import state_folder

UNIT = SYSTEMD / "cribpi.service"
EXPOSURE = 15
"""The most that `systemd-analyze security` may find, in tenths: 1.5."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here: apt install systemd"
)


def section(name: str, path: Path = UNIT) -> dict[str, list[str]]:
    """Return the settings of the section *name*, each with all that it is set to."""
    text = path.read_text(encoding="utf-8")
    lines = re.search(rf"^\[{name}\]\n(.*?)(?=^\[|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert lines is not None
    found: dict[str, list[str]] = {}
    for line in lines[1].splitlines():
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in section("Service")["Environment"] for pair in line.split())


def staged(tmp_path: Path, unit: Path = UNIT) -> Path:
    """Return *unit* as it lies in an installation, where the program is something that can be run."""
    program = tmp_path / "cribpi"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    copy = tmp_path / unit.name
    text = unit.read_text(encoding="utf-8")
    copy.write_text(text.replace(COMMAND, str(program)), encoding="utf-8")
    return copy


@needs_systemd
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    command = ["systemd-analyze", "verify", "--man=no", str(staged(tmp_path))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_systemd
def test_systemd_would_find_what_is_wrong(tmp_path: Path) -> None:
    unit = staged(tmp_path)
    unit.write_text(
        unit.read_text(encoding="utf-8").replace("WatchdogSec=30", "WatchdogSeconds=30"), encoding="utf-8"
    )
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert "WatchdogSeconds" in done.stderr


@needs_systemd
@pytest.mark.parametrize(
    ("drop", "is_safe"), [("", True), ("ProtectSystem=strict\nNoNewPrivileges=yes\n", False)]
)
def test_the_unit_is_hardened(drop: str, *, is_safe: bool, tmp_path: Path) -> None:
    unit = staged(tmp_path)
    text = unit.read_text(encoding="utf-8")
    for line in drop.splitlines():
        assert line in text
        text = text.replace(line, "")
    unit.write_text(text, encoding="utf-8")
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        f"--threshold={EXPOSURE}",
        "--no-pager",
        str(unit),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is is_safe, done.stdout[-200:]


def test_the_watchdog_and_the_restart_are_on() -> None:
    service = section("Service")
    assert service["Type"] == ["notify"]
    assert service["Restart"] == ["on-failure"]
    assert int(service["WatchdogSec"][0]) == 30


def test_the_program_is_where_the_installation_puts_it() -> None:
    assert section("Service")["ExecStart"] == [f"{COMMAND} run"]


def test_a_disk_that_is_full_for_hours_ends_the_restarts_no_more_than_for_minutes() -> None:
    """A full disk and a wrong setting are exit code 2: what is mended runs again without another word."""
    service = section("Service")
    assert section("Unit")["StartLimitIntervalSec"] == ["0"]
    assert service["RestartSec"] == ["5"]
    assert service["Restart"] == ["on-failure"]
    assert "RestartPreventExitStatus" not in service


def test_the_journal_lies_in_the_state_directory() -> None:
    service = section("Service")
    home = environment()["XDG_STATE_HOME"].replace("%S", "/var/lib")
    assert state_folder({"XDG_STATE_HOME": home}) == Path("/var/lib", service["StateDirectory"][0])


def test_lgpio_keeps_its_pipe_in_the_runtime_directory() -> None:
    service, told = section("Service"), environment()
    assert told["GPIOZERO_PIN_FACTORY"] == "lgpio"
    assert told["LG_WD"] == f"%t/{service['RuntimeDirectory'][0]}" == service["WorkingDirectory"][0]


def test_the_user_has_the_groups_of_its_devices_and_no_other_device_may_be_opened() -> None:
    service = section("Service")
    groups = service["SupplementaryGroups"][0].split()
    assert service["User"] == ["cribpi"]
    assert service["DevicePolicy"] == ["closed"]
    sysusers = (SYSTEMD / "cribpi.sysusers").read_text(encoding="utf-8").split("\n")
    for group in groups:
        assert f"g {group} -" in sysusers
        assert f"m cribpi {group}" in sysusers
    rules = (SYSTEMD / "cribpi.udev").read_text(encoding="utf-8")
    assert set(re.findall(r'GROUP="(\w+)"', rules)) == set(groups)
    assert set(re.findall(r'MODE="(\w+)"', rules)) == {"0660"}
    kinds = {"char-gpiochip rw", "char-*gpiomem* rw", "char-i2c rw", "char-spi rw", "char-input rw"}
    assert set(service["DeviceAllow"]) == kinds


def test_the_unit_waits_for_the_modules_of_the_devices_that_it_may_open() -> None:
    """systemd looks `DeviceAllow=char-...` up once, at the start: a kind that comes later is refused with
    EPERM."""
    assert section("Unit")["After"] == ["systemd-modules-load.service"]
    listed = (SYSTEMD / "cribpi.modules").read_text(encoding="utf-8").splitlines()
    loaded = {line for line in listed if not line.startswith("#")}
    assert loaded == {module for kit in kit_names() for module in modules_for(load_kit(kit), "rpi-ws281x")}
    allowed = section("Service")["DeviceAllow"]
    for kind in ("char-i2c rw", "char-spi rw", "char-*gpiomem* rw"):
        assert kind in allowed


def test_what_is_for_the_model_of_the_pi_stays_visible() -> None:
    service = section("Service")
    assert "ProcSubset" not in service, "it would hide /proc/device-tree/model, and so the Pi"
    assert "PrivateDevices" not in service, "it would hide the pins and the buses"


def test_the_page_is_for_this_machine_alone() -> None:
    service = section("Service")
    assert (service["IPAddressDeny"], service["IPAddressAllow"]) == (["any"], ["localhost"])


def test_the_polkit_rule_is_for_switching_off_and_restarting_and_for_this_user_alone() -> None:
    rule = (SYSTEMD / "cribpi.polkit").read_text(encoding="utf-8")
    assert set(re.findall(r'action\.id == "([^"]+)"', rule)) == {
        "org.freedesktop.login1.reboot",
        "org.freedesktop.login1.reboot-multiple-sessions",
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
    }
    assert re.findall(r'subject\.user == "(\w+)"', rule) == ["cribpi"]
    assert rule.count("polkit.Result") == 1


@needs_systemd
@pytest.mark.parametrize("name", ["engines.conf", "phones.conf", "pwm.conf", "sound.conf", "wled.conf"])
def test_a_drop_in_is_one_that_systemd_can_read(name: str, tmp_path: Path) -> None:
    unit = staged(tmp_path)
    drop_in = tmp_path / f"{unit.name}.d"
    drop_in.mkdir()
    shutil.copy(SYSTEMD / name, drop_in)
    environ = os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


ENGINE = SYSTEMD / "cribpi-engine@.service"
ENGINE_EXPOSURE = 10


@needs_systemd
def test_the_unit_of_an_engine_is_clean_and_more_hardened(tmp_path: Path) -> None:
    unit = staged(tmp_path, ENGINE)
    text = unit.read_text(encoding="utf-8")
    unit.write_text(
        re.sub("^ExecStart=.*", "ExecStart=/bin/true", text, flags=re.MULTILINE), encoding="utf-8"
    )
    shutil.copy(SYSTEMD / "cribpi-engine.socket", tmp_path)
    instance = tmp_path / "cribpi-engine@1.service"
    instance.write_text(unit.read_text(encoding="utf-8"), encoding="utf-8")
    for command in (
        ["verify", "--man=no", str(instance), str(tmp_path / "cribpi-engine.socket")],
        ["security", "--offline=true", f"--threshold={ENGINE_EXPOSURE}", "--no-pager", str(instance)],
    ):
        done = subprocess.run(["systemd-analyze", *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-500:]


def test_an_engine_has_the_limits_that_bubblewrap_gives_it() -> None:
    service, limits = section("Service", ENGINE), sandbox.LIMITS
    units = {"G": 1024**3, "M": 1024**2}
    for name in ("as", "cpu", "fsize", "nofile", "core"):
        (value,) = service[f"Limit{name.upper()}"]
        assert int(value.rstrip("GM")) * units.get(value[-1], 1) == limits[name]
    folders = service["TemporaryFileSystem"][0]
    assert f"/run:size={sandbox.ROOM // units['M']}M," in folders
    assert f"shm:size={sandbox.SHARED // units['M']}M," in folders
    keeps_it = 4  # keeper, unshare, and two shells or setpriv before it
    assert int(service["TasksMax"][0]) == limits["nproc"] + keeps_it


def test_only_the_service_may_ask_for_an_engine() -> None:
    asked = section("Socket", SYSTEMD / "cribpi-engine.socket")
    assert (asked["SocketUser"], asked["SocketMode"]) == (section("Service")["User"], ["0600"])
    assert asked["ListenStream"] == [str(sandbox.SOCKET)]
    assert section("Unit", SYSTEMD / "engines.conf")["Wants"] == [sandbox.UNIT.name]
    assert keeper.__name__ in section("Service", ENGINE)["ExecStart"][0]


PHONE_EXPOSURE = 15
"""The same with the drop-in for phones, which opens private networks and netlink."""


@needs_systemd
def test_with_phones_the_unit_is_open_to_private_networks_and_to_nothing_else(tmp_path: Path) -> None:
    drop_in = section("Service", SYSTEMD / "phones.conf")
    assert set(drop_in) == {"IPAddressAllow", "RestrictAddressFamilies"}
    assert drop_in["RestrictAddressFamilies"] == ["AF_NETLINK"]
    networks = [ip_network(one) for one in drop_in["IPAddressAllow"][0].split()]
    assert all(one.is_private or one.is_multicast for one in networks)
    assert all(any(ip_address(home) in one for one in networks) for home in ("192.168.1.2", "10.9.9.9"))
    unit = staged(tmp_path)
    lines = "".join(f"{key}={value}\n" for key, values in drop_in.items() for value in values)
    text = unit.read_text(encoding="utf-8").replace("\n[Install]", f"{lines}\n[Install]")
    unit.write_text(text, encoding="utf-8")
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={PHONE_EXPOSURE}", "--no-pager"]
    done = subprocess.run([*command, str(unit)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-200:]


def test_for_a_wled_controller_the_unit_may_reach_what_it_may_for_phones() -> None:
    phones = section("Service", SYSTEMD / "phones.conf")["IPAddressAllow"]
    assert section("Service", SYSTEMD / "wled.conf") == {"IPAddressAllow": phones}


@needs_systemd
def test_with_the_voice_the_unit_is_as_hardened_and_may_open_the_sound_devices_besides(
    tmp_path: Path,
) -> None:
    drop_in = section("Service", SYSTEMD / "sound.conf")
    assert drop_in == {"SupplementaryGroups": ["audio"], "DeviceAllow": ["char-alsa rw"]}
    unit = staged(tmp_path)
    lines = "".join(f"{key}={value}\n" for key, values in drop_in.items() for value in values)
    text = unit.read_text(encoding="utf-8").replace("\n[Install]", f"{lines}\n[Install]")
    unit.write_text(text, encoding="utf-8")
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", "--no-pager"]
    done = subprocess.run([*command, str(unit)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-200:]
    modules = (SYSTEMD / "sound.modules").read_text(encoding="utf-8").splitlines()
    assert [line for line in modules if not line.startswith("#")] == ["snd"], "it makes the kind char-alsa"
