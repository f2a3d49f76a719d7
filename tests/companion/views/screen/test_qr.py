"""The code on the screen, read back as a phone's camera sees it: larger, blurred a little, and askew."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import zxingcpp
from PIL import Image, ImageFilter
from support.presses import view_at

from cribpi.companion.entry.here import Here
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import InputState, PhoneList
from cribpi.companion.entry.phones import Phones
from cribpi.companion.views.screen.layouts.lists import modules_of
from cribpi.companion.views.screen.screen import draw
from cribpi.companion.web.phones.registry import ALPHABET, CODE_LENGTH
from cribpi.cribbage.game.step import NEW_TABLE

LONGEST = Phones(is_open=True, address="http://192.168.178.234:65535/", code="W" * CODE_LENGTH)


def at_arms_length(
    phones: Phones, scale: float = 4, blur: float = 1.5, angle: float = 3
) -> tuple[str, Image.Image]:
    """Return what *phones* would have a camera read, and the screen as the camera sees it."""
    screen = draw(
        view_at(NEW_TABLE, SavedInput(InputState(dialog=PhoneList()), InputContext(here=Here(phones=phones))))
    ).convert("L")
    size = (round(screen.width * scale), round(screen.height * scale))
    seen = screen.resize(size, Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(blur))
    return phones.joins_at, seen.rotate(angle, expand=True, fillcolor=20)


def read(picture: Image.Image) -> list[str]:
    return [found.text for found in zxingcpp.read_barcodes(np.array(picture))]


@pytest.mark.parametrize("seed", range(20))
def test_a_camera_reads_any_address_and_code(seed: int) -> None:
    chance = Random(seed)
    home = ".".join(str(chance.randrange(256)) for _ in range(2))
    code = "".join(chance.choices(ALPHABET, k=CODE_LENGTH))
    phones = Phones(is_open=True, address=f"http://192.168.{home}:{chance.choice((80, 8121))}/", code=code)
    link, picture = at_arms_length(phones, angle=chance.uniform(-8, 8))
    assert read(picture) == [link]


@pytest.mark.parametrize(
    ("scale", "blur", "angle"), [(1, 0, 0), (2.3, 1, 5), (3, 1.5, -10), (6, 3, 2), (9, 5, 0)]
)
def test_it_is_read_from_near_and_far(scale: float, blur: float, angle: float) -> None:
    link, picture = at_arms_length(LONGEST, scale, blur, angle)
    assert read(picture) == [link]


def test_the_longest_has_modules_of_two_px_and_seven_px_of_lit_ground_round_it() -> None:
    assert len(modules_of(LONGEST.joins_at)) == 25
    screen = draw(
        view_at(
            NEW_TABLE, SavedInput(InputState(dialog=PhoneList()), InputContext(here=Here(phones=LONGEST)))
        )
    )
    ground = {screen.getpixel((x, y)) for x in range(64) for y in range(64) if min(x, y, 63 - x, 63 - y) < 7}
    assert ground == {255}
