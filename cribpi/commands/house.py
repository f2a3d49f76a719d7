"""Game set-up from the command line: rules, house changes (`--rule OPTION=VALUE`), and players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cribpi.companion.entry.next_game import ENTRIES, NextGame, parse_levels
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.rules.errors import BadSetup, UserError
from cribpi.cribbage.rules.shown import shown


def changes_of(rule: Sequence[str]) -> dict[str, str]:
    """Parse rule changes, each written `OPTION=VALUE`.

    Raises:
        UserError: If a change has no `=`.
    """
    changes = {}
    for text in rule:
        option, equals, value = text.partition("=")
        if not equals:
            raise UserError(f"--rule {shown(text, str)}: write OPTION=VALUE, such as --rule heels=none")
        changes[option.strip()] = value.strip()
    return changes


def set_up(
    game: NextGame, rules: str | None, rule: list[str], entry: str | None = None, levels: str | None = None
) -> NextGame:
    """Return *game* changed by the command line's options. An option that is None or empty changes nothing.

    *rules* is a preset, and *rule* the changes to it. *entry* is the entry mode. *levels* are words separated
    by commas, such as `person,solid`. They imply a game dealt by the computer, unless *entry* says otherwise.

    Raises:
        UserError: If an option is invalid, or options contradict each other.
    """
    game = game.with_rules(rules, changes_of(rule))
    if entry is not None and entry not in ENTRIES:
        raise UserError(f"--entry {shown(entry, str)}: choose {' or '.join(ENTRIES)}")
    if levels is not None:
        try:
            seats = parse_levels([word.strip() for word in levels.split(",")])
        except BadSetup as bad:
            raise UserError(f"--levels {shown(levels, str)}: {bad}") from None
        game = replace(game, levels=seats, entry=str(Entry.DEALT))
    return game if entry is None else replace(game, entry=entry)
