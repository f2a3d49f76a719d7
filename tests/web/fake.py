"""A companion in memory: it answers as the real one does, over a few scenes of a game, and breaks on request."""

from __future__ import annotations

import io
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from threading import Lock

from cribpi.kit import Kit, load_kit
from cribpi.views.canvas import Canvas
from cribpi.views.frame import GAMMA, SIDE_COLOURS
from cribpi.web.companion import Answer

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


@dataclass(frozen=True, slots=True)
class FakeAnswer:
    status: int
    body: dict[str, object]


@dataclass(frozen=True, slots=True)
class Side:
    name: str
    front: int = 0
    back: int = 0
    games: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a game, in the shape of the contract."""

    phase: str
    prompt: str
    keys: tuple[str, ...]
    sides: tuple[Side, ...] = ()
    seats: tuple[tuple[str, int, int], ...] = ()  # name, side, cards left
    dealer: int | None = None
    turn: int | None = None
    starter: str | None = None
    count: int = 0
    pile: tuple[str, ...] = ()
    question: str | None = None
    message: str | None = None
    winner: int | None = None
    shower: int | None = None
    entry: str = "cards"
    target: int = 121
    log: tuple[dict[str, object], ...] = ()
    trouble: tuple[str, ...] = ()
    hint: str | None = None
    glass: tuple[str, ...] = ("cribpi",)


def line(
    seq: int,
    side: int | None,
    points: int,
    text: str,
    *scores: tuple[str, int, str],
    undone: bool = False,
    pegged: tuple[tuple[int, int], ...] = (),
) -> dict[str, object]:
    """Return a line of the log; a score is its kind, its points and its cards, pegged its side and points."""
    found = [{"kind": kind, "points": worth, "cards": cards.split()} for kind, worth, cards in scores]
    gains = [{"side": who, "points": gained} for who, gained in pegged]
    return {
        "seq": seq,
        "side": side,
        "points": points,
        "text": text,
        "scores": found,
        "undone": undone,
        "pegged": gains,
    }


_TWO = (Side("ORANGE", 28, 26), Side("BLUE", 46, 44, games=1))
_LOG = (
    line(14, 0, 2, "ORANGE plays the 7: a pair for two", ("pair", 2, "7 7")),
    line(13, 1, 2, "BLUE plays the 8: fifteen for two", ("fifteen", 2, "7 8")),
    line(12, 0, 0, "ORANGE leads the 7"),
    line(11, None, 0, "the starter is the 8"),
    line(10, 1, 2, "BLUE takes back: pair for two", undone=True),
    line(
        9,
        0,
        12,
        "ORANGE shows 7 8 8 K: fifteen two, fifteen four, a pair is six, and two runs of three are twelve",
        ("fifteen", 2, "7H 8C"),
        ("fifteen", 2, "7H 8D"),
        ("pair", 2, "8C 8D"),
        ("run", 3, "7H 8C 9S"),
        ("run", 3, "7H 8D 9S"),
    ),
    line(8, 1, 1, "BLUE plays the 4: one for last", ("last", 1, "4")),
)

IDLE = Scene("idle", "Press OK for a new game", ("OK",), glass=("     C R I B P I", "", "OK new game"))
PLAY = Scene(
    "play",
    "BLUE to play",
    (*RANKS[:9], "GO"),
    _TWO,
    (("ORANGE", 0, 2), ("BLUE", 1, 3)),
    dealer=1,
    turn=1,
    starter="8",
    count=22,
    pile=("7", "8", "7"),
    log=_LOG,
    glass=("ORANGE 28   BLUE*46", "", "22   7 8 7", "", "room 9", "BLUE to play"),
)
QUESTION = replace(
    PLAY,
    prompt="The K would pass 31: OK for a new count, UNDO for a slip",
    question="22 and 10 is 32, past 31. OK: all said go, ORANGE leads the K. UNDO: a slip. GO: BLUE says go.",
    keys=("OK", "UNDO", "GO"),
    glass=("! TOO HIGH !", "", "22 and 10 is 32"),
)
SHOW = replace(
    PLAY,
    phase="show",
    prompt="ORANGE shows: OK pegs it, FLNB for flush or nobs",
    keys=("OK", "FLNB"),
    turn=None,
    shower=0,
    seats=(("ORANGE", 0, 0), ("BLUE", 1, 0)),
    message="BLUE said go at 25, but held the 6",
    glass=("SHOW ORANGE 7 7 8 9", "15-2 15-4 15-6 15-8", "two pairs are 12", "TOTAL 24"),
)
CRIB = replace(
    SHOW,
    phase="crib",
    prompt="BLUE's crib: press its cards, 3 to come",
    keys=RANKS,
    message=None,
    shower=1,
)
LONG = replace(
    SHOW,
    prompt="Correct ALEXANDRINES+BARTHOLOMEUS: 2 the score put right to 119; P1 less, P2 more, OK applies, "
    "UNDO leaves",
    message="taken back: BARTHOLOMEUS plays the 10: fifteen for two, and one for last; 1214 more",
)
LONG_QUESTION = replace(
    QUESTION,
    question="27 and 10 is 37, past 31. OK: all said go, BARTHOLOMEUS leads the 10. UNDO: a slip. "
    "GO: ALEXANDRINES says go.",
)
NEW_GAME = replace(
    SHOW,
    phase="new-game",
    prompt="New game, two players to 121, every card: OK starts it; A, 2, 3 pick a line, P1 and P2 change it",
    keys=("OK", "A", "2", "3", "P1", "P2", "UNDO"),
    message=None,
    shower=None,
)
OVER = replace(
    SHOW,
    phase="game-over",
    prompt="ORANGE has won: OK for the next game",
    keys=("OK",),
    sides=(Side("ORANGE", 121, 109, games=1), Side("BLUE", 88, 80)),
    winner=0,
    shower=None,
    message="BLUE is skunked",
    glass=("ORANGE WINS!", "", "121 - 88", "", "S K U N K"),
)
THREE = replace(
    PLAY,
    prompt="WHITE to play",
    sides=(Side("ORANGE", 61, 58), Side("BLUE", 74, 70), Side("WHITE", 90, 83, games=2)),
    seats=(("ORANGE", 0, 2), ("BLUE", 1, 3), ("WHITE", 2, 3)),
    turn=2,
    dealer=0,
    entry="peg",
    keys=("P1", "P2", "GO"),
    hint="6 typed",
    trouble=("the OLED at 0x3C does not answer; look at its wires: the table goes on without it",),
)
FOUR = replace(
    PLAY,
    prompt="DORA to play",
    sides=(Side("ALEXANDRA+BARTHOLOMEUS", 30, 28), Side("BOB+DORA", 46, 44, games=1)),
    seats=(("ALEXANDRA", 0, 2), ("BOB", 1, 3), ("BARTHOLOMEUS", 0, 3), ("DORA", 1, 3)),
    turn=3,
    log=(
        line(
            15,
            1,
            3,
            "DORA plays the 4: a pair for two, and one for last",
            ("last", 1, "4"),
            pegged=((1, 2), (1, 1), (0, 2)),
        ),
        *_LOG,
    ),
)
SCENES = {
    "idle": IDLE,
    "play": PLAY,
    "question": QUESTION,
    "show": SHOW,
    "crib": CRIB,
    "long": LONG,
    "long-question": LONG_QUESTION,
    "new-game": NEW_GAME,
    "over": OVER,
    "three": THREE,
    "four": FOUR,
}


@dataclass
class FakeCompanion:
    """The table of one scene.  A key that the scene does not name is refused; any other is written down."""

    scene: Scene = PLAY
    kit: Kit = field(default_factory=lambda: load_kit("table"))

    def __post_init__(self) -> None:
        self.seq = 214
        self.pressed: list[str] = []
        self.asked: list[object] = []
        self.names_given: list[list[str]] = []
        self.held: list[Callable[[], None]] | None = None  # answers kept back, where a test wants that
        self.broken = False
        self.ears: list[Callable[[str], None]] = []
        self._answers: dict[str, FakeAnswer] = {}
        self._lock = Lock()

    def state(self) -> dict[str, object]:
        scene = self.scene
        return {
            "seq": self.seq,
            "phase": scene.phase,
            "rules": "standard",
            "target": scene.target,
            "entry": scene.entry,
            "seats": [{"name": name, "side": side, "cards_left": left} for name, side, left in scene.seats],
            "sides": [
                {"name": side.name, "front": side.front, "back": side.back, "games": side.games}
                for side in scene.sides
            ],
            "dealer": scene.dealer,
            "turn": scene.turn,
            "starter": scene.starter,
            "count": scene.count,
            "pile": list(scene.pile),
            "last": {"side": 0, "points": 2, "call": "a pair for two", "scores": []} if scene.sides else None,
            "prompt": scene.prompt,
            "question": scene.question,
            "message": scene.message,
            "winner": scene.winner,
            "can_undo": self.seq > 0,
            "can_redo": False,
        }

    def page(self) -> dict[str, object]:
        scene = self.scene
        return {
            "seq": self.seq,
            "keys": list(scene.keys),
            "log": list(scene.log),
            "trouble": list(scene.trouble),
            "entry_hint": scene.hint,
            "names": [name for name, _, _ in scene.seats] or ["ORANGE", "BLUE"],
            "shower": scene.shower,
        }

    def press(self, key: str, id: str | None) -> Future[Answer]:  # noqa: A002 - the contract's own word
        def act() -> FakeAnswer:
            if key not in {*self.scene.keys, "UNDO", "MENU", "hold:UNDO", "hold:MENU", "7H"}:
                return FakeAnswer(409, {"error": f"{key} is not for now; {self.scene.prompt}"})
            self.pressed.append(key)
            self.move()
            return FakeAnswer(200, self.state())

        return self._ask(act, id)

    def peg(self, request: dict[str, object], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        def act() -> FakeAnswer:
            self.asked.append(request)
            self.move()
            return FakeAnswer(200, self.state())

        return self._ask(act, id)

    def names(self, names: list[str], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        def act() -> FakeAnswer:
            if len(set(names)) < len(names):
                return FakeAnswer(409, {"error": f"two seats are called {names[0]}: give each its own name"})
            self.names_given.append(names)
            return FakeAnswer(200, self.state())

        return self._ask(act, id)

    def glass(self) -> bytes:
        canvas = Canvas()
        for row, text in enumerate(self.scene.glass):
            canvas.text(0, row, text)
        file = io.BytesIO()
        canvas.picture().save(file, "PNG")
        return file.getvalue()

    def strip(self) -> bytes:
        leds = bytearray(3 * self.kit.strip.leds)
        for side, pegs in enumerate(self.scene.sides):
            for hole, light in ((pegs.back, 0.25), (pegs.front, 1.0)):
                led = self.kit.led(side, hole)
                if led is not None:
                    told = [round(255 * (part / 255) ** GAMMA * light) for part in SIDE_COLOURS[side]]
                    leds[3 * led : 3 * led + 3] = bytes(told)
        return bytes(leds)

    def subscribe(self, tell: Callable[[str], None]) -> Callable[[], None]:
        self.ears.append(tell)
        return lambda: self.ears.remove(tell)

    def change(self, scene: Scene) -> None:
        """Let something happen at the table that was not pressed on the page."""
        self.scene = scene
        self.move()

    def move(self) -> None:
        """Count a press, and tell whoever listens that everything has changed."""
        self.seq += 1
        for ear in list(self.ears):
            for kind in ("state", "page", "strip", "oled"):
                ear(kind)

    def let_go(self) -> None:
        """Give the answers that were kept back."""
        held, self.held = self.held or [], None
        for answer in held:
            answer()

    def _ask(self, act: Callable[[], FakeAnswer], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        future: Future[Answer] = Future()

        def answer() -> None:
            with self._lock:
                if id is not None and id in self._answers:
                    future.set_result(self._answers[id])
                    return
                if self.broken:
                    future.set_exception(RuntimeError("the fake was told to break"))
                    return
                answered = act()
                if id is not None:
                    self._answers[id] = answered
                future.set_result(answered)

        if self.held is None:
            answer()
        else:
            self.held.append(answer)
        return future
