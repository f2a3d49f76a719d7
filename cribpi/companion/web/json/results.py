"""Points as JSON for the page and commands: counted hands, results of games, and players' statistics."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import TYPE_CHECKING, Final, cast

from cribpi.companion.entry.next_game import is_given
from cribpi.companion.web.json.state import cards_json
from cribpi.cribbage.game.cards import PACK, Card, check_possible, in_order
from cribpi.cribbage.game.ledger import Gains, Show
from cribpi.cribbage.game.show import Score, SuitClaim, score_claimed, total
from cribpi.cribbage.game.state import State
from cribpi.cribbage.results.games import AVERAGE_DEAL, best, best_in_words, course, margin, won_by
from cribpi.cribbage.results.statistics import BestShow, InRole, Statistics, display_name, is_computer
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.call import call_show, steps
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.why import reason_of
from cribpi.cribbage.words.worth import points_of, worth_of

if TYPE_CHECKING:
    from cribpi.companion.web.json import past_types, table_types


def count_json(
    cards: tuple[Card, ...], starter: Card | None, rules: Rules, *, is_crib: bool
) -> past_types.Counted:
    """Return the count of a hand or crib. Without a *starter*, return the mean over all possible starters.

    An incomplete hand gets no count.

    Raises:
        RuleError: If the cards can't come from one pack.
    """
    check_possible((*cards, *((starter,) if starter else ())))
    read: past_types.CountedHand = {
        "cards": cards_json(cards),
        "starter": str(starter) if starter else None,
        "crib": is_crib,
    }
    if len(cards) < rules.sizes.counted(is_crib=is_crib):
        return read
    is_strict = is_crib and rules.crib_flush == "five"
    if starter is None:
        points = [points_of(cards, card, is_strict=is_strict) for card in rest_of_pack(cards)]
        mean = round(sum(points) / len(points), 2)
        return {**read, "mean": mean, "least": min(points), "most": max(points)}
    scores, may_be = worth_of(cards, starter, is_strict=is_strict)
    return {
        **read,
        "points": total(scores),
        "call": call_show(scores),
        "may_be": may_be,
        "tally": tally(scores, rules, is_crib=is_crib),
    }


def rest_of_pack(cards: Sequence[Card]) -> list[Card]:
    """Return the pack without *cards*. A card without a suit removes any one card of its rank."""
    pack = list(PACK)
    for card in sorted(cards, key=lambda card: card.suit is None):
        pack.remove(next(filter(card.may_be, pack)))
    return pack


def tally(scores: tuple[Score, ...], rules: Rules, *, is_crib: bool) -> list[table_types.Tallied]:
    """Return a line for each score: words, running total, and the rule behind it."""
    totals = accumulate(score.points for score in scores)
    lines = zip(steps(scores), scores, totals, strict=True)
    return [
        {
            "words": words,
            "cards": cards_json(in_order(score.cards)),
            "points": score.points,
            "total": so_far,
            "why": reason_of(score, rules, is_crib=is_crib).as_json(),
        }
        for words, score, so_far in lines
    ]


SKUNKS: Final = ("", ", a skunk", ", a double skunk")
"""Words behind a margin, by `State.skunk`."""
RESULTS: Final = 200
"""Maximum number of a player's results in a response; the latest ones are kept."""
_USUAL: Final[past_types.Usual] = {"dealer": AVERAGE_DEAL[0], "pone": AVERAGE_DEAL[1]}


def result_json(state: State, names: Sequence[str] = ()) -> table_types.Result | None:
    """Return the summary of a finished game, or None if the game is not over.

    *names* replace the sides' names.
    """
    if state.winner is None:
        return None
    sides = range(state.sides)
    names = names or list(map(state.side_name, sides))
    top = best(state.shows)
    skunk = max(map(state.skunk, sides))
    by = margin(state.scores(), state.winner)
    text = won_by(state) + SKUNKS[skunk]
    own = {side: f"You lose by {by}{SKUNKS[skunk]}" for side in sides if state.sides == 2}
    own[state.winner] = f"You win by {by}{SKUNKS[skunk]}"
    return {
        "text": text,
        "sides": [
            {**gains_json(gains), "text": own.get(side, text), "lead": lead}
            for side, (gains, lead) in enumerate(zip(state.gains, state.leads, strict=True))
        ],
        "skunk": cast("table_types.Skunk", skunk),
        "course": list(map(list, course(state.ledger))),
        "best": _best_json(top, names[top.side]) if top else None,
    }


def _best_json(show: Show, name: str) -> table_types.SideShow:
    return {
        "side": show.side,
        "text": best_in_words(show, name),
        **show_json(show, show.cards, show.starter, show.claim),
    }


def gains_json(gains: Gains) -> table_types.ShownGains:
    return cast("table_types.ShownGains", by_purpose(gains))


def by_purpose(gains: Gains) -> dict[str, int]:
    """Return *gains* by purpose. `other` includes penalties and corrections."""
    return {
        "pegging": gains.pegging,
        "hands": gains.hands,
        "cribs": gains.cribs,
        "heels": gains.heels,
        "muggins": gains.muggins,
        "other": gains.penalties + gains.corrections,
    }


def show_json(
    show: Show | BestShow, cards: tuple[Card, ...], starter: Card, claim: SuitClaim
) -> table_types.CountedShow:
    """Return a hand or crib with its count in words. *claim* has the points that depend on suits."""
    return {
        "deal": show.deal,
        "points": show.points,
        "crib": show.is_crib,
        "cards": list(map(str, in_order(cards))),
        "starter": str(starter),
        "call": call_show(score_claimed(cards, starter, claim)),
    }


def players_json(players: Mapping[str, Statistics]) -> past_types.Players:
    """Return a row for each player, most games first.

    `pending` is always 0, because all games are counted.
    """
    order = sorted(players.values(), key=lambda player: (-player.games, player.name))
    return {"players": [_row(player, players) for player in order], "usual": _USUAL, "pending": 0}


def _row(player: Statistics, players: Collection[str]) -> past_types.PlayerRow:
    return {
        "name": player.name,
        "called": display_name(player.name, players),
        "person": is_given(player.name) and not is_computer(player.name),
        "games": player.games,
        "wins": player.wins,
        "skunks": player.skunks,
        "double_skunks": player.double_skunks,
        "skunked": player.skunked,
        "double_skunked": player.double_skunked,
        "streak": player.streak,
        "dealer": _average(player.dealer, player.dealer.gains.total),
        "pone": _average(player.pone, player.pone.gains.total),
        "tenths": {"dealer": player.dealer.average, "pone": player.pone.average},
    }


def player_json(player: Statistics, players: Collection[str]) -> past_types.PlayerStatistics:
    """Return all statistics of one of the *players*.

    Averages are per complete deal of two-player games; null without such a deal. Five-card games have
    separate ones.
    """
    return {
        **_row(player, players),  # the detailed averages below replace those of the row
        "longest_wins": player.longest_wins,
        "longest_losses": player.longest_losses,
        "dealer": _role(player.dealer),
        "pone": _role(player.pone),
        "five_card": {"dealer": _role(player.five_card[0]), "pone": _role(player.five_card[1])},
        "usual": _USUAL,
        "points": gains_json(player.gains),
        "best": [
            {
                "game": game,
                **show_json(
                    show,
                    parse_cards(show.cards),
                    Card.parse(show.starter),
                    SuitClaim(show.flush, show.nobs),
                ),
            }
            for game, show in player.best
        ],
        "results": [
            {"game": played.game, "won": played.is_won, "margin": played.margin}
            for played in player.results[-RESULTS:]
        ],
        "against": [
            cast("past_types.Against", {"name": name, "called": display_name(name, players)} | asdict(row))
            for name, row in sorted(player.against.items(), key=lambda each: (-each[1].games, each[0]))
        ],
        "pending": 0,
    }


def _role(role: InRole) -> past_types.InRole:
    gains = by_purpose(role.gains)
    averages = {
        "deals": role.deals,
        "all": _average(role, role.gains.total),
        **{what: _average(role, points) for what, points in gains.items()},
        "tenths": {
            "all": role.average,
            **dict(zip(gains, role.averages(list(gains.values())), strict=True)),
        },
    }
    return cast("past_types.InRole", averages)


def _average(role: InRole, points: int) -> float | None:
    average = role.a_deal(points)
    return None if average is None else round(average, 2)
