"""What each key means, wherever it is pressed; and that no press is ever anything but an answer."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games, naive
from support.presses import SUITED, Model, lit_keys, press, prompt, random_key, random_setup, view_at
from support.refusals import refused
from support.samples import examples

from cribpi.companion.entry.by_cards import new_count_led
from cribpi.companion.entry.effect import Effect, TableCommand, WrongKey
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import Correct, CountHand, InputState, Menu, NewGame, Question, Undone
from cribpi.companion.entry.kept import from_json, to_json
from cribpi.companion.entry.keys import (
    DIGITS,
    HOLDS,
    KEYS,
    RANKS,
    amounts_of,
    card_of,
    is_key,
    side_keys_of,
)
from cribpi.companion.entry.menu import items
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.web.json.state import log_json, state_json
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.rules import errors
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.log import game_log


def table(players: int = 2, entry: Entry = Entry.CARDS, dealer: int | None = 1) -> Model:
    """Return a table at which a game has begun."""
    model = Model()
    start = events.GameStarted(games.NAMES[:players], preset("standard", players), entry, dealer)
    model.events.append(start)
    model.states.append(fold([start]))
    return model


def pressed(keys_pressed: str, players: int = 2, entry: Entry = Entry.CARDS) -> Model:
    """Return the table after *keys_pressed*, with seat 0 to lead where there are two or four."""
    model = table(players, entry, dealer=players - 1)
    model.press_all(keys_pressed)
    return model


# --- the keys ---------------------------------------------------------------------------------------


def test_keys_are_those_of_the_contract() -> None:
    assert " ".join(KEYS) == "A 2 3 4 5 6 7 8 9 10 J Q K GO FLNB P1 P2 P3 UP DOWN LEFT RIGHT UNDO MENU OK"
    assert HOLDS == ("hold:UNDO", "hold:MENU")
    assert " ".join(DIGITS) == f"{' '.join(f'digit:{digit}' for digit in range(10))} digit:erase"
    assert all(map(is_key, (*KEYS, *HOLDS, *DIGITS, *SUITED)))


@pytest.mark.parametrize(
    "text", ["", "T", "TH", "11", "ok", "7h", "H", "7HH", "hold:OK", "digit:12", "P4", " 7", "7X", "10 H"]
)
def test_what_is_no_key_is_none(text: str) -> None:
    assert not is_key(text)


@given(st.text(max_size=8))
def test_any_text_is_a_key_or_is_none(text: str) -> None:
    assert is_key(text) == (text in {*KEYS, *HOLDS, *DIGITS, *SUITED})


def test_rank_keys_are_cards_and_amounts() -> None:
    assert list(amounts_of(map(Card.parse, RANKS))) == list(zip(RANKS, range(1, 14), strict=True))
    assert [card_of(key) for key in RANKS] == [Card.parse(key) for key in RANKS]
    assert not list(amounts_of([Card.parse("7H")]))
    assert card_of("7H") == Card.parse("7H")
    assert [card_of(key) for key in ("GO", "P1", "OK", "hold:UNDO")] == [None] * 4


def test_go_is_the_third_sides_key_where_there_are_three() -> None:
    assert dict(side_keys_of(3)) == {"P1": 0, "P2": 1, "P3": 2, "GO": 2}
    assert dict(side_keys_of(3, is_go_third=False)) == {"P1": 0, "P2": 1, "P3": 2}
    assert dict(side_keys_of(2)) == {"P1": 0, "P2": 1}


# --- anything in any order --------------------------------------------------------------------------


def check_press(model: Model, key: str, draw: int) -> None:
    """Press *key*, and check that what can be said of the table can be said."""
    before = (model.state, model.saved, tuple(model.events))
    sensible = lit_keys(model.state, model.saved)
    assert set(sensible) <= set(KEYS)
    assert sensible
    try:
        model.press(key, draw)
    except RuleError as error:
        refused: RuleError | None = error
    else:
        refused = None
    if refused is not None:
        assert (model.state, model.saved, tuple(model.events)) == before
        assert len(str(refused)) > 10
        offered = key in sensible and not isinstance(model.input_state.dialog, Menu)  # its line may be redo
        assert not (offered and isinstance(refused, WrongKey)), f"{key} was offered"
        return
    input_state = model.input_state
    assert from_json(json.loads(json.dumps(to_json(model.saved)))) == model.saved
    claims = model.state.entry is not Entry.PEG and model.state.rules.miscount != "machine"
    assert input_state.amount <= (99 if claims else 29), "more can never be pegged, but be claimed"
    told = state_json(
        view_at(model.state, model.saved), model.seq, may_undo=bool(model.events), may_redo=bool(model.undone)
    )
    assert json.loads(json.dumps(told)) == told
    assert told["prompt"]
    assert prompt(model.state, model.saved) == told["prompt"]
    assert (told["question"] is not None) == isinstance(input_state.dialog, Question)
    json.dumps(log_json(game_log(model.events)))


def play_keys(seed: int, players: int, entry: Entry, presses: int) -> Model:
    chance = Random(seed)
    model = table(players, entry, chance.choice([None, 0])) if chance.random() < 0.8 else Model()
    if entry is Entry.DEALT and chance.random() < 0.5:
        model = Model(context=InputContext(random_setup(chance)))
    for _ in range(presses):
        if chance.random() < 0.8:
            model.act(chance)
        check_press(model, random_key(model.state, model.saved, chance), chance.randrange(99))
    assert fold(model.events) == model.state
    return model


@examples(12)
@given(st.integers(0, 2**32), st.sampled_from([2, 3, 4]), st.sampled_from(Entry))
def test_any_keys_in_any_order_are_answered(seed: int, players: int, entry: Entry) -> None:
    play_keys(seed, players, entry, 120)


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("entry", Entry)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_hundred_thousand_keys_in_any_order_are_answered(players: int, entry: Entry) -> None:
    for seed in range(34):
        play_keys(seed, players, entry, 1000)


def test_the_random_keys_open_every_dialog_and_come_to_every_phase() -> None:
    dialogs = {"NewGame", "Question", "Menu", "Correct", "CountHand", "FalseWin", "Why", "MatchSoFar"}
    dialogs |= {"GameSums", "Status"}
    missing = {*map(str, set(Phase) - {Phase.IDLE}), *dialogs}
    for seed in (22, 23, 37, *range(200)):  # these come to what is rare; should they not any more, others do
        chance = Random(seed)
        model = Model(context=InputContext(random_setup(chance)))
        for _ in range(300):
            model.act(chance)
            try:
                model.press(random_key(model.state, model.saved, chance))
            except RuleError:
                continue
            missing -= {str(model.state.phase), type(model.input_state.dialog).__name__}
        if not missing:
            return
    assert not missing


# --- a game kept by cards ---------------------------------------------------------------------------


def test_a_first_game_begins_with_ok_and_ok() -> None:
    model = Model()
    model.press_all("OK OK")
    begun = model.state
    assert begun.phase is Phase.CUT
    assert begun.names == ("ORANGE", "BLUE")
    model.press("OK", draw=7)
    assert model.state.phase is Phase.DEAL
    assert model.state.deal is not None
    assert model.state.deal.dealer == 1, "chance decided: 7 of two seats is 1"


CUT = [
    # keys       players  dealer  why
    ("7 3", 2, 1, "ranks are cut one seat after the other; the lowest deals"),
    ("7H 8C", 2, 0, "with suits too"),
    ("7 7 K Q", 2, 1, "a tie cuts again"),
    ("P2", 2, 1, "a side's key chooses the dealer"),
    ("P3", 3, 2, "with three there is a third"),
    ("GO", 3, 2, "which GO is too"),
    ("MENU 4 OK", 4, 3, "the menu names every seat"),
]


@pytest.mark.parametrize(("keys_pressed", "players", "dealer", "why"), CUT)
def test_the_deal_is_cut_for_or_the_dealer_chosen(
    keys_pressed: str, players: int, dealer: int, why: str
) -> None:
    model = table(players, dealer=None)
    model.press_all(keys_pressed)
    assert model.state.deal is not None
    assert model.state.deal.dealer == dealer, why


def test_the_first_board_set_deal_is_keyed_card_by_card() -> None:
    model = pressed("K 9 6 6 5 GO 4 10 OK 7 10 OK OK 5 J 2 3 OK")
    assert model.state.phase is Phase.DEAL
    assert [str(event) for event in model.events if isinstance(event, events.GoSaid)] == ["GoSaid(seat=0)"]
    assert any(isinstance(event, events.NewCountLed) for event in model.events)


OVER_31 = [
    # the play, to the question   answer       events after it                             why
    ("3 10 10 8 GO 5", "OK", [events.NewCountLed(1, Card.parse("5"))], "OK: all said go, and B leads"),
    ("3 10 10 8 5", "OK", [events.NewCountLed(1, Card.parse("5"))], "for both, where neither was keyed"),
    ("3 10 10 9 K", "UNDO", [], "UNDO: it was a slip"),
    ("3 10 10 9 K", "GO", [events.GoSaid(1)], "GO: only this seat said go"),
    ("3 10 10 9 K", "A", [events.CardPlayed(1, Card.parse("A"))], "the right card in its stead"),
    ("3 10 10 9 K", "AS", [events.CardPlayed(1, Card.parse("AS"))], "with its suit too"),
]


@pytest.mark.parametrize(("play", "answer", "after", "why"), OVER_31)
def test_a_card_past_31_is_a_question(play: str, answer: str, after: list[events.Event], why: str) -> None:
    asked, model = pressed(play), pressed(play)
    assert isinstance(asked.input_state.dialog, Question)
    before = list(model.events)
    model.press(answer)
    assert model.input_state.dialog is None
    assert model.events == [*before, *after], why


def test_the_question_says_the_sum_who_would_lead_and_what_the_keys_do() -> None:
    model = pressed("3 10 10 8 GO 5")
    told = state_json(view_at(model.state, model.saved), 1, may_undo=True, may_redo=False)
    assert (
        told["question"] == "28 + 5 = 33, over 31. OK: New count with the 5, UNDO: Wrong key, GO: ANN says go"
    )


def test_only_the_one_whose_lead_it_is_can_lead_the_new_count() -> None:
    model = pressed("3 10 10 9 K")
    assert model.state.deal is not None
    assert new_count_led(model.state, Card.parse("K")).seat == 1 != model.state.deal.last_to_play
    model.press("OK")
    assert model.state.scores() == (1, 2), "one for go to the last to play; the pair of tens before"


def test_over_31_any_other_key_keeps_the_question() -> None:
    model = pressed("3 10 10 9 K")
    for key in ("FLNB", "P1", "MENU", "LEFT"):
        said = refused(WrongKey, model.press, key)
        assert said == "29 + 10 = 39, over 31. OK: New count with the K, UNDO: Wrong key, GO: BOB says go"
    assert model.input_state.dialog == Question("K")
    model.press("J")
    assert model.input_state.dialog == Question("J"), (
        "another card that is too high is asked about in its turn"
    )


def test_a_slip_and_a_second_undo_take_the_last_card_back() -> None:
    model = pressed("3 10 10 9 K UNDO UNDO")
    assert model.state == pressed("3 10 10").state


def test_a_card_that_fits_is_never_a_question() -> None:
    model = pressed("3 10 10 9 2")
    assert model.input_state.dialog is None
    assert model.state.scores() == (0, 4), "a pair of tens, and thirty-one"


def at_show(hand: str, starter: str) -> Model:
    """Return a table of two at the show of seat 0, which played *hand*."""
    model = pressed(starter)
    hands = [[Card.parse(card) for card in row.split()] for row in (hand, "Q Q K K")]
    for act in naive.play(hands, 0, lambda fits: fits[0]):
        event = events.CardPlayed(act.seat, act.card) if act.card else events.GoSaid(act.seat)
        model.events.append(event)
        model.states.append(step(model.state, event))
    return model


FLNB = [
    # hand       starter presses  claim              why
    ("2 4 8 K", "6", 0, SuitClaim(), "nothing is claimed until FLNB says so"),
    ("2 4 8 K", "6", 1, SuitClaim(4), "a flush of four"),
    ("2 4 8 K", "6", 2, SuitClaim(5), "a flush of five"),
    ("2 4 8 K", "6", 3, SuitClaim(), "and round again"),
    ("2 4 8 J", "6", 1, SuitClaim(0, nobs=True), "his nobs come before the flush, as they are worth less"),
    ("2 4 8 J", "6", 3, SuitClaim(5, nobs=True), "a flush of five with a jack has nobs"),
    ("J J 4 8", "6", 1, SuitClaim(0, nobs=True), "two jacks: nobs or not, and no flush"),
    ("2H 4H 8H KH", "6S", 0, SuitClaim(4), "what the suits make certain needs no key"),
    ("2H 4H 8H KH", "6", 1, SuitClaim(5), "and FLNB adds what they leave open"),
]


@pytest.mark.parametrize(("hand", "starter", "presses", "claim", "why"), FLNB)
def test_flnb_goes_round_what_is_possible(
    hand: str, starter: str, presses: int, claim: SuitClaim, why: str
) -> None:
    model = at_show(hand, starter)
    model.press_all("FLNB " * presses)
    model.press("OK")
    assert model.events[-1] == events.HandShown(0, claim), why
    assert model.input_state.claim == 0, "the next show begins afresh"


@pytest.mark.parametrize(("hand", "starter"), [("2 2 8 K", "6"), ("J J J J", "6"), ("2H 4H 8H KH", "6S")])
def test_flnb_is_refused_where_there_is_no_choice(hand: str, starter: str) -> None:
    said = refused(errors.ImpossibleClaim, at_show(hand, starter).press, "FLNB")
    assert said == "these cards have no flush and no nobs"


def test_the_crib_is_keyed_by_rank_then_flnb_then_ok() -> None:
    model = at_show("2 4 8 K", "6")
    model.press_all("OK OK 2 4 7")
    said = refused(errors.ImpossibleClaim, model.press, "FLNB")
    assert said == "press all its cards first; then flush and his nobs can be added"
    assert refused(errors.NotHeld, model.press, "OK") == "the crib has four cards: turn up 1 more first"
    model.press_all("9 FLNB OK")
    assert model.events[-1] == events.CribShown(SuitClaim(5)), "a crib's flush is of five or none"


WRONG_KEYS = [
    # keys            then   says
    ("", "FLNB", "press the starter's rank"),
    ("", "OK", "press the starter's rank"),
    ("", "UP", "press the starter's rank"),
    ("", "P3", "press the starter's rank"),
    ("3", "OK", "press the card"),
    ("3", "FLNB", "press the card"),
    ("3 MENU", "J", "OK selects, P1 and P2 move"),
    ("3 P1", "4", "P1: Lower, P2: Higher"),
]


@pytest.mark.parametrize(("before", "key", "says"), WRONG_KEYS)
def test_a_key_that_does_nothing_says_which_would(before: str, key: str, says: str) -> None:
    model = pressed(before)
    with pytest.raises(WrongKey, match=says):
        model.press(key)


# --- a game kept by points --------------------------------------------------------------------------

POINTS = [
    # keys                          players  scores      why
    ("OK OK 2 P1", 2, (2, 0), "an amount, then the side"),
    ("OK OK 10 5 P2", 2, (0, 15), "amounts add up, also past what no card pegs"),
    ("OK OK J A P1", 2, (12, 0), "J is 11"),
    ("OK OK Q P1", 2, (12, 0), "Q is 12"),
    ("OK OK K P1", 2, (13, 0), "K is 13"),
    ("OK OK 9 UNDO 2 P1", 2, (2, 0), "UNDO clears the last amount that is typed"),
    ("OK OK 9 3 UNDO P1", 2, (9, 0), "and that one alone"),
    ("OK OK GO P2", 2, (0, 1), "GO pegs the go, with two sides"),
    ("OK OK 6 GO", 3, (0, 0, 6), "and is the third side's key, with three"),
    ("OK OK 6 P3", 3, (0, 0, 6), "as is P3 where a kit has it"),
    ("OK OK MENU 4 OK P1", 2, (6, 0), "an event by its name: pair royal"),
    ("OK 2 P2", 2, (0, 2), "his heels, to the dealer"),
    ("OK OK OK 10 10 4 OK", 2, (24, 0), "at the show OK pegs it for whoever's show it is"),
    ("OK OK OK 8 P1 4 P2 6 P2", 2, (8, 10), "or the side's key; then dealer, then crib"),
    ("OK OK OK FLNB 5 5 5 J 5 FLNB OK", 2, (29, 0), "count a hand, with his nobs"),
    ("OK OK OK FLNB 5 5 5 J 5 OK", 2, (28, 0), "and without"),
    ("OK OK OK FLNB 5 5 5 J 5 OK FLNB 7 7 8 8 OK", 2, (28, 12), "the starter is asked for once"),
    ("OK OK OK FLNB 5 5 5 9 UNDO J 5 OK", 2, (28, 0), "UNDO takes the last card of it back"),
]


@pytest.mark.parametrize(("keys_pressed", "players", "scores", "why"), POINTS)
def test_points_are_keyed_as_amounts_and_sides(
    keys_pressed: str, players: int, scores: tuple[int, ...], why: str
) -> None:
    assert pressed(keys_pressed, players, Entry.PEG).state.scores() == scores, why


REFUSED_POINTS = [
    # keys                 then  error                    says
    ("OK OK 10 6", "P1", errors.ImpossiblePoints, "16 for one card"),
    ("OK 2", "P1", errors.ImpossiblePoints, "2 for his heels"),
    ("", "2", WrongKey, "before the starter is cut"),
    ("OK OK OK 10 9", "OK", errors.ImpossiblePoints, "counts 19"),
    ("OK OK OK K Q", "OK", errors.ImpossiblePoints, "counts 25"),
    ("OK OK OK K K", "OK", errors.ImpossiblePoints, "counts 26"),
    ("OK OK OK K K A", "OK", errors.ImpossiblePoints, "counts 27"),
    ("OK OK OK 10 10 9", "2", errors.ImpossiblePoints, "29"),
    ("OK OK OK 8", "P2", errors.WrongSeat, "ANN's show"),
    ("OK OK 6", "OK", WrongKey, "P1 or P2 pegs it"),
    ("OK OK 6", "GO", WrongKey, "UNDO clears it"),
    ("OK OK", "FLNB", WrongKey, "counts a hand at the show"),
    ("OK", "GO", WrongKey, "GO pegs the go in the play; here OK goes on"),
    ("OK OK OK", "GO", WrongKey, "GO pegs the go in the play; here OK goes on"),
    ("OK OK OK FLNB 5 5 5 5", "5", errors.ImpossibleCards, "a pack has four"),
    ("OK OK OK FLNB 5 5 5", "OK", WrongKey, "1 more"),
    ("OK OK OK FLNB 5 5 5 J", "OK", WrongKey, "the starter"),
    ("OK OK OK FLNB 5 5 5 J 5", "9", errors.NotHeld, "peg them, or undo"),
    ("OK OK OK FLNB 5 5 5 J 5", "GO", WrongKey, "OK: Peg 28"),
]


@pytest.mark.parametrize(("before", "key", "error", "says"), REFUSED_POINTS)
def test_points_that_cannot_be_are_refused(before: str, key: str, error: type[RuleError], says: str) -> None:
    model = pressed(before, entry=Entry.PEG)
    input_state = model.input_state
    with pytest.raises(error, match=says):
        model.press(key)
    assert model.input_state == input_state, "what was typed is still there"


def test_an_amount_never_grows_past_the_highest_count() -> None:
    model = pressed("OK OK OK", entry=Entry.PEG)
    for _ in range(50):
        try:
            model.press("K")
        except errors.ImpossiblePoints:
            continue
    assert model.input_state.typed == (13, 13)


def test_undo_clears_what_is_typed_before_it_takes_anything_back() -> None:
    model = pressed("OK OK 4 P1 3 2", entry=Entry.PEG)
    assert [model.press("UNDO").command for _ in range(3)] == [None, None, TableCommand.UNDO]
    assert model.state.scores() == (0, 0)


# --- menus ------------------------------------------------------------------------------------------

NEW_GAMES = [
    # keys in the new-game menu    set-up                                why
    ("OK", NextGame(2, 121, "cards"), "the first offer"),
    ("P2 OK", NextGame(3, 121, "cards"), "P2 changes a line"),
    ("P1 OK", NextGame(4, 121, "cards"), "P1 the other way round"),
    ("RIGHT RIGHT OK", NextGame(4, 121, "cards"), "the joystick too"),
    ("P2 P2 P2 OK", NextGame(2, 121, "cards"), "and round again"),
    ("2 P2 OK", NextGame(2, 61, "cards"), "a rank key picks a line"),
    ("DOWN LEFT OK", NextGame(2, 61, "cards"), "the joystick too"),
    ("3 P2 OK", NextGame(2, 121, "peg"), "how it is kept"),
    ("UP P2 OK", NextGame(options=(("renege", "2"),)), "up from the first line is the last"),
    ("4 P2 P2 A P2 OK", NextGame(3, 121, "cards", rules="lowe"), "rules, and players that they know"),
    ("4 P2 A P2 OK", NextGame(3, 121, "cards", rules="computer-game"), "two or three"),
    ("A P2 4 P1 OK", NextGame(2, 121, "cards", rules="acc-muggins"), "rules for two seat two"),
    ("4 P1 P1 P1 P1 P1 OK", NextGame(2, 61, "cards", rules="travel-61"), "rules bring their target"),
    ("3 P2 A P2 2 P2 OK", NextGame(3, 61, "peg"), "all three"),
]


@pytest.mark.parametrize(("keys_pressed", "setup", "why"), NEW_GAMES)
def test_a_new_game_is_set_up_by_its_menu(keys_pressed: str, setup: NextGame, why: str) -> None:
    model = Model()
    model.press_all(f"OK {keys_pressed}")
    assert model.events == [setup.event()], why
    assert model.saved == SavedInput(InputState(), InputContext(setup)), "the next one is offered alike"


def test_the_new_game_menu_can_be_left_and_comes_from_the_menu_too() -> None:
    assert pressed("3 MENU 6 OK").input_state.dialog == NewGame()
    model = pressed("3 MENU 6 OK P2 UNDO")
    assert model.input_state.dialog is None
    assert model.state == pressed("3").state


CORRECTIONS = [
    # keys                         event                            why
    ("P1 A OK", None, "two from nothing is nothing: refused"),
    ("P2 A P2 P2 P2 OK", events.PenaltyPegged(1, 2), "P2 more: -1, then +1, there is no 0"),
    ("P1 P2 P2 P2 OK", events.ScorePutRight(0, 3), "the score put right"),
    ("P1 2 P2 P2 P1 OK", events.ScorePutRight(0, 1), "P1 less"),
    ("MENU 2 OK RIGHT OK", events.ScorePutRight(1, 1), "by way of the menu"),
]


@pytest.mark.parametrize(("keys_pressed", "event", "why"), CORRECTIONS)
def test_a_side_is_corrected_by_its_key_or_the_menu(
    keys_pressed: str, event: events.Event | None, why: str
) -> None:
    model = pressed("3")
    *before, last = keys_pressed.split()
    model.press_all(" ".join(before))
    assert isinstance(model.input_state.dialog, Correct)
    if event is None:
        with pytest.raises(errors.ImpossiblePoints):
            model.press(last)
    else:
        model.press(last)
        assert model.events[-1] == event, why
        assert model.input_state.dialog is None


def test_corrections_stay_on_the_board() -> None:
    model = pressed("3 P1 2")
    model.press("P1")
    assert model.input_state.dialog == Correct(side=0, score=0, line=1)
    model.press_all("A " + "P1 " * 200)
    assert isinstance(model.input_state.dialog, Correct)
    assert model.input_state.dialog.penalty == -121


def test_a_menu_lists_what_can_be_done_here() -> None:
    assert [item.sentence for item in items(Model().view)] == [
        "new game",
        "redo",
        "settings",
        "phones",
        "status",
    ]
    cards = pressed("3")
    assert [item.sentence for item in items(cards.view)] == [
        *("correct ANN", "correct BOB", "misdeal: deal again", "why?", "match so far", "new game", "redo"),
        *("settings", "phones", "status"),
    ]
    cut = table(3, dealer=None)
    assert [item.sentence for item in items(cut.view)][:3] == [
        *("ANN deals first", "BOB deals first", "CAT deals first"),
    ]
    points = pressed("OK OK", 4, Entry.PEG)
    assert [item.sentence for item in items(points.view)] == [
        *("fifteen 2", "thirty-one 2", "pair 2", "pair royal 6", "double pair royal 12"),
        *("run of three 3", "run of four 4", "run of five 5", "run of six 6", "run of seven 7"),
        *("go 1", "last card 1", "correct ANN+CAT", "correct BOB+DAN", "misdeal: deal again"),
        *("why?", "match so far", "new game", "redo", "settings", "phones", "status"),
    ]


@given(st.lists(st.sampled_from(["UP", "DOWN", "LEFT", "RIGHT", "P1", "P2"]), max_size=40))
def test_a_menu_goes_round(keys_pressed: list[str]) -> None:
    model = pressed("3 MENU")
    line = 0
    for key in keys_pressed:
        model.press(key)
        line = (line + (1 if key in {"DOWN", "RIGHT", "P2"} else -1)) % 10
        assert model.input_state.dialog == Menu(line)


# --- undo and the end of a game ---------------------------------------------------------------------


def test_undo_and_redo_cross_the_end_of_a_game_and_the_next_ones_start() -> None:
    model = pressed("3 10")
    for event in (events.PenaltyPegged(0, 121),):
        model.events.append(event)
        model.states.append(step(model.state, event))
    over = model.state
    assert refused(WrongKey, model.press, "7") == "ANN wins 121-0, a double skunk. OK: Rematch"
    model.press("OK")
    assert model.state.phase is Phase.DEAL
    assert model.state.games == (1, 0)
    next_one = model.state
    model.press("UNDO")
    assert model.state == over
    model.press_all("UNDO UNDO UNDO")
    assert model.state.phase is Phase.DEAL
    model.press_all("hold:UNDO hold:UNDO hold:UNDO hold:UNDO")
    assert model.state == next_one


def test_holding_menu_asks_for_the_machine_to_be_shut_down_and_clears_nothing() -> None:
    model = pressed("OK OK OK 8", entry=Entry.PEG)
    effect = model.press("hold:MENU")
    assert effect.command is TableCommand.SHUT_DOWN
    assert effect.input_state.typed == (8,)


def test_a_press_makes_one_event_or_one_move_and_never_both(whole: bool) -> None:  # noqa: FBT001  a fixture
    for seed in range(100 if whole else 5):
        chance, model = Random(seed), table(2)
        for _ in range(100):
            key = random_key(model.state, model.saved, chance)
            try:
                effect = press(model.state, model.saved, key)
                model.press(key)
            except RuleError:
                continue
            assert effect.event is None or effect.command is None


def test_a_hand_that_is_counted_is_kept_as_plain_words() -> None:
    model = pressed("OK OK OK FLNB 5H 10", entry=Entry.PEG)
    assert model.input_state.dialog == CountHand(("5H", "10"))


def test_ok_after_an_undo_takes_the_remark_away_and_does_nothing_more() -> None:
    input_state = InputState(dialog=Undone("ANN 7: seven", 1))
    assert press(State(), input_state, "OK") == Effect(InputState())
    assert press(pressed("9").state, input_state, "7").event == events.CardPlayed(0, Card.parse("7")), (
        "other keys go on"
    )


def test_a_remark_stays_until_the_next_key_and_no_longer() -> None:
    state, input_state = pressed("9").state, InputState(message="ANN's 7 is back")
    for key in ("7", "P1", "MENU"):
        assert press(state, input_state, key).input_state.message is None, key
