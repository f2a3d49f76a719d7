"""A scene of a game, and a real table that is brought to it by the keys that lead there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.requests import Press
from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.table.machine_seats import MachinePlayers, next_request
from cribpi.companion.table.sessions import COMPUTER

TWO = NextGame()


@dataclass(frozen=True)
class Scene:
    """How a scene is come to: the *keys* from a new table, after each of which the machine's seats act."""

    keys: str = ""
    setup: NextGame = TWO
    before: Scene | None = None
    """The scene that the keys begin at, where it is no new table."""
    last: str = ""
    """Keys behind the others, after which the machine's seats have not acted yet."""
    acts: int = 0
    """How often they have acted since then."""
    seed: int = 1
    trouble: tuple[str, ...] = ()
    """What a device says of itself."""
    changes: dict[str, Any] = field(default_factory=dict, hash=False)
    """What a test puts in the place of what the table would say of its state."""

    def then(self, keys: str, last: str = "", *, acts: int = 0) -> Scene:
        """Return the scene that *keys* lead to from this one."""
        return Scene(keys, self.setup, self.by_keys(), last, acts, self.seed)

    def by_keys(self) -> Scene:
        """Return what the keys alone lead to."""
        return Scene(self.keys, self.setup, self.before, self.last, self.acts, self.seed)


def with_changes(scene: Scene, **changes: Any) -> Scene:  # noqa: ANN401  JSON
    """Return *scene* with fields of its state that no keys lead to."""
    return replace(scene, changes=scene.changes | changes)


SHM = Path("/dev/shm")  # noqa: S108  a journal of a test need not be on a disk
IN_MEMORY = SHM if SHM.is_dir() else None


def table_at(scene: Scene, kit: Kit, path: Path) -> Rehearsal:
    """Return a table that stands at *scene*; its journal is at *path*, where there is none yet."""
    return _opened(scene, kit, path, _journal(scene.by_keys()))


def _opened(scene: Scene, kit: Kit, path: Path, journal: bytes) -> Rehearsal:
    if journal:
        path.write_bytes(journal)
    return Rehearsal(kit, scene.seed, setup=scene.setup, journal=path)


@cache
def _journal(scene: Scene | None) -> bytes:
    """Return the journal of a table that was brought to *scene* by real presses."""
    if scene is None:
        return b""
    with TemporaryDirectory(dir=IN_MEMORY) as folder:
        path = Path(folder) / "journal"
        rehearsal = _opened(scene, load_kit("table"), path, _journal(scene.before))
        try:
            for key in scene.keys.split():
                refused = rehearsal.press(key)
                assert refused is None, f"{key} on the way to a scene: {refused}"
            for key in scene.last.split():
                rehearsal.table.do(Press(key))
            players = MachinePlayers(Random(scene.seed))
            for _ in range(scene.acts):
                ask = next_request(rehearsal.now, players)
                assert ask is not None, "no seat of the machine is next"
                assert rehearsal.table.do(ask, COMPUTER).is_accepted, "the machine's move was refused"
        finally:
            rehearsal.close()
        return path.read_bytes()
