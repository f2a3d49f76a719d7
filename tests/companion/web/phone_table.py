"""A table that phones join over a real socket, each in a window of its own that shares no cookie with the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.web.browser import patience, usual_port
from playwright.sync_api import Browser, Error, Page
from support.companions import running, start_of
from support.patience import PATIENCE, until

from cribpi.companion.entry.phones import OpenPhones
from cribpi.companion.entry.requests import Press
from cribpi.companion.run.bootstrap import Running
from cribpi.companion.web.phones.network import Reach
from cribpi.companion.web.phones.seats import TablePhones
from cribpi.companion.web.server import PhoneServer

HOST = "127.0.0.2"
"""An address of this machine that the board's own page does not answer to."""
HAND = ".hand button.card"
PHONE, SMALL, LYING, TELEVISION = (390, 664), (320, 568), (844, 390), (1920, 1080)


_windows: list[tuple[Browser, Page]] = []
"""Windows without cookies, to be used again; see `browser.visit`."""


@dataclass  # without slots, as Playwright marks whom it calls
class PhoneTable:
    """A companion that runs, where phones find it, and their windows."""

    parts: Running
    port: int
    browser: Browser
    errors: list[str] = field(default_factory=list)
    """What went wrong in a page."""
    _open: list[tuple[Page, bool]] = field(default_factory=list)
    """Its windows, each with whether it may be used again."""

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/"

    @property
    def code(self) -> str:
        return self.parts.phones.registry.code()

    def window(
        self, size: tuple[int, int] = PHONE, *, is_dark: bool = False, script: str | None = None
    ) -> Page:
        """Open a new browser, as it were: it runs *script* before each page."""
        page = self._kept() if script is None else None
        if page is None:
            page = self.browser.new_context().new_page()
            page.set_default_timeout(patience())
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if is_dark else "light")
        if script is not None:
            page.context.add_init_script(script)
        page.on("pageerror", self._note)
        self._open.append((page, script is None))
        return page

    def _kept(self) -> Page | None:
        found = next((at for at, (browser, _) in enumerate(_windows) if browser is self.browser), None)
        return None if found is None else _windows.pop(found)[1]

    def _note(self, error: Error) -> None:
        self.errors.append(str(error))

    def joined(
        self,
        what: str,
        size: tuple[int, int] = PHONE,
        *,
        is_dark: bool = False,
        script: str | None = None,
    ) -> Page:
        """Join with a new phone by the code's address, and choose *what* it is."""
        page = self.window(size, is_dark=is_dark, script=script)
        page.goto(f"{self.url}J/{self.code}")
        page.get_by_role("button", name=what).click()
        page.wait_for_selector("main:is(.table, .lobby, .scoreboard)")
        return page

    def press(self, *keys: str) -> None:
        """Press *keys* at the board."""
        for key in keys:
            assert self.parts.companion.do(Press(key)).result(PATIENCE).is_accepted

    def begin(self, target: str = "31", automatic: tuple[str, ...] = ("cut", "deal", "starter")) -> None:
        """Start the game that is set up; what is *automatic* is done by itself."""
        setup = self.parts.loop.table.now.context.next_game
        request = {
            "rules": "standard",
            "players": setup.players,
            "entry": setup.entry,
            "options": {"target": target},
            "levels": list(setup.seat_levels() if setup.entry == "dealt" else [""] * setup.players),
            "speed": "fast",
            "automatic": list(automatic),
        }
        assert self.parts.companion.do(start_of(request)).result(PATIENCE).is_accepted

    def rounds_until(self, phase: str) -> Iterator[None]:
        """Go round the table until the game stands at *phase*; after minutes that has failed, however slow it is."""
        end = time.monotonic() + PATIENCE
        while self.parts.loop.table.now.state.phase != phase:
            assert time.monotonic() < end, f"never at {phase}"
            yield

    def close(self) -> None:
        for page, _ in self._open:
            page.context.close()

    def keep(self) -> None:
        """Leave its windows as new ones for the next table, but for those with a script of their own."""
        for page, may_stay in self._open:
            page.unroute_all()
            page.mouse.move(0, 0)
            tab = page.context.new_cdp_session(page)
            for url in {self.url, page.url}:  # the phones' page, and perhaps the board's
                tab.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "local_storage"})
            page.goto("about:blank")
            page.context.clear_cookies()
            page.remove_listener("pageerror", self._note)
            if may_stay:
                _windows.append((self.browser, page))
            else:
                page.context.close()


@contextmanager
def phone_table(
    state: Path,
    browser: Browser,
    *levels: str,
    port: int = 0,
    **settings: Any,  # noqa: ANN401  the fields of Config
) -> Iterator[PhoneTable]:
    """Run a table whose seats are played at *levels*, and let phones in."""
    with running(state, seed=1, speed="fast", still=True, **_seats(levels), **settings) as parts:
        found = PhoneTable(parts, port or usual_port(HOST), browser)
        parts.phones._find = lambda: Reach((HOST,))
        parts.phones.start(served_at(found.port), found.port)
        parts.phones.registry.do(OpenPhones())
        until(lambda: bool(parts.phones._reach.addresses))
        try:
            yield found
            found.keep()
        except BaseException:
            found.close()
            raise
        assert found.errors == []


def _seats(levels: tuple[str, ...]) -> dict[str, Any]:
    return {"players": len(levels), "entry": "dealt", "levels": levels} if levels else {}


def served_at(port: int) -> Callable[[tuple[str, ...], TablePhones], Callable[[], None]]:
    def serve(addresses: tuple[str, ...], door: TablePhones) -> Callable[[], None]:
        server = PhoneServer(door, addresses, port)
        server.start()
        return server.stop

    return serve


ACT = """() => {
  for (const moving of document.getAnimations()) moving.finish();
  document.querySelector("main.table > .felt.closed")?.click();
  const table = document.querySelector("main.table");
  if (!table || table.dataset.waiting !== "0" || table.dataset.kind === "result") return "";
  const on = (node) => node && node.offsetParent !== null && node.getAttribute("aria-disabled") !== "true";
  const main = document.querySelector(".buttons .main");
  const card = [...document.querySelectorAll(".hand button.card[aria-pressed=false]")].find(on);
  const wanted = on(main) ? main : card;
  wanted?.click();
  return wanted ? wanted.textContent : "";
}"""


def act(page: Page) -> str:
    """Do the next thing that is to be done on the phone, and say what; nothing where there is none."""
    return str(page.evaluate(ACT))


KEYPAD_ACT = """() => {
  const lit = [...document.querySelectorAll(".keypad .key:not(.dull)")];
  const keys = lit.filter((key) => /^(?:OK|GO|10|[A2-9JQK])$/.test(key.dataset.key));
  const wanted = keys.find((key) => key.dataset.key === "OK") ?? keys[0];
  if (!wanted || document.querySelector(".key.waiting")) return "";
  const over = document.querySelector("main")?.dataset.phase === "game-over";
  if (!over) wanted.click();
  return over ? "" : wanted.dataset.key;
}"""


def act_on_keypad(page: Page) -> str:
    """Press the next key that is lit on the device's keypad, and say which; nothing where none is."""
    return str(page.evaluate(KEYPAD_ACT))
