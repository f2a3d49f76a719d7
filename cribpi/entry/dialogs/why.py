"""The rules that the last thing rests on, one after the other."""

from __future__ import annotations

from cribpi.core.rules.cite import NEVER_NAMED, SILENT, Reason
from cribpi.core.why import reasons_of
from cribpi.entry import texts
from cribpi.entry.choice import Offer, Place, Scene, closing, scene
from cribpi.entry.desk import Why
from cribpi.entry.lines import scrolled


def why(place: Place, dialog: Why) -> Scene:
    reasons = reasons_of(place.state)
    reason = reasons[dialog.line % len(reasons)]
    offers = (
        Offer("OK", texts.GO_ON, place.opened(None)),
        *scrolled(place, dialog.line, [one.text for one in reasons], Why),
        *closing(place),
    )
    return scene(f"{reason.text} {cited(reason)}", offers)


def cited(reason: Reason) -> str:
    """Say whose rule it is, in the source's own words where it has any."""
    if not reason.words:
        return f"{reason.source}: no source says this"
    said = reason.words if reason.words in {SILENT, NEVER_NAMED} else f'"{reason.words}"'
    return f"{reason.source}: {said}"
