"""Validation of HTTP responses against the schemas of the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import fastjsonschema
import httpx

from support import wire


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
