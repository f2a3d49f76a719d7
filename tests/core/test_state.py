"""A state tells what it holds: what the last event came to, and what follows from it."""

from __future__ import annotations

from support.records import after

from cribpi.core.scores import Kind


def test_the_last_outcome_is_the_one_that_pegged() -> None:
    state = after('game "A" "B" dealer=1', "starter 9", "play 0:10 1:9 0:8 1:lead:K")
    assert len(state.outcomes) == 2
    assert state.last == state.outcomes[0]
    assert [score.kind for score in state.outcomes[0].scores] == [Kind.GO]
