"""A language: texts by their names, checked against the English ones, which stand wherever one is missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import cribpi
from cribpi.cli import main
from cribpi.companion.entry import texts as choice_texts
from cribpi.companion.entry.texts import Text
from cribpi.companion.run import languages
from cribpi.companion.run.config import ConfigError, read_config
from cribpi.companion.run.languages import LanguageError, speak
from cribpi.companion.views.screen import texts as screen_texts
from cribpi.companion.views.screen.canvas import COLUMNS

DUTCH = """
[choices]
NEW_GAME = ["Nieuw spel", "nieuw spel"]
CORRECT = ["De stand van {name} verbeteren", "{name} verbeteren"]
FIELDS = { players = "Spelers" }

[screen]
INVITATION = "bij echte kaarten"
DEALT = { 2 = "elk 6, 2 in de crib" }
ERRORS = { WrongKey = "VERKEERDE TOETS" }
STANDING = ["spel", "punt", "skunk", "saldo"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    (tmp_path / "nl.toml").write_text(DUTCH, "utf-8")
    yield tmp_path
    speak("en")


@pytest.mark.usefixtures("folder")
def test_a_text_is_in_the_language_or_else_in_english() -> None:
    speak("nl")
    assert choice_texts.NEW_GAME.forms == ("Nieuw spel", "nieuw spel")
    assert choice_texts.CORRECT.of(name="ANN").long == "De stand van ANN verbeteren"
    assert (choice_texts.FIELDS["players"], choice_texts.FIELDS["target"]) == ("Spelers", "Play to")
    assert choice_texts.UNDO.long == "Undo"
    assert screen_texts.DEALT == {
        2: "elk 6, 2 in de crib",
        3: "5 each, 1 to the crib",
        4: "5 each, 1 to the crib",
    }
    assert screen_texts.STANDING == ("spel", "punt", "skunk", "saldo")
    assert "VERKEERDE TOETS" in screen_texts.ERRORS.values()
    speak("en")
    assert choice_texts.NEW_GAME.long == "New game"
    assert "VERKEERDE TOETS" not in screen_texts.ERRORS.values()


@pytest.mark.usefixtures("folder")
def test_the_command_line_and_the_settings_choose_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "", "--language", "nl"]) == 0
    assert capsys.readouterr().out.strip() == "No game yet. OK: Nieuw spel"
    config = tmp_path / "config.toml"
    config.write_text('language = "nl"')
    assert read_config(config).language == "nl"
    config.write_text('language = "xx"')
    with pytest.raises(ConfigError, match=r"language = .xx.: choose one of en, "):
        read_config(config)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('[choices]\nUNDOO = ["a", "b"]', "de.toml: choices: 'UNDOO' is not a text"),
        ("[pages]", "de.toml: 'pages' is not a text"),
        ("[screen]\nERRORS = { ValueError = 'NEIN' }", "screen: ERRORS: 'ValueError' is not a text"),
        ('[choices]\nUNDO = "a"', "choices: UNDO: write it as it is in English: ['Undo', 'undo']"),
        ('[choices]\nUNDO = ["a", "b", "c"]', "choices: UNDO: write it as"),
        ('[screen]\nRANKS = ["ASSE"]', "screen: RANKS: write it as"),
        ("[screen]\nGO = 7", "screen: GO: write it as it is in English: GO"),
        ('[choices]\nUNDO = ["{name}", "b"]', "choices: UNDO: '{name}' has other braces than 'Undo'"),
        ('[choices]\nCORRECT = ["{name}", "ohne"]', "CORRECT: 'ohne' has other braces than 'correct {name}'"),
        ('[choices]\nUNDO = ["{", "b"]', "UNDO: '{' has other braces"),
        ('[choices]\nUNDO = ["a", "' + "b" * 18 + '"]', "is too long: 17 characters are the most"),
        ('[choices]\nCORRECT = ["{name}", "{name}' + "b" * 18 + '"]', "too long: 17"),
        ('[screen]\nGO = "' + "b" * 22 + '"', "is too long: 21 characters are the most"),
        ("[choices", "de.toml: this is not TOML"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_and_nothing_changes(
    written: str, says: str, folder: Path
) -> None:
    (folder / "de.toml").write_text('[screen]\nCLOSED = "zu"\n' * (written[:8] == "[choices") + written)
    with pytest.raises(LanguageError) as refused:
        speak("de")
    assert says in str(refused.value)
    assert (screen_texts.CLOSED, choice_texts.UNDO.long) == ("count closed", "Undo")


@pytest.mark.parametrize("language", ["xx", "", "../kit", "EN"])
def test_a_language_that_is_not_there_is_refused(language: str) -> None:
    with pytest.raises(LanguageError, match="is not a language here: choose en"):
        speak(language)


def test_a_row_of_the_screen_is_as_long_as_it_is() -> None:
    assert languages.LONGEST == COLUMNS


@pytest.mark.parametrize("language", languages.languages())
def test_each_language_that_comes_along_is_spoken(language: str) -> None:
    try:
        speak(language)
        texts = [text for text in vars(choice_texts).values() if isinstance(text, Text)]
        assert texts
        assert all(text.long and text.brief for text in texts)
    finally:
        speak("en")


def test_no_module_keeps_a_text_from_before_the_language_was_chosen() -> None:
    kept = [
        f"{path.name}:{line} {name}"
        for path in Path(cribpi.__file__).parent.rglob("*.py")
        if path.stem != "texts"
        for line, name in texts_at_import(ast.parse(path.read_text("utf-8")))
    ]
    assert kept == []


def texts_at_import(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Give each text of a catalogue that *tree* takes while it is imported, with its line."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.endswith(
                (".entry.texts", "glass.texts")
            ):
                yield from (
                    (node.lineno, one.name)
                    for one in names
                    if one.name.isupper() and one.name not in {"CELLS", "TROUBLE"}
                )
            case ast.Attribute(value=ast.Name(id="texts" | "choice_texts" | "screen_texts"), attr=name):
                if name.isupper():
                    yield node.lineno, name
        inside = node.body if isinstance(node, ast.FunctionDef | ast.Lambda) else []
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if child not in (inside if isinstance(inside, list) else [inside])
        ]
