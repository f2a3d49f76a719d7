"""The endpoints in docs/reference/http.md, from the OpenAPI document.

`PYTHONPATH=tests python -m support.http_page` rewrites them.
"""

from __future__ import annotations

from cribpi.companion.web.openapi import OPERATIONS
from support import pages

PAGE = pages.DOCS / "reference" / "http.md"
HEADING = "## Endpoints\n\nIn brackets is what a body or a query can have; after the arrow, the schema of the answer, and the errors besides [those of any request](#errors)."


def endpoints() -> str:
    """Return the list of all operations."""
    rows = []
    for request, one in OPERATIONS.items():
        fields = dict.fromkeys([*one.query, *(name for body in one.bodies for name in body)])
        takes = f" ({', '.join(f'`{name}`' for name in fields)})" if fields else ""
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
