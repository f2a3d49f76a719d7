"""JSON that only a page needs: choices, and everything that it draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar, cast

from cribpi.companion.entry.choice import Choice
from cribpi.companion.entry.debounce import holds_of
from cribpi.companion.entry.input_state import Undone, Why
from cribpi.companion.entry.view import TableView, likely_keys
from cribpi.companion.kit import HolePosition, Kit
from cribpi.companion.table.faults import Faults
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.views.lights.frame import SIDE_COLOURS
from cribpi.companion.views.lights.motion import par_now
from cribpi.companion.web.json.results import result_json, tally
from cribpi.companion.web.json.rules import values_json
from cribpi.companion.web.json.state import cards_json, log_json
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import in_order
from cribpi.cribbage.game.deal import Deal, Played
from cribpi.cribbage.game.events import CribShown, Entry, Event, HandShown
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.state import Phase, State, the_deal
from cribpi.cribbage.words.levels import title_of
from cribpi.cribbage.words.why import reasons_of

if TYPE_CHECKING:
    from cribpi.companion.web.json import setup_types, table_types

T = TypeVar("T")


def page_json(
    now: Snapshot, offer: Callable[[], tuple[Choice, ...]], faults: Faults, troubles: Mapping[str, str]
) -> table_types.Page:
    """Return the JSON of ``GET /api/page``. *offer* returns the choices.

    A part that fails is logged by *faults* and left empty. *troubles* are faults of other components.
    """

    def part(name: str, make: Callable[[], T], empty: T) -> T:
        return faults.guarded(f"page ({name})", now, make, lambda _error: empty)

    state, view = now.state, now.view
    offered = faults.guarded("page (choices)", now, offer, lambda _error: ())
    return {
        "seq": now.seq,
        "choices": part("buttons", lambda: choices_json(offered, state), []),
        "keys": part("keys", lambda: list(likely_keys(offered, now.pad)), []),
        "sides": part("sides", lambda: view.side_keys, {}),
        "table": part("table", lambda: table_json(view), NO_TABLE),
        "pairing": part("pairing", lambda: pairing_json(view), None),
        "result": part("result", lambda: result_json(state), None),
        "log": part("log", lambda: log_json(view.log), []),
        "shower": part("shower", lambda: shower(state), None),
        "hand": part("hand", lambda: hand_json(view, offered), None),
        "thinking": part("thinking", lambda: view.machine, None),
        "counted": part("counted", lambda: counted_json(state), None),
        "felt": part("felt", lambda: cards_on_table_json(view, offered), None),
        "amounts": part("amounts", lambda: list(amount_keys(offered)), []),
        "carry": part("carry", lambda: carry_json(now, is_keypad=bool(offered)), NO_CARRY),
        "number": part("number", lambda: number_json(view) if offered else None, None),
        "names": part("names", lambda: list(view.names), []),
        "ghosts": part("ghosts", lambda: list(par_now(state, now.context)), []),
        "settings": part("settings", lambda: values_json(now.context), {}),
        "trouble": list(dict.fromkeys(troubles.values())),
    }


NO_TABLE: Final[table_types.TableOf] = {
    "asks": "",
    "dialog": None,
    "line": None,
    "why": [],
    "by_itself": False,
    "deal": None,
    "levels": [],
    "counts": [],
    "shown": [],
    "size": 0,
    "suits": [],
}
"""Fallback if `table_json` fails."""


def table_json(view: TableView) -> table_types.TableOf:
    """Return the table and the open dialog.

    - `prompt`: the prompt, without keys
    - `dialog`: the open dialog's name; `line` is the index of its selected line, if it has lines
    - `why`: the rules behind the last event, if the dialog shows them
    - `by_itself`: whether the next step is automatic, so that no key should be pressed
    - `counts`: the cards played in this deal, count by count
    - `shown`: the known cards of the hand or crib being counted, in a game with real cards
    - `size`: the number of cards in a hand, or in the crib while that is counted
    - `suits`: the points that a flush or his nobs may add
    """
    state, input_state = view.state, view.input_state
    deal = state.deal
    show = view.show if state.is_show and state.entry is Entry.CARDS else None
    return {
        "asks": view.scene.prompt,
        "dialog": type(input_state.dialog).__name__ if input_state.dialog else None,
        "line": getattr(input_state.dialog, "line", None),
        "why": [one.as_json() for one in reasons_of(state)] if isinstance(input_state.dialog, Why) else [],
        "by_itself": view.plays_itself,
        "deal": deal.number if deal else None,
        "levels": [title_of(seat.level) if seat.level else None for seat in view.seats],
        "counts": [
            [{"card": str(play.card), "seat": play.seat, "pips": play.card.rank.pips} for play in count]
            for count in (counts_of(deal) if deal else ())
        ],
        "shown": cards_json(show.cards) if show else [],
        "size": state.rules.sizes.counted(is_crib=state.phase is Phase.CRIB),
        "suits": [cast("table_types.SuitClaim", claim._asdict()) for claim in show.suits] if show else [],
    }


def counts_of(deal: Deal) -> tuple[tuple[Played, ...], ...]:
    """Return the cards of each count of *deal*, in the order played. The last count may be unfinished."""
    plays = iter(deal.plays)
    sizes = (*deal.closed, len(deal.pile)) if deal.pile else deal.closed
    return tuple(tuple(islice(plays, size)) for size in sizes)


NO_CARRY: Final[table_types.Carry] = {"keys": {}, "shows": [], "says": ""}
"""Fallback if `carry_json` fails."""


def carry_json(now: Snapshot, *, is_keypad: bool) -> table_types.Carry:
    """Return the cards whose press implies further steps, such as pegging the previous show.

    `keys` has the presses and a label by rank. `shows` are the hands and the crib that are pegged first.
    `says` is the same as a sentence.

    Keys and sentence are only for clients that press for all seats. A phone with a seat pegs only for itself,
    and gets them only in points mode.
    """
    keys, shows, says = now.implied_presses
    may = is_keypad and (now.viewer is None or now.state.entry is Entry.PEG)
    return {
        "keys": {key: {"presses": list(one.presses), "label": one.label} for key, one in keys.items()}
        if may
        else {},
        "shows": [
            {
                "seat": one.seat,
                "crib": one.crib,
                "cards": cards_json(in_order(one.cards)),
                "points": one.points,
            }
            for one in shows
        ],
        "says": says if may else "",
    }


def number_json(view: TableView) -> table_types.NumberAsked | None:
    """Return the number being entered, and whether keys can step it. None if no number is being entered."""
    number = view.scene.number
    return None if number is None else {"value": number.value, "steps": number.moved is not None}


def pairing_json(view: TableView) -> table_types.Pairing | None:
    """Return the pairing whose game OK would start, or None."""
    return None if view.pairing is None else cast("table_types.Pairing", asdict(view.pairing))


def hand_json(view: TableView, offered: Sequence[Choice]) -> table_types.Hand | None:
    """Return the hand that is open for its player, or None.

    No other part of the JSON may contain a card that is secret from other players.
    """
    hand = view.hand
    if hand is None:
        return None
    keys, cards = {choice.key for choice in offered}, cards_json(hand.cards)
    return {
        "seat": hand.seat,
        "cards": cards,
        "chosen": cards_json(hand.chosen),
        "playable": [card for card in cards if card in keys] if hand.is_asked else [],
        "wanted": hand.wanted if hand.is_asked else 0,
        "may_hint": "FLNB" in keys if view.viewer is not None else hand.may_hint,
        "hint": {"words": hand.hint.words or None, "cards": list(hand.hint.cards)} if hand.hint else None,
    }


def cards_on_table_json(view: TableView, offered: Sequence[Choice]) -> table_types.Felt | None:
    """Return the cards as all players see them, or None if players deal real cards.

    - `held`: the number of cards in each hand
    - `crib`: the number of cards face down in the crib
    - `hides`: the person whose closed hand OK opens
    - `shown`: the hand or crib being shown
    - `ok`: the label of OK among the *offered* choices; None if it has none, or a dialog is open
    """
    state, deal = view.state, view.state.deal
    if state.entry is not Entry.DEALT or state.phase is Phase.IDLE:
        return None
    has_dialog = not isinstance(view.input_state.dialog, Undone | None)
    labels = {} if has_dialog else {choice.key: choice.label for choice in offered}
    hidden = (*deal.discards, deal.from_pack) if deal and state.phase is not Phase.CRIB else ()
    cuts = state.cuts if state.phase is Phase.CUT else ()
    return {
        "held": [seat.cards_left for seat in view.seats],
        "crib": sum(map(len, hidden)),
        "cuts": [None if card is None else str(card) for card in cuts],
        "hides": None if view.hand is not None and view.hand.is_asked else view.awaited.here,
        "shown": _shown_json(view, deal) if deal else None,
        "ok": labels.get("OK"),
        "dialog": has_dialog,
    }


def _shown_json(view: TableView, deal: Deal) -> table_types.Shown | None:
    """Return the hand or crib being shown, or None. Its tally is empty if the player has to count it."""
    state, scores = view.state, view.show.scores if view.state.is_show else None
    main = state.outcomes[0] if state.outcomes else None
    if state.is_show:
        is_crib = state.phase is Phase.CRIB
    elif state.winner is not None and main is not None and isinstance(main.event, HandShown | CribShown):
        is_crib, scores = main.purpose is Purpose.CRIB, main.scores
    else:
        return None
    return {
        "seat": deal.shower,
        "crib": is_crib,
        "cards": cards_json(in_order(deal.crib if is_crib else deal.hand(deal.shower))),
        "points": None if scores is None else total(scores),
        "tally": [] if scores is None else tally(scores, state.rules, is_crib=is_crib),
    }


def counted_json(state: State) -> table_types.OwnCount | None:
    """Return the show that a player has just counted, with its cards and true points, or None.

    `missed` are the points that the player missed, in total and in each line of the tally. `to` is the side
    that automatically gets them by muggins, or None.
    """
    counted, *more = state.outcomes or (None,)
    if counted is None or counted.counted_by_player is None:
        return None
    show = state.ledger[counted.deal].shows[-1]
    return {
        "seat": show.seat,
        "crib": show.is_crib,
        "cards": cards_json(in_order(show.cards)),
        "starter": str(show.starter),
        "claimed": counted.counted_by_player,
        "points": show.points,
        "pegged": counted.points,
        "missed": counted.missed,
        "to": more[0].side if more else None,
        "tally": [
            {**line, "missed": missed}
            for line, missed in zip(
                tally(counted.scores, state.rules, is_crib=show.is_crib),
                missed_of([score.points for score in counted.scores], counted.counted_by_player),
                strict=True,
            )
        ],
    }


def missed_of(lines: Sequence[int], claimed: int) -> list[int]:
    """Return the points missed in each of the *lines* of a count, of which the player *claimed* only some.

    Some lines that add up to the claim are taken as those counted, as near the top as possible. If no lines
    do, points are taken from the top, line by line.

    >>> missed_of([2, 2, 2, 3], 2), missed_of([2, 2, 2, 3], 7), missed_of([2, 2, 3], 1)
    ([0, 2, 2, 3], [0, 0, 2, 0], [1, 2, 3])
    """
    sums = [{0}]
    for points in reversed(lines):
        sums.append(sums[-1] | {points + below for below in sums[-1]})
    adds_up = claimed in sums.pop()
    rest, missed = claimed, []
    for points in lines:
        own = min(points, rest)
        if adds_up and rest - points not in sums.pop():
            own = 0
        rest -= own
        missed.append(points - own)
    return missed


def choices_json(offered: Sequence[Choice], state: State) -> list[table_types.Choice]:
    """Return the *offered* choices in order. `side` is the side whose points a choice pegs or corrects."""
    return [
        {
            "key": choice.key,
            "name": choice.name,
            "label": choice.label,
            "short": choice.short,
            "likely": choice.is_likely,
            "takes_suit": choice.takes_suit,
            "side": side_of(choice.effect.event, state),
        }
        for choice in offered
    ]


def amount_keys(offered: Sequence[Choice]) -> tuple[str, ...]:
    """Return the keys that change an amount: ranks, or a joystick's up and down."""
    return tuple(choice.key for choice in offered if choice.is_amount)


def side_of(event: Event | None, state: State) -> int | None:
    """Return the side whose points *event* pegs or corrects, otherwise None."""
    match event:
        case (
            events.PointsPegged(side)
            | events.PenaltyPegged(side)
            | events.ScorePutRight(side)
            | events.MugginsCalled(side)
            | events.FalseWinRuled(side)
        ):
            return side
        case events.HandShown() | events.HandCounted() | events.CribShown():
            return state.side(the_deal(state).shower)
        case _:
            return None


def shower(state: State) -> int | None:
    """Return the seat whose hand or crib is being shown, or None outside the show."""
    return the_deal(state).shower if state.is_show else None


def kit_json(kit: Kit) -> setup_types.Kit:
    """Return the data for drawing *kit*: board and holes in millimetres, and the keypad row by row."""
    return {
        "name": kit.name,
        "board": {"width": kit.board.width, "height": kit.board.height},
        "tracks": [
            {
                "sides": track.sides,
                "holes": list(map(_hole_json, track.holes)),
                "games": [
                    {"sides": row.sides, "holes": list(map(_hole_json, row.holes))} for row in track.games
                ],
            }
            for track in kit.tracks
        ],
        "keys": kit.keypad.keys,
        "caps": dict(kit.keypad.caps),
        "sides": dict(kit.keypad.sides),
        "holds": {
            hold.button: {"key": hold.key, "seconds": hold.seconds} for hold in holds_of(kit.keypad.holds)
        },
        "leds": kit.strip.leds,
        "colours": SIDE_COLOURS,
    }


def _hole_json(at: HolePosition) -> setup_types.Hole:
    return {"hole": at.hole, "led": at.led, "x": at.x, "y": at.y}


def strip_json(colours: bytes) -> table_types.Strip:
    """Return the number of LEDs, and each lit LED as index, red, green and blue.

    >>> strip_json(bytes([0, 0, 0, 255, 96, 0]))
    {'leds': 2, 'lit': [(1, 255, 96, 0)]}
    """
    leds = enumerate(zip(colours[::3], colours[1::3], colours[2::3], strict=True))
    return {"leds": len(colours) // 3, "lit": [(index, *led) for index, led in leds if any(led)]}
