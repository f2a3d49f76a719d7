"""`cribpi update`: show the newer version, if any, and run its installer."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path

from cribpi.companion import installed
from cribpi.companion.files.atomic import write_whole
from cribpi.companion.update import bundle, checkout, lock, signature
from cribpi.companion.update.news import News
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import visible

MACHINE = Path("/")
"""Root folder of the installation."""


def run(options: Namespace) -> int:
    """Show the newer version. Without --check, replace this process by its installer.

    Raises:
        UserError: If cribpi is not installed here, or a newer version can't be found or installed.
    """
    if not options.check and os.geteuid() != 0:
        raise UserError("only root can install: sudo cribpi update, or cribpi update --check to look")
    current = installed.source(MACHINE)
    if current is None and not (MACHINE / installed.STAMP).exists():
        raise UserError(
            "cribpi is not installed as a service here: sudo make install does that, in a checkout on a Pi"
        )
    if options.trust:
        return _trust(Path(options.trust))
    with ExitStack() as open_files:
        if not options.check:
            open_files.enter_context(lock.hold(MACHINE))
        news = _news(current or installed.Source("0"), options, open_files)
        if news is None:
            print(f"nothing newer: cribpi {current} is installed")
            return 0
        has = f"cribpi {current}" if current else "not known"
        print(visible(f"newer: cribpi {news.source}; installed: {has}"))
        for line in news.changes:
            print(visible(f"  {line}"))
        if options.check:
            return 0
        sys.stdout.flush()
        installer = news.prepare()
        # exec, because the installer may remove this program.
        flags = [f"--{name}" for name in ("now", "yes") if vars(options)[name]]
        os.environ["CRIBPI_UPDATE"] = "1"
        return int(os.execv(installer[0], [*installer, *flags]))  # noqa: S606  does not return


def _news(current: installed.Source, options: Namespace, open_files: ExitStack) -> News | None:
    if options.file is None and current.checkout:
        return checkout.newer(current, MACHINE)
    newest = bundle.read(Path(options.file), MACHINE) if options.file else bundle.found(MACHINE)
    open_files.enter_context(newest.signed)
    return bundle.newer(newest, current, MACHINE, may_be_older=options.back)


def _trust(file: Path) -> int:
    """Replace the trusted signing keys by those in *file*."""
    try:
        text = signature.allowed_signers(file.read_text(encoding="utf-8"))
        now = signature.fingerprints(text)
    except (OSError, ValueError) as error:
        raise UserError(f"{file} can't be read ({error}): give a file such as bundle_key.pub") from None
    before = signature.trusted(MACHINE)
    write_whole(MACHINE / signature.SIGNERS, text.encode(), mode=0o644)
    for key in now:
        print(f"trusted: {key}")
    for key in before:
        if key not in now:
            print(f"no longer trusted: {key}")
    return 0
