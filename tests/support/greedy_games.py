"""Whole games dealt by the computer and played greedily, for journals of tests."""

from __future__ import annotations

from pathlib import Path
from random import Random

from cribpi.companion.history.fill import fill_in
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import Entry, Event, GameStarted, PackShuffled, StarterTurned
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.games import next_event
from cribpi.cribbage.players.opponent import Greedy
from cribpi.cribbage.rules.rules import changed, preset
from support.tables import opened


def greedy_game(
    seed: int,
    names: tuple[str, ...],
    target: int = 121,
    levels: tuple[str, ...] = (),
    rules_name: str = "standard",
) -> list[Event]:
    """Play a game of *names* to *target*. *levels* label some seats as the computer's."""
    chance, players = Random(seed), [Greedy()] * len(names)
    rules = changed(preset(rules_name, len(names)), {"target": str(target)})
    dealer = chance.randrange(len(names))
    events: list[Event] = [GameStarted(names, rules, Entry.DEALT, dealer, levels=levels)]
    state, pack = step(NEW_TABLE, events[0]), tuple(PACK)
    while state.winner is None:
        deal = state.deal
        if deal is not None and state.phase is Phase.DEAL and not any(deal.dealt):
            pack = tuple(chance.sample(PACK, len(PACK)))
            event: Event = PackShuffled(pack)
        elif deal is not None and deal.to_turn is not None and state.phase is Phase.STARTER:
            event = StarterTurned(deal.to_turn)
        else:
            event = next_event(state, players, pack)
        state = step(state, event)
        events.append(event)
    return events


def journal_of_many(folder: Path, games: list[list[Event]], number: int) -> Path:
    """Write a journal of *number* games into *folder*, repeating *games*, in a few large writes."""
    with opened(folder) as (journal, _):
        for first in range(0, number, 100):
            wanted = range(first, min(first + 100, number))
            events = [event for game in wanted for event in games[game % len(games)]]
            journal.commit(f"2031-03-{1 + first // 100:02}T12:00:00Z", wanted.stop, "{}", events)
        fill_in(journal)
    return folder


def journal_of(folder: Path, *games: list[Event]) -> Path:
    """Write a journal of *games* into *folder*. Each begins an hour after the one before."""
    with opened(folder) as (journal, _):
        seq = 0
        for number, events in enumerate(games):
            seq += len(events)
            at = f"2031-03-{1 + number // 24:02}T{number % 24:02}:15:00.000+00:00"
            journal.commit(at, seq, "{}", events)
    return folder
