"""Lasting facts of the house and their history: names, renamings, house rules, automatic steps and settings.

A fact is a keyword, such as `names`, with its value. A renaming has two values. The journal's table `house`
stores all facts. They survive there even if this version can't read a desk row of another version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from cribpi.companion.entry.house import ANY_HOUSE, House
from cribpi.companion.entry.kept import FACT_OF, Renamings, in_tuples, with_parts
from cribpi.companion.entry.next_game import BY_RULES, NextGame
from cribpi.companion.entry.settings import SETTINGS, known_settings

Fact: TypeAlias = tuple[Any, ...]

RENAMED: Final = "renamed"
_USUAL: Final = {row.name: None for row in SETTINGS}


def facts_of(house: House) -> dict[str, Any]:
    """Return the facts of *house*, by keyword. A setting with its default value is None."""
    return _USUAL | dict(house.settings) | {word: getattr(house, name) for word, name in FACT_OF.items()}


def _with(game: NextGame, values: Mapping[str, Any]) -> NextGame:
    """Return *game* with the facts *values* in its house. Invalid values are ignored."""
    game = with_parts(game, {word: value for word, value in values.items() if word in FACT_OF})
    if changed := {word: value for word, value in values.items() if word not in FACT_OF}:
        return game.with_house(settings=known_settings(dict(game.house.settings) | changed))
    return game


@dataclass(frozen=True, slots=True)
class Facts:
    """Current value of each fact, and all renamings."""

    said: Mapping[str, Any]
    """Latest value of each keyword. Only another version may support it."""
    renamed: Renamings = ()
    read_from: House | None = None
    """House from which the facts were last read, for a fast check whether it has changed."""

    def with_facts(self, facts: Iterable[tuple[int, Sequence[Any]]]) -> Facts:
        """Return these facts updated by *facts*. Unknown keywords are ignored.

        Each of *facts* comes with the last row of `steps` before it.
        """
        said, renamed = dict(self.said), list(self.renamed)
        for after, fact in facts:
            match in_tuples(list(fact)):
                case (word, value) if word in said:
                    said[word] = value
                case (word, str(old), str(new)) if word == RENAMED:
                    was = House(names=said["names"], you=said["you"]).with_person_renamed(old, new)
                    said |= {"names": was.names, "you": was.you}
                    renamed.append((old, new, after))
        return Facts(said, tuple(renamed))

    def news(self, house: House) -> list[Fact]:
        """Return the facts of *house* that have changed."""
        if house is self.read_from:
            return []
        return [(word, value) for word, value in facts_of(house).items() if value != self.said[word]]

    def instead_of(self, before: Facts, game: NextGame) -> NextGame:
        """Return *game*, overwritten with those of these facts that differ from *before*."""
        return _with(game, {word: one for word, one in self.said.items() if one != before.said[word]})

    def on(self, saved: NextGame, offered: NextGame) -> NextGame:
        """Return the *saved* game with lost facts restored.

        A fact is lost if *saved* has the default or the *offered* value instead. Any other value in *saved*
        is newer than the fact: a legacy version has set it.
        """
        there, first = facts_of(saved.house), facts_of(offered.house)
        usual = facts_of(ANY_HOUSE)
        lost = {
            word: one
            for word, one in self.said.items()
            if one != first[word] and there[word] in (usual[word], first[word])
        }
        game = _with(saved, lost)
        preset = game.house.preset
        is_untouched = all(getattr(game, name) == getattr(offered, name) for name in BY_RULES)
        return game.with_preset(preset) if preset != saved.house.preset and is_untouched else game
