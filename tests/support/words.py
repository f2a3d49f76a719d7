"""Texts that people read, in the program and the pages, and ten patterns of translated English.

`PYTHONPATH=tests python -m support.words` counts words and pictures per page, and hits per pattern. With the
number of a pattern, it lists the hits.
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
    """A text that people read, and its position."""

    file: str
    line: int
    words: str


def literals(path: Path) -> Iterator[Text]:
    """Yield the string literals of a module that contain a space, except docstrings."""
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
    """Yield the lines of a page, a script or a text file, without comments, code and quotations."""
    is_code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        said = line.strip()
        if path.suffix == ".md" and said.startswith("```"):
            is_code = not is_code
        if is_code:
            continue
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
    """Return all texts. They are read once for all patterns, on first use."""
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
    # a native's alternative, and the pattern; most hits of a pattern are real, but not all
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
"""Ten habits of translators, from a native editor's list."""

REASONS: dict[int, dict[str, str]] = {
    # by the number of a pattern: why a text may have it, and a pattern of such texts
    1: {
        "an error, and what to do": r"; (?:your game|if that|it tries|choose|close|enter|install|its output|"
        r"only the end|put_right|run|write|and let)|: pegs advance;",
        "keys, and what each does": r"is typed: |; (?:0 is the ten|Enter opens it|a mouse)",
        "a row, an item, an argument": r"^(?:\||- |[-a-z]+[?*]?(?: [A-Z]+)?[^ :]*(?: = \d+)?: ?|use = )",
        "code": r"^for \(let ",
        "two halves of one thought": r"^keepScoreText",
    },
    2: {"people say it": r"who says (?:what|so)|to say what a hand"},
    5: {
        "how, or as whom, and not why": r", as (?:a (?:retained|newcomer|backup)|it hangs|you choose"
        r"|the (?:starter|page|key))"
    },
    6: {
        "as it is there, and no example": r"as (?:`(?:/api|aplay|config|espeak|first_|journal|name|oled|"
        r"pending|solid|standard|strip|strong|table|words)|\|)|less the reply|[Pp]lays as ",
        "taken for something": r"discards as `solid`",
    },
    7: {
        "a verb that asks for of, or a number that counts": r"keep the score of|frame of \d|supply of \d|"
        r"each style and each|by the path|64 of its own|(?:each|one) of your own",
    },
    8: {
        "a page that says what it has": r"^(?:What|Who) .*(?:worth|prints?|puts|files)",
        "a question's own answer": r"[Ww]hat (?:you|it|doesn't|the LEDs|is missing)|Whoever reaches|"
        r"What [^.]* depends",
    },
    9: {"the type of a field": r"[Aa] sentence(?:\b| for)"},
    10: {
        "for each": r"(?:for|of|after|in|one user) each|\d \w+ each|each (?:accepted|place)|as many|one per",
        "a place": r"where it is now",
    },
}


def hits(number: int) -> list[tuple[Text, str]]:
    """Return the texts that have a pattern, each with the reason why it may, or ""."""
    reasons = REASONS.get(number, {})
    return [
        (text, next((why for why, fits in reasons.items() if re.search(fits, text.words)), ""))
        for text in texts()
        if re.search(PATTERNS[number - 1][1], text.words)
    ]


def main(number: str = "") -> None:
    if number:
        for text, why in sorted(hits(int(number)), key=lambda one: one[1]):
            print(f"{text.file}:{text.line}: {text.words}{f'  ({why})' if why else ''}")
        print(f"Better: {PATTERNS[int(number) - 1][0]}")
        return
    print(f"{'words':>7} {'pictures':>8}")
    sums = [0, 0]
    for page in pages.pages():
        read = pages.read(page)
        counts = len(read.split()), read.count("![") + read.count("<img")
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        print(f"{counts[0]:7,} {counts[1]:8} {pages.name(page)}")
    print(f"{sums[0]:7,} {sums[1]:8} in all")
    print(f"\n{'pages':>7} {'program':>8} {'of them without a reason':>8}")
    for at, (better, _) in enumerate(PATTERNS, start=1):
        found = hits(at)
        on_pages = sum(text.file.endswith(".md") for text, _ in found)
        open_ = sum(not why for _, why in found)
        print(f"{on_pages:7} {len(found) - on_pages:8} {open_:8}  {at:2}. {better}")


if __name__ == "__main__":
    main(*sys.argv[1:])
