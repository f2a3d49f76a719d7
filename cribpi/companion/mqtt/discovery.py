"""What Home Assistant finds a board by: one message that tells of all its entities.

By its device discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
A part of which only the platform is sent is removed there.
"""

from __future__ import annotations

from typing import Any, Final

from cribpi import __version__
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.mqtt.messages import KINDS, SKUNK_LINE, WIN
from cribpi.cribbage.game.state import Phase

TRIGGERS: Final = ("thirty-one", SKUNK_LINE, WIN)
"""The events that a device offers as triggers of an automation."""

_MOST_SIDES: Final = 3


def discovery_of(broker: Broker, sides: int = 2, page: str = "") -> tuple[str, dict[str, Any]]:
    """Return the topic and the message by which Home Assistant finds this board.

    It has so many *sides* now; *page* is where others on the network open its page, if they can.  Where there
    is nothing to show, such as no winner yet, a value is None: Home Assistant calls it unknown.
    """
    device = f"{broker.prefix}_{broker.board}"
    state, event, online = map(broker.topic, ("state", "event", "online"))

    def entity(platform: str, key: str, name: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        return {"platform": platform, "unique_id": f"{device}_{key}", "name": name, **more}

    def sensor(key: str, name: str, value: str, icon: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        shown = {"state_topic": state, "value_template": f"{{{{ {value} }}}}", "icon": icon}
        return entity("sensor", key, name, **shown, **more)

    def score(side: int) -> dict[str, Any]:
        # A board that had two sides when this was sent may have three for a moment.
        of_side, is_there = f"value_json.sides[{side}]", f"value_json.sides | length > {side}"
        return sensor(
            f"score_{side + 1}",
            f"Score {side + 1}",
            f"{of_side}.score if {is_there} else None",
            "mdi:numeric",
            json_attributes_topic=state,
            json_attributes_template=f"{{{{ ({of_side} if {is_there} else {{}}) | tojson }}}}",
        )

    parts: dict[str, dict[str, Any]] = {
        "phase": sensor(
            "phase",
            "Phase",
            "value_json.phase",
            "mdi:cards-playing-outline",
            device_class="enum",
            options=[*map(str, Phase)],
        ),
        "count": sensor("count", "Count", "value_json.count", "mdi:counter"),
        "winner": sensor(
            "winner",
            "Winner",
            "value_json.sides[value_json.winner].name if value_json.winner is not none else None",
            "mdi:trophy-outline",
        ),
        "call": sensor(
            "last_call",
            "Last call",
            "(value_json.last.name ~ ': ' ~ value_json.last.call)[:250] if value_json.last else None",
            "mdi:account-voice",
        ),
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
            availability_template="true",  # all else is unavailable while the board is gone; this says so
        ),
        # What was sent before is removed by its platform alone.
        "undo": {"platform": "button"},
        **{f"score_{side + 1}": {"platform": "sensor"} for side in range(sides, _MOST_SIDES)},
    }
    if broker.undo:
        parts["undo"] = entity(
            "button",
            "undo",
            "Undo",
            command_topic=broker.topic("undo"),
            payload_press="",
            icon="mdi:undo",
        )
    parts |= {f"score_{side + 1}": score(side) for side in range(sides)}
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
