"""Scenes of a game that the machine deals: the keys that lead to each."""

from __future__ import annotations

from dataclasses import replace

from companion.web.scene import Scene
from companion.web.scenes import PARTNERS

from cribpi.companion.entry.next_game import NextGame

DEALT = NextGame(entry="dealt", levels=("", "thrifty"))

LAY_AWAY = replace(Scene("OK OK P1 OK", DEALT), seed=3)
"""ORANGE holds A 2 5 9 Q K, and discards to its own crib."""
LAID_OUT = LAY_AWAY.then("A 5")
TO_PLAY = LAID_OUT.then("OK OK 9")
"""The count is 29: of 2 Q K the 2 alone can be played."""
MENU = TO_PLAY.then("MENU")
THINKS = LAID_OUT.then("OK OK", last="9")
TO_GO = Scene("OK OK P2 OK 4 Q OK OK 5 6", DEALT)
SHOW_KEYS = "OK OK P2 OK A Q OK OK 4D 4S OK 5 6"
"""To ORANGE's show of 4 4 5 6 with the 8, as the sixth pack falls."""
SHOWN = replace(Scene(SHOW_KEYS, DEALT), seed=6)
CLOSED = Scene("OK OK P2 OK OK 4 Q OK", replace(DEALT, levels=("", "")))
"""ORANGE has laid away, and BLUE, at the same screen, is next."""
WATCHED = Scene("", replace(DEALT, levels=("thrifty", "chance")), last="OK OK P2 OK", acts=7)
PARTNERS_DEALT = Scene(
    "OK OK P2 OK 2 OK OK", replace(PARTNERS, entry="dealt", levels=("", "thrifty", "solid", "chance"))
)
FOUR_MACHINES = Scene(
    "",
    replace(PARTNERS, entry="dealt", levels=("thrifty", "solid", "thrifty", "chance")),
    last="OK OK P2 OK",
    acts=6,
)
DEALT_SCENES = {
    "lay away": LAY_AWAY,
    "laid out": LAID_OUT,
    "to play": TO_PLAY,
    "go": TO_GO,
    "thinks": THINKS,
    "shown": SHOWN,
    "closed": CLOSED,
    "watched": WATCHED,
    "partners": PARTNERS_DEALT,
    "four machines": FOUR_MACHINES,
}
