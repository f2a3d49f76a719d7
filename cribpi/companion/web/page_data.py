"""What a page gets in addition to the state: what can be pressed, and everything that is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.choices import amount_keys, likely_keys, sides_now, takes_digits
from cribpi.companion.entry.ghosts import par_now
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.web.json.dealt import cards_on_table_json, counted_json, hand_json, thinking
from cribpi.companion.web.json.result import result_json
from cribpi.companion.web.json.settings import values_json
from cribpi.companion.web.json.state import choices_json, log_json, shower
from cribpi.companion.web.json.table import NO_TABLE, pairing_json, table_json


def page_json(
    now: Snapshot, offer: Callable[[], tuple[Choice, ...]], faults: Faults, troubles: Mapping[str, str]
) -> dict[str, object]:
    """Return what only the page shows of *now*, where *offer* gives what can be pressed.

    A part that fails is left empty, and told to *faults*; *troubles* is what fails elsewhere.
    """

    def part(name: str, make: Callable[[], object], empty: object) -> object:
        return faults.guarded(f"page ({name})", now, make, lambda _error: empty)

    state, desk, viewer = now.state, now.desk, now.viewer
    offered = faults.guarded("page (choices)", now, offer, lambda _error: ())
    amounts = faults.guarded("page (amounts)", now, lambda: amount_keys(offered), lambda _error: ())
    is_typed = bool(amounts) or (bool(desk.typed) and desk.dialog is None)
    return {
        "seq": now.seq,
        "choices": part("buttons", lambda: choices_json(offered), []),
        "keys": part("keys", lambda: list(likely_keys(offered, now.pad)), []),
        "sides": part("sides", lambda: sides_now(state, desk, now.pad), {}),
        "table": part("table", lambda: table_json(state, desk, now.pad, viewer), NO_TABLE),
        "pairing": part("pairing", lambda: pairing_json(state, desk), None),
        "result": part("result", lambda: result_json(state), None),
        "log": part("log", lambda: log_json([(moment.event, moment.state) for moment in now.line]), []),
        "shower": part("shower", lambda: shower(state), None),
        "hand": part("hand", lambda: hand_json(state, desk, offered, viewer), None),
        "thinking": part("thinking", lambda: thinking(state, desk), None),
        "counted": part("counted", lambda: counted_json(state), None),
        "felt": part("felt", lambda: cards_on_table_json(state, desk, offered, viewer), None),
        "typed": desk.amount if is_typed else None,
        "amounts": list(amounts),
        "names": part("names", lambda: list(state.names or desk.setup.seat_names()), []),
        "digits": part("digits", lambda: takes_digits(state, desk, now.pad, viewer), False),  # noqa: FBT003
        "ghosts": part("ghosts", lambda: list(par_now(state, desk)), []),
        "settings": part("settings", lambda: values_json(desk), {}),
        "trouble": list(dict.fromkeys(troubles.values())),
    }
