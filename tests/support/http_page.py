"""The endpoints in docs/reference/http.md, from the OpenAPI document.

`PYTHONPATH=tests python -m support.http_page` rewrites them.
"""

from __future__ import annotations

from cribpi.companion.web.openapi import OPERATIONS
from support import pages, wire

PAGE = pages.DOCS / "reference" / "http.md"
HEADING = "## Endpoints\n\nIn brackets is what a query can have, or the schema of the body and its fields; after the arrow, the schema of the answer, and the errors besides [those of any request](#errors)."
_OF_TABLE = ("id", "if_seq")


def fields_of(body: str) -> list[str]:
    """Return the fields that the schema *body* allows, those of any request to the table last."""
    schemas = wire.schemas()
    found = schemas[body]
    names = dict.fromkeys(
        name
        for one in found.get("anyOf", [{"$ref": body}])
        for name in schemas[one["$ref"].rsplit("/", 1)[-1]].get("properties", {})
    )
    return sorted(names, key=_OF_TABLE.__contains__)


def endpoints() -> str:
    """Return the list of all operations."""
    rows = []
    for request, one in OPERATIONS.items():
        fields = ", ".join(f"`{name}`" for name in (fields_of(one.body) if one.body else one.query))
        inside = ": ".join(filter(None, (f"`{one.body}`" if one.body else "", fields)))
        takes = f" ({inside})" if inside else ""
        gives = [*([f"`{one.answer}`"] if one.answer else []), *map(str, one.errors)]
        shown = f" → {', '.join(gives)}" if gives else ""
        rows.append(f"- `{request}`{takes}: {one.summary}{shown}")
    return "\n".join(rows)


def page() -> str:
    """Return the page with an up-to-date list."""
    text = pages.read(PAGE)
    before, heading, rest = text.partition(f"{HEADING}\n\n")
    _, end, after = rest.partition("\n\n")
    return before + heading + endpoints() + end + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
