"""Games set up on the command line: rules, house changes (`--rule OPTION=VALUE`), and who plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cribpi.companion.entry.desk import Setup, parse_levels
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.rules.errors import BadSetup, UserError
from cribpi.cribbage.rules.shown import shown


def changes_of(rule: Sequence[str]) -> dict[str, str]:
    """Parse the options that *rule* changes, each `OPTION=VALUE`.

    Raises:
        UserError: If one is not of that form.
    """
    changes = {}
    for text in rule:
        option, equals, value = text.partition("=")
        if not equals:
            raise UserError(f"--rule {shown(text, str)}: write OPTION=VALUE, as --rule heels=none")
        changes[option.strip()] = value.strip()
    return changes


def seated(setup: Setup, entry: str | None, levels: str | None) -> Setup:
    """Return *setup* kept by *entry*, with *levels* in its seats, if they are given.

    *levels* are words separated by commas, such as `person,solid`.  Given alone, they imply a game dealt by
    the machine.

    Raises:
        UserError: If they are not known.
    """
    ways = tuple(map(str, Entry))
    if entry is not None and entry not in ways:
        raise UserError(f"--entry {shown(entry, str)}: choose {' or '.join(ways)}")
    try:
        if levels is not None:
            words = tuple(word.strip() for word in levels.split(","))
            setup = replace(setup, levels=parse_levels(words), entry=str(Entry.DEALT))
    except BadSetup as bad:
        raise UserError(f"--levels {shown(levels, str)}: {bad}") from None
    return setup if entry is None else replace(setup, entry=entry)


def set_up(setup: Setup, rules: str | None, rule: Sequence[str]) -> Setup:
    """Return *setup* with the preset *rules*, if given, and the changes of *rule*.

    Raises:
        UserError: If they are not known, or make no sense together.
    """
    return setup.with_rules(rules, changes_of(rule))
