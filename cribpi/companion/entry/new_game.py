"""The list of the next new game: players, target, how it is kept, rules, and who sits where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from cribpi.companion.entry.between_games import match_so_far
from cribpi.companion.entry.choice import Offer, Place, Row, Rows, Scene, scene
from cribpi.companion.entry.desk import LEVELS, SPEEDS, EndMatch, NewGame, Setup
from cribpi.companion.entry.lists import how_to_change, list_scene
from cribpi.companion.entry.reply import Reply, WrongKey
from cribpi.companion.entry.texts import Text, text_of
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import preset, written
from cribpi.cribbage.words.call import number
from cribpi.cribbage.words.levels import CARELESS, title_of
from cribpi.cribbage.words.tell import said_rules

T = TypeVar("T")


_TITLES: Final = {
    "players": "Players",
    "target": "Play to",
    "entry": "Enter",
    "rules": "Rules",
    "speed": "Speed",
    "match": "Match",
    "stake": "Stake",
    "renege": "Wrong go",
}
"""The lines but for the seats, which have their names."""


_ENTRIES: Final = {
    "cards": text_of("every card"),
    "peg": text_of("points only"),
    "dealt": Text("computer deals", "no real cards"),
}
"""How a game is kept."""


_MATCH_LINES: Final = ("match", "stake")


_LONG_RULES: Final = 14
"""Letters of rules beside which there is no room for more than a short word on the screen."""


def new_game_lines(setup: Setup) -> tuple[str, ...]:
    """Return the lines of the new-game menu: fields of *setup*, and where the machine deals, seats by number.

    >>> new_game_lines(Setup())
    ('players', 'target', 'entry', 'rules', 'match', 'stake', 'renege')
    >>> new_game_lines(Setup(entry="dealt"))
    ('players', 'target', 'entry', 'rules', '0', '1', 'speed', 'match', 'stake')
    """
    lines = ("players", "target", "entry", "rules")
    if setup.entry == Entry.DEALT:  # the machine lets nobody say go who can play
        return (*lines, *map(str, range(setup.players)), "speed", *_MATCH_LINES)
    return (*lines, *_MATCH_LINES, "renege")


def _sits(level: str) -> str:
    """Say who sits in a seat."""
    return title_of(level) if level else "a person"


def ends_match(state: State) -> bool:
    """Tell whether a new game from the menu would end a match in which a game was won already."""
    return any(state.games) and state.phase is not Phase.MATCH_OVER


def end_match(place: Place, dialog: EndMatch) -> Scene:
    desk, back = place.desk, place.opened(NewGame(dialog.line))
    offers = (
        Offer("OK", "Start", Reply(desk.begun(), desk.setup.event())),
        Offer("UNDO", Text("Back to the menu", "back"), back),
        Offer("MENU", Text("Back to the menu", "back"), back).unlikely(),
    )
    return scene(f"A new game ends this match. {match_so_far(place.state)}", offers)


def new_game(place: Place, dialog: NewGame) -> Scene:
    state, desk, say = place.state, place.desk, place.pad.named
    ends = ends_match(state)
    start = place.opened(EndMatch(dialog.line)) if ends else Reply(desk.begun(), desk.setup.event())
    found = tuple(_row(place, line, start) for line in new_game_lines(desk.setup))
    back = f", {say('UNDO')} goes back to the game" if state.pegs and state.winner is None else ""
    return list_scene(
        place,
        dialog,
        Rows("NEW GAME", found, min(dialog.line, len(found) - 1)),
        f"New game: {described(desk.setup)}",
        how=f"{say('OK')}: Start. {how_to_change(place.pad)}{back}",
        leave=(Offer("UNDO", "Cancel", place.opened(None)).unlikely(),),
    )


def _row(place: Place, line: str, start: Reply) -> Row:
    """Return the row of a *line* of the new-game menu, in which OK makes *start*."""
    setup = place.desk.setup

    def turned(step: int) -> Reply | RuleError:
        if line == "entry" and not place.pad.has_ranks:
            return WrongKey("Points only: every card needs keys for the ranks, and this kit has none")
        return Reply(replace(place.desk, setup=_change(setup, line, step)))

    if line in _LINES:
        value, name = _LINES[line].value(setup), text_of(_TITLES[line])
        shown = value
    else:
        seat = int(line)
        value = shown = _sits(setup.seat_levels()[seat])
        name = Text(setup.seat_names()[seat], setup.seat_names()[seat])
    if line == "entry":
        shown = _ENTRIES[setup.entry].short
    elif line == "rules" and len(value) >= _LONG_RULES:
        name = Text(name.long, "by")
    return Row(name, start, "Start", value, shown, turned)


def described(setup: Setup) -> str:
    """Say what the next game will be."""
    what = f"{number(setup.players)} players {said_rules(setup.house())}, {_ENTRIES[setup.entry].long}"
    if setup.entry != Entry.DEALT:
        return what
    seated = zip(setup.seat_names(), setup.seat_levels(), strict=True)
    return f"{what}: " + ", ".join(f"{name} {_sits(level)}" for name, level in seated)


def _change(setup: Setup, line: str, step: int) -> Setup:
    if line in _LINES:
        return _LINES[line].changed(setup, step)
    levels, seat = list(setup.seat_levels()), int(line)
    levels[seat] = _turn(LEVELS, levels[seat].removesuffix(CARELESS), step)
    return replace(setup, levels=tuple(levels))


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the menu, but for a seat's: its value in words, and the set-up with the next value."""

    value: Callable[[Setup], str]
    changed: Callable[[Setup, int], Setup]


def _players(setup: Setup, step: int) -> Setup:
    known = find_preset(setup.rules).players
    return replace(setup, players=_turn(known, setup.players, step)).drop_conflicting_options()


def _target(setup: Setup, step: int) -> Setup:
    house = dict(setup.house_options).get("target", "121") if setup.rules == setup.house_of else "121"
    known = map(int, rulebook().options["target"].values)
    targets = sorted({*known, setup.target, int(house)}, reverse=True)
    return replace(setup, target=_turn(targets, setup.target, step))


def _entry(setup: Setup, step: int) -> Setup:
    return replace(setup, entry=_turn([str(entry) for entry in Entry], setup.entry, step))


def _option(name: str) -> _Line:
    """Return the line of an option of the rules."""

    def value(setup: Setup) -> str:
        return written(getattr(setup.house(), name))

    def changed(setup: Setup, step: int) -> Setup:
        now = value(setup)
        return setup.with_option(name, _turn(_values(name, setup, now), now, step))

    return _Line(value, changed)


_LINES: Final = {
    "players": _Line(lambda setup: str(setup.players), _players),
    "target": _Line(lambda setup: str(setup.target), _target),
    "entry": _Line(lambda setup: _ENTRIES[setup.entry].long, _entry),
    "rules": _Line(
        lambda setup: f"{setup.rules}{'*' * bool(setup.options)}",
        lambda setup, step: setup.with_preset(_turn(tuple(rulebook().presets), setup.rules, step)),
    ),
    "speed": _Line(
        lambda setup: setup.speed,
        lambda setup, step: replace(setup, speed=_turn(SPEEDS, setup.speed, step)),
    ),
    "match": _option("match"),
    "stake": _option("stake"),
    "renege": _option("renege"),
}


def _values(option: str, setup: Setup, now: str) -> tuple[str, ...]:
    """Return what a line of the menu offers for an *option*: its values, the rules' own, the one set up."""
    own = written(getattr(preset(setup.rules, setup.players), option))
    return tuple(dict.fromkeys((*rulebook().options[option].values, own, now)))


def _turn(choices: Sequence[T], now: T, step: int) -> T:
    return choices[(choices.index(now) + step) % len(choices)]
