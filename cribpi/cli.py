"""The command line: parses arguments and runs a command.

An error is printed on one line, with exit code 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn

from cribpi import __version__
from cribpi.commands import streams
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST_NUMBER: Final = 19
"""Maximum length of a number in an argument: 18 digits and a sign."""


def _whole_number(text: str) -> int:
    """Parse a whole number.

    Raises:
        argparse.ArgumentTypeError: If *text* is not a whole number, or has more than 18 digits.
    """
    try:
        if len(text) <= _LONGEST_NUMBER:
            return int(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"invalid int value: {shown(text)}")


def _path(text: str) -> Path | None:
    """Parse a path. An empty *text* means None."""
    from pathlib import Path  # noqa: PLC0415  few commands need it

    return Path(text) if text else None


@cache
def _commands() -> dict[str, list[str]]:
    """Read `commands.txt`. Return each command's help text, example, and argument lines, by command.

    An action of a command has its own entry, such as `kits draw`.
    """
    with open(f"{os.path.dirname(__file__)}/commands/commands.txt", encoding="utf-8") as file:  # noqa: PTH120, PTH123
        _, shared, *blocks = file.read().rstrip().split("\n\n")
    full_lines = {line.split()[0].rstrip(":*"): line for line in shared.split("\n  ")}
    commands = {}
    for block in blocks:
        head, *lines = block.split("\n  ")
        name, _, text = head.partition(": ")
        commands[name] = [text, *(full_lines.get(line, line) for line in lines)]
    return commands


def _read_argument(line: str) -> tuple[str, dict[str, Any]]:
    """Parse an argument line of `commands.txt` into the parameters of `ArgumentParser.add_argument`.

    >>> _read_argument("--many N = 10: how many questions")[0]
    '--many'
    """
    head, _, text = line.partition(": ")
    head, _, default = head.partition(" = ")
    marked, _, metavar = head.partition(" ")
    name = marked.rstrip("?+*")
    settings: dict[str, Any] = {"help": text}
    if " " in metavar:
        settings |= {"nargs": 2, "metavar": tuple(metavar.split())}
    elif metavar:
        settings["metavar"] = metavar
    elif name.startswith("-"):
        settings["action"] = "store_true"
    if name == "--json":  # the action's parser must not overwrite a --json that was given before the action
        settings["default"] = argparse.SUPPRESS
    elif default:
        settings["default"] = default
    if metavar in {"N", "DIR"}:
        settings["type"] = _whole_number if metavar == "N" else _path
    if marked.endswith("*"):
        settings |= {"action": "append", "default": []}
    elif marked != name:
        settings["nargs"] = marked[-1]
    return name, settings


class _Formatter(argparse.HelpFormatter):
    """A formatter that looks up the terminal's width only for help. argparse creates many formatters."""

    def __init__(self, prog: str, **settings: Any) -> None:  # noqa: ANN401  argparse's signature
        super().__init__(prog, **{"width": 80} | settings)

    def format_help(self) -> str:
        import shutil  # noqa: PLC0415  only help needs it

        self._width = shutil.get_terminal_size().columns - 2
        return super().format_help()


class _Parser(argparse.ArgumentParser):
    """An ArgumentParser that prints an error on one line, and raises an error if help can't be printed."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  argparse's signature
        super().__init__(**{"formatter_class": _Formatter} | settings)

    def print_help(self, file: Any = None) -> None:  # noqa: ANN401  argparse's signature
        """Print the help. argparse's own method ignores output errors."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        streams.print_error(f"{self.prog}: {message}; {self.prog} --help shows how")
        self.exit(2)

    def add_commands(self, kind: str, names: Iterable[str]) -> None:
        """Add the commands *names* with their arguments.

        The parsed options store the chosen command as *kind*.
        """
        # Without prog, argparse would format a usage line to get the program's name.
        parsers = self.add_subparsers(dest=kind, metavar=kind.upper(), parser_class=_Parser, prog=self.prog)
        for name in names:
            text, example, *arguments = _commands()[name]
            parser = parsers.add_parser(name.split()[-1], help=text, description=text, epilog=example)
            either = None
            for line in arguments:
                flag, settings = _read_argument(line.removeprefix("| "))
                if line.startswith("| "):
                    either = either or parser.add_mutually_exclusive_group()
                    either.add_argument(flag, **settings)
                else:
                    parser.add_argument(flag, **settings)
            if actions := [other for other in _commands() if other.startswith(f"{name} ")]:
                parser.add_commands("action", actions)


def _parser(command: str = "") -> argparse.ArgumentParser:
    """Return a parser for *command* alone, which is faster, or for all commands if it is unknown."""
    parser = _Parser(
        prog="cribpi",
        description="Cribbage: play with real cards while it counts and pegs, or play the computer.",
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.set_defaults(json=False)
    names = [name for name in _commands() if " " not in name]
    parser.add_commands("command", [command] if command in names else names)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return exit code 0 on success, 2 after printing an error, or 130 after Ctrl-C."""
    streams.prepare()
    program = "cribpi"
    try:
        try:
            words = sys.argv[1:] if arguments is None else list(arguments)
            parser = _parser(*words[:1])
            options = parser.parse_args(words)
            if options.command is None:
                print(f"cribpi {__version__}\n" if options.version else parser.format_help(), end="")
                return 0
            program = f"cribpi {options.command}"
            module = "import_" if options.command == "import" else options.command  # `import` is reserved
            return import_module(f"cribpi.commands.{module}").run(options) or 0
        finally:
            sys.stdout.flush()  # print the output before the error message, even if both go to pipes
    except UserError as bad:
        why = str(bad)
    except BrokenPipeError:  # the reader of the output has closed the pipe
        streams.redirect_to_null(sys.stdout)
        return 0
    except OSError as bad:
        if bad.filename is None:  # writing the output failed
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
