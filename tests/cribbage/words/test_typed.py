"""Cards as people type them: what means one thing is read, and what could mean two is refused."""

from __future__ import annotations

import re
import tracemalloc
import unicodedata
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import games

from cribpi.cribbage.game.cards import PACK, Card, Rank, Suit
from cribpi.cribbage.rules.errors import BadCard
from cribpi.cribbage.words.cards import parse_card, parse_cards, parse_hand

READ = [
    # what is typed, the cards that it is
    ("5H5S5DJC5C", "5H 5S 5D JC 5C"),
    ("5h5s5djc5c", "5H 5S 5D JC 5C"),
    ("555J 5", "5 5 5 J 5"),
    ("555J5", "5 5 5 J 5"),
    ("5510", "5 5 10"),
    ("1010", "10 10"),
    ("210", "2 10"),
    ("10H10S", "10H 10S"),
    ("AS", "AS"),
    ("A S", "AS"),
    ("AKQJT", "A K Q J 10"),
    ("tjqka", "10 J Q K A"),
    ("5H, 5S, 5D, JC", "5H 5S 5D JC"),
    ("5H,5S,5D,JC", "5H 5S 5D JC"),
    ("5H;5S;5D;JC", "5H 5S 5D JC"),
    ("5-5-5-J", "5 5 5 J"),
    ("10-J-Q", "10 J Q"),
    ("5H/5S/5D/JC", "5H 5S 5D JC"),
    ("5H\t5S\t5D\tJC", "5H 5S 5D JC"),
    ("5H\n5S\r\n5D", "5H 5S 5D"),
    ('"5H","5S","5D","JC"', "5H 5S 5D JC"),
    ("'5H' '5S'", "5H 5S"),
    ("\u201c5H\u201d \u201c5S\u201d", "5H 5S"),
    ("5H | 5S", "5H 5S"),
    ("5H + 5S", "5H 5S"),
    ("5H & 5S and 5D", "5H 5S 5D"),
    ("5H \u2013 5S \u2014 5D", "5H 5S 5D"),
    ("5H\u00b75S\u20225D", "5H 5S 5D"),
    ("5H\u00a05S\u20035D\u30005C", "5H 5S 5D 5C"),
    (",5H,", "5H"),
    ("  5H  ", "5H"),
    ("", ""),
    (" , ", ""),
    ("5\u2665\ufe0f 5\u2660\ufe0f", "5H 5S"),
    ("5\u2665 5\u2666 5\u2663 5\u2660", "5H 5D 5C 5S"),
    ("5\u26615\u26625\u26675\u2664", "5H 5D 5C 5S"),
    ("5\u2764\ufe0f", "5H"),
    ("\u26655", "5H"),
    ("\u26655 \u2660J", "5H JS"),
    ("\u26655\u2660J", "5H JS"),
    ("\u2665\ufe0f10", "10H"),
    ("H5 SJ", "5H JS"),
    ("H5SJ", "5H JS"),
    ("\u26655 6\u2660", "5H 6S"),
    ("\u2665 5", "5H"),
    ("5 H", "5H"),
    ("5 H 6 D", "5H 6D"),
    ("H 5 D 6", "5H 6D"),
    ("5 6 H", "5 6H"),
    ("5 H, 6, 7 D", "5H 6 7D"),
    ("\U0001f0a1\U0001f0b1\U0001f0c1\U0001f0d1", "AS AH AD AC"),
    ("\U0001f0aa \U0001f0ab \U0001f0ad \U0001f0ae", "10S JS QS KS"),
    ("\U0001f0b5,\U0001f0db", "5H JC"),
    ("\uff15\uff28\u3000\uff2a\uff23", "5H JC"),
    ("\uff11\uff10\uff48\uff0c\uff4a", "10H J"),
    ("5\ufe0f\u20e3 \u2665\ufe0f", "5H"),
    ("\U0001f51f\u2665\ufe0f 5", "10H 5"),
    ("\ufeff5H\u200b5S", "5H 5S"),
    ("\u2068\u202a5H\u202c\u2069", "5H"),
    ("ten of hearts", "10H"),
    ("Ten Of Hearts", "10H"),
    ("TEN OF HEART", "10H"),
    ("ten hearts", "10H"),
    ("the five of clubs, the jack of spades and the ten", "5C JS 10"),
    ("5 of hearts", "5H"),
    ("5 of h", "5H"),
    ("t of \u2665", "10H"),
    ("5 hearts 6 spades", "5H 6S"),
    ("hearts 5", "5H"),
    ("Jack", "J"),
    ("jack queen king", "J Q K"),
    ("ace two three four five six seven eight nine ten", "A 2 3 4 5 6 7 8 9 10"),
    ("A 5", "A 5"),
    ("a 10 j", "A 10 J"),
    ("Ace of spades", "AS"),
]


@pytest.mark.parametrize(("typed", "cards"), READ)
def test_what_people_type_is_read(typed: str, cards: str) -> None:
    assert " ".join(map(str, parse_cards(typed))) == cards


ONE = "is not a card: write A for an ace, 10 for a ten, J, Q or K for 11, 12 or 13"
NOT = "is not a card: write a rank"
TWO_WAYS = "can be read in two ways: "
LEFT = "a suit is left over; write each right after its rank"
REFUSED = [
    # what is typed, what is said of it
    *(
        (typed, ONE)
        for typed in ("1", "11", "12", "13", "14", "1H", "H1", "511J", "110", "5 5 5 1", "5,1,5,J")
    ),
    *((typed, NOT) for typed in ("0", "00", "100", "5H5X", "X", "5x", "joker", "\U0001f0cf", "\U0001f0bf")),
    *(
        (typed, NOT)
        for typed in ("7HH", "HH", "1O", "10 of 6", "of hearts", "tens", "jacks", "5\u0665", "\u0661")
    ),
    *(
        (typed, NOT)
        for typed in ("\U0001f0ac", "\U0001f0a0", "cat", "five!", "(5H)", "5#", "5*", "\x00", "5\\5")
    ),
    *(
        (typed, NOT)
        for typed in ("knight", "two fives", "\u0410", "\u2460", "5\u00b2", "P1", "OK", "7S\x1b[0m")
    ),
    *((typed, f"'{typed}' {NOT}") for typed in ("=", "5=6", "=5")),
    *((typed, TWO_WAYS) for typed in ("5H5", "5\u26655", "555\u2665J", "5H5S5DJC5", "5 H 6", "5 \u2665 5 5")),
    *((typed, LEFT) for typed in ("H", "hearts", "5, H", "5-H", "5H S", "5 H S 6", "H S", "5H, S")),
    *((typed, "is the A an ace[?]") for typed in ("a ten of hearts", "a five and a jack", "a 5 of hearts")),
]


@pytest.mark.parametrize(("typed", "says"), REFUSED)
def test_what_could_be_two_things_or_none_is_refused_with_what_to_write(typed: str, says: str) -> None:
    with pytest.raises(BadCard, match=says) as refused:
        parse_cards(typed)
    assert str(refused.value).isprintable()


HANDS = [
    # what is typed, the hand, the starter, whether it is a crib
    ("2H 4H 8H KH 6S", "2H 4H 8H KH", "6S", False),
    ("2h4h8hkh | 6s", "2H 4H 8H KH", "6S", False),
    ("2H 4H 8H KH 6S CRIB", "2H 4H 8H KH", "6S", True),
    ("2H 4H 8H KH crib | 6S", "2H 4H 8H KH", "6S", True),
    ("Crib: 2H,4H,8H,KH,6S", "2H 4H 8H KH", "6S", True),
    ("2H 4H 8H KH 6S (crib)", "2H 4H 8H KH", "6S", True),
    ("2H 4H 8H KH |", "2H 4H 8H KH", "", False),
    ("2H 4H", "2H 4H", "", False),
    ("crib", "", "", True),
    ("", "", "", False),
]


@pytest.mark.parametrize(("typed", "hand", "starter", "is_crib"), HANDS)
def test_a_hand_is_four_cards_with_the_starter_behind_them(
    typed: str, hand: str, starter: str, *, is_crib: bool
) -> None:
    found = parse_hand(typed)
    assert " ".join(map(str, found.cards)) == hand
    assert (str(found.starter or ""), found.is_crib) == (starter, is_crib)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("6S | 2H 4H 8H KH", "has 1 card and 4 starters: write four cards and the starter"),
        ("6S\uff5c2H 4H 8H KH", "has 1 card and 4 starters"),
        ("2H 4H 8H | 6S", "has 3 cards and 1 starter"),
        ("2H 4H 8H KH 9D | 6S", "has 5 cards and 1 starter"),
        ("2H 4H 8H KH 9D 6S", "has 6 cards: write"),
        ("2H 4H 8H KH 6S crib crib", "'crib' is not a card"),
        ("2H 4H 8H KH 6Scrib", "'6Scrib' is not a card"),
    ],
)
def test_what_is_no_hand_is_refused(typed: str, says: str) -> None:
    with pytest.raises(BadCard, match=says):
        parse_hand(typed)


def test_a_line_of_millions_is_refused_before_it_is_taken_apart() -> None:
    pack = ", ".join(max((way for way in ways(card) if way.isascii()), key=len) for card in PACK)
    assert parse_cards(pack) == PACK
    tracemalloc.start()
    with pytest.raises(BadCard, match="is too long: a pack has 52 cards"):
        parse_cards("7H " * 500_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000, "the text itself has a million and a half"


NOT_ONE = ["", " ", "A2", "10T", "5H 5S", "5H,", ",5H", "-2", "5H and", "555"]


@pytest.mark.parametrize("typed", NOT_ONE)
def test_where_one_card_is_wanted_nothing_stands_beside_it(typed: str) -> None:
    with pytest.raises(BadCard):
        parse_card(typed)


NAMES = {"A": "ace", "10": "ten", "J": "jack", "Q": "queen", "K": "king"}
SMALL = "two three four five six seven eight nine".split()


def ways(card: Card) -> Iterator[str]:
    """Yield the ways to write *card* that this test knows, each with nothing to do with how it is read."""
    symbol = card.rank.symbol
    word = NAMES.get(symbol) or SMALL[card.rank - 2]
    if card.suit is None:
        yield from (symbol, symbol.lower(), word, word.upper(), word.title(), wide(symbol))
        return
    suit = Suit(card.suit).name
    for rank, sign in product({symbol, symbol.lower(), *["T", "t"] * (symbol == "10")}, signs(card.suit)):
        yield from (f"{rank}{sign}", f"{sign}{rank}", f"{rank} {sign}", f"{rank} of {sign}")
    for rank, name in product((word, word.upper(), symbol), (suit, suit.lower(), suit[:-1].title())):
        yield from (f"{rank} of {name}", f"{rank} {name}", f"the {rank} of {name}")
    yield wide(str(card))
    yield unicodedata.lookup(f"PLAYING CARD {word.upper()} OF {suit}")


def signs(suit: Suit) -> tuple[str, ...]:
    name = suit.name.removesuffix("S")
    black, white = (unicodedata.lookup(f"{colour} {name} SUIT") for colour in ("BLACK", "WHITE"))
    return (suit, suit.lower(), black, f"{black}\ufe0f", f"{black}\ufe0e", white)


def wide(text: str) -> str:
    return "".join(unicodedata.lookup(f"FULLWIDTH {unicodedata.name(one)}") for one in text)


BETWEEN = (", ", ",", ";", " ; ", " - ", "/", "\t,", " | ", " + ", '","', " and ", "\u3001", "-")
ALL = (*PACK, *map(Card, Rank))


def test_every_card_is_read_in_every_way_by_itself_and_behind_another() -> None:
    """A few thousand ways to write 65 cards, each alone and after another card, with each thing between."""
    count = 0
    for card in ALL:
        for way in ways(card):
            assert parse_card(way) == card, way
            for between in BETWEEN:
                assert parse_cards(f"{way}{between}{way}") == (card, card), (way, between)
                count += 1
    assert count > 30_000


@given(st.data())
def test_any_cards_in_any_ways_with_anything_between_are_read(data: st.DataObject) -> None:
    cards = data.draw(st.lists(games.cards, max_size=6))
    text = ""
    for card in cards:
        text += data.draw(st.sampled_from(sorted(ways(card)))) + data.draw(st.sampled_from(BETWEEN))
    assert parse_cards(text) == tuple(cards)


@given(st.lists(st.sampled_from(PACK), max_size=6))
def test_cards_that_all_have_suits_need_nothing_between(cards: list[Card]) -> None:
    assert parse_cards("".join(map(str, cards))) == tuple(cards)
    assert parse_cards("".join(card.face[-1] + card.rank.symbol for card in cards)) == tuple(cards)


def readings(text: str) -> set[tuple[str, ...]]:
    """Return every way to read *text*, of ranks, suits, spaces and commas.

    A suit belongs to a rank at its side: right at its side if there is one, or else beyond spaces; each rank
    has one at most.
    """
    text = re.sub(r"(?<![A-Z0-9])JACK(?![A-Z0-9])", "J", text)
    tokens = re.findall(r"10|.", text)
    if "1" in tokens or "0" in tokens:
        return set()
    ranks = [at for at, token in enumerate(tokens) if token not in {*"CDHS ,"}]
    sides = []
    for at, token in enumerate(tokens):
        if token in {*"CDHS"}:
            near = [to for to in (at - 1, at + 1) if to in ranks]
            before, after = at - 1, at + 1
            while before >= 0 and tokens[before] == " ":
                before -= 1
            while after < len(tokens) and tokens[after] == " ":
                after += 1
            sides.append([(to, token) for to in near or [to for to in (before, after) if to in ranks]])
    return {
        tuple(tokens[at] + dict(chosen).get(at, "") for at in ranks)
        for chosen in product(*sides)
        if len(dict(chosen)) == len(chosen)
    }


@given(st.text("A25J10K10CDHS  ,", max_size=9))
@example("5H5")
@example("H5SJ")
@example("5 H 6")
@example("JACK")
@example("JACKS")
def test_nothing_is_read_that_could_be_read_in_another_way(text: str) -> None:
    try:
        found = tuple(map(str, parse_cards(text)))
    except BadCard:
        return
    assert {found} == readings(text)


@given(
    st.text(max_size=12)
    | st.text("aA1057jJqKtTcdhsHS \u2665\ufe0f\u2660,-/'\"\U0001f0a1\uff15ofthe", max_size=16)
)
def test_any_text_is_cards_or_is_refused_in_a_sentence(text: str) -> None:
    said = ""
    try:
        cards = parse_cards(text)
    except BadCard as refused:
        cards, said = (), str(refused)
    assert said.isprintable()
    assert len(said) < 300
    assert parse_cards(" ".join(map(str, cards))) == cards
