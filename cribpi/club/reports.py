"""Checks of the boards' reports. A result counts, becomes a doubt, or is ignored if already known.

A board may be wrong, outdated or malicious. Only a game started from a pairing of this night counts
automatically, in the round of that pairing. Anything else becomes a doubt for the director. A clock may be
wrong, so reports are ordered by the row numbers of the board's journal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from cribpi.club.entries import ClubEntry, Doubted, Heard, Reported, TakenBack
from cribpi.club.night import Night
from cribpi.club.standings import ACC, Result, refuse
from cribpi.companion.files.config_table import Section, Unfit
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import check_names
from cribpi.cribbage.rules.shown import cut, visible

SCHEMA: Final = 1
"""Version of the messages accepted; see docs/reference/mqtt.md."""

LONGEST: Final = 20_000
"""Maximum size of a message in bytes."""


_MOST: Final = 2**53 - 1
"""Largest integer that every JSON parser represents exactly."""


class BadReport(Unfit):
    """An invalid message from a board. The text continues a sentence that starts with the board's name."""

    page = "docs/reference/mqtt.md"


class Side(NamedTuple):
    name: str
    score: int
    hands: tuple[int, ...]
    """Values of the hands and cribs worth 28 or 29."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a game at a board, or the undo of that end."""

    board: str
    journal: str
    seq: int
    night: str
    """Night of the pairing that started the game; "" if unknown, or if no pairing did."""
    round: int
    """Round of the pairing; 0 if there was none."""
    sides: tuple[Side, ...] = ()
    """Sides, winner first; empty for an undo."""
    rules: str = ""
    house: bool = False
    target: int = 0
    skunks: int = 0
    undone: int | None = None
    """Journal row that was undone; None if a correction of the score undid the end."""

    @property
    def id(self) -> str:
        return f"{self.journal}-{self.seq}"


def judge(
    night: Night, tonight: str, board: str, text: bytes, other: Callable[[str], Night] = lambda _: Night()
) -> ClubEntry | None:
    """Return the entry for *tonight*'s log from *text*, the message on a board's `result` topic.

    *other* returns another night by name. Return None if this log or the other night's already has the
    report. Also return None before round 1 if the report names no night.
    """
    try:
        ended = _read(board, text)
    except BadReport as why:
        id = f"unreadable {hashlib.sha256(text).hexdigest()[:12]}"  # noqa: A001  the log's own word
        is_known = any(id == heard for _, heard in night.heard)
        return None if is_known else Doubted(f"{cut(visible(board), 40)} {why}", board, id)
    if (board, ended.id) in night.heard or not (night.round or ended.night):
        return None
    sides = ", ".join(f"{night.name_of(side.name)} {side.score}" for side in ended.sides[:2])
    said = f"reports {sides}" if sides else "undid the end of a game"

    def doubt(why: str, result: Result | None = None) -> Doubted:
        return Doubted(f"{board} {said}{why}", board, ended.id, result)

    if ended.night not in {"", tonight}:
        elsewhere = f" on another night, {cut(ended.night, 40)}: that doesn't count here"
        return None if (board, ended.id) in other(ended.night).heard else doubt(elsewhere)
    number = next((at for at, name in night.boards.items() if name == board), 0)
    entry = (_check_result if ended.sides else _check_undo)(night, ended, number, doubt)
    is_later = night.latest.get((board, ended.journal), -1) < ended.seq
    if not isinstance(entry, Reported | TakenBack) or is_later:
        return entry
    said = f"has gone back to an earlier step: is its journal from a backup? It {said}"
    return doubt("", getattr(entry, "result", None))


def _read(board: str, text: bytes) -> Ended:
    """Parse a message of *board*.

    Raises:
        Unreadable: If the message is invalid.
    """
    try:
        found = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadReport("sent something unreadable")
    # Boards send null for unknown values.
    message = Section(board, "", {key: one for key, one in found.items() if one is not None}, BadReport)
    why = "runs another version: install the desk's version of cribpi on it"
    try:
        message.integer("schema", SCHEMA, SCHEMA)
        why = "uses another board's name"
        message.choice("board", [board])
        why = "sent a result that can't be read: enter it by hand"
        journal, seq = message.text("journal"), message.integer("seq", 0, _MOST)
        night = message.text("night") if message.has("night") else ""
        round_ = message.integer("round", 0, _MOST) if message.has("round") else 0
        refuse(not journal.isalnum() or len(journal) > 64, "a journal has 1 to 64 letters and digits")
        refuse(bool(night) != bool(round_), "give both night and round, or none")
        if found.get("taken_back") is True:
            undone = message.integer("undone", 0, _MOST) if message.has("undone") else None
            return Ended(board, journal, seq, night, round_, undone=undone)
        rules = message.text("rules")
        target, skunks = (message.integer(key, 0, _MOST) for key in ("target", "skunks"))
        ends = [_side(one) for one in message.sections("sides")]
        check_names([one.name for one in ends])
        winner = ends.pop(message.integer("winner", 0, len(ends) - 1))
        refuse(not ends, "name at least two sides")
    except (Unfit, RuleError):  # the director sees this reason instead of the key and value
        raise BadReport(why) from None
    house = bool(found.get("house"))
    return Ended(board, journal, seq, night, round_, (winner, *ends), rules, house, target, skunks)


def _side(side: Section) -> Side:
    hands = side.integers("high_hands", 28, 29) if side.has("high_hands") else ()
    return Side(side.text("name"), side.integer("score", 0, _MOST), hands)


def _check_result(night: Night, ended: Ended, number: int, doubt: Callable[..., Doubted]) -> ClubEntry:
    """Return the entry for a finished game. *number* is the board's table, or 0 if it is at no table."""
    (winner, score, hands), (loser, lost, others), *more = ended.sides
    one, other = (night.ids.get(name, name) for name in (winner, loser))
    if night.round < ended.round <= night.games:  # not in the log yet: trust the board's own table
        place = ended.round, number
    else:
        rounds = (ended.round,) if ended.round else range(night.round, 0, -1)
        met = ((at, table.board) for at in rounds if (table := night.meeting(at, one, other)))
        place = next(met, (0, 0))
    if more or not place[0]:
        return doubt(f": they aren't paired in round {ended.round or night.round}")
    result = Result(*place, one, other, lost, hands=(hands, others))
    if (ended.rules, ended.target, ended.house) != (ACC.name, ACC.target, False):
        house = " with house rules" if ended.house else ""
        return doubt(f", under {cut(visible(ended.rules), 40)} rules{house} to {ended.target}")
    if score != ACC.target or ended.skunks != (ACC.skunk_of(lost) > 0):
        return doubt(": no game ends like that")
    if result.round > night.round:
        # The game was started from a later log than this one: don't lose its result.
        backup = f"this log has no round {result.round}, so it seems to be a backup"
        return doubt(f": {backup}. Start the rounds again, then count this", result)
    try:
        night.check(result)
    except RuleError as bad:
        return doubt(f": {bad}")
    counts = night.result(result.round, result.board)
    if counts == result:
        return Heard(ended.board, ended.id)
    if counts is not None:
        return doubt(f": already entered as {night.score_of(counts)}", result)
    if night.finalists:
        return doubt(": the play-offs have begun", result)
    if result.board != number:
        return doubt(f": they are paired at board {result.board}", result)
    if not ended.round:
        return doubt(": it was not started from tonight's pairings, or the board's cribpi is older", result)
    return Reported(result, ended.board, ended.id)


def _check_undo(night: Night, ended: Ended, number: int, doubt: Callable[..., Doubted]) -> ClubEntry:
    reports = night.reports.get((ended.round, number), ())
    if not ended.round:
        return doubt(" that was not started from tonight's pairings: correct it if needed")
    if not reports or (result := reports[-1].result) is None:
        return doubt(" that is not in the log")
    last = reports[-1]
    if last.by != ended.board:
        return doubt(f" that {last.by} has reported")
    # An undo names the journal row that it takes back. A correction names none, and applies to any end.
    if ended.undone is not None and last.id != f"{ended.journal}-{ended.undone}":
        return doubt(" that doesn't count tonight")
    if night.finalists:
        return doubt(": the play-offs have begun")
    if ended.round < night.round:
        return doubt(f" of round {ended.round}: correct it if needed")
    return TakenBack(result.round, result.board, ended.board, ended.id)
