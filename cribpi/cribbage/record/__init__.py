"""The game record, `.crib`: plain text in which each item is one event.

`parse_event` and `print_event` are inverses, and so are `parse` and `print_record`; the journal stores its
events in the same format, which docs/reference/record.md documents.
"""

from cribpi.cribbage.record.text import (
    HEADER,
    KEYWORDS,
    Comment,
    parse,
    parse_event,
    parse_places,
    print_event,
    print_record,
)
from cribpi.cribbage.rules.errors import RecordError

__all__ = [
    "HEADER",
    "KEYWORDS",
    "Comment",
    "RecordError",
    "parse",
    "parse_event",
    "parse_places",
    "print_event",
    "print_record",
]
