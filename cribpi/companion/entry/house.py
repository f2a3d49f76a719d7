"""Durable facts: names, renamings, house rules, automatic steps and settings.

A fact is a word with its values.  The journal's table `house` has them all, so that they outlive a desk row
that another version of cribpi can't read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from cribpi.companion.entry.desk import Desk, SavedInput
from cribpi.companion.entry.kept import Renamings, in_tuples, with_parts
from cribpi.companion.entry.next_game import BY_RULES
from cribpi.companion.entry.settings import SETTINGS, known_settings
from cribpi.cribbage.rules.names import YOU

Fact: TypeAlias = tuple[Any, ...]

RENAMED: Final = "renamed"
_OF_GAME: Final = ("names", "you", "house_of", "house_options", "automatic", "speed")
_USUAL: Final = {row.name: None for row in SETTINGS}


def said_in(saved: SavedInput) -> dict[str, Any]:
    """Return each word of this house with its value in the *saved* input."""
    return _USUAL | dict(saved.desk.settings) | {word: getattr(saved.next_game, word) for word in _OF_GAME}


def _with(saved: SavedInput, said: Mapping[str, Any]) -> SavedInput:
    """Return *saved* with what was *said*; a value that makes no sense here leaves what there is."""
    desk, setup = saved
    setup = with_parts(setup, {word: said[word] for word in _OF_GAME if word in said})
    if changed := {word: value for word, value in said.items() if word not in _OF_GAME}:
        desk = replace(desk, settings=known_settings(dict(desk.settings) | changed))
    return SavedInput(desk, setup)


@dataclass(frozen=True, slots=True)
class House:
    """All that was said so far."""

    said: Mapping[str, Any]
    """Each word with the last value; it may be one that only another version knows."""
    renamed: Renamings = ()
    heard: SavedInput | None = None
    """The input in which it was said last: where set-up and settings are the same, nothing is new."""

    def with_facts(self, facts: Iterable[tuple[int, Sequence[Any]]]) -> House:
        """Return the house with *facts*, each after so many rows of the journal; other words are left out."""
        said, renamed = dict(self.said), list(self.renamed)
        for after, fact in facts:
            match in_tuples(list(fact)):
                case (word, value) if word in said:
                    said[word] = value
                case (word, str(old), str(new)) if word == RENAMED:
                    said["names"] = tuple(new if name == old else name for name in said["names"])
                    said["you"] = new if (said["you"] or YOU) == old else said["you"]
                    renamed.append((old, new, after))
        return House(said, tuple(renamed))

    def news(self, saved: SavedInput) -> list[Fact]:
        """Return the facts that *saved* has changed."""
        desk, setup = saved
        if (was := self.heard) and setup is was.next_game and desk.settings is was.desk.settings:
            return []
        return [(word, value) for word, value in said_in(saved).items() if value != self.said[word]]

    def instead_of(self, before: House, saved: SavedInput) -> SavedInput:
        """Return *saved* with what was said otherwise in the house *before*."""
        return _with(saved, {word: one for word, one in self.said.items() if one != before.said[word]})

    def on(self, saved: SavedInput, offered: SavedInput) -> SavedInput:
        """Return *saved*, as it was kept, with what it has lost: what is *offered* first stands there.

        Whatever else it has was said since, in an earlier program.
        """
        there, usual = said_in(saved), said_in(SavedInput(Desk()))
        first = said_in(offered)
        lost = {
            word: one
            for word, one in self.said.items()
            if one != first[word] and there[word] in (usual[word], first[word])
        }
        found = _with(saved, lost)
        own, new = found.next_game, offered.next_game
        if own.house_of != saved.next_game.house_of and all(
            getattr(own, one) == getattr(new, one) for one in BY_RULES
        ):
            found = found._replace(next_game=own.with_preset(own.house_of))
        return found
