"""`cribpi practice`: practise decisions and counting in the terminal, with feedback after each answer."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from cribpi.commands.review import reviewed
from cribpi.companion.history.past_games import read_games
from cribpi.companion.run.config import state_folder
from cribpi.companion.web.json.results import tally
from cribpi.cribbage.game.cards import Card, in_order
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.review import GAMES
from cribpi.cribbage.review.deals import deals_of
from cribpi.cribbage.review.decisions import Which, decision_in
from cribpi.cribbage.review.practice import (
    RIGHT,
    WHICH,
    Count,
    NoSuchOption,
    Position,
    counts,
    positions,
    worst_first,
)
from cribpi.cribbage.review.report import ranks, sentence
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import BadCard, UserError
from cribpi.cribbage.rules.rules import STANDARD
from cribpi.cribbage.words.cards import parse_cards

Task = TypeVar("Task")

KINDS: Final = ("discards", "pegging", "counting")

EACH_WRONG: Final = 10
"""Penalty in seconds for a wrong count in a race."""

_END: Final = {"q", "quit", "end"}


@dataclass(slots=True)
class PracticeTally:
    """Answers so far, right or wrong, and their total time in seconds."""

    right: list[bool] = field(default_factory=list)
    seconds: float = 0.0

    def line(self) -> str:
        """Format the right answers, the streak and the average time."""
        many = len(self.right)
        if not many:
            return "no answers"
        streak = next((place for place, is_right in enumerate(reversed(self.right)) if not is_right), many)
        each = self.seconds / many
        return f"{sum(self.right)} of {many} right, {streak} in a row; {each:.1f} seconds each"

    def time(self) -> str:
        """Format the time of a race, including penalties for wrong counts."""
        wrong = len(self.right) - sum(self.right)
        penalty = EACH_WRONG * wrong
        note = f", {penalty} of them for {wrong} wrong" if wrong else ""
        return f"Your time: {self.seconds + penalty:.1f} seconds{note}"


def run(options: Namespace) -> None:
    """Ask questions until the required number is answered, or the input ends.

    Raises:
        UserError: If an option is invalid, or the journal or a table can't be read.
    """
    if options.what not in KINDS:
        raise UserError(f"{options.what}: choose {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if options.many < 1:
        raise UserError(f"--many {options.many}: practise at least one")
    if options.race and options.what != "counting":
        raise UserError(f"--race: it is only for counting, not for {options.what}")
    chance = Random(options.seed)  # noqa: S311  for practice
    if options.what == "counting":
        done = _practise(counts(chance), options.many, _counted, is_race=options.race)
    else:
        done = _practise(_positions(options, chance), options.many, _answer)
    print(done.line())
    if options.race and len(done.right) == options.many:
        print(done.time())


def _practise(
    tasks: Iterable[Task], many: int, ask: Callable[[Task], bool | None], *, is_race: bool = False
) -> PracticeTally:
    """Ask up to *many* of *tasks*, or until *ask* returns None, which means the end of input.

    In a race, the clock stops after each hand until ENTER is pressed.
    """
    done = PracticeTally()
    for number, task in zip(range(many), tasks, strict=False):
        if is_race and number and _line("ENTER for the next hand ") is None:
            break
        begun = time.monotonic()
        right = ask(task)
        if right is None:
            break
        done.seconds += time.monotonic() - begun
        done.right.append(right)
    return done


def _positions(options: Namespace, chance: Random) -> Iterator[Position]:
    """Yield the mistakes of the player in *options*, if one is named, then random positions without end."""
    which = WHICH[options.what]
    if options.name:
        yield from _mistakes(options.state, options.name, which)
    yield from positions(which, chance)


def _mistakes(folder: Path | None, name: str, which: Which) -> Iterator[Position]:
    """Yield the mistakes of *name* in the latest games, worst first."""
    state = folder or state_folder()
    played = read_games(state, lambda games: list(islice(games.of_person(name), GAMES)))
    if not played:
        raise UserError(f"no finished game of {name!r}: write the name as in the game")
    worst = worst_first(
        (decision["lost"], decision["mark"], (game, decision["number"]))
        for game in played
        for decision in reviewed(game.events, state)["decisions"]
        if decision["seat"] == game.seat and decision["which"] == which
    )
    for game, number in worst:
        happened = ((deal, step) for deal in deals_of(game.events) for step in deal.happened)
        decisions = (decision_in(deal, step) for deal, step in happened if step.number == number)
        yield from (Position.of(decision, game.number) for decision in decisions if decision is not None)


# --- one question ---------------------------------------------------------------------------------------


def _line(prompt: str) -> str | None:
    """Return a line of input, or None at the end of input or if the user quits."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    text = sys.stdin.readline()
    if not text:
        print()
    return None if not text or text.strip().lower() in _END else text.strip()


def _answer(position: Position) -> bool | None:
    """Ask for a decision in *position*. Return whether it was good, or None at the end of input."""
    owner_words = owners(position.sight)
    print("\n".join(_described(position, owner_words[position.sight.dealer])))
    question = f"which {'two' if len(position.options[0].cards) == 2 else 'card'} do you discard? "
    if position.which is Which.PLAY:
        question = "which card do you play? "
    while (text := _line(question)) is not None:
        try:
            decision = position.decided(parse_cards(text))
        except (BadCard, NoSuchOption) as bad:
            print(bad)
            continue
        print(f"{sentence(decision, owner_words)}.")
        if position.was is not None and position.was is not decision.chosen:
            print(f"In {position.origin} it was {ranks(position.was.cards)}.")
        print()
        return decision.mark in RIGHT
    return None


def _described(position: Position, crib_owner: str) -> Iterator[str]:
    """Describe *position* in lines of text. *crib_owner* is a possessive such as "your"."""
    sight = position.sight
    mine, theirs = sight.scores[sight.side], [*sight.scores]
    del theirs[sight.side]
    origin = f" ({position.origin})" if position.origin else ""
    yield f"{mine} to {' and '.join(map(str, theirs))}, {crib_owner} crib{origin}"
    if position.which is Which.PLAY:
        if sight.discards:
            yield f"you discarded {_cards(in_order(sight.discards))}"
        if sight.earlier:
            yield f"in earlier counts {_cards(sight.earlier)}"
        yield f"starter {sight.starter}; {_cards(sight.pile) or 'nothing'} on the table, {sight.count}"
    yield f"you hold {_cards(in_order(sight.hand))}"


def owners(sight: SeatSight) -> list[str]:
    """Return a possessive for each seat, such as "your" or "your opponent's"."""
    opponent = "your opponent's" if sight.players == 2 else "an opponent's"
    words = [opponent] * sight.players
    for partner in seats.partners(sight.side, sight.players):
        words[partner] = "your partner's"
    words[sight.seat] = "your"
    return words


def _counted(task: Count) -> bool | None:
    """Ask for the points of a hand. Return whether the answer was right, or None at the end of input."""
    print(f"{'crib' if task.is_crib else 'hand'} {_cards(task.cards)}, starter {task.starter}")
    while (text := _line("how many? ")) is not None:
        if not (text.isascii() and text.isdecimal() and int(text) <= 29):
            print("give a number from 0 to 29")
            continue
        points = total(task.scores)
        print("Right." if int(text) == points else f"No: {points}.")
        for line in tally(task.scores, STANDARD, is_crib=task.is_crib):
            print(f"  {' '.join(line['cards']):<16}{line['words']}")
        print()
        return int(text) == points
    return None


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))
