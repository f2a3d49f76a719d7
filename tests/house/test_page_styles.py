"""Style sheets: each colour is named once, letters are in rem, windows are divided at few places."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

PAGE: Final = Path(str(files("cribpi.companion.web").joinpath("page")))
CLUB: Final = Path(str(files("cribpi.club.web").joinpath("pages")))
SHEETS: Final = [*sorted(PAGE.glob("*.css")), CLUB / "club.css"]
BASE: Final = "base.css"

COLOUR: Final = re.compile(r"#[0-9a-f]{3,8}\b")
COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
TEXT: Final = re.compile(r'"[^"]*"|url\([^)]*\)')
SELECTOR: Final = re.compile(r"([^{}]+)\{")
ABOVE: Final = re.compile(r"\b(width|height) (?:<|>=) ([\d.]+)(\w+)")
BELOW: Final = re.compile(r"([\d.]+)(\w+) <= (width|height)")
LIMITS: Final = {
    "width": {17, 22.5, 32.5, 43.75, 56.25, 73.75, 100},
    "height": {17, 30, 37.5, 41, 43.75, 56.25},
}
"""Where windows are divided, in em: base.css says what each is."""
DRAWN: Final = r"text|\.face|\.fan"
"""The letters of a drawing, which are as large as it is."""


def code(sheet: Path) -> str:
    return COMMENT.sub("", sheet.read_text("utf-8"))


def rules(css: str) -> list[tuple[str, str]]:
    """Return the selectors and the declarations of the rules of *css*, within layers and conditions too."""
    return [(one.strip(), two) for one, two in re.findall(r"([^{};]+)\{([^{}]*)\}", css)]


def bounds(css: str) -> set[tuple[str, float, str]]:
    """Return the places at which the conditions of *css* divide windows.

    >>> sorted(bounds("@media (width < 17em), (20em <= height < 30em) {"))
    [('height', 20.0, 'em'), ('height', 30.0, 'em'), ('width', 17.0, 'em')]
    """
    heads = " ".join(re.findall(r"@media ([^{]+)\{", css))
    found = ABOVE.findall(heads) + [(name, at, unit) for at, unit, name in BELOW.findall(heads)]
    return {(name, float(at), unit) for name, at, unit in found}


def unused(css: str, written: str) -> set[str]:
    """Return the classes of *css* that are no word of what is *written*."""
    heads = SELECTOR.findall(TEXT.sub("", css))
    names = {name for head in heads for name in re.findall(r"\.([a-zA-Z][\w-]*)", head)}
    return names - set(re.findall(r"[a-zA-Z][\w-]*", written))


def test_each_colour_is_named_once_where_all_are() -> None:
    found = [(sheet.name, one) for sheet in SHEETS for one in COLOUR.findall(TEXT.sub("", code(sheet)))]
    assert {name for name, _ in found} == {BASE}
    assert [one for one, next_ in pairwise(sorted(one for _, one in found)) if one == next_] == []
    tokens = re.findall(r"--[\w-]+: [^;]*;", code(PAGE / BASE))
    assert sum(len(COLOUR.findall(token)) for token in tokens) == len(found), "each is a custom property"


def test_what_is_used_is_named() -> None:
    css = "".join(map(code, SHEETS))
    scripts = "".join(script.read_text("utf-8") for script in PAGE.glob("*.js"))
    named = set(re.findall(r"(--[\w-]+)\s*:", css)) | set(re.findall(r"(--[\w-]+)", scripts))
    assert set(re.findall(r"var\((--[\w-]+)", css)) <= named
    tokens = set(re.findall(r"(--[\w-]+)\s*:", code(PAGE / BASE)))
    assert {one for one in tokens if f"var({one})" not in css and one not in scripts} == set()
    assert re.findall(r"(--[\w-]+): [^;{}]*var\(\1\)", css) == [], "made of itself"


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_letters_grow_with_those_of_the_browser(sheet: Path) -> None:
    sizes = [
        (head, one)
        for head, body in rules(code(sheet))
        for one in re.findall(r"\bfont(?:-size)?: ([^;]+)", body)
    ]
    assert [
        (head, one) for head, one in sizes if re.search(r"\dpx", one) and not re.search(DRAWN, head)
    ] == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_windows_are_divided_at_few_places(sheet: Path) -> None:
    css = code(sheet)
    assert not re.search(r"\b(?:min|max)-(?:width|height): [\d.]+\w+\)", css), "a range says where it ends"
    assert {(name, unit) for name, at, unit in bounds(css) if at not in LIMITS[name] or unit != "em"} == set()
    assert bounds("@media (width < 400px) {") == {("width", 400, "px")}


def test_scripts_divide_windows_where_the_sheets_do() -> None:
    for script in PAGE.glob("*.js"):
        asked = re.findall(r'"(\((?:width|height|min-|max-)[^"]*)"', script.read_text("utf-8"))
        for name, at, unit in bounds("".join(f"@media {one} {{" for one in asked)):
            assert at in LIMITS[name], script.name
            assert unit == "em", script.name


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_each_class_of_a_sheet_stands_in_a_page(sheet: Path) -> None:
    pages = [*CLUB.glob("*.html"), *CLUB.glob("*.js")] if sheet.parent == CLUB else [*PAGE.glob("*.js")]
    if sheet.name == BASE:
        pages.append(PAGE / "index.html")
    written = "".join(COMMENT.sub("", re.sub(r"(?m)^\s*//.*", "", page.read_text("utf-8"))) for page in pages)
    written += Path(str(files("cribpi.companion.views.board").joinpath("svg.py"))).read_text("utf-8")
    assert unused(code(sheet), written) == set()
    assert unused(".left-over b { color: red; }", written) == {"left-over"}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_all_of_a_sheet_is_in_a_layer_whose_place_is_said(sheet: Path) -> None:
    order = re.findall(r"@layer ([\w, ]+);", code(PAGE / BASE))[0].split(", ")
    depth, outside = 0, []
    for head in re.findall(r"[^{};]+\{|\}", TEXT.sub("", code(sheet))):
        if head == "}":
            depth -= 1
            continue
        if depth == 0:
            outside.append(head.strip(" \n{"))
        depth += 1
    layers = {head.removeprefix("@layer ") for head in outside if head.startswith("@layer ")}
    assert layers <= {*order, "club"}
    assert [head for head in outside if not head.startswith(("@layer ", "@font-face", "@property "))] == []
