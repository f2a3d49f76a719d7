"""Keys where the rules of a preset, or of the house, ask for others than the standard game."""

from __future__ import annotations

import pytest
from support.presses import Model, choices, lit_keys, prompt
from support.refusals import refused

from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.input_state import Correct, FalseWin, InputState, MatchSoFar, Why
from cribpi.companion.entry.keys import RANKS, TWENTY
from cribpi.companion.entry.next_game import NextGame
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.rules.errors import ImpossiblePoints, RuleError, TooHigh, WrongPhase
from cribpi.cribbage.rules.rules import changed, preset

NAMES = ("ANN", "BOB", "CAT", "DAN")


def at(
    text: str, rules: str = "standard", players: int = 2, entry: Entry = Entry.CARDS, **house: str
) -> Model:
    """Return a table by *rules* with the changes of the *house* after the keys of *text*; ANN leads where two
    play."""
    model = Model()
    wanted = changed(preset(rules, players), house)
    start = events.GameStarted(NAMES[:players], wanted, entry, dealer=players - 1)
    model.events.append(start)
    model.states.append(fold([start]))
    model.press_all(text)
    return model


PLAY = "7 3 6 8 K GO GO 9 6 10 GO 10"
"""A deal of two with a seven turned up: ANN leads, and plays 3 8 9 10, which is worth six; BOB plays 6 K 6
10, worth two."""


def last(model: Model) -> Event:
    return model.events[-1]


# --- the first dealer -------------------------------------------------------------------------------


def cut(way: str, keys_pressed: str, players: int = 2) -> Model:
    model = Model()
    start = events.GameStarted(NAMES[:players], changed(preset("standard", players), {"first_dealer": way}))
    model.events.append(start)
    model.states.append(fold([start]))
    model.press_all(keys_pressed)
    return model


@pytest.mark.parametrize(
    ("way", "pressed", "players", "dealer"),
    [
        ("low-cut", "7 3", 2, 1),
        ("low-cut", "P1", 2, 0),
        ("low-cut", "OK", 2, 0),
        ("random", "OK", 3, 0),
        ("chosen", "P2", 2, 1),
        ("chosen", "4", 4, 3),
        ("chosen", "GO", 3, 2),
    ],
)
def test_who_deals_first_is_found_as_the_option_says(
    way: str, pressed: str, players: int, dealer: int
) -> None:
    deal = cut(way, pressed, players).state.deal
    assert deal is not None
    assert deal.dealer == dealer


@pytest.mark.parametrize(
    ("way", "key", "says"),
    [
        ("low-cut", "GO", "ANN cuts for the deal: press the rank. OK: Draw the first dealer"),
        ("random", "7", "The first dealer is drawn. OK: Draw the dealer"),
        ("random", "P1", "The first dealer is drawn. OK: Draw the dealer"),
        ("chosen", "OK", "Who deals first? Press a side's key"),
        ("chosen", "3", "Who deals first? Press a side's key"),
    ],
)
def test_another_way_to_find_the_dealer_is_refused(way: str, key: str, says: str) -> None:
    assert refused(WrongKey, cut, way, key) == says
    assert key not in lit_keys(cut(way, "").state, InputState())


# --- his heels --------------------------------------------------------------------------------------


def test_two_for_his_heels_is_taken_with_ok_before_the_dealer_plays() -> None:
    assert at("J 4 OK", "acc").state.scores() == (0, 2)
    assert isinstance(last(at("J 4 OK", "acc")), events.HeelsTaken)
    assert "OK" in lit_keys(at("J 4", "acc").state, InputState())
    assert "two for his heels" in prompt(at("J", "acc").state, InputState())


def test_two_for_his_heels_is_lost_with_the_dealers_first_card() -> None:
    model = at("J 4 5", "acc")
    assert model.state.scores() == (0, 0)
    assert refused(WrongKey, model.press, "OK") == "ANN to play: press the card"


def test_a_jack_is_worth_nothing_where_the_rules_have_no_heels() -> None:
    assert at("J", "computer-game").state.scores() == (0, 0)
    points = at("OK", "computer-game", entry=Entry.PEG)
    assert points.state.phase is Phase.PLAY, "there is no step for a jack"


# --- players count ----------------------------------------------------------------------------------

COUNTS = [
    # rules          keys      scores    event                                                  why
    ("acc", "6 OK", (6, 0), events.HandShown(0, SuitClaim(), 6), "right"),
    ("acc", "5 OK", (5, 0), events.HandShown(0, SuitClaim(), 5), "what is missed is lost"),
    ("acc", "K OK", (6, 0), events.HandShown(0, SuitClaim(), 13), "what is too much is not pegged"),
    ("acc", "GO", (0, 0), events.HandShown(0, SuitClaim(), 0), "nothing was counted"),
    ("acc", "10 4 OK", (6, 0), events.HandShown(0, SuitClaim(), 14), "amounts add up"),
    ("acc", "9 UNDO 6 OK", (6, 0), events.HandShown(0, SuitClaim(), 6), "UNDO takes an amount back"),
    ("acc-muggins", "4 OK", (4, 2), events.HandShown(0, SuitClaim(), 4), "muggins"),
    ("acc-muggins", "10 9 OK", (6, 0), events.HandShown(0, SuitClaim(), 19), "nineteen is an overclaim"),
    ("acc-muggins", "10 OK", (10, 0), events.HandShown(0, SuitClaim(4), 10), "six, and a flush"),
    ("acc-muggins", "FLNB 10 OK", (10, 0), events.HandShown(0, SuitClaim(4), 10), "with FLNB too"),
    (
        "acc-muggins",
        "FLNB 6 OK",
        (6, 4),
        events.HandShown(0, SuitClaim(4), 6),
        "a flush was there, and missed",
    ),
]


@pytest.mark.parametrize(("rules", "text", "scores", "event", "why"), COUNTS, ids=[row[4] for row in COUNTS])
def test_a_count_is_compared_with_the_truth(
    rules: str, text: str, scores: tuple[int, int], event: Event, why: str
) -> None:
    before = at(PLAY, rules)
    assert before.state.phase is Phase.SHOW
    model = at(f"{PLAY} {text}", rules)
    gained = tuple(a - b for a, b in zip(model.state.scores(), before.state.scores(), strict=True))
    assert (gained, last(model)) == (scores, event), why


@pytest.mark.parametrize(("rules", "key"), [("acc", "OK"), ("acc-muggins", "OK")])
def test_a_count_of_nothing_is_not_made_by_accident(rules: str, key: str) -> None:
    said = refused(WrongKey, at, f"{PLAY} {key}", rules)
    assert said == "ANN shows 3 8 9 10 with 7: type the count. GO: Nothing to peg, FLNB: Flush or his nobs"


def test_a_count_that_cannot_be_is_refused_without_muggins() -> None:
    said = refused(ImpossiblePoints, at, f"{PLAY} 10 9 OK", "acc")
    assert said == "no hand or crib counts 19: counts go from 0 to 29, but never 19, 25, 26 or 27"


def test_the_crib_is_counted_too() -> None:
    before = at(f"{PLAY} 6 OK 2 OK 5 5 4 A", "acc-muggins")
    model = at(f"{PLAY} 6 OK 2 OK 5 5 4 A 2 OK", "acc-muggins")
    assert isinstance(last(model), events.CribShown)
    assert model.state.scores()[1] == before.state.scores()[1] + 2
    assert model.state.scores()[0] > before.state.scores()[0], "BOB missed some of his crib"


def test_what_is_typed_and_the_total_are_not_given_away_before_the_count() -> None:
    model = at(PLAY, "acc-muggins")
    typed = at(f"{PLAY} 8", "acc-muggins")
    assert "OK: Peg 8 for ANN" in prompt(typed.state, typed.input_state)
    assert "6" not in prompt(model.state, model.saved).replace("6 K 6", "")


# --- muggins ----------------------------------------------------------------------------------------


def test_with_three_sides_who_called_first_takes_what_was_missed() -> None:
    model = at("2 4 5 6 4 5 6 7 8 9 10 J Q", "standard", 3, miscount="muggins")
    while model.state.phase is Phase.PLAY:
        model.press(
            "GO" if lit_keys(model.state, model.saved) == ("GO",) else lit_keys(model.state, model.saved)[0]
        )
    before = model.state.scores()
    model.press("GO")  # ANN counts nothing
    assert model.state.scores() == before
    model.press("P2")
    assert isinstance(model.input_state.dialog, Correct)
    assert model.input_state.dialog.muggins > 0
    model.press("OK")
    call = last(model)
    assert isinstance(call, events.MugginsCalled)
    assert (call.side, call.of, call.is_right) == (1, 0, True)
    assert model.state.scores()[1] == before[1] + call.points


def test_a_wrong_call_of_muggins_gives_its_points_away() -> None:
    model = at(f"{PLAY} 6 OK", "acc-muggins")
    before = model.state.scores()
    model.press_all("P2 3 P1 P1 OK")
    assert last(model) == events.MugginsCalled(1, 0, 2, is_right=False)
    assert model.state.scores() == (before[0] + 2, before[1])


FLUSH_ALONE = "5 10 Q A 4 6 9 8 2 4 OK"
"""BLUE has 10 A 6 8 and counts four of four: nothing can be missing but a flush, of four or of five."""


def test_what_cannot_be_missing_is_not_called_however_often_it_is_tried() -> None:
    model = at(FLUSH_ALONE, "acc-muggins")
    before = model.state.scores()
    model.press_all("P2 3")
    assert isinstance(model.input_state.dialog, Correct)
    assert model.input_state.dialog.muggins == 4
    by_ones = [("P2", 5), ("P2", 5), ("P1", 4), ("P1", -1), ("P1", -2)]
    by_tens = [("FLNB", -2), ("P2", 5), ("P1", -5), ("P1", -15), ("P2", -5), ("P2", 5)]
    for key, points in (*by_ones, *by_tens):
        model.press(key)
        assert model.input_state.dialog.muggins == points, key
    model.press("OK")
    assert model.state.scores() == (before[0], before[1] + 5)
    for _ in range(3):
        model.press_all("P2 3 OK")
        assert model.input_state.message == "no muggins: ANN missed nothing"
    assert model.state.scores() == (before[0], before[1] + 5)


def test_a_wrong_call_takes_a_key_of_its_own_and_is_made_once_a_count() -> None:
    model = at(FLUSH_ALONE, "acc-muggins")
    model.press_all("P2 3 OK")
    before = model.state.scores()
    model.press_all("P2 3 OK P2 3 OK")
    assert model.state.scores() == before, "the same keys again call nothing"
    model.press_all("P2 3 P1 OK")
    assert model.state.scores() == (before[0] + 1, before[1])
    model.press_all("P2 3 P1 OK")
    assert model.state.scores() == (before[0] + 1, before[1])
    said = refused(ImpossiblePoints, step, model.state, events.MugginsCalled(1, 0, 1, is_right=False))
    assert said == "BOB has already made a wrong call, and can't call again at this count"


@pytest.mark.parametrize(
    ("players", "entry", "text"),
    [
        (2, Entry.CARDS, FLUSH_ALONE),
        (3, Entry.CARDS, "5 10 10 A J 9 9 3 10 7 8 8 8 2 OK"),
        (2, Entry.PEG, "OK OK"),
        (3, Entry.PEG, "OK OK OK 8 OK"),
        (4, Entry.PEG, "OK OK OK 10 10 OK"),
    ],
)
@pytest.mark.parametrize(("step_by", "key"), [("", "P2"), ("", "P1"), ("FLNB", "P2"), ("FLNB", "P1")])
def test_every_call_of_muggins_that_the_keys_come_to_is_accepted(
    players: int, entry: Entry, text: str, step_by: str, key: str
) -> None:
    model = at(text, players=players, entry=entry, miscount="muggins")
    assert model.state.phase in {Phase.SHOW, Phase.PLAY}
    model.press_all(f"P2 3 {step_by}")
    for _ in range(40):
        assert "OK" in lit_keys(model.state, model.saved)
        model.press(key)
    assert "OK" in lit_keys(model.state, model.saved)


def test_muggins_is_no_line_where_the_rules_have_none() -> None:
    with pytest.raises(WrongKey):
        at("9 P1 4", "standard")
    assert isinstance(last(at("9 3 P1 3 OK", "standard")), events.Misdealt)


# --- corrections ------------------------------------------------------------------------------------


def test_a_misdeal_is_two_presses_and_ok_away_and_deals_again() -> None:
    model = at("J 3 5 P1 3 OK")
    assert model.state.scores() == (0, 0)
    assert model.state.phase is Phase.DEAL
    assert model.state.deal is not None
    assert model.state.deal.dealer == 1
    assert isinstance(last(at("J 3 MENU 3 OK")), events.Misdealt), "by way of the menu too"


def test_flnb_changes_a_score_by_tens() -> None:
    assert last(at("9 P1 FLNB P2 P2 FLNB P2 OK")) == events.ScorePutRight(0, 21)


def test_a_false_claim_of_the_game_costs_fifteen_by_the_rules_of_the_acc() -> None:
    model = at("9 P1 FLNB P2 P2 P2 OK P1 3 OK", "acc")
    assert last(model) == events.FalseWinRuled(0, 30)
    assert model.state.scores() == (15, 91)


def test_a_game_that_was_not_won_goes_on() -> None:
    model = at("9 P1 FLNB P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 OK")
    assert model.state.winner == 0
    model.press("P1")
    assert model.input_state.dialog == FalseWin(0, 0)
    model.press_all("FLNB P2 P2 FLNB P2 OK")
    assert last(model) == events.FalseWinRuled(0, 21)
    after = fold(model.events)
    assert (after.winner, after.phase, after.scores()) == (None, Phase.PLAY, (21, 0))
    said = refused(WrongKey, at, "9 P1 FLNB P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 OK P2")
    assert said == "ANN wins 121-0, a double skunk. OK: Rematch"


@pytest.mark.parametrize(
    ("key", "rule", "points"), [("OK", "2", 2), ("OK", "2-a-card", 4), ("GO", "2", 0), ("GO", "2-a-card", 0)]
)
def test_a_wrong_go_is_ruled_on_when_the_hands_are_known(key: str, rule: str, points: int) -> None:
    model = at("9 10 5 8 GO 5 GO K 4 2 6", renege=rule)  # BOB said go at 23 and held 2 and 6
    assert model.state.phase is Phase.SHOW
    before = model.state.scores()
    assert lit_keys(model.state, model.saved) == ("OK", "GO")
    assert "but held the" in prompt(model.state, model.saved)
    model.press(key)
    assert last(model) == events.RenegeRuled(1, points)
    assert model.state.scores() == (before[0] + points, before[1])
    model.press("OK")
    assert isinstance(last(model), events.HandShown)


# --- one count only ---------------------------------------------------------------------------------


def test_a_play_of_one_count_ends_with_it_and_the_cards_not_played_are_asked_for() -> None:
    model = at("9 10 5 8 GO GO", "use-and-care")
    assert model.state.phase is Phase.SHOW
    assert "2 more" in prompt(model.state, model.saved)
    model.press_all("7 K")
    assert model.state.deal is not None
    assert model.state.deal.hand(0) == tuple(map(Card.parse, ("10", "8", "7", "K")))
    model.press("OK")
    model.press_all("A 2 3 OK")
    assert fold(model.events).phase is Phase.CRIB


def test_a_card_past_thirty_one_leads_no_new_count_where_there_is_none() -> None:
    with pytest.raises(TooHigh):
        at("9 10 5 8 K", "use-and-care")


# --- matches, and why -------------------------------------------------------------------------------


def test_a_match_ends_with_its_summary_and_the_next_begins_with_a_press() -> None:
    model = at("9 P1 FLNB P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 OK", match="first-to-1")
    assert model.state.phase is Phase.MATCH_OVER
    assert model.state.match_winners == (0,)
    model.press("OK")
    assert model.input_state.dialog == MatchSoFar()
    assert "ANN wins the match" in prompt(model.state, model.saved)
    model.press("OK")
    assert model.state.games == (0, 0)
    assert model.state.deal is not None
    assert model.state.deal.dealer == 1, "the loser deals"


def test_why_tells_the_rule_of_the_last_thing() -> None:
    model = at("9 7 8 MENU 4 OK")
    assert model.input_state.dialog == Why(0)
    assert "fifteen" in prompt(model.state, model.saved).lower()
    assert "board-set" in prompt(model.state, model.saved)
    model.press("OK")
    assert model.input_state.dialog is None


def test_each_line_of_why_says_something_else() -> None:
    """A reason that takes two pages of the screen is not listed twice."""
    model = at("9 6 MENU 4 OK")
    lines = [one.label for one in choices(model.state, model.saved, TWENTY) if one.key in RANKS]
    assert len(lines) > 1
    assert len({*lines}) == len(lines)


def test_a_refusal_tells_the_rule_that_it_rests_on() -> None:
    for text, rules, rule in (
        ("9 4 GO", "standard", "must-play"),
        ("9 9 9 9 9", "standard", "pack"),
        ("9 10 K 5 K", "use-and-care", "limit"),
    ):
        with pytest.raises(RuleError) as refused:
            at(text, rules)
        assert refused.value.rule == rule


# --- the set-up -------------------------------------------------------------------------------------


def test_a_set_up_takes_a_preset_and_what_the_house_changes() -> None:
    setup = NextGame().with_rules("lowe", {"players": "3", "heels": "none", "target": "61"})
    assert (setup.players, setup.target, setup.options) == (3, 61, (("heels", "none"),))
    assert setup.game_rules().heels == 0
    assert setup.with_rules(None, {"heels": "2"}).game_rules() == changed(preset("lowe", 3), {"target": "61"})
    said = refused(RuleError, setup.with_rules, "acc", {"players": "3"})
    assert said == "acc is not for 3 players: choose 2 players, or other rules"
    with pytest.raises(WrongPhase):
        at("9 4 P1 3 OK P1 3 OK")
