"""Durable facts: names, renamings, house rules, automatic steps and settings.

A fact is a word with its values.  The journal's table `house` stores all facts, so that they survive if this
version cannot read a desk row of another version.
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
    """Return the facts in *saved* as a mapping from fact name to value."""
    return _USUAL | dict(saved.desk.settings) | {word: getattr(saved.next_game, word) for word in _OF_GAME}


def _with(saved: SavedInput, values: Mapping[str, Any]) -> SavedInput:
    """Return *saved* updated with *values*, a mapping of facts; invalid values are ignored."""
    desk, setup = saved
    setup = with_parts(setup, {word: values[word] for word in _OF_GAME if word in values})
    if changed := {word: value for word, value in values.items() if word not in _OF_GAME}:
        desk = replace(desk, settings=known_settings(dict(desk.settings) | changed))
    return SavedInput(desk, setup)


@dataclass(frozen=True, slots=True)
class House:
    """The current value of each fact, and all renamings."""

    said: Mapping[str, Any]
    """The latest value of each word; it may be one that only another version supports."""
    renamed: Renamings = ()
    heard: SavedInput | None = None
    """The input from which the facts were last taken, to detect unchanged input quickly."""

    def with_facts(self, facts: Iterable[tuple[int, Sequence[Any]]]) -> House:
        """Return the house with *facts*, each after the journal row before it; unknown words are ignored."""
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
        """Return the facts whose values differ in *saved*."""
        desk, setup = saved
        if (was := self.heard) and setup is was.next_game and desk.settings is was.desk.settings:
            return []
        return [(word, value) for word, value in said_in(saved).items() if value != self.said[word]]

    def instead_of(self, before: House, saved: SavedInput) -> SavedInput:
        """Return *saved* with the facts that have changed since the house *before*."""
        return _with(saved, {word: one for word, one in self.said.items() if one != before.said[word]})

    def on(self, saved: SavedInput, offered: SavedInput) -> SavedInput:
        """Return the *saved* input with lost facts restored: those with the default or *offered* value there.

        Any other value in *saved* is newer than the facts, because a legacy version has set it.
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
