"""A level that answers a referee line by line: what `cribpi engine` speaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from cribpi.cribbage.engine.lines import (
    VERSION,
    GoRequest,
    Info,
    LineError,
    read_go,
    read_newgame,
    read_position,
    write_bestmove,
    write_info,
)
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.fallback import reason
from cribpi.cribbage.players.opponent import Opponent
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import shown, visible

Weigh: TypeAlias = Callable[[SeatSight, int], Iterable[Info]]
"""Returns the worth of a seat's best choices, best first; its second argument is their maximum number."""


class Engine:
    """An engine that plays as the opponent from *make*.

    Args:
        name: The engine's name.
        author: The engine's author.
        make: Returns the opponent for a game's rules, after loading its tables; may raise.
        weigh: Returns the worth of choices, if this level can compute it.
    """

    def __init__(
        self, name: str, author: str, make: Callable[[Rules], Opponent], weigh: Weigh | None = None
    ) -> None:
        self._name, self._author = name, author
        self._make, self._weigh = make, weigh
        self._opponent: Opponent | None = None
        self._rules: Rules | None = None
        self._sight: SeatSight | None = None
        self.is_over = False

    def answer(self, line: str) -> Iterator[str]:
        """Yield the lines of the response to *line*, or a single `error` line."""
        try:
            yield from self._answer(line.split())
        except LineError as bad:
            yield f"error {visible(str(bad))}"
        except Exception as failed:  # noqa: BLE001  one position must not end all games
            yield f"error {visible(reason(failed))}"

    def _answer(self, words: Sequence[str]) -> Iterator[str]:
        match words:
            case []:
                return
            case ["cei", version]:
                if version != str(VERSION):
                    raise LineError(f"version {shown(version)} is not known: write cei {VERSION}")
                yield f"id name {self._name}"
                yield f"id author {self._author}"
                yield "ceiok"
            case ["newgame", *options]:
                yield from self._begin(options)
            case ["position", *fields]:
                self._sight = None
                self._sight = read_position(fields, self._game())
            case ["go", *limits]:
                yield from self._go(read_go(limits))
            case ["quit"]:
                self.is_over = True
            case [word, *_]:
                raise LineError(
                    f"{shown(word)} is not expected: write cei {VERSION}, newgame, position, go or quit"
                )

    def _begin(self, options: Sequence[str]) -> Iterator[str]:
        self._opponent = self._rules = self._sight = None
        rules = read_newgame(options)
        try:
            self._opponent = self._make(rules)
        except Exception as failed:  # noqa: BLE001  any error prevents it from playing
            yield f"cannot {visible(reason(failed))}"
        else:
            self._rules = rules
            yield "readyok"

    def _game(self) -> Rules:
        if self._rules is None:
            raise LineError("no game has begun: write newgame first")
        return self._rules

    def _go(self, request: GoRequest) -> Iterator[str]:
        self._game()
        sight, opponent = self._sight, self._opponent
        if sight is None or opponent is None:
            raise LineError("there is no position: write position first")
        if sight.starter is None:
            best = opponent.discard(sight)
        elif sight.playable:
            best = (opponent.play(sight),)
        else:
            raise LineError(f"no card fits at a count of {sight.count}: the referee says go")
        if request.multi and self._weigh:
            yield from map(write_info, self._weigh(sight, request.multi))
        yield write_bestmove(best)
