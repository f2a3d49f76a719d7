"""A bad evening: each fault comes while a whole game is played, and the score must be the referee's to its
end.

After each fault the score is right, the other devices went on, the fault was named, and it heals when its
cause is gone.  Time is imagined, but for what needs threads and sockets of its own.
"""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from support.companions import page_of, running, twin_of
from support.evenings import TARGET, evening, script
from support.patience import PATIENCE, joined, until
from support.samples import bytes_to_break
from support.server import ask

from cribpi.companion.entry.requests import Press
from cribpi.companion.journal.journal import Journal
from cribpi.cribbage.game.step import fold

HEALED = 31.0
"""Seconds after which a device that failed again and again is tried again."""


def test_without_a_fault_everything_is_right_at_every_press() -> None:
    with evening() as table:

        def hand(key: str) -> None:
            table.press(key)
            assert table.glass_is_right()
            assert table.board_is_right()
            assert table.troubles == {}

        table.play(hand)


def test_a_bus_error_at_any_byte_of_a_transfer_spoils_neither_score_nor_board_nor_the_next_picture(
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    with evening() as table:
        bus = table.bench.twin.bus
        broken, longest = set[int](), 0

        def at_any_byte() -> None:
            """Open the menu and leave it, again and again: further on each time the bus breaks."""
            nonlocal longest
            before = bus.sent
            table.press("MENU")
            longest = max(longest, bus.sent - before)
            table.press("UNDO")
            table.wait(HEALED)
            for byte in bytes_to_break(longest, whole=whole):
                bus.break_at(byte)
                table.press("MENU")
                assert set(table.troubles) <= {"oled"}
                if table.troubles:
                    broken.add(byte)
                    assert "oled: the transfer was disturbed" in table.troubles["oled"]
                assert table.board_is_right(), "the strip goes on"
                table.wait(0.1)
                assert table.troubles == {}, byte
                assert table.glass_is_right(), byte
                table.press("UNDO")
                assert table.glass_is_right(), byte

        def hand(key: str) -> None:
            if table.presses == 40:
                at_any_byte()
            table.press(key)

        table.play(hand)
        assert longest > 300, "a menu takes most of a picture"
        assert broken == set(bytes_to_break(longest, whole=whole))


def test_a_glass_that_loses_power_at_any_press_is_drawn_whole_again() -> None:
    with evening() as table:
        panel = table.bench.twin.panel

        def hand(key: str) -> None:
            if table.presses % 5 == 0:
                panel.lose_power()
                assert not table.glass_is_right()
            table.press(key)
            assert table.board_is_right()
            table.wait(10.1)
            assert table.glass_is_right(), "the panel is asked every ten seconds whether it is on"

        table.play(hand)


def test_a_glass_that_is_unplugged_for_a_deal_is_named_and_comes_back() -> None:
    with evening() as table:

        def hand(key: str) -> None:
            if table.presses == 20:
                table.bench.twin.bus.plugged = False
            if table.presses == 45:
                assert table.troubles["oled"].startswith("oled: no panel answers at address 0x3c")
                table.bench.twin.bus.plugged = True
                table.wait(HEALED)
                assert table.troubles == {}
                assert table.glass_is_right()
            table.press(key)
            assert table.board_is_right()

        table.play(hand)


def test_a_strip_that_is_refused_for_a_deal_is_named_on_the_glass_and_shows_the_latest_afterwards() -> None:
    with evening() as table:

        def hand(key: str) -> None:
            if table.presses == 20:
                table.bench.twin.wire.plugged = False
            if table.presses == 45:
                assert "strip" in table.troubles
                assert not table.board_is_right()
                table.bench.twin.wire.plugged = True
                table.wait(HEALED)
                assert table.troubles == {}
                assert table.board_is_right()
            table.press(key)
            assert table.glass_is_right(), "with the mark of trouble while there is one"

        table.play(hand)


def test_a_key_that_sticks_is_named_once_and_the_others_go_on() -> None:
    with evening() as table:
        twin = table.bench.twin

        def hand(key: str) -> None:
            if table.presses == 12:
                twin.stick("P1")
                table.press("P1")  # its menu opens, once
                table.press("UNDO")
                assert table.troubles == {}
                table.wait(10.1)
                assert (
                    table.troubles["keypad"]
                    == "keypad: P1 held for more than 10 seconds; free the key or check its wiring"
                )
            table.press(key)
            assert table.glass_is_right()
            assert table.board_is_right()
            if table.presses == 60:
                twin.unstick("P1")
                table.wait(0.1)
                assert table.troubles == {}
                table.press("P1")
                table.press("UNDO")

        table.play(hand)


def test_fifty_bounces_a_press_are_one_press_each(whole: bool) -> None:  # noqa: FBT001  a fixture
    with evening() as table:
        twin = table.bench.twin

        def hand(key: str) -> None:
            if table.presses % (2 if whole else 12):
                table.press(key)
                return
            before = table.bench.now.seq
            twin.bounce(key, 50)
            table.wait(0.03)
            twin.bounce(key, 50, closes=False)
            table.wait(0.03)
            assert table.bench.now.seq == before + 1
            assert table.glass_is_right()

        table.play(hand)


def full(journal: Journal) -> None:
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")


def emptied(journal: Journal) -> None:
    journal._db.execute("PRAGMA max_page_count=1000000")


def read_only(journal: Journal) -> None:
    journal._db.execute("PRAGMA query_only=ON")


def writable(journal: Journal) -> None:
    journal._db.execute("PRAGMA query_only=OFF")


@pytest.mark.parametrize(
    ("spoil", "mend", "target"),
    [pytest.param(full, emptied, 91, id="full"), pytest.param(read_only, writable, TARGET, id="read-only")],
)
def test_a_disk_that_takes_nothing_refuses_each_press_in_a_sentence_until_it_takes_it(
    spoil: Callable[[Journal], None], mend: Callable[[Journal], None], target: int, tmp_path: Path
) -> None:
    refused = 0
    with evening(
        tmp_path / "journal.db", target
    ) as table:  # the longer one fills more than one page of the file
        journal = table.bench.journal

        def hand(key: str) -> None:
            nonlocal refused
            if table.presses > 5:
                spoil(journal)
            before = table.bench.now
            error = table.bench.press(key)
            if error is not None:
                refused += 1
                assert "not saved, and nothing has changed" in str(error)
                assert table.bench.now.state == before.state
                assert table.bench.now.seq == before.seq
                assert table.glass_is_right(), "the glass says so"
                mend(journal)
                table.press(key)
            assert table.board_is_right()
            if error is not None or table.presses % 10 == 0:
                assert fold(journal.game()) == table.bench.now.state

        table.play(hand)
    assert refused >= 2


def test_a_clock_that_is_set_back_a_day_changes_no_score_and_no_order(tmp_path: Path) -> None:
    days = itertools.count()
    start = datetime(2030, 1, 31, 20, tzinfo=UTC)
    with evening(tmp_path / "journal.db") as table:
        table.bench.table._clock = lambda: f"{start - timedelta(days=next(days)):%Y-%m-%dT%H:%M:%SZ}"
        table.play(table.press)
        before = table.bench.now
        for _ in range(5):
            table.press("UNDO")
        for _ in range(5):
            table.press("hold:UNDO")
        assert table.bench.now.state == before.state
    journal = Journal(tmp_path / "journal.db")
    try:
        assert fold(journal.game()) == before.state
    finally:
        journal.close()


def test_presses_from_eight_threads_at_once_are_each_answered_and_kept_in_one_order(tmp_path: Path) -> None:
    """Four hands at the keys and four at the page, none waiting for another, in the midst of a game."""
    answers: list[tuple[int, str]] = []
    with running(tmp_path) as parts:
        twin = twin_of(parts)

        def at_the_keys(key: str) -> None:
            for _ in range(25):
                twin.press(key)

        def at_the_page(number: int, chance: Random) -> None:
            for turn in range(50):
                key = chance.choice("A 2 3 4 5 6 7 8 9 10 J Q K GO OK UNDO".split())
                answer = parts.companion.do(Press(key), f"{number}-{turn}").result(PATIENCE)
                answers.append((answer.is_accepted, answer.text))

        # One row: without diodes two rows and two columns at once could not be told apart.
        hands = [threading.Thread(target=at_the_keys, args=(key,)) for key in ("A", "2", "3", "4")]
        hands += [threading.Thread(target=at_the_page, args=(n, Random(n))) for n in range(4)]
        for hand in hands:
            hand.start()
        for hand in hands:
            joined(hand)
        until(parts.loop._inbox.empty)
        now = parts.loop.ask(lambda table: table.do(Press("MENU"))).result(
            PATIENCE
        )  # after all that was waiting
        assert now.is_accepted or now.refused is not None
        state, seq = parts.loop.table.now.state, parts.loop.table.now.seq
        assert len(answers) == 200
        numbers = [json.loads(text)["seq"] for is_accepted, text in answers if is_accepted]
        assert len(numbers) == len(set(numbers)), "each accepted press has a number of its own"
        assert max(numbers) <= seq
        assert parts.loop.troubles == {}
    with running(tmp_path) as parts:
        assert parts.loop.table.now.state == state
        assert parts.loop.table.now.seq == seq


def test_clients_of_the_page_that_vanish_hold_nothing_up(tmp_path: Path) -> None:
    """Half requests, streams that nobody reads, and lines cut in mid-answer, with every press of a game."""
    chance = Random(5)
    with running(tmp_path, target=TARGET) as parts, page_of(parts.companion) as page:
        url, address = page.url, ("127.0.0.1", page.port)
        host = f"Host: 127.0.0.1:{page.port}\r\n"
        requests = [
            f"GET /api/events HTTP/1.1\r\n{host}\r\n",
            f"POST /api/press HTTP/1.1\r\n{host}Content-Length: 14\r\n\r\n{{",
            f"GET /api/state HTTP/1.1\r\n{host}\r\n",
            "GET /api/str",
        ]
        gone: list[socket.socket] = []
        for expected, keys in script():
            for key in keys(parts.loop.table.now.state):
                line = socket.create_connection(address, timeout=PATIENCE)
                line.sendall(chance.choice(requests).encode())
                gone.append(line)
                if len(gone) > 12:
                    gone.pop(chance.randrange(12)).close()
                status, answer = ask(f"{url}api/press", {"key": key})
                assert status == 200, answer
            assert parts.loop.table.now.state.scores() == expected.scores
        for line in gone:
            line.close()
        assert ask(f"{url}api/state")[1]["phase"] == "game-over"
        assert parts.loop.troubles == {}
        until(lambda: not len(page._stream))
