"""The rules that the last thing rests on, one after the other."""

from __future__ import annotations

from cribpi.core.rules.cite import NEVER_NAMED, SILENT, Reason
from cribpi.core.why import reasons_of
from cribpi.entry import texts
from cribpi.entry.choice import Offer, Place, Scene, scene
from cribpi.entry.desk import Why
from cribpi.entry.lines import scrolled


def why(place: Place, dialog: Why) -> Scene:
    reasons, closed = reasons_of(place.state), place.opened(None)
    reason = reasons[dialog.line % len(reasons)]
    offers = (
        Offer("OK", texts.GO_ON, closed),
        *scrolled(place, dialog.line, [one.text for one in reasons], Why),
        *(Offer(key, texts.CLOSE, closed, is_likely=False) for key in ("UNDO", "MENU")),
    )
    return scene(f"{reason.text} {cited(reason)}", offers)


def cited(reason: Reason) -> str:
    """Say whose rule it is, in the source's own words where it has any."""
    if not reason.words:
        return f"{reason.source}: no source says this"
    said = reason.words if reason.words in {SILENT, NEVER_NAMED} else f'"{reason.words}"'
    return f"{reason.source}: {said}"
