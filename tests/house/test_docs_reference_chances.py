"""The tables of the chance of winning are what the shipped table says, and a reader may trust each cell."""

from __future__ import annotations

import re

import pytest
from support import chances_page, pages

from cribpi.cribbage.analysis.winning import chance

TABLES = re.findall(
    r"^(You deal|Your opponent deals); .*?\n\n(.*?)\n(?:\n|$)",
    pages.read(chances_page.PAGE),
    flags=re.DOTALL | re.MULTILINE,
)
"""Each table of the page by who deals, in order: to 121 twice, to 61, and the last holes of both."""

TARGETS = (121, 121, 121, 121, 61, 61, 121, 121)


def holes(cell: str) -> int:
    return int(cell.strip("* ").split()[0])


def test_the_page_is_as_the_table_says() -> None:
    assert pages.read(chances_page.PAGE) == chances_page.page(), chances_page.REDRAW


@pytest.mark.parametrize("number", range(len(TARGETS)))
def test_each_cell_is_the_chance_of_its_own_row_and_column(number: int) -> None:
    who, text = TABLES[number]
    top = [holes(cell) for cell in text.splitlines()[0].strip("|").split("|")[1:]]
    rows = pages.rows(text)
    assert len(rows) == len(top) >= 13
    for mine, *cells in rows:
        for other, cell in zip(top, cells, strict=True):
            said = {"<1": 0.0, ">99": 100.0}.get(cell) if cell.startswith(("<", ">")) else float(cell)
            assert said is not None
            won = chance(holes(mine), other, is_dealer=who == "You deal", target=TARGETS[number])
            assert abs(said - 100 * won) <= 0.51, (mine, other)


def test_there_are_two_tables_for_each_part_of_the_board() -> None:
    assert [who for who, _ in TABLES] == ["You deal", "Your opponent deals"] * 4


def test_both_tables_of_a_part_come_to_a_hundred() -> None:
    for (_, dealt), (_, not_dealt) in zip(TABLES[::2], TABLES[1::2], strict=True):
        mine = [row[1:] for row in pages.rows(dealt)]
        theirs = [row[1:] for row in pages.rows(not_dealt)]
        for row, line in enumerate(mine):
            for column, cell in enumerate(line):
                other = theirs[column][row]
                if cell[0] in "<>":
                    assert {cell, other} == {"<1", ">99"}
                elif int(cell) + int(other) != 100:  # where it is half and half between two numbers
                    assert abs(int(cell) + int(other) - 100) == 1


def test_the_scores_that_are_even_are_so() -> None:
    text = pages.section(pages.read(chances_page.PAGE), "### When it is even")
    for mine, *cells in pages.rows(text):
        for cell, is_dealer in zip(cells, (True, False), strict=True):
            most = -1 if cell == "none" else int(cell)
            if most >= 0:
                assert chance(holes(mine), most, is_dealer=is_dealer) >= 0.5
            if most < 120:
                assert chance(holes(mine), most + 1, is_dealer=is_dealer) < 0.5
