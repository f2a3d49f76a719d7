"""Settings and kits as anybody may write or damage them: one line with the file's name, and exit code 2."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from support.paths import KITS

from cribpi.cli import main
from cribpi.companion.entry.new_game import _turned
from cribpi.companion.files.disk import LARGEST_TOML, LONGEST_LINE
from cribpi.companion.kit import KitError
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.mqtt.broker import Broker
from cribpi.companion.run.config import (
    Config,
    ConfigError,
    PageConfig,
    ScreenConfig,
    SoundConfig,
    read_config,
)
from cribpi.companion.web.json.rules import rules_json
from cribpi.cribbage.game.step import NEW_TABLE

TABLE = KITS / "table" / "kit.toml"

HOSTILE = {
    "brackets": b"a=" + b"[" * 50_000,
    "inline tables": b"house=" + b"{a=" * 1_000,
    "digits": b"port=" + b"9" * 3_900,
    "more digits": b"port=" + b"\n".join([b'"""'] * 2) + b"\nleds=" + b"1" * 3_999,
    "hexadecimal digits": b"port=0x" + b"f" * 3_900,
    "a fraction of digits": b"brightness=" + b"9" * 3_900,
    "no number": b"brightness=nan",
    "no end": b"brightness=inf",
    "current": b"max_ma=-0x" + b"f" * 10,
    "a NUL": b'kit="a\0b"',
    "a NUL as an escape in a name": b'names=["a\\u0000b"]',
    "half a letter": b'names=["\\ud800"]',
    "an escape in a key": b'"\\u001b[31m\\n"=1',
    "an escape in a value": b'rules="\\u001b[31m\\n"',
    "an escape in a table": b'house={"\\u001b[31m\\n"="x"}',
    "a long value": b'rules="' + b"x" * 3_900 + b'"',
    "a long key": b'"' + b"x" * 3_900 + b'"=1',
    "a long line": b"#" + b"x" * LONGEST_LINE,
    "a long file": b"#\n" * LARGEST_TOML,
    "dots": b"a." * 50_000 + b"a=1",
    "a date": b"port=1979-05-27",
    "a date of the house": b"house={heels=1979-05-27}",
    "a number of the house": b"house={heels=0x" + b"9" * 3_900 + b"}",
    "depth of the house": b"house={heels=" + b"[" * 100 + b"]" * 100 + b"}",
    "Latin letters": b'names=["\xc4NN"]',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_settings_that_cannot_be_are_one_sentence_with_their_file(what: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(HOSTILE[what])
    with pytest.raises(ConfigError) as refused:
        read_config(path)
    said = str(refused.value)
    assert said.startswith(f"{path}: ")
    assert said.isprintable()
    assert len(said) < len(str(path)) + 500


@pytest.mark.parametrize("what", sorted(HOSTILE.keys() - {"a NUL"}))
def test_a_kit_that_cannot_be_is_one_sentence_with_its_file(what: str, tmp_path: Path) -> None:
    path = tmp_path / "oak.toml"
    path.write_bytes(HOSTILE[what] + b"\n" + TABLE.read_bytes())
    with pytest.raises(KitError) as refused:
        load_kit(str(path))
    said = str(refused.value)
    assert said.startswith(f"{path}: ")
    assert said.isprintable()
    assert len(said) < len(str(path)) + 600


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("width = 340", "width = 0x" + "f" * 3_900, "board.width = (a number too long to show): "),
        ("leds = 242", "leds = 0x" + "f" * 3_900, "strip.leds = (a number too long to show): "),
        (r"from = \[[^]]*\]", "from = [0x" + "f" * 2_000 + ", 1]", "lies outside the board"),
        (r"from = \[[^]]*\]", "from = [nan, 1]", "lies outside the board"),
        ("title = .*", 'title = "\\u001b[31mOAK\\n"', "give one line of printable characters"),
    ],
)
def test_a_number_or_a_title_that_no_kit_has_is_refused(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "oak.toml"
    path.write_text(re.sub(old, lambda _: new, TABLE.read_text("utf-8"), count=1), "utf-8")
    with pytest.raises(KitError) as refused:
        load_kit(str(path))
    assert says in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_byte_order_mark_is_welcome(tmp_path: Path) -> None:
    config, kit, record = tmp_path / "config.toml", tmp_path / "kit.toml", tmp_path / "game.crib"
    config.write_bytes(b"\xef\xbb\xbf" + b"still = true\n")
    kit.write_bytes(b"\xef\xbb\xbf" + TABLE.read_bytes())
    record.write_bytes(b"\xef\xbb\xbf" + b"cribpi record 1\n")
    assert read_config(config) == Config(still=True)
    assert load_kit(str(kit)).strip.leds == 242
    assert main(["replay", str(record)]) == 0


@pytest.mark.parametrize("name", ["", "a\\u0000/b"])
def test_a_folder_in_place_of_settings_and_a_path_with_a_nul_are_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "cribpi" / "config.toml"
    path.parent.mkdir()
    if name:
        path.write_text(f'kit = "{name}"')
    else:
        path.mkdir()
    assert main(["doctor", "--sim"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert ("(Is a directory)" in told) != bool(name)
    assert ('kit = "a\\u0000/b": give one line of printable characters' in told) == bool(name)


@pytest.mark.parametrize("command", ["run", "doctor"])
@pytest.mark.parametrize("port", ["99999999", "65536", "-1"])
def test_a_port_that_is_none_is_refused(
    command: str, port: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--sim", "--port", port, "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"cribpi {command}: --port {port}: a port is 1 to 65535, or 0 for any free one; 8121 is the "
        f"usual one\n"
    )
    assert not list(tmp_path.iterdir()), "nothing is begun"


@pytest.mark.parametrize("folder", [".", "..", "/", "here"])
@pytest.mark.parametrize("more", [(), ("--force",)])
def test_a_folder_in_place_of_a_record_is_refused(
    folder: str,
    more: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.crib").write_text('cribpi record 1\ngame "A" "B" dealer=1\n')
    assert main(["import", "game.crib", "--state", "games"]) == 0
    capsys.readouterr()
    assert main(["export", folder, "--state", "games", *more]) == 2
    assert capsys.readouterr().err == f"cribpi export: {folder}: not an ordinary file: choose another name\n"


def test_a_name_too_long_for_the_disk_is_a_line_that_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "x" * 300
    for arguments in (
        ("run", "--sim", "--state", f"{tmp_path}/{name}"),
        ("doctor", "--sim", "--state", f"{tmp_path}/{name}"),
        ("export", "--state", f"{tmp_path}/{name}"),
        ("arena", "chance", "chance", "--out", f"{tmp_path}/{name}"),
        ("kits", "draw", "table", "--to", f"{tmp_path}/{name}"),
    ):
        assert main(arguments) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert name in told
        assert "file name too long" in told.lower()


@pytest.mark.parametrize("command", ["replay", "import"])
def test_a_file_without_an_end_is_refused(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main([command, "/dev/zero"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"cribpi {command}: /dev/zero: it has more than 64,000,000 bytes; check that")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "--game"),
        ("rules", "--players"),
        ("simulate", "OK", "--seed"),
        ("doctor", "--port"),
        ("arena", "chance", "chance", "--games"),
    ],
)  # fmt: skip
def test_a_number_of_thousands_of_digits_is_a_line_that_cuts_it(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for digits in ("9" * 20, "9" * 4_000, "9" * 5_000):
        with pytest.raises(SystemExit) as ended:
            main((*arguments, digits))
        assert ended.value.code == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert "invalid int value: '9999" in told
        assert len(told) < 220


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (
            '["ANN", "Ann"]',
            'names = ["ANN", "Ann"]: the names ANN and Ann look too much alike: change one',
        ),
        ('["ANN", " BOB"]', ": the name ' BOB' begins with a space: remove it"),
        (
            '["ANN", "B\\u3164"]',
            ": the name 'B\u3164' has U+3164, hangul filler, which is invisible: remove it",
        ),
        (
            '["ANN", "BOB", "\\t"]',
            r": the name '\t' has U+0009, a control character, which is invisible",
        ),
        (f'["{"x" * 41}"]', "has 41 characters: use 40 at most"),
    ],
)
def test_names_of_the_settings_are_refused_with_their_fault(names: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"names = {names}\n", "utf-8")
    with pytest.raises(ConfigError) as refused:
        read_config(path)
    assert says in str(refused.value)


def test_a_name_of_the_settings_is_kept_with_its_accents_in_their_letters(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f'names = ["Zoe\u0308", "{"x" * 40}"]\n', "utf-8")
    assert read_config(path).names == ("Zo\u00eb", "x" * 40)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("port = 0", "port = 0: give a whole number from 1 to 65535; 8121 is the usual one"),
        ("players = true", "players = true: give a whole number from 2 to 4"),
        ("target = 122", "target = 122: give a whole number from 0 to 121; 0 keeps the rules' own"),
        ("max_ma = -1", "max_ma = -1: give a whole number from 0 to 60000; 0 keeps the kit's own"),
        ("brightness = 0", "brightness = 0: give a number above 0 and up to 1"),
        (
            "thinking_time = 3601",
            "thinking_time = 3601: give at most 3600 seconds; 0 means 5, or 60 on a Raspberry Pi",
        ),
        ("still = 1", "still = 1: write true or false"),
        ('names = "ANN"', 'names = "ANN": give a list of names in quotes, such as ["ANN", "BOB"]'),
        (
            'names = ["A", "B", "C", "D", "E"]',
            'names = ["A", "B", "C", "D", "E"]: 5 names: a game has four players at most',
        ),
        (
            "leds = 3",
            "leds = 3: no such key here; remove it, or use one of kit, port, names, players, target, rules",
        ),
        ("sound = true", "sound = true: write this as a table, [sound]"),
        ("[sound]\nvoice = 1", "sound.voice = 1: write true or false"),
        ("[sound]\noutput = 1", "sound.output = 1: give text in quotes"),
        (
            "[sound]\nspeed = 9",
            "sound.speed = 9: give a whole number from 80 to 450; 150 words a minute is the usual speed",
        ),
        (
            "[sound]\nloud = true",
            "sound.loud = true: no such key here; remove it, or use one of voice, output, speed, accent",
        ),
        (
            'rules = "acc"\nplayers = 3',
            'rules = "acc": acc is not for 3 players',
        ),
    ],
)
def test_a_setting_is_refused_with_its_file_its_value_and_what_would_do(
    line: str, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"{line}\n", "utf-8")
    with pytest.raises(ConfigError) as refused:
        read_config(path)
    assert str(refused.value).startswith(f"{path}: {says}")


@pytest.mark.parametrize("kind", [Config, SoundConfig, PageConfig, ScreenConfig, Broker])
def test_every_setting_can_be_set(
    kind: type[Config | SoundConfig | PageConfig | ScreenConfig | Broker],
) -> None:
    assert all("read" in field.metadata for field in fields(kind))


def test_settings_that_name_the_language_of_earlier_versions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('language = "en"\nstill = true\n', "utf-8")
    assert read_config(path) == Config(still=True)
    path.write_text('language = "de"\n', "utf-8")
    with pytest.raises(ConfigError, match="language"):
        read_config(path)


def test_the_engines_of_the_settings_can_have_seats(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('levels = ["person", "engine-fred"]\n[engines]\nfred = "/opt/fred -d 3"\n', "utf-8")
    config = read_config(path)
    assert config.engines == (("fred", "/opt/fred -d 3"),)
    assert config.setup("dealt").seat_levels() == ("", "engine-fred")
    assert config.setup("dealt").seat_names()[1] == "Fred"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('levels = ["engine-eve"]', 'levels = ["engine-eve"]: [engines] has no eve: add its command there'),
        ('[engines]\nFred = "x"', 'engines.Fred = "x": name an engine with 1 to 9 small letters'),
        ('[engines]\nfred = ""', 'engines.fred = "": give text in quotes'),
        ('[engines]\nfred = "x \'y"', "No closing quotation: write the command as you would in a shell"),
        ('levels = ["exec:./engine"]', "'exec:./engine' is not a player"),
        ("trust_engines = true", "trust_engines"),  # the command line alone
    ],
)
def test_an_engine_that_cannot_be_is_refused(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as refused:
        read_config(path)
    assert why in str(refused.value)


def test_an_engine_of_the_settings_is_among_what_menu_and_page_offer() -> None:
    config = Config(engines=(("fred", "/opt/fred"),))
    setup, engines = config.setup("dealt"), config.machine().engines
    offered: Any = rules_json(setup, NEW_TABLE, engines)["levels"]
    assert (offered[-1]["value"], offered[-1]["title"]) == ("engine-fred", "Fred")
    before_the_first = _turned(replace(setup, levels=("", "")), "1", -1, engines)
    assert before_the_first.seat_levels() == ("", "engine-fred")
    assert _turned(before_the_first, "1", 1, engines).seat_levels() == ("", "")
