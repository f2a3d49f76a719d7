"""What the page is told, all of it, and whether any of it names a card that is hidden at that moment."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Response
from support.clients import client_of
from support.patience import PATIENCE

CARD = re.compile(r"\b(?:10|[A2-9JQK])[CDHS]\b")
PLAYS = re.compile(r"^\w+ ((?:10|[A2-9JQK])[CDHS])\b")
HIDES = {"deal", "starter", "play", "show"}
"""The phases in which the crib lies face down."""


@dataclass(frozen=True, slots=True)
class LiveView:
    """One thing that the page was told: `state` or `page`, and its JSON."""

    kind: str
    body: dict[str, Any]

    @property
    def seq(self) -> int:
        return int(self.body["seq"])


class Listener:
    """A second client at the door, which writes down every event; the browser's own answers are added to
    it."""

    def __init__(self, url: str) -> None:
        self._told: list[LiveView] = []
        self._lock = threading.Lock()
        self._client = client_of(url)
        self._ready = threading.Event()
        self._stop = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def _listen(self) -> None:
        kind = ""
        with self._client, self._client.stream("GET", "api/events") as answer:
            for line in answer.iter_lines():
                if line.startswith("event:"):
                    kind = line.removeprefix("event:").strip()
                elif line.startswith("data:"):
                    self._ready.set()
                    self.take(kind, line.removeprefix("data:"))
                if self._stop:
                    return

    def answered(self, response: Response) -> None:
        """Write down what a press was answered with."""
        if "/api/press" in response.url or "/api/rules" in response.url:
            self.take("state", response.text())

    def take(self, kind: str, text: str) -> None:
        """Write down *text*, JSON of the *kind* that is told."""
        if kind not in {"state", "page"}:
            return
        body = json.loads(text)
        if "seq" in body:
            with self._lock:
                self._told.append(LiveView(kind, body))

    def stop(self) -> list[LiveView]:
        """Return all that was told, in its order; of one moment, the page first."""
        self._stop = True
        with self._lock:
            return sorted(
                self._told, key=lambda told: (told.seq, told.kind)
            )  # the story before what rests on it


@dataclass
class Deal:
    """What the listener learns of a deal, by and by: whose cards are whose, and which lie in the crib."""

    since: int
    dealt: dict[int, set[str]] = field(default_factory=dict)
    crib: set[str] = field(default_factory=set)
    told: list[tuple[str, LiveView]] = field(default_factory=list)

    def is_over(self, phase: str) -> bool:
        """Tell whether the crib has been shown, and the next deal, of which the cards may be anybody's,
        comes."""
        return bool(self.told) and self.told[-1][0] == "crib" and phase != "crib"


def peeked(told: Iterable[LiveView]) -> tuple[int, list[str]]:
    """Return how many deals were looked at, and each card that was told while it was hidden."""
    deals = _deals(list(told))
    return len(deals), [leak for deal in deals for leak in _leaks(deal)]


def _deals(told: list[LiveView]) -> list[Deal]:
    deals: list[Deal] = []
    phases = {each.seq: each.body["phase"] for each in told if each.kind == "state"}
    shuffles = {
        line["seq"]
        for each in told
        if each.kind == "page"
        for line in each.body["log"]
        if line["text"].endswith(" deals") and ";" not in line["text"]  # after a cut the dealer is named, too
    }
    phase = ""
    starts = sorted(_first_seq(told, line) for line in shuffles)
    for each in told:
        phase = phases.get(each.seq, phase)
        while len(deals) < len(starts) and each.seq >= starts[len(deals)]:
            deals.append(Deal(sorted(shuffles)[len(deals)]))
        if deals and not deals[-1].is_over(phase):
            deals[-1].told.append((phase, each))
            _learn(deals[-1], each)
    return deals


def _first_seq(told: list[LiveView], line: int) -> int:
    """Return when the *line* of the story was told first."""
    pages = (each for each in told if each.kind == "page")
    return next(each.seq for each in pages if any(one["seq"] == line for one in each.body["log"]))


def _learn(deal: Deal, told: LiveView) -> None:
    hand, felt = told.body.get("hand"), told.body.get("felt")
    if hand:
        deal.dealt.setdefault(hand["seat"], set()).update(hand["cards"])
    if felt and felt["shown"] and felt["shown"]["crib"]:
        deal.crib.update(felt["shown"]["cards"])


def _open(page: LiveView) -> set[str]:
    """Return the cards of the hand that lies open."""
    return set((page.body["hand"] or {}).get("cards", ()))


def _leaks(deal: Deal) -> list[str]:
    leaks, public, before, own = [], set[str](), None, set[str]()
    hidden = set().union(*deal.dealt.values())
    hands = {told.seq: _open(told) for _, told in deal.told if told.kind == "page"}
    for phase, told in deal.told:
        body = dict(told.body)
        if told.kind == "state":
            before = body["last"] if before is None else before
            body.pop("last") if body["last"] == before else None  # of the deal before
            public.update(body["pile"], {body["starter"]} - {None})
        else:
            body["log"] = [line for line in body["log"] if line["seq"] > deal.since]
            public.update(card for line in body["log"] for card in PLAYS.findall(line["text"]))
        seen = set(CARD.findall(json.dumps(body)))
        own = hands.get(told.seq, own)  # while it lies open, the prompt may name what is chosen of it
        if phase in {"deal", "starter", "play"}:
            leaks += [f"{card} in {phase}: {told}" for card in (seen & hidden) - public - own]
        if phase in HIDES:
            leaks += [f"{card} of the crib in {phase}: {told}" for card in (seen & deal.crib) - own]
        elif told.kind == "page" and told.body["felt"] and phase == "crib":
            deal.crib &= set()  # it lies open from now on
    return leaks
