"""The table's answers, as JSON."""

from __future__ import annotations

from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.web.json.plain import plain_json
from cribpi.companion.web.json.state import refusal_json, state_json
from cribpi.cribbage.rules.table import Rules


class JsonAnswers:
    """See `Answers`."""

    def state(self, now: Snapshot) -> dict[str, object]:
        """Return the state in the shape of the contract."""
        return state_json(
            now.state,
            now.desk,
            now.seq,
            may_undo=now.may_undo,
            may_redo=now.may_redo,
            automatic=now.automatic,
            pad=now.pad,
        )

    def plain(self, now: Snapshot, message: str) -> dict[str, object]:
        """Return the same without words."""
        return plain_json(now.state, now.desk, now.seq, message, may_undo=now.may_undo, may_redo=now.may_redo)

    def refusal(self, error: Exception, rules: Rules) -> dict[str, object]:
        """Return a refusal."""
        return refusal_json(error, rules)


AS_JSON = JsonAnswers()
