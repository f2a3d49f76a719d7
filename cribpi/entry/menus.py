"""Keys while something is open: a menu, a question, a hand that is counted.

A rank key picks a line, P1 and P2 (or LEFT and RIGHT) change it, OK accepts, UNDO leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from cribpi.core import seats
from cribpi.core.cards import Card, check_possible
from cribpi.core.deal import Deal
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
from cribpi.core.levels import CARELESS, title_of
from cribpi.core.rules import BY_NAME, PRESETS, TARGETS, find_preset, preset, written
from cribpi.core.rules.cite import NEVER_NAMED, SILENT, Reason
from cribpi.core.scores import Kind, Score, total
from cribpi.core.show import Claim, score_claimed
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps.show import claims_of
from cribpi.core.why import reasons_of
from cribpi.core.words import name, number
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
from cribpi.entry.lines import how_to_change, line_offers
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
            return scene("", ())


# --- the question past thirty-one -------------------------------------------------------------------


def _question(place: Place, card: Card) -> Scene:
    state, clear = place.state, place.desk.cleared()
    deal = state.deal
    if deal is None or deal.turn is None:
        return scene("", (Offer("OK", texts.CLOSE, Reply(clear)), Offer("UNDO", texts.CLOSE, Reply(clear))))
    lead = leader(state)
    new_count = Reply(clear, NewCountLed(lead, card))
    meant = by_cards.deal_to_crib(replace(place, desk=replace(place.desk, dialog=None)))
    offers = (
        Offer("OK", texts.NEW_COUNT.of(name=state.names[lead], card=card), new_count),
        Offer("UNDO", texts.WRONG_KEY, Reply(clear)),
        Offer("GO", texts.SAYS_GO.of(name=state.names[deal.turn]), Reply(clear, GoSaid(deal.turn))),
        *(offer.unlikely() for offer in meant.offers if card_of(offer.key) is not None),
    )
    return scene(over_31(deal, card), offers, takes_ranks=True)


def over_31(deal: Deal, card: Card) -> str:
    """Say that *card* passes thirty-one."""
    pips = card.rank.pips
    return f"{deal.count} + {pips} = {deal.count + pips}, over 31"


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
            value = texts.ENTRIES[setup.entry].long
        case "rules":
            value = f"{setup.rules}*" if setup.options else setup.rules
        case "match" | "stake" | "renege":
            value = written(getattr(setup.house(), line))
        case _:
            seat = int(line)
            return setup.seat_names()[seat], _sits(setup.seat_levels()[seat])
    return texts.FIELDS[line], value


def _sits(level: str) -> str:
    """Say who sits in a seat."""
    return title_of(level) if level else texts.A_PERSON


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
    return scene(f"A new game ends this match. {match_so_far(place.state)}", offers)


def _new_game(place: Place, dialog: NewGame) -> Scene:
    state, desk, say = place.state, place.desk, place.pad.named
    lines = new_game_lines(desk.setup)
    at = min(dialog.line, len(lines) - 1)
    fields = [field_of(line, desk.setup) for line in lines]

    def changed(step: int) -> Reply | RuleError:
        if lines[at] == "entry" and not place.pad.has_ranks:
            return WrongKey("By points only: this kit has no keys for the ranks, which a game by cards needs")
        return Reply(replace(desk, setup=_change(desk.setup, lines[at], step)))

    ends = ends_match(state)
    begin = place.opened(EndMatch(dialog.line)) if ends else Reply(desk.cleared(), desk.setup.event())
    offers = [
        Offer("OK", texts.START, begin),
        *line_offers(place, at, [": ".join(field) for field in fields], NewGame),
        Offer("P1", texts.CHANGE_BACK.of(what=fields[at][0]), changed(-1)),
        Offer("P2", texts.CHANGE_ON.of(what=fields[at][0]), changed(1)),
        Offer("UNDO", texts.CANCEL, place.opened(None)).unlikely(),
    ]
    back = f", {say('UNDO')} goes back to the game" if state.pegs and state.winner is None else ""
    how = f"{say('OK')}: Start. {how_to_change(place.pad)}{back}"
    return scene(f"New game: {described(desk.setup)}", offers, how=how)


def described(setup: Setup) -> str:
    """Say what the next game will be."""
    house = ", changed by the house" if setup.options else ""
    by = "" if setup.rules == "standard" and not house else f" by {setup.rules}{house}"
    what = f"{number(setup.players)} players to {setup.target}{by}, {texts.ENTRIES[setup.entry].long}"
    if setup.entry != Entry.DEALT:
        return what
    seated = zip(setup.seat_names(), setup.seat_levels(), strict=True)
    return f"{what}: " + ", ".join(f"{name} {_sits(level)}" for name, level in seated)


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
            levels[seat] = _turn(LEVELS, levels[seat].removesuffix(CARELESS), step)
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
    say = place.pad.named
    down, up = ("UP", "DOWN") if is_stick else ("P1", "P2")
    how = f"{say('OK')} selects, {say(down)} and {say(up)} move, {say('UNDO')} closes"
    return scene(f"Menu, {at + 1} of {len(listed)}: {names[at]}", offers, how=how)


# --- why, and the match -----------------------------------------------------------------------------


def _why(place: Place, dialog: Why) -> Scene:
    reasons, is_stick = reasons_of(place.state), not place.pad.has_ranks
    lines, closed = max(len(reasons), 1), place.opened(None)
    steps = (("P1", texts.PREVIOUS, dialog.line - 1), ("P2", texts.NEXT, dialog.line + 1))
    moves = (Offer(key, text, place.opened(Why(line % lines))) for key, text, line in steps)
    picks = line_offers(place, dialog.line, [reason.text for reason in reasons], Why) if reasons else ()
    likely = {"OK", *(("UP", "DOWN") if is_stick else ("P1", "P2"))} if len(reasons) > 1 else {"OK"}
    offers = (
        Offer("OK", texts.GO_ON, closed),
        *moves,
        *picks,
        *(Offer(key, texts.CLOSE, closed) for key in ("UNDO", "MENU")),
    )
    reason = reasons[dialog.line % lines]
    return scene(
        f"{reason.text} {cited(reason)}",
        (offer if offer.key in likely else offer.unlikely() for offer in offers),
    )


def cited(reason: Reason) -> str:
    """Say whose rule it is, in the source's own words where it has any."""
    if not reason.words:
        return f"{reason.source}: no source says so"
    said = reason.words if reason.words in {SILENT, NEVER_NAMED} else f'"{reason.words}"'
    return f"{reason.source}: {said}"


def match_so_far(state: State) -> str:
    """Say what each side has won, and who has won the match."""
    said = ", ".join(
        f"{side_name(state, side)} {tally.games} ({tally.points} points, {tally.spread:+})"
        for side, tally in enumerate(state.standing)
    )
    winners = state.match_winners
    if len(winners) == 1:
        return f"{side_name(state, winners[0])} wins the match: {said}"
    return f"{'The match is drawn' if winners else 'The match so far'}: {said}"


def _match(place: Place) -> Scene:
    closed, state = place.opened(None), place.state
    is_over = state.phase is Phase.MATCH_OVER
    goes_on = (
        Offer("OK", texts.NEXT_MATCH, Reply(place.desk.cleared(), next_game(state)))
        if is_over
        else Offer("OK", texts.GO_ON, closed)
    )
    others = (Offer(key, texts.CLOSE, closed).unlikely() for key in ("UNDO", "MENU"))
    return scene(match_so_far(state), (goes_on, *others))


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
        asks = f"press its cards, {missing} to come" if missing else "now the starter"
        return scene(f"Count a hand: {asks}", (*cards, leave.unlikely()), takes_ranks=True)
    claim = counted_claim(dialog, hand, starter, claims)
    points = total(score_claimed(hand, starter, claim))
    event = HandCounted(state.deal.shower, hand, starter, claim, dialog.claimed)

    def other_claim() -> Reply:
        return place.opened(replace(dialog, claim=by_cards.next_claim(claims, dialog.claim)))

    say = place.pad.named
    full = NotHeld(f"All the cards are there: {say('OK')} pegs them, {say('UNDO')} takes the last one back")
    offers = [
        Offer("OK", texts.PEG.of(points=points), Reply(desk.cleared(), event)),
        Offer("FLNB", texts.SUITS, attempt(other_claim), is_likely=len(claims) > 1),
        leave,
        *(offer.unlikely() for offer in per_card(place, texts.COUNT_CARD, lambda _card: full)),
    ]
    asks = f"{' '.join(map(str, hand))} with {starter}"
    if dialog.claimed is not None:
        asks += f": {dialog.claimed} counted, {points} there"
    return scene(asks, offers, takes_ranks=True)
