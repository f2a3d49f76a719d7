"""Events in a line of text, and their results as players would call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, assert_never

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.ledger import Purpose
from cribpi.cribbage.game.show import total
from cribpi.cribbage.game.state import Outcome, State
from cribpi.cribbage.game.steps.deal import score_heels
from cribpi.cribbage.rules.grammar import does, whose, within
from cribpi.cribbage.rules.rulebook import find_preset, rulebook
from cribpi.cribbage.rules.rules import CHOSEN_PER_GAME, Rules, house_changes
from cribpi.cribbage.words.call import call_play, call_show, name, number, spelt_out
from cribpi.cribbage.words.levels import title_of

_MOST_CHANGES: Final = 2
"""The most changed rules that are named; if there are more, they are only counted."""


def call(outcome: Outcome) -> str:
    """Return the result of an event as its player would call it."""
    match outcome.event:
        case events.CardPlayed():
            return call_play(outcome.scores, outcome.count)
        case events.NewCountLed(_, card) if outcome.count == card.rank.pips:
            return call_play(outcome.scores, outcome.count)
        case events.GoSaid() | events.NewCountLed():
            return spelt_out(outcome.scores) or "go"
        case events.GameStarted() | events.CardCut() | events.DealerChosen():  # three for last
            return name(outcome.scores[0])
        case events.StarterTurned() | events.HeelsTaken():
            return spelt_out(outcome.scores) or "nothing from the stinkhole"
        case events.HandShown() | events.CribShown() | events.HandCounted() if (
            outcome.purpose is Purpose.MUGGINS
        ):
            return f"muggins for {number(outcome.points)}"
        case events.HandShown() | events.CribShown() | events.HandCounted():
            return call_show(outcome.scores) + _counted(outcome)
        case events.PointsPegged(_, points):
            return spelt_out(outcome.scores) or number(points)
        case events.PenaltyPegged(_, points):
            return f"a penalty of {number(-points)}" if points < 0 else f"{number(points)} by a ruling"
        case events.ScorePutRight(side, score) if side == outcome.side:
            return f"score set to {score}"
        case events.ScorePutRight():
            return f"{number(outcome.points)} pegged too many"
        case events.Misdealt():
            return f"{number(-outcome.points)} taken back" if outcome.points else "a misdeal"
        case events.MugginsCalled(_, _, points, is_right):
            return f"muggins for {number(points)}" + ("" if is_right else ", wrongly called")
        case events.RenegeRuled(_, points):
            return f"{number(points)} for a wrong go" if points else "a wrong go, no penalty"
        case events.FalseWinRuled(side) if side == outcome.side:
            back = f", {number(-outcome.points)} back" if outcome.points else ""
            return f"a false claim of the game{back}"
        case events.FalseWinRuled():
            return f"{number(outcome.points)} for a false claim"
        case _:
            return "nothing"


def _counted(outcome: Outcome) -> str:
    """Return a note on the player's own count, if it is wrong, else ""."""
    truth, counted = total(outcome.scores), outcome.counted_by_player
    if counted is None or counted == truth:
        return ""
    wrong = f"{number(counted - truth)} too many" if counted > truth else f"{number(outcome.missed)} missed"
    return f"; {number(counted)} counted, {wrong}"


def tell(event: events.Event, after: State, written: Callable[[Card], str] = str) -> str:
    """Describe *event* in a line, given the state *after* it; *written* formats its cards."""
    names = after.names
    ours = after.outcomes_of(event)
    said = call(ours[-1]) if ours else ""
    first = f"; {within(after.spoken_side(ours[0].side))}: {said}" if ours else ""
    match event:
        case events.GameStarted(_, rules):
            return f"a new game {said_rules(rules)}: {', '.join(_seated(after))}{first}"
        case events.SeatsNamed():
            return f"players: {', '.join(names)}"
        case events.CardCut(seat, card):
            return does(names[seat], f"cuts {written(card)}{_who_deals(after)}{first}")
        case events.DealerChosen(seat):
            return does(names[seat], f"deals first{first}")
        case events.PackShuffled():
            return does(names[after.deal.dealer if after.deal else 0], "deals")
        case events.HandDealt(seat):
            return does(names[seat], "is dealt a hand")
        case events.Discarded(seat, cards):
            return does(names[seat], f"discards {number(len(cards))}")
        case events.HeelsTaken():
            return does(after.spoken_side(ours[0].side), f"takes {said}")
        case events.StarterTurned(card):
            return f"starter {written(card)}" + (
                f": {said}, {within(after.spoken_side(ours[0].side))}" if said else ""
            )
        case events.CardPlayed(seat, card):
            return f"{names[seat]} {written(card)}: {said}{_lost(seat, after)}"
        case events.GoSaid(seat):
            if ours and ours[0].points and after.deal and after.deal.last_to_play == seat:
                return does(names[seat], "takes one for the go")
            taken = f": one for {within(after.spoken_side(ours[0].side))}" if ours and ours[0].points else ""
            return does(names[seat], f"says go{taken}")
        case events.NewCountLed(seat, card):
            more = f", {said}" if ours and len(ours) > 1 and ours[-1].points else ""
            one = f" one for {within(after.spoken_side(ours[0].side))};" if ours and ours[0].points else ""
            leads = (
                ""
                if after.winner is not None and len(ours) == 1
                else f" {does(within(names[seat]), 'leads')} {written(card)}{more}"
            )
            return f"all say go:{one}{leads}".rstrip(";")
        case events.HandCardTurned(seat, card):
            return does(names[seat], f"turns up {written(card)}")
        case events.HandShown(seat) | events.HandCounted(seat):
            return f"{does(names[seat], 'shows')}: {call(ours[0])}{_muggins(ours, after)}"
        case events.CribCardTurned(card):
            return f"in the crib: {written(card)}"
        case events.CribShown():
            return f"{whose(after.spoken_side(ours[0].side))} crib: {call(ours[0])}{_muggins(ours, after)}"
        case events.PointsPegged(side):
            return does(after.spoken_side(side), f"pegs {said}")
        case events.StepPassed():
            return (
                does(after.spoken_side(ours[0].side), "pegs nothing") if ours else f"on to the {after.phase}"
            )
        case events.PenaltyPegged(side):
            return f"{after.spoken_side(side)}: {said}"
        case events.Misdealt():
            back = [f"{within(after.spoken_side(each.side))} {call(each)}" for each in ours if each.points]
            again = does(within(names[after.deal.dealer]), "deals again") if after.deal else "deal again"
            return ": ".join(("a misdeal", ", ".join((*back, again))))
        case events.MugginsCalled(side):
            to = "" if event.is_right else f"; {does(within(after.spoken_side(event.of)), 'takes')} it"
            return does(after.spoken_side(side), f"calls {said}{to}")
        case events.RenegeRuled(seat, points):
            to = " and ".join(within(after.spoken_side(outcome.side)) for outcome in ours)
            amount = number(points) if len(ours) == 1 else f"{number(points)} each"
            return (
                f"{whose(names[seat])} wrong go: {amount} for {to}"
                if points
                else f"{whose(names[seat])} wrong go: no penalty"
            )
        case events.ScorePutRight(side) | events.FalseWinRuled(side):
            rest = "".join(
                f"; {does(within(after.spoken_side(more.side)), 'takes')} {call(more)}" for more in ours[1:]
            )
            return f"{after.spoken_side(side)}: {call(ours[0])}{rest}"
        case _:
            assert_never(event)


def said_rules(rules: Rules) -> str:
    """Describe *rules* in a phrase: the target, the preset, and the house rules.

    >>> from cribpi.cribbage.rules.rules import changed
    >>> from cribpi.cribbage.rules.rules import STANDARD
    >>> said_rules(changed(STANDARD, {"crib_flush": "four", "target": "61"}))
    'to 61, Standard with a house rule for a flush in the crib'
    """
    titles = [
        rulebook().options[option].title for option in house_changes(rules) if option not in CHOSEN_PER_GAME
    ]
    how_many = "a house rule" if len(titles) == 1 else f"{number(len(titles))} house rules"
    house = f" with {how_many}" if titles else ""
    if 0 < len(titles) <= _MOST_CHANGES:
        house += " for " + " and ".join(title[0].lower() + title[1:] for title in titles)
    by = f", {_titled(rules)}{house}" if rules.name != "standard" or titles else ""
    match = "" if rules.match == "open" else f", {rules.match.replace('-', ' ')}"
    return f"to {rules.target}{by}{match}"


def _titled(rules: Rules) -> str:
    """Return the title of the preset of *rules* without the target, which the phrase has already."""
    title = find_preset(rules.name).title
    return title.removesuffix(f", to {rules.target}")


def _seated(after: State) -> list[str]:
    """Return each seat's name, with the computer's level if the name does not include it."""
    titles = (title_of(after.level(seat)) for seat in range(after.players))
    return [
        name if name.startswith(title) else f"{name} ({title})"
        for name, title in zip(after.names, titles, strict=True)
    ]


def _lost(seat: int, after: State) -> str:
    """Return a note if this card of *seat* has lost his heels, else ""."""
    deal = after.deal
    is_first = deal is not None and seat == deal.dealer and len(deal.played[seat]) == 1
    return "; his heels are lost" if is_first and deal and deal.heels_lost else ""


def _muggins(outcomes: Sequence[Outcome], after: State) -> str:
    return "".join(f"; {within(after.spoken_side(more.side))} {call(more)}" for more in outcomes[1:])


def _who_deals(after: State) -> str:
    if after.deal is not None:
        return f"; {does(within(after.names[after.deal.dealer]), 'deals')}"
    if all(after.cuts[seat] is None for seat in after.cutting):
        return f"; a tie, {' and '.join(within(after.names[seat]) for seat in after.cutting)} cut again"
    return ""


def for_his_heels(rules: Rules) -> str:
    """Return the call for his heels.

    >>> for_his_heels(Rules()), for_his_heels(Rules(heels=3))
    ('two for his heels', 'three for his heels')
    """
    return name(score_heels(rules))
