"""Languages: what buttons and the screen say, a TOML file for each; a text that a file leaves out is English.

`[choices]` has the texts of `companion.entry.texts`, each as `[long, short]`, and `[screen]` those of
`companion.views.screen.texts`.  Sentences are built where they are said, and are English in every language.
"""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any, Final

from cribpi.companion.entry import texts as choice_texts
from cribpi.companion.entry.texts import CELLS, Text
from cribpi.companion.files.disk import Unreadable, toml_of
from cribpi.companion.views.screen import texts as screen_texts
from cribpi.cribbage.rules.shown import shown

ENGLISH: Final = "en"

LONGEST: Final = 21
"""Cells of the small face in a row of the screen."""

_FOLDER: Final = Path(__file__).parent
_CATALOGUES: Final = {"choices": choice_texts, "screen": screen_texts}
_IN_ENGLISH: Final = {
    section: {name: text for name, text in vars(catalogue).items() if name.isupper() and name != "CELLS"}
    for section, catalogue in _CATALOGUES.items()
}


class LanguageError(ValueError):
    """A language that can't be spoken: its text names the file, the text and the fix."""


def languages() -> tuple[str, ...]:
    """Return the names of the languages, English first."""
    return (ENGLISH, *sorted(path.stem for path in _FOLDER.glob("*.toml")))


def speak(language: str) -> None:
    """Say everything from now on in *language*; call it before anything is shown.

    Raises:
        LanguageError: If there is no such language, or its file can't be used; nothing has changed.
    """
    if language not in languages():
        raise LanguageError(f"{shown(language)} is not a language here: choose {', '.join(languages())}")
    file = _FOLDER / f"{language}.toml"
    try:
        own = {} if language == ENGLISH else toml_of(file)
    except Unreadable as bad:
        raise LanguageError(f"{file.name}: {bad}") from None
    said = _translated(file.name, _IN_ENGLISH, own)
    for section, catalogue in _CATALOGUES.items():
        for name, text in said[section].items():
            setattr(catalogue, name, text)


def _translated(where: str, english: Any, own: object) -> Any:  # noqa: ANN401  as it is in the catalogue
    """Return *own* in the shape of its *english*, which fills in what a table leaves out."""
    match english, own:
        case Text(), [str(long), str(brief)]:
            return Text(_fitting(where, english.long, long), _fitting(where, english.brief, brief, CELLS))
        case str(), str():
            return _fitting(where, english, own, LONGEST)
        case tuple(), list() if not isinstance(english, Text) and len(own) == len(english):
            return tuple(_translated(where, *pair) for pair in zip(english, own, strict=True))
        case dict(), dict():
            keys = {_key(key): key for key in english}
            for key in own.keys() - keys:
                raise LanguageError(f"{where}: {shown(key)} is not a text: see the names in English")
            return english | {
                keys[key]: _translated(f"{where}: {key}", english[keys[key]], text)
                for key, text in own.items()
            }
    raise LanguageError(f"{where}: write it as it is in English: {shown(english, _as_written)}")


def _fitting(where: str, english: str, own: str, cells: int | None = None) -> str:
    """Return *own*, if it fills in what its *english* does, and what it adds takes *cells* at the most."""
    try:
        plain, fields = _taken_apart(own)
    except ValueError:  # a single brace
        plain, fields = own, {""}
    if fields != _taken_apart(english)[1]:
        raise LanguageError(f"{where}: {shown(own)} has other braces than {shown(english)}: keep those")
    if cells is not None and len(plain) > cells:
        raise LanguageError(f"{where}: {shown(own)} is too long: {cells} characters are the most")
    return own


def _taken_apart(text: str) -> tuple[str, set[str]]:
    """Return what stands in *text* beside its braces, and what they name."""
    parts = list(string.Formatter().parse(text))
    return "".join(part[0] for part in parts), {part[1] for part in parts if part[1] is not None}


def _key(key: object) -> str:
    """Return how a file writes a *key* of the catalogue: a class by its name."""
    return key.__name__ if isinstance(key, type) else str(key)


def _as_written(english: object) -> str:
    return str(list(english[:2]) if isinstance(english, Text) else english)
