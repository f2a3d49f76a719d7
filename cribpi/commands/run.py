"""`cribpi run`: the companion, with its page, until it is told to stop."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cribpi.bootstrap import Running, put_together
from cribpi.commands.errors import CommandError
from cribpi.commands.house import set_up
from cribpi.config import Config, ConfigError, config_file, read_config, state_folder
from cribpi.journal import StateFolderTrouble
from cribpi.kit import KitError, load_kit
from cribpi.loop import Stop
from cribpi.service import Service
from cribpi.web.server import PageServer, PortTaken


def settings(kit: str | None, port: int | None) -> Config:
    """Return the settings, with what the command line says in their place.

    Raises:
        CommandError: If a setting can't be.
    """
    try:
        config = read_config(config_file())
    except ConfigError as bad:
        raise CommandError(str(bad)) from None
    return replace(config, kit=kit or config.kit, port=config.port if port is None else port)


def run(
    *,
    is_sim: bool,
    kit: str | None,
    port: int | None,
    state: Path | None,
    rules: str | None = None,
    rule: Sequence[str] = (),
) -> int:
    """Run the companion; return 0 when it was told to stop.

    *rules* and *rule* are what the next new game offers.

    Raises:
        CommandError: If a setting, the kit, the state folder or the port can't be used.
    """
    logging.basicConfig(format="cribpi: %(message)s", level=logging.WARNING)
    config = settings(kit, port)
    try:
        used = load_kit(config.kit)
        is_asked = rules is not None or bool(rule)
        setup = set_up(config.setup(used.entry), rules, rule) if is_asked else None
        with put_together(config, used, state or state_folder(), is_sim=is_sim, setup=setup) as running:
            page = PageServer(running.companion, config.port)
            page.start()
            try:
                if running.notice:
                    print(f"cribpi run: {running.notice}", file=sys.stderr, flush=True)
                    running.loop.trouble("journal", running.notice)
                where = "emulated chips" if running.chips.twin else "this Pi's hardware"
                print(f"cribpi is running on {where}: {page.url}  (Ctrl-C stops it)", flush=True)
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, lambda *_: running.loop.post(Stop()))
                service = Service(running.loop.call, running.is_heard, lambda: status(running, page.url))
                service.start()
                try:
                    running.loop.run()
                finally:
                    service.stop()
            finally:
                page.stop()
    except (KitError, StateFolderTrouble, PortTaken) as bad:
        raise CommandError(str(bad)) from None
    return 0


def status(running: Running, url: str) -> str:
    """Return how the companion is, in a line for `systemctl status`."""
    return "; ".join([f"page at {url}", *running.loop.troubles.values()])
