"""Digests of the quotes from the five rule sheets.

The sheets are other people's texts and not in the checkout.

`PYTHONPATH=tests python -m support.quotes FOLDER` compares the quotes with the sheets in FOLDER, such as
lowe.txt, and records the digests.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Final

from cribpi.cribbage.rules.rulebook import rulebook
from support.paths import DATA

RECORDED: Final = DATA / "quotes.json"


def quotes() -> dict[str, str]:
    """Return every literal quote, by rule and source."""
    book = rulebook()
    return {
        f"{rule.name}, {source}": words
        for rule in book.rules.values()
        for source, words in sorted(rule.words.items())
        if source not in book.paraphrased
    }


def digests() -> dict[str, str]:
    return {name: hashlib.sha256(words.encode()).hexdigest()[:12] for name, words in quotes().items()}


def _words(text: str) -> str:
    return " ".join(("", *re.findall(r"\w+", text.casefold()), ""))


def unlike(folder: Path) -> list[str]:
    """Return the quotes with a part (between dots) that is not in its sheet in *folder*."""
    return [
        name
        for name, quote in quotes().items()
        for sheet in [_words((folder / f"{name.split(', ')[1]}.txt").read_text(encoding="utf-8"))]
        if not all(_words(part) in sheet for part in quote.split("..."))
    ]


if __name__ == "__main__":
    if wrong := unlike(Path(sys.argv[1])):
        sys.exit("not in their sheets: " + "; ".join(wrong))
    RECORDED.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
