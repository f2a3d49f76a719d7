"""Statistics are what a plain recount gives: who won, by how much, and what each deal brought."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import astuple, fields
from functools import cache
from itertools import groupby
from random import Random

import pytest
from support.games import random_event, random_start, referee_game
from support.records import after

from cribpi.cribbage.game.events import CribShown, Entry, Event, HandShown, StarterTurned
from cribpi.cribbage.game.ledger import Gains
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.results.statistics import (
    BEGINNING,
    InRole,
    Summary,
    player_name,
    read_brief,
    read_summary,
    statistics,
    summary_of,
)
from cribpi.cribbage.rules.errors import RuleError

Line = list[tuple[Event, State]]


def line_of(events: list[Event]) -> Line:
    state, line = NEW_TABLE, []
    for event in events:
        state = step(state, event)
        line.append((event, state))
    return line


def fair_game(seed: int, target: int = 121) -> Line:
    """Play a game of two without a mishap."""
    return line_of([one.event for one in referee_game(Random(seed), 2, target, suited=True)])


def wild_game(seed: int, entry: Entry, players: int) -> Line:
    """Play a random game, corrections and all, until it is won."""
    chance = Random(seed)
    start = random_start(chance, players, entry=entry)
    line: Line = [(start, step(NEW_TABLE, start))]
    while line[-1][1].winner is None:
        event = random_event(line[-1][1], chance)
        with suppress(RuleError):  # some of what chance asks for is refused
            line.append((event, step(line[-1][1], event)))
    return line


def of(line: Line) -> Summary:
    return summary_of(line[-1][1])


@cache
def fair_games() -> tuple[Line, ...]:
    return tuple(fair_game(seed) for seed in range(30))


def recounted(line: Line, side: int) -> dict[tuple[str, str], int]:
    """Count by the outcomes what *side* got in its complete deals: by role, and by what it was for."""
    found: Counter[tuple[str, str]] = Counter()
    last = max(state.deal.number for _, state in line if state.deal)
    before = NEW_TABLE
    for event, state in line:
        deal = before.deal
        ours = [outcome for outcome in state.outcomes if outcome.event is event and outcome.side == side]
        if deal is not None and deal.number < last:
            role = "dealer" if deal.dealer == side else "pone"
            what = "heels" if isinstance(event, StarterTurned) else str(before.phase)
            found[role, what] += sum(outcome.points for outcome in ours)
            found[role, "deals"] += state.deal is not None and state.deal.number > deal.number
        before = state
    return found


@pytest.mark.parametrize("seed", range(12))
def test_what_each_deal_brought_is_what_a_recount_gives(seed: int) -> None:
    line = fair_games()[seed]
    found = of(line)
    for side in (0, 1):
        plain = recounted(line, side)
        for role, one in zip(("dealer", "pone"), found.roles[side], strict=True):
            assert one.deals == plain[role, "deals"]
            assert one.gains.hands == plain[role, "show"]
            assert one.gains.cribs == plain[role, "crib"]
            assert one.gains.heels == plain[role, "heels"]
            assert one.gains.pegging == plain[role, "play"]
        assert found.roles[side][1].gains.cribs == 0, "pone has no crib"


def test_wins_skunks_and_margins_are_those_of_the_last_scores() -> None:
    numbered = [(number, of(line)) for number, line in enumerate(fair_games(), start=1)]
    found = statistics(numbered)
    for seat, name in enumerate(fair_games()[0][0][1].names):
        ends = [line[-1][1].scores() for line in fair_games()]
        mine = [(scores[seat], scores[1 - seat]) for scores in ends]
        one = found[name]
        assert (one.games, one.wins) == (30, sum(own == 121 for own, _ in mine))
        assert one.skunks == sum(other < 91 for _, other in mine)
        assert one.double_skunks == sum(other < 61 for _, other in mine)
        assert one.skunked == sum(own < 91 for own, _ in mine)
        assert [(each.is_won, each.margin) for each in one.results] == [
            (own > other, own - other) for own, other in mine
        ]
        runs = [(won, len(list(run))) for won, run in groupby(own > other for own, other in mine)]
        assert one.streak == (runs[-1][1] if runs[-1][0] else -runs[-1][1])
        assert one.longest_wins == max((length for won, length in runs if won), default=0)
        assert one.longest_losses == max((length for won, length in runs if not won), default=0)
        (other,) = one.against.values()
        assert (other.games, other.wins, other.skunks, other.skunked) == (
            one.games,
            one.wins,
            one.skunks,
            one.skunked,
        )
        assert other.spread == sum(own - theirs for own, theirs in mine)


def test_of_three_the_winner_alone_has_skunked_and_a_double_skunk_is_one_loser() -> None:
    scores = {"A": 121, "B": 95, "C": 58}
    pegged = [f"put-right {side} {scores[name]}" for side, name in ((1, "B"), (2, "C"), (0, "A"))]
    end = after('game "A" "B" "C" entry=peg dealer=1', *pegged)
    assert (end.winner, end.scores()) == (0, (121, 95, 58))
    found = statistics([(1, summary_of(end))])
    assert [(one.skunks, one.double_skunks, one.skunked, one.double_skunked) for one in found.values()] == [
        (1, 1, 0, 0),
        (0, 0, 0, 0),
        (0, 0, 1, 1),
    ]
    assert [one.results[0].margin for one in found.values()] == [26, -26, -63], (
        "over the next best, or the best"
    )
    for name, one in found.items():
        for other, row in one.against.items():
            assert row.spread == scores[name] - scores[other]
            assert (row.skunks, row.skunked) == ((name, other) == ("A", "C"), (name, other) == ("C", "A"))


def test_each_best_hand_has_its_cards_deal_and_game() -> None:
    games = dict(enumerate(fair_games()[:6], start=11))
    found = statistics((number, of(line)) for number, line in games.items())
    for seat, name in enumerate(fair_games()[0][0][1].names):
        one = found[name]
        assert (one.name, [result.game for result in one.results]) == (name, list(games))
        for number, best in one.best:
            (show,) = (
                show
                for show in games[number][-1][1].shows
                if (show.seat, show.deal, show.is_crib) == (seat, best.deal, best.is_crib)
            )
            assert best.cards.split() == [str(card) for card in show.cards]
            assert (best.starter, best.points) == (str(show.starter), show.points)
            assert (best.flush, best.nobs) == (show.claim.flush, show.claim.nobs)
    assert any(best.is_crib for one in found.values() for _, best in one.best)
    assert any(best.nobs for one in found.values() for _, best in one.best)


def test_what_two_games_brought_is_added_up_and_a_skunk_is_no_double_skunk() -> None:
    ends = {
        loser: after(
            'game "A" "B" entry=peg dealer=1', f"put-right 1 {loser}", "penalty 0 +2", "put-right 0 121"
        )
        for loser in (60, 59, 80)
    }
    assert [end.skunk(1) for end in ends.values()] == [2, 2, 1]
    found = statistics(enumerate(map(summary_of, ends.values()), start=1))
    assert (found["A"].skunks, found["A"].double_skunks) == (3, 2)
    assert (found["B"].skunked, found["B"].double_skunked) == (3, 2)
    assert found["A"].gains.penalties == 6
    assert found["B"].gains.total == 60 + 59 + 80


def test_a_partner_is_nobody_that_one_has_played_against() -> None:
    end = after('game "A" "B" "C" "D" entry=peg dealer=1', "put-right 0 121")
    found = statistics([(1, summary_of(end))])
    assert {name: sorted(one.against) for name, one in found.items()} == {
        "A": ["B", "D"],
        "B": ["A", "C"],
        "C": ["B", "D"],
        "D": ["A", "C"],
    }


RENAMED = [
    # lines                       old  new    its seats               its sides         under which they count
    ('game "A" "B"', "B", "BEA", ("A", "BEA"), ("A", "BEA"), ("A", "BEA")),
    ('game "A" "B" "C" "D"', "C", "CY", ("A", "B", "CY", "D"), ("A+CY", "B+D"), ("A", "B", "CY", "D")),
    ('game "A" "B" "C"', "X", "Y", ("A", "B", "C"), ("A", "B", "C"), ("A", "B", "C")),
    ('game "A" "B"', "A", "B", ("A", "B"), ("A", "B"), ("A", "B")),
    ('game "A" "B" levels=person,medium', "B", "BEA", ("A", "B"), ("A", "B"), ("A", "computer (Medium)")),
    ('game "A" "B" levels=person,medium', "A", "AL", ("AL", "B"), ("AL", "B"), ("AL", "computer (Medium)")),
]


@pytest.mark.parametrize(("game", "old", "new", "names", "sides", "players"), RENAMED)
def test_a_person_has_the_new_name_as_a_seat_a_side_and_in_the_figures(
    game: str, old: str, new: str, names: tuple[str, ...], sides: tuple[str, ...], players: tuple[str, ...]
) -> None:
    entry = "dealt" if "levels" in game else "peg"
    found = summary_of(after(f"{game} entry={entry} dealer=1")).with_person_renamed(old, new)
    assert (found.seats, found.sides, found.players) == (names, sides, players)


def test_the_best_hands_are_the_highest_shows_of_all_games() -> None:
    found = statistics([(number, of(line)) for number, line in enumerate(fair_games(), start=1)])
    for seat, name in enumerate(fair_games()[0][0][1].names):
        shown = [
            state.last.points
            for line in fair_games()
            for event, state in line
            if isinstance(event, HandShown | CribShown) and state.last and state.last.event is event
            if state.last.side == seat
        ]
        assert [show.points for _, show in found[name].best] == sorted(shown, reverse=True)[:3]
        assert all(len(show.cards.split()) == 4 for _, show in found[name].best)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("entry", list(Entry))
def test_a_summary_is_read_from_its_text_whatever_was_played(entry: Entry, players: int) -> None:
    for seed in range(3):
        line = wild_game(seed, entry, players)
        found = of(line)
        assert read_summary(found.text()) == found
        assert found.text().startswith(BEGINNING)
        brief = read_brief(found.text())
        assert (brief.json(), brief.players, brief.gains) == (found.json(), found.players, ())
        assert [gains.total for gains in found.gains] == list(line[-1][1].scores())
        assert bool(found.roles) == (players == 2)
        for one in statistics([(1, found)]).values():
            assert one.games >= 1


IN_SHORT = [
    # lines                                                          as a list shows it
    (
        ('game "ANN" "BOB" dealer=1', "penalty 0 5"),
        ("ANN and BOB", "to 121, standard", "ANN 5, BOB 0", "not over"),
    ),
    (
        ('game "A" "B" "C" "D" target=61 dealer=1 entry=peg', "penalty 1 60", "penalty 1 1"),
        ("A+C and B+D", "to 61, standard", "A+C 0, B+D 61", "B and D have won"),
    ),
    (
        ('game "ANN" "BOB" target=61 dealer=1 entry=peg', "penalty 1 61"),
        ("ANN and BOB", "to 61, standard", "ANN 0, BOB 61", "BOB has won"),
    ),
]


@pytest.mark.parametrize(("lines", "shown"), IN_SHORT)
def test_a_game_is_told_in_short_and_so_is_what_was_kept_of_it(
    lines: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    found = summary_of(after(*lines))
    assert read_summary(found.text()) == found
    assert (found.side_names(), found.of_the_game(), found.shown_scores(), found.outcome()) == shown


def test_the_fields_are_those_of_the_list_in_json() -> None:
    assert summary_of(after('game "ANN" "BOB" dealer=1 entry=peg', "penalty 1 7")).json() == {
        "rules": "standard",
        "target": 121,
        "entry": "peg",
        "seats": ["ANN", "BOB"],
        "sides": [{"name": "ANN", "said": "ANN", "score": 0}, {"name": "BOB", "said": "BOB", "score": 7}],
        "winner": None,
    }


@pytest.mark.parametrize("text", ["null", "[]", "[2, [], [], 0, 121, [], [], [], []]", "{", "[1, 2]"])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        read_summary(text)


def test_the_computer_is_counted_by_its_level() -> None:
    line = wild_game(4, Entry.DEALT, 2)
    end = line[-1][1]
    levels = [end.level(seat) for seat in range(2)]
    assert any(levels)
    assert of(line).players == tuple(
        player_name(name, level) for name, level in zip(end.names, levels, strict=True)
    )


def test_one_name_alone_is_as_among_all() -> None:
    numbered = [(number, of(line)) for number, line in enumerate(fair_games()[:5], start=1)]
    everyone = statistics(numbered)
    for name, one in everyone.items():
        assert statistics(numbered, name) == {name: one}
    assert statistics(numbered, "nobody") == {}


@pytest.mark.parametrize("seed", range(20))
def test_averages_that_are_shown_side_by_side_add_up(seed: int) -> None:
    chance = Random(seed)
    gains = Gains(*[chance.randint(-20, 400) for _ in fields(Gains)])
    role = InRole(chance.randint(1, 60), gains)
    parts = role.averages(astuple(gains))
    assert sum(round(10 * part) for part in parts if part is not None) == round(10 * (role.average or 0.0))
    for part, points in zip(parts, astuple(gains), strict=True):
        assert part == pytest.approx(points / role.deals, abs=0.1)
    assert role.average == pytest.approx(gains.total / role.deals, abs=0.051)


def test_without_a_deal_there_is_no_average() -> None:
    assert (InRole().average, InRole().averages((1, 2))) == (None, (None, None))


DEAL = ("next", "next", "peg 0 4", "next", "peg 0 8", "peg 1 6", "peg 1 5")
"""B deals: A pegs 4 and has 8 in the hand; B has 6 in the hand and 5 in the crib."""


def test_what_was_given_in_a_deal_that_was_void_is_in_no_average() -> None:
    void = ("next", "next", "penalty 0 +2", "peg 1 3", "put-right 1 7", "misdeal")
    end = after('game "A" "B" entry=peg dealer=1', *void, *DEAL, "put-right 0 121")
    (_, pone), (dealer, _) = summary_of(end).roles
    assert (pone.deals, pone.gains) == (1, Gains(pegging=4, hands=8))
    assert (dealer.deals, dealer.gains) == (1, Gains(hands=6, cribs=5))
    assert (end.gains[0].penalties, end.gains[1].corrections) == (2, 4), "the game's points have them"
    kept = after('game "A" "B" entry=peg dealer=1', *DEAL[:3], "penalty 0 +2", *DEAL[3:], "put-right 0 121")
    assert summary_of(kept).roles[0][1].gains.penalties == 2, "in a deal that counts they count"


def test_averages_are_of_like_deals_five_card_apart_from_six() -> None:
    six = after('game "A" "B" entry=peg dealer=1', *DEAL, "put-right 0 121")
    five = after('game "A" "B" rules=five-card entry=peg dealer=1', *DEAL, "put-right 0 61")
    house = after('game "A" "B" deal=five-card entry=peg dealer=1', *DEAL, "put-right 0 121")
    games = [read_summary(summary_of(end).text()) for end in (six, five, house)]
    one = statistics(enumerate(games, start=1))["A"]
    assert (one.pone.deals, one.pone.gains.total) == (1, 12)
    assert [role.deals for role in one.five_card] == [0, 2]
    assert one.five_card[1].gains.total == 24, "the three for last came before the deal"
