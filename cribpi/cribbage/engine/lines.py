"""The lines of the cribbage engine interface, version 1: requests and responses as values.

The protocol is described in docs/reference/engine-protocol.md.  A position is replayed under the rules when
it is parsed and when it is formatted, so each position has exactly one form, and impossible ones are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from cribpi.cribbage.game.cards import CARDS, Card, check_possible
from cribpi.cribbage.game.deal import Go, Played, PlayedDeal
from cribpi.cribbage.game.events import CardPlayed, Discarded, GameStarted, GoSaid, HandDealt, StarterTurned
from cribpi.cribbage.game.sight import SeatSight, sight_with
from cribpi.cribbage.game.state import State, the_deal
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import BadSetup, RuleError, UserError
from cribpi.cribbage.rules.rules import Rules, changed, differences, preset
from cribpi.cribbage.rules.shown import shown

VERSION: Final = 1

HIGHEST: Final = 121
"""The highest target: no deal pegs so much before its show."""

MOST: Final = 86_400_000
"""The most milliseconds of a decision, a day; also the most choices."""

LONGEST: Final = 200_000
"""The most bytes of a line: a position after a hundred games has some 60,000."""


class LineError(UserError, ValueError):
    """A line that is not in the interface, or is impossible; the message shows the right form."""


@dataclass(frozen=True, slots=True)
class GoRequest:
    """The arguments of `go`, the request for a choice; *movetime* is a limit in milliseconds."""

    movetime: int | None = None
    multi: int | None = None
    """The number of choices, best first, whose worth is requested too."""


@dataclass(frozen=True, slots=True)
class Info:
    """The worth of a choice: its cards, the chance to win (0 to 1), and the margin in points."""

    cards: tuple[Card, ...]
    win: float | None
    points: float


# --- fields -----------------------------------------------------------------------------------------


def _fields(words: Sequence[str], names: Iterable[str], several: str = "") -> dict[str, list[str]]:
    """Return the values of each field: a name of *names* with its value; only *several* may be repeated.

    Raises:
        LineError: If a name is not one of *names*, comes twice, or lacks its value.
    """
    found: dict[str, list[str]] = {}
    for name, value in zip_longest(words[::2], words[1::2]):
        if name not in names:
            raise LineError(f"{shown(name)} is not expected here: write one of {', '.join(names)}")
        if name in found and name != several:
            raise LineError(f"{name} comes twice: give it once")
        if value is None:
            raise LineError(f"{name} lacks its value: write it after a space")
        found.setdefault(name, []).append(value)
    return found


def _number(name: str, text: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) or int(text) > most:
        raise LineError(f"{name} {shown(text)}: write a number from 0 to {most}")
    return int(text)


def _cards(name: str, text: str) -> tuple[Card, ...]:
    for word in text.split(","):
        if word not in CARDS:
            raise LineError(f"{name}: {shown(word)} is not a card; write a rank and a suit, such as 10S")
    return tuple(CARDS[word] for word in text.split(","))


def _written(cards: Iterable[Card]) -> str:
    return ",".join(map(str, cards))


# --- newgame ----------------------------------------------------------------------------------------


def write_newgame(rules: Rules) -> str:
    """Return the line that begins a game; `read_newgame` is the inverse, but for the name of the rules.

    >>> write_newgame(preset("travel-61"))
    'newgame players 2 target 61 starter_cut dealer-turns crib_flush four'
    """
    other = differences(preset("standard", rules.players), rules)
    options = {"players": str(rules.players), "target": str(rules.target)}
    options |= {name: value for name, (_, value) in other.items()}
    return " ".join(["newgame", *(f"{name} {value}" for name, value in options.items())])


def read_newgame(words: Sequence[str]) -> Rules:
    """Parse what follows `newgame`: options of the rules; those left out are as in `standard`.

    Raises:
        LineError: If they make no rules.
    """
    known = preset("standard").as_written()
    options = {name: value for name, (value,) in _fields(words, known).items()}
    try:
        players = changed(preset("standard"), {"players": options.pop("players", "2")}).players
        return changed(preset("standard", players), options)
    except BadSetup as bad:
        raise LineError(str(bad)) from None


# --- position ---------------------------------------------------------------------------------------

_POSITION: Final = ("seat", "dealer", "scores", "hand", "discards", "starter", "plays", "pile", "past")


def write_position(sight: SeatSight) -> str:
    """Return the line for what a seat sees; `read_position` is the inverse.

    >>> write_position(SeatSight(preset("standard"), 0, 1, (96, 101), _cards("hand", "5H,6C,7D,JS,QS,KH")))
    'position seat 0 dealer 1 scores 96-101 hand 5H,6C,7D,JS,QS,KH'
    """
    fields = {
        "seat": f"{sight.seat}",
        "dealer": f"{sight.dealer}",
        "scores": "-".join(map(str, sight.scores)),
        "hand": _written(sight.hand),
        "discards": _written(sight.discards),
        "starter": str(sight.starter or ""),
        "plays": ",".join(_plays(sight)),
        "pile": _written(sight.pile),
    }
    words = ["position", *(f"{name} {value}" for name, value in fields.items() if value)]
    words += (f"past {deal.dealer}/{deal.starter}/{_of_plays(deal.plays)}" for deal in sight.past)
    return " ".join(words)


def _of_plays(plays: Iterable[Played]) -> str:
    return ",".join(f"{play.seat}:{play.card}" for play in plays)


def _plays(sight: SeatSight) -> Iterator[str]:
    """Yield each card and each go in their order, which follows from the rules.

    A go has its count and the number of cards that its seat had played.  If the seat has the turn with both,
    it said go then, because after another card the number would be higher.
    """
    if sight.starter is None:
        return
    state = _at_the_lead(sight)
    goes, plays = list(sight.goes), list(sight.plays)
    while goes or plays:
        deal = the_deal(state)
        turn = deal.turn or 0
        if goes and goes[0] == Go(turn, deal.count, len(deal.played[turn])):
            yield f"{turn}:go"
            state = step(state, GoSaid(goes.pop(0).seat))
        else:
            play = plays.pop(0)
            yield f"{play.seat}:{play.card}"
            state = step(state, CardPlayed(play.seat, play.card))


def read_position(words: Sequence[str], rules: Rules) -> SeatSight:
    """Parse what follows `position`, in a game of *rules*: what a seat sees that must choose.

    Raises:
        LineError: If no game could come to it.
    """
    found = _fields(words, _POSITION, several="past")
    if missing := [name for name in ("seat", "dealer", "scores", "hand") if name not in found]:
        raise LineError(f"{missing[0]} is missing: a position needs at least seat, dealer, scores and hand")
    one = {name: values[0] for name, values in found.items()}
    last = rules.players - 1
    sight = SeatSight(
        rules,
        _number("seat", one["seat"], last),
        _number("dealer", one["dealer"], last),
        _scores(one["scores"], rules),
        _cards("hand", one["hand"]),
        _cards("discards", one["discards"]) if "discards" in one else (),
        _card("starter", one["starter"]) if "starter" in one else None,
        past=tuple(_past(text, rules) for text in found.get("past", ())),
    )
    try:
        sight = _after_plays(sight, one["plays"].split(",") if "plays" in one else ())
    except RuleError as bad:
        raise LineError(str(bad)) from None
    if "pile" in one and _cards("pile", one["pile"]) != sight.pile:
        raise LineError(
            f"pile {shown(one['pile'])}: after these plays it is {_written(sight.pile) or 'empty'}"
        )
    return sight


def _after_plays(sight: SeatSight, plays: Sequence[str]) -> SeatSight:
    """Return *sight*, which has no plays yet, after *plays* as written.

    Raises:
        LineError: If its cards are not those of a seat that must choose.
        RuleError: If the rules do not allow a play.
    """
    away = sight.rules.sizes.discarded
    if sight.starter is None:
        dealt = sight.rules.sizes.dealt
        if sight.discards or plays or len(sight.hand) != dealt:
            raise LineError(f"without a starter a seat has the {dealt} cards it was dealt, and no more")
        check_possible(sight.hand)
        return sight
    events = [_play(word, sight.players - 1) for word in plays]
    own = tuple(one.card for one in events if isinstance(one, CardPlayed) and one.seat == sight.seat)
    if len(sight.hand) + len(own) != sight.rules.sizes.hand or len(sight.discards) != away:
        raise LineError(
            f"with a starter a seat has {sight.rules.sizes.hand} cards, played or in hand, "
            f"and {away} in discards"
        )
    state = _at_the_lead(replace(sight, plays=tuple(Played(sight.seat, card) for card in own)))
    for event in events:
        state = step(state, event)
    if the_deal(state).turn != sight.seat:
        raise LineError(
            f"it is not the turn of seat {sight.seat} after these plays: give them all, with goes"
        )
    now = sight_with(state, sight.seat, sight.hand, sight.discards)
    return replace(now, rules=sight.rules, scores=sight.scores, past=sight.past)


def _at_the_lead(sight: SeatSight) -> State:
    """Return a game, at no points and to the highest target, in which *sight* was dealt what it was dealt.

    The other hands are not known.  Nobody can win it in one deal.
    """
    rules = replace(sight.rules, target=HIGHEST, match="open")
    names = tuple(f"seat {seat}" for seat in range(sight.players))
    state = step(NEW_TABLE, GameStarted(names, rules, dealer=sight.dealer))
    state = step(state, HandDealt(sight.seat, (*sight.kept, *sight.discards)))
    state = step(state, Discarded(sight.seat, sight.discards))
    if sight.starter is None:
        raise LineError("the starter is missing: without it nobody can play")
    return step(state, StarterTurned(sight.starter))


def _scores(text: str, rules: Rules) -> tuple[int, ...]:
    sides = seats.sides(rules.players)
    scores = tuple(_number("scores", one, rules.target - 1) for one in text.split("-"))
    if len(scores) != sides:
        raise LineError(f"scores {shown(text)}: write one for each of {sides} sides, such as 96-101")
    return scores


def _card(name: str, text: str) -> Card:
    (card, *more) = _cards(name, text)
    if more:
        raise LineError(f"{name} {shown(text)}: write one card")
    return card


def _play(word: str, last: int) -> CardPlayed | GoSaid:
    seat, colon, what = word.partition(":")
    if not colon:
        raise LineError(f"plays: {shown(word)} is not a play; write SEAT:CARD or SEAT:go")
    number = _number("plays, seat", seat, last)
    return GoSaid(number) if what == "go" else CardPlayed(number, _card("plays", what))


def _past(text: str, rules: Rules) -> PlayedDeal:
    last = rules.players - 1
    dealer, starter, plays = text.split("/") if text.count("/") == 2 else ("", "", "")
    played = [_play(word, last) for word in plays.split(",")] if plays else []
    cards = tuple(Played(one.seat, one.card) for one in played if isinstance(one, CardPlayed))
    if len(cards) != rules.players * rules.sizes.hand or len(cards) != len(played):
        raise LineError(
            f"past {shown(text)}: write DEALER/STARTER/PLAYS, with every card of the play and no go"
        )
    return PlayedDeal(_number("past, dealer", dealer, last), _card("past", starter), cards)


# --- go, and its response ---------------------------------------------------------------------------


def write_go(request: GoRequest) -> str:
    fields = {"movetime": request.movetime, "multi": request.multi}
    return " ".join(["go", *(f"{name} {value}" for name, value in fields.items() if value is not None)])


def read_go(words: Sequence[str]) -> GoRequest:
    """Parse the words after `go`.

    Raises:
        LineError: If they are not a time limit and a number of choices.
    """
    fields = _fields(words, ("movetime", "multi"))
    return GoRequest(**{name: _number(name, text, MOST) for name, (text,) in fields.items()})


def write_info(info: Info) -> str:
    """Return an `info` line: the worth of one choice.

    >>> write_info(Info((Card.parse("6C"),), 0.531, 1.2))
    'info move 6C win 0.531 points +1.20'
    """
    win = "" if info.win is None else f" win {info.win:.3f}"
    return f"info move {_written(info.cards)}{win} points {info.points:+.2f}"


def write_bestmove(cards: Iterable[Card]) -> str:
    return f"bestmove {_written(cards)}"


def read_bestmove(words: Sequence[str]) -> tuple[Card, ...]:
    """Parse the words after `bestmove`; `write_bestmove` is the inverse.

    Raises:
        LineError: If they are not one word of cards.
    """
    if len(words) != 1:
        raise LineError("bestmove: write the cards with commas between them, such as 5H,KH")
    return _cards("bestmove", words[0])
