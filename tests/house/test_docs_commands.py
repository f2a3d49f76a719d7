"""The commands and the settings are as their reference says, and every example prints what it shows."""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support import commands_page, pages
from support.extend_page import PATCHED

from cribpi import cli
from cribpi.companion.run import config

REFERENCE = pages.DOCS / "reference"


def consoles() -> list[tuple[str, str, str, dict[str, str]]]:
    """Return each console example: its page, its command, what it prints, and the files that it needs."""
    found = []
    for page in pages.pages():
        text = pages.read(page)
        files = {block.words[0]: block.text for block in pages.blocks(text, "crib") if block.words}
        files |= {pages.name(record): pages.read(record) for record in pages.linked(page, ".crib")}
        for block in pages.blocks(text, "console"):
            if PATCHED in block.words:  # `test_extend` makes the change first
                continue
            for example in f"\n{block.text}".split("\n$ ")[1:]:
                command, _, output = example.partition("\n")
                found.append((pages.name(page), command, output.rstrip("\n"), files))
    return found


CONSOLES = consoles()


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder that is not in memory: the doctor warns of one that is."""
    with TemporaryDirectory(dir="/var/tmp") as name:
        yield Path(name)


def test_each_command_that_ends_has_a_console_example() -> None:
    shown = {
        command.split("cribpi ")[1].split()[0] for page, command, *_ in CONSOLES if "commands.md" in page
    }
    assert shown >= {"score", "count", "simulate", "replay", "rules", "--version"}


@pytest.mark.parametrize(
    ("page", "command", "output", "files"),
    CONSOLES,
    ids=[f"{page}: {command}" for page, command, *_ in CONSOLES],
)
def test_console_examples_print_what_the_page_says(
    page: str,
    command: str,
    output: str,
    files: dict[str, str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    whole: bool,  # noqa: FBT001  a fixture
) -> None:
    """A plain command is called in this process, which is twenty times quicker; all are given to a shell in a
    proof."""
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    words = shlex.split(command, posix=True)
    is_plain = words[0] == "cribpi" and not any(sign in command for sign in "|<>;&$#")
    code, printed = called(words[1:]) if is_plain and not whole else in_a_shell(command)
    assert [line.rstrip() for line in printed.splitlines()] == output.splitlines(), f"{page}: {command}"
    failed = bool(re.search(r"^cribpi( \w+)?: ", output, flags=re.MULTILINE))
    assert code == (2 if failed else 0)


def called(arguments: list[str]) -> tuple[object, str]:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            code: object = cli.main(arguments)
        except SystemExit as ended:  # `--version`, `--help`
            code = ended.code
    return code, out.getvalue()


def in_a_shell(command: str) -> tuple[int, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    ran = subprocess.run(
        ["sh", "-c", command],
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return ran.returncode, ran.stdout


def test_every_command_and_option_is_described() -> None:
    text = pages.read(REFERENCE / "commands.md")
    for name, command in commands(cli._parser()):
        heading = f"{'###' if ' ' in name else '##'} cribpi {name}"
        told = pages.section(text, heading).partition("\n##")[0]
        shared = re.findall(r"^Shared: (.*)", told, flags=re.MULTILINE)
        listed = re.findall(r"^- `(--[\w-]+)", told, flags=re.MULTILINE) + pages.codes(" ".join(shared))
        options = {option for action in command._actions for option in action.option_strings}
        assert set(listed) == options - {"-h", "--help"}, name
        for action in command._actions:
            if not action.option_strings and not isinstance(action, argparse._SubParsersAction):
                assert f"- `{str(action.metavar or action.dest).upper()}`" in told, (name, action.dest)


def commands(
    parser: argparse.ArgumentParser, before: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Give each command below *parser*, an action as `kits draw`."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"{before}{name}", command
                yield from commands(command, f"{before}{name} ")


def test_the_tables_are_those_of_help() -> None:
    assert pages.read(commands_page.PAGE) == commands_page.page(), commands_page.REDRAW


# --- settings ---

SETTINGS_PAGE = REFERENCE / "settings.md"


def test_every_setting_stands_there_with_its_default() -> None:
    told = {row[0].strip("`"): tomllib.loads(f"it = {row[1].strip('`')}")["it"] for row in setting_rows()}
    defaults = {field.name: field.default for field in fields(config.Config)}
    tables = {"engines", "house", "mqtt", "oled", "page", "sound"}
    assert told == {
        name: {} if name in tables else list(value) if isinstance(value, tuple) else value
        for name, value in defaults.items()
    }


def setting_rows() -> list[list[str]]:
    return pages.rows(pages.section(pages.read(SETTINGS_PAGE), "## What can be set"))


def test_every_toml_example_of_the_settings_is_read(tmp_path: Path) -> None:
    examples = [
        block
        for page in (SETTINGS_PAGE, *(pages.DOCS / "how-to").glob("*.md"))
        for block in pages.blocks(pages.read(page), "toml")
    ]
    assert examples
    for block in examples:
        file = tmp_path / "config.toml"
        file.write_text(block.text, encoding="utf-8")
        found = config.read_config(file)
        assert found != config.Config()
    whole = tomllib.loads(pages.blocks(pages.read(SETTINGS_PAGE), "toml")[0].text)
    assert set(whole) == {field.name for field in fields(config.Config)}


def test_the_state_folder_and_the_settings_file_are_where_the_page_says(tmp_path: Path) -> None:
    text = pages.read(SETTINGS_PAGE)
    assert "`~/.local/state/cribpi`" in text
    assert config.state_folder({"HOME": "~"}) == Path("~/.local/state/cribpi")
    assert config.state_folder({"XDG_STATE_HOME": "$XDG_STATE_HOME"}) == Path("$XDG_STATE_HOME/cribpi")
    for home in (".config/cribpi", "cribpi"):
        (tmp_path / home).mkdir(parents=True)
        (tmp_path / home / "config.toml").touch()
    assert "`~/.config/cribpi/config.toml`" in text
    assert config.config_file({"HOME": str(tmp_path)}) == tmp_path / ".config/cribpi/config.toml"
    assert "`/etc/cribpi/config.toml`" in text
    assert config.config_file({"HOME": "/nowhere"}, tmp_path) == tmp_path / "cribpi/config.toml"
