"""The games of the journal for the page: read in another thread than the loop's, so that no press waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from cribpi.companion.history.past_games import KeptGame, KeptGames, Line, exported, read_games
from cribpi.companion.history.reviews import NoReview, Reviews
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.companion.kit import Kit
from cribpi.companion.views.lights.frame import compose
from cribpi.companion.views.lights.motion import Motion, games_for
from cribpi.companion.web.history import History, NotNow, NotThere
from cribpi.companion.web.json.count import count_json
from cribpi.companion.web.json.games import game_json, row_json, step_json
from cribpi.companion.web.json.statistics import player_json, players_json
from cribpi.companion.web.stream import strip_json
from cribpi.cribbage.game.state import State
from cribpi.cribbage.results.statistics import Statistics, statistics
from cribpi.cribbage.review import GAMES
from cribpi.cribbage.rules.rules import STANDARD
from cribpi.cribbage.rules.shown import shown

Asked = TypeVar("Asked")

_TOLD_OF: Final = 6
"""How many players the screen tells of, one after the other."""


class GameHistory(History):
    """Answers from the journal in *folder*; without a folder, every list is empty."""

    def __init__(self, kit: Kit, folder: Path | None = None, reviews: Reviews | None = None) -> None:
        """Take the kit whose board is lit, the folder, and the reviews."""
        self._kit = kit
        self._folder = folder
        self._reviews = reviews or Reviews(None)
        self._chance = Random()  # noqa: S311  for practice
        self._last_opened: tuple[tuple[int, int, int | None], Line] | None = None
        """The game that was opened last: whoever steps through it asks for it again and again."""

    def games(self, name: str | None, before: int | None, limit: int) -> dict[str, object]:
        def ask(games: KeptGames) -> dict[str, object]:
            rows, more = list[dict[str, object]](), False
            for game in games.newest_first():
                if before is not None and game.number >= before:
                    continue
                row = self._row(game)
                if name is not None and name not in row["players"]:  # type: ignore[operator]
                    continue
                more = len(rows) == limit
                if more:
                    break
                rows.append(row)
            return {
                "games": rows,
                "next": rows[-1]["game"] if more else None,
                "all": len(games),
                "pending": 0,
            }

        empty: dict[str, object] = {"games": [], "next": None, "all": 0, "pending": 0}
        return self._ask(ask, empty)

    def _row(self, game: KeptGame) -> dict[str, object]:
        try:
            return row_json(game.number, game.began, game.summary())
        except JournalTrouble as bad:
            return {"game": game.number, "begun": game.began, "players": [], "error": str(bad)}

    def game(self, number: int) -> dict[str, object]:
        game, line = self._opened(number)
        return game_json(number, game.began, line)

    def record(self, number: int) -> str:
        game, line = self._opened(number)
        return exported(line, game.began)

    def review(self, number: int) -> dict[str, object]:
        _, line = self._opened(number)
        try:
            return self._reviews.of([event for event, _ in line])
        except NoReview as bad:
            raise NotNow(str(bad)) from None

    def practice(self, what: str) -> dict[str, object]:
        from cribpi.cribbage.review.practice import WHICH, counts, positions  # noqa: PLC0415  NumPy, for who practises
        from cribpi.cribbage.review.report import position_json  # noqa: PLC0415  as above

        try:
            if what == "counting":
                task = next(counts(self._chance))
                return count_json(task.cards, task.starter, STANDARD, is_crib=task.is_crib)
            return position_json(next(positions(WHICH[what], self._chance)))
        except (ImportError, ValueError) as bad:  # a table, or NumPy, is missing
            raise NotNow(f"there is nothing to practise ({bad})") from None

    def mistakes(self, what: str, name: str) -> dict[str, object]:
        try:
            from cribpi.cribbage.review.practice import WHICH, worst_first  # noqa: PLC0415  as above
        except ImportError as bad:
            raise NotNow(f"there is nothing to practise ({bad})") from None

        played = self._folder and self._ask(lambda games: list(islice(games.of_person(name), GAMES)))
        if not played:
            raise _nobody(name)
        pending, decided = 0, []
        for game in played:
            try:
                review = self._reviews.of(game.events)
            except NoReview:  # the log says why; the other games have mistakes too
                continue
            pending += review["pending"]
            decided += [
                (one["lost"], one["mark"], {"game": game.number} | one)
                for one in review.get("decisions", ())
                if one["seat"] == game.seat and one["which"] == WHICH[what]
            ]
        return {"pending": pending, "mistakes": [] if pending else worst_first(decided)}

    def step(self, number: int, step: int) -> dict[str, object]:
        _, line = self._opened(number)
        if not 1 <= step <= len(line):
            raise NotThere(f"game {number} has no step {step}: its steps are 1 to {len(line)}")
        return step_json(number, line, step) | {"lit": self._lit(line[step - 1][1])}

    def _opened(self, number: int) -> tuple[KeptGame, Line]:
        """Return a game with its events and states, unless somebody still holds cards in it."""

        def ask(games: KeptGames) -> tuple[KeptGame, Line]:
            try:
                game = games[number]
                key = (number, game.start, game.last)
                if self._last_opened is None or self._last_opened[0] != key:
                    self._last_opened = key, game.replayed()
            except IndexError:
                there = f"the games are 1 to {len(games)}" if len(games) else "there are no games yet"
                raise NotThere(f"no game {number}: {there}") from None
            line = self._last_opened[1]
            if number == len(games) and line[-1][1].winner is None:
                raise NotNow(f"game {number} is not over: its cards stay hidden until it is")
            return game, line

        return self._ask(ask)

    def _lit(self, state: State) -> object:
        """Return what the board's LEDs show with the pegs of *state* at rest."""
        target = state.rules.target
        motion = Motion(self._kit, state.pegs, still=True, games=games_for(state), target=target)
        return strip_json(compose(self._kit, motion.lights(0.0)).data)["lit"]

    def stats(self) -> dict[str, object]:
        def ask(games: KeptGames) -> dict[str, object]:
            return players_json(statistics(games.finished()))

        return self._ask(ask, players_json({}))

    def player(self, name: str) -> dict[str, object]:
        def ask(games: KeptGames) -> dict[str, object]:
            found = statistics(games.finished(), name).get(name)
            if found is None:
                raise _nobody(name)
            return player_json(found)

        if self._folder is None:
            raise _nobody(name)
        return self._ask(ask)

    def _ask(self, ask: Callable[[KeptGames], Asked], empty: Asked | None = None) -> Asked:
        if self._folder is None:
            if empty is None:
                raise NotThere("there are no games yet")
            return empty
        try:
            return read_games(self._folder, ask, is_checked=False)
        except JournalTrouble as bad:
            raise NotNow(str(bad)) from None


def most_played(folder: Path) -> tuple[Statistics, ...]:
    """Return those who have played most in the journal in *folder*, without what grows with their games.

    Raises:
        JournalTrouble: If it can't be read.
    """
    found = read_games(folder, lambda games: statistics(games.finished()), is_checked=False)
    first = sorted(found.values(), key=lambda one: (-one.games, one.name))[:_TOLD_OF]
    return tuple(replace(one, results=[], against={}) for one in first)


def _nobody(name: str) -> NotThere:
    return NotThere(f"no finished game of {shown(name)}")
