"""The OpenAPI document of the HTTP API, generated from its routes and `OPERATIONS`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from starlette.datastructures import QueryParams
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from cribpi import __version__
from cribpi.companion.web.requests import BadRequest
from cribpi.cribbage.rules.shown import shown

ID: Final = "a text of your choice"


class Operation(NamedTuple):
    """The description of a method of a route; `bodies` are examples that together have every field."""

    summary: str
    bodies: tuple[dict[str, object], ...] = ()
    query: Mapping[str, object] = {}
    """Query parameters, each with an example."""
    gives: str = "application/json"


OPERATIONS: Final[Mapping[str, Operation]] = {
    "GET /api/openapi.json": Operation("This document"),
    "GET /api/kit": Operation("The kit as the page draws it"),
    "GET /api/state": Operation("The table: scores, whose turn it is, the count, the prompt"),
    "GET /api/page": Operation("What only the page shows: choices, counts, the log's latest lines, the hand"),
    "GET /api/log": Operation("Everything that happened in this game, newest first"),
    "POST /api/press": Operation(
        "Press a key",
        ({"key": "7"}, {"key": "8", "id": ID, "if_seq": 214, "carry": True}),
    ),
    "POST /api/fault": Operation(
        "Log what failed on a page; ten an hour are logged",
        (
            {"fault": "TypeError: x is null"},
            {"fault": "TypeError", "at": "#games/7", "where": "/page/replay.js:9:2"},
        ),
    ),
    "GET /api/rules": Operation("The rules to choose from, and those of this game and the next"),
    "GET /api/settings": Operation("The settings of the table and the device"),
    "POST /api/peg": Operation(
        "Peg a score by its kind, or a number of points",
        (
            {"side": 0, "kind": "pair-royal", "id": ID, "if_seq": 214},
            {"side": 0, "kind": "run", "cards": ["4", "5", "6"]},
            {"side": 0, "points": 6},
        ),
    ),
    "POST /api/names": Operation(
        "Name the seats, yourself, or rename a player in all games",
        ({"names": ["Ann", "Bob"], "id": ID}, {"you": "Ann"}, {"rename": "Ann", "to": "Anna"}),
    ),
    "POST /api/rules": Operation(
        "Set up the next game",
        (
            {"rules": "lowe", "players": 3, "entry": "cards", "options": {"target": "61"}, "id": ID},
            {"entry": "dealt", "levels": ["", "medium"], "speed": "fast", "automatic": ["cut", "deal"]},
            {"names": ["Ann", "Bob"], "menu": False},
        ),
    ),
    "POST /api/game": Operation(
        "Start a game",
        (
            {"rules": "lowe", "players": 3, "entry": "cards", "options": {"target": "61"}, "id": ID},
            {"entry": "dealt", "levels": ["", "medium"], "speed": "fast", "automatic": ["cut", "deal"]},
            {"names": ["Ann", "Bob"], "once": True},
        ),
    ),
    "POST /api/settings": Operation(
        "Change any settings, such as these two", ({"brightness": "40", "id": ID}, {"sleep": "30"})
    ),
    "POST /api/power": Operation(
        "Restart a Pi, or switch it off", ({"power": "restart", "id": ID}, {"power": "off"})
    ),
    "GET /api/chances": Operation("Each side's chance of winning"),
    "GET /api/phones": Operation("How a phone joins, and the phones that are here"),
    "POST /api/phones": Operation(
        "Let phones join, remove them, or give one a role",
        (
            {"phones": "open"},
            {"remove": 2},
            {"give": 2, "role": "seat", "seat": 0},
        ),
    ),
    "POST /api/count": Operation(
        "Count any hand; the game on the table stays as it is",
        (
            {"cards": "5c5d5s JH"},
            {"cards": ["5C", "5D", "5S", "JH"], "starter": "5H", "crib": False, "rules": "standard"},
        ),
    ),
    "GET /api/games": Operation(
        "Past games, newest first",
        query={"name": "Ann", "limit": 20, "before": 7, "finished": True},
    ),
    "POST /api/games": Operation(
        "Remove a game from lists and statistics, or put it back", ({"remove": 7, "id": ID}, {"restore": 7})
    ),
    "GET /api/games/{number}.crib": Operation("The record of a game, to save", gives="text/plain"),
    "GET /api/games/{number}": Operation("A game: its names, rules and result, and a line for each step"),
    "GET /api/games/{number}/review": Operation("The review of a game, or how many deals are still to do"),
    "GET /api/games/{number}/{step}": Operation("The table after a step of a game, with the hands"),
    "GET /api/practice/{what}": Operation("A question to practise: `discards`, `pegging` or `counting`"),
    "GET /api/practice/{what}/mistakes": Operation(
        "A player's worst `discards` or `pegging` in the last five finished games",
        query={"name": "Ann"},
    ),
    "GET /api/stats": Operation("Statistics: a row for each player"),
    "GET /api/stats/{name}": Operation("All statistics of a player"),
    "GET /api/oled.png": Operation("What the screen shows: 128 x 64 pixels", gives="image/png"),
    "GET /api/strip": Operation(
        "What the LEDs show: `[[red, green, blue], ...]`, after gamma and current limit"
    ),
    "GET /api/events": Operation("Everything that changes, as server-sent events", gives="text/event-stream"),
}
"""Operations by method and path."""

_TYPES: Final = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}


class ApiRoute(Route):
    """A route of the API that refuses query parameters its operation does not list."""

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
    """Return the OpenAPI 3.1 document of the *routes* below ``/api/``.

    Raises:
        KeyError: If `OPERATIONS` lacks a route.
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
        "components": {
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {
                        "error": {"type": "string", "description": "what is wrong, and what to do"}
                    },
                },
            },
        },
    }


def _operation(operation: Operation, route: Route) -> dict[str, object]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": _PATH.get(kind.regex, "string")}}
        for name, kind in route.param_convertors.items()
    ]
    in_query = [
        {"name": name, "in": "query", "schema": _schema(example), "example": example}
        for name, example in operation.query.items()
    ]
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    document: dict[str, object] = {
        "summary": operation.summary,
        "responses": {
            "200": {"description": "done", "content": {operation.gives: {}}},
            "default": {"description": "refused", "content": error},
        },
    }
    if in_path or in_query:
        document["parameters"] = in_path + in_query
    if operation.bodies:
        document["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _body(operation.bodies)}},
        }
    return document


_PATH: Final = {"[0-9]+": "integer"}
"""JSON types of path parameters, by the pattern of their convertor."""


def _body(examples: tuple[dict[str, object], ...]) -> dict[str, object]:
    """Return the schema of a body; a field is required if every example has it."""
    return {
        "type": "object",
        "required": sorted(set.intersection(*map(set, examples))),
        "properties": {
            name: _schema(*(example[name] for example in examples if name in example))
            for name in dict.fromkeys(name for example in examples for name in example)
        },
        "examples": list(examples),
    }


def _schema(*examples: object) -> dict[str, object]:
    types = list(dict.fromkeys(_TYPES[type(example)] for example in examples))
    return {"type": types[0] if len(types) == 1 else types}
