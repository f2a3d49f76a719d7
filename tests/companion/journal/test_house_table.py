"""The table of the house: what is taken back and brought again, by rows that are only ever added."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from cribpi.companion.journal.database import HOUSE
from cribpi.companion.journal.house_table import facts, keep_fact, rows_of, turn

STEPS = [3, 5, None, 8]
"""The steps with which four facts go; one goes with none."""


@given(st.lists(st.tuples(st.booleans(), st.lists(st.sampled_from([3, 5, 8, 9]), min_size=1, unique=True))))
def test_a_fact_counts_as_long_as_its_step_is_not_undone(turns: Sequence[tuple[bool, list[int]]]) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(HOUSE)
        for number, step in enumerate(STEPS):
            keep_fact(db, "now", number, step, ("renamed", f"A{number}", f"B{number}"))
        undone = set[int | None]()
        for is_undo, steps in turns:
            before = rows_of(db)
            undone = undone | set(steps) if is_undo else undone - set(steps)
            counting = [f"A{number}" for number, step in enumerate(STEPS) if step not in undone]
            assert [one.statement[1] for one in facts(db, steps, is_undo=is_undo)] == counting, (
                "as it will be"
            )
            turn(db, "later", 9, steps, is_undo=is_undo)
            assert [one.statement[1] for one in facts(db)] == counting
            assert rows_of(db)[: len(before)] == before, "no row is changed"
            assert len(rows_of(db)) <= len(before) + len(steps), "and one is added for each"
