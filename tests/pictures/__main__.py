"""Pictures of the page, every scene in a real browser, beside those that were committed, and of the docs.

    make pictures                      each scene in all sizes and looks, in build/pictures/, and what differs
    make pictures ARGS="--keep"        the same, and accept how it looks now
    make pictures ARGS="--only play"   the scenes of that name
    make pictures ARGS="--dots 10"     what differs in more than 10 dots of a reduced picture
    make pictures ARGS="--evenings"    evenings with phones: what each window shows, in build/pictures/
    make pictures ARGS="--docs"        those of docs/images/, the moving one too

What is dealt hangs on a seed, and the clock stands, so that only what the page looks like makes a picture
differ.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.web.browser import ARGUMENTS, HEADLESS
from playwright.sync_api import Browser, sync_playwright

from pictures.compare import DOTS, differences, keep, kept, lacks, opened, reduced, shots
from pictures.docs import make_docs
from pictures.evenings import EVENINGS, evenings
from pictures.scenes import SCENES


def main() -> None:
    parser = argparse.ArgumentParser(description="Make pictures of the page.")
    parser.add_argument("--only", metavar="SCENE", action="append", help="one scene; may be given again")
    parser.add_argument("--to", type=Path, default=Path("build/pictures"), help="the folder that they go to")
    parser.add_argument("--keep", action="store_true", help="make the pictures the references from now on")
    parser.add_argument("--dots", type=int, default=DOTS, help="dots of a reduced picture that may differ")
    parser.add_argument("--docs", action="store_true", help="only those of docs/images/")
    parser.add_argument("--evenings", action="store_true", help="only evenings with phones")
    options = parser.parse_args()
    there = EVENINGS if options.evenings else SCENES
    if unknown := set(options.only or ()) - set(there):
        parser.error(f"--only {min(unknown)}: there are {', '.join(there)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(HEADLESS), args=list(ARGUMENTS))
        if options.docs:
            make_docs(browser, Path("docs/images"))
        elif options.evenings:
            evenings(browser, options.only or list(EVENINGS), options.to)
        else:
            if not options.keep and (lack := lacks()):
                parser.exit(2, f"the pictures would differ everywhere: {lack}\n")
            differ = [
                name
                for name in options.only or SCENES
                if not shoot(browser, name, options.to, options.dots, is_kept=options.keep)
            ]
            if differ:
                parser.exit(1, f"not as committed: {', '.join(differ)}; look at {options.to}/differences/\n")
        browser.close()


def shoot(browser: Browser, name: str, folder: Path, dots: int, *, is_kept: bool) -> bool:
    """Take a scene in every size and look, and return whether it is as its reference.

    If *is_kept* it becomes the reference.  What differs is written beside its reference.
    """
    apart = folder / "differences"
    apart.mkdir(parents=True, exist_ok=True)
    taken = {}
    with opened(browser, SCENES[name]) as page:
        for (size, look), png in shots(page):
            (folder / f"{name}-{size}-{look}.png").write_bytes(png)
            taken[size, look] = reduced(png)
    for old in apart.glob(f"{name}-*.png"):
        old.unlink()
    if is_kept:
        keep(name, taken)
    reference = kept(name)
    if reference is None:
        print(f"{name}: no reference; look at {folder}/, then --keep")
        return False
    found = differences(reference, taken, dots)
    for each in found:
        path = apart / f"{name}-{'-'.join(each.shot)}.png"
        each.side_by_side().save(path)
        print(f"{path}: {each.dots} dots differ")
    print(f"{name}: {len(taken) - len(found)} of {len(taken)} as committed", flush=True)
    return not found


if __name__ == "__main__":
    main()
