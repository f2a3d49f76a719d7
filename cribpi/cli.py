"""The command line: what each command is called with; what goes wrong becomes a line and exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from cribpi import __version__
from cribpi.commands import streams
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST_NUMBER: Final = 19
"""The most characters of a number in an argument: 18 digits and a sign."""


def _whole_number(text: str) -> int:
    """Read a whole number of an argument.

    Raises:
        argparse.ArgumentTypeError: If it is not a whole number, or has more than 18 digits.
    """
    try:
        if len(text) <= _LONGEST_NUMBER:
            return int(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"invalid int value: {shown(text)}")


def _path(text: str) -> Path | None:
    """Read the path of an argument; an empty one means none."""
    from pathlib import Path  # noqa: PLC0415  few commands need it

    return Path(text) if text else None


class _Argument(NamedTuple):
    """An argument, as `ArgumentParser.add_argument` takes it."""

    name: str
    settings: dict[str, Any]


class _Command(NamedTuple):
    """A command; `cribpi.commands` has a module of its name, with `run`, which may return an exit code."""

    text: str
    example: str
    arguments: tuple[_Argument, ...] = ()
    one_of: tuple[_Argument, ...] = ()
    """Flags, at most one of which may be given."""
    actions: dict[str, _Command] = {}  # noqa: RUF012  nobody changes it


def _argument(shown: str, text: str, **settings: Any) -> _Argument:  # noqa: ANN401  as argparse has it
    """Return an argument as help shows it: `--many N` takes a number, `--to DIR` a path, `--json` nothing."""
    name, _, metavar = shown.partition(" ")
    usual: dict[str, Any] = {"help": text}
    if metavar:
        usual["metavar"] = metavar
    elif name.startswith("-"):
        usual["action"] = "store_true"
    if metavar in {"N", "DIR"}:
        usual["type"] = _whole_number if metavar == "N" else _path
    return _Argument(name, usual | settings)


_JSON: Final = _argument("--json", "print JSON")
_JSON_OF_ACTION: Final = _argument(
    "--json", "print JSON", default=argparse.SUPPRESS
)  # keeps what came before it
_KIT: Final = _argument("--kit NAME|FILE", "the kit, by name or as the path of a kit.toml")
_PORT: Final = _argument("--port N", "the page's port (8121)")
_STATE: Final = _argument("--state DIR", "the folder of the journal")
_RULE: Final = _argument("--rule OPTION=VALUE", "a house rule; may be repeated", action="append", default=[])
_RULES: Final = (_argument("--rules NAME", "the rules, by name: see cribpi rules"), _RULE)
_GAME: Final = (
    _argument(
        "--entry WAY",
        "what you enter in the new game: cards, peg (points only) or dealt (the computer deals)",
    ),
    _argument(
        "--levels WHO,WHO",
        "who plays in each seat of a game that the computer deals: person, or a level",
    ),
    *_RULES,
)

_COMMANDS: Final = {
    "run": _Command(
        "run the companion, on a Pi's hardware or on emulated chips",
        "cribpi run --sim",
        (
            _argument("--sim", "use emulated chips, even on a Pi"),
            _KIT,
            _PORT,
            _STATE,
            _argument("--seed N", "deal the same cards each time, on emulated chips"),
            *_GAME,
        ),
    ),
    "club": _Command(
        "run the desk of a club night: players, pairings, results and standings, with a page",
        "cribpi club --trial",
        (
            _argument("night", "what the night is called; today's date by default", nargs="?"),
            _argument("--trial", "play a 24-player night by itself, and keep nothing", dest="is_trial"),
            _argument("--own-broker", "start a Mosquitto for the boards"),
            _argument("--broker-port PORT", "the port of that one; by default 1883", default="1883"),
            _argument("--no-broker", "enter all results by hand"),
            _argument("--broker HOST[:PORT]", "the broker; by default that of [mqtt] in the settings"),
            _argument(
                "--listen ADDRESS[:PORT]",
                "the page's address; by default 127.0.0.1:8131",
                default="127.0.0.1",
            ),
            _argument("--database ADDRESS", "where the log is, such as postgresql+psycopg://desk@host/club"),
            _argument("--board NAME", "make a board's password for the desk's own broker, and exit"),
            _argument("--new-password", "make a new password for the desk, and exit"),
            _STATE,
        ),
    ),
    "score": _Command(
        "count one hand; with - one hand a line from standard input",
        'cribpi score "7H 8C 8D KS" --starter 9S',
        (
            _argument("hand", "four cards, with the starter as the fifth or in --starter; or -"),
            _argument("--starter CARD", "the starter"),
            _argument("--crib", "count it as a crib: only a flush of five counts"),
            _argument("--steps", "count each run and each pair by itself", dest="in_steps"),
            _JSON,
            *_RULES,
        ),
    ),
    "count": _Command(
        "count the play: what each card of one count pegs",
        'cribpi count "4 2 3 5 6"',
        (_argument("cards", "the cards in the order played, such as 4 2 3 5 6"), _JSON),
    ),
    "replay": _Command(
        "replay a game record, event by event",
        "cribpi replay game.crib --json",
        (
            _argument("file", "a .crib file"),
            _argument("--json", "print a JSON state after each event, one a line"),
        ),
    ),
    "export": _Command(
        "export a game from the journal as a record",
        "cribpi export evening.crib --game 2",
        (
            _argument("file FILE", "the .crib file; without it, standard output", nargs="?", type=_path),
            _argument("--game N", "the number of the game, from 1; the current one by default"),
            _argument("--list", "list the games instead, one a line"),
            _argument("--force", "overwrite an existing file"),
            _STATE,
            _argument("--json", "print the list as JSON"),
        ),
    ),
    "stats": _Command(
        "show what players have done: wins, skunks, averages, best hands",
        "cribpi stats ANN --json",
        (_argument("name NAME", "one player, in full", nargs="?"), _STATE, _JSON),
    ),
    "review": _Command(
        "review a game: what each decision cost, what was better, what was luck",
        "cribpi review evening.crib",
        (
            _argument(
                "game GAME|FILE",
                "the number of a past game, or a .crib file; the last finished game by default",
                nargs="?",
            ),
            _STATE,
            _JSON,
        ),
    ),
    "practice": _Command(
        "practise discards, pegging or counting, your own mistakes first",
        "cribpi practice discards --name ANN",
        (
            _argument("what", "discards, pegging or counting"),
            _argument("--name NAME", "begin with the mistakes of this player in the latest games"),
            _argument("--many N", "how many questions (10)", default=10),
            _argument("--race", "count against the clock: a wrong count costs ten seconds"),
            _argument("--seed N", "ask the same questions each time"),
            _STATE,
        ),
    ),
    "import": _Command(
        "import games from records into the journal",
        "cribpi import evening.crib",
        (_argument("files FILE", "a .crib file", nargs="+"), _STATE),
    ),
    "rules": _Command(
        "list the rules that you can play, and where each comes from",
        "cribpi rules lowe --players 3",
        (
            _argument("name NAME", "the rules to print in full", nargs="?"),
            _argument(
                "--compare", "show where two presets differ", action="store", nargs=2, metavar=("A", "B")
            ),
            _argument("--players N", "for 2, 3 or 4 players (2)"),
            _argument(
                "--rule OPTION=VALUE",
                "a house rule that changes NAME; may be repeated",
                action="append",
                default=[],
            ),
            _JSON,
        ),
    ),
    "kits": _Command(
        "list the kits, or check one of your own",
        "cribpi kits check boards/oak.toml",
        (_JSON,),
        actions={
            "check": _Command(
                "describe a kit, or say what is wrong with it",
                "cribpi kits check boards/oak.toml",
                (_argument("file FILE", "the path of a kit.toml, or the name of a kit"), _JSON_OF_ACTION),
            ),
            "draw": _Command(
                "draw a kit's wiring, template, parts list and keypad",
                "cribpi kits draw table --to drawings",
                (
                    _argument("name NAME", "the kit, by name or as the path of a kit.toml"),
                    _argument("--to DIR", "the folder to write into; by default one named after the kit"),
                    _JSON_OF_ACTION,
                ),
            ),
        },
    ),
    "simulate": _Command(
        "press keys on emulated chips, starting before the first game",
        'cribpi simulate "OK OK 7 3 8 5 10" --json',
        (
            _argument("keys KEYS|-", "keys, separated by spaces; - reads them", nargs="?", default=""),
            _KIT,
            _argument("--seed N", "make the same random choices each time"),
            _argument("--json", "print JSON: the first state, then one after each press, one a line"),
            _argument("--png DIR", "write the screen and the board as pictures"),
            *_GAME,
        ),
    ),
    "advise": _Command(
        "rank every possible discard, or every card to play, best first",
        'cribpi advise "5H 6C 7D JS QS KH" --dealer --score 96-101; cribpi advise --play "7 8" --hand "9 J"',
        (
            _argument(
                "hand", "the cards you were dealt, each with its suit, such as 5H 6C 7D JS QS KH", nargs="?"
            ),
            _argument("--play CARDS", "the cards of this count so far, in order: which card to play?"),
            _argument("--hand CARDS", "with --play: the cards you have left", dest="left"),
            _argument("--before CARDS", "with --play: the cards of all earlier counts, in order"),
            _argument("--starter CARD", "with --play: the starter, for the chance of winning"),
            _argument("--discards CARDS", "with --play: your own discard"),
            _argument("--score N-N", "your score and your opponent's (0-0)", default="0-0"),
            _JSON,
            *_RULES,
        ),
        one_of=(
            _argument("--dealer", "the crib is yours"),
            _argument("--pone", "the crib is your opponent's"),
        ),
    ),
    "arena": _Command(
        "play two levels of the computer against each other",
        "cribpi arena solid thrifty --games 2000 --out solid-thrifty.json",
        (
            _argument(
                "a A",
                "a level: chance, thrifty, solid or expert; those below expert also as solid-errs, "
                "and expert as expert-no-reading",
            ),
            _argument("b B", "its opponent, also a level"),
            _argument("--games N", "how many games (1000)", default=1000),
            _argument("--players N", "2, 3 or 4 players (2)", default=2),
            _argument("--seed N", "play the same games each time (1)", default=1),
            _argument(
                "--met N",
                "how many games they have played before, so that expert knows the other (0)",
                default=0,
            ),
            _argument("--jobs N", "how many processes (1)", default=1),
            _argument("--workers ADDRESS", "play on the workers of a Dask scheduler, as tcp://10.0.0.5:8786"),
            _argument(
                "--out FILE", "save the results in FILE, adding to those of an earlier run", type=_path
            ),
            _JSON,
            *_RULES,
        ),
    ),
    "doctor": _Command(
        "check everything that can go wrong, and say how to fix it",
        "cribpi doctor --try",
        (
            _argument("--sim", "check emulated chips, even on a Pi"),
            _KIT,
            _PORT,
            _STATE,
            _argument(
                "--try",
                "show a test picture, walk the LEDs, and name each key as it is pressed",
                dest="is_trial",
            ),
            _JSON,
        ),
    ),
}


class _Formatter(argparse.HelpFormatter):
    """argparse makes one for each argument, and each would look up the terminal's width."""

    def __init__(self, prog: str, **settings: Any) -> None:  # noqa: ANN401  as argparse has it
        super().__init__(prog, **{"width": 80} | settings)

    def format_help(self) -> str:
        import shutil  # noqa: PLC0415  only help needs it

        self._width = shutil.get_terminal_size().columns - 2
        return super().format_help()


class _Parser(argparse.ArgumentParser):
    """argparse, with its errors on one line, and its help no secret where it can't be printed."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  as argparse has it
        super().__init__(**{"formatter_class": _Formatter} | settings)

    def print_help(self, file: Any = None) -> None:  # noqa: ANN401  as argparse has it
        """Print the help; argparse's own keeps silent about an output that refuses it."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        streams.print_error(f"{self.prog}: {message}; {self.prog} --help shows how")
        self.exit(2)

    def add_commands(self, kind: str, commands: dict[str, _Command]) -> None:
        """Add *commands*, each with its arguments; the options parsed have its name, or None, as *kind*."""
        # Naming the program here keeps argparse from formatting a usage line to find it out.
        parsers = self.add_subparsers(dest=kind, metavar=kind.upper(), parser_class=_Parser, prog=self.prog)
        for name, command in commands.items():
            parser = parsers.add_parser(
                name, help=command.text, description=command.text, epilog=f"example: {command.example}"
            )
            if command.one_of:
                group = parser.add_mutually_exclusive_group()
                for flag in command.one_of:
                    group.add_argument(flag.name, **flag.settings)
            for argument in command.arguments:
                parser.add_argument(argument.name, **argument.settings)
            if command.actions:
                parser.add_commands("action", command.actions)


def _parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of *command* alone, or of all, for help and where there is no such command."""
    parser = _Parser(
        prog="cribpi",
        description="A cribbage companion: play with real cards while it counts and pegs, "
        "or play the computer.",
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    only = _COMMANDS.get(command)
    parser.add_commands("command", {command: only} if only else _COMMANDS)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 0, or 2 after one line on stderr."""
    streams.prepare()
    program = "cribpi"
    try:
        try:
            given = sys.argv[1:] if arguments is None else list(arguments)
            parser = _parser(*given[:1])
            options = parser.parse_args(given)
            if options.command is None:
                print(f"cribpi {__version__}\n" if options.version else parser.format_help(), end="")
                return 0
            program = f"cribpi {options.command}"
            module = "import_" if options.command == "import" else options.command  # a word of Python's
            return import_module(f"cribpi.commands.{module}").run(options) or 0
        finally:
            sys.stdout.flush()  # what was printed stands before why it ended, in a pipe too
    except UserError as bad:
        why = str(bad)
    except BrokenPipeError:  # who read the output has had enough
        streams.redirect_to_null(sys.stdout)
        return 0
    except OSError as bad:
        if bad.filename is None:  # it is the output's
            streams.redirect_to_null(sys.stdout)
            why = f"the output can't be written: {bad.strerror}"
        else:
            why = streams.refused(os.fsdecode(bad.filename), bad, "choose another file or folder")
    except UnicodeDecodeError:
        why = "the input is not text in UTF-8"
    except RecursionError:
        why = "the input is nested too deeply: make it simpler"
    except MemoryError:
        why = "not enough memory for that: ask for less, or close other programs"
    except KeyboardInterrupt:
        return 130
    streams.print_error(f"{program}: {why}")
    return 2
