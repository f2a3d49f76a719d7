"""`cribpi doctor --try`: a test picture, the LEDs one by one, and each key named as it is pressed."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import Final

from PIL import Image

from cribpi.companion.devices.supervisor import DeviceTrouble
from cribpi.companion.entry.debounce import Edge
from cribpi.companion.entry.next_game import COLOURS
from cribpi.companion.kit import Buttons, Keypad, Kit
from cribpi.companion.run.bootstrap import Chips, new_keys
from cribpi.companion.views.screen.canvas import Canvas

ALL_HEARD: Final = "every key works"
# Colours of the first eight LEDs, to reveal swapped colours; each LED has another bit of its colour set, to
# reveal a bit that the wire loses.
_SHADES: Final = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1)}
_BITS: Final = 8
# Shades of white, in turn: each bit is set in one of them.
_WALKING: Final = (0b01010101, 0b10101010)
# In seconds.
_LOOK: Final = 2.0  # the first LEDs stay lit
_NAMED: Final = 1.0  # an LED with a name stays lit
_STEP: Final = 0.03  # any other LED stays lit
_PATIENCE: Final = 60.0  # wait for a press


def trial_picture() -> Image.Image:
    """Return a 128 x 64 picture that reveals a missing row, column or page, and which way is up."""
    canvas = Canvas()
    canvas.box(0, 0, 128, 64)
    canvas.write(64, 3, "CRIBPI TEST PICTURE", align="centre")
    canvas.fill(1, 12, 126, 1)
    canvas.write(30, 18, "121", "big", align="centre")
    canvas.write(96, 22, "15 2", "medium", align="centre")
    for x in range(4, 124, 8):
        canvas.box(x, 47, 6, 6)
    canvas.write(64, 54, "frame on every edge", align="centre")
    return canvas.picture()


def _light_leds(chips: Chips, kit: Kit, pause: Callable[[float], None]) -> Iterator[str]:
    """Light the first eight LEDs in three colours, then walk one light along the strip.

    Yields descriptions of what people should see.
    """
    strip = chips.open_strip()
    leds, names = kit.strip.leds, hole_names(kit)
    for name, colour in _SHADES.items():
        row = bytes(part << bit for bit in range(_BITS) for part in colour)
        strip.show(row.ljust(3 * leds, b"\0"))
        yield f"strip: its first {_BITS} LEDs are {name}, each brighter than the one before, the others dark"
        pause(_LOOK)
    for led in range(leds):
        white = _WALKING[led % len(_WALKING)]
        strip.show(bytes(3 * led) + bytes((white,) * 3) + bytes(3 * (leds - led - 1)))
        if led in names:
            yield f"strip: LED {led} is {names[led]}"
        pause(_NAMED if led in names else _STEP)
    strip.show(bytes(3 * leds))
    strip.close()


def _show_picture(chips: Chips) -> Iterator[str]:
    oled = chips.open_oled()
    oled.show(trial_picture())
    oled.close()
    yield "oled: look for a frame on all four edges, with 121 and 15 2 the right way up"


def hole_names(kit: Kit) -> dict[int, str]:
    """Return the names of the LEDs at a track's first, each thirtieth and last hole, by LED."""
    names: dict[int, str] = {}
    for track in kit.tracks:
        whose = "/".join(COLOURS[side] for side in track.sides)
        last = track.holes[-1].hole
        for place in track.holes:
            if place.hole in {0, 1, last} or place.hole % 30 == 0:
                what = {0: "the start", last: f"the game hole, {last},"}.get(place.hole, f"hole {place.hole}")
                names[place.led] = f"{what} of {whose}"
    return names


def wiring_of(kit: Kit) -> dict[str, str]:
    """Return the wiring of each key, by name."""
    keys = kit.keypad
    if isinstance(keys, Buttons):
        return {name: f"GPIO {gpio}" for name, gpio in keys.pins}
    if isinstance(keys, Keypad):
        lines = product(keys.rows, keys.columns)
        wires = [f"row GPIO {row}, column GPIO {column}" for row, column in lines]
    else:
        wires = [*chain.from_iterable(keys.codes)]
    return {name: wire for name, wire in zip(chain.from_iterable(keys.keys), wires, strict=True) if name}


def name_keys(edges: queue.SimpleQueue[Edge], kit: Kit, seconds: float) -> Iterator[str]:
    """Yield each key as it closes, until all were pressed or none for *seconds*; then the missing ones."""
    wiring = wiring_of(kit)
    missing = dict.fromkeys(wiring)
    held: set[str] = set()
    while missing:
        try:
            edge = edges.get(timeout=seconds)
        except queue.Empty:
            break
        if not edge.closed:
            held.discard(edge.button)
            continue
        missing.pop(edge.button, None)
        beside = f"; with {' and '.join(sorted(held))} held" if held else ""
        held.add(edge.button)
        yield f"key {edge.button} ({wiring[edge.button]}){beside}; {len(missing)} to go"
    if missing:
        yield "never pressed: " + ", ".join(f"{name} ({wiring[name]})" for name in missing)
    else:
        yield ALL_HEARD


def try_out(
    chips: Chips,
    kit: Kit,
    tell: Callable[[str], None],
    patience: float = _PATIENCE,
    pause: Callable[[float], None] = time.sleep,
) -> bool:
    """Show the test picture, walk the LEDs, and name the keys; return whether every device could be tried.

    *tell* receives each line; *patience* is the seconds without a press after which the keys' trial ends;
    *pause* lets seconds pass between changes of the LEDs.
    """
    tried = [
        _is_tried(_show_picture(chips), tell),
        _is_tried(_light_leds(chips, kit, pause), tell),
        _try_keys(chips, kit, tell, patience),
    ]
    return all(tried)


def _is_tried(trial: Iterator[str], tell: Callable[[str], None]) -> bool:
    try:
        for line in trial:
            tell(line)
    except DeviceTrouble as trouble:
        tell(str(trouble))
        return False
    return True


def _try_keys(chips: Chips, kit: Kit, tell: Callable[[str], None], patience: float) -> bool:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    errors: list[str] = []

    def report(_name: str, sentence: str | None) -> None:
        if sentence:
            errors.append(sentence)
            tell(sentence)

    try:
        keys = new_keys(kit, chips, edges.put, report)
    except Exception as trouble:  # noqa: BLE001  for pins in use, gpiozero and lgpio each have errors of their own
        tell(f"{trouble}; if cribpi is running: sudo systemctl stop cribpi")
        return False
    keys.start()
    tell(f"keys: press each in turn (Ctrl-C, or {patience:.0f} s without a press, ends it)")
    line = ""
    try:
        for line in name_keys(edges, kit, patience):
            tell(line)
    finally:
        keys.close()
    return line == ALL_HEARD and not errors
