"""What people write into a file: what is taken up to which bound, and that all else is refused by its key."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cribpi.companion.files.config_table import Section, Unfit

Read = Callable[[Section], object]


class Refused(Unfit):
    page = "docs/reference/settings.md"


def point(section: Section) -> object:
    return section.point("key", 300, 100)


def size(section: Section) -> object:
    return section.size("key")


def cells(section: Section) -> object:
    return section.cells("key", 32, 8)


def scalar(section: Section) -> object:
    return section.scalar("key")


def number(section: Section) -> object:
    return section.number("key", 0.5, 2, "give a factor from 0.5 to 2")


def length(section: Section) -> object:
    return section.length("key")


def string(section: Section) -> object:
    return section.string("key")


def whole(section: Section) -> object:
    return section.whole("key")


TAKEN: list[tuple[Read, object]] = [
    (point, (0, 100)),
    (point, (300, 0)),
    (size, (0.5, 5000)),
    (size, (5000, 1)),
    (cells, ((0, 7), (31, 0))),
    (number, 0.5),
    (number, 2.0),
    (length, 5000.0),
    (length, 0.01),
    (scalar, "121"),
    (scalar, 121),
    (scalar, True),
    (string, "two\nlines"),
    (string, ""),
    (whole, -7),
    (whole, 10**30),
]


@pytest.mark.parametrize(("read", "value"), TAKEN)
def test_what_is_within_bounds_is_taken_as_it_stands(read: Read, value: object) -> None:
    written = (
        [list(item) if isinstance(item, tuple) else item for item in value]
        if isinstance(value, tuple)
        else value
    )
    assert read(Section("kit.toml", "table", {"key": written}, Refused)) == value


REFUSED: list[tuple[Read, object, str]] = [
    (point, [1], "[x, y]"),
    (point, [1, "2"], "[x, y]"),
    (point, [1, 2, "3"], "[x, y]"),
    (point, [1, 100.5], "outside the board"),
    (point, [-1, 2], "outside the board"),
    (size, [0, 5], "[width, height]"),
    (size, [5, 5000.5], "[width, height]"),
    (size, [5, 5, 0], "[width, height]"),
    (cells, [3, 4], "[column, row]"),
    (cells, [[3], [4, 1]], "[column, row]"),
    (cells, [[3, 1, "x"], [4, 1]], "[column, row]"),
    (cells, [[0, 8], [4, 1]], "rows 0 to 7"),
    (cells, [[32, 0], [4, 1]], "columns 0 to 31"),
    (cells, [[1, 1]], "not 1"),
    (number, 0.49, "from 0.5 to 2"),
    (number, 2.01, "from 0.5 to 2"),
    (number, True, "from 0.5 to 2"),
    (length, 0, "millimetres"),
    (length, 5000.5, "millimetres"),
    (scalar, 1.5, "text"),
    (scalar, ["121"], "text"),
    (string, 5, "text"),
    (whole, 1.0, "whole number"),
    (whole, True, "whole number"),
    (whole, "5", "whole number"),
]


@pytest.mark.parametrize(("read", "value", "why"), REFUSED)
def test_anything_else_is_refused_by_file_and_key_with_what_to_give(
    read: Read, value: object, why: str
) -> None:
    with pytest.raises(Refused) as caught:
        read(Section("kit.toml", "table", {"key": value}, Refused))
    said = str(caught.value)
    assert said.startswith("kit.toml: table.key")
    assert why in said.rpartition(": ")[2]


def test_a_table_that_is_left_out_is_an_empty_one_of_that_name() -> None:
    inside = Section("kit.toml", "board", {}, Refused).section_if_any("lights")
    assert not inside.has("port")
    with pytest.raises(Refused, match=r"^kit\.toml: board\.lights\.port is missing"):
        inside.value("port")
