"""Docstrings, comments and code that a native engineer would have to read twice: the rules, and their hits.

`PYTHONPATH=tests python -m support.prose` counts the hits in cribpi/ and systemd/; with the name of a rule,
it lists them.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from support import pages

_FLAGS: Final = re.IGNORECASE

DOCSTRING: Final = {
    "opens with a clause": r"(what|who|whom|whose|where|how|those|that of)\b",
    "returns a clause": r"(return|yield)s? (what|whom?|whose|which|where|why|those|all that|how(?! many))\b",
    "has no verb of the field": r"(tell|say|have|let|see that|take (it|notice))\b",
    "leans on another text": r"(the same|as above|as many|likewise)\b|.*\b(as above|likewise|the same for)\b",
    "has nobody as its subject": r".*\b(nobody|none (is|are|of|has)|nothing (is|was|can|of))\b",
    "says where for if": r".*\bwhere (there|that|it|one|none|no|the \w+) (is|are|has|can|may|does?)\b",
    "says anew, of its own, at the most": (
        r".*\b(anew|of (its|their|our|one's) own|at the (most|least)|so many)\b"
    ),
    "says told or hears": r".*\b(is|are|was|were) told\b|.*\bhears?\b",
}
"""Patterns of the first paragraph of a docstring."""

COMMENT: Final = {
    "a comment without a subject": (
        r"(it|they|one|of|none|both|else|who|what|whose|there|here|the same|as above)\b"
    )
}
"""Patterns of a comment."""

PARTICIPLES: Final = frozenset(
    "anew asked away beside called comes drawn given goes gone heard held hers here his kept made mine"
    " ours said says seen shown taken theirs there told wanted whom whose".split()
)
"""Words that name no thing and no action."""

CODE: Final = (
    "a text or list times a condition",
    "three values in one assignment",
    "a conditional inside a conditional",
    "a comprehension with three loops",
    "a function or class named by a participle",
    "a parameter named by a participle",
)


class Hit(NamedTuple):
    """A violation of a rule."""

    rule: str
    file: str
    line: int
    text: str


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each docstring, including those of attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if text := ast.get_docstring(node):
                yield node.body[0].lineno, text
            for before, after in zip(node.body, node.body[1:], strict=False):
                is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                if isinstance(before, ast.Assign | ast.AnnAssign) and is_text:
                    yield after.lineno, str(after.value.value)  # type: ignore[attr-defined]


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each comment."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def _is_condition(node: ast.expr) -> bool:
    called = getattr(node, "func", node)
    name = getattr(called, "id", "") or getattr(called, "attr", "")
    is_negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) or is_negated or name.startswith(("is_", "has_", "bool"))


def _is_row(node: ast.expr) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, ast.JoinedStr | ast.List | ast.Tuple)


def code(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each construct that is too dense, and the rule in `CODE` that it violates."""
    times, values, conditional, loops, function, parameter = CODE
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(left, ast.Mult(), right):
                if (_is_row(left) and _is_condition(right)) or (_is_row(right) and _is_condition(left)):
                    yield node.lineno, times
            case ast.Assign([ast.Tuple()], ast.Tuple(elts)) if len(elts) > 2:
                yield node.lineno, values
            case ast.IfExp() if any(isinstance(one, ast.IfExp) for one in [*ast.walk(node)][1:]):
                yield node.lineno, conditional
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() if (
                len(node.generators) > 2
            ):
                yield node.lineno, loops
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                if name.strip("_") in PARTICIPLES:
                    yield node.lineno, function
            case ast.arg(name) if name.strip("_") in PARTICIPLES:
                yield node.lineno, parameter


def _first(text: str) -> str:
    return " ".join(re.split(r"\n\s*(?:\n|>>>)", text)[0].split())


def hits_in(path: Path) -> Iterator[Hit]:
    """Yield the hits in a Python module."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    for line, text in docstrings(tree):
        for rule, pattern in DOCSTRING.items():
            if re.match(pattern, _first(text), _FLAGS):
                yield Hit(rule, pages.name(path), line, _first(text))
    for line, text in comments(source):
        for rule, pattern in COMMENT.items():
            if re.match(pattern, text):
                yield Hit(rule, pages.name(path), line, text)
    for line, rule in code(tree):
        yield Hit(rule, pages.name(path), line, source.splitlines()[line - 1].strip())


_SAID: Final = re.compile(
    r"(?:^|\s)//\s*(?P<line>.*)$|/\*\*\s*(?:@\w+ (?:\{.*?\} )?(?:\S+ )?)?(?P<block>.*?)(?:\*/|$)"
)


def hits_of_page(path: Path) -> Iterator[Hit]:
    """Yield the hits in the comments of a page script."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        found = _SAID.search(line)
        text = (found["line"] or found["block"] or "").strip() if found else ""
        for rule, pattern in (DOCSTRING | COMMENT).items():
            if text and re.match(pattern, text, _FLAGS if rule in DOCSTRING else 0):
                yield Hit(rule, pages.name(path), number, text)


@cache
def hits() -> tuple[Hit, ...]:
    """Return the hits in cribpi/ and systemd/, and in the page's scripts."""
    package = pages.HOUSE / "cribpi"
    modules = sorted([*package.rglob("*.py"), *(pages.HOUSE / "systemd").rglob("*.py")])
    scripts = [at for at in sorted(package.rglob("*.js")) if "vendor" not in at.parts]
    in_modules = [hit for path in modules for hit in hits_in(path)]
    return (*in_modules, *(hit for path in scripts for hit in hits_of_page(path)))


def counts() -> dict[str, int]:
    """Return the number of hits of each rule, including 0."""
    found = Counter(hit.rule for hit in hits())
    return {rule: found[rule] for rule in (*DOCSTRING, *COMMENT, *CODE)}


if __name__ == "__main__":
    wanted = " ".join(sys.argv[1:])
    for hit in hits():
        if hit.rule == wanted:
            print(f"{hit.file}:{hit.line}: {hit.text[:100]}")
    for rule, number in counts().items():
        print(f"{number:5}  {rule}")
    print(f"{len(hits()):5}  in all")
