"""Answers and bodies of the HTTP API, held to the schemas of its OpenAPI document."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import fastjsonschema
import httpx

from cribpi.companion.web.openapi import OPERATIONS
from support import wire

BODIES: Final = {
    **{name.split()[1]: one.body for name, one in OPERATIONS.items() if one.body},
    "/api/join": "JoinBody",
    "/api/phone": "RoleBody",
}
"""Types of bodies by path: those of the document, and those that only phones send."""
UNFIT: Final = 422


@cache
def check_of(name: str) -> Callable[[object], object]:
    """Return a validator of the type *name*. It also rejects fields that are not in the schema."""
    strict = {
        key: one | ({"additionalProperties": False} if "properties" in one else {})
        for key, one in wire.schemas().items()
    }
    check: Callable[[object], object] = fastjsonschema.compile(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": strict}}
    )
    return check


def hold_body(path: str, body: str | bytes) -> None:
    """Check a *body* posted to *path* against its type; a null stands for a missing field."""
    if path in BODIES:
        sent = json.loads(body)
        check_of(BODIES[path])({name: value for name, value in sent.items() if value is not None})


def hold_request(response: httpx.Response) -> None:
    """Check the body that got *response*, unless it was refused as unfit, or nothing is at its path."""
    if response.status_code not in {UNFIT, 404} and response.request.method == "POST":
        hold_body(response.request.url.path, response.request.content)


def hold(response: httpx.Response, document: dict[str, Any]) -> None:
    """Validate *response* against the OpenAPI *document*."""
    path, method = response.request.url.path, response.request.method.lower()
    paths = {re.sub(r"\{\w+\}", "[^/]+", each): each for each in document["paths"]}
    found = next((paths[each] for each in paths if re.fullmatch(each, path)), None)
    operation = document["paths"].get(found, {}).get(method)
    if operation is None or not response.headers.get("content-type", "").startswith("application/json"):
        return
    assert str(response.status_code) in operation["responses"], (method, path, response.status_code)
    content = operation["responses"][str(response.status_code)]["content"]
    if "schema" in content.get("application/json", {}):
        response.read()
        check_of(content["application/json"]["schema"]["$ref"].rsplit("/", 1)[1])(response.json())
