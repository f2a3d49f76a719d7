"""`cribpi club`: a trial that plays by itself and leaves nothing behind; what can't be is a line."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sys
import time
import urllib.request
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from random import Random

import pytest
from support.patience import PATIENCE

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("paho", reason="the extra club is not installed")

import httpx
from sqlalchemy import text
from support.broker import free_port, needs_broker, needs_ipv6
from support.desks import desk
from support.fake_broker import fake_broker
from support.samples import some

from cribpi.cli import main
from cribpi.club.desk import Desk
from cribpi.club.entries import Arrived, Listed, Planned, PlayoffWalkover, Reported
from cribpi.club.log import Log
from cribpi.club.standings import Result
from cribpi.commands import club
from cribpi.companion.run.config import read_config
from cribpi.companion.web.phones.network import Reach

pytestmark = pytest.mark.timeout(180)


def night(address: str) -> dict[str, object]:
    for _ in range(100):
        try:
            with urllib.request.urlopen(f"{address}/files/night.json", timeout=PATIENCE) as answer:  # noqa: S310  loopback
                found: dict[str, object] = json.load(answer)
                return found
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the page can't be opened")


@needs_broker
@pytest.mark.parametrize(
    ("end", "pace"),
    some([(signal.SIGTERM, ("--fast",)), (signal.SIGINT, ()), (signal.SIGINT, ("--fast",))], 1),
)
def test_a_trial_plays_by_itself_and_leaves_nothing_behind(
    tmp_path: Path, end: signal.Signals, pace: tuple[str, ...]
) -> None:
    with desk(tmp_path, "--trial", *pace) as (process, address, _):
        until = time.monotonic() + PATIENCE
        while not (found := night(address))["results"]:
            assert time.monotonic() < until
            time.sleep(0.3)
        assert found["round"]
        assert len(found["players"]) == 24  # type: ignore[arg-type]
        process.send_signal(end)
        assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert not process.stderr.read()
    assert list((tmp_path / "tmp").iterdir()) == []


@needs_broker
def test_the_next_start_goes_on_with_the_night_and_the_password(tmp_path: Path) -> None:
    broker = ("--broker", f"127.0.0.1:{free_port()}")  # nobody is there: the desk works without
    with desk(tmp_path, "tuesday", "--no-broker") as (process, address, password):
        assert password
        assert night(address)["night"] == "tuesday"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    with desk(tmp_path, "tuesday", *broker) as (_, address, again):
        assert again == ""
        assert night(address)["log"] == []
    (kept,) = tmp_path.rglob("password.json")
    assert password not in kept.read_text()


NOW = datetime(2026, 11, 25, 20, 0, tzinfo=UTC)
DATE = f"{NOW.astimezone():%Y-%m-%d}"


def tonight_after(
    monkeypatch: pytest.MonkeyPatch, folder: Path, nights: dict[str, tuple[timedelta, str]]
) -> str:
    """Return which night `cribpi club` opens, after others: how long ago the last entry of each was, and how
    far it had come: to its list, its last round, its play-offs or their end."""
    now = [NOW]

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return now[0].astimezone(tz)

    monkeypatch.setattr("cribpi.club.log.datetime", Clock)
    monkeypatch.setattr("cribpi.commands.club.datetime", Clock)
    log = Log(f"sqlite:///{folder / 'club.db'}")
    try:
        for name, (ago, stage) in nights.items():
            now[0] = NOW - ago
            desk = Desk(log, name)
            desk.do(Planned(1))
            for player in ("ANN", "BOB"):
                desk.do(Listed(player))
                desk.do(Arrived(player))
            if stage != "list":
                desk.draw(Random(1))
                desk.open_round()
            if stage in {"over", "play-offs", "won"}:
                desk.do(Reported(Result(1, 1, "ANN", "BOB", 90), "the desk"))
            if stage in {"play-offs", "won"}:
                desk.begin_playoffs()
            if stage == "won":
                desk.do(PlayoffWalkover(1, 1, "ANN"))
        now[0] = NOW
        return club._tonight(log)
    finally:
        log.close()


HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("nights", "opens"),
    [
        ({}, DATE),
        ({"then": (7 * DAY, "over")}, DATE),
        ({"then": (2 * HOUR, "round")}, "then"),
        ({"then": (11 * HOUR, "round")}, DATE),
        ({DATE: (11 * HOUR, "list")}, DATE),
        ({"then": (-2 * HOUR, "round")}, "then"),
        ({"future": (-300 * DAY, "round")}, DATE),
        ({"then": (2 * HOUR, "round"), "future": (-300 * DAY, "round")}, "then"),
        ({"then": (HOUR / 2, "over")}, "then"),
        ({"then": (2 * HOUR, "over")}, DATE),
        ({DATE: (2 * HOUR, "over")}, f"{DATE} (2)"),
        ({DATE: (HOUR / 2, "won")}, f"{DATE} (2)"),
        ({DATE: (5 * HOUR, "won"), f"{DATE} (2)": (2 * HOUR, "over")}, f"{DATE} (3)"),
        ({DATE: (5 * HOUR, "won"), f"{DATE} (2)": (2 * HOUR, "round")}, f"{DATE} (2)"),
        ({"then": (2 * HOUR, "play-offs")}, "then"),
    ],
)
def test_the_night_that_goes_on_is_opened_and_none_that_is_over_or_of_another_year(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nights: dict[str, tuple[timedelta, str]],
    opens: str,
) -> None:
    assert tonight_after(monkeypatch, tmp_path, nights) == opens


@needs_ipv6
def test_a_night_is_found_by_ipv6_with_its_broker(tmp_path: Path) -> None:
    """The desk is the only one at that broker: it asks for the boards' topics."""
    with fake_broker(lambda _topic, _text: 0, host="::1") as broker:
        address = f"[::1]:{broker.port}"
        with desk(tmp_path, "tuesday", "--broker", address, host="[::1]") as (_, address, _):
            assert night(address)["night"] == "tuesday"
            until = time.monotonic() + PATIENCE
            while not broker.sessions and time.monotonic() < until:
                time.sleep(0.05)
        assert broker.sessions


@pytest.mark.parametrize(
    ("given", "host", "port"),
    [
        ("broker", "broker", 1883),
        ("broker:77", "broker", 77),
        ("127.0.0.1:77", "127.0.0.1", 77),
        ("::1", "::1", 1883),
        ("[::1]", "::1", 1883),
        ("[::1]:77", "::1", 77),
        ("fd00::20", "fd00::20", 1883),
    ],
)
def test_a_broker_is_given_by_host_and_port(
    given: str, host: str, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = club._broker(given)
    assert (found.host, found.at) == (host, port)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8131/"),
        ("0.0.0.0", "http://127.0.0.1:8131/"),  # noqa: S104  shown, not bound
        ("::1", "http://[::1]:8131/"),
        ("::", "http://[::1]:8131/"),
    ],
)
def test_an_address_of_ipv6_stands_in_brackets(address: str, url: str) -> None:
    assert club._url(address, 8131) == url


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("127.0.0.1", ""),
        ("::1", ""),
        ("192.168.1.20", "http://192.168.1.20:8131/"),
        ("fd00::20", "http://[fd00::20]:8131/"),
        ("0.0.0.0", "http://192.168.1.7:8131/"),  # noqa: S104  of a machine with one more network
        ("::", "http://192.168.1.7:8131/"),
    ],
)
def test_boards_show_an_address_that_others_reach(
    address: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club, "reach", lambda: Reach(("192.168.1.7", "169.254.3.3")))
    assert club._shared(address, club.PAGE) == shown
    monkeypatch.setattr(club, "reach", lambda: Reach(trouble="There is no network"))
    assert club._shared("0.0.0.0", club.PAGE) == ""  # noqa: S104  as above


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ["--broker", "x:y:z:1", "--listen", "nowhere"],
            "--listen nowhere: give an address, or ADDRESS:PORT",
        ),
        *(
            (
                ["--broker", given],
                f"--broker {given}: give HOST or HOST:PORT, an IPv6 address such as [::1]:1883",
            )
            for given in (
                "127.0.0.1:port",
                "127.0.0.1:99999",
                "127.0.0.1:",
                ":1883",
                "x:y:z:1",
                "[::1]:",
                "[x:]:1",
            )
        ),
        (["--listen", "[::1]:0", "--no-broker"], "--listen [::1]:0: give an address, or ADDRESS:PORT"),
        (["--broker", "127.0.0.1:1", "--database", "nonsense"], "not a database address"),
        (["--fast"], "--fast plays a trial in a minute: add --trial"),
        ([], "which broker? Add --own-broker, --broker HOST or --no-broker"),
        *(
            (["--own-broker", "--broker-port", port], f"--broker-port {port}: give a port from 1 to 65535")
            for port in ("0", "65536", "x")
        ),
    ],
)
def test_what_can_not_be_is_one_line(
    tmp_path: Path,
    arguments: list[str],
    why: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["club", *arguments, "--state", str(tmp_path)]) == 2
    assert why in capsys.readouterr().err.removesuffix("\n")


@needs_broker
def test_a_board_gets_its_lines_and_a_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["club", "--board", "oak", "--state", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert 'user = "oak"\n' in printed
    assert "port" not in printed, "it is the usual one"
    assert "club = true\n" in printed
    assert re.search(r"it is shown only now: \S{20}\n$", printed)
    assert main(["club", "--board", "my_oak", "--broker-port", "1884", "--state", str(tmp_path)]) == 0
    config = tmp_path / "cribpi" / "config.toml"
    config.parent.mkdir()
    config.write_text("[mqtt]" + capsys.readouterr().out.split("[mqtt]")[1].split("Put this")[0])
    broker = read_config(config).broker
    assert broker is not None
    assert (broker.board, broker.user, broker.at, broker.club) == ("my_oak", "my_oak", 1884, True)
    assert main(["club", "--board", "a/b", "--state", str(tmp_path)]) == 2
    assert main(["club", "--new-password", "--state", str(tmp_path)]) == 0


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "cribpi.commands.club")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert main(["club", "--state", str(tmp_path)]) == 2
    assert "pip install 'cribpi[club]'" in capsys.readouterr().err


def test_all_nights_are_listed_with_what_opens_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed() -> list[str]:
        assert main(["club", "--nights", "--state", str(tmp_path)]) == 0
        return re.sub(r"\d{4}-\d\d-\d\d", "DATE", capsys.readouterr().out).splitlines()

    assert listed() == ["DATE: a new night; cribpi club starts it"]
    log = Log(f"sqlite:///{tmp_path / 'club' / 'club.db'}")
    Desk(log, "Ann's night").do(Planned(5))
    desk = Desk(log, "tonight")
    desk.do(Planned(2))
    for player in ("ANN", "BOB"):
        desk.do(Listed(player))
        desk.do(Arrived(player))
    desk.draw(Random(1))
    desk.open_round()
    shown = [
        "tonight: DATE, round 1 of 2; cribpi club continues it",
        """Ann's night: DATE, check-in; cribpi club 'Ann'"'"'s night' reopens it""",
    ]
    assert listed() == shown
    with log._engine.begin() as db:
        db.execute(text("DELETE FROM cribpi_club_log WHERE night = 'tonight' AND number = 2"))
    log.close()
    assert listed() == ["tonight: DATE, can't be opened: entries of the night tonight are missing", shown[1]]


def test_another_laptop_goes_on_from_a_copy_of_the_desks_file(tmp_path: Path) -> None:
    """The desk runs on while its file alone is copied, as the page has it."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there / "club"):
        folder.mkdir(parents=True)
    with (
        desk(here, "tuesday", "--no-broker") as (process, address, password),
        httpx.Client(base_url=address, headers={"origin": address}, follow_redirects=True) as browser,
    ):
        browser.post("/login", data={"password": password})
        browser.post("/desk/list", data={"players": "ANN\nBOB\nCAT\nDOT", "here": "1"})
        browser.post("/desk/draw", data={"games": "3"})
        browser.post("/desk/round")
        for board in ("1", "2"):
            winner = night(address)["log"][-1 if board == "1" else -2]["tables"][int(board) - 1][0]  # type: ignore[index]
            browser.post("/desk/result", data={"round": "1", "board": board, "winner": winner, "score": "90"})
        was = night(address)
        (file,) = here.rglob("club.db")
        shutil.copy(file, there / "club" / "club.db")
        saved = browser.get("/backup")
        assert re.fullmatch(
            r'attachment; filename="club-[\d-]{17}\.db"', saved.headers["content-disposition"]
        )
        (copied,) = here.rglob("backups/club-*.db")
        for one in (copied.read_bytes(), saved.content):
            assert one.startswith(b"SQLite format 3")
        browser.post("/logout")
        assert browser.get("/backup").url.path == "/login"
        process.kill()
        process.wait(PATIENCE)
    assert len(was["results"]) == 2  # type: ignore[arg-type]
    for data in (None, copied.read_bytes(), saved.content):
        if data is not None:
            (there / "club" / "club.db").write_bytes(data)
        with desk(there, "--no-broker", "--state", str(there), "tuesday") as (process, address, _):
            assert night(address) == was
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
