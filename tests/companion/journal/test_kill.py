"""`kill -9` at random moments, while keys are pressed: what was answered is there after the restart."""

from __future__ import annotations

import http.client
import random
import shutil
import signal
import threading
import time
import urllib.error
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.damage import DAMAGES_OF_A_PART
from support.patience import PATIENCE, joined, until
from support.server import ask, companion
from support.sync_faults import UNSYNCED_FROM_SIGUSR1, WITH_TESTS
from support.tables import opened, play_on

KEYS = [
    "A",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "J",
    "Q",
    "K",
    "GO",
    "FLNB",
    "OK",
    "OK",
    "OK",
    "OK",
    "P1",
    "UNDO",
    "MENU",
    "hold:UNDO",
]


def press_until_killed(url: str, chance: random.Random, last: dict[str, Any]) -> None:
    """Press keys one after another, noting each answer, until the line is gone."""
    number = 0
    try:
        while True:
            number += 1
            key = chance.choice(KEYS)
            last["asked"] = {"key": key, "id": f"{last['round']}-{number}"}
            last["status"] = None
            status, body = ask(f"{url}api/press", last["asked"])
            if status == 200:
                last["state"] = body
                last["accepted"] += 1
            elif "not saved" in body["error"]:
                last["unsaved"] += 1
            last["status"] = status
            last["answered"] = number
    except (OSError, urllib.error.URLError, http.client.HTTPException, ValueError):
        return


def lasting(state: dict[str, Any]) -> dict[str, Any]:
    """Return *state* without what is not in the journal: whether phones are let in, and where.

    They are so a moment after the press that lets them in.  Status tells it beside the version.
    """
    is_about_phones = state["prompt"].startswith(("Let phones on ", "Scan the code ", "cribpi "))
    return {**state, "prompt": "phones" if is_about_phones else state["prompt"]}


def acts_by_itself(state: dict[str, Any]) -> bool:
    """Return whether something is done without a key: the computer plays, or deals."""
    return state["entry"] == "dealt" or any(seat["level"] for seat in state["seats"])


def look(url: str, state: dict[str, Any], last: dict[str, Any]) -> None:
    """Check the first *state* after a kill against the *last* that was answered before it.

    All that was answered is there; the press that was under way may be, once, and then its id gives the
    answer again and presses nothing.
    """
    more = state["seq"] - last["state"]["seq"]
    if acts_by_itself(last["state"]) or acts_by_itself(state):  # not only the press may have been done since
        assert more >= 0
        again = ask(f"{url}api/press", last["asked"])
        assert ask(f"{url}api/press", last["asked"]) == again
    elif more == 0:
        assert lasting(state) == lasting(last["state"])
    else:
        assert more == 1
        assert last["status"] is None, "what was refused is not there"
        status, answer = ask(f"{url}api/press", last["asked"])
        assert status == 200, (answer, last, state)
        assert lasting(state) == lasting(answer)
        assert ask(f"{url}api/state")[1]["seq"] == state["seq"]


def damage_and_wait(
    folder: Path, other: Path, chance: random.Random, last: dict[str, Any], is_over: Callable[[], bool]
) -> None:
    """Damage the files of the companion where they are, and wait until two presses were accepted after that
    was found.

    Until then all that is left may be in the program's memory.  It is found by the program, which writes a
    new journal, or, in the middle of a transaction, by SQLite, which refuses that and makes its index again.
    """
    for aside in folder.glob("journal-aside-*"):
        aside.unlink()
    unsaved = last["unsaved"]
    chance.choice(list(DAMAGES_OF_A_PART.values()))(folder, other)
    until(lambda: last["unsaved"] > unsaved or any(folder.glob("journal-aside-*.db")) or is_over())
    accepted = last["accepted"]
    until(lambda: last["accepted"] > accepted + 2 or is_over())  # one may have been on its way


def kill_and_look(folder: Path, rounds: int, chance: random.Random) -> int:
    """Kill the companion *rounds* times in the middle of presses; return how many were answered in all.

    Before that, each in its turn, nothing happens; or its syncs begin to fail, so that it has refused what it
    was asked last; or somebody damages its files where they are.
    """
    answered = 0
    last: dict[str, Any] = {}
    other = folder.with_name("other")
    with opened(folder.with_name("another")) as (_, table):
        play_on(table, chance, 200)
        shutil.copytree(folder.with_name("another"), other)
    for number in range(rounds):
        with companion(folder, python=UNSYNCED_FROM_SIGUSR1, env=WITH_TESTS) as (process, url):
            status, state = ask(f"{url}api/state")
            assert status == 200
            if "state" in last:
                look(url, state, last)
                state = ask(f"{url}api/state")[1]
            if acts_by_itself(state):
                status, state = ask(
                    f"{url}api/game",
                    {"players": 2, "rules": "standard", "entry": "cards", "levels": ["", ""]},
                )
                assert status == 200
            last = {"round": number, "answered": 0, "state": state, "accepted": 0, "unsaved": 0}
            hand = threading.Thread(target=press_until_killed, args=(url, chance, last))
            hand.start()
            time.sleep(chance.uniform(0.02, 0.25))
            until = time.monotonic() + PATIENCE
            while last["answered"] < 2 and time.monotonic() < until:
                time.sleep(0.01)  # a slow machine has hardly begun by then
            if number % 3 == 1:
                process.send_signal(signal.SIGUSR1)
                time.sleep(chance.uniform(0.02, 0.1))
            elif number % 3 == 2:
                damage_and_wait(folder, other, chance, last, lambda: process.poll() is not None)
            process.kill()
            process.wait(PATIENCE)
            joined(hand)
            answered += last["answered"]
    return answered


def test_what_was_answered_survives_a_few_kills(tmp_path: Path) -> None:
    assert kill_and_look(tmp_path / "state", 3, random.Random(4)) > 2


@pytest.mark.prove
def test_what_was_answered_survives_three_hundred_kills(tmp_path: Path) -> None:
    answered = kill_and_look(tmp_path / "state", 300, random.Random(200))
    print(f"300 kills, {answered} presses answered, none lost")
    assert answered > 3000
