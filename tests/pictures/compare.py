"""Each scene in all looks and sizes, reduced, beside the references that were committed."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from companion.web.browser import ASKED, HEADLESS, resize
from PIL import Image, ImageChops, ImageOps
from playwright.sync_api import Browser, CDPSession, Page
from support.paths import TESTS

from pictures.docs import reached
from pictures.scenes import Scene

Shot = tuple[str, str]
"""A size and a look."""

SIZES: Final = {
    "wide": (1280, 800),
    "tall": (390, 844),
    "phone": (390, 664),
    "lying": (844, 390),
    "small": (320, 568),
}
LOOKS: Final = ("light", "dark", "contrast", "large", "long")
"""Both colours, a contrast theme, text at 200 %, and texts as long as German ones."""

REDUCED: Final = 5
"""How many dots of the page, across and down, become one of a reference."""

STEP: Final = 16
"""References have a colour's parts in steps of this, which halves their bytes."""

LEVEL: Final = 24
"""Difference of a reduced dot's red, green or blue, 0 to 255, above which it is another; over half a step."""

DOTS: Final = 3
"""Dots of a reduced picture that may differ: a person's threshold (`--dots`)."""

REFERENCES: Final = TESTS / "golden" / "page"
"""Where the references are: for each scene a picture with a row per look and a column per size."""

NOON: Final = "2031-03-01T12:00:00Z"

USUAL, LARGE = 16, 32  # pixels of a letter

LENGTHEN: Final = r"""() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  globalThis.written = new Map();
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!/\p{L}{2}/u.test(text.data) || text.parentElement.closest("[translate=no], script, style")) continue;
    written.set(text, text.data);
  }
  const longer = (word) => word + word.slice(0, Math.ceil(0.35 * word.length));
  for (const [text, data] of written) text.data = data.replace(/\p{L}{2,}/gu, longer);
}"""
"""Make each word longer by a third, as German words are than English ones, but for what is not translated."""
SHORTEN: Final = "() => { for (const [text, data] of written) text.data = data; }"
STILL: Final = """() => new Promise((done) => {
  let before = "", same = 0;
  const look = () => {
    for (const moving of document.getAnimations()) moving.finish();
    const now = asked.begun + [...document.querySelectorAll("main *")].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height].join();
    }).join(";");
    same = now === before && asked.open === 0 ? same + 1 : 0;
    before = now;
    const whole = document.fonts.status === "loaded" && [...document.images].every((image) => image.complete);
    if (same >= 6 && whole) done(); else requestAnimationFrame(look);
  };
  look();
})"""
"""Until all is there and nothing has moved for six frames: a change of size is answered in several steps."""


def lacks() -> str:
    """Return what this machine lacks to compare pictures with the references, or nothing."""
    if not HEADLESS.exists():
        return f"there is no {HEADLESS}: install the package chromium"
    found = shutil.which("fc-match")
    named = (
        subprocess.run(["fc-match", "monospace"], capture_output=True, text=True, check=False)
        if found
        else None
    )
    if named is None or "DejaVu" not in named.stdout:
        return "monospace is not DejaVu here: install the packages fontconfig and fonts-dejavu"
    return ""


@contextmanager
def opened(browser: Browser, scene: Scene) -> Iterator[Page]:
    """Give the page at *scene*, where nothing moves and it is always the same day."""
    context = browser.new_context(reduced_motion="reduce", locale="en-GB", timezone_id="UTC")
    page = context.new_page()
    page.add_init_script(ASKED)
    page.clock.set_fixed_time(NOON)
    with reached(page, scene):
        yield page
    context.close()


def shots(page: Page, wanted: Iterable[Shot] = ()) -> Iterator[tuple[Shot, bytes]]:
    """Take the page as it stands in every size and look, or in those *wanted*, as PNGs."""
    letters = page.context.new_cdp_session(page)
    for size, (width, height) in SIZES.items():
        for look in LOOKS:
            if wanted and (size, look) not in wanted:
                continue
            _wear(page, letters, look)
            resize(page, width - 1, height)  # else queries in em are not asked again for other letters
            resize(page, width, height)
            page.evaluate(STILL)
            if look == "long":
                page.evaluate(LENGTHEN)
                page.evaluate(STILL)
            yield (size, look), page.screenshot(animations="disabled")
            if look == "long":
                page.evaluate(SHORTEN)
    letters.detach()


def _wear(page: Page, letters: CDPSession, look: str) -> None:
    page.emulate_media(
        color_scheme="dark" if look == "dark" else "light",
        forced_colors="active" if look == "contrast" else "none",
        reduced_motion="reduce",
    )
    size = LARGE if look == "large" else USUAL
    letters.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})


# --- references ------------------------------------------------------------------------------------------


def reduced(png: bytes) -> Image.Image:
    """Return a picture so small that the edges of letters do not matter, and that something missing does."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return picture.resize((picture.width // REDUCED, picture.height // REDUCED), Image.Resampling.BOX)


def _box(shot: Shot) -> tuple[int, int, int, int]:
    """Return the place of a *shot* in its scene's reference."""
    size, look = shot
    small = {name: (width // REDUCED, height // REDUCED) for name, (width, height) in SIZES.items()}
    left = sum(small[name][0] for name in list(SIZES)[: list(SIZES).index(size)])
    top = LOOKS.index(look) * max(height for _, height in small.values())
    return left, top, left + small[size][0], top + small[size][1]


_SHEET: Final = (_box(("small", "long"))[2], _box(("tall", "long"))[3])


def keep(name: str, taken: dict[Shot, Image.Image]) -> None:
    """Make *taken* the reference of a scene."""
    sheet = Image.new("RGB", _SHEET)
    for shot, picture in taken.items():
        sheet.paste(picture, _box(shot)[:2])
    in_steps = sheet.point(lambda part: part // STEP * STEP + STEP // 2)
    REFERENCES.mkdir(parents=True, exist_ok=True)
    in_steps.save(REFERENCES / f"{name}.webp", lossless=True, quality=80, method=4)


def kept(name: str) -> Image.Image | None:
    """Return the reference of a scene, or None without one."""
    path = REFERENCES / f"{name}.webp"
    return Image.open(path).convert("RGB") if path.exists() else None


@dataclass(frozen=True)
class Difference:
    """A picture that is not as its reference: how many *dots* of it are others, and the two."""

    shot: Shot
    dots: int
    before: Image.Image
    now: Image.Image
    mask: Image.Image

    def side_by_side(self) -> Image.Image:
        """Return the reference, the picture, and the picture with the other dots in red, for a person."""
        marked = Image.composite(
            Image.new("RGB", self.now.size, "#ff0033"), ImageOps.grayscale(self.now).convert("RGB"), self.mask
        )
        width, height = (3 * part for part in self.now.size)
        whole = Image.new("RGB", (3 * width + 20, height), "#808080")
        for at, each in enumerate((self.before, self.now, marked)):
            whole.paste(each.resize((width, height), Image.Resampling.NEAREST), (at * (width + 10), 0))
        return whole


def differences(reference: Image.Image, taken: dict[Shot, Image.Image], dots: int = DOTS) -> list[Difference]:
    """Return the pictures of which more than so many *dots* are not as in the reference."""
    found = []
    for shot, now in taken.items():
        before = reference.crop(_box(shot))
        red, green, blue = ImageChops.difference(before, now).split()
        mask = ImageChops.lighter(ImageChops.lighter(red, green), blue).point(
            lambda part: 255 * (part > LEVEL)
        )
        others = mask.histogram()[255]
        if others > dots:
            found.append(Difference(shot, others, before, now, mask))
    return found
