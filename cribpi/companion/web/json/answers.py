"""The table's answers, as JSON."""

from __future__ import annotations

import json
from typing import Final

from cribpi.companion.table.answers import See
from cribpi.companion.table.faults import Faults, sentence
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.web.json.plain import plain_json
from cribpi.companion.web.json.state import refusal_json, state_json

_STATE: Final = "page (state)"
"""What the state's JSON is called where it fails."""


OVERTAKEN: Final = {
    "person": "Somebody else pressed first: the game has changed, and your press did not count.",
    "machine": "The computer moved first: the game has changed, and your press did not count.",
}
"""The answer to a press that was meant for a state from which the table has gone on, by who moved it."""


def all_of(now: Snapshot) -> Snapshot:
    """Return *now* as it is seen at the board."""
    return now


def shown_json(now: Snapshot, faults: Faults, see: See = all_of) -> dict[str, object]:
    """Return the state, as somebody may *see* it, in the shape of the contract; any thread may ask.

    If a part fails it is plain: what all can see.
    """

    def whole() -> dict[str, object]:
        seen = see(now)
        return state_json(
            seen.state,
            seen.desk,
            seen.seq,
            may_undo=seen.may_undo,
            may_redo=seen.may_redo,
            automatic=seen.automatic,
            pad=seen.pad,
        )

    def plain(error: Exception) -> dict[str, object]:
        said = sentence(_STATE, error)
        return plain_json(now.state, now.desk, now.seq, said, may_undo=now.may_undo, may_redo=now.may_redo)

    return faults.guarded(_STATE, now, whole, plain)


class JsonAnswers:
    """See `Answers`."""

    def accepted(self, now: Snapshot, see: See, faults: Faults) -> str:
        return json.dumps(shown_json(now, faults, see))

    def refused(self, error: Exception, now: Snapshot, faults: Faults) -> str:
        found = faults.guarded(
            "page (refusal)",
            now,
            lambda: refusal_json(error, now.state.rules),
            lambda _error: {"error": str(error)},
        )
        return json.dumps(found)

    def overtaken(self, by: str, now: Snapshot, see: See, faults: Faults) -> str:
        """Return why, and the state that there is now, so that the client need not ask for it."""
        return json.dumps({"error": OVERTAKEN[by], "by": by, "state": shown_json(now, faults, see)})


AS_JSON = JsonAnswers()
"""What the table is given to put its answers in the form that clients read."""
