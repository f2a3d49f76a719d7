"""What a phone is asked: in its state as on its page, for each seat, wherever the game stands."""

from __future__ import annotations

from random import Random

import pytest
from support.referee import Referee

from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.keys import TWENTY
from cribpi.companion.entry.next_game import USUAL_GAME
from cribpi.companion.entry.phones import Phone, Role
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.web.json.page import page_json
from cribpi.companion.web.json.state import shown_json
from cribpi.companion.web.phones.session import PhoneSession
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.log import game_log


@pytest.mark.parametrize("entry", [Entry.DEALT, Entry.CARDS])
@pytest.mark.parametrize(("rules", "players"), [("standard", 2), ("acc", 2), ("standard", 3)])
def test_a_phones_state_asks_its_seat_what_its_page_asks(entry: Entry, rules: str, players: int) -> None:
    levels = ("",) * players if entry is Entry.DEALT else ()
    referee = Referee(preset(rules, players), Random(1), entry=entry, levels=levels)
    line, phases, differ = game_log([one.event for one in referee.game()]), set(), 0
    for at in range(1, len(line) + 1):
        now = Snapshot(InputState(), InputContext(USUAL_GAME), at, True, False, line[:at])  # noqa: FBT003  a record
        prompts = set()
        for seat in range(players):
            phone = PhoneSession(Phone(seat + 1, "iPhone", Role.SEAT, seat), TWENTY)
            seen = phone.seen(now)
            prompt = str(shown_json(now, Faults(), phone.seen)["prompt"])
            table = page_json(seen, lambda: phone.choices(now), Faults(), {})["table"]  # noqa: B023  called at once
            assert isinstance(table, dict)
            assert prompt.startswith(table["asks"]), (seat, now.state.phase)
            prompts.add(prompt)
        phases.add(now.state.phase)
        differ += len(prompts) > 1
    assert len(phases) >= 5, "each phase of a game"
    assert (differ > 20) == (entry is Entry.DEALT or rules == "acc"), "each holds, or counts, its own"
