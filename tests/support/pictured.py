"""Everything that is shown of the recorded games and of each golden screen: JSON, the screen, the lights.

`PYTHONPATH=tests python -m support.pictured FOLDER` writes it to files, for two versions to be compared;
without a folder it writes the digests that the test compares with.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from cribpi.companion.entry.desk import Desk
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.snapshot import Moment, Snapshot, append
from cribpi.companion.views.lights.frame import Frame, compose
from cribpi.companion.views.lights.motion import Motion, games_for, gesture_for, ghosts_for, hints_for
from cribpi.companion.views.screen.screen import draw
from cribpi.companion.web.json.page import page_json
from cribpi.companion.web.json.state import shown_json
from cribpi.cribbage.record import Comment, parse
from support import paths
from support.screens import SEEN

DIGESTS: Final = paths.DATA / "pictured.json"
TIMES: Final = (0.0, 0.05, 0.3, 0.8, 1.5, 4.0, 30.0)
"""Seconds after an event at which the lights are looked at."""


class Shown(NamedTuple):
    """What a client, the screen and the strip show at one moment."""

    state: str
    page: str
    screen: bytes
    lights: bytes


def shown(now: Snapshot, screen: bytes | None = None, lights: bytes = b"") -> Shown:
    """Return what is shown of *now*; a view that fails fails the test."""
    faults = Faults()
    seen = page_json(now, now.choices, faults, {})
    assert not faults._failed, faults._failed
    if screen is None:
        screen = draw(now.state, now.desk, now.refusal, may_undo=now.may_undo).tobytes()
    state, page = (json.dumps(found, ensure_ascii=False) for found in (shown_json(now, Faults()), seen))
    return Shown(state, page, screen, lights)


def games() -> Iterator[tuple[str, list[Shown]]]:
    """Yield each recorded game's name, and what is shown after each of its events."""
    kit = load_kit("table")
    for path in sorted(paths.GAMES.glob("*.crib")):
        line: tuple[Moment, ...] = ()
        motion = Motion.attract(kit, 0.0)
        found = []
        for event in parse(path.read_text(encoding="utf-8")):
            if isinstance(event, Comment):
                continue
            before = line[-1].state if line else None
            line = append(line, event)
            now = Snapshot(Desk(), len(line), may_undo=True, may_redo=False, line=line)
            state, desk = now.state, now.desk
            gesture = gesture_for(before, state) if before else None
            motion = motion.toward(state.pegs, 0.0, gesture, games_for(state), state.rules.target)
            motion = replace(motion, hints=hints_for(state, desk), ghosts=ghosts_for(state, desk))
            frames: list[Frame] = [compose(kit, motion.lights(at)) for at in TIMES]
            found.append(shown(now, lights=b"".join(frame.data for frame in frames)))
        yield path.stem, found


def screens() -> Iterator[tuple[str, Shown]]:
    """Yield each golden screen's name, and all that is shown of that moment."""
    for seen in SEEN:
        screen = seen.sheet().picture().tobytes()
        if seen.start is not None:
            yield seen.name, Shown("", "", screen, b"")
            continue
        evening = seen.evening()
        line = tuple(Moment(event, state) for event, state in evening.events_and_states())
        now = Snapshot(
            evening.desk, len(line), bool(evening.told), may_redo=False, line=line, refusal=evening.refusal
        )
        yield seen.name, shown(now, screen)


def digests() -> dict[str, dict[str, str]]:
    """Return a short digest for each kind of thing that is shown, by game and by screen."""

    def digest(parts: list[Shown]) -> dict[str, str]:
        found = {}
        for kind in Shown._fields:
            whole = hashlib.sha256()
            for one in parts:
                part = getattr(one, kind)
                whole.update(part.encode() if isinstance(part, str) else part)
            found[kind] = whole.hexdigest()[:16]
        return found

    one_by_one = {f"game {name}": digest(parts) for name, parts in games()}
    return one_by_one | {f"screen {name}": digest([part]) for name, part in screens()}


def write(folder: Path) -> None:
    """Write all that is shown below *folder*, a file a game and a kind."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = [*games(), ("screens", [part for _, part in screens()])]
    for name, parts in whole:
        for kind in Shown._fields:
            found = [getattr(part, kind) for part in parts]
            text = "\n".join(part if isinstance(part, str) else part.hex() for part in found)
            (folder / f"{name}.{kind}").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(Path(sys.argv[1]))
    else:
        DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
