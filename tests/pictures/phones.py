"""Pictures of an evening with phones: how one joins, and a television with two phones at it."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from companion.web.phone_table import TELEVISION, PhoneTable, act, phone_table
from PIL import Image, ImageDraw, ImageOps
from playwright.sync_api import Browser, Page
from support.presses import view_at

from cribpi.companion.entry.here import Here
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState, PhoneList
from cribpi.companion.entry.phones import Phones
from cribpi.companion.views.screen.screen import draw
from cribpi.cribbage.game.step import NEW_TABLE

Size = tuple[int, int]
WHOLE: Size = (1280, 480)
GROUND, FRAME = "#e8e1d4", "#221d18"
PLACES: tuple[tuple[int, int, Size], ...] = (
    (24, 30, (744, 419)),
    (804, 40, (212, 400)),
    (1044, 40, (212, 400)),
)
"""Where the television is and where the phones are: left, top, and how large."""
JOINING: Size = (1000, 480)
DOT = 4
"""Px that a dot of the board's screen is wide."""
LIT, DARK = "#cfe6ff", "#050608"
JOINS = Phones(is_open=True, address="http://192.168.1.23:8121/", host="cribpi.local", code="7KX4QM")
EDGE, ROUND = 8, 22
"""Px of what is round a screen, and how round its corners are."""
TALL: Size = (390, 736)


def phones_picture(browser: Browser) -> bytes:
    """Return the picture of a television with the score, and two phones with a hand each, as a PNG."""
    with (
        tempfile.TemporaryDirectory() as state,
        phone_table(Path(state), browser, "person", "person", names=("Ann", "Bob")) as table,
    ):
        ann = table.joined("Play as Ann", TALL)
        bob = table.joined("Play as Bob", TALL, is_dark=True)
        far = table.joined("Scoreboard", TELEVISION)
        table.begin("121")
        _play(table, [ann, bob])
        screens = [_screen(page) for page in (far, ann, bob)]
    whole = Image.new("RGB", WHOLE, GROUND)
    for screen, (left, top, size) in zip(screens, PLACES, strict=True):
        _hang(whole, screen, left, top, size)
    return _png(whole)


def joining_picture(browser: Browser) -> bytes:
    """Return the picture of the code on the board's screen, and of what a phone can be, as a PNG."""
    with (
        tempfile.TemporaryDirectory() as state,
        phone_table(Path(state), browser, "person", "person", names=("Ann", "Bob")) as table,
    ):
        page = table.window(TALL)
        page.goto(f"{table.url}J/{table.code}")
        page.get_by_role("button", name="Play as Ann").wait_for()
        chooses = _screen(page)
    glass = draw(
        view_at(NEW_TABLE, SavedInput(InputState(dialog=PhoneList()), InputContext(here=Here(phones=JOINS))))
    )
    width, height = glass.width * DOT, glass.height * DOT
    shows = ImageOps.colorize(glass.convert("L"), DARK, LIT).resize((width, height), Image.Resampling.NEAREST)
    whole = Image.new("RGB", JOINING, GROUND)
    _hang(whole, shows, 60, (JOINING[1] - height) // 2, (width, height))
    _hang(whole, chooses, 700, 40, (212, 400))
    return _png(whole)


def _play(table: PhoneTable, pages: list[Page]) -> None:
    """Play the first deal, and the next one until three cards are on the table."""
    for _ in range(400):
        state = table.parts.loop.table.now.state
        deal = state.deal
        if (
            state.phase == "play"
            and any(pegs.front for pegs in state.pegs)
            and deal is not None
            and len(deal.pile) >= 3
        ):
            return
        for page in pages:
            act(page)
            page.wait_for_timeout(100)


def _screen(page: Page) -> Image.Image:
    page.wait_for_timeout(1500)  # the pegs are walked, and all is drawn
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def _hang(whole: Image.Image, screen: Image.Image, left: int, top: int, size: Size) -> None:
    """Draw *screen* into *whole*, with an edge round it."""
    width, height = size
    small = screen.resize(size, Image.Resampling.LANCZOS)
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), ROUND - EDGE, fill=255)
    box = (left - EDGE, top - EDGE, left + width + EDGE - 1, top + height + EDGE - 1)
    ImageDraw.Draw(whole).rounded_rectangle(box, ROUND, fill=FRAME)
    whole.paste(small, (left, top), mask)


def _png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
