"""Keys while something is open: a menu, a question, a hand that is counted.

A rank key picks a line, P1 and P2 (or LEFT and RIGHT) change it, OK accepts, UNDO leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from cribpi.core import seats
from cribpi.core.cards import Card, check_possible
from cribpi.core.errors import NotHeld, RuleError
from cribpi.core.events import (
    DealerChosen,
    Entry,
    GoSaid,
    HandCounted,
    Misdealt,
    NewCountLed,
)
from cribpi.core.game import next_game
from cribpi.core.options import BY_NAME, written
from cribpi.core.presets import find_preset, preset
from cribpi.core.rules import PRESETS, TARGETS
from cribpi.core.scores import Kind, Score, total
from cribpi.core.show import Claim, score_claimed
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps.show import claims_of
from cribpi.core.why import reasons_of
from cribpi.core.words import name
from cribpi.entry import by_cards, by_points, corrections, texts
from cribpi.entry.by_points import scored_events
from cribpi.entry.choice import Offer, Place, Scene, attempt, per_card, scene
from cribpi.entry.desk import (
    LEVELS,
    SPEEDS,
    Correct,
    CountHand,
    Desk,
    EndMatch,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    Question,
    Setup,
    Undone,
    Why,
)
from cribpi.entry.keys import SIDES, card_of
from cribpi.entry.lines import line_offers, wanted_of_lines
from cribpi.entry.reply import Move, Reply, WrongKey


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the menu, and what OK makes of it."""

    text: texts.Text
    reply: Reply


def dialog_scene(place: Place) -> Scene:
    """Take a key while a dialog is open."""
    match place.desk.dialog:
        case Question(card):
            return _question(place, Card.parse(card))
        case NewGame() as dialog:
            return _new_game(place, dialog)
        case EndMatch() as dialog:
            return _end_match(place, dialog)
        case Menu() as dialog:
            return _menu(place, dialog)
        case Correct() as dialog:
            return corrections.correct(place, dialog)
        case FalseWin() as dialog:
            return corrections.false_win(place, dialog)
        case Why() as dialog:
            return _why(place, dialog)
        case MatchSoFar():
            return _match(place)
        case CountHand() as dialog:
            return _count(place, dialog)
        case Undone() | None:
            return scene((), "nothing is open")


# --- the question past thirty-one -------------------------------------------------------------------


def _question(place: Place, card: Card) -> Scene:
    state, clear = place.state, place.desk.cleared()
    deal = state.deal
    wanted = f"a slip, or a new count with the {card}? OK says all said go, UNDO says slip"
    if deal is None or deal.turn is None:
        return scene(
            (Offer("OK", texts.CLOSE, Reply(clear)), Offer("UNDO", texts.CLOSE, Reply(clear))), wanted
        )
    lead = leader(state)
    meant = by_cards.deal_to_crib(replace(place, desk=replace(place.desk, dialog=None)))
    offers = (
        Offer(
            "OK", texts.NEW_COUNT.of(name=state.names[lead], card=card), Reply(clear, NewCountLed(lead, card))
        ),
        Offer("UNDO", texts.WRONG_KEY, Reply(clear)),
        Offer("GO", texts.SAYS_GO.of(name=state.names[deal.turn]), Reply(clear, GoSaid(deal.turn))),
        *(offer.unlikely() for offer in meant.offers if card_of(offer.key) is not None),
    )
    return scene(offers, wanted, takes_ranks=True)


def leader(state: State) -> int:
    """Return the seat that would lead the next count, if all said go now; the turn's where that is unclear."""
    deal = state.deal
    if deal is None:
        return 0
    if state.rules.lead_after_close == "first-go":
        seat = deal.out[0] if deal.out else deal.turn
    else:
        seat = deal.next_to_lead()
    return 0 if seat is None else seat


# --- the new game -----------------------------------------------------------------------------------

T = TypeVar("T")

_MATCH_LINES: Final = ("match", "stake")


def new_game_lines(setup: Setup) -> tuple[str, ...]:
    """Return the lines of the new-game menu: fields of *setup*, and where the machine deals, seats by number.

    >>> new_game_lines(Setup())
    ('players', 'target', 'entry', 'rules', 'match', 'stake', 'renege')
    >>> new_game_lines(Setup(entry="dealt"))
    ('players', 'target', 'entry', 'rules', '0', '1', 'speed', 'match', 'stake')
    """
    lines = ("players", "target", "entry", "rules")
    if setup.entry == Entry.DEALT:  # the machine lets nobody say go who can play
        return (*lines, *map(str, range(setup.players)), "speed", *_MATCH_LINES)
    return (*lines, *_MATCH_LINES, "renege")


def field_of(line: str, setup: Setup) -> tuple[str, str]:
    """Return what a line of the new-game menu is called, and what is set up there."""
    match line:
        case "players" | "target" | "speed":
            value = str(getattr(setup, line))
        case "entry":
            value = texts.ENTRIES[setup.entry]
        case "rules":
            value = f"{setup.rules}*" if setup.options else setup.rules
        case "match" | "stake" | "renege":
            value = written(getattr(setup.house(), line))
        case _:
            seat = int(line)
            return setup.seat_names()[seat], setup.seat_levels()[seat] or texts.A_PERSON
    return texts.FIELDS[line], value


def ends_match(state: State) -> bool:
    """Tell whether a new game from the menu would end a match in which a game was won already."""
    return any(state.games) and state.phase is not Phase.MATCH_OVER


def _end_match(place: Place, dialog: EndMatch) -> Scene:
    desk, back = place.desk, place.opened(NewGame(dialog.line))
    offers = (
        Offer("OK", texts.START, Reply(desk.cleared(), desk.setup.event())),
        Offer("UNDO", texts.BACK, back),
        Offer("MENU", texts.BACK, back).unlikely(),
    )
    return scene(offers, "a new game ends the match so far: OK begins it, UNDO goes back to the menu")


def _new_game(place: Place, dialog: NewGame) -> Scene:
    desk = place.desk
    lines = new_game_lines(desk.setup)
    at = min(dialog.line, len(lines) - 1)

    def changed(step: int) -> Reply | RuleError:
        if lines[at] == "entry" and not place.pad.has_ranks:
            return WrongKey("by points only: this kit has no keys for the ranks, which a game by cards needs")
        return Reply(replace(desk, setup=_change(desk.setup, lines[at], step)))

    ends = ends_match(place.state)
    begin = place.opened(EndMatch(dialog.line)) if ends else Reply(desk.cleared(), desk.setup.event())
    offers = [
        Offer("OK", texts.START, begin),
        *line_offers(place, at, [": ".join(field_of(line, desk.setup)) for line in lines], NewGame),
        Offer("P1", texts.CHANGE_BACK.of(what=field_of(lines[at], desk.setup)[0]), changed(-1)),
        Offer("P2", texts.CHANGE_ON.of(what=field_of(lines[at], desk.setup)[0]), changed(1)),
        Offer("UNDO", texts.CANCEL, place.opened(None)).unlikely(),
    ]
    return scene(offers, wanted_of_lines(len(lines)))


def _change(setup: Setup, line: str, step: int) -> Setup:
    match line:
        case "players":
            known = find_preset(setup.rules).players
            return replace(setup, players=_turn(known, setup.players, step)).without_misfits()
        case "target":
            house = dict(setup.house_options).get("target", "121") if setup.rules == setup.house_of else "121"
            targets = sorted({*TARGETS, setup.target, int(house)}, reverse=True)
            return replace(setup, target=_turn(targets, setup.target, step))
        case "rules":
            return setup.with_preset(_turn(PRESETS, setup.rules, step))
        case "entry":
            return replace(setup, entry=_turn([str(entry) for entry in Entry], setup.entry, step))
        case "speed":
            return replace(setup, speed=_turn(SPEEDS, setup.speed, step))
        case "match" | "stake" | "renege":
            now = written(getattr(setup.house(), line))
            return setup.with_option(line, _turn(_values(line, setup, now), now, step))
        case _:
            levels, seat = list(setup.seat_levels()), int(line)
            levels[seat] = _turn(LEVELS, levels[seat].removesuffix("-errs"), step)
            return replace(setup, levels=tuple(levels))


def _values(option: str, setup: Setup, now: str) -> tuple[str, ...]:
    """Return what a line of the menu offers for an *option*: its values, that of the rules, and what is set up *now*."""
    own = written(getattr(preset(setup.rules, setup.players), option))
    return tuple(dict.fromkeys((*BY_NAME[option].values, own, now)))


def _turn(choices: Sequence[T], now: T, step: int) -> T:
    return choices[(choices.index(now) + step) % len(choices)]


# --- the menu ---------------------------------------------------------------------------------------


def items(state: State, desk: Desk) -> tuple[Item, ...]:
    """Return what the menu lists where the game stands at *state*."""
    closed = desk.cleared()
    found = []
    if desk.typed and by_points.only_side(state) is None and state.sides > len(SIDES[:2]):
        found += [
            Item(
                texts.PEGS.of(points=desk.amount, name=side_name(state, side)),
                Reply(closed, by_points.pegged(desk, side)),
            )
            for side in reversed(by_points.takers(state, desk))
        ]
    if state.entry is Entry.PEG and state.phase is Phase.PLAY:
        found += [
            Item(
                _scored(kind, points),
                Reply(replace(closed, typed=(points,), kind=str(kind))),
            )
            for kind, points in scored_events(state.rules)
        ]
    if state.phase is Phase.CUT and state.rules.first_dealer != "random":
        found += [
            Item(texts.DEALS_FIRST_LINE.of(name=state.names[seat]), Reply(closed, DealerChosen(seat)))
            for seat in range(state.players)
        ]
    if state.phase is not Phase.IDLE and state.winner is None:
        found += [
            Item(
                texts.CORRECT_LINE.of(name=side_name(state, side)),
                Reply(replace(closed, dialog=corrections.open_for(state, side))),
            )
            for side in range(state.sides)
        ]
    if state.deal is not None and state.winner is None:
        found.append(Item(texts.MISDEAL, Reply(closed, Misdealt())))
    if state.winner is not None:
        false = FalseWin(state.winner, state.pegs[state.winner].back)
        found.append(
            Item(texts.NOT_WON.of(name=side_name(state, state.winner)), Reply(replace(closed, dialog=false)))
        )
    if state.phase is not Phase.IDLE:
        found.append(Item(texts.WHY, Reply(replace(closed, dialog=Why()))))
        found.append(Item(texts.MATCH_SO_FAR, Reply(replace(closed, dialog=MatchSoFar()))))
    found.append(Item(texts.NEW_GAME_LINE, Reply(replace(closed, dialog=NewGame()))))
    found.append(Item(texts.REDO_LINE, Reply(closed, move=Move.REDO)))
    return tuple(found)


def _scored(kind: Kind, points: int) -> texts.Text:
    """Name a scored event of the play with its points."""
    what = name(Score(kind, points, ())).removeprefix("a ")
    return texts.SCORED.of(what=what, brief=what.replace("double pair", "double"), points=points)


def _menu(place: Place, dialog: Menu) -> Scene:
    listed = items(place.state, place.desk)
    at = dialog.line % len(listed)
    names = [item.text.long for item in listed]
    is_stick = not place.pad.has_ranks
    steps = [("P1", texts.PREVIOUS, at - 1), ("P2", texts.NEXT, at + 1)]
    moves = [
        Offer(key, text, place.opened(Menu(line % len(listed))), is_likely=not is_stick)
        for key, text, line in steps
    ]
    picks = line_offers(place, at, names, Menu)
    offers = [
        Offer("OK", listed[at].text, listed[at].reply),
        *moves,
        *(offer if is_stick else offer.unlikely() for offer in picks),
        Offer("UNDO", texts.CLOSE, place.opened(None)),
        Offer("MENU", texts.CLOSE, place.opened(None)).unlikely(),
    ]
    return scene(offers, wanted_of_lines(len(listed)))


# --- why, and the match -----------------------------------------------------------------------------


def _why(place: Place, dialog: Why) -> Scene:
    said = [reason.text for reason in reasons_of(place.state)]
    number, is_stick = max(len(said), 1), not place.pad.has_ranks
    is_likely = len(said) > 1 and not is_stick
    offers = [
        Offer("OK", texts.GO_ON, place.opened(None)),
        Offer("P1", texts.PREVIOUS, place.opened(Why((dialog.line - 1) % number)), is_likely=is_likely),
        Offer("P2", texts.NEXT, place.opened(Why((dialog.line + 1) % number)), is_likely=is_likely),
        *(line_offers(place, dialog.line, said, Why) if said else ()),
        *(Offer(key, texts.CLOSE, place.opened(None)).unlikely() for key in ("UNDO", "MENU")),
    ]
    ranks = [
        offer
        if offer.key in {"OK", "P1", "P2"} or (is_stick and offer.key in {"UP", "DOWN"})
        else offer.unlikely()
        for offer in offers
    ]
    return scene(ranks, wanted_of_lines(len(said)))


def _match(place: Place) -> Scene:
    closed = place.opened(None)
    is_over = place.state.phase is Phase.MATCH_OVER
    goes_on = (
        Offer("OK", texts.NEXT_MATCH, Reply(place.desk.cleared(), next_game(place.state)))
        if is_over
        else Offer("OK", texts.GO_ON, closed)
    )
    others = (Offer(key, texts.CLOSE, closed).unlikely() for key in ("UNDO", "MENU"))
    return scene((goes_on, *others), "the match so far: OK goes on")


# --- counting a hand --------------------------------------------------------------------------------


def counted(state: State, dialog: CountHand) -> tuple[tuple[Card, ...], Card | None, tuple[Claim, ...]]:
    """Return the hand that is being counted, the starter where it is known, and the possible claims.

    There are claims once four cards and the starter are there.
    """
    cards = tuple(Card.parse(card) for card in dialog.cards)
    hand = cards[: seats.HAND]
    starter = state.deal.starter if state.deal and state.deal.starter else None
    if starter is None and len(cards) > seats.HAND:
        starter = cards[seats.HAND]
    if len(hand) < seats.HAND or starter is None:
        return hand, starter, ()
    return hand, starter, claims_of(state, hand, starter)


def counted_claim(
    dialog: CountHand, hand: tuple[Card, ...], starter: Card, claims: tuple[Claim, ...]
) -> Claim:
    """Return the claim that FLNB has chosen; until then the one that the count speaks of, or else the least."""
    if dialog.claimed is None or dialog.claim:
        return claims[dialog.claim % len(claims)]
    return by_cards.meant_claim(hand, starter, claims, dialog.claimed)


def _count(place: Place, dialog: CountHand) -> Scene:
    state, desk = place.state, place.desk
    hand, starter, claims = counted(state, dialog)
    fewer = replace(dialog, cards=dialog.cards[:-1], claim=0) if dialog.cards else None
    leave = Offer("UNDO", texts.TAKE_BACK if dialog.cards else texts.CLOSE, place.opened(fewer))
    if not claims or starter is None or state.deal is None:
        known = (*hand, *((starter,) if starter else ()))

        def more(card: Card) -> Reply:
            check_possible((*known, card))
            return place.opened(replace(dialog, cards=(*dialog.cards, str(card)), claim=0))

        cards = per_card(place, texts.COUNT_CARD, lambda card: attempt(lambda: more(card)))
        missing = seats.HAND - len(hand)
        wanted = f"{missing} more of the four cards" if missing else "the starter"
        return scene((*cards, leave.unlikely()), f"press {wanted}; UNDO leaves", takes_ranks=True)
    claim = counted_claim(dialog, hand, starter, claims)
    points = total(score_claimed(hand, starter, claim))
    event = HandCounted(state.deal.shower, hand, starter, claim, dialog.claimed)

    def other_claim() -> Reply:
        return place.opened(replace(dialog, claim=by_cards.next_claim(claims, dialog.claim)))

    full = NotHeld("all the cards are there: OK pegs them, UNDO takes the last one back")
    offers = [
        Offer("OK", texts.PEG.of(points=points), Reply(desk.cleared(), event)),
        Offer("FLNB", texts.SUITS, attempt(other_claim), is_likely=len(claims) > 1),
        leave,
        *(offer.unlikely() for offer in per_card(place, texts.COUNT_CARD, lambda _card: full)),
    ]
    return scene(offers, "OK pegs the hand, UNDO takes a card back", takes_ranks=True)
