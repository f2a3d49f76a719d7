"""The rules that the last thing rests on, one after the other."""

from __future__ import annotations

from cribpi.core.rules.cite import NEVER_NAMED, SILENT, Reason
from cribpi.core.why import reasons_of
from cribpi.entry import texts
from cribpi.entry.choice import Offer, Place, Scene, scene
from cribpi.entry.desk import (
    Why,
)
from cribpi.entry.lines import line_offers


def why(place: Place, dialog: Why) -> Scene:
    reasons, is_stick = reasons_of(place.state), not place.pad.has_ranks
    lines, closed = max(len(reasons), 1), place.opened(None)
    steps = (("P1", texts.PREVIOUS, dialog.line - 1), ("P2", texts.NEXT, dialog.line + 1))
    moves = (Offer(key, text, place.opened(Why(line % lines))) for key, text, line in steps)
    picks = line_offers(place, dialog.line, [reason.text for reason in reasons], Why) if reasons else ()
    likely = {"OK", *(("UP", "DOWN") if is_stick else ("P1", "P2"))} if len(reasons) > 1 else {"OK"}
    offers = (
        Offer("OK", texts.GO_ON, closed),
        *moves,
        *picks,
        *(Offer(key, texts.CLOSE, closed) for key in ("UNDO", "MENU")),
    )
    reason = reasons[dialog.line % lines]
    return scene(
        f"{reason.text} {cited(reason)}",
        (offer if offer.key in likely else offer.unlikely() for offer in offers),
    )


def cited(reason: Reason) -> str:
    """Say whose rule it is, in the source's own words where it has any."""
    if not reason.words:
        return f"{reason.source}: no source says this"
    said = reason.words if reason.words in {SILENT, NEVER_NAMED} else f'"{reason.words}"'
    return f"{reason.source}: {said}"
