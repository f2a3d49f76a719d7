"""The companion of the page's tests: what one of them does at a table stays there."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from companion.web.dealt_scenes import LAY_AWAY, MENU
from companion.web.rehearsed import RehearsedClient

from cribpi.companion.entry.input_state import Hint


def test_what_a_test_puts_on_a_table_is_not_there_for_the_next() -> None:
    with closing(RehearsedClient()) as companion:
        companion.change(LAY_AWAY)
        table = companion.loop.table
        table.now = replace(table.now, input_state=replace(table.now.input_state, hint=Hint((), "Keep all.")))
        companion.change(MENU)
        companion.change(LAY_AWAY)
        assert companion.loop.table.now.input_state.hint is None
