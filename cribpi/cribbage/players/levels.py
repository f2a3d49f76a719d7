"""The levels at which the computer plays.  The module of a level is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random

from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.fallible import STRONG
from cribpi.cribbage.players.opponent import Careless, Opponent, WithTables
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.shown import shown
from cribpi.cribbage.words.levels import BY_NAME, CARELESS, NAMES, UNREADING


def opponent(name: str, *, chance: Random) -> Opponent:
    """Return a new opponent of the level *name*, such as `solid`, `solid-errs` or `expert-no-reading`.

    Its random choices depend on a seed from *chance* and on its view of the game.  With the suffix `-errs` it
    overlooks a combination or a card in one decision in ten, as people do.  With `-no-reading` it does not
    infer the other player's style.

    >>> opponent("thrifty", chance=Random(1))
    Greedy()

    Raises:
        UserError: If the level does not exist, or not with that suffix.
    """
    level, suffix = read_level(name)
    seed = chance.getrandbits(64)
    player = _player(level, seed, **({"reads": False} if suffix == UNREADING else {}))
    return Careless(player, seed) if suffix == CARELESS else player


def read_level(name: str) -> tuple[str, str]:
    """Parse *name* into a level and a suffix, which is "" if there is none.

    >>> read_level("solid"), read_level("solid-errs")
    (('solid', ''), ('solid', '-errs'))

    Raises:
        UserError: If the level does not exist, or not with that suffix.
    """
    suffix = next((known for known in (CARELESS, UNREADING) if name.endswith(known)), "")
    level = name.removesuffix(suffix)
    if level not in BY_NAME:
        raise UserError(f"the level {shown(level)} is not known: choose one of {', '.join(NAMES)}")
    if suffix == CARELESS and not BY_NAME[level].may_be_careless:
        raise UserError(f"{level} is never careless: leave out -errs, or choose chance, thrifty or solid")
    if suffix == UNREADING and not BY_NAME[level].reads:
        raise UserError(f"{level} never reads its opponent: leave out {UNREADING}")
    return level, suffix


def _player(name: str, seed: int, **options: bool) -> Opponent:
    # Imported here, because only `solid` and `expert` need NumPy, which is slow to load.
    level = BY_NAME[name]
    module, _, kind = level.plays.partition(":")
    make: Callable[..., Opponent] = getattr(import_module(f"cribpi.cribbage.players.{module}"), kind)
    player = make(seed, **options) if level.is_seeded else make()
    return WithTables(player, STRONG(seed)) if level.loads else player


def prepare(rules: Rules) -> None:
    """Load NumPy and the tables of `solid` and `expert`, and cache values computed from them.

    On a Pi, that takes longer than a decision.  Nothing is loaded for five-card cribbage, which needs no
    tables.

    Raises:
        Exception: Any error that prevents a level from playing.  That level raises it again when it plays.
    """
    from cribpi.cribbage.analysis.pegging.policy import kept_hands, policy  # noqa: PLC0415  NumPy
    from cribpi.cribbage.players.expert import Expert  # noqa: PLC0415

    if rules.is_five_card:
        return
    hand = PACK[: rules.sizes.dealt]
    for dealer in (0, 1):
        sight = SeatSight(rules, 0, dealer, (0,) * seats.sides(rules.players), hand)
        Expert(0).discard(sight)
    policy(rules)
    kept_hands(rules.players)
