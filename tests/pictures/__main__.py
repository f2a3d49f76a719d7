"""Pictures of the page, every scene in a real browser, to be looked at, and those that the docs show.

    make pictures                      each scene in four sizes, light and dark, in build/pictures/
    make pictures ARGS="--only play"   the scenes of that name
    make pictures ARGS="--evenings"    evenings with phones: what each window shows, in build/pictures/
    make pictures ARGS="--docs"        those of docs/images/, the moving one too

What is dealt hangs on a seed, so that only what the page looks like makes a picture differ.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.web.browser import ARGUMENTS, CHROMIUM
from playwright.sync_api import Browser, Page, sync_playwright

from pictures.docs import make_docs, reached
from pictures.evenings import EVENINGS, evenings
from pictures.scenes import SCENES, Scene

SIZES = {
    "wide": (1280, 800),
    "tall": (390, 844),
    "phone": (390, 664),
    "lying": (844, 390),
    "small": (320, 568),
}
THEMES = ("light", "dark")


def main() -> None:
    parser = argparse.ArgumentParser(description="Make pictures of the page.")
    parser.add_argument("--only", metavar="SCENE", action="append", help="one scene; may be given again")
    parser.add_argument("--to", type=Path, default=Path("build/pictures"), help="the folder that they go to")
    parser.add_argument("--docs", action="store_true", help="only those of docs/images/")
    parser.add_argument("--evenings", action="store_true", help="only evenings with phones")
    options = parser.parse_args()
    there = EVENINGS if options.evenings else SCENES
    if unknown := set(options.only or ()) - set(there):
        parser.error(f"--only {min(unknown)}: there are {', '.join(there)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        if options.docs:
            make_docs(browser, Path("docs/images"))
        elif options.evenings:
            evenings(browser, options.only or list(EVENINGS), options.to)
        else:
            for name in options.only or SCENES:
                shoot(browser, name, SCENES[name], options.to)
        browser.close()


def shoot(browser: Browser, name: str, scene: Scene, folder: Path) -> None:
    """Take *scene* in every size and both themes."""
    folder.mkdir(parents=True, exist_ok=True)
    page = browser.new_context(reduced_motion="reduce").new_page()
    with reached(page, scene):
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                take(page, folder / f"{name}-{size}-{theme}.png")
    page.context.close()


def take(page: Page, path: Path) -> None:
    page.wait_for_timeout(150)  # the page draws itself anew in the new size
    page.screenshot(path=path)
    print(path)


if __name__ == "__main__":
    main()
