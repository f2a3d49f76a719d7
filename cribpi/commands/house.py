"""Rules from the command line: `--rules NAME`, and `--rule OPTION=VALUE` for what the house changes."""

from __future__ import annotations

from collections.abc import Sequence

from cribpi.commands.errors import CommandError
from cribpi.core.errors import BadSetup
from cribpi.entry.desk import Setup


def changes_of(rule: Sequence[str]) -> dict[str, str]:
    """Return the options that *rule* changes, each `OPTION=VALUE`.

    Raises:
        CommandError: If one is not so written.
    """
    changes = {}
    for text in rule:
        option, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"--rule {text}: write OPTION=VALUE, as --rule heels=none")
        changes[option.strip()] = value.strip()
    return changes


def set_up(setup: Setup, rules: str | None, rule: Sequence[str]) -> Setup:
    """Return *setup* by the preset *rules*, where one is named, and the changes of *rule*.

    Raises:
        CommandError: If they are not known, or make no sense together.
    """
    try:
        return setup.with_rules(rules, changes_of(rule))
    except BadSetup as bad:
        raise CommandError(str(bad)) from None
