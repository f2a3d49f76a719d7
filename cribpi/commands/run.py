"""`cribpi run`: run the companion and its web page."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cribpi.commands import streams
from cribpi.commands.house import set_up
from cribpi.commands.logs import log
from cribpi.commands.patient import patient_stderr
from cribpi.companion.entry.next_game import BY_RULES, NextGame
from cribpi.companion.files.config_table import LAST_PORT
from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import Running, assembled, show_refused
from cribpi.companion.run.config import (
    Config,
    config_file,
    read_config,
    state_folder,
)
from cribpi.companion.run.service import Service
from cribpi.companion.run.signals import Ending
from cribpi.companion.table.loop import Stop
from cribpi.companion.web.phones.network import announce, host_name, names_of
from cribpi.companion.web.phones.seats import TablePhones
from cribpi.companion.web.server import PageServer, PhoneServer
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import shown


def settings(kit: str | None, port: int | None) -> Config:
    """Return the settings file, with kit and port overridden by the command line if given.

    Raises:
        UserError: If a setting, or the port, is invalid.
    """
    config = read_config(config_file())
    if port is not None and not 0 <= port <= LAST_PORT:
        raise UserError(
            f"--port {port}: a port is 1 to {LAST_PORT}, or 0 for any free one; 8121 is the usual one"
        )
    return replace(config, kit=kit or config.kit, port=config.port if port is None else port)


def kit_of(config: Config) -> Kit:
    """Return the kit named in *config*, with the screen as set there.

    The fuse, wires and supply of a kit are designed for its maximum current. `max_ma` in the settings can
    therefore lower that limit, but never raise it.

    Raises:
        UserError: If there is no such kit, or `max_ma` is more than the kit's.
    """
    kit = load_kit(config.kit)
    if config.max_ma > kit.strip.max_ma:
        raise UserError(
            f"max_ma = {shown(config.max_ma)}: the kit {kit.name} allows {kit.strip.max_ma}; "
            "set it, and power.strip, in your own kit"
        )
    return replace(kit, glass=config.oled.of_kit(kit.glass))


def run(options: Namespace) -> None:
    """Run the companion until a signal stops it.

    Rules and players given on the command line apply to the next game. With emulated chips, --seed makes all
    random draws reproducible.

    Raises:
        UserError: If a setting, the kit, the state folder or the port can't be used.
    """
    with Ending() as ending, patient_stderr(), _shown_if_refused(options):
        log("cribpi: %(message)s")
        config = settings(options.kit, options.port)
        kit = kit_of(config)
        asked_for = options.rules, options.rule, options.entry, options.levels
        setup = set_up(config.setup(kit.entry), *asked_for)
        ending.opens()
        with assembled(
            config,
            kit,
            options.state or state_folder(),
            is_sim=options.sim,
            trusts_engines=options.trust_engines,
            setup=setup,
            asked=fields_set(*asked_for),
            seed=options.seed,
            is_ended=lambda: ending.is_asked,
        ) as running:
            if options.seed is not None and running.chips.twin is None:
                raise UserError("--seed is for emulated chips: add --sim, or leave it out")
            _serve(running, config, ending)


@contextmanager
def _shown_if_refused(options: Namespace) -> Iterator[None]:
    """Show the reason of a failed start on the screen, which would otherwise still show the start picture."""
    try:
        yield
    except UserError as refused:
        if not options.sim:
            show_refused(options.kit, str(refused))
        raise


def _serve(running: Running, config: Config, ending: Ending) -> None:
    """Serve the page and the table until *ending* stops them."""
    page = PageServer(running.companion, config.port)
    page.start()
    name = config.page.name
    names = (host_name(), *names_of(name))

    def serve_phones(addresses: tuple[str, ...], door: TablePhones) -> Callable[[], None]:
        server = PhoneServer(door, addresses, page.port, names)
        server.start()
        return server.stop

    running.phones.start(serve_phones, page.port, lambda addresses: announce(name, addresses, page.port))
    try:
        if running.notice:
            streams.print_error(f"cribpi run: {running.notice}")
            running.loop.trouble("journal", running.notice)
        ignored = ignored_house(config, running.loop.table.now.context.next_game)
        if ignored:
            streams.print_error(f"cribpi run: {ignored}")
        where = "emulated chips" if running.chips.twin else "this Pi's hardware"
        if running.chips.has_real_strip:
            where += " and real lights"
        streams.print_if_open(f"cribpi is running on {where}: {page.url}  (Ctrl-C stops it)")
        ending.serves(lambda: running.loop.post(Stop()))
        service = Service(
            running.loop.call,
            running.is_heard,
            lambda: "; ".join([f"page at {page.url}", *running.loop.troubles.values()]),
        )
        service.start()
        try:
            running.loop.run()
        finally:
            service.stop()
    finally:
        page.stop()


def fields_set(
    rules: str | None, rule: Sequence[str], entry: str | None, levels: str | None
) -> tuple[str, ...]:
    """Return the fields of `NextGame` that the command line's options set.

    >>> fields_set(None, (), None, "person,solid")
    ('entry', 'levels')
    """
    return (
        *((*BY_RULES, "house_of", "house_options") if rules is not None or rule else ()),
        *(("entry",) if entry is not None or levels is not None else ()),
        *(("levels",) if levels is not None else ()),
    )


def ignored_house(config: Config, setup: NextGame) -> str | None:
    """Return a message if *setup* lacks house rules of the settings, otherwise None.

    This happens if a game is in progress: the settings apply only to new games.
    """
    ignored = dict(config.house).items() - dict(setup.house.options).items()
    if not ignored:
        return None
    changes = ", ".join(f"{option} = {value}" for option, value in sorted(ignored))
    return (
        f"[house] in the settings is for new games; this one goes on without it ({changes}): "
        f"to use it, start once with --rules {config.rules}, or choose it on the page"
    )
