"""A game from outside: what is legal can be played to the end, what isn't changes nothing, and all of it is
in the record."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

import cribpi
from cribpi import Card, Game, ParseError, RuleError, Rules, errors, events
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.game.state import Phase

NAMES = ("ANN", "BOB", "CAT", "DAN")

RULES = [
    cribpi.rules("standard", 2),
    cribpi.rules("acc", 2),
    cribpi.rules("use-and-care", 2),
    cribpi.rules("lowe", 3, miscount="muggins"),
    cribpi.rules("standard", 4, heels_deadline="first-card", miscount="lost"),
]


def some_act(game: Game, chance: Random) -> events.Event:
    """Return an act of a seat, legal or not."""
    seat, cards = chance.randrange(game.state.players), tuple(chance.sample(PACK, 2))
    acts: list[events.Event] = [
        events.CardPlayed(seat, cards[0]),
        events.GoSaid(seat),
        events.Discarded(seat, cards[: game.state.rules.sizes.discarded]),
        events.StarterTurned(cards[0]),
        events.HandShown(seat, SuitClaim(5)),
        events.HeelsTaken(),
        events.CribShown(),
        events.CardCut(seat, chance.choice((*filter(None, game.state.cuts), *cards))),
        events.MugginsCalled(chance.randrange(2), chance.randrange(2), chance.randint(1, 4)),
    ]
    return chance.choice(acts)


def try_some_act(game: Game, chance: Random) -> None:
    """Only what is legal is accepted; what isn't changes nothing."""
    act, before = some_act(game, chance), (game.state, game.events)
    legal = game.legal()
    with suppress(RuleError):
        game.play(act)
        if not isinstance(act, events.Discarded):  # in any order
            assert act in legal
        game.undo()
    assert (game.state, game.events) == before


def check_record(game: Game) -> None:
    (read,) = cribpi.read_record(game.record())
    assert (read.state, read.events, read.record()) == (game.state, game.events, game.record())


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_random_games_that_the_library_deals(rules: Rules) -> None:
    chance, game = Random(rules.players), Game(NAMES[: rules.players], rules, seed=rules.name)
    phases = set[Phase]()
    while game.state.winner is None:
        phases.add(game.state.phase)
        try_some_act(game, chance)
        game.play(chance.choice(game.legal()))
    assert game.legal() == ()
    by_players = {Phase.SHOW, Phase.CRIB} if rules.miscount != "machine" else set()
    assert phases == {Phase.DEAL, Phase.PLAY} | by_players
    check_record(game)


@pytest.mark.parametrize("are_known", [True, False])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_random_games_whose_cards_the_caller_gives(rules: Rules, *, are_known: bool) -> None:
    chance, game = Random(rules.players), Game(NAMES[: rules.players], rules)
    while game.state.winner is None:
        deal = game.state.deal
        if are_known and deal is not None and game.state.phase is Phase.DEAL and not any(deal.dealt):
            cards, size = chance.sample(PACK, 52), rules.sizes.dealt
            for seat in range(rules.players):
                game.play(events.HandDealt(seat, tuple(cards[seat * size : (seat + 1) * size])))
        try_some_act(game, chance)
        game.play(chance.choice(game.legal()))
    check_record(game)


def test_points_that_a_player_misses_can_be_called_by_the_others() -> None:
    game, chance = Game(NAMES[:3], cribpi.rules("lowe", 3, miscount="muggins"), seed=2, dealer=0), Random(1)
    while game.state.phase is not Phase.SHOW:
        game.play(chance.choice(game.legal()))
    game.play(next(act for act in game.legal() if isinstance(act, events.HandShown) and act.points == 0))
    worth = game.state.shows[-1].points
    calls = [act for act in game.legal() if isinstance(act, events.MugginsCalled)]
    assert calls == [events.MugginsCalled(side, 1, points + 1) for side in (0, 2) for points in range(worth)]
    game.play(calls[-1])
    assert not any(isinstance(act, events.MugginsCalled) for act in game.legal())


def test_an_act_brings_what_follows_by_itself_and_undo_takes_both_back() -> None:
    game = Game(["ANN", "BOB"], seed=7, dealer=0)
    assert [type(event) for event in game.events] == [events.GameStarted, events.PackShuffled]
    game.play(game.legal()[0])
    before = game.state
    last = next(act for act in game.legal() if isinstance(act, events.Discarded))
    happened = game.play(last)
    assert [type(event) for event in happened] == [events.Discarded, events.StarterTurned]
    after = game.state
    game.undo()
    assert game.state is before
    game.play(last)
    assert game.state == after
    game.undo()
    game.undo()
    with pytest.raises(RuleError, match="nothing has been played yet"):
        game.undo()


def test_a_misdeal_brings_other_cards() -> None:
    game = Game(["ANN", "BOB"], seed=7, dealer=0)
    game.play(game.legal()[0])
    _, again = game.play("misdeal")
    assert isinstance(again, events.PackShuffled)
    assert again != game.events[1]


def test_a_seed_draws_the_dealer_and_without_one_the_seats_cut() -> None:
    dealers = {Game(["ANN", "BOB"], seed=seed).state.first_dealer for seed in range(9)}
    assert dealers == {0, 1}
    cut = Game(["ANN", "BOB"]).legal()
    assert events.CardCut(0, Card.parse("AS")) in cut
    assert events.DealerChosen(1) in cut


def test_an_act_is_a_line_of_a_record_or_in_the_play_a_card() -> None:
    game = Game(["ANN", "BOB"], dealer=0)
    for line in ("dealt 1 5H KH 7H 8C 8D KS", "laid-away 1 5H KH", "starter 9S"):
        game.play(line)
    assert game.play("7h") == (events.CardPlayed(1, Card.parse("7H")),)
    game.undo()
    assert game.play(Card.parse("7H")) == (events.CardPlayed(1, Card.parse("7H")),)
    with pytest.raises(TypeError, match=r"None is not an act: give one of legal\(\)"):
        game.play(None)  # type: ignore[arg-type]
    game.play("8S")
    assert game.play("play 1:8C") == game.events[-1:]
    assert game.state.scores() == (2, 2)
    assert game.sight(1).hand == (Card.parse("8D"), Card.parse("KS"))


REFUSED = [
    # act               the error    what is said
    ("play", ParseError, "a play needs at least one SEAT:CARD"),
    ("7X", ParseError, "'7X' is not a card"),
    ("dance 1", ParseError, "'dance' begins no line of a record: lines begin with game names"),
    ("", ParseError, "is not a single event"),
    ("show 1", RuleError, "not the time for a hand's show: play a card, or say go"),
    ("play 0:7", RuleError, "BOB"),
    ("play 5:7", RuleError, "there is no seat 5: seats are 0 to 1"),
    ('game "ANN" "BOB"', RuleError, "make another Game for the next one"),
]


@pytest.mark.parametrize(("act", "error", "words"), REFUSED)
def test_a_wrong_act_is_refused_with_its_remedy_and_changes_nothing(
    act: str, error: type[ValueError], words: str
) -> None:
    game = Game(["ANN", "BOB"], dealer=0)
    game.play("starter 9S")
    before = game.events
    with pytest.raises(error, match=words):
        game.play(act)
    assert game.events == before


def test_games_that_cannot_begin_are_refused() -> None:
    for names, rules, words in (
        (["ANN"], "standard", "standard is not for 1 player: choose 2, 3 or 4 players"),
        (["ANN", "BOB", "CAT"], "acc", "acc is not for 3 players: choose 2 players"),
        (["ANN", "ANN"], "standard", "must all be different"),
        (["ANN", "Ann"], "standard", "look too much alike"),
        (["ANN", "BOB"], "hoyle", "choose one of standard"),
    ):
        with pytest.raises(RuleError, match=words):
            Game(names, rules)
    with pytest.raises(ParseError, match="give a list of them"):
        Game("ANN")
    with pytest.raises(RuleError, match="there is no seat 2"):
        Game(["ANN", "BOB"], dealer=2)
    with pytest.raises(RuleError, match="there is no seat 2"):
        Game(["ANN", "BOB"]).sight(2)


def test_a_record_of_two_games_is_two_games_that_go_on() -> None:
    first, second = Game(["ANN", "BOB"], dealer=0), Game(["CAT", "DAN", "EVE"], dealer=1)
    first.play("starter JS")
    _, _, more = second.record().partition("\n")
    two = cribpi.read_record(f"{first.record()}# a remark\n{more}")
    assert [game.state for game in two] == [first.state, second.state]
    assert repr(two[0]) == "<Game ANN 2, BOB 0: play>"
    two[0].play("7H")
    assert cribpi.read_record("cribpi record 1\n") == ()
    two[0].undo()
    assert two[0].state == first.state


def test_a_record_that_is_wrong_names_line_and_column() -> None:
    with pytest.raises(errors.RecordError, match="line 4, column 10: there is no seat 7"):
        cribpi.read_record('cribpi record 1\ngame "ANN" "BOB" dealer=0\nstarter 5\nplay 1:7 7:7\n')
    with pytest.raises(errors.RecordError, match="line 2, column 1: no game has begun"):
        cribpi.read_record("cribpi record 1\nstarter 5\n")
    with pytest.raises(ParseError, match="line 1, column 1: a record begins with the line"):
        cribpi.read_record("a game")


def test_points_that_people_peg_are_played_and_not_listed() -> None:
    (game,) = cribpi.read_record('cribpi record 1\ngame "ANN" "BOB" entry=peg dealer=0\n')
    assert game.legal() == ()
    game.play("next")
    game.play("next")
    game.play("peg 1 2")
    assert game.state.scores() == (0, 2)


@pytest.mark.parametrize("copied", [Game.copy, copy.copy, copy.deepcopy])
def test_a_copy_is_equal_and_goes_its_own_way(copied: Callable[[Game], Game]) -> None:
    game = Game(["ANN", "BOB"], seed=7, dealer=0)
    for _ in range(5):
        game.play(game.legal()[0])
    (read,) = cribpi.read_record(game.record())
    for one in (game, read):
        other, before = copied(one), (one.state, one.events, one.record())
        assert other == one
        assert hash(other) == hash(one)
        assert len({other, one}) == 1
        other.undo()
        assert other != one
        assert (one.state, one.events, one.record()) == before
        other.play(game.events[-1])
        assert (other, other.state, other.record()) == (one, *before[::2])
    assert game != game.record()


def test_a_copy_is_dealt_the_same_cards() -> None:
    game = Game(["ANN", "BOB"], seed=7)
    other = game.copy()
    while game.state.winner is None:
        for one in (game, other):
            one.play(one.legal()[-1])
    assert other == game


def test_pickled_it_is_equal() -> None:
    game = Game(["ANN", "BOB"], seed=7)
    assert pickle.loads(pickle.dumps(game)) == game  # noqa: S301  our own


def test_an_act_is_read_as_people_type_it() -> None:
    game = Game(["ANN", "BOB"], dealer=0)
    for line in ("DEALT 1 5H 10C 7D JS KH 2S", "Laid-Away 1 KH JS", "dealt 0 AH AC AD AS 2D 3C"):
        game.play(line)
    game.play("laid-away 0 AH AC")
    game.play("STARTER 9S")
    (played,) = game.play("t♣")
    assert played == events.CardPlayed(1, Card.parse("10C"))
    with pytest.raises(RuleError, match="can't say go"):
        game.play("Go")
    with pytest.raises(ParseError, match="'FOO' is not a card"):
        game.play("FOO")


def test_what_is_no_seat_and_no_cards_is_said_in_a_sentence() -> None:
    game = Game(["ANN", "BOB"], seed=7)
    with pytest.raises(TypeError, match="'ANN' is not a seat: give its number, from 0"):
        game.sight("ANN")  # type: ignore[arg-type]
    for cards in (None, b"7H 8C 8D KS"):
        with pytest.raises(TypeError, match="is not cards: give them as text, such as '7H 8C'"):
            cribpi.score(cards)  # type: ignore[arg-type]
