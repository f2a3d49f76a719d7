"""Who is let in: codes that are guessed, too old or sent too often; seats; and what is kept of it."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import ifaddr
import pytest

from cribpi.entry.phones import ClosePhones, GiveRole, OpenPhones, Phone, RemovePhone, Role
from cribpi.phones.addresses import is_home, reach
from cribpi.phones.file import NAME, read_kept, write_kept
from cribpi.phones.registry import (
    ALPHABET,
    CODE_SECONDS,
    GUESSES,
    MINUTE,
    MOST,
    Kept,
    NotAdmitted,
    PhoneRegistry,
    SeatTaken,
    TooManyGuesses,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def registry(clock: Clock) -> PhoneRegistry:
    found = PhoneRegistry(clock=clock)
    found.open()
    return found


def join(registry: PhoneRegistry, clock: Clock, role: Role | None = None, seat: int | None = None) -> str:
    clock.now += MINUTE  # so that no guess is one too many
    token = registry.admit(registry.code(), "iPhone")
    registry.choose(token, role, seat)
    return token


def test_nobody_comes_in_until_somebody_opens() -> None:
    registry = PhoneRegistry()
    with pytest.raises(NotAdmitted, match="Phones are off at the board"):
        registry.admit(registry.code(), "iPhone")
    registry.do(OpenPhones())
    assert registry.known(registry.admit(registry.code(), "iPhone")) == Phone(1, "iPhone")


def test_a_code_is_taken_in_small_letters_too_and_by_several(registry: PhoneRegistry) -> None:
    code = registry.code()
    assert set(code) <= set(ALPHABET)
    assert len({registry.admit(code, "iPad"), registry.admit(f" {code.lower()} ", "iPad")}) == 2
    assert [phone.number for phone in registry.present] == [1, 2]


@pytest.mark.parametrize(
    "spoil", [lambda _: "", lambda code: code[:-1], lambda code: code + "A", lambda _: "ÄÖ\ud800"]
)
def test_any_other_code_is_refused(registry: PhoneRegistry, spoil: Callable[[str], str]) -> None:
    with pytest.raises(NotAdmitted, match="not the code"):
        registry.admit(spoil(registry.code()), "iPhone")
    assert registry.present == ()


def test_a_code_is_good_for_five_minutes_and_then_another_one_is(
    registry: PhoneRegistry, clock: Clock
) -> None:
    code = registry.code()
    clock.now += CODE_SECONDS - 1
    assert (registry.code(), registry.code_seconds) == (code, 1)
    clock.now += 1
    with pytest.raises(NotAdmitted, match="not the code"):
        registry.admit(code, "iPhone")
    assert registry.code() != code


def test_before_a_code_is_shown_no_text_is_one(registry: PhoneRegistry) -> None:
    with pytest.raises(NotAdmitted):
        registry.admit("", "iPhone")


def test_ten_codes_a_minute_are_looked_at_and_the_right_one_no_more(
    registry: PhoneRegistry, clock: Clock
) -> None:
    code = registry.code()
    for _ in range(GUESSES):
        with pytest.raises(NotAdmitted, match="not the code"):
            registry.admit("AAAAAA", "iPhone")
        clock.now += 1
    with pytest.raises(TooManyGuesses):
        registry.admit(code, "iPhone")
    clock.now += MINUTE - GUESSES
    registry.admit(code, "iPhone")


def test_two_phones_cannot_hold_one_seat(registry: PhoneRegistry, clock: Clock) -> None:
    ann, bob = join(registry, clock, Role.SEAT, 0), join(registry, clock)
    with pytest.raises(SeatTaken, match="Phone 1 has that seat"):
        registry.choose(bob, Role.SEAT, 0)
    registry.choose(ann, Role.WATCH, 0)
    assert registry.choose(bob, Role.SEAT, 0) == Phone(2, "iPhone", Role.SEAT, 0)
    assert registry.known(ann) == Phone(1, "iPhone", Role.WATCH)


def test_a_phone_that_is_removed_or_leaves_is_unknown_and_its_number_is_free(
    registry: PhoneRegistry, clock: Clock
) -> None:
    ann, bob = join(registry, clock, Role.SEAT, 0), join(registry, clock, Role.SEAT, 1)
    registry.do(RemovePhone(1))
    assert registry.known(ann) is None
    with pytest.raises(NotAdmitted):
        registry.choose(ann, Role.KEYPAD)
    registry.leave(bob)
    assert registry.present == ()
    assert registry.known(join(registry, clock, Role.SEAT, 1)) == Phone(1, "iPhone", Role.SEAT, 1)


def test_a_seat_that_is_handed_on_at_the_board_goes_over(registry: PhoneRegistry, clock: Clock) -> None:
    ann, bob = join(registry, clock, Role.SEAT, 0), join(registry, clock, Role.SCOREBOARD)
    registry.do(GiveRole(2, Role.SEAT, 0))
    assert registry.known(ann) == Phone(1, "iPhone")
    assert registry.known(bob) == Phone(2, "iPhone", Role.SEAT, 0)
    registry.do(GiveRole(2, Role.WATCH))
    registry.do(GiveRole(3, Role.SEAT, 0))
    assert registry.present == (Phone(1, "iPhone"), Phone(2, "iPhone", Role.WATCH)), "there is no phone 3"


def test_closing_forgets_everybody_and_the_code(registry: PhoneRegistry, clock: Clock) -> None:
    token, code = join(registry, clock), registry.code()
    registry.do(ClosePhones())
    assert registry.known(token) is None
    registry.do(OpenPhones())
    assert (registry.known(token), registry.present) == (None, ())
    assert registry.code() != code


def test_a_seat_that_no_person_has_in_the_next_game_is_left(registry: PhoneRegistry, clock: Clock) -> None:
    ann, bob, eve = (join(registry, clock, Role.SEAT, seat) for seat in (0, 1, 2))
    watcher = join(registry, clock, Role.SCOREBOARD)
    registry.keep_seats(frozenset({0}))
    roles = [phone.role for token in (ann, bob, eve, watcher) if (phone := registry.known(token))]
    assert roles == [Role.SEAT, None, None, Role.SCOREBOARD]


def test_there_is_a_most(registry: PhoneRegistry, clock: Clock) -> None:
    for _ in range(MOST):
        join(registry, clock)
    with pytest.raises(NotAdmitted, match="32 phones are here already"):
        join(registry, clock)


def test_each_change_is_kept_before_it_is_told(clock: Clock) -> None:
    happened: list[object] = []
    registry = PhoneRegistry(keep=happened.append, clock=clock)
    registry.subscribe(lambda: happened.append("told"))
    registry.open()
    token = registry.admit(registry.code(), "iPad")
    registry.choose(token, Role.WATCH)
    registry.choose(token, Role.WATCH)  # nothing new
    kinds = ["told" if one == "told" else "kept" for one in happened]
    assert kinds == ["kept", "told"] * 3
    assert token not in repr(happened)


def test_what_is_kept_comes_back_and_only_its_owner_reads_it(tmp_path: Path, clock: Clock) -> None:
    registry = PhoneRegistry(keep=lambda kept: write_kept(tmp_path, kept), clock=clock)
    registry.open()
    token = join(registry, clock, Role.SEAT, 2)
    again = PhoneRegistry(read_kept(tmp_path))
    assert again.known(token) == Phone(1, "iPhone", Role.SEAT, 2)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    assert token not in (tmp_path / NAME).read_text()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", "null", "[" * 100_000),
        '{"version": 2}',
        '{"version": 1, "open": true, "phones": [{}]}',
        '{"version": 1, "open": true, "phones": [{"token": "", "number": 1, "kind": "", "role": "king"}]}',
    ],
)
def test_of_a_damaged_file_nothing_is_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    assert read_kept(tmp_path) == Kept()


def test_a_public_address_is_no_home() -> None:
    assert not any(map(is_home, ("8.8.8.8", "127.0.0.1", "0.0.0.0", "::1", "fe80::1")))  # noqa: S104  none is opened
    assert all(map(is_home, ("192.168.0.7", "172.16.4.4", "10.1.2.3", "169.254.3.4")))


def test_a_service_that_may_ask_nothing_of_the_network_says_how_to_let_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused() -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(ifaddr, "get_adapters", refused)
    assert reach().trouble == "The service may not use your network yet. On the Pi: sudo make phones"
