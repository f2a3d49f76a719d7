"""The changes of state and page for streams that ask for them, each text sent once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Changes:
    """The changes for one client, which knows the latest state and page, their rules and choices.

    A field that is as before is left out.  A line of the log before is its index there, a rule that the
    client knows is its name, and a choice has the fields that differ from the last choice with its key.
    """

    def __init__(self) -> None:
        self._documents: dict[str, Mapping[str, Any]] = {}
        self._choices: dict[str, Mapping[str, Any]] = {}
        self._rules: dict[str, Mapping[str, Any]] = {}

    def of(self, kind: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the part of *document*, the next one of its *kind*, that the client lacks.

        >>> client = Changes()
        >>> client.of("page", {"seq": 1, "keys": [], "log": ["b", "a"]})
        {'seq': 1, 'keys': [], 'log': ['b', 'a']}
        >>> client.of("page", {"seq": 2, "keys": [], "log": ["c", "b", "a"]})
        {'seq': 2, 'log': ['c', 0, 1]}
        """
        before, self._documents[kind] = self._documents.get(kind, {}), document
        return {
            name: self._field(name, value, before.get(name, ()))
            for name, value in document.items()
            if name not in before or before[name] != value
        }

    def _field(self, name: str, value: Any, before: Any) -> Any:  # noqa: ANN401  JSON
        match name:
            case "log":
                return [before.index(line) if line in before else self._brief(line) for line in value]
            case "choices":
                return list(map(self._choice, value))
            case _:
                return self._brief(value)

    def _choice(self, choice: Mapping[str, Any]) -> dict[str, Any]:
        key = choice["key"]
        before, self._choices[key] = self._choices.get(key, {}), choice
        return {
            name: value
            for name, value in choice.items()
            if name == "key" or name not in before or before[name] != value
        }

    def _brief(self, value: Any) -> Any:  # noqa: ANN401  JSON
        """Return *value* with the names of the rules that the client knows."""
        match value:
            case {"rule": str(rule), "text": _}:
                if self._rules.get(rule) == value:
                    return {"rule": rule}
                self._rules[rule] = value
                return value
            case Mapping():
                return {name: self._brief(one) for name, one in value.items()}
            case str():
                return value
            case Sequence():
                return list(map(self._brief, value))
            case _:
                return value
