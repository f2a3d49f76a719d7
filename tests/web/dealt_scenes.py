"""Scenes of a game that the machine deals, for the companion in memory."""

from __future__ import annotations

from dataclasses import replace

from web.fake import FOUR, PLAY


def felt(
    *held: int,
    crib: int = 0,
    cuts: tuple[str | None, ...] = (),
    hides: int | None = None,
    shown: dict[str, object] | None = None,
    ok: str | None = None,
    dialog: bool = False,
) -> dict[str, object]:
    """Return what lies on the table where the machine deals."""
    return {
        "held": list(held),
        "crib": crib,
        "cuts": list(cuts),
        "hides": hides,
        "shown": shown,
        "ok": ok,
        "dialog": dialog,
    }


def hand(
    seat: int, cards: str, chosen: str = "", playable: str | None = None, wanted: int = 1
) -> dict[str, object]:
    """Return a hand that lies open; all of it can be played unless *playable* says which cards can."""
    return {
        "seat": seat,
        "cards": cards.split(),
        "chosen": chosen.split(),
        "playable": (cards if playable is None else playable).split(),
        "wanted": wanted,
    }


LAY_AWAY = replace(
    PLAY,
    phase="deal",
    prompt="ORANGE: choose two for BLUE's crib",
    keys=("2", "3", "10", "J", "Q"),
    entry="dealt",
    levels=(None, "thrifty"),
    turn=None,
    starter=None,
    count=0,
    pile=(),
    log=PLAY.log[:3],
    hand=hand(0, "2C 3C 10H JS QD QH", wanted=2),
    felt=felt(6, 4, crib=2),
)
LAID_OUT = replace(
    LAY_AWAY,
    prompt="Send these two to BLUE's crib? OK: Send them, or choose another",
    keys=("OK", *LAY_AWAY.keys),
    hand=hand(0, "2C 3C 10H JS QD QH", "3C QD", wanted=2),
    felt=felt(6, 4, crib=2, ok="Send to BLUE's crib"),
)
TO_PLAY = replace(
    LAY_AWAY,
    phase="play",
    prompt="ORANGE to play: choose a card",
    keys=("2",),
    turn=0,
    starter="8D",
    count=28,
    pile=("9H", "9C", "KD"),
    hand=hand(0, "2C 10H JS", playable="2C"),
    felt=felt(3, 2, crib=4),
)
TO_GO = replace(
    TO_PLAY,
    prompt="You can't play. OK: Say go",
    keys=("OK",),
    hand=hand(0, "10H JS", playable=""),
    felt=felt(2, 2, crib=4, ok="Say go"),
)
THINKS = replace(
    TO_PLAY,
    prompt="BLUE is thinking",
    keys=("UNDO",),
    turn=1,
    hand=hand(0, "2C 10H JS", playable="", wanted=0),
    thinking=1,
)
SHOWN = replace(
    TO_PLAY,
    phase="show",
    prompt="ORANGE shows 7H 8C 8D KS with 9S. OK: Peg 12",
    keys=("OK",),
    turn=None,
    starter="9S",
    count=0,
    pile=(),
    hand=None,
    shower=0,
    felt=felt(
        0,
        0,
        crib=4,
        ok="Peg 12",
        shown={
            "seat": 0,
            "crib": False,
            "cards": ["7H", "8C", "8D", "KS"],
            "points": 12,
            "tally": [
                {"words": "fifteen two", "cards": ["7H", "8C"]},
                {"words": "fifteen four", "cards": ["7H", "8D"]},
                {"words": "a pair is six", "cards": ["8C", "8D"]},
                {"words": "a run of three is nine", "cards": ["7H", "8C", "9S"]},
                {"words": "a run of three is twelve", "cards": ["7H", "8D", "9S"]},
            ],
        },
    ),
)
CLOSED = replace(
    LAY_AWAY,
    prompt="Pass to BLUE. OK: Show BLUE's cards",
    keys=("OK",),
    levels=(None, None),
    hand=None,
    felt=felt(4, 6, crib=2, hides=1, ok="Open BLUE's hand"),
)
WATCHED = replace(
    THINKS, levels=("solid", "expert"), hand=None, felt=felt(3, 2, crib=4), pile=("9H", "9C", "KD")
)
PARTNERS = replace(
    TO_PLAY,
    sides=FOUR.sides,
    seats=FOUR.seats,
    levels=(None, "expert", "solid", "thrifty"),
    felt=felt(3, 3, 2, 2, crib=4),
)
FOUR_MACHINES = replace(
    PARTNERS, levels=("expert", "solid", "thrifty", "chance"), hand=None, turn=3, thinking=3, keys=("UNDO",)
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
    "partners": PARTNERS,
    "four machines": FOUR_MACHINES,
}
