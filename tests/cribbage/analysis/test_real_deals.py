"""What is expected of hands and cribs against what comes of it when everybody discards so."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from cribpi.cribbage.analysis.discard.ways import Way, ways
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words import worth

DEALS = {2: 6000, 3: 4000, 4: 4000}


def dealt(chance: Random, players: int) -> tuple[list[Way], int, list[int]]:
    """Deal once, the dealer in seat 0: what each discards, and what the crib and the hands come to."""
    rules = preset("standard", players)
    size = seats.usual(players).dealt
    pack = chance.sample(PACK, len(PACK))
    own = {seat for seat in range(players) if seats.side_of(seat, players) == 0}
    best = [
        ways(pack[seat * size : seat * size + size], own_crib=seat in own, rules=rules)[0]
        for seat in range(players)
    ]
    rest = pack[players * size :]
    crib = [card for way in best for card in way.away]
    crib += rest[: seats.HAND - len(crib)]
    starter = rest[seats.HAND]
    hands = [worth.hand_points(way.kept, starter) for way in best]
    return best, worth.hand_points(crib, starter, is_strict=True), hands


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_and_cribs_come_to_what_was_expected(players: int) -> None:
    chance = Random(players)
    deals = [dealt(chance, players) for _ in range(DEALS[players])]
    print(f"\n{players} players, {len(deals)} deals:")
    for seat in range(players):
        for what, off in (
            ("crib", [crib - best[seat].crib for best, crib, _ in deals]),
            ("hand", [hands[seat] - best[seat].hand for best, _, hands in deals]),
        ):
            error = stdev(off) / len(off) ** 0.5
            print(f"  seat {seat}: the {what} came to {fmean(off):+.3f} +- {error:.3f} of what was expected")
            assert abs(fmean(off)) < 3 * error
    print(f"  mean crib {fmean(crib for _, crib, _ in deals):.3f}")
    print(
        f"  mean hands {[round(fmean(hands[seat] for _, _, hands in deals), 3) for seat in range(players)]}"
    )
