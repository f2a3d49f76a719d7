"""The history of the durable facts: names, renamings, house rules, automatic steps and settings.

A fact is a word, such as `names`, with its value; a renaming has two.  The journal's table `house` stores all
facts, so that they survive if this version cannot read a desk row of another version.
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
    """Return the facts of *house* as a mapping from word to value; a setting left at its default is None."""
    return _USUAL | dict(house.settings) | {word: getattr(house, name) for word, name in FACT_OF.items()}


def _with(game: NextGame, values: Mapping[str, Any]) -> NextGame:
    """Return *game* with the facts *values* in its house; invalid values are ignored."""
    game = with_parts(game, {word: value for word, value in values.items() if word in FACT_OF})
    if changed := {word: value for word, value in values.items() if word not in FACT_OF}:
        return game.with_house(settings=known_settings(dict(game.house.settings) | changed))
    return game


@dataclass(frozen=True, slots=True)
class Facts:
    """The current value of each fact, and all renamings."""

    said: Mapping[str, Any]
    """The latest value of each word; it may be one that only another version supports."""
    renamed: Renamings = ()
    read_from: House | None = None
    """The house from which the facts were last taken, to detect an unchanged one quickly."""

    def with_facts(self, facts: Iterable[tuple[int, Sequence[Any]]]) -> Facts:
        """Return these with *facts*, each after the journal row before it; unknown words are ignored."""
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
        """Return the facts of *house* that differ from the latest ones."""
        if house is self.read_from:
            return []
        return [(word, value) for word, value in facts_of(house).items() if value != self.said[word]]

    def instead_of(self, before: Facts, game: NextGame) -> NextGame:
        """Return *game* with the facts that have changed since *before*."""
        return _with(game, {word: one for word, one in self.said.items() if one != before.said[word]})

    def on(self, saved: NextGame, offered: NextGame) -> NextGame:
        """Return the *saved* game with lost facts restored: those with the default or *offered* value there.

        Any other value in *saved* is newer than the facts, because a legacy version has set it.
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
