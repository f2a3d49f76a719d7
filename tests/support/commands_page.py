"""The lists of arguments in docs/reference/commands.md, from `commands.txt`, which `--help` prints too.

`PYTHONPATH=tests python -m support.commands_page` rewrites them.
"""

from __future__ import annotations

import re
from typing import Final

from support import pages
from support.paths import PACKAGE

PAGE: Final = pages.DOCS / "reference" / "commands.md"
REDRAW: Final = "the lists lag behind commands.txt: PYTHONPATH=tests python -m support.commands_page"
_LIST: Final = re.compile(r"(?:^- `.*`: .*\n)+(?:\nShared: .*\n)?|^Shared: .*\n", re.MULTILINE)
_SHARED, *_COMMANDS = (
    (PACKAGE / "commands" / "commands.txt").read_text(encoding="utf-8").rstrip().split("\n\n")
)[1:]


def shared() -> str:
    """Return the list of the shared arguments."""
    return "".join(map(_line, _SHARED.split("\n  ")[1:]))


def lists() -> dict[str, str]:
    """Return each command's own arguments, and the names of shared ones.

    An action is listed as `kits draw`.
    """
    found = {}
    for block in _COMMANDS:
        head, *lines = block.split("\n  ")
        own = [line for line in lines if ": " in line and not line.startswith("example: ")]
        rest = [f"`{line}`" for line in lines if ": " not in line]
        listed = "".join(map(_line, own))
        also = f"Shared: {', '.join(rest)}.\n" if rest else ""
        found[head.partition(": ")[0]] = "\n".join(filter(None, (listed, also)))
    return found


def _line(line: str) -> str:
    """Return the line of an argument in the form that argparse shows.

    >>> _line("--seed N = 1: the same games (1)")
    '- `--seed N`: the same games (1)\\n'
    """
    given, _, text = line.removeprefix("| ").partition(": ")
    name, _, value = given.partition(" = ")[0].partition(" ")
    name = name.rstrip("?+*")
    shown = f"{name} {value}".rstrip() if name.startswith("-") else (value or name).upper()
    return f"- `{shown}`: {text}\n"


def page() -> str:
    """Return the page with up-to-date lists. Each list is somewhere below its command's heading."""
    text = pages.read(PAGE)
    made = {
        f"## cribpi {name}" if " " not in name else f"### cribpi {name}": one for name, one in lists().items()
    }
    for heading, listed in {"## Shared options": shared(), **made}.items():
        before, found, rest = text.partition(f"\n{heading}\n")
        body = re.split(r"^#", rest, maxsplit=1, flags=re.MULTILINE)[0]
        new, lists_there = _LIST.subn(lambda _, listed=listed: listed, body)
        assert lists_there == 1, f"{PAGE.name}: {heading!r} needs one list, or a line that begins with Shared"
        text = before + found + new + rest[len(body) :]
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
