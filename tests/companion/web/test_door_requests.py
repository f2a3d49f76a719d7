"""What may come in: every key of the contract, and a sentence for everything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.held_to_schema import BODIES, hold_body
from support.http_page import fields_of

from cribpi.companion.entry.keys import HOLDS, KEYS, is_key
from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import ChangeNextGame, Name, Peg, Press
from cribpi.companion.web.openapi import OPERATIONS
from cribpi.companion.web.requests import (
    REQUEST_PARSERS,
    BadRequest,
    count_request,
    fault_request,
    join_request,
    parse_request,
    phones_request,
    role_request,
)
from cribpi.cribbage.game.show import Kind
from cribpi.cribbage.words.cards import parse_cards

CARDS = [rank + suit for rank in (*"A23456789JQK", "10") for suit in "CDHS"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(), each, max_size=3),
    max_leaves=6,
)


def sentence(what: str, body: bytes) -> str:
    """Return the sentence with which *body* is refused; an empty one where it is not."""
    try:
        parse_request(what, body)
    except BadRequest as error:
        return str(error)
    return ""


BAD_PRESSES = [
    # body                                   words of the sentence   why
    (b"", "not JSON", "nothing was sent"),
    (b"{", "not JSON", "it ends too soon"),
    (b'{"key": "7"} {}', "not JSON", "something follows"),
    (b"\xff\xfe", "not JSON", "it is no UTF-8"),
    (b"[" * 4000, "not JSON", "it is nested too deeply to be read"),
    (b'["7"]', "not an object", "a list"),
    (b"null", "not an object", "nothing, in JSON"),
    (b"{}", "key is missing", "not a key"),
    (b'{"key": 7}', "give text", "a number is not a key's name"),
    (b'{"key": null}', "key is missing", "neither is null"),
    (b'{"key": ["7"]}', "give text", "nor a list"),
    (b'{"key": ""}', "not a key", "an empty name"),
    (b'{"key": "11H"}', "not a key", "no such rank"),
    (b'{"key": "1"}', "not a key", "an ace, or a ten?"),
    (b'{"key": "5 5"}', "not a key", "two cards"),
    (b'{"key": "ok"}', "not a key", "not as it is called"),
    (b'{"key": "hold:OK"}', "not a key", "no such hold"),
    (b'{"key": "GO\\n"}', "not a key", "a key and a line end"),
    (b'{"key": "7", "id": 3}', "id = 3", "an id is text"),
    (b'{"key": "7", "id": "\\ud800"}', "not JSON in UTF-8", "it could not be written down"),
    (b'{"key": "7", "if_seq": "214"}', "if_seq", "a text"),
    (b'{"key": "7", "if_seq": 214.0}', "if_seq", "presses are counted whole"),
    (b'{"key": "7", "if_seq": true}', "if_seq", "true is no number"),
    (b'{"key": "7", "if_seq": [214]}', "if_seq", "a list"),
    (b'{"key": "7", "carry": 1}', "carry", "a number"),
]

BAD_PEGS = [
    (b'{"kind": "go"}', "side is missing", "for whom?"),
    (b'{"side": true, "kind": "go"}', "side = true", "true is not a number, even if Python can add it"),
    (b'{"side": "0", "kind": "go"}', "whole number", "a text"),
    (b'{"side": 3, "kind": "go"}', "from 0 to 2", "no such side"),
    (b'{"side": -1, "kind": "go"}', "from 0 to 2", "no such side either"),
    (b'{"side": 0}', "kind or points", "what?"),
    (b'{"side": 0, "kind": "go", "points": 1}', "not both", "which?"),
    (b'{"side": 0, "kind": "straight"}', "choose one of double-pair-royal, fifteen", "no word of cribbage"),
    (b'{"side": 0, "points": 2.5}', "whole number", "half a hole"),
    (b'{"side": 0, "kind": "run", "cards": 456}', "list of cards", "a number"),
    (b'{"side": 0, "kind": "run", "cards": ["4", "11"]}', "not a card", "no such rank"),
    (b'{"side": 0, "kind": "go", "if_seq": "2"}', "if_seq", "a text"),
]

BAD_RULES = [
    (b"{}", "no rules were asked for", "nothing"),
    (b'{"id": "one"}', "no rules were asked for", "nothing, by a name"),
    (b'["lowe"]', "not an object", "a list"),
    (b'{"rules": null}', "no rules were asked for", "no preset"),
    (b'{"rules": "lowe", "players": "3"}', "whole number", "a text"),
    (b'{"players": true}', "whole number", "true is no number"),
    (b'{"entry": "suits"}', "choose one of cards, peg", "no such entry"),
    (b'{"entry": 1}', "choose one of cards, peg", "a number"),
    (b'{"options": ["heels"]}', "options = ", "a list"),
    (
        b'{"options": {"target": 61}}',
        "options.target = 61: give text",
        "a number: values are as they are written",
    ),
    (b'{"options": {"heels": "\\ud800"}}', "not JSON in UTF-8", "it could not be written down"),
]

BAD_NAMES = [
    (b"{}", "names is missing", "none"),
    (b'{"names": "Ann"}', "list", "a text"),
    (b'{"names": []}', "give one to 4", "nobody"),
    (b'{"names": ["A", "B", "C", "D", "E"]}', "give one to 4", "nobody plays with five"),
    (b'{"names": ["Ann", 2]}', "give a list of names in quotes", "a number"),
    (
        json.dumps({"names": ["x" * 41]}).encode(),
        "has 41 characters: use 40 at most",
        "no line holds it",
    ),
    (
        b'{"names": ["A\\u0007nn"]}',
        "has U+0007, a control character, which is invisible: remove it",
        "a bell",
    ),
    (b'{"names": ["\\udcff"]}', "not JSON in UTF-8", "it could not be written down"),
]

BAD_REMOVALS = [
    (b"{}", 'send the number of one game, {"remove": 7} or {"restore": 7}', "which one?"),
    (b'{"remove": 1, "restore": 2}', "send the number of one game", "two at once"),
    (b'{"remove": "1"}', "whole number", "a text"),
    (b'{"remove": true}', "whole number", "true is no number"),
    (b'{"remove": [1, 2]}', "whole number", "a list"),
    (b'{"restore": 2.0}', "whole number", "games are counted whole"),
]

CONTRACT = [
    "A",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "J",
    "Q",
    "K",
    "GO",
    "FLNB",
    "P1",
    "P2",
    "P3",
    "UP",
    "DOWN",
    "LEFT",
    "RIGHT",
    "UNDO",
    "MENU",
    "OK",
    "hold:UNDO",
    "hold:MENU",
]


@pytest.mark.parametrize("key", CONTRACT + CARDS)
def test_every_key_of_the_contract_and_every_card_with_its_suit_is_a_key(key: str) -> None:
    assert parse_request("press", json.dumps({"key": key, "id": "x"}).encode()).request == Press(key)


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("7h", "7H"),
        ("T", "10"),
        ("5\u2665\ufe0f", "5H"),
        ("ten of hearts", "10H"),
        ("jack", "J"),
        ("7\n", "7"),
    ],
)
def test_a_card_is_a_key_as_people_type_it(typed: str, key: str) -> None:
    assert parse_request("press", json.dumps({"key": typed}).encode()).request == Press(key)


@pytest.mark.parametrize(
    "typed", ["4,5,6", "456", "four five six", ["4", "5", "6"], ["four", "\uff15", "6 "], "\u00ab4\u00bb 5-6"]
)
def test_the_cards_of_a_run_are_a_list_or_a_text(typed: object) -> None:
    body = json.dumps({"side": 0, "kind": "run", "cards": typed}).encode()
    assert parse_request("peg", body).request == Peg(0, Kind.RUN, parse_cards("4 5 6"))


@pytest.mark.parametrize(
    ("sent", "carry"),
    [("", False), (', "carry": null', False), (', "carry": true', True), (', "carries": 2', False)],
)
def test_a_card_may_carry_what_it_says_and_the_table_knows_what(sent: str, carry: bool) -> None:  # noqa: FBT001
    assert parse_request("press", f'{{"key": "7"{sent}}}'.encode()).request == Press("7", carry)


@pytest.mark.parametrize(("sent", "seq"), [("", None), (', "if_seq": null', None), (', "if_seq": 0', 0)])
def test_a_press_and_a_peg_may_say_which_state_they_are_for(sent: str, seq: int | None) -> None:
    assert parse_request("press", f'{{"key": "7"{sent}}}'.encode()).if_seq == seq
    assert parse_request("peg", f'{{"side": 0, "kind": "go"{sent}}}'.encode()).if_seq == seq


@pytest.mark.parametrize(
    ("what", "body", "words", "why"),
    [
        (what, *row)
        for what, rows in (
            ("press", BAD_PRESSES),
            ("peg", BAD_PEGS),
            ("names", BAD_NAMES),
            ("games", BAD_REMOVALS),
            ("rules", BAD_RULES),
        )
        for row in rows
    ],
)
def test_what_can_not_be_asked_is_refused_in_a_sentence(what: str, body: bytes, words: str, why: str) -> None:
    assert words in sentence(what, body), why


def test_rules_pass_on_what_the_contract_names() -> None:
    body = b'{"rules": "acc", "players": 2, "entry": "peg", "options": {}, "id": "a"}'
    assert parse_request("rules", body) == (
        ChangeNextGame(Changes(rules="acc", players=2, options={}, entry="peg")),
        "a",
        None,
    )


def test_a_peg_passes_on_what_the_contract_names() -> None:
    body = b'{"side": 1, "kind": "run", "cards": ["4", "5H", "T"], "id": "a"}'
    assert parse_request("peg", body) == (Peg(1, Kind.RUN, parse_cards("4 5H 10")), "a", None)


def test_an_empty_name_is_passed_on_so_that_a_seat_can_have_its_colour_back() -> None:
    assert parse_request("names", b'{"names": ["", "  Bob   B. "]}').request == Name(("", "Bob B."))


@given(JSON)
def test_any_json_is_a_press_or_a_sentence_and_never_another_error(value: object) -> None:
    for what in ("press", "peg", "names", "games", "rules"):
        assert sentence(what, json.dumps(value).encode()).isprintable()


@given(st.text())
def test_a_key_has_no_other_spelling(name: str) -> None:
    assert is_key(name) == (name in KEYS or name in HOLDS or name in CARDS)


READERS: dict[str, tuple[Callable[[bytes], Any], bytes]] = {
    "join": (join_request, b'{"code": "AB12CD", %s}'),
    "phone": (role_request, b'{"role": "seat", "seat": 1, %s}'),
    "phones": (phones_request, b'{"phones": "open", %s}'),
    "fault": (fault_request, b'{"fault": "TypeError", %s}'),
    "count": (count_request, b'{"cards": "5c5d5s JH", %s}'),
    "press": (partial(parse_request, "press"), b'{"key": "7", %s}'),
    "peg": (partial(parse_request, "peg"), b'{"side": 0, "points": 2, %s}'),
    "names": (partial(parse_request, "names"), b'{"you": "Ann", %s}'),
    "games": (partial(parse_request, "games"), b'{"remove": 2, %s}'),
    "rules": (partial(parse_request, "rules"), b'{"rules": "lowe", %s}'),
    "game": (partial(parse_request, "game"), b'{"players": 2, %s}'),
    "power": (partial(parse_request, "power"), b'{"power": "off", %s}'),
}


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize("misspelt", ["if_sq", "ID", "key2"])
def test_a_key_that_nobody_knows_is_refused_with_those_that_are_known(what: str, misspelt: str) -> None:
    read, body = READERS[what]
    read(body % b'"id": null')
    with pytest.raises(
        BadRequest, match=f"{misspelt} = 214: no such key here; remove it, or use one of [a-z]"
    ):
        read(body % f'"{misspelt}": 214'.encode())


EXAMPLES: dict[str, list[dict[str, Any]]] = {
    **{
        name.removeprefix("POST /api/"): list(map(dict, one.examples))
        for name, one in OPERATIONS.items()
        if one.body
    },
    "join": [{"code": "AB12CD"}],
    "phone": [{"role": "seat", "seat": 1}, {"role": None}],
}
OTHERS: list[object] = ["7", 7, 2.5, True, ["7"], [7], {}, {"target": "61"}, {"target": 61}]
"""Values of all types of JSON."""


def reader_of(what: str) -> Callable[[bytes], Any]:
    return READERS[what][0] if what in READERS else partial(parse_request, what)


def test_every_body_has_its_reader() -> None:
    # A setting that nobody knows is the table's to refuse.
    assert {*READERS, "settings"} == set(EXAMPLES) == {path.removeprefix("/api/") for path in BODIES}


@pytest.mark.parametrize("what", EXAMPLES)
def test_each_example_is_of_its_type_and_is_read(what: str) -> None:
    for example in EXAMPLES[what]:
        body = json.dumps(example).encode()
        hold_body(f"/api/{what}", body)
        reader_of(what)(body)


@pytest.mark.parametrize("what", READERS)
def test_the_fields_of_a_type_are_those_that_are_read(what: str) -> None:
    known: set[str] = set()
    for example in EXAMPLES[what]:
        with pytest.raises(BadRequest) as refused:
            reader_of(what)(json.dumps(example | {"misspelt": 1}).encode())
        known |= set(str(refused.value).rpartition("use one of ")[2].split(", "))
    assert known == set(fields_of(BODIES[f"/api/{what}"]))


@pytest.mark.parametrize("what", EXAMPLES)
def test_a_body_of_another_type_is_not_read(what: str) -> None:
    examples = EXAMPLES[what]
    changed = [
        *({name: value for name, value in one.items() if name != gone} for one in examples for gone in one),
        *(one | {name: other} for one in examples for name in one for other in OTHERS),
        *(one | other for one in examples for other in examples),
    ]
    read = unread = 0
    for body in (json.dumps(one).encode() for one in changed):
        try:
            reader_of(what)(body)
        except BadRequest:
            unread += 1
        else:
            read += 1
            hold_body(f"/api/{what}", body)
    assert min(read, unread) > 0


@pytest.mark.parametrize("what", [what for what in READERS if what in REQUEST_PARSERS])
def test_whatever_is_asked_of_the_table_may_say_which_state_it_is_for(what: str) -> None:
    read, body = READERS[what]
    assert read(body % b'"if_seq": 214').if_seq == 214
