"""`cribpi update`: what is newer, and its installer in place of this program."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from cribpi.companion import installed
from cribpi.companion.update import bundle, checkout
from cribpi.companion.update.news import News
from cribpi.cribbage.rules.errors import UserError

MACHINE = Path("/")
"""Where the machine's own files begin."""


def run(options: Namespace) -> int:
    """Say what is newer; unless that is all that is wanted, become its installer.

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
    news = _news(here or installed.Source("0"), options.file)
    if news is None:
        print(f"nothing newer: cribpi {here} is installed")
        return 0
    print(f"newer: cribpi {news.source}; installed: {f'cribpi {here}' if here else 'not known'}")
    for line in news.changes:
        print(f"  {line}")
    if options.check:
        return 0
    sys.stdout.flush()
    news.prepare()
    # Nothing of this program is needed any more: it may be removed when the new one serves.
    given = [f"--{name}" for name in ("now", "yes") if vars(options)[name]]
    os.environ["CRIBPI_UPDATE"] = "1"
    return int(os.execv(news.installer[0], [*news.installer, *given]))  # noqa: S606  it does not return


def _news(here: installed.Source, file: str | None) -> News | None:
    if file is None and here.checkout:
        return checkout.newer(here, MACHINE)
    return bundle.newer(bundle.read(Path(file)) if file else bundle.found(MACHINE), here, MACHINE)
