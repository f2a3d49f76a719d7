"""Laws that hold whenever an event leads from one state to another, under any rules."""

from __future__ import annotations

from typing import Final

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Rank
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.phases import TABLE
from cribpi.cribbage.game.show import Kind, total
from cribpi.cribbage.game.state import Outcome, Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, fold
from cribpi.cribbage.record import parse_event, print_event
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.log import LogEntry
from cribpi.cribbage.words.tell import call, tell
from cribpi.cribbage.words.undo_texts import taken_back
from cribpi.cribbage.words.why import automatic, reasons_of

OVER: Final = {Phase.GAME_OVER, Phase.MATCH_OVER}

SCORING: Final = (
    events.StarterTurned
    | events.HeelsTaken
    | events.CardPlayed
    | events.GoSaid
    | events.NewCountLed
    | events.HandShown
    | events.CribShown
    | events.PointsPegged
    | events.HandCounted
    | events.MugginsCalled
    | events.RenegeRuled
)
"""The only events that peg points. Corrections can move pegs too."""


def _scores_at_the_start(state: State) -> list[int]:
    """Return the scores before the first deal: pone has three for last, if the rules have that."""
    scores = [0] * state.sides
    if state.rules.three_for_last and state.deal is not None:
        scores[1 - state.deal.dealer] = 3
    return scores


_LEADS_TO = {(row.event, entry, row.phase): row.to for row in TABLE for entry in row.entries}


def leads_to(event: type[Event], entry: Entry, phase: Phase) -> frozenset[Phase]:
    """Return the phases that *event* can lead to from *phase*. Empty if the event is illegal there."""
    return _LEADS_TO.get((event, entry, phase), frozenset())


def check_start(before: State, event: events.GameStarted, after: State) -> None:
    """Check that only the tally of the match is kept in a new game."""
    assert after.phase is (Phase.CUT if event.dealer is None else Phase.DEAL)
    assert after.phase in leads_to(type(event), before.entry, before.phase)
    assert list(after.scores()) == _scores_at_the_start(after)
    assert (after.names, after.rules, after.entry) == (event.names, event.rules, event.entry)
    assert [after.level(seat) for seat in range(after.players)] == list(event.levels or [""] * after.players)
    assert not after.levels or after.entry is Entry.DEALT, "the machine sits only where it deals"
    assert [one.games for one in after.tally] == [one.games for one in event.tally] or not event.tally
    assert tell(event, after)
    assert taken_back(LogEntry(before, event, after))
    if before.winner is not None and event.tally:
        assert event.tally == before.tally_now


def check_move(before: State, event: Event, after: State) -> None:
    """Check all laws for *event*, which led from *before* to *after*."""
    if isinstance(event, events.GameStarted):
        check_start(before, event, after)
        return
    _check_phase(before, event, after)
    _check_pegs(before, event, after)
    _check_winner(after)
    _check_win(before, after)
    _check_deal(after)
    if after.entry is Entry.DEALT:
        _check_by_machine(before, event, after)
    assert before.rules == after.rules
    assert before.entry == after.entry
    assert before.levels == after.levels
    assert before.tally == after.tally
    assert hash(after) == hash(after), "nothing in it can change"
    assert parse_event(print_event(event)) == event
    assert tell(event, after)
    assert taken_back(LogEntry(before, event, after))
    assert all(call(outcome) for outcome in after.outcomes)
    assert all(reason.text for reason in (*reasons_of(after), *automatic(before, event, after)))


def check_line(line: list[Event], state: State) -> None:
    """Check that the record of a game replays to the same state."""
    assert fold((parse_event(print_event(event)) for event in line), NEW_TABLE) == state


def _check_phase(before: State, event: Event, after: State) -> None:
    assert after.phase in leads_to(type(event), before.entry, before.phase)
    if after.winner is not None:
        assert after.phase is (Phase.MATCH_OVER if _is_match_over(after) else Phase.GAME_OVER)
        return
    assert after.phase not in OVER
    assert after.won_in is None
    if isinstance(event, events.FalseWinRuled):
        _check_false_win(before, after)


def _check_false_win(before: State, after: State) -> None:
    """Check that the game continues where the win was claimed."""
    if before.winner is None or before.won_in is None:
        assert after.phase is before.phase
        return
    showed = isinstance(
        before.outcomes[-1].event,
        events.HandShown | events.CribShown | events.HandCounted | events.PointsPegged,
    )
    if before.won_in is Phase.CRIB and showed:
        assert after.phase is Phase.DEAL
    elif before.won_in is Phase.SHOW and showed:
        assert before.deal is not None
        assert after.deal is not None
        assert after.deal.shown == before.deal.shown + 1
        assert after.phase is (Phase.CRIB if after.deal.shown == after.players else Phase.SHOW)
    else:
        assert after.phase is before.won_in
        assert (after.deal and after.deal.shown) == (before.deal and before.deal.shown)


def _is_match_over(state: State) -> bool:
    """Return whether the match is over, computed directly from the option's text."""
    kind, _, number = state.rules.match.rpartition("-")
    games = [one.games for one in state.tally_now]
    if kind == "first-to":
        return max(games) >= int(number)
    if kind == "best-of":
        return 2 * max(games) > int(number) or sum(games) >= int(number)
    return False


def _check_pegs(before: State, event: Event, after: State) -> None:
    fresh = () if after.outcomes is before.outcomes else after.outcomes
    assert all(outcome.event is event for outcome in fresh)
    target = after.rules.target
    for side in range(after.sides):
        points = sum(outcome.points for outcome in fresh if outcome.side == side)
        was, now = before.pegs[side], after.pegs[side]
        assert now.front == min(was.front + points, target), (
            "a score changes only by an event that explains it"
        )
        assert 0 <= now.front <= target
        assert 0 <= now.back <= target
        if now == was:
            continue
        match event:
            case events.Misdealt():
                assert before.deal is not None
                assert now == before.deal.pegs[side]
            case events.PenaltyPegged(of) | events.ScorePutRight(of) if of == side:
                assert now.back == was.back
            case events.ScorePutRight(of):
                assert after.rules.overpegged == "to-the-other"
                assert now.back == was.front
                given = before.pegs[of].front - after.pegs[of].front
                assert now.front - was.front == min(given, target - was.front) > 0
            case events.FalseWinRuled(claimer) if claimer == side:
                assert now.back == was.back
            case events.CardCut() | events.DealerChosen():  # scores may have been set before the deal
                assert now.front == min(was.front + _scores_at_the_start(after)[side], target)
            case _:
                assert isinstance(event, SCORING | events.FalseWinRuled)
                assert now.front > now.back >= was.front
    for outcome in fresh:
        _check_outcome(outcome, after.rules)


def _check_outcome(outcome: Outcome, rules: Rules) -> None:
    truth, event = total(outcome.scores), outcome.event
    assert all(score.points > 0 for score in outcome.scores)
    if outcome.counted_by_player is not None:
        assert rules.miscount != "machine"
        assert outcome.points == min(truth, outcome.counted_by_player)
        assert outcome.missed == truth - outcome.points
    elif outcome.scores:
        assert outcome.points == truth
    elif outcome.points and isinstance(event, events.HandShown | events.CribShown | events.HandCounted):
        assert rules.miscount == "muggins", "the other side takes what was missed"
    elif outcome.points:
        by_people = (events.PointsPegged, events.MugginsCalled, events.RenegeRuled, events.FalseWinRuled)
        assert isinstance(event, (*by_people, events.PenaltyPegged, events.ScorePutRight, events.Misdealt))
    if not rules.last_card:
        assert all(score.kind is not Kind.LAST for score in outcome.scores)
    if not rules.heels:
        assert all(score.kind is not Kind.HEELS for score in outcome.scores)


def _check_win(before: State, after: State) -> None:
    """Check that a go, last card or jack did not win from the stinkhole if the rules forbid that."""
    if after.winner is None or before.winner is not None or after.rules.stinkhole == "any":
        return
    front = before.pegs[after.winner].front
    for outcome in after.outcomes:
        for score in outcome.scores if outcome.side == after.winner else ():
            barred = (
                {Kind.HEELS} if after.rules.stinkhole == "not-heels" else {Kind.HEELS, Kind.GO, Kind.LAST}
            )
            assert score.kind not in barred or front != after.rules.target - 1
            front += score.points


def _check_winner(after: State) -> None:
    there = [side for side, pegs in enumerate(after.pegs) if pegs.front == after.rules.target]
    assert there == ([] if after.winner is None else [after.winner]), (
        "exactly one, at the first event that is there"
    )
    assert sum(after.games) == sum(one.games for one in after.tally) + (after.winner is not None)


def _check_deal(after: State) -> None:
    deal = after.deal
    assert (deal is None) <= (after.phase in {Phase.CUT} | OVER)
    if deal is None:
        return
    playing = after.phase is Phase.PLAY and after.entry is not Entry.PEG
    assert after.phase in OVER or (deal.turn is not None) == playing
    assert deal.count <= 31
    assert all(len(deal.hand(seat)) <= _keeps(after) for seat in range(after.players))
    assert len(deal.crib) <= 4
    assert 0 <= deal.shown <= after.players
    assert all(pegs.front < after.rules.target for pegs in deal.pegs), "a misdeal cannot win"
    if after.phase is Phase.DEAL and not deal.seen:
        assert [pegs.front for pegs in deal.pegs] == list(after.scores()), "nothing of it is pegged yet"
    if deal.heels_open:
        assert deal.starter is not None
        assert deal.starter.rank is Rank.JACK
        assert not deal.played[deal.dealer], "too late after the dealer's first card"
    if playing:
        assert deal.turn is not None
        assert deal.cards_left(deal.turn)
        assert deal.turn not in deal.out
        assert deal.count < 31, "thirty-one closes the count by itself"
    if after.phase in {Phase.SHOW, Phase.CRIB} and after.entry is not Entry.PEG:
        assert not deal.pile
        if after.rules.play_rounds == "all":
            assert [len(played) for played in deal.played] == [_keeps(after)] * after.players
        shown = deal.show_order[: deal.shown]
        assert all(len(deal.hand(seat)) == _keeps(after) for seat in shown), (
            "a hand is known before it is pegged"
        )
    if after.phase is Phase.SHOW:
        assert deal.shower == (deal.dealer + 1 + deal.shown) % after.players, "pone first, the dealer last"
    if after.phase is Phase.CRIB:
        assert deal.shower == deal.dealer


def _keeps(state: State) -> int:
    return 3 if state.rules.deal == "five-card" else 4


def _check_by_machine(before: State, event: Event, after: State) -> None:
    """Check a deal by the computer: no card is in two places or moves unseen, and all cards are there."""
    assert not isinstance(
        event, events.HandDealt | events.HandCardTurned | events.CribCardTurned | events.NewCountLed
    ), "what the machine knows is not entered"
    deal, was = after.deal, before.deal
    if deal is None or not any(deal.dealt):
        return
    size = {2: 6, 3: 5, 4: 5}[after.players] if _keeps(after) == 4 else 5
    assert [len(dealt) for dealt in deal.dealt] == [size] * after.players
    assert len(deal.from_pack) == (after.players == 3)
    assert (deal.to_turn is None) == (deal.starter is not None)
    starter = deal.starter or deal.to_turn
    there = [*(card for dealt in deal.dealt for card in dealt), *deal.from_pack, starter]
    assert len(set(there)) == len(there) == size * after.players + (after.players == 3) + 1
    assert all(card is not None and card.suit is not None for card in there)
    assert not deal.crib_turned_up
    for seat, dealt in enumerate(deal.dealt):
        mine = (*deal.discards[seat], *deal.hand(seat))
        assert set(mine) <= set(dealt)
        assert len(set(mine)) == len(mine)
    assert len(deal.crib) == (4 if all(deal.discards) else len(deal.crib))
    assert not deal.reneges(), "who holds a card that fits plays it"
    if after.phase is Phase.SHOW:
        assert len(deal.hand(deal.shower)) == _keeps(after)
    if was is not None and any(was.dealt) and was.number == deal.number:
        assert (deal.dealt, deal.from_pack) == (was.dealt, was.from_pack)
        assert starter == (was.starter or was.to_turn), "the starter is settled by the shuffle"
    else:
        assert isinstance(event, events.PackShuffled)
        dealer_left = [(deal.dealer + step) % after.players for step in range(1, after.players + 1)]
        in_turn = [deal.dealt[seat][card] for card in range(size) for seat in dealer_left]
        assert (*in_turn, *deal.from_pack, starter) == event.cards[: len(there)], "a card at a time"


def check_sentence(refused: RuleError) -> None:
    """Check that an error message is a sentence, as far as a program can tell."""
    text = str(refused)
    assert len(text.split()) > 3
    assert not text.endswith((".", "!"))
