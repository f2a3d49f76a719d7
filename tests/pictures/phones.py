"""The picture of an evening with phones: a television with the score, and two phones with a hand each."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page
from web.phone_table import TELEVISION, PhoneTable, act, phone_table

Size = tuple[int, int]
WHOLE: Size = (1280, 480)
GROUND, FRAME = "#e8e1d4", "#221d18"
PLACES: tuple[tuple[int, int, Size], ...] = (
    (24, 30, (744, 419)),
    (804, 40, (212, 400)),
    (1044, 40, (212, 400)),
)
"""Where the television is and where the phones are: left, top, and how large."""
EDGE, ROUND = 8, 22
"""Px of what is round a screen, and how round its corners are."""
TALL: Size = (390, 736)


def phones_picture(browser: Browser) -> bytes:
    """Return the picture, as a PNG."""
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
    file = io.BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()


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
