"""Each level discards and plays legally, knows what it should, and errs as often as it says."""

from __future__ import annotations

import logging
import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from statistics import correlation

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import pages
from support.greedy_games import greedy_game

from cribpi.cribbage.analysis import tables
from cribpi.cribbage.analysis.discard.ways import ways
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.deal import Go, Played
from cribpi.cribbage.game.events import CardPlayed, Discarded, GameStarted
from cribpi.cribbage.game.play import score_play
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.sight import SeatSight, sight_of
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.players.expert import Expert, card_values
from cribpi.cribbage.players.fallback import WithFallback, reason, with_fallback
from cribpi.cribbage.players.fallible import BEGINNER, EASY, MEDIUM, STRONG, Fallible, MistakeRates, crib_gain
from cribpi.cribbage.players.games import next_event
from cribpi.cribbage.players.levels import opponent, read_level
from cribpi.cribbage.players.opponent import (
    RATE,
    Careless,
    Greedy,
    Opponent,
    WithTables,
    keepings,
    may_discard,
    rng_for,
    scores_now,
)
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import Rules, preset
from cribpi.cribbage.words import worth
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.levels import BY_NAME, CARELESS_NAMES, OFFERED
from cribpi.cribbage.words.levels import NAMES as LEVELS

ALL_PRESETS = tuple(
    preset(name, players) for name in rulebook().presets for players in find_preset(name).players
)


def before_the_discard(hand: tuple[Card, ...], rules: Rules | None = None, seat: int = 0) -> SeatSight:
    rules = rules or Rules()
    return SeatSight(rules, seat, 0, (0,) * seats.sides(rules.players), hand)


def to_play(hand: str, pile: str = "", rules: Rules | None = None, *, by: str = "") -> SeatSight:
    """Return what seat 0 sees, with *hand*, over *pile*, which the seats of *by* played; else the other
    did."""
    cards = parse_cards(pile)
    plays = tuple(Played(int(seat), card) for seat, card in zip(by or "1" * len(cards), cards, strict=True))
    return SeatSight(
        rules or Rules(),
        0,
        1,
        (0, 0),
        parse_cards(hand),
        starter=Card.parse("QD"),
        plays=plays,
        pile=cards,
        turn=0,
    )


def any_hand(chance: Random, players: int) -> tuple[Card, ...]:
    return tuple(chance.sample(PACK, seats.usual(players).dealt))


# --- the levels -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", ALL_PRESETS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_each_level_lays_away_so_many_cards_of_its_hand_as_the_rules_say(level: str, rules: Rules) -> None:
    chance = Random(f"{level} {rules.name}")
    one = opponent(level, chance=chance)
    for seat in range(rules.players):
        sight = before_the_discard(tuple(chance.sample(PACK, rules.sizes.dealt)), rules, seat)
        assert may_discard(sight, one.discard(sight))


@pytest.mark.parametrize("level", [*LEVELS, *CARELESS_NAMES])
def test_the_same_chance_gives_the_same_answers(level: str) -> None:
    hands = [any_hand(Random(seed), 2) for seed in range(30)]
    answers = []
    for _ in range(2):
        one = opponent(level, chance=Random("same"))
        answers.append([one.discard(before_the_discard(hand)) for hand in hands])
    assert answers[0] == answers[1]


@pytest.mark.parametrize("players", seats.PLAYERS)
@pytest.mark.parametrize("level", [*LEVELS, *CARELESS_NAMES])
def test_the_same_sight_gives_the_same_cards_whatever_was_decided_before(level: str, players: int) -> None:
    """As after an undo: the second opponent has the same seed, and another past."""
    straight, with_a_past = (opponent(level, chance=Random(1)) for _ in range(2))
    sights = list(sights_of_a_deal(players, 0))
    first = [decided(straight, sight) for sight in sights]
    assert [decided(with_a_past, sight) for sight in sights[::-1]] == first[::-1]


def test_other_sights_other_seeds_and_other_purposes_are_drawn_for_apart() -> None:
    sight = to_play("2C 9D KS", "9H 7D 6S", by="101")
    others = [
        replace(sight, hand=parse_cards("2D 9D KS")),
        replace(sight, discards=parse_cards("4C 4D")),
        replace(sight, starter=None),
        replace(sight, scores=(0, 1)),
        replace(sight, dealer=0),
        replace(sight, seat=1),
        replace(sight, plays=sight.plays[:2]),
        replace(sight, goes=(Go(1, 30, 2),)),
        replace(sight, out=(1,)),
    ]
    drawn = [rng_for(1, one).random() for one in (sight, *others)]
    drawn += [rng_for(2, sight).random(), rng_for(1, sight, "slip").random()]
    assert len(set(drawn)) == len(drawn) == 12
    assert rng_for(1, replace(sight)).random() == drawn[0]


def test_what_is_drawn_is_the_same_in_every_version_and_after_a_restart() -> None:
    """Examples on the pages, and a game that goes on after an upgrade, hang on it."""
    assert [rng_for(1, to_play("2C 9D KS", "9H 7D 6S")).randrange(1000) for _ in range(2)] == [14] * 2


def decided(one: Opponent, sight: SeatSight) -> tuple[Card, ...]:
    return one.discard(sight) if sight.starter is None else (one.play(sight),)


def sights_of_a_deal(players: int, seed: int) -> Iterator[SeatSight]:
    """Give what is seen in one deal where there is something to decide."""
    rules, chance = preset("standard", players), Random(seed)
    pack = chance.sample(PACK, len(PACK))
    state = step(NEW_TABLE, GameStarted(tuple("ABCD"[:players]), rules, dealer=seed % players))
    thrifty = [Greedy()] * players
    while state.phase in {Phase.DEAL, Phase.STARTER, Phase.PLAY}:
        event = next_event(state, thrifty, pack)
        if isinstance(event, Discarded | CardPlayed):
            sight = sight_of(state, event.seat)
            if sight.starter is None or len({card.rank for card in sight.playable}) > 1:
                yield sight
        state = step(state, event)


def test_an_unknown_level_is_refused_with_a_sentence_that_names_those_there_are() -> None:
    with pytest.raises(
        UserError,
        match="'genius' is not known: choose one of chance, beginner, easy, medium, thrifty, strong, solid",
    ):
        opponent("genius", chance=Random(1))
    with pytest.raises(UserError, match="the level '' is not known"):
        read_level("-errs")


@pytest.mark.parametrize("level", sorted({*LEVELS} - {"chance", "thrifty", "solid"}))
def test_no_other_level_may_be_careless(level: str) -> None:
    with pytest.raises(UserError, match=f"{level} is never careless: leave out -errs, or choose chance"):
        opponent(f"{level}-errs", chance=Random(1))
    with pytest.raises(UserError, match=f"{level} is never careless"):
        read_level(f"{level}-errs")


def test_without_reading_expert_plays_alike_whatever_it_has_seen() -> None:
    state = NEW_TABLE
    for event in greedy_game(5, ("SEAT 0", "SEAT 1")):
        if state.past and state.deal and state.deal.turn == 1 and len(sight_of(state, 1).playable) > 1:
            break
        state = step(state, event)
    sight = sight_of(state, 1)
    stranger = replace(sight, past=())
    plain = opponent("expert-no-reading", chance=Random(1))
    assert isinstance(plain, WithTables)
    assert isinstance(plain.opponent, Expert)
    assert not plain.opponent.reads
    assert plain.play(sight) == plain.play(stranger)
    assert card_values(sight) != card_values(stranger)
    with pytest.raises(UserError, match="solid never reads its opponent"):
        read_level("solid-no-reading")


@pytest.mark.parametrize(
    "level", ["chance-errs", "thrifty-errs", *(level for level in LEVELS if not BY_NAME[level].loads)]
)
def test_levels_that_load_nothing_need_no_numpy(level: str) -> None:
    program = (
        "import sys\nfrom random import Random\nfrom cribpi.cribbage.rules.rules import preset\n"
        "from cribpi.cribbage.game.cards import PACK\nfrom cribpi.cribbage.players.games import game\n"
        "from cribpi.cribbage.players.levels import opponent\n"
        f"two = [opponent('{level}', chance=Random(1)) for _ in range(2)]\n"
        "list(game(two, preset('standard'), lambda deal: PACK))\n"
        "assert 'numpy' not in sys.modules, 'numpy is loaded'\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_pages_have_each_level_how_often_it_errs_and_how_strong_it_is() -> None:
    text = pages.read(pages.DOCS / "reference" / "opponents.md")
    levels = pages.rows(text.split("## How often they err", maxsplit=1)[0])
    assert [row[0].strip("`") for row in levels] == list(LEVELS)
    rates = [row[1:] for row in pages.rows(pages.section(text, "## How often they err"))]
    by_level = [astuple(one(1).rates) for one in (BEGINNER, EASY, MEDIUM, STRONG)]
    assert rates == [
        [f"{rate:.0%}".replace("%", " %") for rate in row] for row in zip(*by_level, strict=True)
    ]
    text = pages.read(pages.DOCS / "reference" / "arena.md")
    strengths = pages.rows(pages.section(text, "## How strong they are").split("Points per deal")[0])
    ladder = [row for row in strengths if row[4] == "2"][: len(OFFERED) - 1]
    offered = [f"`{level.name}`" for level in OFFERED]
    assert [(below, above) for above, below, *_ in ladder] == list(pairwise(offered))
    won = [float(row[2].removesuffix(" %")) for row in ladder]
    steps = [f"{400 * math.log10(rate / (100 - rate)):.0f}" for rate in won]
    assert f"that is {', '.join(steps[:-1])} and {steps[-1]} points of Elo" in text
    assert RATE == 1 / 10
    assert "overlook something in one decision out of ten" in text


# --- chance -----------------------------------------------------------------------------------------


def test_chance_lays_away_and_plays_anything_that_is_legal() -> None:
    games = [opponent("chance", chance=Random(seed)) for seed in range(600)]
    sight = before_the_discard(parse_cards("5H 6C 7D JS QS KH"))
    assert len({frozenset(one.discard(sight)) for one in games}) == 15
    sight = to_play("2C 9D KS", "9H 7D 6S")
    assert {str(one.play(sight)) for one in games[:100]} == {"2C", "9D"}


# --- thrifty ----------------------------------------------------------------------------------------


@given(
    st.randoms(use_true_random=False),
    st.sampled_from([*map(partial(preset, "standard"), seats.PLAYERS), preset("five-card")]),
)
def test_what_is_kept_is_worth_the_mean_over_every_starter(chance: Random, rules: Rules) -> None:
    hand = tuple(chance.sample(PACK, rules.sizes.dealt))
    ways = keepings(before_the_discard(hand, rules))
    many = {"six": 15, "five-and-pack": 5, "five": 5, "five-card": 10}
    assert len({frozenset(way.kept) for way in ways}) == len(ways) == many[rules.deal]
    assert [way.points for way in ways] == sorted((way.points for way in ways), reverse=True)
    starters = [card for card in PACK if card not in hand]
    for way in ways:
        assert set(way.kept) | set(way.away) == set(hand)
        assert way.points == sum(worth.hand_points(way.kept, starter) for starter in starters)
        assert way.starters == len(starters)


@pytest.mark.parametrize(
    ("hand", "away", "why"),
    [
        ("5C 5D 5S JH 2C 9D", "2C 9D", "twelve and more"),
        ("2H 6H 9H KH 8C 4D", "8C 4D", "a flush of four is worth more than two fifteens"),
        ("AC 4D 6S 8H QC KD", "6S 8H", "two fifteens"),
        ("4 5 6 J K 2", "K 2", "without suits the ranks are counted alone"),
        ("7C 7D 7S 7H AC 2D", "AC 2D", "four of a rank: no starter is a fifth"),
    ],
)
def test_thrifty_keeps_what_is_worth_most(hand: str, away: str, why: str) -> None:
    cards = Greedy().discard(before_the_discard(parse_cards(hand)))
    assert set(cards) == set(parse_cards(away)), why


def test_of_equals_thrifty_lays_away_the_higher() -> None:
    cards = Greedy().discard(before_the_discard(parse_cards("9C 9D 9S 9H KC AD"), Rules()))
    assert set(cards) == set(parse_cards("KC AD"))
    best, second, *_ = keepings(before_the_discard(parse_cards("2C 4D 6S 8H 10C QD")))
    assert best.points > second.points or sum(c.rank for c in best.away) >= sum(c.rank for c in second.away)


@pytest.mark.parametrize(
    ("hand", "pile", "card", "why"),
    [
        ("5C 8D KS", "10H", "5C", "fifteen"),
        ("7C 8D", "7H", "8D", "fifteen and a pair are 2 each: of equals the higher"),
        ("3C 4D KS", "5H", "KS", "fifteen, and the highest"),
        ("4C KD", "2H 3D", "4C", "a run of three"),
        ("AC 2D KS", "", "KS", "nothing pegs: the highest"),
        ("8C AC", "KH QD", "8C", "thirty-one is out of reach: the highest that fits"),
        ("AC 2D 6S", "KH QD 5S", "6S", "thirty-one"),
    ],
)
def test_thrifty_plays_what_pegs_most_now(hand: str, pile: str, card: str, why: str) -> None:
    assert Greedy().play(to_play(hand, pile)) == Card.parse(card), why


def test_a_pair_over_ones_own_card_pegs_nothing_where_the_rules_say_so() -> None:
    for name, points in (("standard", 2), ("lowe", 0)):
        sight = to_play("KC 2D", "KD", preset(name), by="0")
        assert total(scores_now(sight, Card.parse("KC"))) == points
    assert total(scores_now(to_play("KC 2D", "KD", preset("lowe")), Card.parse("KC"))) == 2


# --- to err -----------------------------------------------------------------------------------------


def test_who_errs_overlooks_a_combination_now_and_then_and_still_does_what_is_legal() -> None:
    chance, thrifty = Random(2), Greedy()
    one = Careless(thrifty, 2)
    differing = 0
    for _ in range(2000):
        sight = before_the_discard(any_hand(chance, 2))
        away = one.discard(sight)
        assert may_discard(sight, away)
        differing += away != thrifty.discard(sight)
    assert 0.2 * RATE < differing / 2000 <= 1.3 * RATE


def test_who_errs_plays_the_second_best_so_often_as_it_says() -> None:
    games = [Careless(Greedy(), seed) for seed in range(4000)]
    sight = to_play("5C 8D KS", "10H")
    cards = [one.play(sight) for one in games]
    assert set(map(str, cards)) == {"5C", "KS"}
    assert cards.count(Card.parse("KS")) / 4000 == pytest.approx(RATE, rel=0.2)
    assert {one.play(to_play("5C KS", "9H 7D 6S")) for one in games[:100]} == {Card.parse("5C")}, (
        "no choice, no error"
    )


def test_an_overlooked_combination_leads_to_what_then_seems_best() -> None:
    sight = before_the_discard(parse_cards("AC 4D 6S 8H QC KD"))
    always = {Careless(Greedy(), seed, rate=1).discard(sight) for seed in range(20)}
    assert always == {parse_cards("QC KD")}, "one of two fifteens is not seen, and another hand seems better"
    assert Greedy().discard(sight) == parse_cards("6S 8H")
    assert Careless(Greedy(), 1, rate=0).discard(sight) == Greedy().discard(sight)


# --- slips ------------------------------------------------------------------------------------------


def slipping(seed: int = 1, **slips: float) -> Fallible:
    return Fallible(MistakeRates(**slips), seed)


def kept_by(one: Opponent, hand: str, dealer: int = 0) -> str:
    sight = replace(before_the_discard(parse_cards(hand)), dealer=dealer)
    away = one.discard(sight)
    return " ".join(str(card) for card in sight.hand if card not in away)


def test_each_level_errs_less_than_the_one_below() -> None:
    rates = [astuple(level(1).rates) for level in (BEGINNER, EASY, MEDIUM, STRONG)]
    for below, above in pairwise(rates):
        assert below > above
        assert all(more >= less for more, less in zip(below, above, strict=True))
    assert all(0 <= rate <= 1 for rate in chain(*rates))


@pytest.mark.parametrize("players", seats.PLAYERS)
def test_without_slips_it_plays_what_pegs_most_less_what_the_next_may_peg(players: int) -> None:
    """Counted anew, card by card of the pack."""
    for sight in chain(*(sights_of_a_deal(players, seed) for seed in range(8))):
        if sight.starter is None:
            continue
        worth = {card: worth_naively(sight, card) for card in sight.playable}
        assert worth[slipping().play(sight)] == pytest.approx(max(worth.values()))


def worth_naively(sight: SeatSight, card: Card) -> float:
    unseen, after = [one for one in PACK if one not in sight.seen], (sight.seat + 1) % sight.players
    fits = [one for one in unseen if sight.count + card.rank.pips + one.rank.pips <= 31]
    feared = [total(score_play((*sight.pile, card, one))) for one in fits]
    may_answer = 0 if after in sight.out else sight.cards_left(after)
    return total(scores_now(sight, card)) - sum(feared) * may_answer / len(unseen)


def test_the_worth_of_a_discard_in_the_crib_follows_the_shipped_table() -> None:
    hands = [any_hand(Random(seed), 2) for seed in range(60)]
    for own_crib in (True, False):
        both = [(crib_gain(way.away), way.crib) for hand in hands for way in ways(hand, own_crib=own_crib)]
        assert correlation(*zip(*both, strict=True)) > 0.88
    assert crib_gain(parse_cards("5C")) > crib_gain(parse_cards("4C")) == 0


def test_who_overlooks_what_it_holds_breaks_it_up() -> None:
    hand = "7C 7D 8S 8H 2C KD"
    assert kept_by(slipping(), hand) == "7C 7D 8S 8H"
    assert kept_by(slipping(hand=1), hand) != "7C 7D 8S 8H"
    kept = [kept_by(slipping(seed, hand=0.5), hand) for seed in range(200)]
    assert 0.5 < kept.count("7C 7D 8S 8H") / 200 < 0.95, "it sees half of it, which mostly is enough"


def test_who_forgets_whose_crib_it_is_discards_as_for_the_other() -> None:
    for seed in range(100):
        hand = " ".join(map(str, any_hand(Random(seed), 2)))
        for dealer in (0, 1):
            assert kept_by(slipping(crib=1), hand, dealer) == kept_by(slipping(), hand, 1 - dealer)
    assert kept_by(slipping(), "5C 5D 2H 8S 9C KD", dealer=1).startswith("5C 5D")
    assert kept_by(slipping(crib=1), "3C 3D 6H 7S 8C 9D", dealer=1) == "6H 7S 8C 9D"


def test_a_five_is_led_as_often_as_the_row_says() -> None:
    sight = to_play("5C 4D KS 9H")
    assert slipping().play(sight) == Card.parse("4D")
    led = [slipping(seed, five=0.3).play(sight) for seed in range(4000)]
    assert led.count(Card.parse("5C")) / 4000 == pytest.approx(0.3, rel=0.2)
    assert slipping(five=1).play(to_play("5C 4D", "AC")) == slipping().play(to_play("5C 4D", "AC"))


@pytest.mark.parametrize(
    ("hand", "pile", "taken"),
    [("5C JD", "KH", "5C"), ("9C KD", "9H", "9C"), ("3C QD", "4H 5D", "3C"), ("6S 4C", "KH QD 5S", "6S")],
)
def test_who_overlooks_a_fifteen_a_pair_a_run_or_the_thirty_one_plays_on(
    hand: str, pile: str, taken: str
) -> None:
    sight = to_play(hand, pile)
    assert slipping().play(sight) == Card.parse(taken)
    assert slipping(points=1).play(sight) == sight.playable[1]
    assert slipping(points=1).play(to_play(taken, pile)) == Card.parse(taken), "it has no other"


def test_who_does_not_look_ahead_plays_as_thrifty() -> None:
    for sight in sights_of_a_deal(2, 3):
        if sight.starter is not None:
            assert slipping(reply=1).play(sight) == Greedy().play(sight)
    assert slipping().play(to_play("JC 4D")) == Card.parse("4D")
    assert slipping(reply=1).play(to_play("JC 4D")) == Card.parse("JC")


# --- failures ---------------------------------------------------------------------------------------


@dataclass
class Failing:
    """An opponent that raises, or answers with what cannot be."""

    away: tuple[Card, ...] | None = None
    card: Card | None = None

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        del sight
        if self.away is None:
            raise ZeroDivisionError("no cards to divide by")
        return self.away

    def play(self, sight: SeatSight) -> Card:
        del sight
        if self.card is None:
            raise KeyError("no such card")
        return self.card


HAND = "5C 5D 5S JH 2C 9D"


@pytest.mark.parametrize(
    ("failing", "reason", "logged"),
    [
        (Failing(), "ZeroDivisionError: no cards to divide by", ""),
        (Failing(away=()), "it chose an impossible discard", "; it was nothing of 5C"),
        (Failing(away=parse_cards("2C 2C")), "it chose an impossible discard", "; it was 2C 2C of 5C"),
        (Failing(away=parse_cards("2C AS")), "it chose an impossible discard", "; it was 2C AS of 5C"),
        (Failing(away=parse_cards("2C 9D JH")), "it chose an impossible discard", "; it was 2C 9D JH of 5C"),
    ],
)
def test_an_opponent_that_fails_at_laying_away_hands_its_seat_to_thrifty(
    failing: Opponent, reason: str, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    one = WithFallback("expert", failing)
    with caplog.at_level(logging.WARNING):
        assert one.discard(before_the_discard(parse_cards(HAND))) == parse_cards("2C 9D")
        one.discard(before_the_discard(parse_cards(HAND)))
    assert one.trouble is not None
    assert one.trouble == f"expert failed in seat 0 ({reason}): thrifty plays on in its place"
    assert len(caplog.messages) == 1, "it is said once"
    assert caplog.messages[0].startswith(one.trouble + logged)


@pytest.mark.parametrize("card", [None, "KS", "5C"])
def test_an_opponent_that_fails_at_the_play_hands_its_seat_to_thrifty(card: str | None) -> None:
    one = WithFallback("solid", Failing(card=Card.parse(card) if card else None))
    sight = to_play("2C 9D KS", "9H 7D 6S")
    assert one.play(sight) == Card.parse("9D")
    assert one.trouble is not None
    assert "solid failed" in one.trouble
    assert one.play(sight) == Card.parse("9D")


def test_what_does_not_fail_is_let_be() -> None:
    one = WithFallback("thrifty", Greedy())
    one.discard(before_the_discard(parse_cards(HAND)))
    one.play(to_play("2C 9D KS", "9H 7D 6S"))
    assert one.trouble is None


def test_an_opponent_that_cannot_even_be_made_is_thrifty() -> None:
    def make() -> Opponent:
        raise FileNotFoundError("the table is missing")

    one = with_fallback("expert", make)
    assert (
        one.trouble
        == "expert cannot play (FileNotFoundError: the table is missing): thrifty plays in its place"
    )
    assert one.play(to_play("2C 9D KS", "9H 7D 6S")) == Card.parse("9D")


def test_an_error_of_pages_is_told_in_a_line() -> None:
    """As NumPy's is, where a library that it needs is not on the machine."""
    pages_of_it = ImportError("\n\nIMPORTANT: PLEASE READ THIS\n\n" + "Importing failed. " * 99)

    def make() -> Opponent:
        raise pages_of_it from ImportError("libopenblas.so.0: cannot open shared object file")

    told = with_fallback("solid", make).trouble
    assert told == (
        "solid cannot play (ImportError: libopenblas.so.0: cannot open shared object file): "
        "thrifty plays in its place"
    )
    pages_of_it.__cause__ = None
    assert len(reason(pages_of_it)) < 250
    assert "\n" not in reason(pages_of_it)


def test_a_table_that_is_missing_is_told_in_its_own_words() -> None:
    def make() -> Opponent:
        tables.read(Path("nowhere/laying-away-2.npz"))
        raise AssertionError

    told = with_fallback("solid", make).trouble or ""
    assert told.startswith(
        "solid cannot play (the table laying-away-2 cannot be used: it is missing; make it again"
    )
    assert reason(tables.TablesError("whole " * 99)) == "whole " * 99, "our sentences are not cut"


def test_ctrl_c_is_no_failure() -> None:
    class Stopped(Failing):
        def discard(self, sight: SeatSight) -> tuple[Card, ...]:
            del sight
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WithFallback("solid", Stopped()).discard(before_the_discard(parse_cards(HAND)))
