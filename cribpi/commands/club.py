"""`cribpi club`: run the desk of a club night with its web page, or simulate a night on this machine."""

from __future__ import annotations

import ipaddress
import shlex
import socket
import tempfile
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Final

from cribpi.commands.logs import log
from cribpi.commands.run import settings
from cribpi.companion.mqtt.broker import PORT, Broker
from cribpi.companion.run.config import state_folder
from cribpi.companion.run.signals import Ending
from cribpi.companion.web.phones.network import reach
from cribpi.cribbage.rules.errors import RuleError, UserError

if not all(map(find_spec, ("jinja2", "networkx", "paho", "sqlalchemy"))):
    raise UserError(
        "a club night needs cribpi's club extra: pip install 'cribpi[club]', or in a checkout make club"
    )

from cribpi.club.backups import Backups
from cribpi.club.connection import BrokerConnection
from cribpi.club.desk import Desk
from cribpi.club.entries import Arrived, Listed, Planned, night_of
from cribpi.club.log import Log, LogTrouble
from cribpi.club.night import GAMES, Night
from cribpi.club.own_broker import OwnBroker, on_this_machine
from cribpi.club.web.access import Access
from cribpi.club.web.app import Site
from cribpi.club.web.server import serve
from cribpi.workshop.club_trial import NAMES, PEOPLE, TrialBoard

PAGE: Final = 8131
"""Default port of the page."""

GOES_ON: Final = timedelta(hours=10)
"""Time after the last entry in which a night can be continued. Later, a new night begins."""

SETTLES: Final = timedelta(hours=1)
"""Time for corrections, or for starting play-offs, after a night's last round."""

PLAYERS: Final = 24
PACE: Final = 0.05
"""Seconds between two cards of a simulated game."""
FAST: Final = 0.001
"""Seconds between two cards of a simulated game with ``--fast``."""


def run(options: Namespace) -> None:
    """Serve the desk until a signal stops it.

    Raises:
        UserError: If the desk can't be opened.
    """
    if options.fast and not options.trial:
        raise UserError("--fast plays a trial in a minute: add --trial")
    log("%(message)s")
    with Ending() as ending, ExitStack() as stack:
        ending.opens()
        _serve(options, stack, ending)


def _serve(options: Namespace, stack: ExitStack, ending: Ending) -> None:
    if options.trial:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribpi-club-")))
    else:
        folder = (options.state or state_folder()) / "club"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    access = Access(folder / "password.json")
    if options.new_password:
        print(f"The desk's password is now {access.new_password()}")
        return
    if options.nights:
        with closing(Log(options.database or f"sqlite:///{folder / 'club.db'}")) as log:
            print("\n".join(_listed(log)))
        return
    address, port = _address(options.listen)
    own = None
    if options.trial:
        with socket.socket() as line:
            line.bind(("127.0.0.1", 0))
            free_port = int(line.getsockname()[1])
        own = OwnBroker(folder / "broker", "127.0.0.1", free_port, is_open=True)
    elif options.own_broker or options.board:
        if not _is_port(options.broker_port):
            raise UserError(f"--broker-port {options.broker_port}: give a port from 1 to 65535")
        own = OwnBroker(folder / "broker", address, int(options.broker_port), is_open=False)
    if own is not None:
        if options.board:
            _add_board(own, options.board)
            return
        own.start()
        stack.callback(own.stop)
    log = Log(options.database or f"sqlite:///{folder / 'club.db'}")
    stack.callback(log.close)
    desk = Desk(log, options.night or ("A trial night" if options.trial else _tonight(log)))
    site = Site(desk, log, access)
    Backups(log, desk, folder / "backups", partial(site.report, about="copies"))
    broker = None
    if not options.no_broker:
        broker = _broker(options.broker) if own is None else own.broker()
    connection = None
    if broker is not None:
        connection = BrokerConnection(broker, desk, site.report, _shared(address, port))
        stack.callback(connection.stop)
    if not access.has_password():
        print(f"The desk's password is {access.new_password()}. Write it down: it is shown only once")
    if options.trial and broker is not None:
        stack.enter_context(_trial(desk, broker, folder, FAST if options.fast else PACE))
    url = _shared(address, port) or _url(address, port)

    def serves(stop: Callable[[], None]) -> None:
        print(f"The night is at {url} and its desk at {url}desk", flush=True)
        ending.serves(stop)
        if connection is not None:  # started last, so that a second desk can't take messages from the first
            connection.start()

    serve(site, address, port, serves)


def _tonight(log: Log) -> str:
    """Return the name of the night in progress, otherwise a new name from today's date.

    A night in progress may have begun yesterday. A night dated in the future, by a wrong clock, is not in
    progress, and its name is not reused. If today's night is over, the new name gets a number.
    """
    now, nights = datetime.now(UTC), log.nights()
    for name, at in nights.items():
        since = abs(now - datetime.fromisoformat(at))
        if since < GOES_ON and since < _goes_on(night_of(log.entries(name))):
            return name
    date = f"{datetime.now().astimezone():%Y-%m-%d}"
    names = (date, *(f"{date} ({number})" for number in range(2, len(nights) + 3)))
    return next(name for name in names if name not in nights or not night_of(log.entries(name)).is_over)


def _listed(log: Log) -> Iterator[str]:
    """Yield a line for each night, latest first: date, status, and the command that opens it."""
    nights, tonight = log.nights(), ""
    with suppress(LogTrouble, RuleError):  # the line of that night shows the reason
        tonight = _tonight(log)
    if tonight and tonight not in nights:
        yield f"{tonight}: a new night; cribpi club starts it"
    for name, at in nights.items():
        try:
            night = night_of(log.entries(name))
        except (LogTrouble, RuleError) as bad:
            yield f"{name}: {at[:10]}, can't be opened: {bad}"
            continue
        opens = "continues it" if name == tonight else "reopens it"
        command = "cribpi club" if name == tonight else f"cribpi club {shlex.quote(name)}"
        yield f"{name}: {at[:10]}, {'over' if night.is_over else night.stands.lower()}; {command} {opens}"


def _goes_on(night: Night) -> timedelta:
    """Return the time after the last entry within which *night* can be continued."""
    if not night.is_over:
        return GOES_ON
    if not night.finalists:
        return SETTLES
    return timedelta() if night.bracket[-1][0].winner else GOES_ON


def _add_board(own: OwnBroker, board: str) -> None:
    """Register *board*, and print the settings and the password that it needs."""
    password = own.add_board(board)
    print(f"Put this into {board}'s config.toml, with this machine's address:\n")
    port = f"\nport = {own.port}" if own.port != PORT else ""
    print(f'[mqtt]\nhost = "ADDRESS"{port}\nboard = "{board}"\nuser = "{board}"')
    print('password_file = "~/.config/cribpi/mqtt-password"\nclub = true\n')
    print(f"Put this password into ~/.config/cribpi/mqtt-password; it is shown only now: {password}")


# --- addresses ---


def _broker(option: str | None) -> Broker:
    """Return the broker's settings, with host and port replaced by *option*, HOST or HOST:PORT, if given."""
    broker = settings(None, None).mqtt
    if option:
        host, port = _host_and_port(option)
        if not host or (port and not _is_port(port)) or (":" in host and not _is_address(host)):
            raise UserError(f"--broker {option}: give HOST or HOST:PORT, an IPv6 address such as [::1]:1883")
        broker = replace(broker, host=host, port=int(port or 0))
    if not broker.host:
        raise UserError("which broker? Add --own-broker, --broker HOST or --no-broker")
    return broker


def _address(option: str) -> tuple[str, int]:
    host, port = _host_and_port(option)
    if not _is_address(host) or (port and not _is_port(port)):
        raise UserError(f"--listen {option}: give an address, or ADDRESS:PORT")
    return host, int(port or PAGE)


def _host_and_port(text: str) -> tuple[str, str]:
    """Split HOST:PORT or HOST. An IPv6 address needs brackets only before a port.

    >>> _host_and_port("broker:1883"), _host_and_port("[::1]:1883"), _host_and_port("::1")
    (('broker', '1883'), ('::1', '1883'), ('::1', ''))
    """
    if text.startswith("[") and text.endswith("]"):
        return text[1:-1], ""
    if "]:" in text or text.count(":") == 1:
        host, _, port = text.rpartition(":")
        return host.removeprefix("[").removesuffix("]"), port or "none"
    return text, ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and 0 < int(text) < 2**16


def _shared(address: str, port: int) -> str:
    """Return the page's URL for other machines, or "" if they can't reach this one."""
    ip = ipaddress.ip_address(address)
    if ip.is_loopback:
        return ""
    addresses = reach().addresses if ip.is_unspecified else (address,)
    return _url(addresses[0], port) if addresses else ""


def _url(address: str, port: int) -> str:
    """Return the page's URL for this machine."""
    host = on_this_machine(address)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


# --- a trial ---


@contextmanager
def _trial(desk: Desk, broker: Broker, folder: Path, pace: float) -> Iterator[None]:
    """Simulate a night of 24 players on 12 boards."""
    boards = [
        TrialBoard(replace(broker, board=name, discovery="off"), folder / "boards" / name, seed, pace)
        for seed, name in enumerate(NAMES[: PLAYERS // 2])
    ]
    stopping = threading.Event()

    def conduct() -> None:
        while not desk.night.is_over and not stopping.wait(20 * pace):
            with suppress(RuleError):  # the director may have started the round meanwhile
                if not desk.night.missing:
                    desk.open_round()

    desk.do(Planned(GAMES))
    for player in PEOPLE[:PLAYERS]:
        desk.do(Listed(player))
        desk.do(Arrived(player))
    desk.draw(Random())  # noqa: S311  simulated players may get a predictable draw
    for board in boards:
        board.start()
    thread = threading.Thread(target=conduct, name="trial", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        for board in boards:
            board.stop()
        thread.join(5)
