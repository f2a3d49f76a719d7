"""`cribpi rules`: list presets, print a preset with its citations, or compare two."""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any, Final

from cribpi.commands.house import changes_of
from cribpi.commands.streams import show
from cribpi.cribbage.rules.cite import Reason, cite
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rulebook import Preset, find_preset, rulebook
from cribpi.cribbage.rules.rules import (
    CHOSEN_PER_GAME,
    Rules,
    differences,
    house_changes,
    house_rules,
    preset,
    read,
    written,
)
from cribpi.cribbage.words.call import number

WIDTH: Final = 79
"""Width of the output in columns."""


def run(options: Namespace) -> None:
    if options.rule and options.name is None:
        raise UserError(
            "--rule changes a preset: name it too, for example cribpi rules standard --rule heels=none"
        )
    if options.compare and options.name is not None:
        raise UserError(f"--compare already names two presets: leave out {options.name}")
    if options.compare:
        two = [chosen(name, options.players or 2, ()) for name in options.compare]
        show(compared(*two), _compared_json(*two), is_json=options.json)
    elif options.name is not None:
        rules = chosen(options.name, options.players, options.rule)
        show(in_full(rules), _in_full_json(rules), is_json=options.json)
    else:
        presets = [each for each in rulebook().presets.values() if options.players in {None, *each.players}]
        if not presets:
            raise UserError(f"--players {options.players}: cribbage is for 2, 3 or 4")
        rows = [{"name": each.name, "players": list(each.players), "text": each.text} for each in presets]
        show(listed(presets), {"rules": rows}, is_json=options.json)


def chosen(name: str, players: int | None, rule: Sequence[str]) -> Rules:
    """Return the preset *name* for *players*, changed by *rule*.

    Without *players*, it is for the fewest that the preset allows.

    Raises:
        UserError: If an option is invalid, or options contradict each other.
    """
    changes = changes_of(rule)
    if "players" in changes:
        seats = int(read("players", changes["players"]))
        if players not in {None, seats}:
            raise UserError(f"--players {players} and --rule players={seats}: leave one of them out")
        players = seats
    return house_rules(name, players or find_preset(name).players[0], changes)


# --- as text ----------------------------------------------------------------------------------------


def listed(presets: Sequence[Preset]) -> Iterator[str]:
    """Format *presets* as lines of text: name, numbers of players and a sentence."""
    for each in presets:
        head = f"{each.name:<13}  {', '.join(map(str, each.players)):<7}  "
        yield from _wrapped(each.text, head, " " * len(head))
    yield ""
    yield from _wrapped(
        "cribpi rules NAME prints one in full, cribpi rules --compare A B shows where two differ."
    )


def in_full(rules: Rules) -> Iterator[str]:
    """Format all of *rules* as lines of text: each option, then the fixed rules, with their sources."""
    yield from _wrapped(f"{rules.name}, {number(rules.players)} players. {find_preset(rules.name).text}")
    unlike = differences(preset("standard", rules.players), rules)
    house = [name for name in house_changes(rules) if name not in CHOSEN_PER_GAME]
    for title, names in (("House rules", house), ("Different from standard", unlike)):
        if names:
            yield from _wrapped(", ".join(names) + ".", f"{title}: ", "    ")
    yield from ("", "OPTIONS")
    for name, value in rules.as_written().items():
        yield from ("", f"{name} = {value}   ({_status(name, rules)})")
        yield from _cited(cite(name, rules), "    ")
    yield from ("", "WHAT NO OPTION CHANGES")
    for name in rulebook().fixed:
        yield from ("", name)
        yield from _cited(cite(name, rules), "    ")


def compared(a: Rules, b: Rules) -> Iterator[str]:
    """Format the differences between *a* and *b* as lines of text.

    Each option has both values with their sources.
    """
    unlike = differences(a, b)
    of = len(rulebook().options)
    many = f"{len(unlike) or 'none'} of {of} options differ{'s' if len(unlike) == 1 else ''}"
    yield from _wrapped(f"{a.name} and {b.name}, {number(a.players)} players: {many}.")
    for name, values in unlike.items():
        yield from ("", name)
        for rules, value in zip((a, b), values, strict=True):
            yield f"    {rules.name}: {value}"
            yield from _cited(cite(name, rules), " " * 8)


def _status(name: str, rules: Rules) -> str:
    """Describe where the value of the option *name* comes from: the default, the preset, or a house rule."""
    value = written(getattr(rules, name))
    standard = written(getattr(preset("standard", rules.players), name))
    if name in house_changes(rules):
        plain = f"{rules.name}: {written(getattr(preset(rules.name, rules.players), name))}"
        return plain if name in CHOSEN_PER_GAME else f"house rule; {plain}"
    return "default" if value == standard else f"default: {standard}"


def _cited(reason: Reason, indent: str) -> Iterator[str]:
    """Format *reason* as lines of text: a sentence, then a citation.

    A paraphrased citation is marked "in short".
    """
    yield from _wrapped(reason.text, indent, indent)
    citation = f"{reason.source}: no source says this"
    if reason.words:
        book = rulebook()
        is_short = (
            reason.source in book.paraphrased and reason.words in book.rules[reason.rule].words.values()
        )
        citation = f"{reason.source}{', in short' if is_short else ''}: {reason.words}"
    yield from _wrapped(citation, indent, indent + "  ")


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


# --- as JSON ----------------------------------------------------------------------------------------


def _in_full_json(rules: Rules) -> dict[str, Any]:
    changes, standard = house_changes(rules), preset("standard", rules.players).as_written()
    return {
        "name": rules.name,
        "players": rules.players,
        "text": find_preset(rules.name).text,
        "options": [
            {
                "option": name,
                "value": value,
                "default": standard[name],
                "is_house": name in changes,
                "why": cite(name, rules).as_json(),
            }
            for name, value in rules.as_written().items()
        ],
        "base": [cite(name, rules).as_json() for name in rulebook().fixed],
    }


def _compared_json(a: Rules, b: Rules) -> dict[str, Any]:
    return {
        "players": a.players,
        "names": [a.name, b.name],
        "differences": [
            {
                "option": name,
                "values": list(values),
                "why": [cite(name, rules).as_json() for rules in (a, b)],
            }
            for name, values in differences(a, b).items()
        ],
    }
