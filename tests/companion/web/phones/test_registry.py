"""Who is let in: codes that are guessed, too old or sent too often; seats; and what is kept of it."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import ifaddr
import pytest
from support.full_disk import files_no_longer_than
from support.refusals import refused

from cribpi.companion.entry.phones import ClosePhones, GiveRole, OpenPhones, Phone, RemovePhone, Role
from cribpi.companion.web.phones.network import is_home, reach
from cribpi.companion.web.phones.registry import (
    ALPHABET,
    CODE_SECONDS,
    GUESSES,
    MINUTE,
    MOST,
    NAME,
    Joined,
    NotAdmitted,
    NotKept,
    PhoneFile,
    PhoneRegistry,
    SavedPhones,
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
def registry(tmp_path: Path, clock: Clock) -> PhoneRegistry:
    found = PhoneRegistry(PhoneFile(tmp_path), clock=clock)
    found.do(OpenPhones())
    return found


def join(registry: PhoneRegistry, clock: Clock, role: Role | None = None, seat: int | None = None) -> str:
    clock.now += MINUTE  # so that no guess is one too many
    token = registry.admit(registry.code(), "iPhone")
    registry.choose(token, role, seat)
    return token


def test_nobody_comes_in_until_somebody_opens(tmp_path: Path) -> None:
    registry = PhoneRegistry(PhoneFile(tmp_path))
    said = refused(NotAdmitted, registry.admit, registry.code(), "iPhone")
    assert said == "Phones are off at the board: choose MENU, Phones there."
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
    said = refused(NotAdmitted, registry.admit, spoil(registry.code()), "iPhone")
    assert said == "That is not the code on the board's screen. Scan it again."
    assert registry.present == ()


def test_a_code_is_good_for_five_minutes_and_then_another_one_is(
    registry: PhoneRegistry, clock: Clock
) -> None:
    code = registry.code()
    clock.now += CODE_SECONDS - 1
    assert (registry.code(), registry.code_seconds) == (code, 1)
    clock.now += 1
    said = refused(NotAdmitted, registry.admit, code, "iPhone")
    assert "not the code" in said
    assert registry.code() != code


def test_before_a_code_is_shown_no_text_is_one(registry: PhoneRegistry) -> None:
    with pytest.raises(NotAdmitted):
        registry.admit("", "iPhone")


def test_ten_codes_a_minute_are_looked_at_and_the_right_one_no_more(
    registry: PhoneRegistry, clock: Clock
) -> None:
    code = registry.code()
    for _ in range(GUESSES):
        said = refused(NotAdmitted, registry.admit, "AAAAAA", "iPhone")
        assert "not the code" in said
        clock.now += 1
    with pytest.raises(TooManyGuesses):
        registry.admit(code, "iPhone")
    clock.now += MINUTE - GUESSES
    registry.admit(code, "iPhone")


def test_two_phones_cannot_hold_one_seat(registry: PhoneRegistry, clock: Clock) -> None:
    ann, bob = join(registry, clock, Role.SEAT, 0), join(registry, clock)
    said = refused(SeatTaken, registry.choose, bob, Role.SEAT, 0)
    assert said == "Phone 1 has that seat: free it there, or at the board with MENU, Phones."
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


def test_there_is_a_most(registry: PhoneRegistry, clock: Clock) -> None:
    for _ in range(MOST):
        join(registry, clock)
    said = refused(NotAdmitted, join, registry, clock)
    assert said == "32 phones are here already: remove one at the board."


class Telling(PhoneFile):
    """A disk that takes everything, and writes down when."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.happened: list[object] = []

    def keep(self, kept: SavedPhones) -> None:
        self.happened.append(kept)

    def erase(self) -> None:
        raise AssertionError("nothing was refused")


def test_each_change_is_kept_before_it_is_told(tmp_path: Path, clock: Clock) -> None:
    disk = Telling(tmp_path)
    registry = PhoneRegistry(disk, clock=clock)
    registry.on_change = lambda: disk.happened.append("told")
    registry.do(OpenPhones())
    token = registry.admit(registry.code(), "iPad")
    registry.choose(token, Role.WATCH)
    registry.choose(token, Role.WATCH)  # nothing new
    kinds = ["told" if one == "told" else "kept" for one in disk.happened]
    assert kinds == ["kept", "told"] * 3
    assert token not in repr(disk.happened)


def test_what_is_kept_comes_back_and_only_its_owner_reads_it(tmp_path: Path, clock: Clock) -> None:
    registry = PhoneRegistry(PhoneFile(tmp_path), clock=clock)
    registry.do(OpenPhones())
    token = join(registry, clock, Role.SEAT, 2)
    again = PhoneRegistry(PhoneFile(tmp_path))
    assert again.known(token) == Phone(1, "iPhone", Role.SEAT, 2)
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    assert token not in (tmp_path / NAME).read_text()


def test_the_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(
        '{"version": 1, "open": true, "phones": '
        '[{"token": "a1", "number": 3, "kind": "iPad", "role": "seat", "seat": 1}]}'
    )
    phone = Phone(3, "iPad", Role.SEAT, 1)
    assert PhoneFile(tmp_path).read() == SavedPhones(is_open=True, phones=(Joined("a1", phone),))


# --- whose hand a phone has seen ------------------------------------------------------------------------


def test_a_phone_is_shown_one_hand_of_a_deal_also_after_a_restart(tmp_path: Path, clock: Clock) -> None:
    registry = PhoneRegistry(PhoneFile(tmp_path), clock=clock)
    registry.do(OpenPhones())
    ann, bob = join(registry, clock), join(registry, clock)
    for again in (registry, PhoneRegistry(PhoneFile(tmp_path), clock=clock)):
        assert [again.sees(ann, "first", 0), again.sees(ann, "first", 1)] == [True, False]
        assert again.sees(ann, "second", 1), "another deal"
        assert again.sees(bob, "first", 1), "another phone"
        assert [again.saw(ann, deal) for deal in ("first", "second", "third")] == [0, 1, None]


def test_the_board_can_give_a_phone_another_hand_of_the_deal_that_lies_there(
    registry: PhoneRegistry, clock: Clock
) -> None:
    ann = join(registry, clock, Role.SEAT, 0)
    for deal in ("first", "second"):
        assert registry.sees(ann, deal, 0)
    registry.do(GiveRole(1, Role.SEAT, 1), "second")
    assert registry.sees(ann, "second", 1)
    assert not registry.sees(ann, "first", 1), "UNDO leads back there, and nobody has given it that"
    assert not registry.sees("a stranger", "second", 1)


# --- a disk that refuses ----------------------------------------------------------------------------------


class Disk:
    """A registry on a real folder, and what it reports."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.file = PhoneFile(folder)
        self.said: list[str | None] = []
        self.registry = PhoneRegistry(self.file, self.said.append, clock=clock)
        self.registry.do(OpenPhones())
        self.ann, self.bob = (join(self.registry, clock, Role.SEAT, seat) for seat in (0, 1))

    def after_a_restart(self) -> PhoneRegistry:
        return PhoneRegistry(self.file)


@pytest.fixture
def disk(tmp_path: Path, clock: Clock) -> Disk:
    return Disk(tmp_path, clock)


def test_what_a_full_disk_refuses_has_not_happened_and_says_so(disk: Disk, clock: Clock) -> None:
    registry, before = disk.registry, disk.registry.present
    told: list[str] = []
    registry.on_change = lambda: told.append("told")
    clock.now += MINUTE
    tries: list[Callable[[], object]] = [
        lambda: registry.admit(registry.code(), "iPad"),
        lambda: registry.choose(disk.ann, Role.WATCH),
        lambda: registry.do(GiveRole(2, Role.SEAT, 0)),
        lambda: registry.sees(disk.ann, "first", 0),
    ]
    for do in tries:
        with (
            files_no_longer_than(0),
            pytest.raises(NotKept, match="Not saved, and nothing has changed") as full,
        ):
            do()
        assert "file too large): make the state folder writable" in str(full.value)
        assert (registry.present, disk.after_a_restart().present) == (before, before)
        assert registry.saw(disk.ann, "first") is None
    assert told == []
    assert disk.said[-1] is not None
    for do in tries:
        do()
    assert disk.said[-1] is None


@pytest.mark.parametrize("away", [RemovePhone(2), ClosePhones(), None], ids=["removed", "closed", "left"])
def test_on_a_full_disk_a_phone_that_is_taken_away_does_not_come_back(
    disk: Disk, away: RemovePhone | ClosePhones | None
) -> None:
    with files_no_longer_than(0):
        if away is None:
            disk.registry.leave(disk.bob)
        else:
            disk.registry.do(away)
        assert disk.registry.known(disk.bob) is None
        assert disk.after_a_restart().known(disk.bob) is None
        disk.registry.try_again()  # there is no room yet
    left = [] if isinstance(away, ClosePhones) else [Phone(1, "iPhone", Role.SEAT, 0)]
    assert list(disk.registry.present) == left, "who was not taken away plays on"
    if left:
        assert "After a restart every phone must join again (file too large)" in (disk.said[-1] or "")
        disk.registry.try_again()
    assert disk.said[-1:] in ([], [None])
    assert list(disk.after_a_restart().present) == left


def test_where_even_less_cannot_be_kept_that_is_said_and_tried_again(tmp_path: Path, clock: Clock) -> None:
    folder, aside = tmp_path / "state", tmp_path / "aside"
    folder.mkdir()
    disk = Disk(folder, clock)
    told: list[str] = []
    disk.registry.on_change = lambda: told.append("told")
    folder.rename(aside)
    folder.write_text("no folder")  # nothing can be written in it, nor removed
    said = refused(NotKept, disk.registry.do, RemovePhone(2))
    assert (
        said
        == "Phones that you have removed will be back after a restart (not a directory): make the state folder writable."
    )
    assert disk.registry.known(disk.bob) is None, "it is gone all the same"
    assert told == ["told"]
    assert any(disk.said)
    disk.registry.try_again()
    assert disk.registry.is_refused
    folder.unlink()
    aside.rename(folder)
    disk.registry.try_again()
    assert disk.said[-1] is None
    assert disk.after_a_restart().known(disk.bob) is None


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
    assert PhoneFile(tmp_path).read() == SavedPhones()


def test_a_public_address_is_no_home() -> None:
    assert not any(map(is_home, ("8.8.8.8", "127.0.0.1", "0.0.0.0", "::1", "fe80::1")))  # noqa: S104  none is opened
    assert all(map(is_home, ("192.168.0.7", "172.16.4.4", "10.1.2.3", "169.254.3.4")))


def test_a_service_that_may_ask_nothing_of_the_network_says_how_to_let_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused() -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(ifaddr, "get_adapters", refused)
    assert reach().trouble == "The service has no access to your network yet. On the Pi: sudo make phones"
