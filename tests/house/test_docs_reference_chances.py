"""The tables of the chance of winning are what the shipped table says, and a reader may trust each cell."""

from __future__ import annotations

import re

import pytest
from support import chances_page, pages

from cribpi.cribbage.analysis.winning import chance

TABLES = re.findall(
    r"^### (?:A game|The last) .*?(^\|.*?)\n(?:\n|$)",
    pages.read(chances_page.PAGE),
    flags=re.DOTALL | re.MULTILINE,
)
"""Each table of the page, in order: the whole game, the last fifty holes, the last ones."""


def holes(cell: str) -> int:
    return int(cell.strip("* "))


def test_the_page_is_as_the_table_says() -> None:
    assert pages.read(chances_page.PAGE) == chances_page.page(), chances_page.REDRAW


@pytest.mark.parametrize("number", range(3))
def test_each_cell_is_the_chance_of_its_own_row_and_column(number: int) -> None:
    text = TABLES[number]
    top = [holes(cell) for cell in text.splitlines()[0].strip("|").split("|")[1:]]
    rows = pages.rows(text)
    assert len(rows) == len(top) >= 9
    for mine, *cells in rows:
        for other, cell in zip(top, cells, strict=True):
            for text_of, is_dealer in zip(cell.split("/"), (True, False), strict=True):
                said = {"<1": 0.0, ">99": 100.0}.get(text_of) if text_of[0] in "<>" else float(text_of)
                assert said is not None
                won = chance(holes(mine), other, is_dealer=is_dealer)
                assert abs(said - 100 * won) <= 0.51, (mine, other)


def test_there_is_a_table_for_each_part_of_the_board() -> None:
    assert len(TABLES) == 3


def test_both_chances_of_two_scores_come_to_a_hundred() -> None:
    for text in TABLES:
        cells = [[cell.split("/") for cell in row[1:]] for row in pages.rows(text)]
        for row, line in enumerate(cells):
            for column, (mine, _) in enumerate(line):
                other = cells[column][row][1]
                if mine[0] in "<>":
                    assert {mine, other} == {"<1", ">99"}
                elif int(mine) + int(other) != 100:  # where it is half and half between two numbers
                    assert abs(int(mine) + int(other) - 100) == 1


def test_the_scores_that_are_even_are_so() -> None:
    text = pages.section(pages.read(chances_page.PAGE), "## When is it even?")
    for mine, *cells in pages.rows(text):
        for cell, is_dealer in zip(cells, (True, False), strict=True):
            most = -1 if cell == "none" else int(cell)
            if most >= 0:
                assert chance(holes(mine), most, is_dealer=is_dealer) >= 0.5
            if most < 120:
                assert chance(holes(mine), most + 1, is_dealer=is_dealer) < 0.5
