"""The new-game menu: players, target, mode, rules and seats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, TypeVar

from cribpi.companion.entry.between_games import match_so_far
from cribpi.companion.entry.choice import GameView, KeyBinding, Row, Rows, Scene, Text, text_of
from cribpi.companion.entry.effect import Effect, WrongKey
from cribpi.companion.entry.input_state import NO_INPUT, EndMatch, NewGame
from cribpi.companion.entry.lists import how_to_change, list_scene
from cribpi.companion.entry.next_game import FIELD_OF, LEVELS, NextGame
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.rules.rules import CHOSEN_PER_GAME, preset, written
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
"""Titles of all lines except seats."""

_ENTRIES: Final = {
    "cards": text_of("every card"),
    "peg": text_of("points only"),
    "dealt": Text("computer deals", "no real cards"),
}

_MATCH_LINES: Final = ("match", "stake")

_LONG_RULES: Final = 14
"""Minimum length of a rules name for which the screen shortens the line's title."""


def new_game_lines(setup: NextGame) -> tuple[str, ...]:
    """Return the lines of the new-game menu: fields of *setup*, and if the computer deals, the seat numbers.

    >>> new_game_lines(NextGame())
    ('players', 'target', 'entry', 'rules', 'match', 'stake', 'renege')
    >>> new_game_lines(NextGame(entry="dealt"))
    ('players', 'target', 'entry', 'rules', '0', '1', 'speed', 'match', 'stake')
    """
    lines = ("players", "target", "entry", "rules")
    if setup.entry == Entry.DEALT:  # the computer rejects wrong gos, so there is no rule for them
        return (*lines, *map(str, range(setup.players)), "speed", *_MATCH_LINES)
    return (*lines, *_MATCH_LINES, "renege")


def end_match(view: GameView, dialog: EndMatch) -> Scene:
    back = view.opened(NewGame(dialog.line))
    bindings = (
        KeyBinding("OK", "Start", Effect(NO_INPUT, view.next_game.event())),
        KeyBinding("UNDO", Text("Back to the menu", "back"), back),
        KeyBinding("MENU", Text("Back to the menu", "back"), back).unlikely(),
    )
    return Scene(f"A new game ends this match. {match_so_far(view.state)}", bindings)


def new_game(view: GameView, dialog: NewGame) -> Scene:
    state = view.state
    setup, say = view.next_game, view.pad.label_for
    # The current match has a game won, and is not over.
    ends = any(state.games) and state.phase is not Phase.MATCH_OVER
    start = view.opened(EndMatch(dialog.line)) if ends else Effect(NO_INPUT, setup.event())
    found = tuple(_row(view, line, start) for line in new_game_lines(setup))
    back = f", {say('UNDO')} goes back to the game" if state.pegs and state.winner is None else ""
    return list_scene(
        view,
        dialog,
        Rows("NEW GAME", found, min(dialog.line, len(found) - 1)),
        f"New game: {described(setup)}",
        key_help=f"{say('OK')}: Start. {how_to_change(view.pad)}{back}",
        leave=(KeyBinding("UNDO", "Cancel", view.opened(None)).unlikely(),),
    )


def _row(view: GameView, line: str, start: Effect) -> Row:
    """Return the row of *line* in the new-game menu. *start* is the effect of OK."""
    setup = view.next_game
    value = shown = _value(setup, line)
    if line in _TITLES:
        name = text_of(_TITLES[line])
    else:
        seat = int(line)
        seated = f"Player {seat + 1}" if setup.seat_levels()[seat] else setup.seat_names()[seat]
        name = Text(seated, seated)
    if line == "entry":
        shown = _ENTRIES[setup.entry].short
    elif line == "rules" and len(value) >= _LONG_RULES:
        name = Text(name.long, "by")

    def turned(step: int) -> Effect:
        if line == "entry" and not view.pad.has_ranks:
            raise WrongKey("Points only: every card needs keys for the ranks, and this kit has none")
        return Effect(
            view.input_state,
            context=replace(view.context, next_game=_turned(setup, line, step, view.context.machine.engines)),
        )

    return Row(name, start, "Start", value, shown, turned)


def described(setup: NextGame) -> str:
    """Return a sentence about the set-up of the next game."""
    what = f"{number(setup.players)} players {said_rules(setup.game_rules())}, {_ENTRIES[setup.entry].long}"
    if setup.entry != Entry.DEALT:
        return what
    return f"{what}: {', '.join(setup.seat_names())}"


def _value(setup: NextGame, line: str) -> str:
    match line:
        case "entry":
            return _ENTRIES[setup.entry].long
        case "rules":
            is_house = any(name not in CHOSEN_PER_GAME for name, _ in setup.options)
            return f"{setup.rules}*" if is_house else setup.rules
        case "players" | "target":
            return str(getattr(setup, line))
        case "speed":
            return setup.house.speed
        case "match" | "stake" | "renege":
            return written(getattr(setup.game_rules(), line))
        case _:
            level = setup.seat_levels()[int(line)]
            return title_of(level) if level else "a person"


def _turned(setup: NextGame, line: str, step: int, engines: tuple[str, ...] = ()) -> NextGame:
    """Return *setup* with the next value of *line* if *step* is 1, or the previous value if it is -1."""

    def turn(choices: Iterable[T], now: T) -> T:
        found = tuple(choices)
        return found[(found.index(now) + step) % len(found)]

    if line in FIELD_OF:
        field = FIELD_OF[line]
        return field.change(setup, turn(field.choices(setup), field.value(setup)))
    # Listed values, then the preset's and the current value if they are not listed.
    if line in (options := rulebook().options):
        now, own = _value(setup, line), written(getattr(preset(setup.rules, setup.players), line))
        return setup.with_option(line, turn(dict.fromkeys((*options[line].values, own, now)), now))
    levels, seat = list(setup.seat_levels()), int(line)
    now = levels[seat].removesuffix(CARELESS)
    levels[seat] = turn(dict.fromkeys((*LEVELS, *engines, now)), now)
    return replace(setup, levels=tuple(levels))
