"""The font: every glyph that the glass needs, each in its cell and none mistaken for another."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.companion.views.screen.canvas import BIG, MEDIUM, PARTS_OF_EMOJI, SMALL, UNKNOWN, Face, parse_face

FACES = [SMALL, MEDIUM, BIG]
PRINTABLE = "".join(chr(code) for code in range(0x20, 0x7F))
SIGNS = "♣♦♥♠●○←→↑↓▶…\N{MULTIPLICATION SIGN}·█░↵"
FILLED = "█░"
DESCENDING = ",gjpqy"
DIGITS_AND_SIGNS = string.digits + "+-"

# Each row a pair that a tired eye takes for one another, and the fewest pixels that must part them.
ALIKE = [
    ("0", "O", 3),
    ("0", "8", 3),
    ("1", "l", 5),
    ("1", "I", 4),
    ("l", "I", 5),
    ("l", "|", 2),
    ("5", "S", 5),
    ("8", "B", 4),
    ("2", "Z", 3),
    ("6", "b", 4),
    ("9", "q", 8),
    ("9", "g", 8),
    ("D", "O", 4),
    ("u", "v", 4),
    (".", ",", 2),
    ("♣", "♠", 4),
    ("♦", "♥", 8),
    ("●", "○", 9),
    ("○", "o", 8),
    ("\N{MULTIPLICATION SIGN}", "x", 4),
    ("-", "_", 5),
]


def drawing(face: Face, character: str) -> list[str]:
    """Return the rows of one glyph as they stand in the page of drawings."""
    columns = face.glyphs[character]
    each = face.height // 8
    bits = [
        f"{int.from_bytes(columns[start : start + each], 'big'):0{face.height}b}"
        for start in range(0, len(columns), each)
    ]
    return ["".join(row).replace("1", "#").replace("0", ".") for row in zip(*bits, strict=True)]


def cell_width(face: Face, character: str) -> int:
    return len(drawing(face, character)[0])


@pytest.mark.parametrize("face", FACES)
def test_no_two_glyphs_of_a_face_are_the_same_and_only_the_space_is_dark(face: Face) -> None:
    assert len(set(face.glyphs.values())) == len(face.glyphs)
    assert [character for character, columns in face.glyphs.items() if not any(columns)] == [" "]


def test_the_small_face_has_all_of_ascii_and_the_signs_of_the_table() -> None:
    assert set(PRINTABLE + SIGNS + UNKNOWN) == set(SMALL.glyphs)


def test_the_medium_face_has_digits_capitals_suits_and_marks() -> None:
    marks = "!?'.,:/…♣♦♥♠<>\"\\# "
    assert {*DIGITS_AND_SIGNS, *string.ascii_uppercase, *marks, UNKNOWN, "narrow-1"} == set(MEDIUM.glyphs)


def test_the_big_face_has_digits_and_signs_and_every_card() -> None:
    assert set(DIGITS_AND_SIGNS + "AJQK " + UNKNOWN) == set(BIG.glyphs)


@pytest.mark.parametrize("character", PRINTABLE + SIGNS + UNKNOWN)
def test_a_small_glyph_fills_a_cell_of_6_x_8_and_leaves_its_edge_free(character: str) -> None:
    rows = drawing(SMALL, character)
    assert [len(row) for row in rows] == [6] * 8
    if character not in FILLED:
        assert {row[-1] for row in rows} == {"."}
        assert ("#" in rows[-1]) == (character in DESCENDING)


@pytest.mark.parametrize(("face", "free_rows"), [(MEDIUM, 1), (BIG, 0)])
def test_a_larger_glyph_leaves_its_gap_and_its_lowest_rows_free(face: Face, free_rows: int) -> None:
    for character in face.glyphs:
        rows = drawing(face, character)
        assert len(rows) == face.height
        assert {row[-face.gap :] for row in rows} == {"." * face.gap}, character
        assert "#" not in "".join(rows[face.height - free_rows :]), character


@pytest.mark.parametrize(("face", "width"), [(SMALL, 6), (MEDIUM, 10), (BIG, 17)])
def test_digits_and_signs_are_equally_wide_so_that_scores_stay_in_place(face: Face, width: int) -> None:
    assert {cell_width(face, character) for character in DIGITS_AND_SIGNS} == {width}


@pytest.mark.parametrize("digit", string.digits)
def test_a_large_digit_reaches_from_the_top_to_the_bottom(digit: str) -> None:
    for face, height in ((MEDIUM, 15), (BIG, 24)):
        rows = drawing(face, digit)
        assert [y for y, row in enumerate(rows) if "#" in row] == list(range(height))


@pytest.mark.parametrize(("left", "right"), ["()", "[]", "{}", "←→"])
def test_a_pair_of_signs_is_one_sign_and_its_mirror_image(left: str, right: str) -> None:
    assert [row[4::-1] for row in drawing(SMALL, left)] == [row[:5] for row in drawing(SMALL, right)]


@pytest.mark.parametrize("face", [MEDIUM, BIG])
def test_large_digits_are_even_nought_and_eight_mirrored_nine_a_turned_six(face: Face) -> None:
    ink = {digit: [row[: -face.gap] for row in drawing(face, digit) if "#" in row] for digit in "0689"}
    for digit in "08":
        assert ink[digit] == [row[::-1] for row in ink[digit]]
    assert ink["9"] == [row[::-1] for row in ink["6"][::-1]]


def test_an_arrow_up_is_an_arrow_down_upside_down() -> None:
    assert drawing(SMALL, "↑")[6::-1] == drawing(SMALL, "↓")[:7]


@pytest.mark.parametrize(("one", "other", "apart"), ALIKE)
def test_characters_that_look_alike_differ_enough(one: str, other: str, apart: int) -> None:
    differing = int.from_bytes(SMALL.glyphs[one], "big") ^ int.from_bytes(SMALL.glyphs[other], "big")
    assert differing.bit_count() >= apart


def test_a_seven_is_drawn_as_its_page_draws_it() -> None:
    assert drawing(SMALL, "7") == [
        "#####.",
        "....#.",
        "....#.",
        "...#..",
        "..#...",
        "..#...",
        "..#...",
        "......",
    ]


@pytest.mark.parametrize("face", FACES)
def test_a_character_that_no_face_has_is_a_visible_box(face: Face) -> None:
    for stranger in ("\N{SNOWMAN}", "\n", "\0", "½", "\u5b89", "\ud800"):
        assert face.columns(stranger) == face.glyphs[UNKNOWN]


def test_a_letter_with_an_accent_is_drawn_without_it() -> None:
    assert SMALL.columns("José Zoë") == SMALL.columns("Jose Zoe")


@pytest.mark.parametrize("face", FACES)
def test_an_accent_by_itself_takes_no_cell(face: Face) -> None:
    for letter in ("E\N{COMBINING ACUTE ACCENT}", "\N{LATIN CAPITAL LETTER E WITH ACUTE}"):
        assert face.columns(letter) == face.columns("E")
    assert face.columns("\N{COMBINING ACUTE ACCENT}") == b""
    assert face.width_of("\N{COMBINING ACUTE ACCENT}") == 0


READS = [
    # name      reads     why
    ("Søren", "Soren", "a stroke is no accent"),
    ("Łukasz", "Lukasz", "nor here"),
    ("Weiß", "Weis", "one for one, so that cells stay cells"),
    ("Þór", "Tor", "Icelandic"),
    ("Иван", "Ivan", "Cyrillic"),
    ("Ёлка", "Elka", "Cyrillic, with a mark"),
    ("Юрий", "Urii", "Cyrillic"),
    ("Ελένη", "Eleni", "Greek"),
    ("ＡＮＮ", "ANN", "letters of full width"),  # noqa: RUF001
    ("O’Brien", "O'Brien", "a printer's apostrophe"),  # noqa: RUF001
]


@pytest.mark.parametrize(("name", "reads", "why"), READS)
def test_a_letter_that_the_faces_lack_is_drawn_as_one_that_can_be_read(
    name: str, reads: str, why: str
) -> None:
    assert SMALL.columns(name) == SMALL.columns(reads), why
    assert MEDIUM.columns(name) == MEDIUM.columns(reads.upper()), why
    assert len(name) == len(reads)


def test_a_small_letter_is_a_capital_where_there_are_only_capitals() -> None:
    assert MEDIUM.columns("Zoë wins") == MEDIUM.columns("ZOE WINS")


LETTERS = st.text().filter(lambda text: not PARTS_OF_EMOJI.search(text))
"""Texts of which each letter stands by itself: of emoji that are joined only the first does."""


@given(st.sampled_from(FACES), LETTERS, LETTERS)
def test_a_text_is_its_parts_side_by_side_whatever_they_are(face: Face, one: str, other: str) -> None:
    assert face.columns(one + other) == face.columns(one) + face.columns(other)


@given(st.sampled_from(FACES), st.text(min_size=1))
def test_the_gap_behind_the_last_glyph_is_no_part_of_a_width(face: Face, text: str) -> None:
    alone = PARTS_OF_EMOJI.sub("", text)
    assert face.width_of(text) == max(sum(len(face.glyph(c)) * 8 // face.height for c in alone) - face.gap, 0)
    assert face.width_of("") == 0


MALFORMED = [
    # page                         why
    ("A\n" + "#.\n" * 7, "a row is missing"),
    ("A\n" + "#.\n" * 9, "a row too many"),
    ("A B\n" + "#.\n" * 8, "two names, one drawing"),
    ("A B\n" + "#. #.\n" * 7 + "#.\n", "the second drawing stops short"),
    ("A\n" + "#.\n" * 7 + "#. #.\n", "one row has a drawing more"),
    ("A\n" + "#.\n" * 7 + "#..\n", "one row is wider"),
    ("A\n" + "#.\n" * 7 + "x.\n", "a mark that is neither # nor ."),
]


@pytest.mark.parametrize(("page", "why"), MALFORMED)
def test_a_malformed_drawing_is_refused(page: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_face(page, height=8, gap=1)
    assert why


def test_emoji_that_are_joined_are_one_box() -> None:
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    thumb = "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}"
    for one in (family, thumb, "\N{CLOUD}\N{VARIATION SELECTOR-16}"):
        assert SMALL.columns(f"{one} Ann") == SMALL.glyphs[UNKNOWN] + SMALL.columns(" Ann")
