"""The endpoints of docs/reference/http.md, written from the OpenAPI document.

`PYTHONPATH=tests python -m support.http_page` writes them anew.
"""

from __future__ import annotations

from cribpi.companion.web.openapi import OPERATIONS
from support import pages

PAGE = pages.DOCS / "reference" / "http.md"
HEADING = "## Endpoints"


def endpoints() -> str:
    """Return the table of all operations."""
    rows = ["| request | body or query | |", "|---|---|---|"]
    for request, one in OPERATIONS.items():
        fields = dict.fromkeys([*one.query, *(name for body in one.bodies for name in body)])
        rows.append(f"| `{request}` | {', '.join(f'`{name}`' for name in fields)} | {one.summary} |")
    return "\n".join(rows)


def page() -> str:
    """Return the page with its table as it should be."""
    text = pages.read(PAGE)
    before, heading, rest = text.partition(f"{HEADING}\n\n")
    _, end, after = rest.partition("\n\n")
    return before + heading + endpoints() + end + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
