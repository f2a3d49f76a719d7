"""Linux's names and numbers of the keys of a USB keypad or keyboard."""

from __future__ import annotations

from itertools import chain
from typing import Final


def _run(first: int, names: str) -> list[tuple[str, int]]:
    """Pair *names* with consecutive codes, beginning with *first*."""
    return [(f"KEY_{name}", first + step) for step, name in enumerate(names.split())]


KEY_CODES: Final[dict[str, int]] = dict(
    chain(
        _run(1, "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB"),
        _run(16, "Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER LEFTCTRL"),
        _run(30, "A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH"),
        _run(44, "Z X C V B N M COMMA DOT SLASH RIGHTSHIFT KPASTERISK LEFTALT SPACE CAPSLOCK"),
        _run(59, "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK SCROLLLOCK"),
        _run(71, "KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT"),
        _run(86, "102ND F11 F12"),
        _run(96, "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT"),
        _run(102, "HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT DELETE"),
        _run(113, "MUTE VOLUMEDOWN VOLUMEUP"),
        _run(117, "KPEQUAL KPPLUSMINUS PAUSE"),
        _run(121, "KPCOMMA"),
        _run(139, "MENU CALC"),
        _run(155, "MAIL"),
        _run(158, "BACK"),
        _run(172, "HOMEPAGE"),
        _run(179, "KPLEFTPAREN KPRIGHTPAREN"),
        _run(183, "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24"),
    )
)
"""The codes of the keys that keypads and keyboards usually have, from `linux/input-event-codes.h`."""
