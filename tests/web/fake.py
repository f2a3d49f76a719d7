"""A companion in memory: it answers as the real one does, over a few scenes of a game, and breaks on
request."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from cribpi.app.table import OVERTAKEN
from cribpi.core.errors import RuleError
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.rules.citations import RULES
from cribpi.entry.desk import Setup
from cribpi.kit import Kit, load_kit
from cribpi.views.glass.canvas import Canvas
from cribpi.views.json.rules import rules_json, set_up
from cribpi.views.lights.frame import GAMMA, SIDE_COLOURS
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
    points: int = 0
    skunks: int = 0
    spread: int = 0


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
    typed: int | None = None
    winners: tuple[int, ...] = ()
    match: str = "open"
    glass: tuple[str, ...] = ("cribpi",)
    levels: tuple[str | None, ...] = ()
    hand: dict[str, object] | None = None
    thinking: int | None = None
    felt: dict[str, object] | None = None


def line(
    seq: int,
    side: int | None,
    points: int,
    text: str,
    *scores: tuple[str, int, str],
    pegged: tuple[tuple[int, int], ...] = (),
    why: tuple[dict[str, str], ...] = (),
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
        "pegged": gains,
        "why": list(why),
    }


def rule(name: str, source: str) -> dict[str, str]:
    """Return the rule *name* as *source* has it; where that says nothing, as the real companion does."""
    found = RULES[name]
    said = "" if source == "cribpi" else found.words.get(source, "not stated; as in standard")
    return {"rule": name, "text": found.text, "source": source, "words": said}


_TWO = (Side("ORANGE", 28, 26), Side("BLUE", 46, 44, games=1))
_LOG = (
    line(
        14, 0, 2, "ORANGE plays the 7: a pair for two", ("pair", 2, "7 7"), why=(rule("pair", "board-set"),)
    ),
    line(
        13, 1, 2, "BLUE plays the 8: fifteen for two", ("fifteen", 2, "7 8"), why=(rule("fifteen", "lowe"),)
    ),
    line(12, 0, 0, "ORANGE leads the 7"),
    line(11, None, 0, "the starter is the 8", why=(rule("heels", "computer-game"),)),
    line(10, 1, 2, "BLUE takes back: pair for two"),
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
        why=tuple(rule(name, "board-set") for name in ("fifteen", "pair", "run")),
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
    prompt="22 + 10 = 32, over 31. OK: New count with the K, UNDO: Wrong key, GO: BLUE says go",
    question="22 + 10 = 32, over 31. OK: New count with the K, UNDO: Wrong key, GO: BLUE says go",
    keys=("OK", "UNDO", "GO"),
    glass=("! TOO HIGH !", "", "22 + 10 = 32"),
)
SHOW = replace(
    PLAY,
    phase="show",
    prompt="ORANGE shows 7 7 8 9 with 8. OK: Peg 24, FLNB: Flush or his nobs",
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
    prompt="BLUE's crib: press its cards, 3 more",
    keys=RANKS,
    message=None,
    shower=1,
)
LONG = replace(
    SHOW,
    prompt="Correct ALEXANDRINES+BARTHOLOMEUS: set score: 119. OK: Apply, P1: Lower, P2: Higher, UNDO: Cancel",
    message="undone: BARTHOLOMEUS plays the 10: fifteen for two, and one for last; 1214 more",
)
LONG_QUESTION = replace(
    QUESTION,
    question="27 + 10 = 37, over 31. OK: New count with the 10, UNDO: Wrong key, GO: ALEXANDRINES says go",
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
    typed=6,
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
COUNTING = replace(
    SHOW,
    prompt="ORANGE shows 7 8 8 K with 9: type the count, GO for nothing, FLNB for flush or nobs",
    keys=(*RANKS, "GO", "FLNB"),
    message=None,
    typed=0,
)
COUNTED = replace(
    COUNTING,
    prompt="ORANGE shows 7 8 8 K with 9: 12 counted, OK claims it, FLNB for flush or nobs",
    keys=("OK", "FLNB", "UNDO"),
    typed=12,
)
WON = replace(
    OVER,
    phase="match-over",
    prompt="ORANGE wins 121-88, a skunk, and the match: OK begins another",
    sides=(Side("ORANGE", 121, 109, 3, 5, 1, 62), Side("BLUE", 88, 80, 1, 1, 0, -62)),
    winners=(0,),
    match="first-to-3",
)
DRAWN = replace(
    WON,
    prompt="The match is drawn: OK begins another",
    sides=(Side("ORANGE", 121, 109, 2, 2, 0, 0), Side("BARTHOLOMEUS", 88, 80, 2, 2, 0, 0)),
    winners=(0, 1),
    match="best-of-4",
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
    "counting": COUNTING,
    "counted": COUNTED,
    "won": WON,
    "drawn": DRAWN,
}


@dataclass
class FakeCompanion:
    """The table of one scene.  A key that the scene does not name is refused; any other is written down."""

    scene: Scene = PLAY
    kit: Kit = field(default_factory=lambda: load_kit("table"))

    def __post_init__(self) -> None:
        self.seq = 214
        self.ears: list[Callable[[str], None]] = []
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        self.is_new = True  # nothing has happened yet
        self.pressed: list[str] = []
        self.moved_by = "person"  # or the machine: whoever has moved on where a press comes too late
        self.meant_for: list[int | None] = []  # the if_seq of each press, in the order in which they came
        self.asked: list[object] = []
        self.names_given: list[list[str]] = []
        self.setup = Setup()
        self.set_ups: list[dict[str, object]] = []
        self.held: list[Callable[[], None]] | None = None  # answers kept back, where a test wants that
        self.broken = False
        self.lights: Callable[[], bytes] | None = None  # the strip, where it is to show more than the pegs
        self.drawing = threading.Event()  # a picture of screen or strip has been begun
        self.may_draw = threading.Event()  # where a test clears it, pictures wait for it
        self.may_draw.set()
        self._answers: dict[str, FakeAnswer] = {}

    def begin_anew(self) -> None:
        """Be as a new one, but for the count, which goes on: nothing that is on its way is taken for this
        table's."""
        self.let_go()
        self.scene, self.lights = PLAY, None
        self.move()
        self._forget()

    def state(self) -> dict[str, object]:
        scene = self.scene
        return {
            "seq": self.seq,
            "phase": scene.phase,
            "rules": "standard",
            "house": {},
            "target": scene.target,
            "entry": scene.entry,
            "seats": [
                {
                    "name": name,
                    "side": side,
                    "cards_left": left,
                    "level": scene.levels[seat] if scene.levels else None,
                }
                for seat, (name, side, left) in enumerate(scene.seats)
            ],
            "sides": [
                {
                    "name": side.name,
                    "front": side.front,
                    "back": side.back,
                    "games": side.games,
                    "points": side.points,
                    "skunks": side.skunks,
                    "spread": side.spread,
                }
                for side in scene.sides
            ],
            "match": {"kind": scene.match, "winners": list(scene.winners)},
            "dealer": scene.dealer,
            "turn": scene.turn,
            "starter": scene.starter,
            "count": scene.count,
            "pile": list(scene.pile),
            "last": {
                "side": 0,
                "points": 2,
                "call": "a pair for two",
                "scores": [],
                "claimed": None,
                "why": [rule("pair", "board-set")],
            }
            if scene.sides
            else None,
            "automatic": [],
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
            "choices": [],
            "sides": {
                key: side
                for side, key in enumerate(("P1", "P2", "GO" if scene.entry == "peg" else "P3"))
                if side < len(scene.sides)
            },
            "log": list(scene.log),
            "trouble": list(scene.trouble),
            "names": [name for name, _, _ in scene.seats] or ["ORANGE", "BLUE"],
            "shower": scene.shower,
            "typed": scene.typed,
            "amounts": [] if scene.typed is None else list(RANKS),
            "hand": scene.hand,
            "thinking": scene.thinking,
            "felt": scene.felt,
        }

    def rules(self) -> dict[str, object]:
        game = step(NEW_TABLE, Setup().event())
        game = replace(game, winner=self.scene.winner)
        return rules_json(self.setup, game if self.scene.sides else NEW_TABLE)

    def press(self, key: str, id: str | None, if_seq: int | None = None) -> Future[Answer]:  # noqa: A002 - the contract's own word
        self.meant_for.append(if_seq)

        def act() -> FakeAnswer:
            if key not in {*self.scene.keys, "UNDO", "MENU", "hold:UNDO", "hold:MENU", "7H"}:
                why = rule("must-play", "lowe") if key == "10" else rule("keys", "cribpi")
                return FakeAnswer(409, {"error": f"{key} is not for now; {self.scene.prompt}", "why": why})
            self.pressed.append(key)
            self.move()
            return FakeAnswer(200, self.state())

        return self._ask(act, id, if_seq)

    def peg(
        self,
        request: dict[str, object],
        id: str | None,  # noqa: A002 - as above
        if_seq: int | None = None,
    ) -> Future[Answer]:
        def act() -> FakeAnswer:
            self.asked.append(request)
            self.move()
            return FakeAnswer(200, self.state())

        return self._ask(act, id, if_seq)

    def names(self, names: list[str], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        def act() -> FakeAnswer:
            if len(set(names)) < len(names):
                return FakeAnswer(409, {"error": f"two seats are called {names[0]}: give each its own name"})
            self.names_given.append(names)
            return FakeAnswer(200, self.state())

        return self._ask(act, id)

    def set_up(self, request: dict[str, object], id: str | None) -> Future[Answer]:  # noqa: A002 - as above
        def act() -> FakeAnswer:
            try:
                self.setup = set_up(self.setup, request)
            except RuleError as refused:
                return FakeAnswer(409, {"error": str(refused), "why": rule("setup", "lowe")})
            self.set_ups.append(request)
            self.move()
            return FakeAnswer(200, self.state())

        return self._ask(act, id)

    def glass(self) -> bytes:
        self._draw()
        canvas = Canvas()
        for row, text in enumerate(self.scene.glass):
            canvas.text(0, row, text)
        file = io.BytesIO()
        canvas.picture().save(file, "PNG")
        return file.getvalue()

    def strip(self) -> bytes:
        self._draw()
        if self.lights:
            return self.lights()
        leds = bytearray(3 * self.kit.strip.leds)
        for side, pegs in enumerate(self.scene.sides):
            for hole, light in ((pegs.back, 0.25), (pegs.front, 1.0)):
                led = self.kit.led(side, hole)
                if led is not None:
                    told = [round(255 * (part / 255) ** GAMMA * light) for part in SIDE_COLOURS[side]]
                    leds[3 * led : 3 * led + 3] = bytes(told)
        return bytes(leds)

    def _draw(self) -> None:
        self.drawing.set()
        assert self.may_draw.wait(20), "no test has let the picture go"

    def subscribe(self, tell: Callable[[str], None]) -> Callable[[], None]:
        self.ears.append(tell)
        return lambda: self.ears.remove(tell)

    def change(self, scene: Scene) -> None:
        """Let something happen at the table that was not pressed on the page."""
        self.scene = scene
        self.move()

    def change_unheard(self, scene: Scene) -> None:
        """The same, but no page has heard of it yet."""
        self.is_new = False
        self.scene = scene
        self.seq += 1

    def move(self) -> None:
        """Count a press, and tell whoever listens that everything has changed."""
        self.is_new = False
        self.seq += 1
        for ear in list(self.ears):
            for kind in ("state", "page", "strip", "oled"):
                ear(kind)

    def let_go(self) -> None:
        """Give the answers that were kept back."""
        held, self.held = self.held or [], None
        for answer in held:
            answer()

    def _ask(
        self,
        act: Callable[[], FakeAnswer],
        id: str | None,  # noqa: A002 - as above
        if_seq: int | None = None,
    ) -> Future[Answer]:
        future: Future[Answer] = Future()

        def answer() -> None:
            with self._lock:
                if id is not None and id in self._answers:
                    future.set_result(self._answers[id])
                    return
                if self.broken:
                    future.set_exception(RuntimeError("the fake was told to break"))
                    return
                if if_seq is None or if_seq == self.seq:
                    answered = act()
                else:
                    answered = FakeAnswer(
                        409, {"error": OVERTAKEN[self.moved_by], "by": self.moved_by, "state": self.state()}
                    )
                if id is not None:
                    self._answers[id] = answered
                future.set_result(answered)

        if self.held is None:
            answer()
        else:
            self.held.append(answer)
        return future
