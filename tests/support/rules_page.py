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

The presets, each option with its values, and what every source says. Five sheets are quoted word for word, with "..." for what is left out: `board-set`, `computer-game`, `lowe`, `use-and-care` and `travel-set`. The rules of the American Cribbage Congress, `acc`, of `old books` and of `bicycle`, the maker of cards, are summarized. A source that says nothing is not listed.

To start a game under other rules, see [House rules](../how-to/house-rules.md); `cribpi rules` [prints](commands.md#cribpi-rules) one preset. [The rules, and where they come from](../explanation/rules.md) explains what was decided where sources are unclear. This page is written by `PYTHONPATH=tests python -m support.rules_page`.
"""

DIFFERENCES = """
## What each preset changes

Every other option is as in `standard`, or, with three or four players, as in the game for two of the same name.
"""

THE_OPTIONS = """
## The options

In the order in which `cribpi rules` prints them. A value without a source is customary.
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
    parts = (HEAD, _presets(), DIFFERENCES, _differences(), THE_OPTIONS)
    options, fixed = map(_option, BOOK.options.values()), map(_base, BOOK.fixed.values())
    text = "\n".join((*parts, *options, THE_BASE, *fixed))
    elsewhere = "\n".join(f"- {said}" for said in BOOK.elsewhere.values())
    return re.sub(r"\n{3,}", "\n\n", f"{text}\n{ELSEWHERE}\n{elsewhere}\n{REFUSALS}\n{_refusals()}")


def _presets() -> str:
    found = BOOK.presets.values()
    rows = ((f"`{one.name}`", ", ".join(map(str, one.players)), one.text) for one in found)
    return "\n## The presets\n\n" + _table(("rules", "players", "what they are"), *rows)


def _differences() -> str:
    rows = []
    for name, found in BOOK.presets.items():
        for players in found.players:
            base = preset("standard") if players == found.players[0] else preset(name)
            unlike = differences(base, preset(name, players))
            changed = " ".join(f"`{key}={value}`" for key, (_, value) in unlike.items() if key != "players")
            if changed:
                rows.append((f"`{name}`", str(players), changed))
    return _table(("rules", "players", "what it changes"), *rows)


def _option(option: Option) -> str:
    def who(value: str) -> str:
        return ", ".join(source for source, quote in option.quotes.items() if value in quote.gives)

    default = written(getattr(preset("standard"), option.name))
    rows = (
        (f"`{value}`" + " (default)" * (value == default), meaning, who(value))
        for value, meaning in option.values.items()
    )
    others = f"\nOther values: {option.others}.\n" if option.others else ""
    table = _table(("value", "meaning", "sources"), *rows)
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
