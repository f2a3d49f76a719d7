"""A real Mosquitto is told what happens: all of it, in order, whatever becomes of the broker."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from support.broker import (
    Listener,
    Mosquitto,
    certificates,
    free_port,
    listening,
    mosquitto,
    needs_broker,
    needs_ipv6,
)
from support.fake_broker import fake_broker
from support.pages import DOCS
from support.patience import PATIENCE
from support.server import ask, companion
from support.tables import opened, play_on, play_to
from support.telling import EVENT, ONLINE, STATE, in_order, telling, told, wanted

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Play, Press, Start
from cribpi.companion.mqtt import publisher as publishing
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.client import connect
from cribpi.companion.mqtt.outbox import Outbox
from cribpi.companion.mqtt.session import WINDOW, Session
from cribpi.cribbage.game.events import PenaltyPegged

if TYPE_CHECKING:
    from paho.mqtt.client import Client

pytestmark = [
    needs_broker,
    pytest.mark.skipif(find_spec("paho") is None, reason="the extra mqtt is not installed"),
]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    (tmp_path / "broker").mkdir()
    with mosquitto(tmp_path / "broker") as found:
        yield found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "PAUSES", (0.2,))


def test_a_broker_hears_everything_in_order_and_then_the_state(tmp_path: Path, broker: Mosquitto) -> None:
    with opened(tmp_path) as (_, table), listening(broker) as listener:
        play_to(table, Random(4), 120)
        with telling(tmp_path, broker.port) as (publisher, said):
            said.wait(lambda sentence: sentence is None)
            listener.wait(EVENT, len(wanted(tmp_path)))
            play_on(table, Random(5), 60)
            publisher.on_change("state")
            ids = wanted(tmp_path)
            assert in_order(listener.wait(EVENT, len(ids))) == ids
            outbox = Outbox(tmp_path, "oak")
            outbox.load()
            row, now = outbox.now()
            listener.until(STATE, "seq", row)
            assert listener.of(STATE)[-1] == now
            assert listener.of(ONLINE) == [True]
        assert listener.wait(ONLINE, 2) == [True, False], "it says so when it goes"
        assert told(tmp_path) == row, "and knows what was heard"
        with telling(tmp_path, broker.port):
            assert listener.wait(ONLINE, 3) == [True, False, True]
            time.sleep(0.3)
        assert [one["id"] for one in listener.of(EVENT)] == ids, "nothing comes twice without need"
    with listening(broker, name="late") as late:
        assert late.wait(STATE, 1)
        assert not late.of(EVENT), "whoever comes later hears where it stands, and no old events"


@pytest.mark.usefixtures("quick")
def test_a_broker_that_is_killed_hears_the_rest_when_it_is_back(tmp_path: Path, broker: Mosquitto) -> None:
    chance = Random(6)
    with opened(tmp_path) as (_, table), listening(broker) as listener:
        with telling(tmp_path, broker.port) as (publisher, said):
            for way in (broker.stop, broker.stop, broker.kill):
                said.wait(lambda sentence: sentence is None)
                if ids := wanted(tmp_path):
                    listener.until(EVENT, "id", ids[-1])
                play_on(table, chance, 40)
                publisher.on_change("state")
                time.sleep(chance.uniform(0.0, 0.1))
                way()
                play_on(table, chance, 40)
                publisher.on_change("state")
                sentence = said.wait(bool)
                assert sentence is not None
                assert sentence.startswith("The broker 127.0.0.1 gets the games later: ")
                broker.start()
            said.wait(lambda sentence: sentence is None)
            ids = wanted(tmp_path)
            listener.until(EVENT, "id", ids[-1])
            # What the broker has acknowledged and not written when it is killed, it loses.
            heard = in_order(listener.of(EVENT))
            assert heard == [one for one in ids if one in set(heard)], "in order"
            assert len(heard) > len(ids) - 2 * WINDOW
        assert told(tmp_path) == int(ids[-1].split("-")[1])


@pytest.mark.usefixtures("quick")
def test_what_happens_while_it_is_away_is_told_when_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broker").mkdir()
    broker, way = Mosquitto(tmp_path / "broker"), threading.Lock()

    def connect_on_the_way(client: Client, to: Broker, keepalive: int) -> None:
        with way:
            connect(client, to, keepalive)

    monkeypatch.setattr(publishing, "connect", connect_on_the_way)
    with opened(tmp_path) as (_, table), telling(tmp_path, broker.port) as (publisher, said):
        play_on(table, Random(8), 150)
        publisher.on_change("state")
        sentence = said.wait(bool)
        assert (
            sentence == "The broker 127.0.0.1 gets the games later: it can't be reached (Connection refused)."
        )
        with ExitStack() as both:
            with way:  # nothing is told before somebody listens
                broker.start()
                both.callback(broker.stop)
                listener = both.enter_context(listening(broker))
            ids = wanted(tmp_path)
            assert in_order(listener.wait(EVENT, len(ids))) == ids


@needs_ipv6
def test_a_broker_is_found_by_ipv6(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    broker, port = Mosquitto(tmp_path / "broker"), free_port()
    with (tmp_path / "broker" / "mosquitto.conf").open("a", encoding="utf-8") as conf:
        conf.write(f"listener {port} ::1\n")
    broker.start()
    try:
        with opened(tmp_path) as (_, table), listening(broker) as listener:
            play_on(table, Random(3), 20)
            with telling(tmp_path, port, host="::1") as (_, said):
                said.wait(lambda sentence: sentence is None)
                assert in_order(listener.wait(EVENT, len(wanted(tmp_path)))) == wanted(tmp_path)
    finally:
        broker.stop()


LOCKED = "it does not let this board in: check user and password_file in [mqtt], and its access list"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that knows the users oak and desk, and lets each board write its own topics alone."""
    folder = tmp_path / "broker"
    folder.mkdir()
    (folder / "users").touch(mode=0o600)
    for user in ("oak", "elm", "desk"):
        subprocess.run(["mosquitto_passwd", "-b", folder / "users", user, f"secret {user}"], check=True)
    (folder / "acl").write_text(
        "pattern read cribpi/%u/#\npattern write homeassistant/device/cribpi_%u/config\n"
        + "".join(f"pattern write cribpi/%u/{topic}\n" for topic in ("state", "event", "online", "result"))
        + "user desk\ntopic readwrite #\n",
        encoding="utf-8",
    )
    lines = (f"password_file {folder}/users", f"acl_file {folder}/acl")
    with mosquitto(folder, *lines, anonymous=False) as found:
        yield found


def test_a_broker_set_up_as_the_page_says_lets_no_board_take_over_the_session_of_the_desk(
    tmp_path: Path,
) -> None:
    """A client's name is anybody's to give; a user's is not."""
    page = (DOCS / "reference" / "mqtt.md").read_text("utf-8")
    conf, acl, desk = page[page.index("## A board with its own user") :].split("```")[1::2]
    folder = tmp_path / "broker"
    folder.mkdir()
    (folder / "users").touch(mode=0o600)
    for user in ("oak", "desk"):
        subprocess.run(["mosquitto_passwd", "-b", folder / "users", user, f"secret {user}"], check=True)
    (folder / "acl").write_text(f"{desk}\n{acl}", encoding="utf-8")
    lines = conf.replace("/etc/mosquitto/acl", str(folder / "acl")).splitlines()
    users = f"password_file {folder}/users"
    with (
        mosquitto(folder, *lines, users, anonymous=False) as broker,
        listening(broker, "desk", "secret desk", "cribpi-desk") as heard,
        listening(broker, "oak", "secret oak", "cribpi-desk") as oak,
    ):
        oak.say("cribpi/oak/result", '"from oak"')
        assert heard.wait("cribpi/oak/result", 1) == ["from oak"]
        heard.say("cribpi/oak/pairing", '"for oak"')
        assert oak.wait("cribpi/oak/pairing", 1) == ["for oak"]


def password(folder: Path, words: str) -> str:
    file = folder / "password"
    file.write_text(f"{words}\n", encoding="utf-8")
    return str(file)


def test_a_board_with_its_password_writes_its_own_topics(tmp_path: Path, guarded: Mosquitto) -> None:
    words = password(tmp_path, "secret oak")
    with opened(tmp_path) as (_, table), listening(guarded, "desk", "secret desk") as listener:
        play_on(table, Random(3), 20)
        with telling(tmp_path, guarded.port, user="oak", password_file=words) as (_, said):
            said.wait(lambda sentence: sentence is None)
            assert in_order(listener.wait(EVENT, len(wanted(tmp_path)))) == wanted(tmp_path)


@pytest.mark.parametrize(
    ("user", "words", "sentence"),
    [
        ("oak", "secret elm", LOCKED),
        ("", "", LOCKED),
        ("elm", "secret elm", "it does not let this board write cribpi/oak/online: see its access list"),
        ("oak", None, "/nowhere can't be read (No such file or directory)"),
    ],
)
def test_why_a_broker_does_not_listen_is_said_in_a_sentence(
    tmp_path: Path, guarded: Mosquitto, user: str, words: str | None, sentence: str
) -> None:
    file = "/nowhere" if words is None else password(tmp_path, words)
    with opened(tmp_path) as (_, table):
        play_on(table, Random(3), 20)
        with telling(tmp_path, guarded.port, user=user, password_file=file) as (_, said):
            found = said.wait(lambda found: bool(found) and sentence in (found or ""))
    assert found == f"The broker 127.0.0.1 gets the games later: {sentence}."
    assert told(tmp_path) == 0, "nothing counts as told"


def test_a_step_counts_when_its_last_message_is_acknowledged(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        play_to(table, Random(4), 120)
        table.do(Start(Changes(entry="peg")))
        table.do(Press("P1"))
        table.do(Play(PenaltyPegged(0, table.now.state.rules.target), table.now.state))
    session = Session(None, Broker(host="broker", board="oak"), wakes=-1)  # type: ignore[arg-type]
    outbox, steps, row = Outbox(tmp_path, "oak"), [], 0
    while more := outbox.after(row):
        steps += more
        row = more[-1].row
    assert steps[-1].result is not None
    for done in (next(one for one in steps if len(one.events) > 2), steps[-1]):
        session.put_step(done)
        messages = len(done.events) + (done.result is not None)
        assert [message.row for message in session.outgoing] == [0] * (messages - 1) + [done.row]
        session.outgoing.clear()


def test_what_is_lacking_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.enums", None)
    with opened(tmp_path), telling(tmp_path, 1) as (_, said):
        sentence = said.wait(bool)
    assert sentence == "No broker gets the games: install cribpi's mqtt extra, paho-mqtt 2.1 or newer."


TAKEN_OVER = "another program has connected as oak: give each board its own name, as board in [mqtt]"
HUNG_UP = (
    "it has hung up without saying why: if this keeps happening, check whether another board is called "
    "oak, and whether it accepts messages of 8,192 bytes"
)
NAMESAKE = {f"The broker 127.0.0.1 gets the games later: {why}." for why in (TAKEN_OVER, HUNG_UP)}
"""Mosquitto 2.0.11 gives no code."""


def test_of_two_boards_of_one_name_the_broker_keeps_the_one_that_came_last(
    tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "PAUSES", (60.0,))
    folders = [tmp_path / name for name in ("one", "two")]
    with opened(folders[0]) as (_, first), opened(folders[1]) as (_, second):
        play_on(first, Random(1), 20)
        play_on(second, Random(2), 20)
        with telling(folders[0], broker.port) as (_, said):
            said.wait(lambda sentence: sentence is None)
            with telling(folders[1], broker.port) as (_, other):
                other.wait(lambda sentence: sentence is None)
                assert said.wait(bool) in NAMESAKE
                assert other.all == [None]


def test_a_name_is_taken_back_less_and_less_often(
    tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two boards of one name take the line from each other, four times in all, and then a minute later."""
    monkeypatch.setattr(publishing, "PAUSES", (0.1, 0.2, 60.0))
    one, two = tmp_path / "one", tmp_path / "two"
    with (
        opened(one),
        opened(two),
        telling(one, broker.port) as (_, first),
        telling(two, broker.port) as (_, second),
    ):

        def times() -> int:
            return sum(sentence in NAMESAKE for said in (first, second) for sentence in said.all)

        until = time.monotonic() + PATIENCE
        while times() < 5 and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(1.0)
        assert times() == 5


def test_a_board_that_stops_in_the_middle_is_gone_all_the_same(tmp_path: Path, broker: Mosquitto) -> None:
    with opened(tmp_path) as (_, table), listening(broker) as listener:
        play_to(table, Random(4), 400)
        with telling(tmp_path, broker.port):
            listener.wait(EVENT, 5)
        assert listener.wait(ONLINE, 2)[-1] is False


def test_a_board_that_may_not_tell_is_not_there(tmp_path: Path, guarded: Mosquitto) -> None:
    """It may say that it is there, and nothing of what happens."""
    acl = guarded.folder / "acl"
    acl.write_text(
        "user oak\ntopic readwrite cribpi/oak/online\ntopic read cribpi/oak/state\n"
        "user desk\ntopic readwrite #\n",
        encoding="utf-8",
    )
    guarded.stop()
    guarded.start()
    words = password(tmp_path, "secret oak")
    with opened(tmp_path) as (_, table), listening(guarded, "desk", "secret desk") as listener:
        play_on(table, Random(3), 20)
        with telling(tmp_path, guarded.port, user="oak", password_file=words, discovery="off") as (_, said):
            sentence = said.wait(bool)
            assert sentence is not None
            assert "does not let this board write cribpi/oak/" in sentence
            until = time.monotonic() + PATIENCE
            while listener.of(ONLINE)[-1:] != [False] and time.monotonic() < until:
                time.sleep(0.05)
            assert listener.of(ONLINE)[-1] is False
    assert told(tmp_path) == 0


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (
            {"user": "oak", "password_file": "/nowhere/{pw}"},
            "/nowhere/{pw} can't be read (No such file or directory)",
        ),
        ({"ca": "/nowhere/ca.pem"}, "/nowhere/ca.pem can't be read (No such file or directory)"),
        ({"certificate": "~nobody/x.pem"}, "can't be read ("),
    ],
)
def test_a_file_that_can_not_be_read_is_named(tmp_path: Path, more: dict[str, Any], says: str) -> None:
    with opened(tmp_path), telling(tmp_path, 1, **more) as (_, said):
        sentence = said.wait(bool)
    assert sentence is not None
    assert says in sentence


def test_a_password_of_other_letters_is_told_from_a_journal(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_bytes(b"\xff\xfe")
    with opened(tmp_path), telling(tmp_path, 1, user="oak", password_file=str(file)) as (_, said):
        sentence = said.wait(bool)
    assert (
        sentence == f"The broker 127.0.0.1 gets the games later: {file} can't be read (invalid start byte)."
    )


def test_whoever_changes_the_table_after_the_end_wakes_nobody(tmp_path: Path) -> None:
    with opened(tmp_path), telling(tmp_path, 1) as (publisher, _):
        pass
    with (tmp_path / "file").open("wb"), (tmp_path / "other").open("wb"):
        publisher.on_change("state")
    assert not (tmp_path / "file").stat().st_size + (tmp_path / "other").stat().st_size


def test_undo_is_heard_only_where_it_is_allowed_and_only_when_it_is_said(
    tmp_path: Path, broker: Mosquitto
) -> None:
    heard: list[str | None] = []
    with opened(tmp_path), listening(broker) as listener:
        listener.say("cribpi/oak/undo", "from last week", retain=True)
        with telling(tmp_path, broker.port, heard.append) as (_, said):
            said.wait(lambda sentence: sentence is None)
            listener.say("cribpi/oak/undo", "not allowed")
        assert not heard, "its goodbye was answered after that"
        with telling(tmp_path, broker.port, heard.append, undo=True) as (_, said):
            said.wait(lambda sentence: sentence is None)
            listener.wait(ONLINE, 3)
            until = time.monotonic() + PATIENCE
            while not heard and time.monotonic() < until:
                listener.say("cribpi/oak/undo", "7")
                time.sleep(0.05)
            listener.say("cribpi/oak/undo", "")
            while None not in heard and time.monotonic() < until:
                time.sleep(0.02)
    assert heard[0] == "7"
    assert None in heard, "without an id"
    assert "from last week" not in heard


@pytest.mark.parametrize(
    ("allowed", "topics"),
    [("", []), ("undo", ["cribpi/oak/undo"]), ("club", ["cribpi/oak/pairing", "cribpi/oak/desk"])],
)
def test_a_board_asks_a_broker_for_what_it_may_hear_and_for_nothing_else(
    tmp_path: Path, allowed: str, topics: list[str]
) -> None:
    settings: dict[str, Any] = {name: name == allowed for name in ("undo", "club")}
    with (
        opened(tmp_path),
        fake_broker(lambda _topic, _text: 0) as broker,
        telling(tmp_path, broker.port, **settings) as (_, said),
    ):
        said.wait(lambda sentence: sentence is None)  # what is published after that has been answered
        assert broker.asked == topics


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho's line
@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here, so TLS was not tested")
def test_a_connection_can_be_secured_by_ones_own_authority(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    certificates(folder)
    secured = Mosquitto(folder)
    port = free_port()
    with (folder / "mosquitto.conf").open("a", encoding="utf-8") as conf:
        conf.write(f"listener {port} 127.0.0.1\ncertfile {folder}/broker.pem\nkeyfile {folder}/broker.key\n")
    secured.start()
    try:
        with opened(tmp_path) as (_, table), listening(secured) as listener:
            play_on(table, Random(3), 20)
            with telling(tmp_path, port, ca=str(folder / "ca.pem")) as (_, said):
                said.wait(lambda sentence: sentence is None)
                assert in_order(listener.wait(EVENT, len(wanted(tmp_path)))) == wanted(tmp_path)
            with telling(tmp_path, port, tls=True) as (_, said):
                sentence = said.wait(bool)
    finally:
        secured.stop()
    assert sentence is not None
    assert "its certificate can't be trusted (" in sentence
    assert sentence.endswith("check ca in [mqtt], and write host as in the certificate.")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here, so TLS was not tested")
def test_a_board_comes_in_by_its_own_certificate_and_by_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    folder.mkdir()
    certificates(folder)
    (tmp_path / "strangers").mkdir()
    certificates(tmp_path / "strangers")
    secured = Mosquitto(folder)
    port = free_port()
    with (folder / "mosquitto.conf").open("a", encoding="utf-8") as conf:
        conf.write(
            f"listener {port} 127.0.0.1\ncertfile {folder}/broker.pem\nkeyfile {folder}/broker.key\n"
            f"cafile {folder}/ca.pem\nrequire_certificate true\n"
        )
    secured.start()
    ca = str(folder / "ca.pem")
    try:
        with opened(tmp_path) as (_, table), listening(secured) as listener:
            play_on(table, Random(3), 20)
            for home in (None, tmp_path / "strangers"):
                own: dict[str, Any] = {}
                if home is not None:
                    own = {"certificate": f"{home}/broker.pem", "key": f"{home}/broker.key"}
                with telling(tmp_path, port, ca=ca, **own) as (_, said):
                    assert said.wait(bool), "it is not let in"
            assert not listener.of(EVENT)
            own = {"certificate": f"{folder}/broker.pem", "key": f"{folder}/broker.key"}
            with telling(tmp_path, port, ca=ca, **own) as (_, said):
                said.wait(lambda sentence: sentence is None)
                assert in_order(listener.wait(EVENT, len(wanted(tmp_path)))) == wanted(tmp_path)
    finally:
        secured.stop()


def test_a_game_is_told_by_the_companion_and_its_end_by_the_broker(tmp_path: Path, broker: Mosquitto) -> None:
    """The whole program with its settings; then `kill -9`, which is the will's affair."""
    settings = tmp_path / "config" / "cribpi" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nboard = "oak"\nundo = true\n', encoding="utf-8"
    )
    environ = os.environ | {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    folder = tmp_path / "state"
    with (
        listening(broker) as listener,
        companion(folder, env=environ) as (process, url),
    ):
        assert listener.wait(ONLINE, 1)
        assert ask(f"{url}api/game", {"entry": "cards", "players": 2})[0] == 200
        for key in ("3", "5"):
            ask(f"{url}api/press", {"key": key})
        seq = listener.until(EVENT, "event_type", "cut")[-1]["seq"]
        assert seq >= 2
        before = ask(f"{url}api/state")[1]["seq"]
        listener.say("cribpi/oak/undo", "once")
        listener.say("cribpi/oak/undo", "once")
        undone = listener.until(EVENT, "event_type", "undo")
        time.sleep(0.3)
        assert ask(f"{url}api/state")[1]["seq"] == before + 1, "the same id is one press"
        assert [one["event_type"] for one in undone].count("undo") == 1
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        until = time.monotonic() + PATIENCE
        while listener.of(ONLINE)[-1] is not False and time.monotonic() < until:
            time.sleep(0.05)
        assert listener.of(ONLINE)[-1] is False, "the broker says that it is gone"
        found = [json.loads(text) for topic, text, _ in listener.heard if topic.startswith("homeassistant")]
        assert found[0]["components"]["undo"]["command_topic"] == "cribpi/oak/undo"


__all__ = ["Listener"]
