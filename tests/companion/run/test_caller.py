"""A companion that speaks: what happens at the table reaches the loudspeaker, and nothing waits for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.companions import press, running
from support.patience import PATIENCE, until
from support.screens import DEAL
from support.speakers import HANGS, Room

from cribpi.companion.devices.voice import SPEAKER
from cribpi.companion.entry.requests import Change
from cribpi.companion.run.bootstrap import Running
from cribpi.companion.run.config import SoundConfig
from cribpi.companion.run.voice_caller import SAMPLE

ON = SoundConfig(voice=True)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return Room(tmp_path / "bin")


def at_the_play(parts: Running) -> None:
    for key in DEAL.split():
        press(parts, key)


def said(room: Room, words: str) -> None:
    until(lambda: room.said()[-1:] == [words])


def test_each_count_is_said_and_what_is_taken_back_is_not(room: Room, tmp_path: Path) -> None:
    with running(tmp_path / "state", sound=ON) as parts:
        at_the_play(parts)
        press(parts, "5")
        said(room, "the starter is a five")
        for key, words in (("7", "seven"), ("8", "fifteen for two")):
            press(parts, key)
            said(room, words)
        press(parts, "UNDO")
        press(parts, "8")
        until(lambda: room.said().count("fifteen for two") == 2)
        assert room.said() == ["the starter is a five", "seven", *["fifteen for two"] * 2]


def test_it_is_silent_unless_it_was_asked_to_speak(room: Room, tmp_path: Path) -> None:
    with running(tmp_path / "state") as parts:
        at_the_play(parts)
        for key in ("5", "7", "8"):
            press(parts, key)
    assert not room.log.exists()


def test_it_is_turned_on_and_off_at_the_table(room: Room, tmp_path: Path) -> None:
    with running(tmp_path / "state", sound=SoundConfig(output="plughw:1,0")) as parts:
        at_the_play(parts)
        press(parts, "5")
        expected: list[str] = []

        def heard(*words: str) -> None:
            """Wait for *words*: what is said next takes the place of what waits to be said."""
            expected.extend(words)
            until(lambda: room.said() == expected if expected else not room.log.exists())

        for value in ("on", "off", "on"):
            assert parts.companion.do(Change({"voice": value})).result(PATIENCE).is_accepted
            heard(*[SAMPLE] * (value == "on"))
            press(parts, "7")
            heard(*["seven"] * (value == "on"))
            press(parts, "UNDO")
        assert room.said() == [SAMPLE, "seven"] * 2


def test_without_a_loudspeaker_there_is_no_such_setting(tmp_path: Path) -> None:
    with running(tmp_path / "state") as parts:
        settings = parts.companion.page()["settings"]
        assert isinstance(settings, dict)
        assert "voice" not in settings
        assert not parts.companion.do(Change({"voice": "on"})).result(PATIENCE).is_accepted


def test_a_voice_that_hangs_holds_up_no_press_and_leaves_nothing_behind(room: Room, tmp_path: Path) -> None:
    room.has(SPEAKER, HANGS)
    with running(tmp_path / "state", sound=ON) as parts:
        at_the_play(parts)
        press(parts, "5")
        until(room.pids.exists)
        assert press(parts, "7")["count"] == 7
    pids = room.pids.read_text(encoding="utf-8").split()
    assert pids
    assert not [pid for pid in pids if Path("/proc", pid).exists()]


def test_what_is_wrong_with_it_is_told_on_the_page_until_it_speaks_again(room: Room, tmp_path: Path) -> None:
    program = room.folder / SPEAKER
    away = program.rename(room.folder / "away")
    with running(tmp_path / "state", sound=ON) as parts:
        at_the_play(parts)
        press(parts, "5")
        until(lambda: any("espeak-ng is not installed" in one for one in parts.loop.troubles.values()))
        away.rename(program)
        press(parts, "7")
        until(lambda: parts.loop.troubles == {})
        said(room, "seven")


@pytest.mark.parametrize(
    ("sound", "of_kit", "found"),
    [
        (SoundConfig(), None, None),
        (SoundConfig(), "plughw:1,0", "plughw:1,0"),
        (ON, None, "default"),
        (ON, "plughw:1,0", "plughw:1,0"),
        (SoundConfig(output="hdmi"), "plughw:1,0", "hdmi"),
        (SoundConfig(output="hdmi"), None, "hdmi"),
    ],
)
def test_the_loudspeaker_is_that_of_the_settings_or_of_the_kit_or_the_systems(
    sound: SoundConfig, of_kit: str | None, found: str | None
) -> None:
    assert sound.loudspeaker(of_kit) == found


def test_words_that_fail_are_told_and_the_game_goes_on(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path / "state", sound=ON) as parts:
        at_the_play(parts)
        with monkeypatch.context() as broken:
            broken.setattr("cribpi.cribbage.words.log.LogEntry.spoken", property(lambda _: 1 // 0))
            press(parts, "5")
            assert press(parts, "7")["count"] == 7
            until(lambda: any("voice (words): a bug" in one for one in parts.loop.troubles.values()))
        press(parts, "8")
        said(room, "fifteen for two")
        until(lambda: parts.loop.troubles == {})
