"""The voice: what is said, one thing at a time; programs that are missing, fail or hang; nobody waits for
them."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.patience import PATIENCE, until
from support.speakers import FAILS, HANGS, PLAYS, Room

from cribpi.companion.devices.voice import INSTALL, PLAYER, SPEAKER, Voice


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setenv("PATH", str(tmp_path))
    return Room(tmp_path)


@pytest.fixture
def voice(room: Room) -> Iterator[Voice]:
    opened = Voice(room.report, output="plughw:1,0", speed=170, accent="en-us", patience=0.3)
    opened.start()
    yield opened
    opened.close()


def say(voice: Voice, words: str, is_done: Callable[[], bool]) -> None:
    voice.say(words)
    until(is_done)


def test_what_is_said_is_spoken_as_the_settings_have_it_and_sent_to_their_loudspeaker(
    room: Room, voice: Voice
) -> None:
    say(voice, "-v; fifteen two", lambda: room.said() == ["-v; fifteen two"])
    calls = sorted(room.log.read_text(encoding="utf-8").splitlines())
    assert calls == ["--stdout -b 1 -v en-us -s 170 -- -v; fifteen two", "-q -D plughw:1,0"]
    assert room.troubles == []


def test_the_same_words_are_said_again(room: Room, voice: Voice) -> None:
    for number in (1, 2):
        say(voice, "go", lambda: room.said() == ["go"] * number)  # noqa: B023  called at once


def test_what_is_being_said_is_finished_and_of_the_rest_the_latest_is_said(room: Room, voice: Voice) -> None:
    gate = room.folder / "gate"
    room.has(PLAYER, f"echo $$ > {{pids}}; until [ -e {gate} ]; do sleep 0.01; done; {PLAYS}")
    voice.patience = 60
    say(voice, "one", room.pids.exists)
    for words in ("two", "three", "four"):
        voice.say(words)
    gate.touch()
    until(lambda: len(room.said()) == 2)
    assert room.said() == ["one", "four"]


@pytest.mark.parametrize("missing", [SPEAKER, PLAYER])
def test_a_program_that_is_missing_is_told_once_and_heals(room: Room, voice: Voice, missing: str) -> None:
    kept = (room.folder / missing).rename(room.folder / "kept")
    say(voice, "one", lambda: len(room.troubles) == 1)
    assert room.troubles == [f"voice: {missing} is not installed; {INSTALL}"]
    voice.say("two")
    kept.rename(room.folder / missing)
    say(voice, "three", lambda: room.said()[-1:] == ["three"])
    until(lambda: len(room.troubles) == 2)
    assert room.troubles[1] is None


FAULTS = [
    (PLAYER, FAILS.format(fault="No such file or directory"), "there is no such sound device"),
    (PLAYER, FAILS.format(fault="Permission denied"), "add this user to the audio group"),
    (PLAYER, FAILS.format(fault="Device or resource busy"), "another program is using"),
    (PLAYER, FAILS.format(fault="Operation not permitted"), "sudo make install"),
    (PLAYER, "exit 3", "aplay: ended with 3"),
    (SPEAKER, 'echo "Error: no such voice" >&2; exit 1', "espeak-ng: Error: no such voice"),
    (SPEAKER, "kill -SEGV $$", "espeak-ng was ended by SIGSEGV"),
    (SPEAKER, HANGS, "espeak-ng or aplay got stuck"),
    (PLAYER, HANGS, "espeak-ng or aplay got stuck"),
]


@pytest.mark.parametrize(("program", "does", "says"), FAULTS)
def test_a_fault_is_told_once_in_a_sentence_and_heals(
    room: Room, voice: Voice, program: str, does: str, says: str
) -> None:
    well = (room.folder / program).read_text(encoding="utf-8")
    room.has(program, does)
    say(voice, "one", lambda: bool(room.troubles))
    assert says in str(room.troubles[0])
    assert str(room.troubles[0]).startswith("voice: ")
    say(voice, "two", lambda: voice._next is None)
    room.has(program, well.removeprefix("#!/bin/sh\n").replace("{", "{{").replace("}", "}}"))
    say(voice, "three", lambda: room.said()[-1:] == ["three"])
    until(lambda: len(room.troubles) == 2)
    assert room.troubles[1] is None


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (OSError(12, "Cannot allocate memory"), "can't be started ([Errno 12] Cannot allocate memory)"),
        (ValueError("embedded null byte"), "voice: embedded null byte"),
    ],
)
def test_whatever_keeps_a_process_from_starting_is_told_and_the_next_words_are_tried(
    room: Room, voice: Voice, monkeypatch: pytest.MonkeyPatch, fault: Exception, says: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise fault

    with monkeypatch.context() as short:
        short.setattr("cribpi.companion.devices.voice.subprocess.Popen", refuse)
        say(voice, "one", lambda: bool(room.troubles))
    assert says in str(room.troubles[0])
    say(voice, "two", lambda: room.said() == ["two"])


@pytest.mark.parametrize("program", [SPEAKER, PLAYER])
def test_that_systemd_stops_the_service_is_no_trouble_of_the_voice(
    room: Room, voice: Voice, program: str
) -> None:
    well = room.folder / "well"
    (room.folder / program).rename(well)
    room.has(program, "kill -TERM $$")
    say(voice, "one", lambda: voice._next is None)
    well.replace(room.folder / program)
    say(voice, "two", lambda: room.said()[-1:] == ["two"])
    assert room.troubles == []


@pytest.mark.parametrize("program", [SPEAKER, PLAYER])
def test_at_the_end_what_hangs_is_killed_and_nothing_is_told_of_it(
    room: Room, voice: Voice, program: str
) -> None:
    room.has(program, HANGS)
    voice.patience = 600
    say(voice, "one", lambda: room.pids.exists() and bool(room.pids.read_text(encoding="utf-8").strip()))
    voice.close()
    assert voice._thread is not None
    assert not voice._thread.is_alive()
    pid = int(room.pids.read_text(encoding="utf-8"))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert room.troubles == []


def test_nobody_waits_for_a_voice_that_hangs(room: Room, voice: Voice) -> None:
    room.has(SPEAKER, HANGS)
    voice.patience = 600
    say(voice, "one", room.pids.exists)
    done = threading.Event()

    def talk() -> None:
        for _ in range(1000):
            voice.say("more")
        done.set()

    threading.Thread(target=talk, daemon=True).start()
    assert done.wait(PATIENCE)


def test_programs_that_stay_in_the_kernel_are_not_joined_by_more(
    room: Room, voice: Voice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that no signal ends, for its driver does not come back: another would hang there too."""
    room.has(PLAYER, HANGS)
    with monkeypatch.context() as stuck:
        stuck.setattr(subprocess.Popen, "kill", lambda _process: None)
        stuck.setattr("cribpi.companion.devices.voice.EXIT_TIMEOUT", 0.01)
        say(voice, "one", lambda: len(room.troubles) == 1)
        say(voice, "two", lambda: len(room.troubles) == 2)
    assert "the sound device is stuck" in str(room.troubles[1])
    assert len(room.pids.read_text(encoding="utf-8").split()) == 1
    voice.close()
    for process in voice._processes:
        process.wait(PATIENCE)
