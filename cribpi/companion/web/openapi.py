"""The OpenAPI document of the HTTP API, generated from its routes and from `OPERATIONS`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from starlette.datastructures import QueryParams
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from cribpi import __version__
from cribpi.companion.web.requests import BadRequest
from cribpi.cribbage.rules.shown import shown

ID: Final = "a text of your choice"


class Operation(NamedTuple):
    """The description of a method of a route.

    `answer` and `body` are types, by their names in `schemas.json`; empty if there is none.
    """

    summary: str
    answer: str = ""
    errors: tuple[int, ...] = ()
    """Status codes of errors, besides those that any request can get."""
    body: str = ""
    examples: tuple[dict[str, object], ...] = ()
    """Bodies that together have every field."""
    query: Mapping[str, object] = {}
    """Query parameters, with an example of each."""
    gives: str = "application/json"


OPERATIONS: Final[Mapping[str, Operation]] = {
    "GET /api/openapi.json": Operation("This document"),
    "GET /api/kit": Operation("The kit as the page draws it", "Kit"),
    "GET /api/board.svg": Operation(
        "The board as the page draws it, without lights; a hole has its LED in `data-led`",
        query={"target": 121, "sides": 3, "upright": True, "width": 381, "height": 720},
        gives="image/svg+xml",
    ),
    "GET /api/state": Operation("The table: scores, whose turn it is, the count, the prompt", "State"),
    "GET /api/page": Operation(
        "What only the page shows: choices, counts, the log's latest lines, the hand", "Page"
    ),
    "GET /api/log": Operation("Everything that happened in this game, newest first", "Log"),
    "POST /api/press": Operation(
        "Press a key",
        "State",
        (409,),
        body="PressBody",
        examples=({"key": "7"}, {"key": "8", "id": ID, "if_seq": 214, "carry": True}),
    ),
    "POST /api/fault": Operation(
        "Log what failed on a page; ten an hour are logged",
        "Logged",
        body="FaultBody",
        examples=(
            {"fault": "TypeError: x is null"},
            {"fault": "TypeError", "at": "#games/7", "where": "/page/replay.js:9:2"},
        ),
    ),
    "GET /api/rules": Operation("The rules to choose from, and those of this game and the next", "Rules"),
    "GET /api/settings": Operation("The settings of the table and the device", "Settings"),
    "POST /api/peg": Operation(
        "Peg a score by its kind, or a number of points",
        "State",
        (409,),
        body="PegBody",
        examples=(
            {"side": 0, "kind": "pair-royal", "id": ID, "if_seq": 214},
            {"side": 0, "kind": "run", "cards": ["4", "5", "6"]},
            {"side": 0, "points": 6},
        ),
    ),
    "POST /api/names": Operation(
        "Name the seats, yourself, or rename a player in all games",
        "State",
        (409,),
        body="NamesBody",
        examples=(
            {"names": ["Ann", "Bob"], "id": ID},
            {"you": "Ann"},
            {"rename": "Ann", "to": "Anna", "if_seq": 214},
        ),
    ),
    "POST /api/rules": Operation(
        "Set up the next game",
        "State",
        (409,),
        body="RulesBody",
        examples=(
            {"rules": "lowe", "players": 3, "entry": "cards", "options": {"target": "61"}, "id": ID},
            {"entry": "dealt", "levels": ["", "medium"], "speed": "fast", "automatic": ["cut", "deal"]},
            {"names": ["Ann", "Bob"], "menu": False, "if_seq": 214},
        ),
    ),
    "POST /api/game": Operation(
        "Start a game",
        "State",
        (409,),
        body="GameBody",
        examples=(
            {"rules": "lowe", "players": 3, "entry": "cards", "options": {"target": "61"}, "id": ID},
            {"entry": "dealt", "levels": ["", "medium"], "speed": "fast", "automatic": ["cut", "deal"]},
            {"names": ["Ann", "Bob"], "menu": False, "once": True, "if_seq": 214},
        ),
    ),
    "POST /api/settings": Operation(
        "Change settings: their values by name",
        "State",
        (409,),
        body="SettingsBody",
        examples=({"brightness": "40", "sleep": "30", "id": ID},),
    ),
    "POST /api/power": Operation(
        "Restart a Pi, or switch it off",
        "State",
        (409,),
        body="PowerBody",
        examples=({"power": "restart", "id": ID}, {"power": "off", "if_seq": 214}),
    ),
    "GET /api/chances": Operation("Each side's chance of winning", "Chances", (409,)),
    "GET /api/phones": Operation("How a phone joins, and the phones that are here", "Phones"),
    "POST /api/phones": Operation(
        "Let phones join, remove them, or give one a role",
        "Phones",
        (409,),
        body="PhonesBody",
        examples=(
            {"phones": "open"},
            {"remove": 2},
            {"give": 2, "role": "seat", "seat": 0},
        ),
    ),
    "POST /api/count": Operation(
        "Count any hand; the game on the table stays as it is",
        "Counted",
        (409,),
        body="CountBody",
        examples=(
            {"cards": "5c5d5s JH"},
            {"cards": ["5C", "5D", "5S", "JH"], "starter": "5H", "crib": False, "rules": "standard"},
        ),
    ),
    "GET /api/games": Operation(
        "Past games, newest first",
        "PastGames",
        (409,),
        query={"name": "Ann", "limit": 20, "before": 7, "finished": True},
    ),
    "POST /api/games": Operation(
        "Remove a game from lists and statistics, or put it back",
        "State",
        (409,),
        body="GamesBody",
        examples=({"remove": 7, "id": ID}, {"restore": 7, "if_seq": 214}),
    ),
    "GET /api/games/{number}.crib": Operation(
        "The record of a game, to save", errors=(404, 409), gives="text/plain"
    ),
    "GET /api/games/{number}.svg": Operation(
        "A picture of the game, to share: its result, the board, the scores by deal, the best hand",
        errors=(404, 409),
        gives="image/svg+xml",
    ),
    "GET /api/games/{number}": Operation(
        "A game: its names, rules and result, and a line for each step", "PastGame", (404, 409)
    ),
    "GET /api/games/{number}/review": Operation(
        "The review of a game, or how many deals are still to do", "GameReview", (404, 409)
    ),
    "GET /api/games/{number}/{step}": Operation(
        "The table after a step of a game, with the hands", "PastStep", (404, 409)
    ),
    "GET /api/practice/{what}": Operation(
        "A question to practise: `discards`, `pegging` or `counting`", "Practice", (404, 409)
    ),
    "GET /api/practice/{what}/mistakes": Operation(
        "A player's worst `discards` or `pegging` in the last five finished games",
        "Mistakes",
        (404, 409),
        query={"name": "Ann"},
    ),
    "GET /api/stats": Operation("Statistics: a row for each player", "Players", (409,)),
    "GET /api/stats/{name}": Operation("All statistics of a player", "Player", (404, 409)),
    "GET /api/oled.png": Operation("What the screen shows: 128 x 64 pixels", gives="image/png"),
    "GET /api/strip": Operation(
        "What the LEDs show: `[[red, green, blue], ...]`, after gamma and current limit", "Leds"
    ),
    "GET /api/events": Operation(
        "Everything that changes, as server-sent events",
        errors=(429,),
        query={"changes": True},
        gives="text/event-stream",
    ),
}
"""Operations, by method and path."""

_TYPES: Final = {bool: "boolean", int: "integer", str: "string"}


class ApiRoute(Route):
    """A route of the API. It refuses query parameters that its operation does not list."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request.

        Raises:
            BadRequest: If the query has an unknown parameter.
        """
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        operation = OPERATIONS.get(f"{method} {self.path_format}")
        known = operation.query if operation else {}
        for name in QueryParams(scope["query_string"]).keys() - known:
            raise BadRequest(f"{shown(name)} is no parameter here: give {', '.join(known) or 'none'}")
        await super().handle(scope, receive, send)


def openapi(routes: Iterable[BaseRoute]) -> dict[str, object]:
    """Return the OpenAPI 3.1 document of those *routes* whose path begins with ``/api/``.

    Raises:
        KeyError: If a route is missing in `OPERATIONS`.
    """
    paths: dict[str, dict[str, object]] = {}
    for route in routes:
        if isinstance(route, Route) and route.path.startswith("/api/"):
            for method in sorted((route.methods or set()) - {"HEAD"}):
                operation = _operation(OPERATIONS[f"{method} {route.path_format}"], route)
                paths.setdefault(route.path_format, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "cribpi", "version": __version__},
        "paths": paths,
        "components": {"schemas": json.loads(_SCHEMAS.read_text(encoding="utf-8"))},
    }


def _operation(operation: Operation, route: Route) -> dict[str, object]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": _PATH.get(kind.regex, "string")}}
        for name, kind in route.param_convertors.items()
    ]
    in_query = [
        {"name": name, "in": "query", "schema": {"type": _TYPES[type(example)]}, "example": example}
        for name, example in operation.query.items()
    ]
    errors = sorted({*_OF_ANY, *operation.errors, *((408,) if operation.body else ())})
    document: dict[str, object] = {
        "summary": operation.summary,
        "responses": {
            "200": {"description": "done", "content": {operation.gives: _named(operation.answer)}},
            **{
                str(status): {
                    "description": STATUSES[status],
                    "content": {
                        "application/json": _named("Refused" if status == 409 and operation.body else "Error")
                    },
                }
                for status in errors
            },
        },
    }
    if in_path or in_query:
        document["parameters"] = in_path + in_query
    if operation.body:
        examples = {str(number): {"value": one} for number, one in enumerate(operation.examples, start=1)}
        document["requestBody"] = {
            "required": True,
            "content": {"application/json": {**_named(operation.body), "examples": examples}},
        }
    return document


def _named(name: str) -> dict[str, object]:
    return {"schema": {"$ref": f"#/components/schemas/{name}"}} if name else {}


_SCHEMAS: Final = Path(__file__).with_name("schemas.json")
"""The schemas of answers and bodies, generated from their types; read only if the document is requested."""
STATUSES: Final = {
    403: "a foreign `Origin`",
    404: "no such game, step, player or question",
    408: "the body took longer than 10 seconds",
    409: "refused; nothing has changed",
    421: "an unknown `Host`",
    422: "a field or parameter that is missing, unknown or of the wrong type",
    429: "too many streams",
    500: "a bug",
    503: "too many connections",
}
_OF_ANY: Final = (403, 421, 422, 500, 503)
"""Status codes of errors that any request can cause."""
_PATH: Final = {"[0-9]+": "integer"}
"""JSON types of path parameters, by the pattern of their convertor."""
