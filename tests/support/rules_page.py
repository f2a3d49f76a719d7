"""The reference of the rules, written from the code: `PYTHONPATH=tests python -m support.rules_page` writes
it anew."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence

from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.rulebook import Option, Rule, rulebook
from cribpi.cribbage.rules.rules import differences, preset, written
from support import pages

BOOK = rulebook()
PAGE = pages.DOCS / "reference" / "rules.md"
PRESETS_OWN = {source for one in BOOK.presets.values() for source in one.sources.values()}
"""The sources that have a preset, so that `cribpi rules` prints their words."""
SHEETS = [source for source in BOOK.sources if source not in BOOK.paraphrased]
SUMMED_UP = PRESETS_OWN & {*BOOK.paraphrased}
REDRAW = "the page lags behind the code; look at it, after `PYTHONPATH=tests python -m support.rules_page`"

HEAD = """\
# Rules

Each preset, each option, and who says so. The five sheets `board-set`, `computer-game`, `lowe`, `use-and-care` and `travel-set` are quoted word for word, with "..." for what is left out. `acc` (the American Cribbage Congress), `hoyle` and `old books` (old editions of Hoyle's Games and of Enquire Within) and `bicycle` (the maker of cards) are summed up. Where sources differ, the page quotes the first for each value. `cribpi rules lowe` prints all of Lowe's words, `cribpi rules acc` those of the ACC.

[House rules](../how-to/house-rules.md) shows how to play by them, and [the rules, and where they come from](../explanation/rules.md) what was decided where sources are unclear. This page is written by `PYTHONPATH=tests python -m support.rules_page`.
"""

DIFFERENCES = """
## What each preset changes

All else is as in `standard`; with three or four players, as in the preset's game for two.
"""

THE_OPTIONS = """
## The options

The default is in bold. A value without a source is customary.
"""

THE_BASE = """
## What no option changes
"""

ELSEWHERE = """
## What is not played here
"""

REFUSALS = """
## What a refusal rests on

Each sort of refusal names the rule behind it, or a more specific one.
"""


def page() -> str:
    """Return the whole page."""
    parts = (HEAD, _presets(), DIFFERENCES, _differences(), THE_OPTIONS)
    options, fixed = map(_option, BOOK.options.values()), map(_base, BOOK.fixed.values())
    text = "\n".join((*parts, *options, THE_BASE, *fixed))
    elsewhere = "\n".join(
        f"- {re.sub(',? is not played here', '', said)}" for said in BOOK.elsewhere.values()
    )
    return re.sub(r"\n{3,}", "\n\n", f"{text}\n{ELSEWHERE}\n{elsewhere}\n{REFUSALS}\n{_refusals()}")


def _presets() -> str:
    found = BOOK.presets.values()
    rows = ((f"`{one.name}`", ", ".join(map(str, one.players)), one.text) for one in found)
    return "\n## The presets\n\n" + _table(("rules", "players", "what they are"), *rows)


def _differences() -> str:
    rows: dict[tuple[str, str], list[str]] = {}
    for name, found in BOOK.presets.items():
        for players in found.players:
            base = preset("standard") if players == found.players[0] else preset(name)
            unlike = differences(base, preset(name, players))
            changed = " ".join(f"`{key}={value}`" for key, (_, value) in unlike.items() if key != "players")
            if changed:
                rows.setdefault((str(players), changed), []).append(f"`{name}`")
    return _table(
        ("rules", "players", "what changes"), *((", ".join(names), *one) for one, names in rows.items())
    )


def _option(option: Option) -> str:
    default, quoted = written(getattr(preset("standard"), option.name)), quoted_for(option)
    lines = []
    for value, meaning in option.values.items():
        says = [source for source, quote in option.quotes.items() if value in quote.gives]
        shown = f"**`{value}`**" if value == default else f"`{value}`"
        lines.append(f"- {shown}: {meaning}. {_said(option, says, quoted.get(value))}".rstrip())
    others = f"\nOther values: {option.others}.\n" if option.others else ""
    return "\n".join((f"\n### `{option.name}`\n", f"{option.title}:\n", *lines, others))


def quoted_for(option: Option) -> dict[str, str]:
    """Return the source that is quoted for a value, if sources differ: the first, unless one is quoted that
    gives it too."""
    found: dict[str, str] = {}
    for value in option.values:
        says = [source for source, quote in option.quotes.items() if value in quote.gives]
        if says and not set(says) & set(found.values()):
            found[value] = says[0]
    return found if len(found) > 1 or not set(found.values()) & PRESETS_OWN else {}


def _said(rule: Rule, says: Sequence[str], quoted: str | None) -> str:
    """Return the words of the source that is quoted, if one is, and which others say the same."""
    if quoted is None or quoted in SUMMED_UP:
        return f"({_names(says)})" if says else ""
    others = _names([source for source in says if source != quoted])
    return f"*{quoted}*: {rule.words[quoted]}" + (f" (also {others})" if others else "")


def _names(sources: Sequence[str]) -> str:
    """Return the names of *sources*, with the five sheets as one if all of them agree."""
    rest = [source for source in sources if source not in SHEETS]
    return ", ".join(["all five sheets", *rest] if {*sources} >= {*SHEETS} else sources)


def _base(rule: Rule) -> str:
    return f"- `{rule.name}`: {rule.text} {_said(rule, list(rule.words), None)}".rstrip()


def _refusals() -> str:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    found = [kind for kind in kinds if issubclass(kind, errors.RuleError)]
    rows = (
        (
            f"`{kind.__name__}`",
            (inspect.getdoc(kind) or "").splitlines()[0].split("  ")[0],
            f"`{kind.rule}`",
        )
        for kind in found
    )
    return _table(("refusal", "when", "rests on"), *rows)


def _table(head: tuple[str, ...], *rows: tuple[str, ...]) -> str:
    lines: Iterator[tuple[str, ...]] = iter((head, ("---",) * len(head), *rows))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
