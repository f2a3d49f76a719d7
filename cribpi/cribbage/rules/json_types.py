"""JSON types of the rules."""

from typing import TypedDict


class Reason(TypedDict):
    """A rule, its source, and a quote from that source."""

    rule: str
    text: str
    source: str
    words: str
