"""Keys in a game that the machine deals: choosing, opening and closing hands, cutting, claiming."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from support.presses import Model, choices, hand_of, lit_keys, machine_event, may_hint, prompt, view_at
from support.refusals import refused
from support.samples import some_of

from cribpi.companion.entry import hands
from cribpi.companion.entry.by_dealing import choose
from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_context import InputContext
from cribpi.companion.entry.input_state import Hint
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.view import view_of
from cribpi.companion.views.screen.screen import draw
from cribpi.companion.web.json.page import cards_on_table_json, hand_json
from cribpi.companion.web.json.state import log_json, state_json
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import Entry, GameStarted, PackShuffled
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.rules.errors import MustPlay, NotHeld, RuleError
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.log import game_log

NAMES = ("ANN", "BOB", "CAT", "DAN")

PAIRS = "AS 4H 6S 8H 8S 9S"
"""A hand with a pair in it."""


def pack_for(hands: dict[int, str], starter: str, dealer: int, players: int) -> tuple[Card, ...]:
    """Return a pack that deals *hands* by seat, and has *starter* where the starter lies."""
    held = {seat: list(parse_cards(text)) for seat, text in hands.items()}
    rest = [card for card in PACK if str(card) not in " ".join([*hands.values(), starter]).split()]
    order = [(dealer + step) % players for step in range(1, players + 1)]
    size = 6 if players == 2 else 5
    dealt = [held[seat].pop(0) if held.get(seat) else rest.pop() for _ in range(size) for seat in order]
    to_crib = [rest.pop()] if players == 3 else []
    return (*dealt, *to_crib, Card.parse(starter), *rest)


def game(
    *levels: str,
    hands: dict[int, str] | None = None,
    starter: str = "2D",
    dealer: int = 1,
    rules: str = "standard",
) -> Model:
    """Return a game whose cards have been dealt: *hands* by seat, as far as they matter."""
    players = len(levels)
    start = GameStarted(NAMES[:players], preset(rules, players), Entry.DEALT, dealer, levels=levels)
    model = Model(
        context=InputContext(
            NextGame(players=players, entry="dealt", levels=levels, house=House(NAMES[:players]))
        )
    )
    for event in (start, PackShuffled(pack_for(hands or {}, starter, dealer, players))):
        model.events.append(event)
        model.states.append(fold(model.events))
    return model


def let_machines_act(model: Model) -> None:
    while model.act(Random(1)):
        pass


def picked(model: Model) -> str:
    return " ".join(model.input_state.chosen)


def is_open(model: Model) -> int | None:
    return hands.open_hand(model.state, model.input_state)


# --- choosing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys_pressed", "after", "why"),
    [
        ("A", "AS", "a rank chooses the card"),
        ("A 4", "AS 4H", "and another"),
        ("A A", "", "again, it is put back"),
        ("8", "8H", "of a pair the first"),
        ("8 8", "8H 8S", "then the other too, where two are wanted"),
        ("8 8 8", "", "then both are put back"),
        ("A 4 6", "4H 6S", "what was chosen first makes room"),
        ("A 8 8", "8H 8S", "also for a pair"),
        ("8S", "8S", "a card with its suit is that very card"),
        ("8S 8", "8S 8H", "then the rank is the other"),
        ("8S 8S", "", "and the card again puts it back"),
        ("A 4 UNDO", "AS", "UNDO puts the last one back"),
    ],
)
def test_ranks_choose_cards_of_the_hand(keys_pressed: str, after: str, why: str) -> None:
    model = game("", "chance", hands={0: PAIRS})
    model.press_all(keys_pressed)
    assert picked(model) == after, why
    assert len(model.events) == 2, "nothing has happened yet"


def test_ok_lays_away_what_is_chosen_and_no_fewer() -> None:
    model = game("", "chance", hands={0: PAIRS})
    assert refused(WrongKey, model.press, "OK") == "Choose two cards for BOB's crib. FLNB: Hint"
    model.press("8")
    assert refused(WrongKey, model.press, "OK") == "Choose one more card for BOB's crib. FLNB: Hint"
    model.press("9")
    assert model.press("OK").event == events.Discarded(0, parse_cards("8H 9S"))
    assert model.input_state.chosen == ()


def test_a_choice_says_what_is_chosen_and_whose_crib_it_goes_to() -> None:
    for players, dealer, sends in (
        (2, 0, "Send to my crib"),
        (2, 1, "Send to BOB's crib"),
        (3, 0, "Send to my crib"),
        (3, 2, "Send to CAT's crib"),
    ):
        model = game(
            "", *["chance"] * (players - 1), hands={0: PAIRS[: 17 if players == 2 else 14]}, dealer=dealer
        )
        assert said(model, "4") == "Choose the 4"
        model.press_all("A 4" if players == 2 else "4")
        assert said(model, "4") == "Put the 4 back"
        assert said(model, "OK") == sends


def said(model: Model, key: str) -> str:
    """Return what *key* would do, in words."""
    return next(choice.label for choice in choices(model.state, model.saved) if choice.key == key)


def test_a_card_that_is_not_in_the_hand_is_refused() -> None:
    model = game("", "chance", hands={0: PAIRS})
    for key, said in (("7", "You have no seven"), ("8C", "You have no 8C")):
        assert refused(NotHeld, model.press, key) == said


def test_with_one_card_wanted_a_pair_takes_turns() -> None:
    pair = parse_cards("8H 8S")
    assert choose(pair, (), 1) == pair[:1]
    assert choose(pair, pair[:1], 1) == pair[1:]
    assert choose(pair, pair[1:], 1) == pair[:1]
    assert choose(pair[:1], pair[:1], 1) == ()


def in_play(*levels: str, hands: dict[int, str], starter: str = "2D", rules: str = "standard") -> Model:
    """Return a game in the play: every person has laid away the last cards of the hand."""
    model = game(*levels, hands=hands, starter=starter, rules=rules)
    let_machines_act(model)
    while model.state.phase is Phase.DEAL:
        if is_open(model) is None:
            model.press("OK")
        seat = is_open(model)
        assert seat is not None
        for card in hand_of(model.state, seat)[-model.state.rules.sizes.discarded :]:
            model.press(str(card))
        model.press("OK")
        let_machines_act(model)
    model.press("OK")
    return model


def test_a_rank_held_once_is_played_at_once_and_one_of_a_pair_with_ok() -> None:
    model = in_play("", "", hands={0: "4H 8H 8S 9S QC KC"})
    model.press("OK")
    assert model.press("4").event == events.CardPlayed(0, Card.parse("4H"))
    model.press("UNDO")
    model.press_all("OK 8 8")
    assert picked(model) == "8S"
    assert model.press("OK").event == events.CardPlayed(0, Card.parse("8S"))


def test_a_card_of_the_pair_is_named_by_its_suit_at_once() -> None:
    model = in_play("", "chance", hands={0: "4H 8H 8S 9S QC KC"})
    assert model.press("8S").event == events.CardPlayed(0, Card.parse("8S"))


def test_whoever_has_no_card_that_fits_is_told_and_goes_on_with_a_press() -> None:
    model = in_play("", "", hands={0: "9H 10H JH QH KH KS", 1: "9C 10C JC QC KC KD"})
    for _ in range(3):
        seat = deciders(model.state)[0]
        model.press_all(f"OK {hand_of(model.state, seat)[0].rank.symbol}")
    assert model.state.deal is not None
    assert model.state.deal.count == 28
    model.press("OK")
    assert prompt(model.state, model.saved) == "BOB: you can't play. OK: Say go"
    assert lit_keys(model.state, model.saved) == ("OK",)
    assert model.press("OK").event == events.GoSaid(1)
    assert is_open(model) is None


def test_of_a_pair_that_does_not_fit_none_is_chosen() -> None:
    model = in_play("", "", hands={0: "2H 8H 8S 9S QC KC", 1: "6C 9C 10C JC QD KD"})
    model.press_all("OK 9 OK 10 OK 2")
    model.press_all("OK 6 OK")
    assert "8" not in {choice.key for choice in choices(model.state, model.saved)}
    assert refused(RuleError, model.press, "8") == "27 + 8 = 35, over 31: ANN plays 4 or less, or says go"
    assert picked(model) == ""


def test_nobody_says_go_with_a_card_that_fits() -> None:
    model = in_play("", "chance", hands={0: PAIRS})
    assert refused(WrongKey, model.press, "OK") == "Choose a card to play. FLNB: Hint"
    before = model.state
    with pytest.raises(MustPlay):
        model.press("GO")
    assert model.state == before


# --- hints ------------------------------------------------------------------------------------------


def test_a_hint_is_asked_for_by_the_one_whose_hand_lies_open() -> None:
    model = game("", "", hands={0: PAIRS})
    assert "Pass to ANN" in refused(WrongKey, model.press, "FLNB")
    model.press_all("OK 4 FLNB")
    assert (model.input_state.hint, model.input_state.chosen) == (Hint(), ())
    assert view_at(model.state, model.saved).hint_asked == 0
    assert lit_keys(model.state, model.saved)[-1] == "FLNB"
    model.press("MENU")
    assert view_at(model.state, model.saved).hint_asked is None
    closed = replace(model.input_state, dialog=None, open_seat=None)
    assert view_of(model.state, closed).hint_asked is None


HINTED = Hint(("AS", "4H"), "so it is", "brief")


@pytest.mark.parametrize(("key", "after"), [("8", "AS 4H 8H"), ("9", "AS 4H 9S"), ("UNDO", "")])
def test_another_key_puts_a_hint_away(key: str, after: str) -> None:
    model = game("", "", hands={0: PAIRS})
    model.press("OK")
    model.input_state = replace(model.input_state, hint=HINTED, chosen=HINTED.cards)
    model.press(key)
    assert (model.input_state.hint, model.input_state.open_seat) == (None, 0)
    assert picked(model) == " ".join(after.split()[-2:])


def test_a_hint_stands_with_the_open_hand_and_nowhere_else() -> None:
    model = game("", "", hands={0: PAIRS})
    model.press("OK")
    model.input_state = replace(model.input_state, hint=HINTED, chosen=HINTED.cards)
    hand = hand_json(view_at(model.state, model.saved), choices(model.state, model.saved))
    assert hand is not None
    assert (hand["hint"], hand["may_hint"]) == ({"words": "so it is", "cards": ["AS", "4H"]}, True)
    told = json.dumps(state_json(view_at(model.state, model.saved), 1, may_undo=True, may_redo=False))
    assert "so it is" not in told
    assert not [card for card in PAIRS.split() if card in told]
    model.press("OK")
    assert model.input_state.hint is None
    assert hand_json(view_at(model.state, model.saved), choices(model.state, model.saved)) is None


def test_there_is_no_hint_without_a_choice() -> None:
    model = in_play("", "chance", hands={0: "AH 10H JH QH KC KS"})
    model.press("FLNB")
    assert may_hint(model.state, model.input_state)
    while model.state.deal and len(model.state.deal.pile) < 3:
        model.press(hand_of(model.state, 0)[-1].rank.symbol)
        let_machines_act(model)
    assert not may_hint(model.state, model.input_state)
    assert refused(WrongKey, model.press, "FLNB") == "Choose a card to play"


def test_a_dealer_takes_two_for_his_heels_before_he_asks_for_a_hint() -> None:
    model = in_play("chance", "", hands={1: "AC 2C 3C 4C QC KC"}, starter="JD", rules="acc")
    let_machines_act(model)
    assert not may_hint(model.state, model.input_state)
    assert refused(WrongKey, model.press, "FLNB") == "Choose a card to play. OK: Take two for his heels"
    model.press("OK")
    model.press("FLNB")
    assert view_at(model.state, model.saved).hint_asked == 1


# --- whose hand is open -----------------------------------------------------------------------------


def test_one_person_alone_always_sees_his_hand() -> None:
    model = game("", "chance", "chance", hands={0: "AS 4H 6S 8H 8S"})
    assert is_open(model) == 0
    model.press_all("A OK")
    assert is_open(model) == 0, "while the machine is at it, too"
    let_machines_act(model)
    model.press("OK")
    assert is_open(model) == 0


def test_of_several_persons_only_the_one_who_is_asked_sees_his_hand_after_ok() -> None:
    model = game("", "", "chance", dealer=2)
    assert (
        is_open(model),
        hand_json(view_at(model.state, model.saved), choices(model.state, model.saved)),
    ) == (
        None,
        None,
    )
    assert refused(WrongKey, model.press, "7") == "Pass to ANN. OK: Show ANN's cards"
    model.press("OK")
    assert is_open(model) == 0
    model.press_all(f"{hand_of(model.state, 0)[0]} OK")
    assert is_open(model) is None, "it closes with what he does"
    model.press("OK")
    assert is_open(model) == 1


def test_an_open_hand_closes_with_undo_and_stays_open_behind_a_menu() -> None:
    model = game("", "")
    model.press("OK")
    first = hand_of(model.state, 0)[0]
    model.press(str(first))
    model.press("MENU")
    model.press("UNDO")
    assert (is_open(model), picked(model)) == (0, str(first))
    model.press("UNDO")
    assert (is_open(model), picked(model)) == (0, "")
    model.press("UNDO")
    assert is_open(model) is None


def test_a_hand_stays_open_while_the_machine_lays_away() -> None:
    model = game("", "", "chance", dealer=2)
    model.press("OK")
    model.press(str(hand_of(model.state, 0)[0]))
    before = picked(model)
    assert model.act(Random(1)) is not None
    assert (is_open(model), picked(model)) == (0, before)


def test_a_hand_that_was_opened_for_another_seat_is_closed() -> None:
    model = game("", "")
    for seat in (None, 1, 7):
        assert hands.open_hand(model.state, replace(model.input_state, open_seat=seat)) is None


# --- cut, deal and starter --------------------------------------------------------------------------


def test_ok_cuts_a_card_for_each_seat_and_no_two_cut_the_same() -> None:
    model = Model(context=InputContext(NextGame(players=4, entry="dealt")))
    model.press_all("OK OK")
    for number in (51, 51, 51, 51):
        model.press("OK", number)
    cuts = [event.card for event in model.events if isinstance(event, events.CardCut)]
    assert len(set(cuts)) == 4
    assert all(card.suit for card in cuts)
    with pytest.raises(WrongKey):
        model.press("7")


def test_a_rank_is_no_cut_without_real_cards() -> None:
    model = Model(context=InputContext(NextGame(entry="dealt")))
    model.press_all("OK OK")
    said = refused(WrongKey, model.press, "7")
    assert said == "You cut for the deal, and the lowest card deals. OK: Cut a card"
    model.press("P2")
    assert model.state.phase is Phase.DEAL


def test_the_starter_is_the_card_that_was_settled_with_the_deal() -> None:
    model = in_play("", "chance", hands={0: PAIRS}, starter="5D")
    assert model.state.deal is not None
    assert str(model.state.deal.starter) == "5D"
    for _ in range(3):
        model.press("UNDO")
    assert model.state.phase is Phase.DEAL


# --- his heels, and who counts ----------------------------------------------------------------------


def test_a_dealer_takes_two_for_his_heels_with_his_hand_open_and_before_his_first_card() -> None:
    hands = {0: "4H 5H 6H 7H 8S 9S", 1: "AC 2C 3C 4C QC KC"}
    model = in_play("", "", hands=hands, starter="JD", rules="acc")
    model.press("OK")
    assert is_open(model) == 0, "the two are the dealer's to take, and not pone's"
    model.press("7")
    model.press("OK")
    assert "OK: Take two" in prompt(model.state, model.saved)
    assert model.press("OK").event == events.HeelsTaken()
    assert (model.state.scores(), is_open(model)) == ((0, 2), 1)


def test_two_for_his_heels_that_are_not_taken_are_lost_with_the_dealers_card() -> None:
    model = in_play("chance", "", hands={1: "AC 2C 3C 4C QC KC"}, starter="JD", rules="acc")
    let_machines_act(model)
    model.press("3")
    assert model.state.deal is not None
    assert model.state.deal.heels_lost


@pytest.mark.parametrize("rules", ["acc", "acc-muggins"])
def test_a_machine_counts_its_own_hand_truly_and_a_person_counts_for_himself(rules: str) -> None:
    hands = {0: "4H 5H 6H 7H 8S 9S"}
    model = in_play("", "thrifty", hands=hands, rules=rules)
    for _ in range(40):
        if model.state.phase is not Phase.PLAY:
            break
        let_machines_act(model)
        if is_open(model) is not None and model.state.phase is Phase.PLAY:
            model.press(next(key for key in (*lit_keys(model.state, model.saved), "OK") if key != "UNDO"))
    said = refused(WrongKey, model.press, "OK")
    assert said == "ANN shows 4H 5H 6H 7H with 2D: type the count. GO: Nothing to peg"
    model.press_all("2 OK")
    for key in ("2", "GO", "FLNB"):
        said = refused(WrongKey, model.press, key)
        assert said == "BOB shows JS KS 10S 6S with 2D, and counts 4. OK: Go on"
    model.press("OK")
    shown = model.events[-1]
    assert isinstance(shown, events.HandShown)
    assert shown.points == total(next(one for one in model.state.outcomes if one.event is shown).scores)


# --- nobody peeks -----------------------------------------------------------------------------------


SEATED = [("", "chance"), ("", ""), ("chance", "thrifty"), ("", "", ""), ("", "chance", "", "")]


@pytest.mark.parametrize("levels", some_of(SEATED, 0, 4))
def test_no_answer_hangs_on_a_card_that_lies_closed(
    levels: tuple[str, ...],
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    """Two worlds that differ in closed cards alone give the same state, page, prompt, keys and log."""
    for seed in range(40 if whole else 2):
        check_that_no_answer_hangs_on_a_closed_card(levels, seed)


def check_that_no_answer_hangs_on_a_closed_card(levels: tuple[str, ...], seed: int) -> None:
    chance = Random(seed)
    model = game(*levels, dealer=seed % len(levels))
    for _ in range(60):
        if model.state.phase in {Phase.SHOW, Phase.CRIB} or model.state.winner is not None:
            break
        other = another_world(model, chance)
        if other is not None:
            assert answers(model) == answers(other)
        sensible = [key for key in lit_keys(model.state, model.saved) if key != "UNDO"]
        if machine_event(model.state, chance) and (not sensible or chance.random() < 0.7):
            model.act(chance)
        else:
            model.press(chance.choice(sensible))


def answers(model: Model) -> dict[str, object]:
    """Return all that the page and the glass are drawn from, for people who look at the table."""
    told = state_json(view_at(model.state, model.saved), 1, may_undo=True, may_redo=False)
    return told | {
        "keys": lit_keys(model.state, model.saved),
        "hand": hand_json(view_at(model.state, model.saved), choices(model.state, model.saved)),
        "felt": cards_on_table_json(view_at(model.state, model.saved), choices(model.state, model.saved)),
        "glass": draw(view_at(model.state, model.saved), may_undo=True).tobytes(),
        "log": log_json(game_log(model.events)),
    }


def another_world(model: Model, chance: Random) -> Model | None:
    """Return *model* with all cards that lie closed to everyone at the table dealt anew; None where that
    can't be.

    Somebody who said go might have held a card that fits there.
    """
    deal = model.state.deal
    assert deal is not None
    seat = is_open(model)
    seen = {*(card for row in deal.played for card in row)}
    seen |= {deal.starter} if deal.starter else set()
    seen |= {*deal.dealt[seat]} if seat is not None else set()
    hidden = [card for card in PACK if card not in seen]
    moved = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    other = Model(model.input_state)
    try:
        for event in model.events:
            anew = event
            if isinstance(event, PackShuffled | events.Discarded):
                anew = replace(event, cards=tuple(moved.get(card, card) for card in event.cards))
            other.events.append(anew)
            other.states.append(fold([anew], other.state))
    except Exception:  # noqa: BLE001  no such world
        return None
    return other
