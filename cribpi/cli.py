"""The command line: reading arguments, and turning what goes wrong into a line and exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from cribpi.commands import streams
from cribpi.commands.errors import CommandError
from cribpi.core.shown import shown

if TYPE_CHECKING:
    from cribpi.core.rules import Rules

_EXAMPLES = {
    "run": "cribpi run --sim",
    "score": 'cribpi score "7H 8C 8D KS" --starter 9S',
    "count": 'cribpi count "4 2 3 5 6"',
    "replay": "cribpi replay game.crib --json",
    "export": "cribpi export evening.crib --game 2",
    "stats": "cribpi stats ANN --json",
    "import": "cribpi import evening.crib",
    "rules": "cribpi rules lowe --players 3",
    "advise": 'cribpi advise "5H 6C 7D JS QS KH" --dealer --score 96-101',
    "arena": "cribpi arena solid thrifty --games 2000 --out solid-thrifty.json",
    "doctor": "cribpi doctor --try",
    "kits": "cribpi kits check boards/oak.toml",
    "simulate": 'cribpi simulate "OK OK 7 3 8 5 10" --json',
}


_LONGEST_NUMBER: Final = 19
"""The most characters of a number in an argument: 18 digits and a sign."""


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
        streams.complain(f"{self.prog}: {message}; {self.prog} --help shows how")
        self.exit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 0, or 2 after one line on stderr."""
    streams.prepare()
    program = "cribpi"
    try:
        try:
            given = sys.argv[1:] if arguments is None else list(arguments)
            options = _parser(*given[:1]).parse_args(given)
            program = f"cribpi {options.command}".rstrip()
            return int(options.run(options))
        finally:
            sys.stdout.flush()  # what was printed stands before why it ended, in a pipe too
    except CommandError as refused:
        why = str(refused)
    except BrokenPipeError:  # who read the output has had enough
        streams.let_go(sys.stdout)
        return 0
    except OSError as refused:
        if refused.filename is None:
            streams.let_go(sys.stdout)
        why = _refused(refused)
    except UnicodeDecodeError:
        why = "the input is not text in UTF-8"
    except RecursionError:
        why = "the input is nested too deeply: make it simpler"
    except MemoryError:
        why = "not enough memory for that: ask for less, or close other programs"
    except KeyboardInterrupt:
        return 130
    streams.complain(f"{program}: {why}")
    return 2


def _refused(error: OSError) -> str:
    """Return what a command is refused by the system: a file, which has a name, or else its output."""
    if error.filename is None:
        return f"the output can't be written: {error.strerror}"
    from cribpi.storage import disk  # noqa: PLC0415

    name = os.fsdecode(error.filename)
    return f"{name}: {disk.reason(error)}: {disk.remedy(error, 'choose another file or folder')}"


def _number(text: str) -> int:
    """Read a whole number of an argument.

    Raises:
        argparse.ArgumentTypeError: If it is none, or has more than 18 digits.
    """
    try:
        if len(text) <= _LONGEST_NUMBER:
            return int(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"invalid int value: {shown(text)}")


def _typed() -> Iterator[str]:
    """Give the lines of standard input.

    Raises:
        CommandError: If it cannot be read.
    """
    try:
        yield from sys.stdin
    except OSError as refused:
        raise CommandError(
            f"the input cannot be read ({refused.strerror}): send it in a pipe, or from a file"
        ) from None


def _parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of *command* alone, or of all, for help and where there is no such command."""
    parser = _Parser(
        prog="cribpi",
        description="A cribbage companion: play with real cards while it counts and pegs, "
        "or play the computer.",
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.set_defaults(run=_version_or_help(parser), command="")
    # Naming the program here keeps argparse from formatting a usage line to find it out.
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser, prog=parser.prog)
    add = {
        "run": _add_run,
        "score": _add_score,
        "count": _add_count,
        "replay": _add_replay,
        "export": _add_export,
        "stats": _add_stats,
        "import": _add_import,
        "rules": _add_rules,
        "kits": _add_kits,
        "simulate": _add_simulate,
        "advise": _add_advise,
        "arena": _add_arena,
        "doctor": _add_doctor,
    }
    for add_command in (add[command],) if command in add else add.values():
        add_command(commands)
    return parser


def _command(commands: argparse._SubParsersAction[_Parser], name: str, text: str) -> _Parser:
    command = commands.add_parser(name, help=text, description=text, epilog=f"example: {_EXAMPLES[name]}")
    command.set_defaults(command=name)
    return command


def _add_rules_options(command: _Parser) -> None:
    command.add_argument("--rules", metavar="NAME", help="the rules, by name: see cribpi rules")
    command.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="a house rule; may be repeated",
    )


def _add_game_options(command: _Parser) -> None:
    command.add_argument(
        "--entry",
        metavar="WAY",
        help="what you enter in the new game: cards, peg (points only) or dealt (the computer deals)",
    )
    command.add_argument(
        "--levels",
        metavar="WHO,WHO",
        help="who plays in each seat of a game that the computer deals: person, or a level",
    )


def _add_run(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "run", "run the companion, on a Pi's hardware or on emulated chips")
    command.add_argument("--sim", action="store_true", help="use emulated chips, even on a Pi")
    command.add_argument("--kit", metavar="NAME|FILE", help="the kit, by name or as the path of a kit.toml")
    command.add_argument("--port", type=_number, metavar="N", help="the page's port (8121)")
    command.add_argument("--state", metavar="DIR", help="the folder of the journal")
    command.add_argument(
        "--seed", type=_number, metavar="N", help="deal the same cards each time, on emulated chips"
    )
    _add_game_options(command)
    _add_rules_options(command)
    command.set_defaults(run=_run)


def _add_score(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "score", "count one hand; with - one hand a line from standard input")
    command.add_argument("hand", help="four cards, as 7H 8C 8D KS; or -")
    command.add_argument("--starter", metavar="CARD", help="the starter")
    command.add_argument(
        "--crib", action="store_true", help="count it as a crib: only a flush of five counts"
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    _add_rules_options(command)
    command.set_defaults(run=_score)


def _add_count(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "count", "count the play: what each card of one count pegs")
    command.add_argument("cards", help="the cards in the order played, as 4 2 3 5 6")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_count)


def _add_replay(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "replay", "replay a game record, event by event")
    command.add_argument("file", help="a .crib file")
    command.add_argument(
        "--json", action="store_true", help="print a JSON state after each event, one a line"
    )
    command.set_defaults(run=_replay)


def _add_export(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "export", "export a game from the journal as a record")
    command.add_argument(
        "file", nargs="?", metavar="FILE", help="the .crib file; without it, standard output"
    )
    command.add_argument(
        "--game", type=_number, metavar="N", help="the number of the game, from 1; the current one by default"
    )
    command.add_argument("--list", action="store_true", help="list the games instead, one a line")
    command.add_argument("--force", action="store_true", help="overwrite an existing file")
    command.add_argument("--state", metavar="DIR", help="the folder of the journal")
    command.add_argument("--json", action="store_true", help="print the list as JSON")
    command.set_defaults(run=_export)


def _add_stats(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "stats", "tell what players have done: wins, skunks, averages, best hands")
    command.add_argument("name", nargs="?", metavar="NAME", help="the player to tell all about")
    command.add_argument("--state", metavar="DIR", help="the folder of the journal")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_stats)


def _add_import(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "import", "import games from records into the journal")
    command.add_argument("files", nargs="+", metavar="FILE", help="a .crib file")
    command.add_argument("--state", metavar="DIR", help="the folder of the journal")
    command.set_defaults(run=_import)


def _add_rules(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "rules", "list the rules that you can play, and where each comes from")
    command.add_argument("name", nargs="?", metavar="NAME", help="the rules to print in full")
    command.add_argument("--compare", nargs=2, metavar=("A", "B"), help="show where two presets differ")
    command.add_argument("--players", type=_number, metavar="N", help="for 2, 3 or 4 players (2)")
    command.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="a house rule that changes NAME; may be repeated",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_show_rules)


def _add_kits(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "kits", "list the kits, or check one of your own")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_kits)
    actions = command.add_subparsers(metavar="ACTION", parser_class=_Parser, prog=command.prog)
    _add_kits_check(actions)
    _add_kits_draw(actions)


def _add_kits_check(actions: argparse._SubParsersAction[_Parser]) -> None:
    text = "describe a kit, or say what is wrong with it"
    check = actions.add_parser("check", help=text, description=text, epilog=f"example: {_EXAMPLES['kits']}")
    check.add_argument("file", metavar="FILE", help="the path of a kit.toml, or the name of a kit")
    check.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    check.set_defaults(run=_check_kit)


def _add_kits_draw(actions: argparse._SubParsersAction[_Parser]) -> None:
    text = "draw a kit's wiring, template, parts list and keypad"
    example = "example: cribpi kits draw table --to drawings"
    drawn = actions.add_parser("draw", help=text, description=text, epilog=example)
    drawn.add_argument("name", metavar="NAME", help="the kit, by name or as the path of a kit.toml")
    drawn.add_argument(
        "--to", metavar="DIR", help="the folder to write into; by default one named after the kit"
    )
    drawn.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    drawn.set_defaults(run=_draw_kit)


def _add_simulate(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "simulate", "press keys on emulated chips, starting before the first game")
    command.add_argument(
        "keys", nargs="?", default="", metavar="KEYS|-", help="keys, separated by spaces; - reads them"
    )
    command.add_argument("--kit", metavar="NAME|FILE", help="the kit, by name or as the path of a kit.toml")
    command.add_argument("--seed", type=_number, metavar="N", help="make the same random choices each time")
    command.add_argument(
        "--json",
        action="store_true",
        help="print JSON: the first state, then one after each press, one a line",
    )
    command.add_argument("--png", metavar="DIR", help="write the screen and the board as pictures")
    command.add_argument(
        "--language", default="en", metavar="NAME", help="language of buttons and screen (en)"
    )
    _add_game_options(command)
    _add_rules_options(command)
    command.set_defaults(run=_simulate)


def _version_or_help(parser: argparse.ArgumentParser) -> object:
    def run(options: argparse.Namespace) -> int:
        if options.version:
            from cribpi import __version__  # noqa: PLC0415

            print(f"cribpi {__version__}")
            return 0
        parser.print_help()
        return 0

    return run


# Each command imports what it needs itself, so that `cribpi score` starts fast.


def _run(options: argparse.Namespace) -> int:
    from cribpi.app.ending import Ending  # noqa: PLC0415

    with Ending() as ending:  # what is loaded now takes most of a start, and Ctrl-C may come then too
        from pathlib import Path  # noqa: PLC0415

        from cribpi.commands.run import run  # noqa: PLC0415

        state = Path(options.state) if options.state else None
        return run(
            is_sim=options.sim,
            kit=options.kit,
            port=options.port,
            state=state,
            seed=options.seed,
            rules=options.rules,
            rule=options.rule,
            entry=options.entry,
            levels=options.levels,
            ending=ending,
        )


def _score(options: argparse.Namespace) -> int:
    from cribpi.commands import score  # noqa: PLC0415

    if options.rules or options.rule:
        _rules(options)  # refused also where the hand asks for none

    def crib_needs_five() -> bool:
        return _rules(options).crib_flush == "five"

    if options.hand == "-":
        if options.starter or options.crib or options.json:
            raise CommandError(
                "- reads whole lines, as 7H 8C 8D KS | 9S crib: leave out --starter, --crib and --json"
            )
        for points in score.score_lines(_typed(), crib_needs_five):
            print(points)
        return 0
    if options.starter is None:
        raise CommandError("no starter: give it with --starter, as --starter 9S")
    is_strict = options.crib and crib_needs_five()
    scores, is_open = score.score(options.hand, options.starter, is_strict=is_strict)
    if options.json:
        print(score.as_json(scores, _rules(options), is_crib=options.crib))
        return 0
    from cribpi.core.scores import total  # noqa: PLC0415
    from cribpi.core.words import call_show  # noqa: PLC0415

    print(f"{total(scores)}: {call_show(scores)}")
    if is_open:
        print("(no suits were given, so flush and his nobs are not counted)")
    return 0


def _rules(options: argparse.Namespace) -> Rules:
    """Return the rules that are asked for."""
    if options.rules is None and not options.rule:
        from cribpi.core.rules import STANDARD  # noqa: PLC0415

        return STANDARD
    from cribpi.commands.house import set_up  # noqa: PLC0415
    from cribpi.entry.desk import Setup  # noqa: PLC0415

    return set_up(Setup(), options.rules, options.rule).house()


def _count(options: argparse.Namespace) -> int:
    from cribpi.commands import count  # noqa: PLC0415
    from cribpi.core.words import call_play  # noqa: PLC0415

    plays = count.count(options.cards)
    if options.json:
        print(count.as_json(plays))
        return 0
    for play in plays:
        print(f"{play.card!s:>3}  {play.count:>2}  {call_play(play.scores, play.count)}")
    return 0


def _replay(options: argparse.Namespace) -> int:
    import json  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands.replay import replay  # noqa: PLC0415
    from cribpi.core.tell import tell  # noqa: PLC0415
    from cribpi.entry.desk import Desk  # noqa: PLC0415
    from cribpi.views.json.state import state_json  # noqa: PLC0415

    for seq, (event, state) in enumerate(replay(Path(options.file)), start=1):
        if options.json:
            print(json.dumps(state_json(state, Desk(), seq, may_undo=True, may_redo=False)))
        else:
            scores = " - ".join(str(score) for score in state.scores())
            print(f"{scores:>10}  {tell(event, state)}")
    return 0


def _export(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands import export  # noqa: PLC0415

    folder = Path(options.state) if options.state else None
    if options.list:
        if options.file or options.game is not None or options.force:
            raise CommandError("--list only lists the games: leave out FILE, --game and --force")
        found = export.listed(folder, is_json=options.json)
        sys.stdout.write(found.text)
    elif options.json:
        raise CommandError(
            "a record is not JSON: use --json with --list, or cribpi replay --json for the states of a game"
        )
    else:
        found = export.record(folder, options.game)
        if options.file:
            export.write(Path(options.file), found.text, is_forced=options.force)
        else:
            sys.stdout.buffer.write(found.text.encode())  # a record is UTF-8 everywhere
    if found.damage:
        raise CommandError(found.damage)
    return 0


def _stats(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands.stats import stats  # noqa: PLC0415

    def say(line: str) -> None:
        streams.complain(f"cribpi stats: {line}")

    folder = Path(options.state) if options.state else None
    found = stats(folder, options.name, is_json=options.json, say=say)
    sys.stdout.write(found.text)
    if found.damage:
        raise CommandError(found.damage)
    return 0


def _import(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands.import_ import take_in  # noqa: PLC0415

    folder = Path(options.state) if options.state else None
    for line in take_in([Path(file) for file in options.files], folder):
        print(line)
    return 0


def _show_rules(options: argparse.Namespace) -> int:
    from cribpi.commands import rules  # noqa: PLC0415

    if options.rule and options.name is None:
        raise CommandError("--rule changes a preset: name it too, as cribpi rules standard --rule heels=none")
    if options.compare and options.name is not None:
        raise CommandError(f"--compare already names two presets: leave out {options.name}")
    data: dict[str, object]
    if options.compare:
        two = [rules.chosen(name, options.players or 2, ()) for name in options.compare]
        data, lines = rules.compared_json(*two), rules.compared(*two)
    elif options.name is not None:
        one = rules.chosen(options.name, options.players, options.rule)
        data, lines = rules.in_full_json(one), rules.in_full(one)
    else:
        found = rules.presets_for(options.players)
        data, lines = rules.listed_json(found), rules.listed(found)
    if options.json:
        import json  # noqa: PLC0415

        print(json.dumps(data))
        return 0
    for line in lines:
        print(line)
    return 0


def _kits(options: argparse.Namespace) -> int:
    from cribpi.commands import kits  # noqa: PLC0415

    found = kits.all_kits()
    if options.json:
        import json  # noqa: PLC0415

        print(json.dumps({"kits": [kits.kit_json(kit) for kit in found]}))
        return 0
    for line in kits.listed(found):
        print(line)
    return 0


def _check_kit(options: argparse.Namespace) -> int:
    from cribpi.commands import kits  # noqa: PLC0415

    kit = kits.found(options.file)
    if options.json:
        import json  # noqa: PLC0415

        print(json.dumps(kits.kit_json(kit)))
        return 0
    for line in kits.told(kit):
        print(line)
    return 0


def _draw_kit(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands import draw  # noqa: PLC0415

    drawn = draw.draw(options.name, Path(options.to) if options.to else None)
    if options.json:
        import json  # noqa: PLC0415

        print(json.dumps({"files": [str(path) for path in drawn.files], "note": drawn.note}))
        return 0
    for path in drawn.files:
        print(path)
    if drawn.note is not None:
        print(drawn.note)
    return 0


def _simulate(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands.simulate import simulate  # noqa: PLC0415

    png = Path(options.png) if options.png else None
    text = "".join(_typed()) if options.keys == "-" else options.keys
    return simulate(
        text.split(),
        kit=options.kit,
        seed=options.seed,
        is_json=options.json,
        png=png,
        out=sys.stdout,
        rules=options.rules,
        rule=options.rule,
        entry=options.entry,
        levels=options.levels,
        language=options.language,
    )


def _add_advise(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "advise", "rank every possible discard, best first")
    command.add_argument("hand", help="the cards you were dealt, each with its suit, as 5H 6C 7D JS QS KH")
    role = command.add_mutually_exclusive_group(required=True)
    role.add_argument("--dealer", action="store_true", help="the crib is yours")
    role.add_argument("--pone", action="store_true", help="the crib is your opponent's")
    command.add_argument("--score", default="0-0", metavar="N-N", help="your score and your opponent's (0-0)")
    command.add_argument("--json", action="store_true", help="print JSON")
    _add_rules_options(command)
    command.set_defaults(run=_advise)


def _add_arena(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "arena", "play two levels of the computer against each other")
    level = "a level: chance, thrifty, solid or expert; those below expert also as solid-errs"
    command.add_argument("a", metavar="A", help=level)
    command.add_argument("b", metavar="B", help="its opponent, also a level")
    command.add_argument("--games", type=_number, default=1000, metavar="N", help="how many games (1000)")
    command.add_argument("--players", type=_number, default=2, metavar="N", help="2, 3 or 4 players (2)")
    command.add_argument(
        "--seed", type=_number, default=1, metavar="N", help="play the same games each time (1)"
    )
    command.add_argument("--jobs", type=_number, default=1, metavar="N", help="how many processes (1)")
    command.add_argument(
        "--out", metavar="FILE", help="save the results in FILE, adding to those of an earlier run"
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    _add_rules_options(command)
    command.set_defaults(run=_arena)


def _advise(options: argparse.Namespace) -> int:
    from cribpi.commands import advise  # noqa: PLC0415

    rows = advise.advice(options.hand, options.score, _rules(options), is_dealer=options.dealer)
    print(advise.as_json(rows) if options.json else advise.table(rows))
    return 0


def _arena(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands import arena  # noqa: PLC0415

    asked = arena.contest(options.a, options.b, options.rules, options.rule, options.players, options.seed)
    path = Path(options.out) if options.out else None
    return arena.arena(asked, options.games, options.jobs, path, is_json=options.json, out=sys.stdout)


def _add_doctor(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "doctor", "check everything that can go wrong, and say how to fix it")
    command.add_argument("--sim", action="store_true", help="check emulated chips, even on a Pi")
    command.add_argument("--kit", metavar="NAME|FILE", help="the kit, by name or as the path of a kit.toml")
    command.add_argument("--port", type=_number, metavar="N", help="the page's port (8121)")
    command.add_argument("--state", metavar="DIR", help="the folder of the journal")
    command.add_argument(
        "--try",
        dest="is_trial",
        action="store_true",
        help="show a test picture, walk the LEDs, and name each key as it is pressed",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    from pathlib import Path  # noqa: PLC0415

    from cribpi.commands.doctor import doctor  # noqa: PLC0415

    if options.is_trial and options.json:
        raise CommandError("--try asks you to press keys: leave out --json")
    if options.is_trial and options.sim:
        raise CommandError("--try is for real lights, screen and keys: run it on the Pi, without --sim")
    return doctor(
        is_sim=options.sim,
        kit=options.kit,
        port=options.port,
        state=Path(options.state) if options.state else None,
        is_trial=options.is_trial,
        is_json=options.json,
        out=sys.stdout,
    )
