"""The shipped tables: what is in them is what the enumeration gives, and what is no table is said to be
none."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations, permutations, product
from math import comb
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from cribpi.cribbage.analysis import tables
from cribpi.cribbage.analysis.discard.habits import crib_worth, discard_table, rank_hands, ways_to_hold
from cribpi.cribbage.analysis.discard.ways import ways
from cribpi.cribbage.analysis.pack import BY_NUMBER, HANDS
from cribpi.cribbage.analysis.shows import RANK_PAIRS
from cribpi.cribbage.analysis.tables import load, read
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words import worth
from cribpi.workshop.tables import make
from cribpi.workshop.tables.canonical import (
    CanonicalHands,
    canonical_hands,
    hand_counts,
    hand_means,
    kept_indices,
)
from cribpi.workshop.tables.discards import best_choice, mean_cribs, prepared

ALL = [name for name in make.TABLES if name not in make.HOURS]
SIX = tuple(combinations(range(6), 2))


def hands_with(multisets: list[int], size: int) -> CanonicalHands:
    """All hands, suit by suit, with the ranks of these rows of `rank_hands`."""
    rows = []
    for multiset in multisets:
        ranks = rank_hands(size).ranks[multiset].tolist()
        suits = [combinations(range(4), ranks.count(rank)) for rank in sorted(set(ranks))]
        for choice in product(*suits):
            places = [suit for some in choice for suit in some]
            rows.append([4 * rank + suit for rank, suit in zip(ranks, places, strict=True)])
    return CanonicalHands(np.array(rows, dtype=np.uint8), np.ones(len(rows), dtype=np.int64))


@pytest.mark.parametrize(("players", "near"), [(2, 0.02), (3, 0.03), (4, 0.03)])
@pytest.mark.parametrize("role", [0, 1])
def test_a_sample_of_what_players_throw_is_the_best_that_they_can(
    players: int, role: int, near: float
) -> None:
    table, size = discard_table(players), 6 if players == 2 else 5
    multisets = sorted(Random(role).sample(range(len(rank_hands(size).total)), 40))
    every = prepared(hands_with(multisets, size))
    cribs = mean_cribs(every, table.others, players, own_crib=role == 0)
    best = best_choice(every, cribs, crib_worth(players, own_crib=role == 0)).strategy.entries
    mine = table.others.habits[role]
    shipped = np.zeros_like(best)
    for row, multiset in enumerate(multisets):
        for entry in np.flatnonzero(mine.hand == multiset):
            way = every.away[row].tolist().index(mine.discarded[entry])
            shipped[row, way] = mine.share[entry] * rank_hands(size).total[multiset]
    number = len(every.canonical_hands.cards)
    assert shipped.sum() == pytest.approx(number)
    assert np.abs(shipped - best).sum() / 2 < near * number


@pytest.mark.parametrize(("players", "near"), [(2, 0.02), (3, 0.02), (4, 0.02)])
def test_a_hand_by_itself_is_worth_what_it_is_among_all(players: int, near: float) -> None:
    table = discard_table(players)
    size = 6 if players == 2 else 5
    chance = Random(4)
    for own_crib in (True, False):
        cards = np.array([sorted(chance.sample(range(52), size)) for _ in range(25)], dtype=np.uint8)
        cards = cards[np.lexsort(tuple((cards // 4).T))]
        hands = CanonicalHands(cards, np.ones(len(cards), dtype=np.int64))
        every = prepared(hands)
        cribs = mean_cribs(every, table.others, players, own_crib=own_crib)
        away = list(combinations(range(size), size - 4))
        for row, numbers in enumerate(cards.tolist()):
            hand = [BY_NUMBER[card] for card in numbers]
            found = {
                way.away: way for way in ways(hand, own_crib=own_crib, rules=preset("standard", players))
            }
            for at, gone in enumerate(away):
                way = found[tuple(hand[place] for place in gone)]
                assert way.hand == pytest.approx(every.means[row, at])
                assert way.crib == pytest.approx(cribs[row, at], abs=near)


def mean_crib(players: int) -> NDArray[np.float64]:
    """The mean crib of the hands that make each discard, 0 where none does: as `Others.suited`."""
    return np.nan_to_num(load(f"laying-away-{players}").arrays["thrown_cribs"].astype(np.float64))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_tables_agree_with_themselves(players: int) -> None:
    table = discard_table(players)
    assert table.kept.shape == (2, len(HANDS))
    assert table.kept.sum(axis=1) == pytest.approx([1, 1])
    assert table.kept.min() >= 0
    for role, habits in enumerate(table.others.habits):
        weight, shipped = habits.share * rank_hands(habits.size).total[habits.hand], table.others.suited[role]
        discarded = np.bincount(habits.discarded, weight, minlength=len(shipped)) / weight.sum()
        by_rank = shipped.sum(axis=1) if players == 2 else shipped
        assert discarded == pytest.approx(by_rank, abs=1e-4)
    assert table.hand_points.sum(axis=1) == pytest.approx([1, 1])
    assert table.crib_points.sum() == pytest.approx(1)
    own = np.sum(table.others.suited[0] * mean_crib(players)[0])
    assert table.crib_points @ np.arange(30) == pytest.approx(own, abs=0.02)
    for counts in (*table.hand_points, table.crib_points):
        assert not counts[[19, 25, 26, 27]].any()


def test_the_cribs_of_two_are_near_what_others_have_published() -> None:
    discarded = np.stack(discard_table(2).others.suited)
    for pair, own, other in (
        ((4, 4), 8.95, 9.39),
        ((1, 2), 6.97, 7.34),
        ((6, 7), 6.58, 7.88),
        ((9, 12), 2.86, 3.99),
    ):
        place = RANK_PAIRS.index(pair)
        means = np.sum(discarded[:, place] * mean_crib(2)[:, place], axis=1)
        means /= discarded[:, place].sum(axis=1)
        assert means == pytest.approx([own, other], abs=0.1)


@pytest.mark.parametrize(("size", "hands"), [(2, 1326), (3, 22_100), (4, 270_725)])
def test_classes_stand_for_every_hand_once(size: int, hands: int) -> None:
    found = canonical_hands(size)
    assert found.weight.sum() == hands
    if size == 3:
        every = {
            tuple(sorted(card // 4 * 4 + suits[card % 4] for card in row))
            for row in found.cards.tolist()
            for suits in permutations(range(4))
        }
        assert len(every) == hands


@pytest.mark.prove
def test_classes_of_all_six_cards_stand_for_every_hand_once() -> None:
    found = canonical_hands(6)
    assert len(found.weight) == 962_988
    assert found.weight.sum() == comb(52, 6)
    ranks = found.cards // 4
    is_new = (ranks[1:] != ranks[:-1]).any(axis=1)
    assert (ranks[np.concatenate(([True], is_new))] == rank_hands(6).ranks).all()


def test_the_ranks_of_hands_are_made_in_as_many_ways_as_the_pack_allows() -> None:
    left = np.array([3, 4, 4, 4, 2, 4, 4, 1, 4, 0, 3, 4, 4])
    assert ways_to_hold(6, left).sum() == 4_496_388  # 41 choose 6
    assert rank_hands(6).total.sum() == comb(52, 6)
    assert rank_hands(5).total.sum() == comb(52, 5)


def test_counts_of_hands_are_those_of_every_starter() -> None:
    cards = np.array([[0, 5, 17, 18, 40, 41], [3, 7, 11, 15, 20, 51]], dtype=np.uint8)
    way = np.array([3, 14])
    counts = np.zeros(30, dtype=np.int64)
    for row, chosen, times in zip(cards.tolist(), way.tolist(), (1, 24), strict=True):
        four = [BY_NUMBER[row[place]] for place in kept_indices(6, SIX[chosen])]
        points = [worth.hand_points(four, BY_NUMBER[card]) for card in range(52) if card not in row]
        counts += np.bincount(points, minlength=30) * times
        means = hand_means(np.array([row], dtype=np.uint8), SIX)
        assert means[0, chosen] == pytest.approx(sum(points) / 46)
    assert (hand_counts(cards, np.array([1, 24]), SIX, way) == counts).all()


@pytest.mark.parametrize("name", ALL)
def test_what_is_written_is_read_again_and_written_the_same(name: str, tmp_path: Path) -> None:
    table = load(name)
    path = tmp_path / f"{name}.npz"
    make.write(path, table.rules, table.arrays)
    assert path.read_bytes() == (tables.DATA / f"{name}.npz").read_bytes()
    again = read(path)
    assert again.rules == table.rules
    assert all(
        (again.arrays[key] == table.arrays[key])[~np.isnan(table.arrays[key])].all() for key in table.arrays
    )


def test_the_tables_are_small() -> None:
    assert sum(path.stat().st_size for path in tables.DATA.iterdir()) < 500_000


def test_nothing_is_loaded_by_an_import_and_tables_are_kept() -> None:
    code = (
        "import cribpi.cribbage.analysis.tables as tables, cribpi.cribbage.analysis.discard.ways;"
        "assert tables.load.cache_info().currsize == 0;"
        "from cribpi.cribbage.analysis.discard.habits import discard_table;"
        "assert discard_table() is discard_table();"
        "assert tables.load.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_table_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as refused:
        make.main(["laying-away-7", "--to", str(tmp_path)])
    assert refused.value.code == 2
    assert "no table called laying-away-7: choose from laying-away-2, " in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit) as refused:
        make.main(["laying-away-2", "--to", str(tmp_path / "file")])
    assert refused.value.code == 2
    assert "file: File exists; name another folder with --to" in capsys.readouterr().err


@pytest.mark.prove
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", [name for name in ALL if name.startswith(("laying-away", "pegging"))])
def test_made_again_a_table_is_the_same_byte_for_byte(name: str, tmp_path: Path) -> None:
    assert make.main([name, "--to", str(tmp_path)]) == 0
    assert (tmp_path / f"{name}.npz").read_bytes() == (tables.DATA / f"{name}.npz").read_bytes()
