"""The messages to a broker: a step of the journal, and the state of the table after it.

They contain only what everybody at the table may see: no card in a hand or in the crib, and no unfinished
input. `docs/reference/mqtt.md` documents the messages.

At the end is Home Assistant's discovery message for a board with all its entities,
https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload Home Assistant removes an entity of
which only the platform is sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cribpi import __version__
from cribpi.companion.entry.hands import SideView, side_views
from cribpi.companion.mqtt.broker import Broker
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.grammar import does
from cribpi.cribbage.rules.rules import house_changes
from cribpi.cribbage.words.call import name
from cribpi.cribbage.words.log import LogEntry
from cribpi.cribbage.words.tell import call

SCHEMA: Final = 1
"""The version of the messages: a later one may add fields, and removes none."""

Payload = dict[str, Any]

ACTS: Final[dict[type[Event], str]] = {
    events.GameStarted: "game",
    events.SeatsNamed: "names",
    events.CardCut: "cut",
    events.DealerChosen: "dealer",
    events.PackShuffled: "deal",
    events.HandDealt: "hand",
    events.Discarded: "discard",
    events.StarterTurned: "starter",
    events.HeelsTaken: "take",
    events.CardPlayed: "card",
    events.GoSaid: "go",
    events.NewCountLed: "card",
    events.HandCardTurned: "turn",
    events.HandShown: "show",
    events.CribCardTurned: "turn",
    events.CribShown: "show",
    events.PointsPegged: "peg",
    events.HandCounted: "show",
    events.StepPassed: "pass",
    events.PenaltyPegged: "ruling",
    events.ScorePutRight: "ruling",
    events.Misdealt: "misdeal",
    events.MugginsCalled: "muggins",
    events.RenegeRuled: "ruling",
    events.FalseWinRuled: "ruling",
}
"""The kind of each event of the game: that of the first message of its step."""

SCORED: Final = {Kind.GO: "one-for-go"}
"""Kinds of scores that differ from their names: `go` is what a player says."""

UNDO: Final = "undo"
GAP: Final = "gap"
"""An unreadable step of a damaged journal."""
SKUNK_LINE: Final = "skunk-line"
WIN: Final = "win"

KINDS: Final = tuple(
    dict.fromkeys(
        (*ACTS.values(), *(SCORED.get(kind, str(kind)) for kind in Kind), SKUNK_LINE, WIN, UNDO, GAP)
    )
)
"""Every kind of event message."""


def events_of(entry: LogEntry) -> Iterator[Payload]:
    """Yield the messages of *entry* in order: the action, each of its scores, the skunk line, the win."""
    before, event = entry.before, entry.event
    after, ours = entry.after, entry.outcomes
    seat: int | None = getattr(event, "seat", None)
    side: int | None = getattr(event, "side", ours[-1].side if ours else None)
    who = None if side is None else after.side_name(side)
    if seat is not None:
        side, who = after.side(seat), after.names[seat]
    yield plain_event(ACTS[type(event)], entry.text) | {
        "seat": seat,
        "side": side,
        "name": who,
        "points": sum(outcome.points for outcome in ours if outcome.side == side),
        "pegged": [{"side": outcome.side, "points": outcome.points} for outcome in ours if outcome.points],
        "cards": [str(card) for card in _open_cards(event)],
    }

    def of_side(side: int, kind: str, text: str, **more: object) -> Payload:
        return plain_event(kind, text) | {"side": side, "name": after.side_name(side), **more}

    for outcome in ours:
        for score in outcome.scores:
            kind, cards = SCORED.get(score.kind, str(score.kind)), [str(card) for card in score.cards]
            yield of_side(outcome.side, kind, name(score), points=score.points, cards=cards)
    skunk_of = after.rules.skunk_of
    for side, pegs in enumerate(after.pegs):
        was = before.pegs[side].front if len(before.pegs) > side else 0
        if skunk_of(was) and not skunk_of(pegs.front):
            yield of_side(side, SKUNK_LINE, does(after.spoken_side(side), "is past the skunk line"))
    if after.winner is not None and after.winner != before.winner:
        yield of_side(after.winner, WIN, does(after.spoken_side(after.winner), "wins"))


def plain_event(kind: str, text: str) -> Payload:
    """Return an event without a seat, a side or points."""
    nobody = dict.fromkeys(("seat", "side", "name"))
    return {"event_type": kind, **nobody, "points": 0, "pegged": [], "cards": [], "text": text}


def _open_cards(event: Event) -> tuple[Card, ...]:
    """Return only the cards that *event* shows to everybody."""
    match event:
        case (
            events.CardCut(_, card)
            | events.StarterTurned(card)
            | events.CardPlayed(_, card)
            | events.NewCountLed(_, card)
            | events.HandCardTurned(_, card)
            | events.CribCardTurned(card)
        ):
            return (card,)
        case events.HandCounted(_, cards, starter):
            return (*cards, starter)
        case _:
            return ()


def state_of(state: State) -> Payload:
    """Return the table as everybody sees it."""
    deal, last = state.deal, state.last
    sides = side_views(state)
    return {
        "phase": str(state.phase),
        "rules": state.rules.name,
        "house": house_changes(state.rules),
        "target": state.rules.target,
        "seats": [
            {
                "name": state.names[seat],
                "side": state.side(seat),
                "level": state.level(seat) or None,
                "cards_left": deal.cards_left(seat) if deal else 0,
            }
            for seat in range(state.players)
        ],
        "sides": [
            {"name": view.name, "score": view.front, "back": view.back} | tally._asdict()
            for view, tally in zip(sides, state.tally_now, strict=True)
        ],
        "dealer": deal.dealer if deal else None,
        "turn": deal.turn if deal else None,
        "starter": str(deal.starter) if deal and deal.starter else None,
        "count": deal.count if deal else 0,
        "pile": [str(card) for card in deal.pile] if deal else [],
        "last": {
            "side": last.side,
            "name": sides[last.side].name,
            "points": last.points,
            "call": call(last),
        }
        if last
        else None,
        "winner": state.winner,
        "match": {"kind": state.rules.match, "winners": list(state.match_winners)},
    }


HIGH: Final = 28
"""The least points of a hand or crib that clubs record as high."""


def result_of(after: State) -> Payload | None:
    """Return the result of a finished game; None during a game."""
    if after.winner is None:
        return None
    losers = [pegs.front for side, pegs in enumerate(after.pegs) if side != after.winner]
    rules = after.rules
    return {
        "rules": rules.name,
        "house": house_changes(rules),
        "target": rules.target,
        "winner": after.winner,
        "sides": [_side_result(after, side, view) for side, view in enumerate(side_views(after))],
        "skunks": sum(rules.skunk_of(score) > 0 for score in losers),
        "double_skunks": sum(rules.skunk_of(score) > 1 for score in losers),
        "points": sum(map(rules.stake_of, losers)),
        "standing": [tally._asdict() for tally in after.tally_now],
    }


def _side_result(after: State, side: int, view: SideView) -> Payload:
    """Return a side's part of the result; it has `high_hands` only if there are any."""
    seats = [after.names[seat] for seat in range(after.players) if after.side(seat) == side]
    result: Payload = {"name": view.name, "seats": seats, "score": view.front}
    shows = [show.points for show in after.shows if after.side(show.seat) == side]
    if high_hands := [points for points in shows if points >= HIGH]:
        result["high_hands"] = high_hands
    return result


TRIGGERS: Final = ("thirty-one", SKUNK_LINE, WIN)
"""The events that the device offers as triggers of an automation."""

_MOST_SIDES: Final = 3
_WINNER: Final = "value_json.sides[value_json.winner].name if value_json.winner is not none else None"
_LAST_CALL: Final = "(value_json.last.name ~ ': ' ~ value_json.last.call)[:250] if value_json.last else None"


def discovery_of(broker: Broker, sides: int = 2, page: str = "") -> tuple[str, dict[str, Any]]:
    """Return the topic and the message of Home Assistant's discovery of this board.

    *sides* is their current number; *page* is the address of the board's page for others on the network, if
    any. A value that does not exist yet, such as the winner, is None, which Home Assistant shows as unknown.
    """
    device = f"{broker.prefix}_{broker.board}"
    state, event, online = map(broker.topic, ("state", "event", "online"))

    def entity(platform: str, key: str, name: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        return {"platform": platform, "unique_id": f"{device}_{key}", "name": name, **more}

    def sensor(key: str, name: str, icon: str, value: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        shown = {"state_topic": state, "value_template": f"{{{{ {value} }}}}", "icon": f"mdi:{icon}"}
        return entity("sensor", key, name, **shown, **more)

    phases = {"device_class": "enum", "options": [*map(str, Phase)]}
    parts = {
        "phase": sensor("phase", "Phase", "cards-playing-outline", "value_json.phase", **phases),
        "count": sensor("count", "Count", "counter", "value_json.count"),
        "winner": sensor("winner", "Winner", "trophy-outline", _WINNER),
        "call": sensor("last_call", "Last call", "account-voice", _LAST_CALL),
        "events": entity(
            "event", "events", "Event", state_topic=event, event_types=list(KINDS), icon="mdi:cards-outline"
        ),
        "online": entity(
            "binary_sensor",
            "online",
            "Connection",
            state_topic=online,
            payload_on="true",
            payload_off="false",
            device_class="connectivity",
            entity_category="diagnostic",
            availability_template="true",  # only this one is available while the board is offline
        ),
        # A platform alone removes an entity that was sent earlier.
        "undo": {"platform": "button"},
        **{f"score_{side + 1}": {"platform": "sensor"} for side in range(sides, _MOST_SIDES)},
    }
    if broker.undo:
        press = {"command_topic": broker.topic("undo"), "payload_press": "", "icon": "mdi:undo"}
        parts["undo"] = entity("button", "undo", "Undo", **press)
    for side in range(sides):
        # For a moment the state may have fewer sides than this message.
        of_side, is_there = f"value_json.sides[{side}]", f"value_json.sides | length > {side}"
        parts[f"score_{side + 1}"] = sensor(
            f"score_{side + 1}",
            f"Score {side + 1}",
            "numeric",
            f"{of_side}.score if {is_there} else None",
            json_attributes_topic=state,
            json_attributes_template=f"{{{{ ({of_side} if {is_there} else {{}}) | tojson }}}}",
        )
    for kind in TRIGGERS:
        parts[f"on_{kind.replace('-', '_')}"] = {
            "platform": "device_automation",
            "automation_type": "trigger",
            "type": kind.replace("-", "_"),
            "subtype": "board",
            "topic": event,
            "payload": kind,
            "value_template": "{{ value_json.event_type }}",
        }
    return f"{broker.discovery}/device/{device}/config", {
        "device": {
            "identifiers": [device],
            "name": f"Cribbage board {broker.board}",
            "manufacturer": "cribpi",
            "model": "cribpi",
            "sw_version": __version__,
        }
        | ({"configuration_url": page} if page else {}),
        "origin": {"name": "cribpi", "sw_version": __version__},
        "availability_topic": online,
        "payload_available": "true",
        "payload_not_available": "false",
        "components": parts,
    }
