"""A board's report of a game's end: checked, and then counted, doubted or ignored as known.

A board may be wrong, old, or lie.  What does not fit the night is kept as a doubt that the director sees, and
never counts by itself.  Order is by a journal's own numbers, not by any clock.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, Final

from cribpi.club.entries import Doubted, Entry, Heard, Reported, TakenBack
from cribpi.club.night import Night, Refused, checked
from cribpi.club.pairings import Table
from cribpi.club.standings import ACC, Result
from cribpi.core.errors import RuleError
from cribpi.core.names import check_names
from cribpi.core.shown import cut, visible

SCHEMA: Final = 1
"""The version of the messages that is read; see docs/reference/mqtt.md."""

LONGEST: Final = 20_000
"""Bytes of a message that are looked at."""


class Unreadable(ValueError):
    """That is no result of a board's; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A game has ended at a board, or its end was taken back."""

    board: str
    journal: str
    seq: int
    rules: str
    house: bool
    """Whether house rules changed them."""
    target: int
    scores: tuple[tuple[str, int], ...]
    """Name and score of each side, the winner's first; empty if the end was taken back."""
    skunks: int
    undone: int | None = None
    """The step that was undone, if the end was taken back by undo; None by a ruling."""

    @property
    def id(self) -> str:
        return f"{self.journal}-{self.seq}"

    @property
    def is_taken_back(self) -> bool:
        return not self.scores


def read(board: str, text: bytes) -> Ended:
    """Return what the board of this name says by the *text* of its topic `result`.

    Raises:
        Unreadable: If it can't be understood.
    """
    try:
        told = json.loads(text[: LONGEST + 1]) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise Unreadable("sent something unreadable")
    if told.get("schema") != SCHEMA:
        raise Unreadable("runs another version: install the desk's version of cribpi on it")
    if told.get("board") != board:
        raise Unreadable("uses another board's name")
    journal, seq = told.get("journal"), _whole(told.get("seq"))
    if not isinstance(journal, str) or not journal.isalnum() or len(journal) > 64 or seq is None:
        raise Unreadable("does not say which game")
    if told.get("taken_back") is True:
        undone = _whole(told.get("undone"))
        return Ended(board, journal, seq, "", house=False, target=0, scores=(), skunks=0, undone=undone)
    target, skunks, winner = (_whole(told.get(key)) for key in ("target", "skunks", "winner"))
    sides, rules = _sides(told.get("sides")), told.get("rules")
    if target is None or skunks is None or winner is None or not isinstance(rules, str):
        raise Unreadable("does not say how the game ended")
    if not 0 <= winner < len(sides):
        raise Unreadable("does not say who won")
    ordered = (sides[winner], *sides[:winner], *sides[winner + 1 :])
    house = bool(told.get("house"))
    return Ended(board, journal, seq, rules, house=house, target=target, scores=ordered, skunks=skunks)


def _whole(value: object) -> int | None:
    is_one = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if is_one and isinstance(value, int) else None


def _sides(told: Any) -> tuple[tuple[str, int], ...]:  # noqa: ANN401  whatever somebody has sent
    """Return the name and the score of each side."""
    found = []
    for one in told if isinstance(told, list) else ():
        name, score = (one.get("name"), _whole(one.get("score"))) if isinstance(one, dict) else (None, None)
        if not isinstance(name, str) or score is None:
            raise Unreadable("does not say who played")
        found.append((name, score))
    try:
        check_names([name for name, _ in found])
    except RuleError:
        raise Unreadable("gives a name that no player can have") from None
    if len(found) < 2:
        raise Unreadable("does not say who played")
    return tuple(found)


def judge(night: Night, ended: Ended) -> Entry | None:
    """Return what the log gets of it; None for what it has already, and before the first round."""
    number = next((at for at, name in night.boards.items() if name == ended.board), None)
    if not (night.round or night.sent) or (ended.board, ended.id) in night.heard:
        return None
    # A game that began before a player was renamed ends under the former name.
    ended = replace(ended, scores=tuple((night.called(name), score) for name, score in ended.scores))
    entry = _weighed_back(night, ended, number) if ended.is_taken_back else _weighed(night, ended, number)
    if not isinstance(entry, Reported | TakenBack) or _goes_on(night, ended):
        return entry
    said = f"{ended.board} has gone back to an earlier step: is its journal from a backup?"
    if isinstance(entry, TakenBack):
        return Doubted(f"{said} It undid the end of a game", ended.board, ended.id)
    result = entry.result
    reports = f"It reports {result.winner} {ACC.target}, {result.loser} {result.score}"
    return Doubted(f"{said} {reports}", ended.board, ended.id, result)


def _goes_on(night: Night, ended: Ended) -> bool:
    """Tell whether this is later in its journal than what was heard of that last."""
    return night.latest.get((ended.board, ended.journal), -1) < ended.seq


def unreadable(night: Night, board: str, text: bytes, why: Unreadable) -> Entry | None:
    """Return what the log gets of a message that can't be read; None for one that it has already."""
    id = f"unreadable {hashlib.sha256(text).hexdigest()[:12]}"  # noqa: A001  the log's own word
    return None if id in night.seen else Doubted(f"{cut(visible(board), 40)} {why}", board, id)


def _weighed(night: Night, ended: Ended, number: int | None) -> Entry | None:
    (winner, score), (loser, lost), *more = ended.scores
    said = f"{ended.board} reports {winner} {score}, {loser} {lost}"

    def doubt(why: str, result: Result | None = None) -> Doubted:
        return Doubted(f"{said}{why}", ended.board, ended.id, result)

    place = None if more else _met(night, winner, loser) or _will_meet(night, winner, loser)
    if place is None:
        return doubt(f": they aren't paired in round {night.round}")
    round_, table = place
    result = Result(round_, table.board, winner, loser, lost)
    if (ended.rules, ended.target, ended.house) != (ACC.name, ACC.target, False):
        house = " with house rules" if ended.house else ""
        return doubt(f", by the rules {cut(visible(ended.rules), 40)}{house} to {ended.target}")
    if score != ACC.target or ended.skunks != int(lost < ACC.skunk_below):
        return doubt(": no game ends like that")
    if night.round < round_ <= night.sent:
        return doubt(f": this log has lost round {round_}. Start it, and this counts", result)
    if round_ > night.round:  # what tells that the log has lost that round may come after this
        return doubt(f": they aren't paired in round {night.round}", result)
    try:
        checked(night, result)
    except Refused as bad:
        return doubt(f": {bad}")
    counts = night.result(result.round, result.board)
    if counts == result:
        return Heard(ended.board, ended.id)
    if counts is not None:
        return doubt(
            f": already entered as {counts.winner} {ACC.target}, {counts.loser} {counts.score}", result
        )
    if night.finalists:
        return doubt(": the play-offs have begun", result)
    if table.board != number:
        return doubt(f": they are paired at board {table.board}", result)
    if _has_met_unheard(night, ended, round_, winner, loser):
        return doubt(": they have met before tonight: is this that game?", result)
    return Reported(result, ended.board, ended.id)


def _has_met_unheard(night: Night, ended: Ended, round_: int, one: str, other: str) -> bool:
    """Tell whether the report may be of an earlier game of the same two, which this journal has not told."""
    for earlier in range(1, round_):
        for table in night.round_of(earlier).tables:
            reports = night.reports.get((earlier, table.board), ())
            told = any(report.id.startswith(f"{ended.journal}-") for report in reports)
            if {one, other} == set(table.players) and not told:
                return True
    return False


def _met(night: Night, one: str, other: str) -> tuple[int, Table] | None:
    """Return the latest round in which two meet, and their table there."""
    for round_ in range(night.round, 0, -1):
        for table in night.round_of(round_).tables:
            if {one, other} == set(table.players):
                return round_, table
    return None


def _will_meet(night: Night, one: str, other: str) -> tuple[int, Table] | None:
    """Return the first round to come in which two are to meet, and their table there."""
    for round_ in range(night.round + 1, night.games + 1) if night.has_begun else ():
        for table in night.round_of(round_).tables:
            if {one, other} == set(table.players):
                return round_, table
    return None


def _weighed_back(night: Night, ended: Ended, number: int | None) -> Entry:
    said = f"{ended.board} undid the end of a game"
    for round_ in range(night.round, 0, -1):
        reports = night.reports.get((round_, number or 0), ())
        if not reports or reports[-1].result is None:
            continue
        last = reports[-1]
        # An undo names the step it takes back; a ruling is of the end that was heard last.
        taken = night.latest.get((ended.board, ended.journal)) if ended.undone is None else ended.undone
        if last.by == ended.board and last.id != f"{ended.journal}-{taken}":
            return Doubted(f"{said} that doesn't count tonight", ended.board, ended.id)
        if night.finalists:
            return Doubted(f"{said}: the play-offs have begun", ended.board, ended.id)
        if round_ < night.round:
            return Doubted(f"{said} of round {round_}: correct it if needed", ended.board, ended.id)
        if reports[-1].by != ended.board:
            return Doubted(f"{said} that {reports[-1].by} has reported", ended.board, ended.id)
        return TakenBack(round_, reports[-1].result.board, ended.board, ended.id)
    return Doubted(f"{said} that is not in the log", ended.board, ended.id)
