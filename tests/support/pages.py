"""The documentation as tests read it: pages, fenced blocks, tables, sections and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2]
DOCS = HOUSE / "docs"
FENCE = "```"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it, and its lines."""

    language: str
    words: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def pages() -> list[Path]:
    """Return every page: README, CONTRIBUTING, CHANGELOG, and all below docs."""
    top = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
    return [*(HOUSE / name for name in top), *sorted(DOCS.rglob("*.md"))]


def name(page: Path) -> str:
    """Return the name of *page* in tests."""
    return page.relative_to(HOUSE).as_posix()


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[Block]:
    """Return the fenced blocks of *language* in *text*."""
    found: list[Block] = []
    body: list[str] | None = None
    words: tuple[str, ...] = ()
    for line in text.splitlines():
        if not line.startswith(FENCE):
            if body is not None:
                body.append(line)
        elif body is None:
            body, words = [], tuple(line.removeprefix(FENCE).split())
        else:
            if words[:1] == (language,):
                found.append(Block(language, words[1:], tuple(body)))
            body = None
    assert body is None, "a fence is not closed"
    return found


def prose(text: str) -> str:
    """Return *text* without its fenced blocks."""
    return re.sub(rf"^{FENCE}.*?^{FENCE}$", "", text, flags=re.DOTALL | re.MULTILINE)


def section(text: str, heading: str) -> str:
    """Return the text under *heading*, a whole line with its marks.

    It ends before the next heading of this level or above.
    """
    level = len(heading) - len(heading.lstrip("#"))
    _, found, rest = f"\n{text}".partition(f"\n{heading}\n")
    assert found, f"there is no heading {heading!r}"
    return re.split(rf"^#{{1,{level}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """Return the rows of all tables in *text*, without their headings, as lists of cells."""
    found: list[list[str]] = []
    head = True
    for line in text.splitlines():
        if not line.startswith("|"):
            head = True
            continue
        if re.fullmatch(r"[|\- :]+", line):
            head = False
        elif not head:
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def codes(text: str) -> list[str]:
    """Return the texts in backquotes in the prose of *text*."""
    return re.findall(r"`([^`\n]+)`", prose(text))


def links(text: str) -> list[str]:
    """Return the targets of the links and pictures in *text*."""
    found = re.findall(r'\]\(([^)\s]+)\)|<img src="([^"]+)"', prose(text))
    return [link or picture for link, picture in found]


def linked(page: Path, suffix: str) -> list[Path]:
    """Return the files with the *suffix* that *page* links to."""
    return [(page.parent / link).resolve() for link in links(read(page)) if link.endswith(suffix)]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of *text*."""
    headings = re.findall(r"^#+ (.+)$", prose(text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def expand(text: str) -> list[str]:
    """Return the keys in *text*, separated by spaces. `P2x3` is P2 three times."""
    found: list[str] = []
    for word in text.split():
        repeated = re.fullmatch(r"(\w+)x(\d+)", word)
        found += [repeated[1]] * int(repeated[2]) if repeated else [word]
    return found
