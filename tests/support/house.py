"""Statistics of the packages in `cribpi/`: lines, files, imports and cycles. `make house` prints them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from support import paths

NO_CODE: Final = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
INSIDE: Final = ("cribbage", "companion")
"""Packages whose subpackages are listed too."""
GAME: Final = "cribbage.game"


@dataclass(frozen=True)
class Room:
    """A package: its modules, lines of code, the packages that it imports, and those that import it."""

    name: str
    files: int
    lines: int
    down: tuple[str, ...]
    up: tuple[str, ...]


def modules(package: Path = paths.PACKAGE) -> Iterator[tuple[str, Path]]:
    """Yield the name of each module relative to *package*, with its file. The package itself is ""."""
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).with_suffix("").as_posix().replace("/", ".").removesuffix("__init__")
        yield name.rstrip("."), path


def imports(path: Path) -> tuple[str, ...]:
    """Return the names that the file *path* imports, including imports inside functions."""
    return _imports_of(path.read_text(encoding="utf-8"))


@cache
def _imports_of(source: str) -> tuple[str, ...]:
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"from {'.' * node.level}{node.module or ''}: imports are absolute"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(found)


def imported(package: Path = paths.PACKAGE) -> dict[str, set[str]]:
    """Return, for each module of *package*, the modules of the package that it imports."""
    found = dict(modules(package))
    whole = {f"{package.name}.{name}" if name else package.name: name for name in found}

    def module(said: str) -> str | None:
        return next((whole[part] for part in (said, said.rpartition(".")[0]) if part in whole), None)

    return {
        name: {other for said in imports(path) if (other := module(said)) is not None} - {name}
        for name, path in found.items()
    }


@cache
def lines_of_code(source: str) -> int:
    """Count the lines of *source*, without blank lines, comments and docstrings.

    >>> lines_of_code('def f():\\n    \"\"\"Say it.\"\"\"\\n\\n    # why\\n    return (1,\\n      2)\\n')
    3
    """
    told: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            match node.body[:1]:
                case [ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=last)]:
                    told.update(range(first, (last or first) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    code = (range(token.start[0], token.end[0] + 1) for token in tokens if token.type not in NO_CODE)
    return len({line for lines in code for line in lines} - told)


def rooms(package: Path = paths.PACKAGE, inside: str = "") -> list[Room]:
    """Return the subpackages of *package*, or those *inside* one of them, by number of lines."""

    files, lines = Counter[str](), Counter[str]()
    for name, path in modules(package):
        if (of := _room(name, inside)) is not None:
            files[of] += 1
            lines[of] += lines_of_code(path.read_text(encoding="utf-8"))
    down = arrows(package, inside)
    return [
        Room(
            name,
            files[name],
            lines[name],
            tuple(sorted(down.get(name, ()))),
            tuple(sorted(above for above, below in down.items() if name in below)),
        )
        for name, _ in lines.most_common()
    ]


def arrows(package: Path = paths.PACKAGE, inside: str = "") -> dict[str, set[str]]:
    """Return, for each subpackage of *package*, or each *inside* one of them, the others that it imports."""
    found: dict[str, set[str]] = {}
    for name, others in imported(package).items():
        for other in others:
            if (above := _room(name, inside)) and (below := _room(other, inside)) and above != below:
                found.setdefault(above, set()).add(below)
    return found


def _room(name: str, inside: str) -> str | None:
    """Return the subpackage *inside* a product that contains the module *name*, or None."""
    if inside and name != inside and not name.startswith(f"{inside}."):
        return None
    rest = name[len(inside) + 1 :] if inside else name
    return rest.split(".")[0] or None


def circles(arrows: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Return the sets of names that reach each other by *arrows*.

    >>> circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}) == [{"b", "c"}]
    True
    """

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(arrows.get(start, ()))
        while waiting:
            if (name := waiting.pop()) not in seen:
                seen.add(name)
                waiting += arrows.get(name, ())
        return seen

    from_each = {name: reached(name) for name in arrows}
    found: list[set[str]] = []
    for name, others in from_each.items():
        circle = {other for other in others if name in from_each.get(other, ())}
        if circle and circle not in found:
            found.append(circle)
    return found


def words_to_read(package: Path = paths.PACKAGE) -> int:
    """Count the words in the game's packages, including docstrings and comments."""
    texts = (path.read_text(encoding="utf-8") for name, path in modules(package) if name.startswith(GAME))
    return sum(len(re.findall(r"\w+", text)) for text in texts)


def main() -> None:
    """Print the table."""
    for inside in ("", *INSIDE):
        found = rooms(inside=inside)
        number = sum(len(room.down) for room in found)
        closed = circles({room.name: room.down for room in found})
        lines, files = sum(room.lines for room in found), sum(room.files for room in found)
        print(f"{inside or 'cribpi'}: {lines:,} lines of code, {files} files, ", end="")
        print(f"{len(found)} rooms, {number} arrows, {len(closed)} circles{closed or ''}")
        for room in found:
            print(
                f"  {room.name:10} {room.lines:6,} {room.files:4}  -> {', '.join(room.down) or '-'}", end=""
            )
            print(f"   <- {', '.join(room.up) or '-'}")
    print(f"circles of modules: {circles(imported()) or 'none'}")
    print(f"words to read in {GAME}: {words_to_read():,}")


if __name__ == "__main__":
    main()
