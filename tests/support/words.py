"""What people read: the texts of the program and of the pages, and ten patterns of a translated sentence.

`PYTHONPATH=tests python -m support.words` counts words and pictures by page, and hits by pattern; with the
number of a pattern, it lists them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from support import pages

RULEBOOK = pages.HOUSE / "cribpi" / "cribbage" / "rules" / "rules.toml"

COMMANDS = pages.HOUSE / "cribpi" / "commands" / "commands.txt"
SHEETS = pages.HOUSE / "cribpi" / "workshop" / "drawings" / "sheets.toml"


@dataclass(frozen=True)
class Text:
    """Something that people read, and where it stands."""

    file: str
    line: int
    words: str


def literals(path: Path) -> Iterator[Text]:
    """Give the texts of a module: its string literals with a blank in them, but for docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            skipped |= {id(one.value) for one in body if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(one) for one in ast.walk(node)} - {id(node)}
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield Text(pages.name(path), node.lineno, node.value)
        elif isinstance(node, ast.JoinedStr):
            yield Text(pages.name(path), node.lineno, ast.unparse(node))


def lines(path: Path) -> Iterator[Text]:
    """Give the lines of a page, a script or a file of texts, without its comments and quotations."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        said = line.strip()
        if path.suffix == ".js" and (said.startswith(("//", "*", "/*")) or not re.search("[\"'`]", said)):
            continue
        if path.suffix == ".js":
            said = re.sub(r"\s//.*$", "", said)
        if path in {RULEBOOK, COMMANDS, SHEETS} and said.startswith(("#", "quotes.")):
            continue
        if re.match(
            r"- (board-set|computer-game|lowe|use-and-care|travel-set|acc|old books|bicycle): ", said
        ):
            continue
        yield Text(pages.name(path), number, said)


@cache
def texts() -> tuple[Text, ...]:
    """Return what people read, read once for all patterns, and not before one is looked for."""
    return tuple(_texts())


def _texts() -> Iterator[Text]:
    for path in sorted((*(pages.HOUSE / "cribpi").rglob("*.py"), *(pages.HOUSE / "systemd").rglob("*.py"))):
        yield from literals(path)
    yield from lines(RULEBOOK)
    yield from lines(COMMANDS)
    yield from lines(SHEETS)
    web = pages.HOUSE / "cribpi" / "companion" / "web"
    for path in sorted((*web.rglob("*.js"), *web.rglob("*.html"))):
        if path.parent.name != "vendor":
            yield from lines(path)
    for path in (*sorted(pages.DOCS.rglob("*.md")), pages.HOUSE / "README.md"):
        yield from lines(path)


UNIT = r"(?:mm|cm|m|inch|inches|V|mA|A|ms|s|MB|GB|kB|ohms?|watts?|LEDs)"
PATTERNS = (
    # what a native writes instead, and the pattern; most hits of a pattern are guilty, and not all
    ("two sentences, or a list", r"(?<![\w`])[^.!?|`]*\w[;:] [^.!?|`]*\w; [^.!?|`]*"),
    ("shows, lists, tells you", r"\bsays? (?:what|why|which|that|how|where|who|so)\b"),
    ("can't, no permission to", r"\bmay not\b"),
    ("under, with", r"\bby (?:these|those|the|your|our|its|other|version)? ?(?:rules|\d of)\b"),
    ("because, so", r", as (?:it|they|this|there|you|he|nobody|the|a|its)\b (?!soon|long|well|far)"),
    ("such as", r"(?<!such)(?<!same) as (?:--\w|`|[0-9AJQK]+[CDHS]\b)"),
    ("your own kit, a 5 mm bit", rf"\bof (?:your|its|their|his|our) own\b|\bof \d[\d.,]* {UNIT}\b"),
    ("a noun as the subject", r"(?:^|[.!] )(?:What|Who|Whoever|Of) [^.?!]*[.!]"),
    ("gets, accepts; an error message", r"\b(?:hears? of|believes?|tells? (?:an?|Home)|[Aa] sentence)\b"),
    (
        "per; if",
        r"\b(?:one|\d+) \w+ each\b|\bone an? (?:line|seat|LED|card|game|side)\b|\bwhere (?:it|there) is\b",
    ),
)
"""Ten habits of a translator, after a native editor's list."""


def hits(pattern: str) -> list[Text]:
    """Return the texts of the program and of the pages that have the *pattern*."""
    found = re.compile(pattern)
    return [text for text in texts() if found.search(text.words)]


def main(number: str = "") -> None:
    if number:
        better, pattern = PATTERNS[int(number) - 1]
        for text in hits(pattern):
            print(f"{text.file}:{text.line}: {text.words}")
        print(f"Better: {better}")
        return
    print(f"{'words':>7} {'pictures':>8}")
    sums = [0, 0]
    for page in pages.pages():
        read = pages.read(page)
        counts = len(read.split()), read.count("![") + read.count("<img")
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        print(f"{counts[0]:7,} {counts[1]:8} {pages.name(page)}")
    print(f"{sums[0]:7,} {sums[1]:8} in all")
    print(f"\n{'pages':>7} {'program':>8}")
    for at, (better, pattern) in enumerate(PATTERNS, start=1):
        found = hits(pattern)
        on_pages = sum(text.file.endswith(".md") for text in found)
        print(f"{on_pages:7} {len(found) - on_pages:8} {at:2}. {better}")


if __name__ == "__main__":
    main(*sys.argv[1:])
