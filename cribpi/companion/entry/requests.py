"""Requests to the table, and the effect to each.

The page, the phones, the keypad, a club's desk and the computer's seats all send requests to `Table.do`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, Literal, TypeAlias, assert_never

from cribpi.companion.entry.effect import Effect, TableCommand, WrongKey
from cribpi.companion.entry.implied import press_with_implied
from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.input_state import NO_INPUT, Hint, InputState, NewGame
from cribpi.companion.entry.next_game import Changes, NextGame
from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import Phones
from cribpi.companion.entry.view import TableView, fitted
from cribpi.cribbage.game.cards import Card, check_possible
from cribpi.cribbage.game.events import Event, GameStarted, PointsPegged, SeatsNamed
from cribpi.cribbage.game.play import LIMIT, count_of, score_play
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.game.steps.deal import his_heels
from cribpi.cribbage.game.steps.points import PLAY_POINTS
from cribpi.cribbage.rules.errors import BadSetup, ImpossiblePoints
from cribpi.cribbage.rules.names import YOU, given_names, renamed
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.rules.seats import PLAYERS
from cribpi.cribbage.rules.shown import amount


@dataclass(frozen=True, slots=True)
class Press:
    """A press of *key*, which can be a card of the open hand, such as `7H`.

    With *carry*, the presses that it implies are made too; see `carry`.
    """

    key: str
    carry: bool = False


@dataclass(frozen=True, slots=True)
class Peg:
    """Points for *side*. Either *kind* names a scored event, or *points* is an amount.

    For a run, *cards* are its cards.
    """

    side: int
    kind: Kind | None = None
    cards: tuple[Card, ...] = ()
    points: int = 0


@dataclass(frozen=True, slots=True)
class Name:
    """Names for the seats, in this game and later ones. An empty name restores the seat's colour.

    *you* is the name of the person in games alone against the computer.
    """

    names: tuple[str, ...] = ()
    you: str | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    """A renaming of the person *old* to *new*, in this game, in later ones, and in all statistics."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove game *number* from lists and statistics, or if *is_back*, put it back."""

    number: int
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class ChangeNextGame:
    """Change the next game's set-up. If *opens_menu*, its menu opens."""

    changes: Changes
    opens_menu: bool = True


@dataclass(frozen=True, slots=True)
class Start:
    """Start a new game, with *changes* to its set-up. The current game ends.

    With *once*, the saved set-up of the next game does not change.
    """

    changes: Changes
    once: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """New *values* of settings, by name. The current game continues."""

    values: Mapping[str, str]


PowerCommand: TypeAlias = Literal[TableCommand.SHUT_DOWN, TableCommand.RESTART]


@dataclass(frozen=True, slots=True)
class PowerRequest:
    """A shutdown or restart of the Raspberry Pi."""

    command: PowerCommand


@dataclass(frozen=True, slots=True)
class SetPhones:
    """A report of the *phones* at the table."""

    phones: Phones


@dataclass(frozen=True, slots=True)
class SetPairing:
    """A report of a club's next *pairing* at this table, or None if there is none."""

    pairing: Pairing | None


@dataclass(frozen=True, slots=True)
class SetClubPage:
    """A report of the address of a club's web *page*. It is empty once the club has closed."""

    page: str


@dataclass(frozen=True, slots=True)
class Play:
    """A computer player's decision *event*. It is valid only in the state *at*."""

    event: Event
    at: State


@dataclass(frozen=True, slots=True)
class ApplyHint:
    """The computer's *hint*. It is valid only in the state *at*, and only while a hint is wanted."""

    hint: Hint
    at: State


@dataclass(frozen=True, slots=True)
class AutoAdvance:
    """An automatic OK for a step that needs no person. It is valid only in the state *at*."""

    at: State


PersonRequest: TypeAlias = (
    Press | Peg | Name | Rename | Remove | ChangeNextGame | Start | Change | PowerRequest
)
StatusReport: TypeAlias = SetPhones | SetPairing | SetClubPage
ComputerRequest: TypeAlias = Play | ApplyHint | AutoAdvance
TableRequest: TypeAlias = PersonRequest | StatusReport | ComputerRequest

LEFT_BEHIND: Final = "The game has moved on, so the computer's answer no longer counts."
"""Error message for the computer's thread, which then decides again. It is never displayed."""


def effect_of(request: TableRequest, view: TableView) -> Effect:
    """Return the effect of *request* when *view* is the current view.

    Raises:
        RuleError: If the request is refused. The message says what would be accepted.
    """
    state, input_state = view.state, view.input_state
    match request:
        case Press(key, carry):
            return press_with_implied(view, key) if carry else view.press(key)
        case Peg():
            return Effect(NO_INPUT, pegged(request, state.rules))
        case Name():
            return _named(request, view)
        case Rename():
            return _renamed(request, view)
        case Remove():
            return Effect(input_state)
        case ChangeNextGame(changes, opens_menu):
            after = InputState(NewGame()) if opens_menu else replace(input_state, message=None)
            return Effect(after, context=_with_changes(view, changes))
        case Start(changes, once):
            wanted = _with_changes(view, changes)
            pace = wanted.house.speed if once else ""
            return Effect(NO_INPUT, wanted.next_game.event(), context=None if once else wanted, pace=pace)
        case Change(values):
            changed = reduce(lambda context, pair: context.with_value(*pair), values.items(), view.context)
            return Effect(input_state, context=changed)
        case PowerRequest(command):
            return Effect(replace(input_state, dialog=None), command=command)
        case SetPhones(phones):
            away = tuple(sorted(phones.seats))
            return Effect(input_state, context=view.context.with_here(phones=phones, away=away))
        case SetPairing(pairing):
            return Effect(replace(input_state, message=None), context=view.context.with_here(pairing=pairing))
        case SetClubPage(page):
            return Effect(input_state, context=view.context.with_here(club_page=page))
        case Play(event, at):
            # An open menu, question or undo message may depend on this state, so the computer must wait.
            if state is not at or input_state.dialog is not None:
                raise WrongKey(LEFT_BEHIND)
            return Effect(replace(input_state, message=None), event)
        case ApplyHint(hint, at):
            if state is not at or view.hint_asked is None:
                raise WrongKey(LEFT_BEHIND)
            return Effect(replace(input_state, hint=hint, chosen=hint.cards))
        case AutoAdvance(at):
            if state is not at or not view.plays_itself:
                raise WrongKey(LEFT_BEHIND)
            return view.press("OK")
        case _:
            assert_never(request)


def pegged(request: Peg, rules: Rules) -> PointsPegged:
    """Return the event of *request*. *kind* and *rules* determine its points.

    Raises:
        ImpossiblePoints: If the cards are not a run in the play, or the kind can't be pegged by itself.
    """
    side, kind = request.side, request.kind
    if kind is None:
        return PointsPegged(side, request.points)
    if kind is Kind.RUN:
        check_possible(request.cards)
        if count_of(request.cards) > LIMIT:
            raise ImpossiblePoints(
                f"those cards add up to {count_of(request.cards)}: no run in the play goes over {LIMIT}"
            )
        if (Kind.RUN, len(request.cards)) not in [
            (one.kind, len(one.cards)) for one in score_play(request.cards)
        ]:
            raise ImpossiblePoints("to peg a run, send its cards, three or more in a row")
        return PointsPegged(side, len(request.cards), kind)
    if kind is Kind.HEELS:
        return PointsPegged(side, his_heels(rules), kind)
    if kind not in PLAY_POINTS:
        raise ImpossiblePoints(f"{kind} is counted at the show: peg the whole count there as points")
    return PointsPegged(side, PLAY_POINTS[kind][0], kind)


def _named(request: Name, view: TableView) -> Effect:
    state, input_state = view.state, view.input_state
    names, setup = request.names, view.next_game
    if request.you is not None:
        setup = setup.with_you(request.you)
    if len(names) > max(PLAYERS):
        raise BadSetup(f"{amount(len(names), 'name')}: a game has four players at most")
    called = _as_in_game(setup, state)
    is_playing = len(names) == state.players if names else called.alone is not None
    if not is_playing:
        called = replace(setup, players=max(min(PLAYERS), len(names)), entry="cards") if names else setup
    if names:
        called = called.with_names(names)
    seated = called.seat_names()
    step(NEW_TABLE, GameStarted(seated, preset("standard", len(seated))))  # This raises if a name is invalid.
    kept = replace(view.context, next_game=replace(setup, house=called.house))
    if is_playing:
        return Effect(input_state, SeatsNamed(seated), context=kept)
    given = ", ".join(filter(None, names or [request.you or YOU]))
    return Effect(replace(input_state, message=f"saved for the next new game: {given}"), context=kept)


def _renamed(request: Rename, view: TableView) -> Effect:
    state, input_state = view.state, view.input_state
    renamed_game = view.next_game.with_person_renamed(request.old, request.new)
    kept = replace(view.context, next_game=renamed_game)
    (new,) = given_names([request.new])
    said = (request.old, new)
    persons = [name for seat, name in enumerate(state.names) if state.is_person(seat)]
    if request.old not in persons:
        message = f"{request.old} is called {new} from now on"
        return Effect(replace(input_state, message=message), context=kept, renamed=said)
    given_names([new if name == request.old else name for name in persons])
    computers = [not state.is_person(seat) for seat in range(state.players)]
    named = SeatsNamed(renamed(state.names, computers, request.old, new))
    return Effect(input_state, named, context=kept, renamed=said)


def _as_in_game(setup: NextGame, state: State) -> NextGame:
    """Return *setup* with the number of players, the mode and the levels of the current game."""
    levels = tuple(map(state.level, range(state.players)))
    return replace(setup, players=state.players, entry=str(state.entry), levels=levels)


def _with_changes(view: TableView, changes: Changes) -> InputContext:
    """Return the context after *changes* to the next game.

    Raises:
        RuleError: If no game can start with these changes.
    """
    wanted = view.next_game.with_changes(changes)
    step(NEW_TABLE, wanted.event())
    return fitted(replace(view.context, next_game=wanted), view.pad)
