"""The file of a contest, so that it can be stopped and resumed: JSON with its sums.

It is written whole beside the old one and then renamed over it, so a killed process leaves one or the other.
A process that adds to it holds a lock file beside it: without that, of two, one would overwrite the other.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from cribpi.companion.files.disk import Unreadable, reason, remedy, text_of
from cribpi.companion.files.whole import write_whole
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import shown
from cribpi.workshop.arena.contest import TWO, Contest, Sums, time_step

FORMAT: Final = 1
"""The version of the file format."""

LARGEST: Final = 1_000_000
"""The most bytes of a file: one with the times of all levels has some 10,000."""

_FIELDS: Final = ("a", "b", "players", "rules", "options", "seed")
_MAY_LACK: Final = {"met": 0}
"""Fields of some files alone, and what the others have."""
_CHECK: Final = "check"
_MOST: Final = 10**15
"""More than any sum; larger values might not even convert to a float for division."""

_BEST_HAND: Final = 29
_MOST_IN_PLAY: Final = 61
"""More than any seat can peg in the play of one deal."""
_STEPS: Final = (time_step(0.0), time_step(1e7))
"""The steps of the shortest and the longest time kept."""
_ROLES: Final = ("dealer", "pone")
_OF_A_GAME: Final = ("wins", "margin", "skunks", "double-skunks", "crib", "heels", "handed-over")
_OF_A_ROLE: Final = ("deals", "hand", "plays", "play")

_TIME: Final = re.compile(r"time\.([ab]\.(?:lay-away|play))\.(0|-?[1-9][0-9]{0,3})", re.ASCII)
_KNOWN: Final = frozenset(
    (
        "games", "sets", "squares", "deals", "first-dealer",
        *(f"{what}.{who}" for what in _OF_A_GAME for who in TWO),
        *(f"{what}.{who}.{role}" for what in _OF_A_ROLE for who in TWO for role in _ROLES),
    )
)  # fmt: skip


class ArenaFileError(UserError):
    """The file cannot be used.  The message is one sentence with the remedy."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold *path*, which need not exist yet, so that no other process adds to it.

    Raises:
        ArenaFileError: If another process holds it, or the disk refuses.
    """
    beside = path.with_name(f".{path.name}.lock")
    try:
        while True:
            lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BaseException:
                os.close(lock)
                raise
            if os.fstat(lock).st_nlink:
                break
            os.close(lock)  # its former holder removed the file before we locked it
    except BlockingIOError:
        raise ArenaFileError(
            f"{path}: another cribpi arena adds to it now: wait for that one, or give another name"
        ) from None
    except OSError as refused:
        raise _refused(path, refused) from None
    try:
        yield
    finally:
        with suppress(OSError):  # an empty file left behind does no harm
            beside.unlink()
        os.close(lock)


def load(path: Path, contest: Contest) -> Sums:
    """Return the sums of *contest* in *path*; empty if there is no such file.

    Raises:
        ArenaFileError: If it cannot be read, is some other file, is damaged, or has another contest.
    """
    if not os.path.exists(path):  # noqa: PTH110  a name that is too long is for `save` to refuse
        return Sums()
    try:
        text = text_of(path, LARGEST)
    except Unreadable as bad:
        raise ArenaFileError(f"{path}: {bad}, or give another name") from None
    kept = _read(path, text)
    for key, value in (_MAY_LACK | _identity(contest)).items():
        kept.setdefault(key, _MAY_LACK.get(key))
        if _canonical(kept[key]) != _canonical(value):
            raise ArenaFileError(
                f"{path}: it has {_differing(key, kept[key], value)}: "
                f"give another name, or ask for what it has"
            )
    sums = Sums(kept["sums"])
    wrong = misfit(contest, sums)
    if wrong is not None:
        raise _damaged(path, wrong)
    return sums


def save(path: Path, contest: Contest, sums: Sums) -> None:
    """Write the *sums* of *contest* to *path*, whole or not at all.

    Raises:
        ArenaFileError: If the disk refuses.
    """
    kept = {"format": FORMAT, **_identity(contest), "sums": dict(sorted(sums.items()))}
    kept[_CHECK] = check_value(kept)
    try:
        write_whole(path, (json.dumps(kept, indent=1) + "\n").encode())
    except OSError as refused:
        raise _refused(path, refused) from None


def _refused(path: Path, error: OSError) -> ArenaFileError:
    mends = remedy(error, "choose a folder that you can write to")
    return ArenaFileError(f"{path}: {reason(error)}: {mends}")


def _identity(contest: Contest) -> dict[str, Any]:
    """Return what must be equal for games to be added to those in the file."""
    rules = contest.rules
    return {
        "a": contest.a,
        "b": contest.b,
        "players": rules.players,
        "rules": rules.name,
        "options": rules.as_written(),
        "seed": contest.seed,
        **({"met": contest.met} if contest.met else {}),
    }


def _read(path: Path, text: str) -> dict[str, Any]:
    """Return the file's contents; check its fields, and its check value if it has one."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        kept = None
    kept = kept if isinstance(kept, dict) else {}
    form = kept.get("format")
    if form is not None and _canonical(form) != str(FORMAT):
        raise ArenaFileError(
            f"{path}: it was written by another version of cribpi: update cribpi, or give another name"
        )
    if form is None or not kept.keys() >= {*_FIELDS, "sums"} or not isinstance(kept["sums"], dict):
        raise ArenaFileError(f"{path}: not a file of cribpi arena: give another name")
    for name in kept.keys() - {*_FIELDS, *_MAY_LACK, "format", "sums", _CHECK}:
        raise _damaged(path, name)
    for name, many in kept["sums"].items():
        if type(many) is not int or not 0 <= many <= _MOST:
            raise _damaged(path, name)
    if _CHECK in kept:  # files of cribpi 0.1.0 have none
        check = kept.pop(_CHECK)
        if type(check) is not int or check != check_value(kept):
            raise _damaged(path, "its check value")
    return kept


def check_value(kept: Mapping[str, Any]) -> int:
    """Return the CRC-32 of the file's canonical JSON without its check value."""
    return crc32(_canonical(kept).encode())


def _canonical(value: object) -> str:
    """Return *value* as JSON with sorted keys; "" if it is nested too deeply.

    Unlike `==`, the text tells 1 from true.
    """
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return ""


def _damaged(path: Path, what: str) -> ArenaFileError:
    return ArenaFileError(
        f"{path}: it is damaged ({shown(what, str)} cannot be): move it away, or give another name"
    )


def _differing(key: str, theirs: object, ours: object) -> str:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name in sorted({*theirs, *ours}):
            if name not in theirs or name not in ours or theirs[name] != ours[name]:
                return f"{shown(name, str)}={shown(theirs.get(name), str)}, not {ours.get(name)}"
    return f"{key} {shown(theirs, str)}, not {shown(ours, str)}"


# --- whether the sums can be ------------------------------------------------------------------------


def misfit(contest: Contest, sums: Sums) -> str | None:
    """Return the name of an impossible sum of *contest*, or None if all *sums* are consistent.

    Wrong but possible sums are not found: the file's check value catches those.
    """
    for name in sums:
        if name not in _KNOWN and not _is_time(name):
            return name
    return next((name for name, holds in _laws(contest, sums) if not holds), None)


def _is_time(name: str) -> bool:
    found = _TIME.fullmatch(name)
    return found is not None and _STEPS[0] <= int(found[2]) <= _STEPS[1]


def _laws(contest: Contest, sums: Sums) -> Iterator[tuple[str, bool]]:
    """Yield each law as the name of the sum it is about, and whether it holds."""
    players, size, target = contest.rules.players, contest.games_in_set, contest.rules.target
    sets, games, deals, won = sums["sets"], sums["games"], sums["deals"], sums["wins.a"]
    yield "games", games == sets * size
    yield "wins.b", won + sums["wins.b"] == games
    # A set has 0 to *size* wins: their squares sum to least if all sets are equal, to most if all or none.
    yield "squares", won * won <= sums["squares"] * max(sets, 1) and sums["squares"] <= size * won
    yield "squares", sums["squares"] >= won and (sums["squares"] - won) % 2 == 0
    yield "first-dealer", sums["first-dealer"] <= games
    yield "deals", games <= deals <= games * target
    for what in ("deals", "plays"):  # every deal but a game's last gets its starter and its play
        dealer, pone = (sum(sums[f"{what}.{who}.{role}"] for who in TWO) for role in _ROLES)
        yield f"{what}.a.pone", pone == (players - 1) * dealer
        yield f"{what}.a.dealer", deals - games <= dealer <= deals
    for who in TWO:
        won, dealt = sums[f"wins.{who}"], sums[f"deals.{who}.dealer"]
        heels, margin = his_heels(contest.rules), sums[f"margin.{who}"]
        yield f"margin.{who}", won <= margin <= won * target
        yield f"heels.{who}", sums[f"heels.{who}"] % max(heels, 1) == 0
        most = {
            f"skunks.{who}": won * (seats.sides(players) - 1),
            f"double-skunks.{who}": sums[f"skunks.{who}"],
            f"crib.{who}": _BEST_HAND * dealt,
            f"heels.{who}": heels * dealt,
            f"handed-over.{who}": games * (players - 1),
        }
        for end in (f"{who}.{role}" for role in _ROLES):
            most[f"plays.{end}"] = sums[f"deals.{end}"]
            most[f"hand.{end}"] = _BEST_HAND * sums[f"deals.{end}"]
            most[f"play.{end}"] = _MOST_IN_PLAY * sums[f"plays.{end}"]
        yield from ((name, sums[name] <= limit) for name, limit in most.items())
        # A seat discards once a deal, and plays four cards at most; a game may end before its last starter.
        hands = sum(sums[f"deals.{who}.{role}"] for role in _ROLES)
        every = hands + games * players
        for what, low, high in (("lay-away", hands, every), ("play", 0, seats.HAND * every)):
            begin = f"time.{who}.{what}"
            kept = sum(many for name, many in sums.items() if name.startswith(f"{begin}."))
            yield begin, low <= kept <= high
