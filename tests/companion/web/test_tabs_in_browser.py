"""Many tabs of one browser: only the one that is seen listens, so that presses go out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import ARGUMENTS, CHROMIUM, patience
from playwright.sync_api import Browser, BrowserType, CDPSession
from support.companions import served
from support.patience import PATIENCE, until

from cribpi.companion.entry.requests import Press
from cribpi.companion.run.bootstrap import Running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}, and only that one has tabs"),
]

LINES = 6
"""A browser opens no more to one address."""
PRESS = "import('/page/store.js').then(({ press }) => press('%s'))"
SEQ = "Number(document.querySelector('main[data-seq]')?.dataset.seq ?? -1)"


@dataclass
class Window:
    """A window of tabs as people have them: one is seen.  Playwright's own pages all believe that they are."""

    session: CDPSession
    wait: Callable[[float], None]
    _told: dict[int, Any] = field(default_factory=dict)
    _asked: int = 0

    def __post_init__(self) -> None:
        self.session.on("Target.receivedMessageFromTarget", self._take)

    def _take(self, told: dict[str, str]) -> None:
        message = json.loads(told["message"])
        if "id" in message:
            self._told[message["id"]] = message

    def tab(self, url: str) -> Tab:
        target = self.session.send("Target.createTarget", {"url": url})["targetId"]
        attached = self.session.send("Target.attachToTarget", {"targetId": target, "flatten": False})
        return Tab(self, target, attached["sessionId"])

    def ask(self, session: str, script: str) -> Any:  # noqa: ANN401  it is JSON
        self._asked += 1
        what = {"expression": script, "returnByValue": True}
        message = json.dumps({"id": self._asked, "method": "Runtime.evaluate", "params": what})
        self.session.send("Target.sendMessageToTarget", {"sessionId": session, "message": message})
        for _ in range(int(patience()) // 10):
            if self._asked in self._told:
                return self._told.pop(self._asked)["result"]["result"].get("value")
            self.wait(10)
        raise AssertionError("the tab does not answer")


@dataclass(frozen=True)
class Tab:
    window: Window
    target: str
    session: str

    def ask(self, script: str) -> Any:  # noqa: ANN401  it is JSON
        return self.window.ask(self.session, script)

    def until(self, script: str) -> None:
        """Wait until *script* is true in it."""
        for _ in range(int(patience()) // 20):
            if self.ask(script):
                return
            self.window.wait(20)
        raise AssertionError(f"never in this tab: {script}")

    def look(self) -> None:
        """Bring it to the front."""
        self.window.session.send("Target.activateTarget", {"targetId": self.target})
        self.until("!document.hidden")


@contextmanager
def window(kind: BrowserType) -> Iterator[Window]:
    browser = kind.launch(
        executable_path=str(CHROMIUM), args=[*ARGUMENTS, "--headless=new"], ignore_default_args=["--headless"]
    )
    with closing(browser):
        idle = browser.new_page()
        yield Window(browser.new_browser_cdp_session(), idle.wait_for_timeout)


@contextmanager
def tabs(folder: Path, kind: BrowserType) -> Iterator[tuple[Running, list[Tab]]]:
    """Open as many tabs of a game as a browser has lines, one after the other."""
    with served(folder, seed=1) as (parts, url), window(kind) as opened:
        for key in ("OK", "OK"):
            parts.companion.do(Press(key)).result(PATIENCE)
        found: list[Tab] = []
        for _ in range(LINES):
            found.append(opened.tab(f"{url}#table"))
            found[-1].look()
            found[-1].until(f"{SEQ} === {parts.loop.table.now.seq}")
        yield parts, found


def test_six_tabs_of_one_browser_keep_no_press_from_going_out(tmp_path: Path, browser: Browser) -> None:
    with tabs(tmp_path, browser.browser_type) as (parts, all_of_them):
        assert [tab.ask("document.hidden") for tab in all_of_them] == [True] * (LINES - 1) + [False]
        seq = parts.loop.table.now.seq
        all_of_them[-1].ask(PRESS % "MENU")
        until(lambda: parts.loop.table.now.seq > seq)
        all_of_them[-1].until(f"{SEQ} === {parts.loop.table.now.seq}")


def test_a_tab_shows_what_there_is_once_it_is_seen_again(tmp_path: Path, browser: Browser) -> None:
    with tabs(tmp_path, browser.browser_type) as (parts, all_of_them):
        first, last = all_of_them[0], all_of_them[-1]
        assert [tab.ask("document.title") for tab in all_of_them[:-1]] == ["cribpi"] * (LINES - 1)
        seq = parts.loop.table.now.seq
        last.ask(PRESS % "MENU")
        until(lambda: parts.loop.table.now.seq > seq)
        first.look()
        first.until(f"{SEQ} === {parts.loop.table.now.seq}")
        first.until("document.title !== 'cribpi'")
        assert first.ask("document.querySelector('[role=alert]')") is None
        last.until("document.hidden")
        first.ask(PRESS % "UNDO")
        first.until(f"{SEQ} > {seq + 1}")
