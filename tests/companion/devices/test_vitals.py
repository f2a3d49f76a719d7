"""The Pi itself: its voltage, heat, card and clock, as the kernel's files say, and who reports them."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from support.patience import PATIENCE

from cribpi.companion.devices import health
from cribpi.companion.devices.health import Files, Problem, Watch
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run import bootstrap
from cribpi.companion.run.config import Config
from cribpi.companion.table.loop import Stop
from cribpi.companion.views.screen.wording import paragraph

HEAT = "sys/class/thermal/thermal_zone0/temp"
ALARM = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
ERRORS = "sys/fs/ext4/mmcblk0p2/errors_count"
LIFE = "sys/block/mmcblk0/device/life_time"

# The soft limit now; throttled, for voltage or heat; only earlier; not a number.
BITS = [
    ("8", (False, True)),
    ("50005", (True, False)),
    ("f0000", (False, False)),
    ("0", (False, False)),
    ("error", (False, False)),
]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def write(files: Files, name: str, text: str) -> None:
    path = files.path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_machine_that_says_nothing_has_nothing_wrong(files: Files) -> None:
    assert [check() for check in health.checks(files, 0).values()] == [None] * 4
    assert health.degrees(files) is None


@pytest.mark.parametrize(("bits", "wrong"), BITS)
def test_the_firmwares_bits_are_those_of_now(bits: str, wrong: tuple[bool, bool], files: Files) -> None:
    write(files, health.THROTTLED, f"{bits}\n")
    assert (health.power(files) is not None, health.heat(files) is not None) == wrong


def test_the_kernels_own_sensor_of_the_voltage_serves_as_well(files: Files) -> None:
    write(files, ALARM, "1\n")
    assert health.power(files) is None, "a sensor of something else"
    write(files, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    assert health.power(files) == Problem("the voltage is too low now", health.SUPPLY)


def test_heat_counts_from_80_degrees_in_the_hottest_zone(files: Files) -> None:
    write(files, HEAT, "79999\n")
    assert (health.degrees(files), health.heat(files)) == (79, None)
    write(files, HEAT.replace("zone0", "zone1"), "80000\n")
    assert health.heat(files) == Problem("too hot, so it runs slower", "give it air, or a heat sink")


def test_errors_of_all_file_systems_count_and_a_card_may_tell_its_age(files: Files) -> None:
    write(files, LIFE, "0x09 0x01\n")
    write(files, ERRORS, "0\n")
    assert health.card(files) is None
    write(files, LIFE, "0x01 0x0a\n")
    assert health.card(files) == Problem("nearly worn out", "export your games, and use a new card")
    write(files, ERRORS, "1\n")
    assert health.card(files) == Problem("1 error on it so far", "export your games, and use a new card")
    write(files, ERRORS.replace("p2", "p1"), "2\n")
    assert health.card(files) == Problem("3 errors on it so far", "export your games, and use a new card")


def test_a_clock_is_wrong_when_something_was_written_later(tmp_path: Path) -> None:
    now = time.time()
    assert health.last_written(tmp_path) <= now, "the program itself was written, and not in the future"
    assert health.clock(now, now + health.SLACK / 2) is None, "it may be put right by so much"
    for name in ("journal.db", "journal.db-wal"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (now + 9e7, now + 9e7))
        written = health.last_written(tmp_path)
        assert written == pytest.approx(now + 9e7)
        (tmp_path / name).unlink()
    assert health.clock(1_763_900_000, 1_763_990_000) == Problem(
        "it says 2025-11-23, before your last game", "connect a network"
    )


def test_each_change_is_reported_once_with_its_remedy() -> None:
    said: list[tuple[str, str | None]] = []
    now: dict[str, Problem | None] = {"card": None, "power": None}
    watch = Watch({"card": lambda: now["card"], "power": lambda: now["power"]}, lambda *one: said.append(one))
    watch.look()
    assert said == []
    now["power"] = Problem("the voltage is too low now", "use a supply")
    watch.look()
    watch.look()
    assert said == [("power", "power: the voltage is too low now; use a supply")]
    now["power"] = None
    watch.look()
    assert said[1:] == [("power", None)]


def test_the_watch_looks_by_itself_until_it_is_closed() -> None:
    looked = threading.Semaphore(0)

    def look() -> None:
        looked.release()

    watch = Watch({"power": look}, lambda *_: None, every=0.001)
    watch.start()
    assert all(looked.acquire(timeout=PATIENCE) for _ in range(3))
    watch.close()
    assert not watch.is_alive()
    Watch({}, lambda *_: None).close()  # one that was never started


@pytest.mark.parametrize("is_sim", [False, True])
def test_a_companion_on_a_pi_shows_it_as_trouble_and_one_on_emulated_chips_does_not(
    *, is_sim: bool, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(files, ERRORS, "3\n")
    monkeypatch.setattr(bootstrap, "Files", lambda: files)
    monkeypatch.setattr(bootstrap, "pi_model", lambda: "Raspberry Pi 4 Model B Rev 1.4")
    monkeypatch.setattr(bootstrap, "pi_chips", bootstrap.twin_chips)
    state = tmp_path / "state"
    with bootstrap.assembled(Config(), load_kit("table"), state, is_sim=is_sim) as running:
        loop, until = running.loop, time.monotonic() + PATIENCE
        thread = threading.Thread(target=loop.run)
        thread.start()
        while "card" not in loop.troubles and not is_sim and time.monotonic() < until:
            time.sleep(0.01)
        loop.post(Stop())
        thread.join()
        expected = (
            {} if is_sim else {"card": "card: 3 errors on it so far; export your games, and use a new card"}
        )
        assert loop.troubles == expected


def test_every_sentence_fits_the_screens_four_lines(files: Files) -> None:
    write(files, health.THROTTLED, "9")
    write(files, ERRORS, "1234")
    found = {name: check() for name, check in health.checks(files, time.time() + 9e7).items()}
    # Of the same year, with month and day: the longest.
    for name, problem in [*found.items(), ("clock", health.clock(1_763_900_000, 1_763_990_000))]:
        assert problem is not None
        sentence = f"{name}: {problem.says}; {problem.remedy}"
        assert " ".join(paragraph(sentence, 4)) == sentence
