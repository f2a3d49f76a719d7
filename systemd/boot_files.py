"""The boot files on the card: what is missing is offered as a diff, and written if that is agreed to.

What they must say is `boot_settings`' matter; here they are found, shown, kept and replaced.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Final

from boot_settings import Wanted, cmdline_txt, config_txt
from bundled import argument
from steps import say

from cribpi.companion.files.whole import write_whole

BACKUP: Final = ".before-cribpi"


def boot(root: Path, model: str | None, needs: Wanted, *, is_sure: bool) -> None:
    """Offer the boot settings that are missing as a diff, and write them only when that is agreed to."""
    folder = next(
        (root / path for path in ("boot/firmware", "boot") if (root / path / "config.txt").is_file()), None
    )
    if folder is None:
        say("left", "boot settings: no config.txt found, so this is not a Raspberry Pi")
        return
    config, cmdline = folder / "config.txt", folder / "cmdline.txt"
    texts = {path: read(path) for path in (config, cmdline) if path.is_file()}
    wanted_texts = {config: config_txt(texts[config], model, needs)}
    if cmdline in texts:
        wanted_texts[cmdline] = cmdline_txt(texts[cmdline], needs)
    changes = [(path, texts[path], new) for path, new in wanted_texts.items() if new != texts[path]]
    if not changes:
        say("unchanged", "boot settings")
        return
    for path, old, new in changes:
        names = (f"{path}", f"{path} (new)")
        diff = difflib.unified_diff(old.splitlines(), new.splitlines(), *names, lineterm="")
        print("\n".join(diff).encode(errors="replace").decode())
    if not (is_sure or agreed()):
        say("left", f"boot settings: not written; install again with {argument('--yes')} to write them")
        return
    for path, old, new in changes:
        backup = kept(path, old)
        write(path, new)
        say("done", f"{path}, the old one is {backup.name}")
    say("left", "the new boot settings take effect after `sudo reboot`")


def agreed() -> bool:
    """Ask whether to write what was shown; where nobody can answer, nobody agrees."""
    if not sys.stdin.isatty():
        return False
    try:
        return input("Write this? [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:  # Ctrl-D
        print()
        return False


def kept(path: Path, text: str) -> Path:
    """Keep *text*, the old one of *path*, beside it, under a name that is free; return that."""
    names = [f"{path.name}{BACKUP}", *(f"{path.name}{BACKUP}-{number}" for number in range(2, 1000))]
    backup = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    write(backup, text)
    return backup


def read(path: Path) -> str:
    """Return the text of *path*, with its line ends as they are, and with bytes that are no text kept."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path: Path, text: str) -> None:
    """Write *text* to *path*, so that a plug pulled meanwhile leaves the old file or the new one."""
    write_whole(path, text.encode("utf-8", "surrogateescape"))
