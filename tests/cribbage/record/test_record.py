"""The game record: parse and print are inverses, and what is corrupt is named by line and column."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games, paths

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.game.steps.points import PLAY_POINTS
from cribpi.cribbage.record import (
    HEADER,
    KEYWORDS,
    Comment,
    RecordError,
    parse,
    parse_event,
    parse_places,
    print_event,
    print_record,
)
from cribpi.cribbage.rules import errors, seats
from cribpi.cribbage.rules.rules import Rules

comments = st.builds(
    Comment,
    st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=30).map(str.strip),
)


@given(games.any_event)
def test_each_event_reads_back_from_its_line(event: Event) -> None:
    assert parse_event(print_event(event)) == event


@given(st.lists(games.any_event | comments, max_size=12).map(tuple))
def test_a_record_reads_back_from_its_text(entries: tuple[Event | Comment, ...]) -> None:
    text = print_record(entries)
    assert parse(text) == entries
    assert print_record(parse(text)) == text


def test_every_event_has_a_line_and_every_line_an_event() -> None:
    lines = {
        'game "A" "B" rules=standard target=121 entry=cards': events.GameStarted,
        'names "A" "B"': events.SeatsNamed,
        "cut 0 7": events.CardCut,
        "dealer 1": events.DealerChosen,
        "pack 7H 8C": events.PackShuffled,
        "dealt 0 A 2 3 4 5": events.HandDealt,
        "laid-away 0 A 2": events.Discarded,
        "starter 10S": events.StarterTurned,
        "heels": events.HeelsTaken,
        "play 0:7H": events.CardPlayed,
        "play 0:go": events.GoSaid,
        "play 0:lead:7": events.NewCountLed,
        "hand-card 0 7": events.HandCardTurned,
        "show 0 flush-4 counted=12": events.HandShown,
        "crib-card 7": events.CribCardTurned,
        "crib flush-5 nobs": events.CribShown,
        "peg 0 2 fifteen": events.PointsPegged,
        "count 0 A 2 3 4 5": events.HandCounted,
        "next": events.StepPassed,
        "penalty 0 -2": events.PenaltyPegged,
        "put-right 0 40": events.ScorePutRight,
        "misdeal": events.Misdealt,
        "muggins 0 1 2 wrong": events.MugginsCalled,
        "renege 1 2": events.RenegeRuled,
        "false-win 0 118": events.FalseWinRuled,
    }
    assert {type(parse_event(line)): line for line in lines} == {kind: line for line, kind in lines.items()}
    assert set(lines.values()) == set(get_args(Event))
    assert {line.split()[0] for line in lines} == set(KEYWORDS)
    assert [print_event(parse_event(line)) for line in lines] == list(lines)


READ_ALIKE = [
    # as a person may write it                    as it is printed                            why
    ("starter  th", "starter 10H", "spaces and small letters"),
    ("  play 0:7   1:8", "play 0:7 1:8", "an indented line"),
    ("play 0:7\nplay 1:8", "play 0:7 1:8", "the cards of a play on two lines"),
    ("#quiet", "# quiet", "a comment without a space"),
    ("#", "", "an empty comment is an empty line"),
    ("starter 5\r", "starter 5", "a line that ends as on Windows"),
    ('game "A" "B"', 'game "A" "B" rules=standard target=121 entry=cards', "settings left out"),
    (
        'game "A" "B" dealer=1 target=61',
        'game "A" "B" rules=standard target=61 entry=cards dealer=1',
        "order",
    ),
    ("penalty 0 2", "penalty 0 +2", "a penalty without its sign"),
    ("show 0 nobs flush-5", "show 0 flush-5 nobs", "claims in another order"),
    ("show 0 nobs flush-5 counted=08", "show 0 flush-5 nobs counted=8", "a count as people write it"),
    (
        'game "A" "B" skunk=on miscount=muggins rules=acc stake=2-3-3',
        'game "A" "B" rules=acc target=121 miscount=muggins entry=cards',
        "only what the house has changed is printed",
    ),
    (
        'game "A" "B" rules=travel-61',
        'game "A" "B" rules=travel-61 target=61 entry=cards',
        "the preset brings its target",
    ),
    (
        'game "A" "B" last_card=1 target=61 rules=travel-61',
        'game "A" "B" rules=travel-61 target=61 last_card=1 entry=cards',
        "what the preset did not have at first is said, though it has it now",
    ),
    (
        'game "A" "B" spread=0,0 skunks=0-0 points=0-0 games=1-0',
        'game "A" "B" rules=standard target=121 entry=cards games=1-0',
        "a tally of games alone",
    ),
    (r'names "A \"B\"" "C\\D"', r'names "A \"B\"" "C\\D"', "quotes and backslashes in names"),
]


@pytest.mark.parametrize(("written", "printed", "why"), READ_ALIKE)
def test_a_record_that_a_person_wrote_is_printed_in_one_form(written: str, printed: str, why: str) -> None:
    assert print_record(parse(f"{HEADER}\n{written}\n")) == f"{HEADER}\n{printed}\n", why


def test_the_last_line_may_lack_its_end() -> None:
    assert parse(f"{HEADER}\nnext") == parse(f"{HEADER}\nnext\n") == (events.StepPassed(),)
    assert parse(HEADER) == ()


CORRUPT = [
    # after the header              line, column  says
    ("jump 0", 2, 1, "'jump' begins no line of a record"),
    ("next\n  jump", 3, 3, "begins no line"),
    ("starter", 2, 1, "a card is missing"),
    ("starter 1X", 2, 9, "'1X' is not a card"),
    ("starter 7 8", 2, 11, "'8' is unexpected"),
    ("next a b", 2, 6, "'a' is unexpected"),
    ("cut 0 7 8 9", 2, 9, "'8' is unexpected"),
    ("cut x 7", 2, 5, "'x': write the seat as a number"),
    ("cut 0", 2, 5, "a card is missing"),
    ("dealer", 2, 1, "seat is missing"),
    ("dealer 12345", 2, 8, "write the seat as a number"),
    ("dealer 1.5", 2, 8, "write the seat as a number"),
    ("dealer \u0661", 2, 8, "write the seat as a number"),
    ("dealt 0 A 2 zz 4", 2, 13, "'zz' is not a card"),
    ("play", 2, 1, "at least one"),
    ("play 0:7 1:8 x", 2, 14, "'x' is not a play"),
    ("play 0:7 1:1", 2, 10, "'1' is not a card"),
    ("play 0:", 2, 6, "is not a play"),
    ("play 10:7", 2, 6, "is not a play"),
    ("play \u0661:7", 2, 6, "is not a play"),
    ("play 0:lead:", 2, 6, "is no"),
    ("play 0:lead:go", 2, 6, "is not a card"),
    ("show 0 flush", 2, 8, "'flush' is not a claim"),
    ("show 0 flush-4 flush-5", 2, 16, "is not a claim"),
    ("show 0 nobs nobs", 2, 13, "is not a claim"),
    ("crib 0", 2, 6, "'0' is not a claim"),
    ("peg 0", 2, 5, "points is missing"),
    ("peg 0 2 luck", 2, 9, "'luck' is not a kind"),
    ("peg 0 2 pair x", 2, 14, "is unexpected"),
    ("count 0 A 2 3", 2, 13, "a card is missing"),
    ("count 0 A 2 3 4 5 6", 2, 19, "is not a claim"),
    ("penalty 0 much", 2, 11, "'much': write the points as a number"),
    ("put-right 0", 2, 11, "score is missing"),
    ('game "A" "B" colour=red', 2, 14, "'colour' is not a setting"),
    ('game "A" "B" target=61 target=61', 2, 24, "is given twice"),
    ('game "A" "B" target=much', 2, 14, "target=much is not offered: choose 121"),
    ('game "A" "B" target=30', 2, 14, "choose 121 or 61"),
    ('game "A" "B" rules=house', 2, 14, "not known"),
    ('game "A" "B" entry=eyes', 2, 14, "cards, peg or dealt"),
    ('game "A" "B" dealer=x', 2, 14, "is not a value for dealer"),
    ('game "A" "B" dealer=1 games=3', 2, 23, "is not a value for games"),
    ('game "A" "B" target=122 dealer=1', 2, 14, "choose 121 or 61"),
    ('game "A" "B" crib_flush=six dealer=1', 2, 14, "choose five, four"),
    ('game "A" "B" stake=3-2-1 dealer=1', 2, 14, "such as 2-3-3"),
    (f'game "A" "B" stake={"9" * 5000}-1-1', 2, 14, "three numbers from 1 to 9"),
    ('game "A" "B" match=best-of-0 dealer=1', 2, 14, "choose open, first-to-3"),
    ('game "A" "B" dealer=1 players=3', 2, 23, "'players' is not a setting"),
    ('game "A" "B" "C" rules=acc', 2, 18, "acc is not for 3 players: choose 2 players"),
    ('game "A"', 2, 6, "standard is not for 1 player: choose 2, 3 or 4 players"),
    ('game "A" "B" games=1-2 points=1-2-3', 2, 24, "not for the same number of sides"),
    ('game "A" "B" spread=1-1', 2, 14, "such as 51,-51"),
    ("show 0 counted=-1", 2, 8, "as counted=12"),
    ("show 0 counted=5 nobs", 2, 8, "'counted=5' is not a claim"),
    ("crib counted=", 2, 6, "as counted=12"),
    ("muggins 0 1 2 right", 2, 15, "only wrong can follow"),
    ("muggins 0 1", 2, 11, "points is missing"),
    ("misdeal 0", 2, 9, "'0' is unexpected"),
    ("heels 2", 2, 7, "'2' is unexpected"),
    ("renege 0", 2, 8, "points is missing"),
    ("false-win x 3", 2, 11, "'x': write the side as a number"),
    ("hand-card 0", 2, 11, "a card is missing"),
    ('game "A', 2, 6, "between double quotes"),
    ('names "A" "', 2, 11, "between double quotes"),
    (r'names "A" "B\"', 2, 11, "between double quotes"),
    ('names "A" B', 2, 11, "is unexpected"),
]


@pytest.mark.parametrize(("text", "line", "column", "says"), CORRUPT)
def test_what_is_corrupt_is_named_by_its_line_and_column(
    text: str, line: int, column: int, says: str
) -> None:
    with pytest.raises(RecordError) as found:
        parse(f"{HEADER}\n{text}\n")
    assert (found.value.line, found.value.column) == (line, column), str(found.value)
    assert says in found.value.problem
    assert str(found.value).startswith(f"line {line}, column {column}: ")


@pytest.mark.parametrize("text", ["", "\n", "cribpi record one\n", "next\n", "\ncribpi record 1\n", "PGN"])
def test_a_text_without_the_header_is_no_record(text: str) -> None:
    with pytest.raises(RecordError, match="line 1, column 1: a record begins with the line"):
        parse(text)


@pytest.mark.parametrize("line", ["", "# only a comment", "play 0:7 1:8", "next\nnext", "play"])
def test_a_line_that_is_not_one_event_is_refused(line: str) -> None:
    with pytest.raises(RecordError):
        parse_event(line)


def test_places_name_each_play_by_its_own_column() -> None:
    places = [
        (line, column) for line, column, _ in parse_places(f"{HEADER}\n# hello\nplay 0:7  1:go\nnext\n")
    ]
    assert places == [(2, 1), (3, 6), (3, 11), (4, 1)]


words = st.sampled_from(
    [
        *KEYWORDS,
        "0",
        "1",
        "9",
        "-1",
        "0:7",
        "1:go",
        "0:lead:8",
        "7H",
        "10",
        '"A"',
        '"',
        "\\",
        "flush-4",
        "nobs",
        "target=61",
        "games=1-2",
        "dealer=0",
        "#",
        "\n",
        "\t",
        "٣",
        "²",
        "\u2028",
        "\x00",
        "�",
    ]
)


@given(st.lists(words, max_size=15).map(" ".join) | st.text(max_size=60))
def test_any_text_is_a_record_or_raises_a_record_error(text: str) -> None:
    for whole in (text, f"{HEADER}\n{text}"):
        try:
            entries = parse(whole)
        except RecordError as bad:
            places = (bad.line, bad.column)
        else:
            places = (1, 1)
            assert parse(print_record(entries)) == entries
        assert min(places) >= 1


@given(st.lists(games.any_event, min_size=1, max_size=4), st.data())
def test_a_record_with_one_character_changed_is_read_or_refused(
    some: list[Event], data: st.DataObject
) -> None:
    text = print_record(some)
    place = data.draw(st.integers(0, len(text) - 1))
    changed = text[:place] + data.draw(st.characters()) + text[place + 1 :]
    try:
        entries = parse(changed)
    except RecordError:
        return
    assert parse(print_record(entries)) == entries


# --- the page that documents it ---------------------------------------------------------------------

PAGE = (paths.DOCS / "reference" / "record.md").read_text(encoding="utf-8")
RECORDS = re.findall(r"```crib\n(.*?)```", PAGE, re.DOTALL)
LINES = re.findall(r"```crib-lines\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", RECORDS)
def test_each_record_of_the_page_plays_and_is_printed_as_it_stands(text: str) -> None:
    entries = parse(text)
    state = State()
    for line, _, entry in parse_places(text):
        if isinstance(entry, Comment):
            told = re.findall(r"(?:ANN|BOB) ([0-9]+)", entry.text)
            if told:
                assert state.scores() == tuple(map(int, told)), f"line {line}"
            continue
        state = step(state, entry)
    assert parse(print_record(entries)) == entries


def test_the_example_game_of_the_page_is_whole_and_in_printed_form() -> None:
    [whole] = [text for text in RECORDS if "has won" in text]
    state = fold(entry for entry in parse(whole) if not isinstance(entry, Comment))
    assert state.winner == 0
    assert state.scores() == (31, 7)
    assert print_record(parse(whole)) == whole


@pytest.mark.parametrize("text", LINES)
def test_each_line_of_the_page_is_in_printed_form(text: str) -> None:
    entries = parse(f"{HEADER}\n{text}")
    printed = print_record(entries).splitlines()[1:]
    if text.startswith("game "):
        assert len(entries) == len(text.splitlines())
    elif text.startswith("play "):
        assert printed == [text.replace("\nplay", "").strip()]
    else:
        assert printed == text.splitlines()


def test_the_page_tells_of_every_line_kind_and_setting() -> None:
    assert re.findall(r"^### ([a-z-]+)$", PAGE, re.MULTILINE) == list(KEYWORDS)
    table = re.findall(r"^\| `([a-z-]+)[^|]*\| [a-z]", PAGE, re.MULTILINE)
    assert table[: len(KEYWORDS)] == list(KEYWORDS)
    examples = [
        parse_event(line) for text in LINES for line in text.splitlines() if not line.startswith("play")
    ]
    plays = [entry for text in LINES if text.startswith("play") for entry in parse(f"{HEADER}\n{text}")]
    assert {type(event) for event in (*examples, *plays)} == set(get_args(Event))
    for word in (*map(str, PLAY_POINTS), "heels", "flush-4", "flush-5", "nobs", *map(str, Entry)):
        assert re.search(rf"`[^`]*\b{word}\b[^`]*`", PAGE), word


# --- what the page says to those who write converters ------------------------------------------------

GAMES = sorted(paths.GAMES.glob("*.crib"))
PASSED_OVER = re.findall(r"```crib\n(.*?)```", PAGE.split("### play")[1].split("### hand-card")[0], re.DOTALL)


def written_play(cards: Sequence[tuple[int, Card]], players: int, dealer: int, rules: Rules) -> list[str]:
    """Return the play of a deal as a converter writes it that knows who played which card, and this page."""
    words: list[str] = []
    left, out, count = [rules.sizes.hand] * players, list[int](), 0
    last = dealer
    turn: int | None = seats.left_of(dealer, players)

    def still_in(after: int) -> int | None:
        order = seats.around(after, players)
        return next((seat for seat in order if left[seat] and seat not in out), None)

    def close() -> int | None:
        nonlocal count
        first, count = out[:1], 0
        out.clear()
        if first and rules.lead_after_close == "first-go":
            return first[0]
        return still_in(last)

    for seat, card in cards:
        while turn != seat or count + card.rank.pips > 31:
            assert turn is not None, "somebody plays who cannot"
            words.append(f"{turn}:go")
            out.append(turn)
            after = still_in(turn)
            turn = close() if after is None else after
        words.append(f"{seat}:{card}")
        count, last = count + card.rank.pips, seat
        left[seat] -= 1
        after = None if count == 31 else still_in(seat)
        turn = (None if rules.play_rounds == "one" else close()) if after is None else after
    while turn is not None:  # by one count only, cards may be left
        words.append(f"{turn}:go")
        out.append(turn)
        turn = still_in(turn)
    return words


def events_of(text: str) -> list[Event]:
    return [entry for entry in parse(text) if not isinstance(entry, Comment)]


def deals_of(text: str) -> Iterator[tuple[Deal, State, list[Event]]]:
    """Give each deal whose play went to its end, without a lead or a wrong go in it; with the state then, and
    the play."""
    state = State()
    play: list[Event] = []
    for event in events_of(text):
        before, state = state, step(state, event)
        if isinstance(event, events.StarterTurned):
            play = []
        elif before.phase is Phase.PLAY and isinstance(event, PLAYS):
            play.append(event)
            is_over = state.phase is Phase.SHOW and not any(
                isinstance(one, events.NewCountLed) for one in play
            )
            if is_over and state.deal is not None and not state.deal.reneges():
                yield state.deal, state, play


PLAYS = (events.CardPlayed, events.GoSaid, events.NewCountLed)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_by_the_page_a_converter_writes_the_goes_of_every_recorded_deal(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert converted(text) > 1 or "entry=peg" in text


@pytest.mark.parametrize("text", PASSED_OVER)
def test_a_go_more_or_less_than_in_the_pages_examples_is_refused(text: str) -> None:
    """Wherever it is put: a seat says go once a count, and nobody after the last card of it."""
    head, _, rest = text.partition("play ")
    plays = rest.splitlines()[0].split()
    goes = {f"{seat}:go" for seat in range(head.count('"') // 2)}
    wrong = [
        [*plays[:at], go, *plays[at:]]
        for at in range(1, len(plays) + 1)
        for go in goes - {*plays[at : at + 1]}
    ]
    wrong += [plays[:at] + plays[at + 1 :] for at, play in enumerate(plays) if play in goes]
    assert len(wrong) > 2 * len(plays) - 2
    fold(events_of(f"{head}play {' '.join(plays)}\n"))
    for words in wrong:
        with pytest.raises(errors.RuleError):
            fold(events_of(f"{head}play {' '.join(words)}\n"))


def test_the_pages_first_example_of_it_is_a_whole_play() -> None:
    assert [converted(text) for text in PASSED_OVER] == [1]


def converted(text: str) -> int:
    """See that the goes of each whole play of a record are those that the page asks for; return how many
    plays."""
    deals = 0
    for deal, state, play in deals_of(text):
        cards = [(one.seat, one.card) for one in play if isinstance(one, events.CardPlayed)]
        told = written_play(cards, state.players, deal.dealer, state.rules)
        assert told == [print_event(one).removeprefix("play ") for one in play]
        deals += 1
    return deals


LONG = [
    # a line of a record that is far too long
    "play " + "0:7 " * 250_000,
    "pack " + "7H " * 330_000,
    "7" * 1_000_000,
    f'names "{"x" * 1_000_000}" "B"',
]


@pytest.mark.parametrize("line", LONG, ids=lambda line: line[:9])
def test_a_line_of_millions_is_refused_and_takes_little_memory(line: str) -> None:
    text = f'{HEADER}\ngame "A" "B"\n{line}\n'
    tracemalloc.start()
    with pytest.raises(RecordError, match="only a comment can have more than 10,000") as refused:
        for _ in parse_places(text):
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (refused.value.line, refused.value.column) == (3, 1)
    assert peak < 3 * len(text)


def test_a_long_comment_is_kept_as_it_is() -> None:
    text = print_record([Comment("a long evening " * 1000 + "ends")])
    assert print_record(parse(text)) == text


@given(st.lists(st.sampled_from(["", "# a", "#", "# b\r"]), max_size=5), st.sampled_from(["", "\n"]))
def test_the_lines_are_those_of_the_text(lines: list[str], end: str) -> None:
    text = "\n".join((HEADER, *lines)) + end
    split = text.removesuffix("\n").split("\n")[1:]
    assert [line for line, _, _ in parse_places(text)] == list(range(2, len(split) + 2))
