"""The reference of the rules, from the code. `PYTHONPATH=tests python -m support.rules_page` rewrites it."""

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
"""Sources that have a preset, so that `cribpi rules` prints their quotes."""
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

TOURNAMENTS = """
## Where a tournament has a judge

These rules of the ACC's book need a judge at a tournament. Enter the points that the judge awards as a [penalty](../how-to/undo-and-corrections.md#give-a-penalty-or-set-a-score).

| rule | what cribpi does | what it leaves to the table |
| --- | --- | --- |
| 4.4, too many or too few cards | a misdeal takes back what the deal has pegged, and the same dealer deals again; a hand that is dead counts 0 | which of the two it is, and who gets a penalty |
| 7.3, a wrong go | two points for each card that singly would have fitted; UNDO takes back the cards since the go, and their points | whether it was claimed in time; a card is played then, and never dead |
| 7.4, a wrong announcement | the count is worked out from the cards, whatever anybody said | all the rest: we could not read this rule |
| 8.3, too few pegged | stays so: the points are lost, or with muggins the other's | nothing |
| 8.4, too many pegged | no hand pegs more than it is worth; a score is corrected, and nobody gets the difference, as rule 11.1 has it | whether it was seen in time |
| 8.4, a false claim of the game | the score is corrected, the other gets the points overclaimed up to the game hole and may win by them, and the claimant goes back fifteen, but not below the start | what counts as a claim |
| 10.2, muggins | what was missed at a show is the other's: known points at once, a flush or his nobs in suits that nobody entered by a call | points missed in the play: every card is counted by cribpi |
| 10.3, no muggins | not for his heels, a penalty, a missed muggins, nor points lost by pegging backward | nothing |
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
    whole = f"{text}\n{TOURNAMENTS}\n{ELSEWHERE}\n{elsewhere}\n{REFUSALS}\n{_refusals()}"
    return re.sub(r"\n{3,}", "\n\n", whole)


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
    """Return the source that is quoted for each value, if sources differ.

    It is the first source of that value, unless a source already quoted also gives it.
    """
    found: dict[str, str] = {}
    for value in option.values:
        says = [source for source, quote in option.quotes.items() if value in quote.gives]
        if says and not set(says) & set(found.values()):
            found[value] = says[0]
    return found if len(found) > 1 or not set(found.values()) & PRESETS_OWN else {}


def _said(rule: Rule, says: Sequence[str], quoted: str | None) -> str:
    """Return the words of the quoted source, if there is one, and the names of other sources that agree."""
    if quoted is None or quoted in SUMMED_UP:
        return f"({_names(says)})" if says else ""
    others = _names([source for source in says if source != quoted])
    return f"*{quoted}*: {rule.words[quoted]}" + (f" (also {others})" if others else "")


def _names(sources: Sequence[str]) -> str:
    """Return the names of *sources*. The five sheets are summed up if all of them agree."""
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
            (inspect.getdoc(kind) or "").splitlines()[0].split(". ")[0].rstrip(".") + ".",
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
