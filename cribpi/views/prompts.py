"""The next thing to do, in one line, and the keys for it."""

from __future__ import annotations

from typing import Final

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.deal import Deal, Renege
from cribpi.core.events import Entry
from cribpi.core.heels import for_his_heels, his_heels
from cribpi.core.rules.cite import NEVER_NAMED, SILENT, Reason
from cribpi.core.scores import total
from cribpi.core.show import Claim, score_claimed
from cribpi.core.state import Phase, State, side_name
from cribpi.core.steps.corrections import FALSE_WIN_BACK, renege_points
from cribpi.core.why import reasons_of
from cribpi.core.words import number
from cribpi.entry import by_cards, corrections, menus
from cribpi.entry.by_points import amounts, how_to_peg, may_compare, only_side, takers
from cribpi.entry.desk import (
    Correct,
    CountHand,
    Desk,
    EndMatch,
    FalseWin,
    MatchSoFar,
    Menu,
    NewGame,
    Question,
    Undone,
    Why,
)
from cribpi.entry.keys import RANKS
from cribpi.entry.pad import TWENTY, Pad
from cribpi.entry.press import NO_RANKS, is_dead_end
from cribpi.views import dealt
from cribpi.views.key_names import in_words

OVER_31: Final = "OK: all said go, {leader} leads the {card}. UNDO: a slip. GO: {turn} says go."


def phase_of(state: State, desk: Desk) -> str:
    """Return the phase as the page is told it: a core phase, or `new-game` while that menu is open."""
    return "new-game" if isinstance(desk.dialog, NewGame | EndMatch) else str(state.phase)


def prompt(state: State, desk: Desk, pad: Pad = TWENTY) -> str:
    """Say what to do next, in one line, with the keys of *pad*."""
    return in_words(_prompt(state, desk, pad), pad)


def _prompt(state: State, desk: Desk, pad: Pad) -> str:
    match desk.dialog:
        case Undone(_, left):
            return "OK goes on" + (", UNDO takes back more" if left else "")
        case NewGame():
            setup, way = desk.setup, _WAYS[desk.setup.entry]
            house = ", changed by the house" if setup.options else ""
            by = "" if setup.rules == "standard" and not house else f" by {setup.rules}{house}"
            what = f"{number(setup.players)} players to {setup.target}{by}, {way}"
            back = ", UNDO goes back to the game" if state.pegs and state.winner is None else ""
            offered = menus.new_game_lines(setup)
            if setup.entry == Entry.DEALT:
                what += ": " + ", ".join(
                    f"{name} {level or 'a person'}"
                    for name, level in zip(setup.seat_names(), setup.seat_levels(), strict=True)
                )
            picks = "A, 2, 3, 4 pick" if len(offered) == 4 else f"A to {RANKS[len(offered) - 1]} pick"
            return f"New game, {what}: OK starts it; {picks} a line, P1 and P2 change it{back}"
        case EndMatch():
            return f"A new game ends this match. {_match(state)}: OK begins it, UNDO goes back to the menu"
        case Question(card):
            return f"The {card} would pass 31: OK for a new count, UNDO for a slip"
        case Menu():
            lines = menus.items(state, desk)
            line = desk.dialog.line % len(lines)
            place = f"{line + 1} of {len(lines)}"
            return f"Menu, {place}: {lines[line].text}; OK takes it, P1 and P2 move, UNDO leaves"
        case Correct(side):
            what, is_number = _correction(state, desk.dialog)
            change = (
                f"P1 lower, P2 higher, FLNB in {_STEPS[_other_step(desk.dialog.by)]}, " if is_number else ""
            )
            return (
                f"Correct {side_name(state, side)}: {what}; {change}OK applies, GO the next side, UNDO leaves"
            )
        case FalseWin(side, score):
            back = f", and {FALSE_WIN_BACK} back" if state.rules.false_win == "acc" else ""
            change = f"P1 lower, P2 higher, FLNB in {_STEPS[_other_step(desk.dialog.by)]}"
            return f"{side_name(state, side)} has not won: the true score is {score}{back}; {change}, OK applies, UNDO leaves"
        case Why(line):
            reasons = reasons_of(state)
            reason = reasons[line % len(reasons)]
            more = "P1 and P2 for the others, " if len(reasons) > 1 else ""
            return f"{reason.text} {_cited(reason)}; {more}OK goes on"
        case MatchSoFar():
            return f"{_match(state)}: {'OK for the next match' if state.phase is Phase.MATCH_OVER else 'OK goes on'}"
        case CountHand():
            return _counting(state, desk.dialog)
    if state.phase is Phase.IDLE:
        return "Press OK for a new game"
    if state.winner is not None and state.phase is Phase.MATCH_OVER:
        return f"{_won(state, state.winner)}, and the match is over: OK for the whole of it"
    if state.winner is not None:
        return f"{_won(state, state.winner)}: OK for the next game"
    if state.next_to_cut is not None and state.phase is Phase.CUT:
        way = "no-paper" if state.entry is Entry.DEALT else ""
        cuts = _CUTS.get(way + state.rules.first_dealer, _CUTS[state.rules.first_dealer])
        return cuts.format(name=state.names[state.next_to_cut])
    if state.deal is None:
        return ""
    if state.entry is Entry.PEG:
        return _by_points(state, desk, state.deal)
    if state.entry is Entry.DEALT and state.phase in {Phase.DEAL, Phase.STARTER, Phase.PLAY}:
        return dealt.prompt(state, desk, state.deal)
    if is_dead_end(state, desk, pad):
        return NO_RANKS[0].upper() + NO_RANKS[1:]
    return _by_cards(state, desk, state.deal)


_WAYS: Final = {"cards": "every card", "peg": "points only", "dealt": "without paper cards"}

_CUTS: Final = {
    "low-cut": "{name} cuts for the deal: press the rank, or OK to leave it to chance",
    "no-paperlow-cut": "{name} cuts for the deal, and the lowest card deals: OK cuts a card",
    "random": "Who deals first is drawn: press OK",
    "chosen": "Who deals first? Press a side's key, or A to 4 for the seat",
}


def _by_cards(state: State, desk: Desk, deal: Deal) -> str:
    dealer = state.names[deal.dealer]
    match state.phase:
        case Phase.DEAL | Phase.STARTER:
            dealt = number(seats.cards_dealt(state.players))
            keepers = _keepers(state) if deal.number == 1 else ""
            return (
                f"{dealer} deals {dealt} each, {_starter_cut(state, deal)}: press the starter's rank{keepers}"
            )
        case Phase.PLAY:
            heels = f"; OK takes {for_his_heels(state.rules)} for {dealer}" if deal.heels_open else ""
            return f"{state.names[deal.turn or 0]} to play{heels}"
        case _ if (renege := by_cards.offered(state)) is not None:
            return _renege(state, renege)
        case Phase.SHOW:
            shower, missing = state.names[deal.shower], seats.HAND - len(deal.hand(deal.shower))
            if missing:
                return f"{shower} shows: press the cards not played, {missing} to come"
            return f"{shower} shows {_worth(state, desk, deal.hand(deal.shower))}"
        case _:
            missing = seats.HAND - len(deal.crib)
            if missing:
                return f"{dealer}'s crib: press its cards, {missing} to come"
            return f"{dealer}'s crib {_worth(state, desk, deal.crib)}"


def _starter_cut(state: State, deal: Deal) -> str:
    """Say who cuts and who turns the starter up, as the option `starter_cut` says."""
    dealer, left = state.names[deal.dealer], state.names[deal.show_order[0]]
    return f"{dealer} turns up the top card" if state.rules.starter_cut == "dealer-turns" else f"{left} cuts"


def _keepers(state: State) -> str:
    """Say who keeps the board, where partners choose one of each side."""
    keepers = [state.names[seat] for seat in state.rules.scorekeepers]
    return f"; {' and '.join(keepers)} keep the board" if keepers else ""


def _renege(state: State, renege: Renege) -> str:
    """Say that a go was wrong, and what the house has for it."""
    points = renege_points(state, len(renege.cards))
    others = [side_name(state, one) for one in range(state.sides) if one != state.side(renege.seat)]
    held = f"{state.names[renege.seat]} said go at {renege.count}, but held the {_cards(renege.cards)}"
    each = " each" if len(others) > 1 else ""
    return f"{held}: OK gives {' and '.join(others)} {points}{each}, GO lets it be"


def _by_points(state: State, desk: Desk, deal: Deal) -> str:
    dealer, shower = state.names[deal.dealer], state.names[deal.shower]
    if desk.typed:
        return f"{desk.amount}: {_typed(state, desk)}"
    match state.phase:
        case Phase.DEAL:
            return f"{dealer} deals: OK when the starter is cut"
        case Phase.STARTER:
            return f"Starter: {his_heels(state.rules)} for his heels to {dealer}, or OK to play"
        case Phase.PLAY:
            return "The play: type an amount, then a side's key; OK when it is over"
        case Phase.SHOW:
            return f"{shower} shows: {_BY_POINTS[by_cards.players_count(state)]}"
        case _:
            return f"{dealer}'s crib: {_BY_POINTS[by_cards.players_count(state)]}"


def _typed(state: State, desk: Desk) -> str:
    """Say what can be done with the amount that lies typed."""
    only, can = only_side(state), takers(state, desk)
    compares = ", FLNB compares it with the cards" if may_compare(state, desk) else ""
    if not can:
        more = f"type more{compares}, " if desk.amount < amounts(state)[-1] else ""
        cannot = _NOT_PEGGED[state.phase].format(points=his_heels(state.rules))
        return f"{cannot}; {more}UNDO takes the last one back"
    if only is None:
        return how_to_peg(state)
    return f"OK pegs it for {side_name(state, only)}{compares}"


_NOT_PEGGED: Final = {
    Phase.DEAL: "nothing can be pegged before the starter is cut",
    Phase.STARTER: "only {points} can be pegged, for his heels",
    Phase.PLAY: "no card pegs that",
    Phase.SHOW: "no hand counts that",
    Phase.CRIB: "no crib counts that",
}

_BY_POINTS: Final = {
    False: "type the count and OK, or FLNB to count it by cards",
    True: "type the count, then OK, or FLNB to compare it with the cards",
}


def _counting(state: State, dialog: CountHand) -> str:
    hand, starter, claims = menus.counted(state, dialog)
    if len(hand) < seats.HAND:
        return f"Count a hand: press its cards, {seats.HAND - len(hand)} to come"
    if starter is None:
        return "Count a hand: now the starter"
    claim = menus.counted_claim(dialog, hand, starter, claims)
    if dialog.claimed is not None:
        worth = total(score_claimed(hand, starter, claim))
        suits = ", FLNB for flush or nobs" if len(claims) > 1 else ""
        return f"{_cards(hand)} with {starter}: {dialog.claimed} counted, {worth} there; OK pegs it{suits}"
    return f"{_cards(hand)} with {starter}: {_pegs(hand, starter, claim, len(claims))}"


def _worth(state: State, desk: Desk, cards: tuple[Card, ...]) -> str:
    """Say what *cards* are worth with the starter, and what can be done about it."""
    starter = state.deal.starter if state.deal else None
    if starter is None:
        return _cards(cards)
    claims = by_cards.claims(state)
    if by_cards.players_count(state):
        if desk.typed and not by_cards.can_count(state, desk.amount):  # as 19, which may still become 20
            return f"{desk.amount}: {_NOT_PEGGED[state.phase]}; type more, UNDO takes the last one back"
        suits = ", FLNB for flush or nobs" if len(claims) > 1 else ""
        typed = f"{desk.amount} counted, OK claims it" if desk.typed else "type the count, GO for nothing"
        return f"{_cards(cards)} with {starter}: {typed}{suits}"
    return f"{_cards(cards)} with {starter}: {_pegs(cards, starter, by_cards.claim_of(state, desk), len(claims))}"


def _pegs(cards: tuple[Card, ...], starter: Card, claim: Claim, choices: int) -> str:
    points = total(score_claimed(cards, starter, claim))
    return f"OK pegs {points}" + (", FLNB for flush or nobs" if choices > 1 else "")


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _correction(state: State, dialog: Correct) -> tuple[str, bool]:
    """Say what the line of a correction does, with the key of its line, and whether it has a number to change."""
    lines = corrections.lines(state)
    line = dialog.line % len(lines)
    of = side_name(state, corrections.missed_by(state, dialog.side))
    left = state.rules.target - state.pegs[dialog.side].front
    call = "muggins" if dialog.muggins > 0 else "a wrong call of muggins"
    call = (
        f"{call} for {abs(dialog.muggins)}, of {of}"
        if dialog.muggins
        else f"no muggins of {of}, who has missed nothing"
    )
    said = {
        "penalty": f"a penalty of {dialog.penalty:+}",
        "score": f"the score put right to {dialog.score}",
        "muggins": call,
        "false-win": f"a false claim of the game: {FALSE_WIN_BACK} back, {left} to the other side",
        "misdeal": "a misdeal, deal again",
    }
    return f"{RANKS[line]}: {said[lines[line]]}", lines[line] in {"penalty", "score", "muggins"}


def _cited(reason: Reason) -> str:
    """Say whose rule it is, in the source's own words where it has any."""
    if not reason.words:
        return f"{reason.source}: no source says so"
    said = reason.words if reason.words in {SILENT, NEVER_NAMED} else f'"{reason.words}"'
    return f"{reason.source}: {said}"


_STEPS: Final = {1: "ones", corrections.BY_TENS: "tens"}


def _other_step(by: int) -> int:
    return 1 if by > 1 else corrections.BY_TENS


def _match(state: State) -> str:
    """Say what each side has won, and who has won the match."""
    said = ", ".join(
        f"{side_name(state, side)} {tally.games} ({tally.points} points, {tally.spread:+})"
        for side, tally in enumerate(state.standing)
    )
    winners = state.match_winners
    if len(winners) == 1:
        return f"{side_name(state, winners[0])} wins the match: {said}"
    return f"{'The match is drawn' if winners else 'The match so far'}: {said}"


def _won(state: State, winner: int) -> str:
    """Say who has won, by what scores, and whether it is a skunk."""
    others = sorted((score for side, score in enumerate(state.scores()) if side != winner), reverse=True)
    said = f"{side_name(state, winner)} wins {'-'.join(map(str, (state.pegs[winner].front, *others)))}"
    skunked = [score for score in state.scores() if score < state.rules.skunk_below]
    if not skunked:
        return said
    return said + (", a double skunk" if min(skunked) < state.rules.double_skunk_below else ", a skunk")
