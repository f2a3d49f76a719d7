"""`cribpi update`: what is newer, and its installer in place of this program."""

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
"""Where the machine's own files begin."""


def run(options: Namespace) -> int:
    """Show the newer version; without --check, become its installer.

    Raises:
        UserError: If nothing is installed here, or what is newer can't be known or installed.
    """
    if not options.check and os.geteuid() != 0:
        raise UserError("only root can install: sudo cribpi update, or cribpi update --check to look")
    here = installed.source(MACHINE)
    if here is None and not (MACHINE / installed.STAMP).exists():
        raise UserError(
            "cribpi is not installed as a service here: sudo make install does that, in a checkout on a Pi"
        )
    if options.trust:
        return _trust(Path(options.trust))
    with ExitStack() as open_files:
        if not options.check:
            open_files.enter_context(lock.hold(MACHINE))
        news = _news(here or installed.Source("0"), options, open_files)
        if news is None:
            print(f"nothing newer: cribpi {here} is installed")
            return 0
        has = f"cribpi {here}" if here else "not known"
        print(visible(f"newer: cribpi {news.source}; installed: {has}"))
        for line in news.changes:
            print(visible(f"  {line}"))
        if options.check:
            return 0
        sys.stdout.flush()
        installer = news.prepare()
        # Nothing of this program is needed any more: it may be removed when the new one serves.
        given = [f"--{name}" for name in ("now", "yes") if vars(options)[name]]
        os.environ["CRIBPI_UPDATE"] = "1"
        return int(os.execv(installer[0], [*installer, *given]))  # noqa: S606  it does not return


def _news(here: installed.Source, options: Namespace, open_files: ExitStack) -> News | None:
    if options.file is None and here.checkout:
        return checkout.newer(here, MACHINE)
    found = bundle.read(Path(options.file), MACHINE) if options.file else bundle.found(MACHINE)
    open_files.enter_context(found.signed)
    return bundle.newer(found, here, MACHINE, may_be_older=options.back)


def _trust(file: Path) -> int:
    """Trust the keys in *file* from now on, and no others."""
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
