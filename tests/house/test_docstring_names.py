"""A name that a docstring sets between asterisks is a name in its code: renaming has left others behind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.pages import HOUSE

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
MARKED = re.compile(r"(?<![\w*`])\*([a-z_][a-z_0-9]*)\*(?![\w*])")
SPAN = re.compile(r"`([^`]+)`")


def names_in(tree: ast.AST) -> Iterator[str]:
    """Yield each name in the code of *tree*, without its docstrings and comments."""
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)) if name.isidentifier():
                yield name


def unknown(source: str) -> list[str]:
    """Return the names between asterisks that stand neither in the module nor in a code span beside them."""
    tree = ast.parse(source)
    known, found = set(names_in(tree)), []
    for node in ast.walk(tree):
        text = ast.get_docstring(node) or "" if isinstance(node, DOCUMENTED) else ""
        beside = set(re.findall(r"\w+", " ".join(SPAN.findall(text))))
        found += [name for name in MARKED.findall(text) if name not in known | beside]
    return found


MODULES = sorted([*(HOUSE / "cribpi").rglob("*.py"), *(HOUSE / "systemd").rglob("*.py")])


def test_a_name_in_a_docstring_is_one_of_its_module() -> None:
    found = {
        path.relative_to(HOUSE).as_posix(): unknown(path.read_text(encoding="utf-8")) for path in MODULES
    }
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('def f(hole: int) -> None:\n    """Peg *hole*."""', []),
        ('def f(hole: int) -> None:\n    """Peg *pegged_hole*."""', ["pegged_hole"]),
        ('"""`chances[d, p]`, if the dealer has *d* to go and pone *p*."""', []),
    ],
)
def test_a_name_that_was_left_behind_is_found(source: str, names: list[str]) -> None:
    assert unknown(source) == names


def test_there_are_modules_to_read() -> None:
    assert Path(HOUSE / "cribpi/companion/table/table.py") in MODULES
