"""A hand that is counted at the door: the engine's points, line by line, and the mean over what is left in the pack."""

from __future__ import annotations

from random import Random
from statistics import mean
from typing import Any

import httpx
import pytest
from support.naive import show

from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.words.worth import hand_points

SOME = 40


def counted(client: httpx.Client, **fields: object) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/count", json=fields)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("is_crib", [False, True])
def test_a_hand_counts_what_plain_counting_finds(client: httpx.Client, *, is_crib: bool) -> None:
    chance = Random(31)
    for _ in range(SOME):
        *hand, starter = chance.sample(PACK, 5)
        _, found = counted(client, cards=list(map(str, hand)), starter=str(starter), crib=is_crib)
        assert found["points"] == show(hand, starter, is_crib=is_crib)
        assert sum(line["points"] for line in found["tally"]) == found["points"]
        if found["tally"]:
            assert found["tally"][-1]["total"] == found["points"]


def test_at_five_card_a_hand_has_three_cards_and_a_crib_four(client: httpx.Client) -> None:
    chance, by = Random(3), {"rules": "five-card"}
    for _ in range(SOME):
        *hand, starter = chance.sample(PACK, 4)
        _, found = counted(client, cards=" ".join(map(str, [*hand, starter])), **by)
        assert (found["starter"], found["points"]) == (str(starter), show(hand, starter))
        _, found = counted(client, cards=list(map(str, hand)), **by)
        assert found["mean"] == pytest.approx(
            mean(hand_points(hand, card) for card in PACK if card not in hand), abs=0.005
        )
    _, found = counted(client, cards="2H 4H 8H KH 6S", crib=True, **by)
    assert (found["cards"], found["starter"]) == (["2H", "4H", "8H", "KH"], "6S")
    status, found = counted(client, cards=["2H", "4H"], **by)
    assert (status, found["error"]) == (
        422,
        "2 cards: a hand has three, and the starter is the fourth or separate",
    )


@pytest.mark.parametrize("is_crib", [False, True])
def test_without_a_starter_it_is_the_mean_over_all_that_are_left(
    client: httpx.Client, *, is_crib: bool
) -> None:
    chance = Random(7)
    for _ in range(SOME):
        hand = chance.sample(PACK, 4)
        every = [hand_points(hand, card, is_strict=is_crib) for card in PACK if card not in hand]
        assert len(every) == 48
        _, found = counted(client, cards=list(map(str, hand)), crib=is_crib)
        assert found == {
            "cards": list(map(str, hand)),
            "starter": None,
            "crib": is_crib,
            "mean": pytest.approx(mean(every), abs=0.005),
            "least": min(every),
            "most": max(every),
        }


def test_a_card_of_unknown_suit_takes_one_of_its_rank_from_the_pack(client: httpx.Client) -> None:
    _, found = counted(client, cards=["5", "5", "5", "5"])
    every = [hand_points([Card.parse("5")] * 4, card) for card in PACK if card.rank != 5]
    assert found["mean"] == pytest.approx(mean(every), abs=0.005)


@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"cards": ["5C", "5C", "6D", "7S"]}, 409, "twice"),
        ({"cards": ["5", "5", "5", "5"], "starter": "5"}, 409, "four"),
        ({"cards": ["5C", "6D", "7S"]}, 422, "3 cards"),
        ({"cards": ["5C", "6D", "7S", "1H"]}, 422, "not a card"),
        ({"cards": "5C 6D 7S 8H 9H 10H"}, 422, "6 cards"),
        ({"cards": "5C 6D 7S 8H 9H", "starter": "10H"}, 422, "5 cards"),
        ({"cards": "5C 6D 7S", "starter": "10H"}, 422, "3 cards"),
        ({"cards": ["5C"]}, 422, "1 card:"),
        ({"cards": "5C 6D 7S 11"}, 422, "write A for an ace, 10 for a ten"),
        ({"cards": "5H | 5C 5D 5S JH"}, 422, "has 1 card and 4 starters"),
        ({"cards": "5C 5D | 5S JH 5H"}, 422, "has 2 cards and 3 starters"),
        ({"cards": 5}, 422, "list of cards"),
        ({"cards": ["5C", "6D", "7S", "8H"], "starter": 9}, 422, "give text"),
        ({"cards": ["5C", "6D", "7S", "8H"], "rules": "hoyle"}, 422, "hoyle"),
        ({}, 422, "cards is missing"),
    ],
)
def test_what_is_no_hand_is_refused_in_a_sentence(
    client: httpx.Client, fields: dict[str, object], status: int, says: str
) -> None:
    found, answer = counted(client, **fields)
    assert found == status
    assert says in answer["error"]


@pytest.mark.parametrize(
    ("cards", "starter"),
    [
        (["5C", "5D", "5S", "JH", "5H"], None),
        (["5c", "5\u2666\ufe0f", "five of spades", "\U0001f0bb"], "\uff15h"),
        ("5C5D5SJH5H", None),
        ("5c,5d,5s,jh", "5\u2661"),
        ("5C 5D 5S JH | 5H", None),
    ],
)
def test_cards_are_read_as_people_type_them(client: httpx.Client, cards: object, starter: str | None) -> None:
    _, found = counted(client, cards=cards, starter=starter)
    assert (found["cards"], found["starter"], found["points"]) == (["5C", "5D", "5S", "JH"], "5H", 29)


@pytest.mark.parametrize(
    ("cards", "points", "may_be"),
    [
        ("5H 5S 5D JC 5", 29, []),
        ("5H 5S 5D J 5C", 28, [29]),
        ("2H 4H 8H KH 6", 4, [5]),
        ("2 4 8 J 6", 0, [1, 4, 6]),
    ],
)
def test_where_suits_are_known_in_part_the_certain_counts(
    client: httpx.Client, cards: str, points: int, may_be: list[int]
) -> None:
    _, found = counted(client, cards=cards)
    assert (found["points"], found["may_be"]) == (points, may_be)
    assert sum(line["points"] for line in found["tally"]) == points


@pytest.mark.parametrize(
    ("cards", "points"), [("2H 4H 8H KH | 6S", 4), ("2H 4H 8H KH | 6S crib", 0), ("Crib: 2H4H8HKH 6S", 0)]
)
def test_the_word_crib_counts_it_as_one(client: httpx.Client, cards: str, points: int) -> None:
    _, found = counted(client, cards=cards)
    assert (found["points"], found["crib"]) == (points, not points)


def test_of_four_jacks_one_is_his_nobs_whatever_is_turned_up(client: httpx.Client) -> None:
    _, found = counted(client, cards="JJJJ")
    assert (found["least"], found["most"]) == (13, 21)


def test_while_a_hand_is_typed_its_cards_are_told(client: httpx.Client) -> None:
    assert counted(client, cards="5c 10") == (200, {"cards": ["5C", "10"], "starter": None, "crib": False})
    assert counted(client, cards="") == (200, {"cards": [], "starter": None, "crib": False})


def test_by_a_house_where_four_will_do_a_crib_has_its_flush(client: httpx.Client) -> None:
    cards = {"cards": ["2H", "4H", "8H", "KH"], "starter": "6S", "crib": True}
    assert counted(client, **cards)[1]["points"] == 0
    assert counted(client, **cards, rules="computer-game")[1]["points"] == 4
