"""The screens: each as its golden picture, and laws that hold for any that random keys can reach."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops
from support.paths import DOCS, TESTS
from support.presses import lit_keys, may_hint, press, view_at
from support.samples import some_of
from support.screen_laws import KEYS_OFTEN, SETUPS, TROUBLES, wrong
from support.screens import (
    CLAIM,
    CLOSED,
    COUNT,
    DEAL,
    DEALT,
    DEALT_3,
    DEALT_4,
    DEALT_LOST,
    FIFTEEN,
    FOUR,
    GO_SAID,
    HAND,
    LONG_4,
    LOST,
    MACHINE,
    MATCH,
    MATCH_OF_1,
    MUGGINS,
    MUGGINS_3,
    NEXT,
    SEEN,
    SHARED_LONG,
    THREE,
    TWO,
    WON,
    WRONG_OLED,
    Evening,
    Seen,
    page,
)

import cribpi
from cribpi.companion.devices.oled import packed
from cribpi.companion.entry import corrections
from cribpi.companion.entry.choice import GameView
from cribpi.companion.entry.effect import Refusal
from cribpi.companion.entry.input_state import Hint
from cribpi.companion.entry.keys import RANKS
from cribpi.companion.entry.menu import pages_of, why_pages
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.scenes import scene_at
from cribpi.companion.entry.view import fitted as context_for
from cribpi.companion.entry.view import view_of
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.screen.canvas import BIG, COLUMNS, HEIGHT, WIDTH, PlacedText, Shape
from cribpi.companion.views.screen.layouts.dialogs import TITLES, title_of
from cribpi.companion.views.screen.screen import compose, draw, draw_start
from cribpi.companion.views.screen.sheet import ANY_NUMBER, ANY_RANK, MARK_LEFT, ROWS, Sheet
from cribpi.companion.views.screen.wording import fitted
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.cite import cite
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rulebook import rulebook
from cribpi.cribbage.words.shows import players_count
from cribpi.cribbage.words.why import reasons_of

GOLDEN = TESTS / "golden" / "screens"
PAGE = DOCS / "reference" / "screens.md"
REDRAW = "look at the picture, and if it is right: pytest tests/companion/views --redraw-golden"

SEEN_BY_NAME = {seen.name: seen for seen in SEEN}
ALL = [pytest.param(seen, id=seen.name) for seen in SEEN]
A_FEW = some_of(ALL, *range(0, len(ALL), 4))
"""For laws that hang on the sort of a screen, of which there are fewer."""


def texts_of(sheet: Sheet) -> set[tuple[str, str]]:
    return {(text.size, text.text) for text in sheet.texts()}


# --- pictures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", ALL)
def test_a_screen_looks_like_its_golden_picture(seen: Seen, *, redraw: bool) -> None:
    path = GOLDEN / f"{seen.name}.png"
    picture = seen.sheet().picture()
    if redraw:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path, optimize=True)
    with Image.open(path) as golden:
        difference = ImageChops.logical_xor(picture, golden.convert("1")).getbbox()
    assert difference is None, f"{seen.name} differs within {difference}: {REDRAW}"


def test_every_golden_picture_belongs_to_a_screen() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {seen.name for seen in SEEN}


def test_no_two_screens_look_the_same() -> None:
    pictures = {seen.sheet().picture().tobytes(): seen.name for seen in SEEN}
    assert len(pictures) == len(SEEN)


def test_the_page_about_the_screens_is_as_the_screens_are(*, redraw: bool) -> None:
    if redraw:
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page(), REDRAW


def test_the_picture_of_the_start_that_is_drawn_beforehand_is_as_its_screen_is(*, redraw: bool) -> None:
    file, drawn = (
        Path(cribpi.__file__).with_name("companion") / "views" / "screen" / "loading.bin",
        draw_start("loading the program"),
    )
    if redraw:
        file.write_bytes(packed(drawn))
    assert file.read_bytes() == packed(drawn), REDRAW


@pytest.mark.parametrize("seen", ALL)
def test_a_screen_is_whole(seen: Seen) -> None:
    assert list(wrong(seen.sheet(), seen.evening().state)) == []


# --- laws -------------------------------------------------------------------------------------------


def meant(evening: Evening, key: int | str) -> str:
    if isinstance(key, str):
        return key
    sensible = lit_keys(evening.state, evening.saved)
    return sensible[key % len(sensible)]


@given(SETUPS, st.lists(KEYS_OFTEN, min_size=10, max_size=120), TROUBLES, st.integers())
def test_whatever_is_pressed_the_screen_is_whole(
    setup: NextGame, keys: list[int | str], trouble: tuple[str, ...], shift: int
) -> None:
    evening = Evening(setup).press("OK OK A 5 9 K")
    for key in keys:
        evening.press(meant(evening, key))
        if key != "5":  # now and then the machine takes its time
            evening.press(MACHINE)
        state = evening.state
        sheet = compose(
            view_at(state, evening.saved),
            evening.refusal,
            trouble=trouble,
            may_undo=bool(evening.told),
            shift=shift,
        )
        assert list(wrong(sheet, state)) == []
        assert (("small", "!") in texts_of(sheet)) == bool(trouble)
    picture = draw(view_at(evening.state, evening.saved), evening.refusal, trouble=trouble, shift=shift)
    assert (picture.mode, picture.size) == ("1", (WIDTH, HEIGHT))
    assert picture.getbbox() is not None


@given(st.sampled_from([TWO, THREE, FOUR, LONG_4]), st.lists(KEYS_OFTEN, min_size=10, max_size=60))
def test_in_the_play_the_count_is_the_largest_thing_and_the_room_is_told(
    setup: NextGame, keys: list[int | str]
) -> None:
    evening = Evening(setup).press("OK OK A 5 9 K 4")
    for key in keys:
        evening.press(meant(evening, key))
        state, deal = evening.state, evening.state.deal
        open_beside = evening.input_state.dialog or evening.refusal
        if state.phase is not Phase.PLAY or deal is None or not deal.pile or open_beside:
            continue
        shown = texts_of(compose(view_at(state, evening.saved)))
        assert [text for size, text in shown if size == "big"] == [str(deal.count)]
        assert ("small", f"{31 - deal.count:2} to 31") in shown


THOUGHT = Hint(("7H",), "7 wins 98.9% of the games from here, 8 3.1%", "wins 99%")
"""A hint on the play at its longest."""


DEALT_EVENINGS = (
    st.sampled_from([DEALT, DEALT_3, DEALT_4, DEALT_LOST, SHARED_LONG]),
    st.lists(KEYS_OFTEN, min_size=20, max_size=80),
    st.integers(1, 99),
)


def check_hints(setup: NextGame, keys: list[int | str], shuffle: int) -> None:
    evening = Evening(setup, shuffle=shuffle).press(HAND)
    for key in keys:
        evening.press(meant(evening, key)).press(MACHINE)
        state = evening.state
        if not may_hint(state, evening.input_state) or state.phase is not Phase.PLAY:
            continue
        for hint in (Hint(), THOUGHT):
            sheet = compose(
                view_of(state, replace(evening.input_state, hint=hint, dialog=None, message=None))
            )
            assert list(wrong(sheet, state)) == []
            assert [text for _, text in texts_of(sheet) if text.startswith("hint")]


@settings(max_examples=15)
@given(*DEALT_EVENINGS)
def test_a_hint_on_the_play_has_a_row_of_its_own_in_a_sample_of_evenings(
    setup: NextGame, keys: list[int | str], shuffle: int
) -> None:
    check_hints(setup, keys, shuffle)


@pytest.mark.prove
@settings(max_examples=1000)
@given(*DEALT_EVENINGS)
def test_a_hint_on_the_play_has_a_row_of_its_own_whatever_was_pegged_or_said(
    setup: NextGame, keys: list[int | str], shuffle: int
) -> None:
    check_hints(setup, keys, shuffle)


@pytest.mark.parametrize("hint", [Hint(), THOUGHT])
@pytest.mark.parametrize(
    ("setup", "shuffle", "keys", "words"),
    [
        (DEALT, 55, GO_SAID, "GO Easy"),
        (DEALT, 12, FIFTEEN, "+2 15"),
        (DEALT, 7, CLOSED, "+1 go Easy"),
        (DEALT_3, 68, "Q OK MACHINE MACHINE OK MACHINE 4 MACHINE MACHINE", "GO Beginner"),
        (
            DEALT_4,
            46,
            "9 OK MACHINE MACHINE MACHINE OK MACHINE MACHINE 3 MACHINE MACHINE MACHINE",
            "GO Beginner",
        ),
    ],
)
def test_beside_a_hint_it_is_still_told_who_said_go_and_what_was_pegged(
    setup: NextGame, shuffle: int, keys: str, words: str, hint: Hint
) -> None:
    evening = Evening(setup, shuffle=shuffle).press(HAND).press(keys)
    assert may_hint(evening.state, evening.input_state)
    sheet = compose(view_of(evening.state, replace(evening.input_state, hint=hint)))
    assert ("small", words) in texts_of(sheet)
    assert list(wrong(sheet, evening.state)) == []


def test_the_pointer_is_under_the_name_in_turn_and_no_other() -> None:
    for keys, side in (("OK OK", 0), ("OK OK 7", 1), (DEAL, 1), (f"{DEAL} 5", 0), (f"{DEAL} 5 9", 1)):
        evening = Evening().press(keys)
        shapes = [
            item
            for item in compose(view_at(evening.state, evening.saved)).items
            if not isinstance(item, PlacedText)
        ]
        bases = [shape.x for shape in shapes if shape.y < ROWS[0] and (shape.width, shape.height) == (13, 1)]
        assert [x > WIDTH // 2 for x in bases] == [bool(side)], keys


def test_among_three_the_name_in_turn_is_lit_and_no_other() -> None:
    for keys, side in (("OK OK", 0), ("OK OK 7", 1), ("OK OK 7 8", 2)):
        evening = Evening(THREE).press(keys)
        shapes = [
            item
            for item in compose(view_at(evening.state, evening.saved)).items
            if not isinstance(item, PlacedText)
        ]
        lit = [shape.x for shape in shapes if shape.kind == "invert" and shape.y < ROWS[0]]
        assert [x // (WIDTH // 3) for x in lit] == [side], keys


def test_each_card_still_held_is_a_bar() -> None:
    evening = Evening().press(f"{DEAL} 5")
    for played in range(5):
        bars = [
            item
            for item in compose(view_at(evening.state, evening.saved)).items
            if not isinstance(item, PlacedText)
            and item.kind == "fill"
            and (item.width, item.height) == (3, 5)
        ]
        assert len(bars) == 8 - played
        evening.press("A 2 3 4".split()[played % 4])


# --- what the keys do ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", A_FEW)
def test_a_key_that_is_named_is_taken(seen: Seen) -> None:
    for key, label in seen.sheet().legend:
        keys = RANKS if key == ANY_RANK else (key,)
        assert any(is_taken(seen.evening(), one) for one in keys), f"{key} {label}"


OF_SEVERAL = {
    "", "card", "plays a card", "cut", "the starter", "choose", "count", "the count", "pegs", "pick",
    "starter", "a ruling", "held: menu", "suits?", "flush?", "nobs?", "flush? nobs?", "flush", "his nobs",
    "flush + nobs",
}  # fmt: skip
"""What a screen says of several keys together, or of one that only begins something."""


@pytest.mark.parametrize("kit", ["table", "numpad", "bonnet"])
@given(SETUPS, st.lists(KEYS_OFTEN, min_size=10, max_size=80))
def test_a_key_in_the_lowest_row_says_what_the_choice_of_that_key_says(
    kit: str, setup: NextGame, keys: list[int | str]
) -> None:
    pad = load_kit(kit).pad
    evening = Evening(setup, pad=pad)
    for key in keys:
        with suppress(RuleError):
            evening.press(meant(evening, key))
        if evening.refusal is not None or evening.input_state.message is not None:
            continue
        view = GameView(
            evening.state, evening.input_state, pad, cards=(), context=context_for(evening.context, pad)
        )
        bindings = scene_at(view).bindings
        said = {binding.key: binding.text for binding in bindings}
        people = (*evening.state.names, *(evening.state.side_name(n) for n in range(evening.state.sides)))
        for named, label in compose(view_at(evening.state, evening.saved, pad)).legend:
            is_line = named in RANKS or named in {ANY_RANK, ANY_NUMBER}
            is_name = any(label in {one, fitted("{name}", 12, name=one)} for one in people)  # whom it is for
            is_name = is_name or any(one.startswith(label) for one in evening.state.names)
            if label and not (is_line or is_name or label in OF_SEVERAL):
                assert label in {said[named].fit(cells) for cells in range(22)}, (named, said[named])


def is_taken(evening: Evening, key: str) -> bool:
    return evening.press(key).refusal is None


def test_the_points_that_a_key_promises_are_pegged() -> None:
    named = (
        (f"{DEAL} J", LOST, "OK", "take two", (0, 2)),
        (f"{DEAL} J 9", LOST, "OK", "take two", (0, 2)),
        (f"{DEAL} K 10 9 7 GO 3 GO 4 10 5 10", LOST, "OK", "ORANGE 4", (5, 1)),
        (f"{DEAL} K 10 9 7 GO 3 GO 4 10 5 10", LOST, "GO", "no penalty", (1, 1)),
        (f"{CLAIM} 8", LOST, "OK", "count 8", (11, 6)),
        (CLAIM, LOST, "GO", "nothing", (3, 6)),
        (CLAIM, MUGGINS, "GO", "nothing", (3, 14)),
    )
    for keys, setup, key, label, scores in named:
        evening = Evening(setup).press(keys)
        assert (key, label) in compose(view_at(evening.state, evening.saved)).legend
        assert evening.press(key).state.scores() == scores, (keys, key)


def test_what_a_correction_says_it_comes_to_is_what_it_comes_to() -> None:
    for keys, setup in (
        (f"{COUNT} P2 A", TWO),
        (f"{COUNT} P2 2 FLNB P2", TWO),
        (f"{CLAIM} 4 OK P1 4", MUGGINS),
        (f"{WON} P1 FLNB P2 P2 P2", LOST),
        (f"{WON} P1 P2", TWO),
    ):
        evening = Evening(setup).press(keys)
        told = come_to(compose(view_at(evening.state, evening.saved)))
        evening.press("OK")
        assert evening.refusal is None
        assert told in evening.state.scores(), (keys, told)


def come_to(sheet: Sheet) -> int:
    """Return what the line at the cursor, or the first with an arrow, says that a score comes to."""
    lines = [text for text in sheet.texts() if ARROW in text.text]
    if lines:
        return int(lines[0].text.rsplit(ARROW, 1)[1])
    cursor = [item for item in sheet.items if isinstance(item, Shape) and item.kind == "invert"][-1]
    values = [text for text in sheet.texts() if cursor.y <= text.y < cursor.y + cursor.height]
    return int(max(values, key=lambda text: text.x).text)


ARROW = "\N{RIGHTWARDS ARROW}"


# --- where players count ------------------------------------------------------------------------------


@given(st.sampled_from([LOST, MUGGINS, MUGGINS_3]), st.lists(KEYS_OFTEN, min_size=20, max_size=80))
def test_where_players_count_the_glass_keeps_the_total_to_itself(
    setup: NextGame, keys: list[int | str]
) -> None:
    evening = Evening(setup).press("OK OK A 5 9 K 4 6 7")
    for key in keys:
        evening.press(meant(evening, key))
        state = evening.state
        if state.phase not in {Phase.SHOW, Phase.CRIB} or evening.refusal or evening.input_state.dialog:
            continue
        if not players_count(state):
            continue  # the menu has begun a game by other rules
        big = [text for size, text in texts_of(compose(view_at(state, evening.saved))) if size == "big"]
        assert big == ([str(evening.input_state.amount)] if evening.input_state.typed else [])


def test_a_wrong_count_is_told_once_with_what_was_true_and_who_took_it() -> None:
    evening = Evening(MUGGINS).press(f"{CLAIM} 2 OK")
    assert said(evening) >= {"ORANGE said 2", "worth 8", "BLUE +6"}
    assert not said(evening.press("4")) & {"ORANGE said 2", "worth 8", "BLUE +6"}
    assert said(Evening(LOST).press(f"{CLAIM} 2 OK")) >= {"ORANGE said 2", "worth 8", "6 lost"}
    assert said(Evening(LOST).press(f"{CLAIM} 10 2 OK")) >= {"worth 8", "4 too many"}


def test_the_count_of_the_hand_before_is_no_longer_told_when_the_crib_is_turned_up() -> None:
    evening = Evening(MUGGINS).press(f"{CLAIM} 8 OK 4 OK")
    assert "BLUE said 4" in said(evening)
    assert "BLUE said 4" not in said(evening.press("5"))
    assert "BLUE said 4" not in said(evening.press("J 2 2"))


def said(evening: Evening) -> set[str]:
    return {text for _, text in texts_of(compose(view_at(evening.state, evening.saved), evening.refusal))}


def test_a_suit_that_a_count_speaks_of_is_not_given_away() -> None:
    before = Evening(LOST).press(f"{CLAIM} 8 OK")
    typed = [said(Evening(LOST).press(f"{CLAIM} 8 OK {count}")) for count in ("4", "8", "10 8")]
    assert "flush?" in said(before)
    assert all("flush?" in one and "flush" not in one for one in typed)


# --- corrections, the match, and why ------------------------------------------------------------------


def test_a_misdeal_tells_what_was_retracted_and_a_penalty_where_the_back_peg_is() -> None:
    assert said(Evening().press(f"{COUNT} P1 3 OK")) >= {"A MISDEAL: deal again", "ORANGE -2, BLUE -2"}
    evening = Evening().press(f"{NEXT} P1 A FLNB P1 OK")
    assert evening.state.pegs[0].front < evening.state.pegs[0].back
    assert f"back peg {evening.state.pegs[0].back}" in said(evening)


def test_in_the_play_a_front_peg_behind_its_back_peg_leaves_room_for_how_far_it_is_to_31() -> None:
    evening = Evening().press("OK OK P1 5 10 5 5 5 P1 A P1 P1 P1 P1 P1 P1 OK")
    assert evening.state.pegs[0].front < evening.state.pegs[0].back
    assert said(evening) >= {" 6 to 31", "-8", "ORANGE", f"back {evening.state.pegs[0].back}"}


@pytest.mark.parametrize(("setup", "keys"), [(TWO, "P2 2"), (LOST, "P2 2"), (MUGGINS, "P2 5")])
def test_every_line_of_the_corrections_can_be_seen(setup: NextGame, keys: str) -> None:
    evening = Evening(setup).press(f"{COUNT} {keys}")
    seen = set()
    for number in range(len(corrections.lines(evening.state))):
        evening.press(RANKS[number])
        sheet = compose(view_at(evening.state, evening.saved))
        assert RANKS[number] in [key for key, _ in sheet.legend]
        seen |= {label for key, label in sheet.legend if key in RANKS}
    assert len(seen) == len(corrections.lines(evening.state))


def test_why_shows_every_rule_and_whose_it_is() -> None:
    evening = Evening().press(f"{DEAL} 5 4 6 5 MENU 4 OK")
    reasons, pages = reasons_of(evening.state), why_pages(evening.state)
    told = ""
    for one in pages:
        assert any(one.reason.source in text for text in said(evening))
        sheet = compose(view_at(evening.state, evening.saved))
        assert ("P2" in dict(sheet.legend)) == (len(pages) > 1)
        told += " ".join(text.text for text in sheet.texts() if ROWS[0] - 8 < text.y < ROWS[-1]) + " "
        evening.press("P2")
    for reason in reasons:
        assert reason.text in told
        assert " ".join(reason.words.split()) in told, "nothing of what its source says is cut off"
    assert evening.press("OK").input_state.dialog is None


@pytest.mark.parametrize("preset", rulebook().presets)
def test_each_rule_of_each_preset_is_told_to_its_end(preset: str) -> None:
    rules = NextGame().with_preset(preset).game_rules()
    for name in rulebook().rules:
        reason = cite(name, rules)
        lines = [line for part in pages_of(reason) for line in part]
        assert " ".join(reason.text.split()) in " ".join(lines)
        assert " ".join(reason.words.split()) in " ".join(lines)
        assert max(map(len, lines)) <= COLUMNS


def test_the_games_won_are_on_the_glass_before_each_game_and_after_it() -> None:
    evening = Evening(MATCH).press(WON)
    assert any("1-0" in text for text in said(evening))
    assert any("1-0" in text for text in said(evening.press("OK")))
    cut_anew = Evening(NextGame(options=(("next_first_dealer", "cut"),))).press(f"{WON} OK")
    assert cut_anew.state.phase is Phase.CUT
    assert any("1-0" in text for text in said(cut_anew))


def test_a_match_that_is_over_says_who_won_it_and_its_last_key_begins_the_next() -> None:
    evening = Evening(MATCH_OF_1).press(WON)
    assert ("OK", "match") in compose(view_at(evening.state, evening.saved)).legend
    assert "WON BY" in said(evening.press("OK"))
    assert ("OK", "next match") in compose(view_at(evening.state, evening.saved)).legend
    assert evening.press("OK").state.games == (0, 0)


@pytest.mark.parametrize("name", rulebook().presets)
@pytest.mark.parametrize("options", [(), (("match", "first-to-3"),), (("crib_flush", "four"),)])
def test_the_name_of_the_rules_is_whole_and_marked_where_the_house_has_changed_them(
    name: str, options: tuple[tuple[str, str], ...]
) -> None:
    setup = replace(NextGame().with_preset(name), options=options)
    evening = Evening(setup).press("OK 4")
    assert list(wrong(compose(view_at(evening.state, evening.saved)), evening.state)) == []
    assert (f"{name}*" if "crib_flush" in dict(options) else name) in said(evening)


@pytest.mark.parametrize("seen", [seen for seen in SEEN if seen.name.startswith(("error", "note"))], ids=str)
def test_a_screen_of_a_sentence_has_its_keys_in_the_last_row_and_names_no_preset(seen: Seen) -> None:
    sheet, evening = seen.sheet(), seen.evening()
    caps = [text for text in sheet.texts() if text.inverse and text.text != "!"]
    assert caps, "there is always a key that goes on"
    assert all(cap.y == ROWS[-1] for cap in caps), "lower, their edge and the tails of g, p and y are cut off"
    assert not any(
        preset in text.text for text in sheet.texts() for preset in ("board-set", *rulebook().presets)
    )
    for key, _ in sheet.legend:
        if key != ANY_RANK:
            press(evening.state, evening.saved, key)  # which refuses what is not offered


def test_a_card_that_is_too_high_is_named_before_it_is_pressed_and_after() -> None:
    evening = Evening(DEALT_3, shuffle=SEEN_BY_NAME["dealt-too-high"].shuffle)
    evening.press(SEEN_BY_NAME["dealt-too-high"].keys)
    assert "J Q too high" in said(evening)
    evening.press("J")
    assert "J IS TOO HIGH" in said(evening)
    assert any("24 + 10 = 34" in text for text in said(evening))


@pytest.mark.parametrize("seen", A_FEW)
def test_a_dark_row_parts_the_scores_from_a_lit_bar_below_them(seen: Seen) -> None:
    sheet, picture = seen.sheet(), seen.sheet().picture()
    for item in sheet.items:
        if isinstance(item, Shape) and item.kind == "invert" and item.width == WIDTH and 0 < item.y < ROWS[1]:
            assert picture.crop((0, item.y - 1, WIDTH, item.y)).getbbox() is None, item


def test_a_closed_count_stays_lit_until_the_next_card_with_who_leads() -> None:
    for keys, count, leads in (
        (f"{DEAL} 8 10 J A 10", "31", "ORANGE leads"),
        (f"{DEAL} 8 10 J 9 GO GO", "29", "BLUE leads"),
    ):
        evening = Evening().press(keys)
        sheet = compose(view_at(evening.state, evening.saved))
        assert {("big", count), ("small", leads)} <= texts_of(sheet)
        big = next(text for text in sheet.texts() if text.size == "big")
        assert any(
            isinstance(item, Shape)
            and item.kind == "invert"
            and item.x < big.x
            and item.y < big.y
            and item.x + item.width > big.x + big.width
            and item.y + item.height >= big.y + BIG.height
            for item in sheet.items
        )
        evening.press("2")
        assert ("big", "2") in texts_of(compose(view_at(evening.state, evening.saved)))


@pytest.mark.parametrize("rank", RANKS)
def test_the_starter_is_the_largest_thing_until_the_first_card(rank: str) -> None:
    evening = Evening(LOST).press(f"{DEAL} {rank}")
    sheet = compose(view_at(evening.state, evening.saved))
    assert [text for size, text in texts_of(sheet) if size == "big"] == [rank]
    assert list(wrong(sheet, evening.state)) == []
    assert "ORANGE leads" in said(evening) or rank == "J"


# --- the idle screen, and trouble ---------------------------------------------------------------------


def test_the_idle_screen_moves_and_stays_whole() -> None:
    evening = Evening()
    pictures = {
        draw(view_at(evening.state, evening.saved), shift=shift).tobytes(): shift for shift in range(-8, 8)
    }
    assert len(pictures) == 8
    for shift in pictures.values():
        assert list(wrong(compose(view_at(evening.state, evening.saved), shift=shift), evening.state)) == []


@pytest.mark.parametrize("keys", ["", "MENU 5 OK P2", f"{DEAL} MENU 10 OK P2"])
def test_the_idle_screen_and_the_status_tell_the_trouble_in_full(keys: str) -> None:
    evening = Evening().press(keys)
    sheet = compose(view_at(evening.state, evening.saved), trouble=WRONG_OLED)
    said = " ".join(text.text for text in sheet.texts())
    assert "othing answers at its address; check its four wires" in said


@pytest.mark.parametrize("keys", ["MENU", f"{DEAL} MENU"])
def test_trouble_takes_a_line_of_the_menu_and_hides_none_of_its_own(keys: str) -> None:
    evening = Evening().press(keys)
    plain, troubled = (
        compose(view_at(evening.state, evening.saved), trouble=told) for told in ((), WRONG_OLED)
    )
    assert plain.legend == troubled.legend
    assert ("small", "Oled: check its four…") in texts_of(troubled)


def test_of_several_troubles_the_idle_screen_tells_one_after_the_other() -> None:
    evening = Evening()
    said = [
        " ".join(
            text.text
            for text in compose(
                view_at(evening.state, evening.saved), trouble=("strip: a", "oled: b"), shift=n
            ).texts()
        )
        for n in range(3)
    ]
    assert ["strip: a" in line for line in said] == [True, False, True]
    assert ["oled: b" in line for line in said] == [False, True, False]


# --- the keys, and titles ----------------------------------------------------------------------------


def test_the_keys_of_every_screen_leave_room_for_the_mark_of_trouble() -> None:
    for seen in SEEN:
        for text in replace(seen, trouble=()).sheet().texts():
            assert text.y != ROWS[-1] or text.x + text.width <= MARK_LEFT - 1, f"{seen.name}: {text}"


def test_every_family_of_refusals_has_a_title() -> None:
    families: list[type[RuleError]] = RuleError.__subclasses__()
    for family in families:
        families.extend(family.__subclasses__())
    assert len(families) == len(TITLES)
    for family in families:
        assert title_of(Refusal(family("why not"))) == TITLES[family]
    assert title_of(Refusal(OSError("full"))) == "NOT SAVED"


def test_a_key_is_as_wide_as_it_is_drawn() -> None:
    sheet = Sheet()
    sheet.keys(("OK", "start"))
    cap, label = sheet.texts()
    assert label.x + label.width - cap.x == sheet.key_width("OK", "start")


def test_a_game_kept_by_points_shows_no_cards_left() -> None:
    evening = Evening(NextGame(entry="peg")).press(f"{DEAL} OK OK")
    assert evening.state.entry is Entry.PEG
    assert evening.state.phase is Phase.PLAY
    fills = [
        item
        for item in compose(view_at(evening.state, evening.saved)).items
        if not isinstance(item, PlacedText)
    ]
    assert not [item for item in fills if (item.width, item.height) == (3, 5)]


@pytest.mark.parametrize(
    ("value", "names"),
    [("on", ("ANN", "BOB")), ("0-3", ("ANN", "DAN")), ("2-1", ("CAT", "BOB")), ("2-3", ("CAT", "DAN"))],
)
def test_the_two_who_move_the_pegs_are_those_that_were_chosen(value: str, names: tuple[str, str]) -> None:
    setup = FOUR.with_house(names=("ANN", "BOB", "CAT", "DAN")).with_rules(
        None, {"partners_scorekeeper": value}
    )
    evening = Evening(setup).press("OK OK 9 4 7 J")
    shown = {text for _, text in texts_of(compose(view_at(evening.state, evening.saved)))}
    assert f"{names[0]} and {names[1]} peg" in shown
