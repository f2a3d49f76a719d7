"""A text in full, for a button or a sentence, and short, for the screen.

The short form has 17 cells at the most beside its key; a person's name is cut there so that it fits.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cribpi.cribbage.rules.names import shortened

CELLS: Final = 17
"""Cells of the small face beside the cap of a key of two letters."""


class Text(NamedTuple):
    """A text of the interface, in full and short.

    >>> plays = Text("ANNABEL THE FIRST plays the 7", "{name} 7", "ANNABEL THE FIRST")
    >>> plays.short, plays.fit(8)
    ('ANNABEL THE FI… 7', 'ANNAB… 7')
    """

    long: str
    brief: str
    name: str = ""
    """Whom the short form names, in braces until it is known how much room there is."""

    @property
    def forms(self) -> tuple[str, str]:
        """Both forms: in full, and short."""
        return self.long, self.short

    @property
    def short(self) -> str:
        """The short form beside the cap of a key of two letters."""
        return self.fit(CELLS)

    def fit(self, cells: int) -> str:
        """Return the short form with the name cut so that it takes *cells* at most, if that is possible."""
        rest = len(self.brief) - len("{name}")
        return self.brief.replace("{name}", shortened(self.name, max(cells - rest, 1)))


def text_of(said: Text | str) -> Text:
    """Return what is *said* with its short form, which is the same but for a capital if none is given.

    >>> text_of("Next match").short
    'next match'
    """
    return said if isinstance(said, Text) else Text(said, said[:1].lower() + said[1:])
