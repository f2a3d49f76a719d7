"""The companion of the tests of the page: the real one over a rehearsal, brought to a scene by the keys that
lead there.

A test can have it break, keep its answers back, or take long over a picture; everything else is as it is on
the table.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from companion.web.scene import IN_MEMORY, Scene, table_at
from companion.web.scenes import PLAY
from PIL import Image
from support.patience import PATIENCE

from cribpi.companion.entry.phones import PhoneCommand
from cribpi.companion.entry.requests import Press, TableRequest
from cribpi.companion.journal.journal import TableResponse
from cribpi.companion.kit import Kit
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.table.table import Table
from cribpi.companion.web.client import BoardClient
from cribpi.companion.web.json.setup_types import Phones
from cribpi.companion.web.json.table_types import State


def no_phones() -> Phones:
    """A table that no phone has joined."""
    nobody: Phones = {
        "open": False,
        "address": "",
        "code": "",
        "seconds": 0.0,
        "modules": [],
        "trouble": None,
        "seats": [],
        "phones": [],
    }
    return nobody


def change_none(command: PhoneCommand) -> Phones:
    raise AssertionError(f"nobody is there to do {command}")


class RehearsedClient(BoardClient):
    """A companion without threads: a press is done in the thread that brings it, and then told of."""

    def __init__(self, scene: Scene = PLAY, kit: Kit | None = None) -> None:
        super().__init__(kit or load_kit("table"), self._picture, self._colours)
        self.phones, self.change_phones = no_phones, change_none
        self._sitting = threading.RLock()  # one press at a time, and at one table
        self._folder = TemporaryDirectory(dir=IN_MEMORY)
        self.may_draw = threading.Event()  # where a test clears it, pictures wait for it
        self.may_draw.set()
        self._numbers = count()
        self._ready: dict[Scene, Rehearsal] = {}
        """Tables at scenes that nobody has pressed anything at."""
        self.scene, self._is_touched = scene, False
        self.rehearsal = self._begin(scene)
        self._untouched = self.rehearsal.table.now
        self.loop = self.rehearsal.loop
        self._forget()

    def _forget(self) -> None:
        self.is_new = True  # nothing has happened yet
        self.pressed: list[str] = []
        self.sent: list[str] = []  # what was pressed, and what was refused
        self._sent_ids = set[str | None]()
        self.meant_for: list[int | None] = []  # the if_seq of each press, in the order in which they came
        self.asked: list[TableRequest] = []  # what else was asked, and accepted
        self.held: list[Callable[[], None]] | None = None  # presses kept back, where a test wants that
        self.broken = False
        self.drawing = threading.Event()  # a picture of screen or strip has been begun

    def _sit_down(self, scene: Scene, seq: int, *, by_machine: bool = False) -> None:
        """Sit down at a table that stands at *scene*; its count goes on from *seq*."""
        rehearsal = self._ready.pop(scene, None) or self._begin(scene)
        table = rehearsal.table
        table.now = replace(table.now, seq=seq)
        table._person_seq = self.loop.table._person_seq if by_machine else table.now.seq
        with self._sitting:
            self._leave()
            self.rehearsal, self.scene, self._is_touched = rehearsal, scene, False
            self._untouched = table.now
            self.loop = rehearsal.loop

    def _begin(self, scene: Scene) -> Rehearsal:
        path = Path(self._folder.name) / str(next(self._numbers))
        rehearsal = table_at(scene, self.kit, path)
        for number, sentence in enumerate(scene.trouble):
            rehearsal.loop.trouble(f"device {number}", sentence)
        _settle(rehearsal)
        rehearsal.loop._on_change = self.tell
        rehearsal.twin.panel.when_changed = lambda: self.tell("oled")
        rehearsal.twin.wire.when_changed = lambda: self.tell("strip")
        return rehearsal

    def _leave(self) -> None:
        """Keep the table for who comes to the same scene, if it is as it was: a test may also put its snapshot there."""
        is_touched = self._is_touched or self.rehearsal.table.now is not self._untouched
        if is_touched or self.scene in self._ready:
            self.rehearsal.close()
        else:
            self._ready[self.scene] = self.rehearsal

    def close(self) -> None:
        for rehearsal in (*self._ready.values(), self.rehearsal):
            rehearsal.close()
        self._folder.cleanup()

    def begin_anew(self) -> None:
        """Be as a new one, but for the count, which goes on: nothing that is on its way is taken for this
        table's."""
        self.let_go()
        if not self.is_new:
            self.change(PLAY)
        self._forget()

    @property
    def listeners(self) -> int:
        return len(self._observers)

    # --- what happens at the table ---

    @property
    def seq(self) -> int:
        return self.loop.table.now.seq

    def change(self, scene: Scene) -> None:
        """Let something happen at the table that was not pressed on the page."""
        self.change_unheard(scene)
        self.tell_all()

    def change_unheard(self, scene: Scene, *, by_machine: bool = False) -> None:
        """The same, but no page has heard of it yet."""
        with self._sitting:
            self.is_new = False
            self._sit_down(scene, self.seq + 1, by_machine=by_machine)

    def tell_all(self) -> None:
        for kind in ("state", "page", "strip", "oled"):
            self.tell(kind)

    def let_go(self) -> None:
        """Do the presses that were kept back."""
        held, self.held = self.held or [], None
        for press in held:
            press()

    # --- what the page asks ---

    def state(self) -> State:
        return cast("State", {**super().state(), **self.scene.changes})

    def do(
        self,
        request: TableRequest,
        id: str | None = None,  # noqa: A002  the contract's own word
        if_seq: int | None = None,
    ) -> Future[TableResponse]:
        if isinstance(request, Press):
            self.meant_for.append(if_seq)
            if id is None or id not in self._sent_ids:  # the page repeats one that is not answered in 8 s
                self.sent.append(request.key)
            self._sent_ids.add(id)
        asked = super().do

        def note() -> None:
            if isinstance(request, Press):
                self.pressed.append(request.key)
            else:
                self.asked.append(request)

        return self._do(lambda: asked(request, id, if_seq), note)

    def glass(self) -> bytes:
        self._draw()
        return super().glass()

    def strip(self) -> bytes:
        self._draw()
        return super().strip()

    def _picture(self) -> Image.Image:
        return self.rehearsal.glass()

    def _colours(self) -> bytes:
        return self.rehearsal.board().data

    def _draw(self) -> None:
        self.drawing.set()
        assert self.may_draw.wait(PATIENCE), "no test has let the picture go"

    def _do(
        self, request: Callable[[], Future[TableResponse]], note: Callable[[], None]
    ) -> Future[TableResponse]:
        """Put a question to the table, and *note* what has changed it."""
        answer: Future[TableResponse] = Future()

        def act() -> None:
            with self._sitting:
                before = self.seq
                self.is_new, self._is_touched = False, True
                asked = self.loop.ask(_break) if self.broken else request()
                _settle(self.rehearsal)
                if self.seq != before:
                    note()
            error = asked.exception(0)
            if error is None:
                answer.set_result(self._with_changes(asked.result(0)))
            else:
                answer.set_exception(error)

        if self.held is None:
            act()
        else:
            self.held.append(act)
        return answer

    def _with_changes(self, answer: TableResponse) -> TableResponse:
        changes = self.scene.changes if answer.is_accepted else {}
        told = lambda: json.dumps(json.loads(answer.text) | changes)  # noqa: E731
        return TableResponse(told, answer.refused, is_accepted=answer.is_accepted)


def _settle(rehearsal: Rehearsal) -> None:
    """Let the table and its devices do all that there is to do."""
    rehearsal.loop.serve()
    rehearsal.outputs.strip.service(0.0)
    rehearsal.outputs.oled.service(0.0)


def _break(_table: Table) -> Any:  # noqa: ANN401  it answers nothing
    raise RuntimeError("the companion was told to break")
