"""A Raspberry Pi companion for real cribbage, and its rules, advice and review as a library.

docs/reference/library.md shows the library.  Nothing of it is loaded until it is asked for.
"""

TYPE_CHECKING = False  # checkers take it as true; importing `typing` would be most of the time of a start

if TYPE_CHECKING:
    from cribpi.cribbage.api.game import Game, read_record
    from cribpi.cribbage.api.given import rules
    from cribpi.cribbage.api.scoring import score
    from cribpi.cribbage.api.weighing import advise, review
    from cribpi.cribbage.game import events
    from cribpi.cribbage.game.cards import Card, Rank, Suit
    from cribpi.cribbage.game.sight import SeatSight
    from cribpi.cribbage.game.state import State
    from cribpi.cribbage.rules import errors
    from cribpi.cribbage.rules.errors import ParseError, RuleError
    from cribpi.cribbage.rules.rules import Rules

__version__ = "0.1.0"

__all__ = [
    "Card",
    "Game",
    "ParseError",
    "Rank",
    "RuleError",
    "Rules",
    "SeatSight",
    "State",
    "Suit",
    "__version__",
    "advise",
    "errors",
    "events",
    "read_record",
    "review",
    "rules",
    "score",
]

_MODULES = {
    "cribbage.game.cards": ("Card", "Rank", "Suit"),
    "cribbage.game.events": ("events",),
    "cribbage.game.sight": ("SeatSight",),
    "cribbage.game.state": ("State",),
    "cribbage.api.game": ("Game", "read_record"),
    "cribbage.api.given": ("rules",),
    "cribbage.api.scoring": ("score",),
    "cribbage.api.weighing": ("advise", "review"),
    "cribbage.rules.errors": ("errors", "ParseError", "RuleError"),
    "cribbage.rules.rules": ("Rules",),
}
"""The names of each module, or what it is called itself."""


if not TYPE_CHECKING:  # a checker knows the names above, and no others

    def __getattr__(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415

        for path, names in _MODULES.items():
            if name in names:
                module = import_module(f"{__name__}.{path}")
                found = globals()[name] = getattr(module, name, module)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
