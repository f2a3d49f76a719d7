"""Scenes of a game for the tests of the page: the keys that lead to each, from a new table.

What a scene shows is what the table makes of those keys.  Where no game comes to what a test needs,
`with_changes` puts it into the real answer.
"""

from __future__ import annotations

from dataclasses import replace

from companion.web.scene import Scene, with_changes

from cribpi.companion.entry.house import House
from cribpi.companion.entry.next_game import NextGame


def score(key: str, holes: int) -> str:
    """Return the keys that put the score of the side of *key*, where it has none, right to so many *holes*."""
    tens, ones = divmod(holes, 10)
    return f"{key} 2 FLNB {'P2 ' * tens}FLNB {'P2 ' * ones}OK"


DEAL = "OK OK 7 2"
FIRST_DEAL = "OK OK 2 7 9 4 7 4 8 5 GO GO 8 Q K OK OK 3 J 6 10 OK"
"""ORANGE deals, and shows 7 8 8 K with the 9."""
COUNT = f"{DEAL} 5 9 6 6 5 GO 4 GO 10 7 10"
PARTNERS = NextGame(players=4, house=House(("ALEXANDRA", "BOB", "BARTHOLOMEUS", "DORA")))
LONG_PARTNERS = PARTNERS.with_house(names=("ALEXANDRINES", "BOB", "BARTHOLOMEUS", "DORA"))
LONG_NAMES = NextGame(house=House(("ALEXANDRINES", "BARTHOLOMEUS")))
OLED_GONE = "the OLED at 0x3C does not answer; look at its wires: the table goes on without it"

IDLE = Scene()
NEW_GAME = Scene("OK")
LEAD = Scene(f"{FIRST_DEAL} 9 8")
"""ORANGE has led the 8: BLUE, whom every card fits, is next."""
PLAY = LEAD.then("7 7")
"""The count is 22, and BLUE is next."""
PLAYED_ON = PLAY.then("A")
QUESTION = PLAY.then("K")
SHOW = PLAY.then("GO 2 GO 6 10 3 K")
CRIB = SHOW.then("OK OK 5")
WON_ONE = Scene(f"{DEAL} {score('P2', 88)} {score('P1', 121)}")
NEXT_GAME = WON_ONE.then("OK 9 8")
THREE = replace(
    Scene(f"OK OK 7 2 9 OK OK {score('P1', 61)} {score('P2', 74)} 3 P2 6", NextGame(players=3, entry="peg")),
    trouble=(OLED_GONE,),
)
FOUR_PLAY = Scene(f"OK OK 7 2 9 K 5 {score('P1', 30)} {score('P2', 46)} 10 5 7 4", PARTNERS)
FOUR = FOUR_PLAY.then("GO")
TAKEN_BACK = Scene("OK OK 7 2 9 K 5 10 10 10 UNDO", LONG_PARTNERS)
CORRECTING = TAKEN_BACK.then(f"OK 10 {score('P1', 112).removesuffix('OK')}")
LONG_SHOW = Scene(f"{FIRST_DEAL} 9 8 7 7 GO 2 GO 6 5 3 K", LONG_NAMES)
LONG_QUESTION = Scene(f"{DEAL} 5 9 6 6 5 10", LONG_NAMES)
LONG = with_changes(
    SHOW,
    prompt="Correct ALEXANDRINES+BARTHOLOMEUS: 2 the score put right to 119; P1 less, P2 more, OK applies, "
    "UNDO leaves",
    message="taken back: BARTHOLOMEUS plays the 10: fifteen for two, and one for last; 1214 more",
)
"""As long a message beside as long a prompt as there is room for."""
COUNTING = Scene(COUNT, NextGame(rules="acc"))
COUNTED = COUNTING.then("10 2")
MUGGINS = Scene(COUNT, NextGame(rules="acc-muggins")).then("4 OK")
"""ORANGE has counted less than there was, and BLUE has taken the rest."""
WON = Scene(WON_ONE.keys, NextGame(options=(("match", "first-to-2"),))).then(
    f"OK {score('P2', 70)} {score('P1', 121)} OK"
)
DRAWN = Scene(
    f"{DEAL} {score('P1', 121)} OK {score('P2', 121)} OK",
    NextGame(options=(("match", "best-of-2"),), house=House(("ORANGE", "BARTHOLOMEUS"))),
)
SCENES = {
    "idle": IDLE,
    "play": PLAY,
    "question": QUESTION,
    "show": SHOW,
    "crib": CRIB,
    "long": LONG,
    "long-question": LONG_QUESTION,
    "long-show": LONG_SHOW,
    "taken back": TAKEN_BACK,
    "correcting": CORRECTING,
    "new-game": NEW_GAME,
    "over": WON_ONE,
    "three": THREE,
    "four": FOUR,
    "counting": COUNTING,
    "counted": COUNTED,
    "won": WON,
    "drawn": DRAWN,
}
