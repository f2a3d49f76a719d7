"""Past games, statistics and practice for the page, with their routes.

The journal is read in a separate thread, so that presses don't wait for it. Practice questions take a second
or more each, and are generated in another thread.
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
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.view import view_of
from cribpi.companion.history.past_games import KeptGame, KeptGames, exported, read_games
from cribpi.companion.history.reviews import NoReview, Reviews, keys_of
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.companion.kit import Kit
from cribpi.companion.views.game_picture import game_svg
from cribpi.companion.views.lights.frame import compose
from cribpi.companion.views.lights.motion import Motion, games_for
from cribpi.companion.web.files import whole
from cribpi.companion.web.json.page import cards_on_table_json, strip_json, table_json
from cribpi.companion.web.json.past import PastNames
from cribpi.companion.web.json.results import count_json, player_json, players_json, result_json
from cribpi.companion.web.json.state import cards_json, pegged_json, state_json
from cribpi.companion.web.openapi import ApiRoute
from cribpi.companion.web.requests import BadRequest, query_number
from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import SHOWS, State
from cribpi.cribbage.results.statistics import Statistics, Summary, display_name, statistics, summary_of
from cribpi.cribbage.review import GAMES
from cribpi.cribbage.review.by_name import by_name
from cribpi.cribbage.rules.rules import STANDARD, house_changes
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.log import GameLog, end_of

if TYPE_CHECKING:
    from cribpi.companion.web.json import past_types, table_types
    from cribpi.cribbage.review import json_types


def row_json(number: int, began: str, found: Summary, reviewed: Reviewed | None) -> past_types.PastRow:
    """Return a row of the list of games.

    `players` has the names under which the game counts, and `levels` the computer players' names by seat.
    `skunk` is the worst skunk of any side. `reviewed` summarizes the review of each seat. A `hidden` game
    can't be opened yet.
    """
    names = PastNames(found)
    return {
        "game": number,
        "begun": began,
        **found.json(),
        **names.json(),
        "players": list(found.seats if found.winner is None else found.players),
        "levels": list(found.levels),
        "reviewed": reviewed,
        "accuracy": names.accuracy(reviewed),
        "mistakes": names.mistakes(reviewed),
        "reviewable": found.winner is not None and not found.is_five_card,
        "skunk": cast("table_types.Skunk", found.skunk),
        "hidden": found.hides_cards,
    }


def game_json(number: int, began: str, line: GameLog) -> past_types.OpenedGame:
    """Return a game with its rules, its result, and a line for each step. Steps count from 1."""
    state = end_of(line)
    view = view_of(state, InputState())
    names = PastNames(summary_of(state))
    return {
        "game": number,
        "begun": began,
        **names.json(),
        "rules": state.rules.name,
        "house": house_changes(state.rules),
        "target": state.rules.target,
        "entry": state.entry,
        "seats": [{"name": seat.name, "side": seat.side, "level": seat.level} for seat in view.seats],
        "levels": list(names.game.levels),
        "sides": [{"name": side.name, "said": side.said, "score": side.front} for side in view.sides],
        "winner": state.winner,
        "skunk": cast("table_types.Skunk", max(map(state.skunk, range(state.sides))))
        if state.winner is not None
        else 0,
        "reviewable": not state.rules.is_five_card,
        "result": result_json(state, names.sides),
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


def step_json(number: int, line: GameLog, step: int) -> past_types.StepTable:
    """Return the table after *step* of a game. All hands are included, because the game is over."""
    state = line[step - 1].after
    view = view_of(state, InputState())
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
    """Return the crib. It is empty until all players have discarded."""
    deal = state.deal
    if deal is None or (state.entry is Entry.DEALT and not all(deal.discards)):
        return ()
    return deal.crib


def _hand(state: State, seat: int) -> tuple[Card, ...]:
    """Return the known cards that *seat* holds. At the show, it is the whole hand."""
    deal = state.deal
    if deal is None:
        return ()
    is_shown = (state.won_in or state.phase) in SHOWS
    return deal.hand(seat) if is_shown else deal.possible_cards(seat) or ()


T = TypeVar("T")
Reviewed: TypeAlias = "list[past_types.Accuracy]"
"""For each seat, the `accuracy` and the number of `mistakes`. Blunders count as mistakes."""

_SCREEN_PLAYERS: Final = 6
"""Number of players whose statistics the screen shows in turn."""
LISTED: Final = 50
"""Default number of games in a response."""
MOST_LISTED: Final = 200
_ACCURACIES: Final = 20
"""Maximum number of a player's accuracies in a response; the latest ones are kept."""
_SEARCHED_GAMES: Final = 60
"""Maximum number of a player's latest games in which reviews are searched."""
DECISIONS: Final = ("discards", "pegging")
PRACTICE: Final = (*DECISIONS, "counting")


class NotFound(LookupError):
    """There is no such game, step or player. The message is for the client."""


class NotNow(Exception):
    """The response is not available now. The message is for the client."""


class GameHistory:
    """Queries on the journal in *folder*. Without a folder, all lists are empty.

    Every method may block, and may raise `NotFound` or `NotNow`.
    """

    def __init__(self, kit: Kit, folder: Path | None = None, reviews: Reviews | None = None) -> None:
        """*kit* has the LEDs that steps show. *folder* is the journal's folder."""
        self._kit = kit
        self._folder = folder
        self._reviews = reviews or Reviews(None)
        self._chance = Random()  # noqa: S311  for practice
        self._last_opened: tuple[object, GameLog, GameLog] | None = None
        """Cache of the game opened last: its key, and its log with old and with current names.

        Stepping reads it often.
        """
        self._keys: dict[tuple[int, int | None], tuple[str, str]] = {}
        """Cache of review keys, by the rows of a game's first and last event."""

    def games(
        self, name: str | None, before: int | None, limit: int, *, is_finished: bool = False
    ) -> past_types.PastGames:
        """Return up to *limit* games, newest first.

        They can be restricted to a player's games, to those *before* a number, and to finished ones.
        """

        def ask(games: KeptGames) -> past_types.PastGames:
            rows, more = list["past_types.PastRow | past_types.UnreadableRow"](), False
            review_keys = self._reviews.keys()
            for game in games.newest_first():
                if before is not None and game.number >= before:
                    continue
                try:
                    summary = game.summary()
                    if is_finished and summary.winner is None:
                        continue
                    reviewed = self._reviewed(game, summary, review_keys)
                    row: past_types.PastRow | past_types.UnreadableRow = row_json(
                        game.number, game.began, summary, reviewed
                    )
                except JournalTrouble as bad:
                    row = {"game": game.number, "begun": game.began, "players": [], "error": str(bad)}
                if name is not None and name not in row["players"]:
                    continue
                more = len(rows) == limit
                if more:
                    break
                rows.append(row)
            following = rows[-1]["game"] if more else None
            return {"games": rows, "next": following, "all": len(games), "pending": 0}

        return self._ask(ask)

    def game(self, number: int) -> past_types.PastGame:
        game, _, line = self._opened(number)
        return {**game_json(number, game.began, line), "removed": game.is_removed}

    def picture(self, number: int) -> str:
        """Return the picture of a game for sharing, as SVG that refers to files of the page."""
        game, _, line = self._opened(number)
        return game_svg(self._kit, end_of(line), game.began)

    def record(self, number: int) -> str:
        game, written, _ = self._opened(number)
        return exported(written, game.began)

    def review(self, number: int) -> past_types.GameReview:
        """Return the review of a game. Until it is made, return the number of deals left to review."""
        _, written, line = self._opened(number)
        try:
            review = self._reviews.of([entry.event for entry in written])
        except NoReview as bad:
            raise NotNow(str(bad)) from None
        if "decisions" in review:
            state = end_of(line)
            review = PastNames(summary_of(state)).review(by_name(review, state))
        return cast("past_types.PastReview | json_types.PendingReview", review)

    def practice(self, what: str) -> past_types.Counted | json_types.Position:
        """Return a practice question of the kind *what*, one of `PRACTICE`.

        It is a position, or a hand with its count.
        """
        if what not in PRACTICE:
            raise NotFound(f"practise {', '.join(DECISIONS)} or {PRACTICE[-1]}")
        from cribpi.cribbage.review.practice import WHICH, counts, positions  # noqa: PLC0415  loads NumPy
        from cribpi.cribbage.review.report import position_json  # noqa: PLC0415  loads NumPy

        try:
            if what == "counting":
                task = next(counts(self._chance))
                return count_json(task.cards, task.starter, STANDARD, is_crib=task.is_crib)
            return position_json(next(positions(WHICH[what], self._chance)))
        except (ImportError, ValueError) as bad:  # a table or NumPy is missing
            raise NotNow(f"there is nothing to practise ({bad})") from None

    def mistakes(self, what: str, name: str) -> json_types.Mistakes:
        """Return the worst recent mistakes of *name* in *what*.

        Until all reviews are made, return only `pending`.
        """
        if what not in DECISIONS:
            raise NotFound(f"only {' and '.join(DECISIONS)} have mistakes")
        try:
            from cribpi.cribbage.review.practice import WHICH, worst_first  # noqa: PLC0415  loads NumPy
        except ImportError as bad:
            raise NotNow(f"there is nothing to practise ({bad})") from None

        played = self._ask(lambda games: list(islice(games.of_person(name), GAMES)))
        if not played:
            raise _nobody(name)
        pending, decided = 0, []
        for game in played:
            try:
                review = self._reviews.of(game.events)
            except NoReview:  # the error is already logged, and the other games can still be used
                continue
            pending += review["pending"]
            if review["pending"]:
                continue
            decided += [
                (decision["lost"], decision["mark"], {"game": game.number} | decision)
                for decision in by_name(review, game.state)["decisions"]
                if decision["seat"] == game.seat and decision["which"] == WHICH[what]
            ]
        return {"pending": pending, "mistakes": [] if pending else worst_first(decided)}

    def step(self, number: int, step: int) -> past_types.PastStep:
        """Return the table after a step of a game, and its LEDs without animation. Steps count from 1."""
        _, _, line = self._opened(number)
        if not 1 <= step <= len(line):
            raise NotFound(f"game {number} has no step {step}: its steps are 1 to {len(line)}")
        state = line[step - 1].after
        target = state.rules.target
        motion = Motion(self._kit, state.pegs, still=True, games=games_for(state), target=target)
        lit = strip_json(compose(self._kit, motion.lights(0.0)).data)["lit"]
        return {**step_json(number, line, step), "lit": lit}

    def stats(self) -> past_types.Players:
        return self._ask(lambda games: players_json(statistics(games.finished())))

    def player(self, name: str) -> past_types.Player:

        def ask(games: KeptGames) -> past_types.Player:
            finished = list(games.finished())
            row = statistics(finished, name).get(name)
            if row is None:
                raise _nobody(name)
            players = {player for _, game in finished for player in game.players}
            accuracies = list(islice(self._accuracies(games, name), _ACCURACIES))
            return {**player_json(row, players), "accuracies": accuracies[::-1]}

        return self._ask(ask)

    def _accuracies(self, games: KeptGames, name: str) -> Iterator[past_types.ReviewedGame]:
        """Yield the accuracies of the player *name* in the latest reviewed games, newest first."""
        review_keys = self._reviews.keys()
        for game, summary, seat in islice(_finished_of(games, name), _SEARCHED_GAMES):
            reviewed = self._reviewed(game, summary, review_keys)
            if reviewed and (accuracy := reviewed[seat]["accuracy"]) is not None:
                yield {"game": game.number, "accuracy": accuracy}

    def _reviewed(self, game: KeptGame, summary: Summary, review_keys: Collection[str]) -> Reviewed | None:
        """Return a summary of the finished review of *game*, or None.

        A missing review is not started, because this is called for every game of a list.
        """
        if summary.winner is None or not review_keys:
            return None
        rows = game.start, game.last
        try:
            if rows not in self._keys:
                self._keys[rows] = keys_of(game.events())
        except (JournalTrouble, sqlite3.DatabaseError):  # the list can still show the game's summary
            return None
        key = next((key for key in self._keys[rows] if key in review_keys), None)
        players = self._reviews.players(key) if key else None
        if players is None:
            return None
        return [
            {"accuracy": row["accuracy"], "mistakes": row["marks"]["mistake"] + row["marks"]["blunder"]}
            for row in players
        ]

    def _opened(self, number: int) -> tuple[KeptGame, GameLog, GameLog]:
        """Return a game and its log, once with the names as written and once with the current names.

        Raises:
            NotFound: If there is no such game.
            NotNow: If the game is not over. Its cards are still secret.
        """

        def ask(games: KeptGames) -> tuple[KeptGame, GameLog, GameLog]:
            try:
                game = games[number]
                key = (number, game.start, game.last, game.renamed)
                if self._last_opened is None or self._last_opened[0] != key:
                    written = game.replayed()
                    self._last_opened = key, written, game.with_names_of_now(written)
            except IndexError:
                known = f"the games are 1 to {len(games)}" if len(games) else "there are no games yet"
                raise NotFound(f"no game {number}: {known}") from None
            _, written, line = self._last_opened
            if number == len(games) and end_of(line).winner is None:
                raise NotNow(f"game {number} is not over: its cards stay hidden until it is")
            return game, written, line

        return self._ask(ask)

    def _ask(self, ask: Callable[[KeptGames], T]) -> T:
        if self._folder is None:
            with closing(sqlite3.connect(":memory:")) as empty:
                return ask(KeptGames(empty, None, None))
        try:
            return read_games(self._folder, ask, is_checked=False)
        except JournalTrouble as bad:
            raise NotNow(str(bad)) from None


def _finished_of(games: KeptGames, name: str) -> Iterator[tuple[KeptGame, Summary, int]]:
    """Yield the finished games of the player *name*, newest first.

    Each has its summary and the player's seat.
    """
    for game in games.newest_first():
        with suppress(JournalTrouble):
            summary = game.brief()
            if summary.winner is not None and name in summary.players:
                yield game, summary, summary.players.index(name)


def _nobody(name: str) -> NotFound:
    return NotFound(f"no finished game of {shown(name)}")


def history_routes(history: GameHistory) -> list[Route]:
    """Return the routes of *history*."""
    # A single thread, because a query may read the whole journal.
    games_thread = ThreadPoolExecutor(1, "history")
    practice_thread = ThreadPoolExecutor(1, "practice")

    def route(path: str, ask: Callable[[Request], object], thread: Executor = games_thread) -> Route:
        async def answer(request: Request) -> Response:
            result = await asyncio.get_running_loop().run_in_executor(thread, ask, request)
            return result if isinstance(result, Response) else JSONResponse(result)

        return ApiRoute(path, answer)

    def games(request: Request) -> object:
        before = query_number(request.query_params, "before", None, 1 << 53)
        limit = query_number(request.query_params, "limit", LISTED, MOST_LISTED) or LISTED
        query = request.query_params
        finished = query.get("finished", "false")
        if finished not in {"true", "false"}:
            raise BadRequest("finished is true or false")
        return history.games(query.get("name") or None, before, limit, is_finished=finished == "true")

    def record(request: Request) -> Response:
        number = request.path_params["number"]
        headers = {"Content-Disposition": f'attachment; filename="game-{number}.crib"'}
        text = history.record(number).encode()
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    def picture(request: Request) -> Response:
        return whole(history.picture(request.path_params["number"]))

    def mistakes(request: Request) -> object:
        return history.mistakes(request.path_params["what"], request.query_params.get("name", ""))

    return [
        route("/api/games", games),
        route("/api/games/{number:int}.crib", record),
        route("/api/games/{number:int}.svg", picture),
        route("/api/games/{number:int}", lambda of: history.game(**of.path_params)),
        route("/api/games/{number:int}/review", lambda of: history.review(**of.path_params)),
        route("/api/games/{number:int}/{step:int}", lambda of: history.step(**of.path_params)),
        route("/api/practice/{what}", lambda of: history.practice(**of.path_params), practice_thread),
        route("/api/practice/{what}/mistakes", mistakes),
        route("/api/stats", lambda _: history.stats()),
        route("/api/stats/{name:path}", lambda of: history.player(**of.path_params)),
    ]


def most_played(folder: Path) -> tuple[Statistics, ...]:
    """Return the statistics of the players with the most games. Lists that grow with the games are left out.

    Raises:
        JournalTrouble: If the journal in *folder* can't be read.
    """
    players = read_games(folder, lambda games: statistics(games.finished()), is_checked=False)
    first = sorted(players.values(), key=lambda row: (-row.games, row.name))[:_SCREEN_PLAYERS]
    return tuple(replace(row, name=display_name(row.name, players), results=[], against={}) for row in first)
