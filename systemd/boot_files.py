"""Boot files on the card: find, compare, back up and replace them. `boot_settings` computes the new texts."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Final

from boot_settings import BoardNeeds, cmdline_txt, config_txt
from bundled import argument
from steps import say

from cribpi.companion.files.atomic import write_whole

BACKUP: Final = ".before-cribpi"


def boot(root: Path, model: str | None, needs: BoardNeeds, *, is_sure: bool) -> None:
    """Show missing boot settings as a diff. Write them if the user agrees, or if *is_sure*."""
    folder = next(
        (root / path for path in ("boot/firmware", "boot") if (root / path / "config.txt").is_file()), None
    )
    if folder is None:
        say("left", "boot settings: no config.txt found, so this is not a Raspberry Pi")
        return
    config, cmdline = folder / "config.txt", folder / "cmdline.txt"
    texts = {path: read(path) for path in (config, cmdline) if path.is_file()}
    new_texts = {config: config_txt(texts[config], model, needs)}
    if cmdline in texts:
        new_texts[cmdline] = cmdline_txt(texts[cmdline], needs)
    changes = [(path, texts[path], new) for path, new in new_texts.items() if new != texts[path]]
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
        backup = back_up(path, old)
        write(path, new)
        say("done", f"{path}, the old one is {backup.name}")
    say("left", "the new boot settings take effect after `sudo reboot`")


def agreed() -> bool:
    """Ask whether to write the changes. Without a terminal, the answer is no."""
    if not sys.stdin.isatty():
        return False
    try:
        return input("Write this? [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:  # Ctrl-D
        print()
        return False


def back_up(path: Path, text: str) -> Path:
    """Save *text*, the old content of *path*, as a new file next to it. Return that file."""
    names = [f"{path.name}{BACKUP}", *(f"{path.name}{BACKUP}-{number}" for number in range(2, 1000))]
    backup = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    write(backup, text)
    return backup


def read(path: Path) -> str:
    """Read *path*. Line ends, and bytes that are not UTF-8, are preserved."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path: Path, text: str) -> None:
    """Write *text* to *path* atomically. After a power cut, the file is either old or new."""
    write_whole(path, text.encode("utf-8", "surrogateescape"))
