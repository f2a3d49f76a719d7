"""The page looks as in the pictures that were committed, in every size and look; what is planted is found."""

from __future__ import annotations

import pytest
from companion.web.browser import needs_chromium
from pictures.compare import LOOKS, SIZES, Shot, differences, kept, lacks, opened, reduced, shots
from pictures.scenes import SCENES
from PIL import Image
from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, needs_chromium]

SAMPLE: dict[str, tuple[Shot, ...]] = {
    "keep": tuple(zip(SIZES, LOOKS, strict=True)),
    "settings": tuple(zip(SIZES, LOOKS[::-1], strict=True)),
}
"""Pictures of two scenes that are come to soon: each size and each look is among them."""

PLANTED = {
    "a moved button": ".keypad .key[data-key='7'] { transform: translateX(-12px); }",
    "another colour": ".tile { background: #e8d8b8 !important; }",
    "a missing label": ".keypad .key[data-key='8'] * { visibility: hidden; }",
}

STYLE = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""
"""The page's policy allows no style element."""


@pytest.fixture(autouse=True, scope="module")
def same_fonts() -> None:
    if lack := lacks():
        pytest.skip(lack)


def taken(page: Page, wanted: tuple[Shot, ...]) -> dict[Shot, Image.Image]:
    return {shot: reduced(png) for shot, png in shots(page, wanted)}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.prove) for name in SCENES]
)
def test_a_scene_looks_as_it_was_committed(browser: Browser, name: str, *, whole: bool) -> None:
    reference = kept(name)
    if reference is None:
        pytest.skip(f"{name} has no reference: make pictures ARGS='--only {name} --keep'")
    with opened(browser, SCENES[name]) as page:
        found = differences(reference, taken(page, () if whole else SAMPLE[name]))
    assert {each.shot: each.dots for each in found} == {}, "make pictures shows them"


def test_what_is_planted_is_found_and_nothing_else(browser: Browser) -> None:
    shot = ("phone", "light")
    reference = kept("keep")
    assert reference is not None
    with opened(browser, SCENES["keep"]) as page:
        for _ in range(2):
            assert differences(reference, taken(page, (shot,))) == []
        for what, css in PLANTED.items():
            page.evaluate(STYLE, css)
            found = differences(reference, taken(page, (shot,)))
            assert [each.shot for each in found] == [shot], what
        page.evaluate(STYLE, "")
        assert differences(reference, taken(page, (shot,))) == []
