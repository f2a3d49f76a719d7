"""JSON types of the rules."""

from typing import TypedDict


class Reason(TypedDict):
    """A rule with its source and that source's words."""

    rule: str
    text: str
    source: str
    words: str
