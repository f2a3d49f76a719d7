"""The reference of the rules, written from the code: `PYTHONPATH=tests python -m support.rules_page` writes
it anew."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.rulebook import Option, Rule, rulebook
from cribpi.cribbage.rules.rules import differences, preset, written
from support import pages

BOOK = rulebook()
PAGE = pages.DOCS / "reference" / "rules.md"
REDRAW = "the page lags behind the code; look at it, after `PYTHONPATH=tests python -m support.rules_page`"

HEAD = """\
# Rules

Each option of the rules, with its values; the presets; and what every source says, in its own words. The sources are five sheets of rules, `board-set`, `computer-game`, `lowe`, `use-and-care` and `travel-set`, quoted word for word, with "..." for what is left out. The rules of the American Cribbage Congress, `acc`, of `old books` and of `bicycle`, the maker of cards, are summarized. A source that says nothing is not listed.

`cribpi rules` [prints the same](commands.md#cribpi-rules) for one preset. To start a game by other rules, see [House rules](../how-to/house-rules.md). What was decided where sources are unclear is in [The rules, and whose they are](../explanation/rules.md).

This page is written by the program (`PYTHONPATH=tests python -m support.rules_page`), and a test fails when it is out of date.
"""

SIDE_BY_SIDE = """
## Presets side by side

For two players. What differs from `standard` is in bold.
"""

MORE_PLAYERS = """
With three or four players, this differs from the game for two of the same name:
"""

THE_OPTIONS = """
## The options

In the order in which `cribpi rules` prints them. "Says so" names the sources that say it; where it is empty, the value is a custom.
"""

THE_BASE = """
## What no option changes
"""

ELSEWHERE = """
## What is not played here
"""

REFUSALS = """
## What a refusal rests on

A refused press or event names the rule behind the refusal. Each sort of refusal has its own; a refusal may name a more specific one.
"""


def page() -> str:
    """Return the whole page."""
    parts = (HEAD, _presets(), SIDE_BY_SIDE, _side_by_side(), MORE_PLAYERS, _more_players(), THE_OPTIONS)
    options, fixed = map(_option, BOOK.options.values()), map(_base, BOOK.fixed.values())
    text = "\n".join((*parts, *options, THE_BASE, *fixed))
    elsewhere = "\n".join(f"- {said}" for said in BOOK.elsewhere.values())
    return re.sub(r"\n{3,}", "\n\n", f"{text}\n{ELSEWHERE}\n{elsewhere}\n{REFUSALS}\n{_refusals()}")


def _presets() -> str:
    found = BOOK.presets.values()
    rows = ((f"`{one.name}`", ", ".join(map(str, one.players)), one.text) for one in found)
    return "\n## The presets\n\n" + _table(("rules", "players", "what they are"), *rows)


def _side_by_side() -> str:
    def cell(name: str, option: str) -> str:
        value = written(getattr(preset(name), option))
        return value if value == written(getattr(preset("standard"), option)) else f"**{value}**"

    rows = ((f"`{option}`", *(cell(name, option) for name in BOOK.presets)) for option in BOOK.options)
    return _table(("option", *(f"`{name}`" for name in BOOK.presets)), *rows)


def _more_players() -> str:
    rows = []
    for name, found in BOOK.presets.items():
        for players in found.players[1:]:
            unlike = differences(preset(name), preset(name, players))
            rows.append((f"`{name}`", *(f"`{key}={value}`" for key, (_, value) in unlike.items())))
    return _table(("rules", "what differs"), *((row[0], " ".join(row[1:])) for row in rows))


def _option(option: Option) -> str:
    def who(value: str) -> str:
        return ", ".join(source for source, quote in option.quotes.items() if value in quote.gives)

    default = written(getattr(preset("standard"), option.name))
    rows = (
        (f"`{value}`" + " (default)" * (value == default), meaning, who(value))
        for value, meaning in option.values.items()
    )
    others = f"\nOther values: {option.others}.\n" if option.others else ""
    table = _table(("value", "meaning", "says so"), *rows)
    return f"\n### `{option.name}`\n\n{option.text}\n\n{table}{others}{_words(option)}"


def _base(rule: Rule) -> str:
    return f"\n### `{rule.name}`\n\n{rule.text}\n{_words(rule)}"


def _words(rule: Rule) -> str:
    lines = [f"- {source}: {words}" for source, words in rule.words.items()]
    return "".join(f"{line}\n" for line in ("", *lines)) if lines else ""


def _refusals() -> str:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    found = [kind for kind in kinds if issubclass(kind, errors.RuleError)]
    rows = (
        (
            f"`{kind.__name__}`",
            (inspect.getdoc(kind) or "").splitlines()[0].split("  ")[0],
            f"[`{kind.rule}`](#{kind.rule})",
        )
        for kind in found
    )
    return _table(("refusal", "when", "rests on"), *rows)


def _table(head: tuple[str, ...], *rows: tuple[str, ...]) -> str:
    lines: Iterator[tuple[str, ...]] = iter((head, ("---",) * len(head), *rows))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
