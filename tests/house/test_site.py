"""The site is built without a warning, each of its links leads somewhere, and all of it is its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from support import pages
from support.site import main, staged

LOADS = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
"""What a browser fetches by itself."""


class Links(HTMLParser):
    """The names in a page that a link can point to, and where its own links and files are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names = {""}
        self.found: list[tuple[str, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        self.names |= {own[name] for name in ("id", "name") if name in own}
        self.found += [(tag, name, own[name]) for name in ("href", "src") if name in own]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("site")
    assert main(str(to)) == 0
    return to


@cache
def read(page: Path) -> Links:
    return Links(page.read_text(encoding="utf-8"))


def links(site: Path) -> Iterator[tuple[Path, str, str, str]]:
    for page in sorted(site.rglob("*.html")):
        if page.name != "404.html":  # its links are those of a server's root
            yield from ((page, *link) for link in read(page).found)


def test_every_page_is_in_it(site: Path) -> None:
    for page in pages.pages():
        name = re.sub(r"README$", "index", pages.name(page).removesuffix(".md"))
        assert (site / f"{name}.html").exists(), name
    assert "Muggins" in (site / "search" / "search_index.json").read_text(encoding="utf-8")


def test_a_numbered_list_stays_one_list(site: Path) -> None:
    """Four spaces, not three, keep a paragraph, a picture or a command within its step."""
    broken = []
    for page in pages.pages():
        name = re.sub(r"README$", "index", pages.name(page).removesuffix(".md"))
        text = re.sub(r"^```.*?^```$", "", pages.read(page), flags=re.DOTALL | re.MULTILINE)
        began = len(re.findall(r"^1\. ", text, re.MULTILINE))
        built = (site / f"{name}.html").read_text(encoding="utf-8")
        lists = len(re.findall(r'<ol(?: start="\d+")?>', built))
        if lists != began:
            broken.append((name, began, lists))
    assert broken == []


def test_every_link_leads_somewhere(site: Path) -> None:
    astray = []
    for page, _, _, link in links(site):
        url = urlsplit(link)
        if url.scheme or url.netloc:
            continue
        target = (page.parent / unquote(url.path)).resolve() if url.path else page
        target = target / "index.html" if target.is_dir() else target
        if not target.exists() or (
            target.suffix == ".html" and unquote(url.fragment) not in read(target).names
        ):
            astray.append(f"{page.relative_to(site)}: {link}")
    assert not astray


def test_nothing_is_fetched_from_another_host(site: Path) -> None:
    fetched = [
        f"{page.relative_to(site)}: {link}"
        for page, tag, name, link in links(site)
        if (tag, name) in LOADS and urlsplit(link).netloc
    ]
    assert not fetched
    for sheet in site.rglob("*.css"):
        assert "url(http" not in sheet.read_text(encoding="utf-8").replace('"', ""), sheet


def test_a_search_leaves_small_words_out(site: Path) -> None:
    """The theme finds words that begin with those typed: "in" would put installing before a crib."""
    config = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["config"]
    for typed, sought in {
        "A flush in the crib": "flush crib",
        "How do I install it?": "install ?",
        "his heels": "heels",
        "Which kit is for I2C": "Which kit I2C",
        "what's a double-run": "what's double run",
    }.items():
        assert [word for word in re.split(config["separator"], typed) if word] == sought.split(), typed
    assert config["fields"]["title"]["boost"] < 100, "a page with a word in its title is not all there is"


def test_keys_are_drawn_as_caps() -> None:
    assert staged("```keypad\n[ A  ][GO ]\n```\n") == (
        '<div class="keypad"><div><kbd>A</kbd><kbd>GO</kbd></div></div>\n'
    )
    page = "```keys new\nOK hold:UNDO  -> 0 - 0 ANN & BOB\n```\n\n```console exit=2\n$ cribpi\n```\n"
    assert staged(page) == (
        '<dl class="keys"><dt><kbd>OK</kbd> hold <kbd>UNDO</kbd></dt><dd>0 - 0 ANN &amp; BOB</dd></dl>\n\n'
        "```console\n$ cribpi\n```\n"
    )
