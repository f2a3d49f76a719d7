"""The page in a browser: how soon it can be used on a slow line, how soon a press is drawn, its memory."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.figures import row
from companion.web.browser import ARGUMENTS, CHROMIUM
from pictures.scenes import dealt, kept, play
from playwright.sync_api import CDPSession, Page, sync_playwright
from support.greedy_games import greedy_game, journal_of_many
from support.server import companion

LATENCY = 400  # milliseconds
THROUGHPUT = 50_000  # bytes a second
KEYS = "8 7 7 6 GO GO 5 Q K 4".split()
WATCH = """() => {
  window.shown = []; window.drawn = [];
  addEventListener("click", (event) => {
    const begin = event.timeStamp, seq = document.querySelector("main.table").dataset.seq;
    let isShown = false;
    const look = () => {
      const table = document.querySelector("main.table"), now = performance.now();
      if (!isShown && (table.dataset.waiting !== "0" || table.dataset.seq !== seq)) {
        isShown = true;
        window.shown.push(now - begin);
      }
      if (table.dataset.seq !== seq) window.drawn.push(now - begin);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);
}"""
"""For each click, when the page first shows that it was heard, and when it has drawn what came of it."""


WATCH_START = """new MutationObserver((_, watch) => {
  if (!document.querySelector(".ways .main")) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.usable = performance.now(); }));
}).observe(document, { subtree: true, childList: true });"""
"""When the start is drawn and can be pressed, by the page's own clock: to ask takes half a second too."""


def of_the_page(runs: int) -> None:
    first_load(max(1, runs // 5))
    presses(max(1, runs // 5))
    many_games(1000)
    memory(20 if runs > 5 else 2)


@contextmanager
def opened(state: Path) -> Iterator[tuple[Page, CDPSession, str]]:
    with companion(state) as (_, url), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        page = browser.new_page()
        yield page, page.context.new_cdp_session(page), url
        browser.close()


SLOW = {
    "offline": False,
    "latency": LATENCY,
    "downloadThroughput": THROUGHPUT,
    "uploadThroughput": THROUGHPUT,
}
LAST = "Math.max(...performance.getEntriesByType('resource').map((one) => one.responseEnd))"


def first_load(runs: int) -> None:
    """Load the start with nothing kept, over a line as slow as the design names it."""
    usable, loaded, before, whole = [], [], [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as state, opened(Path(state)) as (page, cdp, url):
            sizes: dict[str, int] = {}

            def note(done: dict[str, Any], sizes: dict[str, int] = sizes) -> None:
                sizes[done["requestId"]] = done["encodedDataLength"]

            page.add_init_script(WATCH_START)
            cdp.on("Network.loadingFinished", note)
            cdp.send("Network.enable")
            cdp.send("Network.emulateNetworkConditions", SLOW)
            page.goto(url, wait_until="commit")
            page.wait_for_selector(".ways .main")
            usable.append(page.evaluate("window.usable"))
            before.append(sum(sizes.values()))
            page.wait_for_timeout(8000)
            loaded.append(page.evaluate(LAST))
            whole.append(sum(sizes.values()))
    median = statistics.median
    row("page usable at 400 ms and 50 kB/s", f"{median(usable):.0f} ms", "2,000 ms")
    row("    sent until then", f"{median(before) / 1000:.1f} kB", "40 kB")
    row("    all but the deck, at", f"{median(whole) / 1000:.1f} kB, {median(loaded):.0f} ms", "250 kB")


def presses(runs: int) -> None:
    shown: list[float] = []
    drawn: list[float] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as state, opened(Path(state)) as (page, _, url):
            kept(url, ("ANN", "BOB"), "2", "K", "5")
            page.goto(f"{url}#table")
            page.wait_for_selector(".keypad")
            page.wait_for_timeout(1000)
            page.evaluate(WATCH)
            for number, key in enumerate(KEYS, start=1):
                page.locator(f'.key[data-key="{key}"]').click()
                page.wait_for_function("(number) => window.drawn.length >= number", arg=number)
                page.wait_for_timeout(300)
            shown += page.evaluate("window.shown")
            drawn += page.evaluate("window.drawn")
    for what, times, budget in (("heard", shown, 50), ("drawn", drawn, 100)):
        figures = f"{statistics.median(times):.0f} ms, 95 % within {percentile(times, 95):.0f}"
        row(f"a press on the page is {what}, of {len(times)}", figures, f"{budget} ms")


def many_games(number: int) -> None:
    """Open the statistics of so many games to 121, then one player's, then a game, and step through it."""
    with tempfile.TemporaryDirectory() as state:
        games = [greedy_game(seed, pair) for seed, pair in enumerate((("Ann", "Bob"), ("Ann", "Cleo")))]
        with opened(journal_of_many(Path(state), games, number)) as (page, _, url):
            begin = time.perf_counter()
            page.goto(f"{url}#stats")
            page.wait_for_selector("tbody th")
            first = time.perf_counter() - begin
            page.wait_for_selector(".pending", state="detached", timeout=600_000)
            row(f"statistics of {number:,} games", f"{first:.1f} s", "-")
            row("    all of them counted, for the first time", f"{time.perf_counter() - begin:.1f} s", "-")
            for what, path, shown in (
                ("a player's figures", "stats/Ann", ".bests"),
                ("the games", "games", ".game-row"),
                ("the last of them", f"games/{number - 1}", ".gains"),
                ("a step of it", f"games/{number - 1}/60", '.past-game[data-step="60"]'),
            ):
                begin = time.perf_counter()
                page.evaluate("(path) => { location.hash = path; }", path)
                page.wait_for_selector(shown)
                row(f"    {what}", f"{(time.perf_counter() - begin) * 1000:.0f} ms", "-")


def percentile(times: list[float], share: int) -> float:
    return statistics.quantiles(times, n=100)[share - 1]


def memory(games: int) -> None:
    """Watch the page through whole games against the computer, which takes the person's moves from here."""
    with tempfile.TemporaryDirectory() as state, opened(Path(state)) as (page, cdp, url):
        page.goto(f"{url}#table")
        found: list[str] = []
        for game in range(games):
            dealt(url, "", "solid", names=("ANN", "BLUE"))
            play(url, lambda now: now["winner"] is not None)
            if game % 5 in (0, 4):
                page.wait_for_timeout(1500)
                found.append(f"{heap(cdp):.2f}")
        row(f"the page's memory over {games} games", f"{' '.join(found)} MB", "flat")


def heap(cdp: CDPSession) -> float:
    cdp.send("HeapProfiler.collectGarbage")
    used: Any = cdp.send("Runtime.getHeapUsage")["usedSize"]
    return float(used) / 1e6
