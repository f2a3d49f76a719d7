"""Past games and statistics for the page, and their routes: another thread reads them, so no press waits.

Practice has another thread: it reads no games, and each question takes a second or more to make.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.view import view_of
from cribpi.companion.history.past_games import KeptGame, KeptGames, exported, read_games
from cribpi.companion.history.reviews import NoReview, Reviews, keys_of
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.companion.kit import Kit
from cribpi.companion.views.lights.frame import compose
from cribpi.companion.views.lights.motion import Motion, games_for
from cribpi.companion.web.json.page import cards_on_table_json, strip_json, table_json
from cribpi.companion.web.json.results import count_json, player_json, players_json, result_json
from cribpi.companion.web.json.state import cards_json, pegged_json, seat_json, state_json
from cribpi.companion.web.openapi import ApiRoute
from cribpi.companion.web.requests import BadRequest
from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import SHOWS, State
from cribpi.cribbage.results.statistics import Statistics, Summary, called, statistics, summary_of
from cribpi.cribbage.review import GAMES
from cribpi.cribbage.review.by_name import by_name
from cribpi.cribbage.rules.rules import STANDARD, house_changes
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.log import GameLog, end_of


def row_json(number: int, began: str, found: Summary, reviewed: Reviewed | None) -> dict[str, object]:
    """Return a game of the list; `players` are the names under which it counts, `skunk` the worst in it.

    `levels` are the computer's, `reviewed` what each seat's review says.  One that is `hidden` can't be
    looked at yet.
    """
    return {
        "game": number,
        "begun": began,
        **found.json(),
        "players": list(found.seats if found.winner is None else found.players),
        "levels": list(found.levels),
        "reviewed": reviewed,
        "reviewable": found.winner is not None and not found.is_five_card,
        "skunk": found.skunk,
        "hidden": found.hides_cards,
    }


def game_json(number: int, began: str, line: GameLog) -> dict[str, object]:
    """Return a game with what it came to, and what happened in each of its steps, counted from 1."""
    state = end_of(line)
    view = view_of(state, Desk())
    return {
        "game": number,
        "begun": began,
        "rules": state.rules.name,
        "house": house_changes(state.rules),
        "target": state.rules.target,
        "entry": str(state.entry),
        "seats": [seat_json(one) for one in view.seats],
        "levels": list(summary_of(state).levels),
        "sides": [{"name": one.name, "said": one.said, "score": one.front} for one in view.sides],
        "winner": state.winner,
        "skunk": max(map(state.skunk, range(state.sides))) if state.winner is not None else 0,
        "reviewable": not state.rules.is_five_card,
        "result": result_json(state),
        "lines": [
            {
                "step": step,
                "deal": entry.deal,
                "text": entry.text,
                "pegged": pegged_json(entry),
            }
            for step, entry in enumerate(line, start=1)
        ],
    }


def step_json(number: int, line: GameLog, step: int) -> dict[str, object]:
    """Return the table after *step* of a game: what all saw, and the hands, which all may see by now."""
    state = line[step - 1].after
    view = view_of(state, Desk())
    return {
        "game": number,
        "step": step,
        "steps": len(line),
        "text": line[step - 1].text,
        "state": state_json(view, step, may_undo=False, may_redo=False),
        "table": table_json(view),
        "felt": cards_on_table_json(view, ()),
        "hands": [cards_json(in_order(_hand(state, seat))) for seat in range(state.players)],
        "crib": cards_json(in_order(_crib(state))),
    }


def _crib(state: State) -> tuple[Card, ...]:
    """Return the crib, once all have discarded."""
    deal = state.deal
    if deal is None or (state.entry is Entry.DEALT and not all(deal.discards)):
        return ()
    return deal.crib


def _hand(state: State, seat: int) -> tuple[Card, ...]:
    """Return the cards that *seat* holds; at the show the hand that it shows, as far as it is known."""
    deal = state.deal
    if deal is None:
        return ()
    is_shown = (state.won_in or state.phase) in SHOWS
    return deal.hand(seat) if is_shown else deal.possible_cards(seat) or ()


T = TypeVar("T")
Reviewed: TypeAlias = list[dict[str, Any]]
"""For each seat its `accuracy`, and how many `mistakes` it made, blunders among them."""

_TOLD_OF: Final = 6
"""How many players the screen tells of, one after the other."""
LISTED: Final = 50
"""Games in an answer, where the request does not say."""
MOST_LISTED: Final = 200
_IN_COURSE: Final = 20
"""How many of a player's last accuracies the page gets, and in how many games they are looked for."""
_LOOKED_THROUGH: Final = 60
DECISIONS: Final = ("discards", "pegging")
PRACTICE: Final = (*DECISIONS, "counting")


class NotThere(LookupError):
    """There is no such game, step or player; the message is the sentence for its sender."""


class NotNow(Exception):
    """It can't be given now; the message is the sentence for its sender."""


class GameHistory:
    """Answers from the journal in *folder*; without a folder, every list is empty.

    Every method may take a while, and raise `NotThere` or `NotNow`.
    """

    def __init__(self, kit: Kit, folder: Path | None = None, reviews: Reviews | None = None) -> None:
        """Take the kit whose board is lit, the folder, and the reviews."""
        self._kit = kit
        self._folder = folder
        self._reviews = reviews or Reviews(None)
        self._chance = Random()  # noqa: S311  for practice
        self._last_opened: tuple[object, GameLog, GameLog] | None = None
        """The game that was opened last, as written and by today's names: who steps through it asks again."""
        self._keys: dict[tuple[int, int | None], tuple[str, str]] = {}
        """The keys of the reviews of the games between two rows of the journal."""

    def games(
        self, name: str | None, before: int | None, limit: int, *, is_finished: bool = False
    ) -> dict[str, object]:
        """Return up to *limit* games, newest first: those of a player, before a number, or won, if asked."""

        def ask(games: KeptGames) -> dict[str, object]:
            rows, more, there = list[dict[str, object]](), False, self._reviews.keys()
            for game in games.newest_first():
                if before is not None and game.number >= before:
                    continue
                try:
                    found = game.summary()
                    if is_finished and found.winner is None:
                        continue
                    row = row_json(game.number, game.began, found, self._reviewed(game, found, there))
                except JournalTrouble as bad:
                    row = {"game": game.number, "begun": game.began, "players": [], "error": str(bad)}
                if name is not None and name not in row["players"]:  # type: ignore[operator]
                    continue
                more = len(rows) == limit
                if more:
                    break
                rows.append(row)
            following = rows[-1]["game"] if more else None
            return {"games": rows, "next": following, "all": len(games), "pending": 0}

        return self._ask(ask)

    def game(self, number: int) -> dict[str, object]:
        """Return a game with what it came to, and what happened in it."""
        game, _, line = self._opened(number)
        return {**game_json(number, game.began, line), "removed": game.is_removed}

    def record(self, number: int) -> str:
        game, written, _ = self._opened(number)
        return exported(written, game.began)

    def review(self, number: int) -> dict[str, object]:
        """Return the review of a game, or how many of its deals are still to be reviewed."""
        _, written, line = self._opened(number)
        try:
            found = self._reviews.of([entry.event for entry in written])
        except NoReview as bad:
            raise NotNow(str(bad)) from None
        return by_name(found, end_of(line)) if "decisions" in found else found

    def practice(self, what: str) -> dict[str, object]:
        """Return something to practise, *what* of `PRACTICE`: a position, or a hand with its count."""
        if what not in PRACTICE:
            raise NotThere(f"practise {', '.join(DECISIONS)} or {PRACTICE[-1]}")
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
        """Return what *name* did worst of *what* in `DECISIONS` lately, or how many deals are still to go."""
        if what not in DECISIONS:
            raise NotThere(f"only {' and '.join(DECISIONS)} have mistakes")
        try:
            from cribpi.cribbage.review.practice import WHICH, worst_first  # noqa: PLC0415  as above
        except ImportError as bad:
            raise NotNow(f"there is nothing to practise ({bad})") from None

        played = self._ask(lambda games: list(islice(games.of_person(name), GAMES)))
        if not played:
            raise _nobody(name)
        pending, decided = 0, []
        for game in played:
            try:
                review = self._reviews.of(game.events)
            except NoReview:  # the log says why; the other games have mistakes too
                continue
            pending += review["pending"]
            if review["pending"]:
                continue
            decided += [
                (one["lost"], one["mark"], {"game": game.number} | one)
                for one in by_name(review, game.state)["decisions"]
                if one["seat"] == game.seat and one["which"] == WHICH[what]
            ]
        return {"pending": pending, "mistakes": [] if pending else worst_first(decided)}

    def step(self, number: int, step: int) -> dict[str, object]:
        """Return how the table stood after a step of a game, from 1, and its LEDs with the pegs at rest."""
        _, _, line = self._opened(number)
        if not 1 <= step <= len(line):
            raise NotThere(f"game {number} has no step {step}: its steps are 1 to {len(line)}")
        state = line[step - 1].after
        target = state.rules.target
        motion = Motion(self._kit, state.pegs, still=True, games=games_for(state), target=target)
        lit = strip_json(compose(self._kit, motion.lights(0.0)).data)["lit"]
        return step_json(number, line, step) | {"lit": lit}

    def stats(self) -> dict[str, object]:
        """Return a row for each player."""
        return self._ask(lambda games: players_json(statistics(games.finished())))

    def player(self, name: str) -> dict[str, object]:
        """Return all figures of a player."""

        def ask(games: KeptGames) -> dict[str, object]:
            finished = list(games.finished())
            found = statistics(finished, name).get(name)
            if found is None:
                raise _nobody(name)
            players = {player for _, game in finished for player in game.players}
            accuracies = list(islice(self._accuracies(games, name), _IN_COURSE))
            return player_json(found, players) | {"accuracies": accuracies[::-1]}

        return self._ask(ask)

    def _accuracies(self, games: KeptGames, name: str) -> Iterator[dict[str, object]]:
        """Yield how well the player *name* played in each of the last reviewed games, newest first."""
        there = self._reviews.keys()
        for game, found, seat in islice(_finished_of(games, name), _LOOKED_THROUGH):
            reviewed = self._reviewed(game, found, there)
            if reviewed and reviewed[seat]["accuracy"] is not None:
                yield {"game": game.number, "accuracy": reviewed[seat]["accuracy"]}

    def _reviewed(self, game: KeptGame, found: Summary, there: Collection[str]) -> Reviewed | None:
        """Return what the review of *game* says, if it is *there*: a list has none made."""
        if found.winner is None or not there:
            return None
        try:
            place = game.start, game.last
            if place not in self._keys:
                self._keys[place] = keys_of(game.events())
        except (JournalTrouble, sqlite3.DatabaseError):  # the list is from the summaries, and needs no steps
            return None
        key = next((key for key in self._keys[place] if key in there), None)
        players = self._reviews.players(key) if key else None
        return players and [
            {"accuracy": one["accuracy"], "mistakes": one["marks"]["mistake"] + one["marks"]["blunder"]}
            for one in players
        ]

    def _opened(self, number: int) -> tuple[KeptGame, GameLog, GameLog]:
        """Return a game with its events and states, as written and with people called as they are by now.

        It is refused while somebody still holds cards in it.
        """

        def ask(games: KeptGames) -> tuple[KeptGame, GameLog, GameLog]:
            try:
                game = games[number]
                key = (number, game.start, game.last, game.renamed)
                if self._last_opened is None or self._last_opened[0] != key:
                    written = game.replayed()
                    self._last_opened = key, written, game.with_names_of_now(written)
            except IndexError:
                there = f"the games are 1 to {len(games)}" if len(games) else "there are no games yet"
                raise NotThere(f"no game {number}: {there}") from None
            _, written, line = self._last_opened
            if number == len(games) and end_of(line).winner is None:
                raise NotNow(f"game {number} is not over: its cards stay hidden until it is")
            return game, written, line

        return self._ask(ask)

    def _ask(self, ask: Callable[[KeptGames], T]) -> T:
        if self._folder is None:
            with closing(sqlite3.connect(":memory:")) as nothing:
                return ask(KeptGames(nothing, None, None))
        try:
            return read_games(self._folder, ask, is_checked=False)
        except JournalTrouble as bad:
            raise NotNow(str(bad)) from None


def _finished_of(games: KeptGames, name: str) -> Iterator[tuple[KeptGame, Summary, int]]:
    """Yield the games that count for the player *name*, newest first, each with its seat."""
    for game in games.newest_first():
        with suppress(JournalTrouble):
            found = game.brief()
            if found.winner is not None and name in found.players:
                yield game, found, found.players.index(name)


def _nobody(name: str) -> NotThere:
    return NotThere(f"no finished game of {shown(name)}")


def history_routes(history: GameHistory) -> list[Route]:
    """Return the routes that answer from *history*."""
    games_thread = ThreadPoolExecutor(1, "history")  # one question at a time: each may read the whole journal
    practice_thread = ThreadPoolExecutor(1, "practice")

    def route(path: str, ask: Callable[[Request], object], thread: Executor = games_thread) -> Route:
        async def answer(request: Request) -> Response:
            found = await asyncio.get_running_loop().run_in_executor(thread, ask, request)
            return found if isinstance(found, Response) else JSONResponse(found)

        return ApiRoute(path, answer)

    def games(request: Request) -> object:
        before = _number(request, "before", None, 1 << 53)
        limit = _number(request, "limit", LISTED, MOST_LISTED) or LISTED
        asked = request.query_params
        finished = asked.get("finished", "false")
        if finished not in {"true", "false"}:
            raise BadRequest("finished is true or false")
        return history.games(asked.get("name") or None, before, limit, is_finished=finished == "true")

    def record(request: Request) -> Response:
        number = request.path_params["number"]
        headers = {"Content-Disposition": f'attachment; filename="game-{number}.crib"'}
        text = history.record(number).encode()
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    def mistakes(request: Request) -> object:
        return history.mistakes(request.path_params["what"], request.query_params.get("name", ""))

    return [
        route("/api/games", games),
        route("/api/games/{number:int}.crib", record),
        route("/api/games/{number:int}", lambda of: history.game(**of.path_params)),
        route("/api/games/{number:int}/review", lambda of: history.review(**of.path_params)),
        route("/api/games/{number:int}/{step:int}", lambda of: history.step(**of.path_params)),
        route("/api/practice/{what}", lambda of: history.practice(**of.path_params), practice_thread),
        route("/api/practice/{what}/mistakes", mistakes),
        route("/api/stats", lambda _: history.stats()),
        route("/api/stats/{name:path}", lambda of: history.player(**of.path_params)),
    ]


def _number(request: Request, name: str, default: int | None, most: int) -> int | None:
    """Read a number, from 1, of the query.

    Raises:
        BadRequest: If it is something else.
    """
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 17 and 1 <= int(text) <= most):
        raise BadRequest(f"{name} is a number from 1 to {most}")
    return int(text)


def most_played(folder: Path) -> tuple[Statistics, ...]:
    """Return those who have played most in the journal in *folder*, without what grows with their games.

    Raises:
        JournalTrouble: If it can't be read.
    """
    found = read_games(folder, lambda games: statistics(games.finished()), is_checked=False)
    first = sorted(found.values(), key=lambda one: (-one.games, one.name))[:_TOLD_OF]
    return tuple(replace(one, name=called(one.name, found), results=[], against={}) for one in first)
