"""`cribpi run`: the companion, with its page, until it is told to stop."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cribpi.bootstrap import Running, put_together
from cribpi.commands.errors import CommandError
from cribpi.commands.house import set_up
from cribpi.config import Config, ConfigError, config_file, read_config, state_folder
from cribpi.ending import Ending
from cribpi.journal import StateFolderTrouble
from cribpi.kit import Kit, KitError, load_kit
from cribpi.loop import Stop
from cribpi.patient import patient_stderr
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


def kit_of(config: Config) -> Kit:
    """Return the kit that the settings name.

    Its fuse, wires and supply are drawn for the current that it allows, so the settings may ask for
    less of it and never for more.

    Raises:
        CommandError: If there is no such kit, or `max_ma` is more than the kit's.
    """
    try:
        kit = load_kit(config.kit)
    except KitError as bad:
        raise CommandError(str(bad)) from None
    if config.max_ma > kit.strip.max_ma:
        raise CommandError(
            f"max_ma = {config.max_ma}: the kit {kit.name} allows {kit.strip.max_ma}; "
            "write it, and power.strip, in a kit of your own, and draw that"
        )
    return kit


@patient_stderr()
def run(
    *,
    is_sim: bool,
    kit: str | None,
    port: int | None,
    state: Path | None,
    seed: int | None = None,
    rules: str | None = None,
    rule: Sequence[str] = (),
    ending: Ending,
) -> int:
    """Run the companion; return 0 when it was told to stop, which *ending* hears of.

    *rules* and *rule* are what the next new game offers; with *seed* all that is left to chance falls the same
    each time, on the twin.

    Raises:
        CommandError: If a setting, the kit, the state folder or the port can't be used.
    """
    logging.basicConfig(format="cribpi: %(message)s", level=logging.WARNING)
    config = settings(kit, port)
    used = kit_of(config)
    try:
        is_asked = rules is not None or bool(rule)
        setup = set_up(config.setup(used.entry), rules, rule) if is_asked else None
        folder = state or state_folder()
        ending.opens()
        with put_together(config, used, folder, is_sim=is_sim, setup=setup, seed=seed) as running:
            if seed is not None and running.chips.twin is None:
                raise CommandError(
                    "--seed is for trying things out on emulated chips: add --sim, or leave it out"
                )
            page = PageServer(running.companion, config.port)
            page.start()
            try:
                if running.notice:
                    print(f"cribpi run: {running.notice}", file=sys.stderr, flush=True)
                    running.loop.trouble("journal", running.notice)
                where = "emulated chips" if running.chips.twin else "this Pi's hardware"
                print(f"cribpi is running on {where}: {page.url}  (Ctrl-C stops it)", flush=True)
                ending.serves(lambda: running.loop.post(Stop()))
                service = Service(running.loop.call, running.is_heard, lambda: status(running, page.url))
                service.start()
                try:
                    running.loop.run()
                finally:
                    service.stop()
            finally:
                page.stop()
    except (StateFolderTrouble, PortTaken) as bad:
        raise CommandError(str(bad)) from None
    return 0


def status(running: Running, url: str) -> str:
    """Return how the companion is, in a line for `systemctl status`."""
    return "; ".join([f"page at {url}", *running.loop.troubles.values()])
