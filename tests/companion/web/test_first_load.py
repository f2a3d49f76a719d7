"""The page comes in few and small answers: what it begins from is in it, and every module is asked for at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import httpx
import pytest
from companion.web.browser import intercept, needs_chromium, visit
from companion.web.rehearsed import RehearsedClient
from playwright.sync_api import Browser, expect
from support.patience import PATIENCE

from cribpi.companion.entry.requests import Name
from cribpi.companion.web.files import without_comments
from cribpi.companion.web.server import PageServer

PAGE = Path(str(files("cribpi.companion.web").joinpath("page")))
STATIC_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"(/[^"]+)"|^export .* from "(/[^"]+)"', re.MULTILINE)
BEGUN = re.compile(r'<script type="application/json" id="begun">(.*)</script>')
TAG = re.compile(r"[\w.]*\Z")
PASSED = re.compile(
    r"""//.* | /\*[\s\S]*?\*/ | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*'
    | (?<=[(,=:[!&|?{};]) \s* /(?![/*])(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\n])+/""",
    re.VERBOSE,
)
"""Comments, texts and regular expressions."""
FILES = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/page/'))"
DECK = 61_000  # bytes: the courts, which come last
FIRST, ALL = 40_000, 250_000


def imported(path: str) -> set[str]:
    """Return *path* and every module that a browser needs before it runs it."""
    found, left = set(), [path]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            text = files("cribpi.companion.web").joinpath(path.removeprefix("/")).read_text("utf-8")
            left += [one or other for one, other in STATIC_IMPORT.findall(text)]
    return found


def sent(client: httpx.Client, path: str) -> int:
    """Return how many bytes the answer's body takes on the line."""
    with client.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.status_code == 200
        return sum(map(len, answer.iter_raw()))


def test_every_module_of_the_start_is_asked_for_at_once() -> None:
    index = PAGE.joinpath("index.html").read_text("utf-8")
    asked = set(re.findall(r'(?:rel="modulepreload" href|type="module" src)="([^"]+)"', index))
    assert asked == {f"/build{path}" for path in imported("/page/app.js")}


def test_the_start_is_within_its_bytes_and_so_is_the_whole(client: httpx.Client) -> None:
    first = sum(
        sent(client, path) for path in ["/", "/page/base.css", "/page/start.css", *imported("/page/app.js")]
    )
    assert first < FIRST
    everything = [
        path for path in PAGE.rglob("*") if path.suffix in {".js", ".css", ".woff2", ".svg", ".webp"}
    ]
    whole = sum(sent(client, f"/page/{path.relative_to(PAGE)}") for path in everything)
    assert whole > DECK, "the deck is counted"
    whole += sent(client, "/api/board.svg?sides=3")
    assert sent(client, "/") + whole < ALL


def test_scripts_are_sent_without_comments_and_what_others_made_as_it_is(client: httpx.Client) -> None:
    for script in PAGE.rglob("*.js"):
        name = script.relative_to(PAGE).as_posix()
        written = script.read_bytes()
        code = written if name.startswith("vendor/") else without_comments(written)
        assert client.get(f"/page/{name}").content == code, name
    assert without_comments(b"let a;\n/** b */\n// c\nlet d;") == b"let a;\n\n\nlet d;"


@pytest.mark.parametrize("script", sorted(PAGE.glob("*.js")), ids=lambda script: script.name)
def test_only_markup_has_lines_that_begin_with_space_as_scripts_are_sent_without_it(script: Path) -> None:
    found = [text for tag, text in templates(script.read_text("utf-8")) if tag != "html"]
    assert [line for text in found for line in text.split("\n")[1:] if line[:1].isspace()] == []


@pytest.mark.parametrize("script", sorted(PAGE.glob("words*.js")), ids=lambda script: script.name)
def test_no_text_has_an_operator_with_space_around_it_as_scripts_are_sent_without_that(script: Path) -> None:
    texts = re.findall(r'"(?:\\.|[^"\\\n])*"', script.read_text("utf-8"))
    assert [one for one in texts if re.search(r" (=>|[=!]==|&&|\|\||\?\?) ", one) and "`" not in one] == []


def templates(script: str) -> Iterator[tuple[str, str]]:
    """Yield each template of a *script*: its tag, and what stands between its backticks."""
    open_: list[str] = []  # "{", or where a template begins
    at = 0
    while at < len(script):
        rest = script[at:]
        if open_ and open_[-1] != "{":
            if rest.startswith("`"):
                begun = int(open_.pop())
                yield TAG.findall(script[:begun])[0], script[begun + 1 : at]
            elif rest.startswith("${"):
                open_.append("{")
            at += 2 if rest.startswith(("\\", "${")) else 1
            continue
        if passed := PASSED.match(script, at):
            at = passed.end()
            continue
        if rest[0] in "{`":
            open_.append("{" if rest[0] == "{" else str(at))
        elif rest[0] == "}":
            open_.pop()
        at += 1
    assert not open_


@pytest.mark.parametrize("sheet", sorted(PAGE.glob("*.css")), ids=lambda sheet: sheet.name)
def test_the_blocks_of_a_style_sheet_are_closed_where_they_end(sheet: Path) -> None:
    depth = 0
    for number, line in enumerate(sheet.read_text("utf-8").splitlines(), 1):
        depth += line.count("{") - line.count("}")
        assert depth >= 0, f"line {number} closes what is not open, and the rule after it is lost"
    assert depth == 0


def test_the_page_begins_from_what_the_table_tells(client: httpx.Client, companion: RehearsedClient) -> None:
    companion.do(Name(("</script><b>", "Bob"))).result(PATIENCE)
    found = BEGUN.search(client.get("/").text)
    assert found
    told = json.loads(found[1])
    assert told.pop("build")
    asked = {what: client.get(f"/api/{what}").json() for what in ("state", "page", "kit", "rules")}
    del asked["rules"]["options"]  # which have a page of their own
    for preset in asked["rules"]["presets"]:
        del preset["effective"]
    assert told == asked
    assert "</script><b>" in json.dumps(told)


def test_a_file_is_kept_while_its_build_is_that_of_the_page(client: httpx.Client) -> None:
    base = re.findall(r'"/page/": "(/[0-9a-f]{20}/page/)"', client.get("/").text)[0]
    kept = {path: client.get(f"{path}app.js") for path in (base, "/page/")}
    assert len({answer.content for answer in kept.values()}) == 1
    assert [answer.headers["cache-control"] for answer in kept.values()] == [
        "public, max-age=31536000, immutable",
        "no-cache",
    ]
    assert client.get(f"{base}none.js").status_code == 404
    assert client.get("/older/page/app.js").status_code == 404, "an older page gets no file of this build"


@pytest.mark.browser
@needs_chromium
def test_a_page_that_is_loaded_again_asks_for_no_file(server: PageServer, browser: Browser) -> None:
    with visit(browser, server.url, path="") as page:
        page.wait_for_function(f"() => {FILES}.length > {len(imported('/page/app.js'))}")
        asked = page.evaluate(f"() => {FILES}.map(({{ name }}) => name)")
        page.reload()
        page.wait_for_function(
            f"(asked) => asked.every((name) => {FILES}.some((each) => each.name === name))", arg=asked
        )
        again = page.evaluate(
            f"() => {FILES}.filter((each) => each.transferSize > 0).map(({{ name }}) => name)"
        )
        assert sorted({*again} & {*asked}) == []


@pytest.mark.browser
@needs_chromium
def test_a_part_that_did_not_come_is_tried_again(server: PageServer, browser: Browser) -> None:
    with visit(browser, server.url, path="") as page:
        broken = [True]
        intercept(page, "**/page/past.css", lambda route: route.abort() if broken else route.continue_())
        page.reload()
        expect(page.locator(".ways")).to_be_visible()  # the start does without it
        page.evaluate("location.hash = 'count'")
        expect(page.get_by_role("status")).to_have_text("Loading…")
        broken.clear()
        expect(page.locator(".count-hand")).to_be_visible()


@pytest.mark.parametrize("name", ["deck/KS.svg", "app.js", "base.css", "update.js"])
def test_a_file_is_the_same_whether_it_comes_compressed_or_not(client: httpx.Client, name: str) -> None:
    answers = [
        client.get(f"/page/{name}", headers={"Accept-Encoding": coding}) for coding in ("gzip", "identity")
    ]
    packed, plain = answers
    assert packed.content == plain.content
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert "Content-Encoding" not in plain.headers
