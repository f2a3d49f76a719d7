"""Phones at one table: each sees its own hand and no other, and presses at a desk of its own."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.companions import press, running, set_up_of, start_of
from support.full_disk import files_no_longer_than
from support.patience import PATIENCE, joined, until
from support.presses import prompt
from support.referee import Referee
from support.refusals import refused
from support.samples import some, some_of
from support.worlds import another_world, open_cards, own_cards

from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import Hint, InputState, PhoneList
from cribpi.companion.entry.keys import RANKS, TWENTY
from cribpi.companion.entry.menu import items
from cribpi.companion.entry.next_game import USUAL_GAME
from cribpi.companion.entry.phones import ClosePhones, GiveRole, OpenPhones, Phone, Phones, RemovePhone, Role
from cribpi.companion.entry.requests import Play, Press
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import Running, assembled
from cribpi.companion.run.config import Config
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.companion.views.screen.layouts.lists import modules_of
from cribpi.companion.web.json.page import NO_CARRY, page_json
from cribpi.companion.web.json.state import shown_json
from cribpi.companion.web.phones.network import Reach
from cribpi.companion.web.phones.registry import CODE_SECONDS, MINUTE, Joined, PhoneFile, SeatTaken, hashed
from cribpi.companion.web.phones.seats import LOOK_AGAIN, PhoneClient
from cribpi.companion.web.phones.session import PhoneSession
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import Entry, Event, Misdealt
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.log import game_log

HOME = Reach(("192.168.0.7",))


@contextmanager
def table(state: Path, people: int = 2, levels: tuple[str, ...] = (), **settings: Any) -> Iterator[Running]:  # noqa: ANN401  the fields of Config
    """Run a companion with a game without real cards, to which phones are let in; nothing is served."""
    who = ("person",) * people + levels
    with running(
        state, seed=1, players=len(who), entry="dealt", levels=who, speed="fast", **settings
    ) as parts:
        parts.phones._find = lambda: HOME
        parts.phones.start(lambda _addresses, _door: lambda: None, 8121)
        parts.phones.registry.do(OpenPhones())
        yield parts


def join(parts: Running, role: Role | None, seat: int | None = None) -> PhoneClient:
    registry = parts.phones.registry
    registry._guesses.clear()  # a family is slower
    token = parts.phones.registry.admit(registry.code(), "iPhone")
    registry.choose(token, role, seat)
    found = parts.phones.at(token)
    assert found is not None
    until(lambda: registry.present == phones(parts).present)
    return found


def phones(parts: Running) -> Phones:
    """Return what the board's own desk is told of phones."""
    return parts.loop.table.now.view.phones


def pressed(phone: PhoneClient, key: str, if_seq: int | None = None) -> Any:  # noqa: ANN401  JSON
    answer = phone.do(Press(key), None, if_seq).result(PATIENCE)
    return (200 if answer.is_accepted else 409), json.loads(answer.text)


def keys(phone: PhoneClient) -> list[str]:
    return [choice["key"] for choice in phone.page()["choices"]]


def hand(phone: PhoneClient) -> list[str]:
    shown: Any = phone.page()["hand"]
    return shown["cards"] if shown else []


def glass(parts: Running) -> bytes:
    """Return what the board's screen shows once all of it has come there."""
    seen: list[bytes] = []
    while len(seen) < 5 or len({*seen[-5:]}) > 1:
        seen.append(parts.companion.glass())
        time.sleep(0.03)
    return seen[-1]


def started(parts: Running) -> None:
    for key in ("OK", "OK"):
        press(parts, key)
    until(lambda: bool(parts.loop.table.now.state.deal and any(parts.loop.table.now.state.deal.dealt)))


def test_each_phone_sees_its_own_hand_and_the_board_none_of_them(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann, bob = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        others = [join(parts, role) for role in (Role.KEYPAD, Role.SCOREBOARD, Role.WATCH, None)]
        started(parts)
        assert (len(hand(ann)), len(hand(bob))) == (6, 6)
        assert not set(hand(ann)) & set(hand(bob))
        assert [hand(other) for other in others] == [[]] * 4
        press(parts, "OK")
        assert parts.companion.page()["hand"] is None
        asks = parts.companion.page()["table"]["asks"]
        assert asks in {"ORANGE and BLUE to discard", "BLUE and ORANGE to discard"}, "no computer thinks"


def test_both_choose_at_the_same_time_and_neither_moves_the_table(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann, bob = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        started(parts)
        seq = parts.loop.table.now.seq
        for phone in (ann, bob):
            for card in hand(phone)[:2]:
                assert pressed(phone, card, seq)[0] == 200
        assert parts.loop.table.now.seq == seq
        assert ann.page()["hand"]["chosen"] == hand(ann)[:2]  # type: ignore[index]
        assert pressed(ann, "OK", seq)[0] == 200
        assert pressed(bob, "OK", seq)[0] == 200, "what Ann has done meanwhile changes nothing for Bob"
        until(lambda: str(parts.loop.table.now.state.phase) == "play")
        assert (len(hand(ann)), len(hand(bob))) == (4, 4)


def test_a_press_is_answered_once_however_often_it_is_sent(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann, bob = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        started(parts)
        card = hand(ann)[0]
        for _ in range(3):
            assert ann.do(Press(card), "one").result(PATIENCE).is_accepted
        assert ann.page()["hand"]["chosen"] == [card]  # type: ignore[index]
        other = hand(bob)[0]
        assert bob.do(Press(other), "one").result(PATIENCE).is_accepted
        assert bob.page()["hand"]["chosen"] == [other], "another phone's id is its own"  # type: ignore[index]


def hint(phone: PhoneClient) -> Any:  # noqa: ANN401  JSON
    shown: Any = phone.page()["hand"]
    return shown["hint"] if shown else None


def test_a_hint_is_given_to_the_phone_that_asked_and_others_may_discard_meanwhile(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann, bob = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        started(parts)
        begun, may_go_on = threading.Event(), threading.Event()
        give = parts.phones._give_hint

        def late(state: State, seat: int) -> Hint:
            begun.set()
            assert may_go_on.wait(PATIENCE)
            return give(state, seat)

        parts.phones._give_hint = late
        seq = parts.loop.table.now.seq
        assert pressed(ann, "FLNB")[0] == 200
        assert begun.wait(PATIENCE)
        assert hint(ann) == {"words": None, "cards": []}
        for card in hand(bob)[:2]:
            pressed(bob, card)
        pressed(bob, "OK")
        may_go_on.set()
        until(lambda: bool(hint(ann)["cards"]))
        assert set(hint(ann)["cards"]) < set(hand(ann))
        assert ann.page()["hand"]["chosen"] == hint(ann)["cards"]  # type: ignore[index]
        assert hint(ann)["words"]
        assert hint(bob) is None
        assert parts.loop.table.now.input_state.hint is None, "the board has asked nothing"
        assert parts.loop.table.now.seq == seq + 1, "which is Bob's discard"
        assert pressed(ann, "OK")[0] == 200


@pytest.mark.parametrize("fails", [True, False], ids=["fails", "comes too late"])
def test_a_hint_that_cannot_be_given_is_not_waited_for(fails: bool, tmp_path: Path) -> None:  # noqa: FBT001  a parameter
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 0)
        join(parts, Role.SEAT, 1)
        started(parts)
        may_go_on = threading.Event()

        def give(_state: State, _seat: int) -> Hint:
            assert may_go_on.wait(PATIENCE)
            if fails:
                raise ValueError("no idea")
            return Hint(tuple(before), "these", "these")

        parts.phones._give_hint = give
        before = hand(ann)[:2]
        pressed(ann, "FLNB")
        if not fails:  # the cards are dealt anew meanwhile
            assert parts.loop.ask(
                lambda each: each.do(Play(Misdealt(), each.now.state), COMPUTER).is_accepted
            ).result(PATIENCE)
        may_go_on.set()
        until(lambda: not ann._is_thinking)
        until(lambda: bool(hand(ann)))
        assert hint(ann) is None
        assert ann.page()["hand"]["chosen"] == []  # type: ignore[index]


def test_a_hint_for_a_seat_is_not_given_to_the_next_one_that_the_phone_takes(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        phone = join(parts, Role.SEAT, 0)
        started(parts)
        begun, may_go_on = threading.Event(), threading.Event()
        give = parts.phones._give_hint

        def late(state: State, seat: int) -> Hint:
            begun.set()
            assert may_go_on.wait(PATIENCE)
            return give(state, seat)

        parts.phones._give_hint = late
        pressed(phone, "FLNB")
        assert begun.wait(PATIENCE)
        parts.phones.do(GiveRole(1, Role.SEAT, 1))
        until(lambda: phone.phone.seat == 1)
        pressed(phone, "FLNB")
        may_go_on.set()
        until(lambda: bool(hint(phone)["cards"]))
        assert set(hint(phone)["cards"]) < set(hand(phone))


def test_a_refusal_is_told_to_its_phone_alone(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann, bob = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        started(parts)
        before = glass(parts)
        status, told = pressed(ann, hand(bob)[0])
        assert status == 409
        assert told["error"].startswith("You have no ")
        assert parts.loop.table.now.refusal is None
        assert glass(parts) == before


@pytest.mark.parametrize("role", [Role.SCOREBOARD, Role.WATCH, None])
def test_who_only_looks_can_press_nothing(role: Role | None, tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        phone = join(parts, role)
        started(parts)
        assert keys(phone) == []
        for key in ("OK", "MENU", "UNDO", "7", "hold:MENU"):
            assert pressed(phone, key)[0] == 409


def test_a_seat_takes_back_its_discard_with_the_starter_that_turned_by_itself(tmp_path: Path) -> None:
    with table(tmp_path, 1, ("chance",)) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        six = hand(ann)
        for card in six[:2]:
            assert pressed(ann, card)[0] == 200
        assert pressed(ann, "OK")[0] == 200
        until(lambda: (deal := parts.loop.table.now.state.deal) is not None and deal.turn == 0)
        assert pressed(ann, "UNDO")[0] == 200
        assert str(parts.loop.table.now.state.phase) == "deal"
        assert hand(ann) == six


def test_a_seat_opens_no_menu_and_takes_back_only_its_own(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann, bob = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        started(parts)
        assert not {"MENU", "hold:MENU", "P1", "UNDO"} & set(keys(ann))
        for key in (*hand(ann)[:2], "OK"):
            pressed(ann, key)
        assert "UNDO" in keys(ann)
        assert "UNDO" not in keys(bob)
        assert pressed(bob, "UNDO")[0] == 409
        assert pressed(ann, "UNDO")[0] == 200
        assert len(hand(ann)) == 6


def test_with_real_cards_a_seat_enters_no_card_of_another(tmp_path: Path) -> None:
    with running(tmp_path, seed=1, players=2, entry="cards") as parts:
        parts.phones._find = lambda: HOME
        parts.phones.start(lambda _addresses, _door: lambda: None, 8121)
        parts.phones.registry.do(OpenPhones())
        orange, blue = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        for key in ("OK", "OK", "P1", "K"):
            press(parts, key)
        assert parts.companion.state()["turn"] == 1
        assert (keys(orange), pressed(orange, "8")[0]) == ([], 409)
        assert pressed(blue, "8")[0] == 200
        assert pressed(orange, "7")[0] == 200
        assert parts.companion.state()["count"] == 15
        assert pressed(blue, "10")[0] == 200
        assert orange.page()["carry"] == NO_CARRY  # it would say go for another
        assert "K" in parts.companion.page()["carry"]["keys"]


def test_a_menu_on_a_phone_moves_nothing_and_stands_in_nobodys_way(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        keypad, ann = join(parts, Role.KEYPAD), join(parts, Role.SEAT, 0)
        started(parts)
        seq, before = parts.loop.table.now.seq, glass(parts)
        assert pressed(keypad, "MENU")[0] == 200
        assert keypad.page()["table"]["dialog"] == "Menu"
        assert (parts.loop.table.now.seq, parts.loop.table.now.input_state.dialog) == (seq, None)
        assert glass(parts) == before
        assert ann.page()["table"]["dialog"] is None
        assert pressed(ann, hand(ann)[0])[0] == 200
        assert not any(choice["label"] == "phones" for choice in keypad.page()["choices"])


def test_a_menu_that_is_open_when_another_game_begins_is_closed(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        keypad = join(parts, Role.KEYPAD)
        pressed(keypad, "MENU")
        press(parts, "OK")
        assert keypad.page()["table"]["dialog"] == "Menu", "it is only being set up"
        press(parts, "OK")
        assert keypad.page()["table"]["dialog"] is None


def test_a_menu_at_the_board_does_not_keep_phones_from_playing(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        press(parts, "MENU")
        for key in (*hand(ann)[:2], "OK"):
            assert pressed(ann, key)[0] == 200
        assert parts.companion.page()["table"]["dialog"] == "Menu"


def test_one_person_has_a_phone_and_the_other_the_board(tmp_path: Path) -> None:
    with table(tmp_path, 2, ("solid",)) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        names = parts.loop.table.now.state.names
        until(lambda: names[1] in parts.companion.page()["table"]["asks"])
        press(parts, "OK")
        shown: Any = parts.companion.page()["hand"]
        assert shown["seat"] == 1
        assert not set(shown["cards"]) & set(hand(ann))


def test_whose_phone_is_removed_plays_at_the_board_again(tmp_path: Path) -> None:
    with table(tmp_path, 1, ("solid",)) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        assert parts.companion.page()["hand"] is None
        own = hand(ann)
        gone: list[str] = []
        ann.subscribe(gone.append)
        parts.phones.registry.do(RemovePhone(1))
        until(lambda: parts.loop.table.now.context.here.away == ())
        assert gone[-1] == "gone"
        assert parts.companion.page()["hand"]["cards"] == own  # type: ignore[index]


def test_a_lost_phone_is_replaced_at_the_board_with_six_keys(tmp_path: Path) -> None:
    with table(tmp_path, 1, ("solid",)) as parts:
        lost = join(parts, Role.SEAT, 0)
        started(parts)
        own = hand(lost)
        found = join(parts, None)
        menu = [item.name.short for item in items(parts.loop.table.now.view)]
        at = RANKS[menu.index("phones")]
        for key in ("MENU", at, "OK", "3", "OK", "OK"):
            press(parts, key)
        until(lambda: found.phone.role is Role.SEAT)
        assert (hand(found), hand(lost)) == (own, [])
        assert lost.phone == Phone(1, "iPhone")
        for key in ("3", "OK", "4"):
            press(parts, key)
        parts.phones.registry.do(RemovePhone(2))
        until(lambda: len(phones(parts).present) == 1)
        assert "has left" in parts.companion.page()["table"]["asks"]
        press(parts, "OK")


@pytest.mark.parametrize("by", ["the board", "the phone"])
def test_a_computers_seat_is_given_to_no_phone(by: str, tmp_path: Path) -> None:
    with table(tmp_path, 1, ("solid",)) as parts:
        phone = join(parts, None)
        started(parts)
        ways: dict[str, Callable[[], object]] = {
            "the board": lambda: parts.companion.change_phones(GiveRole(1, Role.SEAT, 1)),
            "the phone": lambda: phone.choose(Role.SEAT, 1),
        }
        assert refused(SeatTaken, ways[by]) == "No person plays that seat: choose another."
        assert phone.phone.role is None


def test_a_press_on_its_way_counts_no_more_once_its_phone_has_another_role(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        card, beside = hand(ann)[0], ann.session()
        ann.choose(Role.WATCH, None)
        said = refused(RuleError, beside.effect, Press(card), parts.loop.table.now)
        assert said == "Only the keypad at the board can do that."


def test_a_press_that_waits_counts_no_more_even_before_anybody_has_noticed_why(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        card, may_go_on = hand(ann)[0], threading.Event()
        parts.loop.ask(lambda _: may_go_on.wait(PATIENCE))
        answer = ann.do(Press(card))
        parts.phones.registry.on_change = lambda: None
        parts.phones.registry.do(GiveRole(1, Role.WATCH))
        may_go_on.set()
        assert not answer.result(PATIENCE).is_accepted


def test_the_board_says_how_to_join_and_the_code_is_on_no_phone(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        keypad = join(parts, Role.KEYPAD)
        press(parts, "MENU")
        lines = parts.companion.page()["choices"]
        line = next(choice for choice in lines if choice["label"] == "phones")
        press(parts, line["key"])
        press(parts, "OK")
        until(lambda: bool(phones(parts).code))
        code = phones(parts).code
        assert f"open http://192.168.0.7:8121/ and type {code}" in parts.companion.page()["table"]["asks"]
        told = json.dumps([keypad.page(), keypad.state(), keypad.me(), keypad.log()])
        assert code not in told
        now = parts.loop.table.now
        here = replace(now.context.here, phones=replace(now.view.phones, code=""))
        unknown = SavedInput(now.input_state, replace(now.context, here=here))
        assert "/ and type the letters there. " in prompt(now.state, unknown)
        seq = parts.loop.table.now.seq
        for phone in (keypad, *(join(parts, role) for role in (Role.SCOREBOARD, Role.WATCH, None))):
            assert code not in json.dumps([pressed(phone, "MENU"), pressed(phone, "MENU", seq - 1)])


def test_a_phone_sees_a_second_hand_of_a_deal_only_by_somebody_at_the_board(
    tmp_path: Path,
) -> None:
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 1)
        ann.choose(Role.SEAT, 0)  # before the cards are dealt, it has seen nothing
        started(parts)
        seen = hand(ann)
        for role in (Role.SEAT, Role.WATCH, None):
            ann.choose(role, 0)
            said = refused(SeatTaken, ann.choose, Role.SEAT, 1)
            assert (
                said
                == "This phone has seen ORANGE's cards. Take BLUE's seat in the next deal, or have it handed over at the board."
            )
        assert hand(ann) == []
        ann.choose(Role.SEAT, 0)
        assert hand(ann) == seen
        parts.phones.do(GiveRole(1, Role.SEAT, 1))
        assert set(hand(ann)).isdisjoint(seen)
        said = refused(SeatTaken, ann.choose, Role.SEAT, 0)
        assert (
            said
            == "This phone has seen BLUE's cards. Take ORANGE's seat in the next deal, or have it handed over at the board."
        )
        for _ in range(50):  # the computer may have dealt anew already, and then she has seen BLUE's again
            assert parts.loop.ask(
                lambda each: each.do(Play(Misdealt(), each.now.state), COMPUTER).is_accepted
            ).result(PATIENCE)
            with suppress(SeatTaken):
                ann.choose(Role.SEAT, 0)
                break
        else:
            raise AssertionError("nobody could take another seat in the next deal")


def test_a_phone_sees_no_second_hand_of_cards_that_undo_brings_back(tmp_path: Path) -> None:
    with table(tmp_path, automatic=()) as parts:
        token = parts.phones.registry.admit(parts.phones.registry.code(), "iPhone")
        phone = parts.phones.at(token)
        assert phone is not None
        phone.choose(Role.SEAT, 0)
        deal_by_key(parts)
        seen = hand(phone)
        assert len(seen) == 6
        phone.choose(Role.KEYPAD, None)
        while any(parts.loop.table.now.state.deal.dealt):  # type: ignore[union-attr]
            pressed(phone, "UNDO")
        phone.choose(Role.SEAT, 1)  # no cards lie there
        deal_by_key(parts)
        assert hand(phone) == []
        assert "has seen ORANGE's cards of this deal, so BLUE's stay hidden" in str(phone.state()["message"])
        assert keys(phone) == []
        assert pressed(phone, "2C")[0] == 409
    with table(tmp_path, automatic=()) as parts:
        again = parts.phones.at(token)
        assert again is not None
        assert hand(again) == []
        parts.phones.do(GiveRole(1, Role.SEAT, 1))
        assert len(hand(again)) == 6
        assert not {*hand(again)} & {*seen}
        assert again.state()["message"] is None


def deal_by_key(parts: Running) -> None:
    """Go on with OK until cards are dealt."""
    while (deal := parts.loop.table.now.state.deal) is None or not any(deal.dealt):
        assert "error" not in press(parts, "OK")


def test_a_phone_in_the_computers_seat_is_shown_and_does_nothing(tmp_path: Path) -> None:
    """UNDO leads from a game of two persons to one with the computer, and all at once to every phone."""
    with table(tmp_path, 1, ("thrifty",)) as parts:
        started(parts)
        until(lambda: bool(parts.loop.table.now.state.deal.discards[1]))  # type: ignore[union-attr]
        two = {"players": 2, "entry": "dealt", "levels": ["", ""], "automatic": []}
        assert parts.companion.do(start_of(two)).result(PATIENCE).is_accepted
        bob = join(parts, Role.SEAT, 1)

        def at_once(each: Table) -> list[str]:
            """Take the new game back, and ask before any other thread could."""
            assert each.do(Press("UNDO")).is_accepted
            told = [json.dumps([bob.state(), bob.page(), bob.log(), bob.me()])]
            beside = bob.session()
            for key in ("OK", "UNDO", "FLNB", *map(str, PACK)):
                answer = each.do(Press(key), beside)
                assert not answer.is_accepted
                told.append(answer.text.replace(key, ""))
            return told

        told = parts.loop.ask(at_once).result(PATIENCE)
        dealt = parts.loop.table.now.state.deal.dealt[1]  # type: ignore[union-attr]
        assert not [card for card in dealt if any(f'"{card}"' in text or f" {card}" in text for text in told)]
        assert bob.phone.role is None
        assert parts.loop.ask(lambda each: each.do(Press("hold:UNDO"))).result(PATIENCE).is_accepted
        assert bob.phone.seat == 1, "in the game of two it plays again"


def test_of_two_threads_neither_brings_back_a_role_that_the_other_has_seen_go(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        token = parts.phones.registry.admit(parts.phones.registry.code(), "iPhone")
        ann = parts.phones.at(token)
        assert ann is not None
        ann.choose(Role.SEAT, 0)
        started(parts)
        assert hand(ann)
        known, changing = parts.phones.registry.known, list[threading.Thread]()

        def slowly(token: str) -> Phone | None:
            """What is known is old by the time that it is told."""
            found = known(token)
            if not changing:
                changing.append(threading.Thread(target=lambda: ann.choose(Role.WATCH, None)))
                changing[0].start()
                until(lambda: known(token) != found)
                changing[0].join(0.2)  # it has changed the role, and may wait for us to be done
            return found

        parts.phones.registry.known = slowly  # type: ignore[method-assign]
        assert ann.page()["hand"], "as it was when this began"
        joined(changing[0])
        parts.phones.registry.known = known  # type: ignore[method-assign]
        assert ann._latest.phone.role is Role.WATCH
        assert hand(ann) == []


def test_a_phone_that_gets_the_number_of_another_gets_none_of_its_answers(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        missing = next(str(card) for card in PACK if str(card) not in hand(ann))
        first = ann.do(Press(missing), "one").result(PATIENCE)
        assert f"You have no {missing}" in first.text
        ann.leave()
        eve = join(parts, Role.WATCH)
        assert eve.phone.number == 1
        assert eve.do(Press(missing), "one").result(PATIENCE).text != first.text


def test_a_hand_is_shown_once_it_is_kept_that_it_was(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        with files_no_longer_than(0):
            assert hand(ann) == []
            assert "Your cards stay hidden until the board can save (" in str(ann.state()["message"])
            assert parts.phones.registry.is_refused
        told: list[str] = []
        ann.subscribe(told.append)
        parts.phones._wake.set()  # the time has come to try again
        until(lambda: not parts.phones.registry.is_refused)
        until(lambda: {"state", "page"} <= {*told})
        assert len(hand(ann)) == 6
        assert ann.state()["message"] is None


def test_a_phone_that_is_removed_while_the_disk_is_full_does_not_come_back(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        token = parts.phones.registry.admit(parts.phones.registry.code(), "iPhone")
        stays = join(parts, Role.WATCH)
        with files_no_longer_than(0):
            left: Any = parts.companion.change_phones(RemovePhone(1))
            assert [phone["number"] for phone in left["phones"]] == [2]
            until(lambda: "phones" in parts.loop.troubles)
            assert "every phone must join again" in parts.loop.troubles["phones"]
            assert read_phones(tmp_path) == ()
        assert stays.phone.role is Role.WATCH
    assert all(one.key != hashed(token) for one in read_phones(tmp_path))


def read_phones(state: Path) -> tuple[Joined, ...]:
    return PhoneFile(state).read().phones


def test_a_hand_that_lies_open_at_the_board_is_closed_when_a_phone_goes_elsewhere(tmp_path: Path) -> None:
    with table(tmp_path, people=3, automatic=()) as parts:
        keypad = join(parts, Role.KEYPAD)
        deal_by_key(parts)
        press(parts, "OK")
        assert len(parts.companion.page()["hand"]["cards"]) == 5  # type: ignore[index]
        for key in ("UNDO", "hold:UNDO"):  # the same cards, and perhaps nobody looks
            assert pressed(keypad, key)[0] == 200
            assert parts.companion.page()["hand"] is None


def test_what_may_be_done_beside_it_leaves_a_hand_open_at_the_board(tmp_path: Path) -> None:
    with table(tmp_path, people=3) as parts:
        ann = join(parts, Role.SEAT, 0)
        started(parts)
        press(parts, "OK")
        before: Any = parts.companion.page()["hand"]
        assert before["seat"] != 0
        for key in (hand(ann)[0], "OK"):
            assert pressed(ann, key)[0] == 200
        assert parts.companion.page()["hand"]["cards"] == before["cards"]  # type: ignore[index]


def test_a_press_is_answered_with_what_its_own_phone_is_told(tmp_path: Path) -> None:
    with table(tmp_path, people=3) as parts:
        ann, bob = join(parts, Role.SEAT, 0), join(parts, Role.SEAT, 1)
        started(parts)
        press(parts, "OK")  # the third one's hand lies open at the board
        before = ann.state()
        assert pressed(ann, hand(ann)[0], before["seq"]) == (200, ann.state())
        press(parts, "MENU")
        assert pressed(ann, "OK") == (200, ann.state())
        press(parts, "MENU")
        for key in (hand(bob)[0], "OK"):
            assert pressed(bob, key) == (200, bob.state())
        press(parts, "OK")
        press(parts, parts.companion.page()["hand"]["cards"][0])  # type: ignore[index]
        press(parts, "OK")
        until(lambda: str(parts.loop.table.now.state.phase) == "play")  # the starter is turned by itself
        status, refused = pressed(bob, "MENU", before["seq"])
        assert (status, refused["state"]) == (409, bob.state())


def test_who_was_here_is_here_after_a_restart_with_the_same_hand(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        registry = parts.phones.registry
        token = parts.phones.registry.admit(registry.code(), "iPhone")
        registry.choose(token, Role.SEAT, 1)
        started(parts)
        ann = parts.phones.at(token)
        assert ann is not None
        before = hand(ann)
    with table(tmp_path) as parts:
        again = parts.phones.at(token)
        assert again is not None
        until(lambda: parts.loop.table.now.context.here.away == (1,))
        assert hand(again) == before


def test_after_a_restart_no_hand_that_a_phone_holds_lies_open_at_the_board(tmp_path: Path) -> None:
    """Its holder had opened it there, before he had a phone."""
    with table(tmp_path, people=3) as parts:
        started(parts)
        press(parts, "OK")
        own: Any = parts.companion.page()["hand"]
        join(parts, Role.SEAT, own["seat"])
        until(lambda: parts.loop.table.now.context.here.away == (own["seat"],))
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True) as parts:
        assert parts.companion.page()["hand"] is None, "not even as long as nothing else has happened"


def play(parts: Running, phones: list[PhoneClient], chance: Random) -> None:
    """Let whoever can press do so until the game is over; what each sees is only its own."""
    end = time.monotonic() + PATIENCE  # a level's thinking takes time, and not a number of looks
    while parts.loop.table.now.state.winner is None:
        assert time.monotonic() < end, "the game came to no end"
        phone = chance.choice(phones)
        offered = [key for key in keys(phone) if key not in {"UNDO", "FLNB"}]
        if offered:
            pressed(phone, "OK" if "OK" in offered else chance.choice(offered))
        else:
            time.sleep(0.001)
        for one in phones:
            others = [other for other in phones if other is not one]
            assert not set(hand(one)) & {card for other in others for card in hand(other)}


@pytest.mark.parametrize("machines", some_of([(), ("solid",)], 1))
def test_a_whole_game_is_played_from_phones(machines: tuple[str, ...], tmp_path: Path) -> None:
    with table(tmp_path, 3, machines, target=31) as parts:
        phones = [join(parts, Role.SEAT, seat) for seat in range(3)]
        press(parts, "OK")
        press(parts, "OK")
        play(parts, phones, Random(5))
        state = parts.loop.table.now.state
        assert max(state.scores()) >= 31
        assert {phone.state()["winner"] for phone in phones} == {state.winner}


# --- the law: what a role is told hangs on nothing that it may not see ----------------------------------


def told(role: Role | None, seat: int | None, line: list[Event]) -> str:
    """Return all that a phone with *role* is told where *line* ends, whatever is open at the board."""
    log = game_log(line)
    found: list[object] = []
    for input_state in (
        InputState(),
        InputState(open_seat=0),
        InputState(open_seat=1),
        InputState(dialog=PhoneList()),
    ):
        now = Snapshot(input_state, InputContext(USUAL_GAME), len(line), True, False, log)  # noqa: FBT003  a record
        beside = PhoneSession(Phone(1, "iPhone", role, seat), TWENTY)
        seen = beside.seen(now)
        found += [page_json(seen, lambda: beside.choices(now), Strict(), {}), shown_json(seen, Faults())]  # noqa: B023  called at once
        for key in ("OK", "FLNB", "A", "7H", "UNDO"):
            try:
                beside.effect(Press(key), now)
                found.append({})  # what comes of it is told by the next state
            except RuleError as refused:
                found.append({"error": str(refused)})
    return json.dumps(found)


class Strict(Faults):
    """Lets no fault pass."""

    def guarded(self, _view: str, _of: object, make: Callable[[], Any], _instead: object) -> Any:  # noqa: ANN401
        return make()


@pytest.mark.parametrize(
    ("players", "seed"), some([(players, seed) for players in (2, 3, 4) for seed in range(8)], 0, 9)
)
def test_no_phone_is_told_of_a_card_that_its_seat_does_not_see(players: int, seed: int) -> None:
    chance, compared = Random(seed), 0
    referee = Referee(preset("standard", players), chance, entry=Entry.DEALT, levels=("",) * players)
    done: list[Event] = []
    for expected in islice(referee.game(), 60):
        done.append(expected.event)
        if chance.random() < 0.8 or (state := fold(done)).deal is None or not any(state.deal.dealt):
            continue
        for seat in range(players):
            try:
                other = another_world(done, open_cards(state) | own_cards(state, seat), chance)
                assert told(Role.SEAT, seat, other) == told(Role.SEAT, seat, done)
                compared += fold(other) != state
            except RuleError:  # there somebody who said go would have held a card that fits
                continue
        for role in (Role.KEYPAD, Role.SCOREBOARD, Role.WATCH, None):
            try:
                other = another_world(done, open_cards(state), chance)
                assert told(role, None, other) == told(role, None, done)
            except RuleError:
                continue
    assert compared > 5


def test_the_waits_are_as_people_would_have_them() -> None:
    assert LOOK_AGAIN <= MINUTE


def test_the_boards_own_page_is_told_how_a_phone_joins_and_who_is_here(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        until(lambda: bool(parts.phones._reach.addresses))
        join(parts, Role.SEAT, 1)
        join(parts, None)
        found: Any = parts.companion.phones()
        code = parts.phones.registry.code()
        assert (found["open"], found["address"], found["code"]) == (True, "http://192.168.0.7:8121/", code)
        assert 0 < found["seconds"] <= CODE_SECONDS
        assert found["modules"] == [
            list(map(int, row)) for row in modules_of(f"HTTP://192.168.0.7:8121/J/{code}")
        ]
        assert [(phone["number"], phone["role"], phone["name"]) for phone in found["phones"]] == [
            (1, "seat", parts.loop.table.now.context.next_game.seat_names()[1]),
            (2, None, ""),
        ]
        left: Any = parts.companion.change_phones(RemovePhone(1))
        assert [phone["number"] for phone in left["phones"]] == [2]
        closed: Any = parts.companion.change_phones(ClosePhones())
        assert (closed["open"], closed["code"], closed["modules"], closed["phones"]) == (False, "", [], [])


def test_phones_that_wait_are_told_when_another_game_is_set_up(tmp_path: Path) -> None:
    with table(tmp_path) as parts:
        ann = join(parts, Role.SEAT, 0)
        told: list[str] = []
        ann.subscribe(told.append)
        request = {"players": 3, "levels": ["", "", ""], "menu": False}
        assert parts.companion.do(set_up_of(request)).result(PATIENCE).is_accepted
        until(lambda: "phone" in told)
        assert [seat["seat"] for seat in ann.me()["seats"]] == [0, 1, 2]
