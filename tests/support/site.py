"""The documentation as a website. `PYTHONPATH=tests python -m support.site` builds it in build/site.

The pages are plain Markdown with links between files of the checkout. They are copied with all files that
they link to, in the same folders as in the checkout, so that all links stay valid.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Final

from support import pages

CONFIG: Final = pages.DOCS / "mkdocs.yml"
PAGE: Final = "cribpi/companion/web/page"
LOOKS: Final = ("docs/site.css", "docs/diagrams.js", f"{PAGE}/icon.svg", f"{PAGE}/vendor/figtree.woff2")


MERMAID: Final = pages.HOUSE / "build" / "mermaid" / "package" / "dist" / "mermaid.min.js"
"""Script that draws the diagrams. `make docs` fetches it; without it, diagrams stay text."""


def staged(text: str) -> str:
    """Return a page for the website: keys are drawn, and a fence has only its language."""
    many = re.DOTALL | re.MULTILINE
    text = re.sub(r"^```keys\b[^\n]*\n(.*?)^```$", lambda fence: caps(fence[1]), text, flags=many)
    text = re.sub(r"^```keypad\n(.*?)^```$", lambda fence: keypad(fence[1]), text, flags=many)
    return re.sub(r"^(```[\w-]+) [^\n]*$", r"\1", text, flags=re.MULTILINE)


def caps(lines: str) -> str:
    """Convert *lines* to HTML with drawn keys.

    A line has keys, an arrow, and the text that the screen then shows.
    """
    rows = []
    for line in lines.splitlines():
        keys, _, shown = line.partition("->")
        drawn = " ".join(cap(key) for key in pages.expand(keys))
        rows.append(f"<dt>{drawn}</dt><dd>{escape(shown.strip())}</dd>")
    return f'<dl class="keys">{"".join(rows)}</dl>'


def cap(key: str) -> str:
    """Convert a key to HTML. A prefix says what to do with it other than pressing."""
    how, _, name = key.rpartition(":")
    return f"{f'{how} ' if how else ''}<kbd>{escape(name)}</kbd>"


def keypad(lines: str) -> str:
    """Convert *lines* of keys in square brackets to an HTML keypad."""
    rows = (re.findall(r"\[ *(\w+) *\]", line) for line in lines.splitlines())
    drawn = "".join(f"<div>{''.join(f'<kbd>{key}</kbd>' for key in row)}</div>" for row in rows)
    return f'<div class="keypad">{drawn}</div>'


def stage(to: Path) -> None:
    """Copy every page to the folder *to*, and all files that a page links to."""
    shutil.rmtree(to, ignore_errors=True)
    waiting = [*pages.pages(), *(pages.HOUSE / file for file in LOOKS)]
    seen = set(waiting)
    while waiting:
        file = waiting.pop()
        copy = to / file.relative_to(pages.HOUSE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix != ".md":
            shutil.copyfile(file, copy)
            continue
        text = pages.read(file)
        copy.write_text(staged(text), encoding="utf-8")
        links = (link.partition("#")[0] for link in pages.links(text) if "://" not in link)
        found = {path for link in links if (path := (file.parent / link).resolve()).is_file()} - seen
        waiting += sorted(found)
        seen |= found
    if MERMAID.exists():
        shutil.copyfile(MERMAID, to / "docs" / "mermaid.js")


def main(to: str = str(pages.HOUSE / "build" / "site")) -> int:
    """Build the website in the folder *to*, from copies in `pages` next to it. A warning is an error."""
    staging = Path(to).with_name("pages")
    stage(staging)
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(CONFIG), "-d", to]
    env = {**os.environ, "CRIBPI_PAGES": str(staging), "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(build, check=False, env=env).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
