"""What is heard: every score once, in words that can be spoken, and nothing that is hidden or taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from support import games, paths
from support.greedy_games import greedy_game
from support.records import MISSED
from support.tables import opened, play_on

from cribpi.companion.run.voice_caller import news
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.record import HEADER, Comment, parse
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.speech import Sound, sound, spoken_text
from cribpi.cribbage.words.tell import call

Line = list[tuple[State, Event, State]]
"""Each event with the states before and after it."""

SILENT = (
    events.GameStarted,
    events.SeatsNamed,
    events.CardCut,
    events.DealerChosen,
    events.PackShuffled,
    events.HandDealt,
    events.Discarded,
    events.HandCardTurned,
    events.CribCardTurned,
)
"""Of these nothing is said: nobody scores by them, and some are closed."""


def line_of(text: str) -> Line:
    return moments(entry for entry in parse(text) if not isinstance(entry, Comment))


def moments(happened: Iterable[Event]) -> Line:
    state, line = NEW_TABLE, []
    for event in happened:
        after = step(state, event)
        line.append((state, event, after))
        state = after
    return line


def heard(*lines: str) -> list[tuple[str, str | None]]:
    """Return what is said at each event of a record's *lines* after the first, and its sound."""
    return [(spoken_text(*one), sound(*one)) for one in line_of("\n".join((HEADER, *lines)))[1:]]


def test_a_deal_is_called_as_players_call_it() -> None:
    assert heard(
        'game "ANN" "BLUE" dealer=1 rules=standard',
        "starter 5",
        "play 0:3 1:Q 0:Q 1:5 0:go 1:go 0:J 1:J 0:10 1:go 1:K",
        "show 0 nobs",
        "show 1",
        "crib-card 5",
        "crib-card 9",
        "crib-card 6",
        "crib-card 8",
        "crib",
    ) == [
        ("the starter is a five", "card"),
        ("three", "card"),
        ("thirteen", "card"),
        ("twenty-three for two", "peg"),
        ("twenty-eight", "card"),
        ("go", "go"),
        ("one for the go", "go"),
        ("ten", "card"),
        ("twenty for two", "peg"),
        ("thirty", "card"),
        ("one for the go", "go"),
        ("ten and one for last", "go"),
        (
            "fifteen two, fifteen four, fifteen six, and a run of three is nine, and one for his nobs is ten",
            "peg",
        ),
        (
            (
                "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, "
                "and a pair is fourteen, and a run of three is seventeen"
            ),
            "peg",
        ),
        *[("", None)] * 4,
        ("the crib: fifteen two, and a pair is four", "peg"),
    ]


SAID = [
    # lines after 'game "ANN" "BLUE" dealer=1', what is said of the last, its sound
    (("starter JH",), "the starter is the jack of hearts: two for his heels", Sound.HEELS),
    (("starter 8",), "the starter is an eight", Sound.CARD),
    (("starter 8", "play 0:7 1:8"), "fifteen for two", Sound.FIFTEEN),
    (("starter 8", "play 0:K 1:Q 0:A 1:10"), "thirty-one for two", Sound.THIRTY_ONE),
    (("starter 8", "play 0:K 1:Q 0:6 1:go"), "go", Sound.GO),
    (("starter 8", "put-right 0 120", "play 0:7 1:8 0:8"), "twenty-three for two; Ann wins", Sound.WIN),
    (
        ("starter 8", "put-right 1 101", "put-right 0 121", "false-win 0 90"),
        "Ann: a false claim of the game, thirty-one back; Blue takes twenty for a false claim; Blue wins",
        Sound.WIN,
    ),
    (("starter 8", "put-right 0 120", "play 0:7 1:8 0:8", 'names "EVE" "BLUE"'), "", None),
    (("starter 8", "put-right 0 13"), "Ann: score set to 13", Sound.PEG),
    (("starter 8", "put-right 0 13", "penalty 0 -2"), "Ann: a penalty of two", None),
    (("starter 8", "penalty 0 +2"), "Ann: two by a ruling", Sound.PEG),
]


@pytest.mark.parametrize(("lines", "words", "tune"), SAID)
def test_what_is_said_and_heard_of_an_event(lines: tuple[str, ...], words: str, tune: Sound | None) -> None:
    assert heard('game "ANN" "BLUE" dealer=1 false_win=lose', *lines)[-1] == (words, tune)


def test_who_takes_what_was_missed_is_said() -> None:
    words, tune = heard(*MISSED, "play 1:5", "show 0 counted=4")[-1]
    assert (words[-41:], tune) == ("four counted, two missed; muggins for two", Sound.PEG)


def check(line: Line) -> None:
    """Check that each score is heard once, that the words can be spoken, and that what is closed stays so."""
    opened = ""
    """The words at which the hand or crib lay open that is pegged next."""
    for before, event, after in line:
        words, tune = spoken_text(before, event, after), sound(before, event, after)
        ours = [outcome for outcome in after.outcomes if outcome.event is event]
        count = call(ours[0]).replace('"', "") if ours else ""
        if isinstance(event, events.HandShown | events.CribShown) and count not in words:
            assert count in opened, "it is said where it is pegged, or before"
        else:
            assert bool(ours) <= bool(words), "what is scored is said"
        opened = words if re.search(" shows: |the crib: ", words) else opened
        assert any(outcome.points > 0 for outcome in ours) <= (tune is not None), "and heard"
        assert not (isinstance(event, SILENT) and (words or tune) and not ours)
        assert not re.search(r"[^\w ,;:'+-]|\b(10|[AJQK2-9])[CDHS]\b", words), "no sign, no card in short"
        is_won = after.winner is not None and after.winner != before.winner
        assert is_won is words.endswith((" wins", " win")) is (tune is Sound.WIN)


@pytest.mark.parametrize("record", sorted(paths.GAMES.glob("*.crib")), ids=lambda path: path.stem)
def test_of_every_recorded_game_all_that_scores_is_heard(record: Path) -> None:
    check(line_of(record.read_text(encoding="utf-8")))


@pytest.mark.parametrize("rules", games.ALL_PRESETS, ids=lambda rules: f"{rules.name}-{rules.players}")
@pytest.mark.parametrize("entry", Entry)
def test_whatever_happens_all_that_scores_is_heard(rules: Rules, entry: Entry) -> None:
    chance = Random(7)
    start = games.random_start(chance, rules.players, entry, rules)
    line = moments([start])
    for _ in range(150):
        state, event = line[-1][2], games.random_event(line[-1][2], chance)
        try:
            line.append((state, event, step(state, event)))
        except RuleError:
            continue
    check(line)


def test_a_whole_game_is_said_once_and_what_is_taken_back_is_not(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        chance, spoken, undone = Random(3), 0, 0
        for _ in range(600):
            before = table.now
            play_on(table, chance, 1)
            words = news(before, table.now)
            if len(table.now.log) <= len(before.log):
                assert words == ""
                undone += len(table.now.log) < len(before.log)
            elif words:
                spoken += 1
                state, event, after = before.state, table.now.log[-1].event, table.now.state
                assert words == spoken_text(state, event, after)
        assert spoken > 20
        assert undone > 5


def test_a_hand_that_the_computer_dealt_is_counted_when_it_lies_open_and_not_again() -> None:
    line = moments(greedy_game(3, ("ANN", "BOB"), 61))
    shows = [words for one in line if " shows: " in (words := spoken_text(*one)) or "the crib: " in words]
    pegged = [event for _, event, _ in line if isinstance(event, events.HandShown | events.CribShown)]
    assert len(shows) == len(pegged)
    assert re.fullmatch(r"[a-z-]+ and one for last; (Ann|Bob) shows: .+", shows[0])
    assert (re.fullmatch(r"(Ann|Bob) shows: .+", shows[1]), shows[2][:10]) != (None, "the crib: ")
    assert spoken_text(*line[-1]) == f"{line[-1][2].names[line[-1][2].winner or 0].title()} wins"


def test_of_a_game_that_the_computer_deals_no_closed_card_is_named() -> None:
    for before, event, after in moments(greedy_game(5, ("ANN", "BOB"))):
        named = re.findall(r"the \w+ of (?:clubs|diamonds|hearts|spades)", spoken_text(before, event, after))
        assert len(named) == isinstance(event, events.StarterTurned)
