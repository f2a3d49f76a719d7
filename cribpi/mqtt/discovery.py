"""What Home Assistant finds a board by: one message that tells of all its sensors.

By its device discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from __future__ import annotations

from typing import Any, Final

from cribpi import __version__
from cribpi.mqtt.broker import Broker
from cribpi.mqtt.messages import KINDS, SKUNK_LINE, WIN

URL: Final = "https://github.com/cribpi/cribpi"

TRIGGERS: Final = ("thirty-one", SKUNK_LINE, WIN)
"""The events that a device offers as triggers of an automation."""

_SCORES: Final = 3
"""Sides that a board has at most."""


def discovery_of(broker: Broker) -> tuple[str, dict[str, Any]]:
    """Return the topic and the message by which Home Assistant finds this board."""
    device = f"{broker.prefix}_{broker.board}"
    state, event = broker.topic("state"), broker.topic("event")

    def sensor(name: str, value: str, icon: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        return {
            "platform": "sensor",
            "unique_id": f"{device}_{name.replace(' ', '_')}",
            "name": name.capitalize(),
            "state_topic": state,
            "value_template": value,
            "icon": icon,
            **more,
        }

    parts: dict[str, dict[str, Any]] = {
        "phase": sensor("phase", "{{ value_json.phase }}", "mdi:cards-playing-outline"),
        "count": sensor("count", "{{ value_json.count }}", "mdi:counter"),
        "winner": sensor(
            "winner",
            "{{ value_json.sides[value_json.winner].name if value_json.winner is not none else 'nobody' }}",
            "mdi:trophy-outline",
        ),
        "call": sensor(
            "last call",
            "{{ (value_json.last.name ~ ': ' ~ value_json.last.call)[:250] if value_json.last else '' }}",
            "mdi:account-voice",
        ),
        "events": {
            "platform": "event",
            "unique_id": f"{device}_events",
            "name": "Event",
            "state_topic": event,
            "event_types": list(KINDS),
            "icon": "mdi:cards-outline",
        },
    }
    for side in range(_SCORES):
        of_side, is_there = f"value_json.sides[{side}]", f"value_json.sides | length > {side}"
        parts[f"score_{side + 1}"] = sensor(
            f"score {side + 1}",
            f"{{{{ {of_side}.score if {is_there} else 0 }}}}",
            "mdi:numeric",
            state_class="measurement",
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
    if broker.undo:
        parts["undo"] = {
            "platform": "button",
            "unique_id": f"{device}_undo",
            "name": "Undo",
            "command_topic": broker.topic("undo"),
            "payload_press": "",
            "icon": "mdi:undo",
        }
    return f"{broker.discovery}/device/{device}/config", {
        "device": {
            "identifiers": [device],
            "name": f"Cribbage board {broker.board}",
            "manufacturer": "cribpi",
            "model": "cribpi",
            "sw_version": __version__,
        },
        "origin": {"name": "cribpi", "sw_version": __version__, "support_url": URL},
        "availability_topic": broker.topic("online"),
        "payload_available": "true",
        "payload_not_available": "false",
        "components": parts,
    }
