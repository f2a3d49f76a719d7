"""`cribpi advise`: what it prints, and what it refuses."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from support.program import ended
from support.refusals import is_line_with

import cribpi
from cribpi.cli import main
from cribpi.cribbage.analysis import tables
from cribpi.cribbage.game.cards import PACK
from cribpi.cribbage.game.events import Event, GameStarted
from cribpi.cribbage.players.games import game
from cribpi.cribbage.players.levels import opponent
from cribpi.cribbage.record import print_record
from cribpi.cribbage.review.decisions import Which
from cribpi.cribbage.review.review import review
from cribpi.cribbage.rules.rules import STANDARD, preset
from cribpi.workshop.tables import make

HAND = "5H 6C 7D JS QS KH"


def advised(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["advise", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_every_way_is_there_once_and_the_best_stands_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = advised(HAND, "--dealer", "--score", "96-101", "--json", capsys=capsys)
    assert (code, err, out.count("\n")) == (0, "", 1)
    ways = json.loads(out)["ways"]
    assert len({frozenset(way["away"]) for way in ways}) == 15
    assert all(sorted(way["away"] + way["keep"]) == sorted(HAND.split()) for way in ways)
    assert (ways[0]["away"], ways[0]["keep"]) == (["6C", "7D"], ["5H", "JS", "QS", "KH"])
    wins = [way["win"] for way in ways]
    assert wins == sorted(wins, reverse=True)
    assert all(0 <= win <= 1 for win in wins)
    for way in ways:
        assert way["points"] == pytest.approx(way["hand"] + way["crib"] + way["play"], abs=2e-4)
        assert way["crib"] > 0
        assert way["why"]


def test_a_pone_gives_its_cards_to_the_other_side(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = advised(HAND, "--pone", "--json", capsys=capsys)
    assert all(way["crib"] < 0 for way in json.loads(out)["ways"])


def test_people_are_given_a_table_and_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = advised(HAND, "--dealer", capsys=capsys)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split() == ["discard", "keep", "hand", "crib", "play", "wins"]
    assert len(lines) == 1 + 15 + 2
    assert lines[-1] == (
        "Keep 5 J Q K (average 11.4) and give 6 7 to your crib (4.8); J Q instead: 3.5 less in the hand, "
        "0.1 less in your crib, 1.6 more in the play."
    )


def test_three_players_are_dealt_five_and_lay_one_away(capsys: pytest.CaptureFixture[str]) -> None:
    three = ("--rules", "lowe", "--rule", "players=3")
    code, out, _ = advised("5H 6C 7D JS QS", "--dealer", *three, "--json", capsys=capsys)
    ways = json.loads(out)["ways"]
    assert (code, len(ways), {len(way["away"]) for way in ways}) == (0, 5, {1})
    assert all(way["win"] is None and way["play"] is None for way in ways)
    _, out, _ = advised("5H 6C 7D JS QS", "--pone", *three, capsys=capsys)
    assert out.splitlines()[0].split() == ["discard", "keep", "hand", "crib"]
    assert "the dealer's crib" in out


REFUSED = [
    # hand                   arguments                       what is said
    ("5H 6C 7D JS QS", ("--dealer",), "has 5 cards: with 2 players you are dealt 6"),
    ("5H 6C 7D JS QS KH AH", ("--pone",), "has 7 cards"),
    ("5H", ("--dealer",), "has 1 card: with"),
    ("", ("--dealer",), "has 0 cards: with"),
    ("5H 6C 7D JS QS KH", ("--dealer", "--rule", "players=3"), "has 6 cards: with 3 players you are dealt 5"),
    ("5H 6C 7D JS QS 5H", ("--pone",), "5H twice"),
    ("5H 6C 7D JS QS 1X", ("--pone",), "is not a card"),
    ("5H 6C 7D JS QS K", ("--pone",), "K has no suit"),
    (HAND, ("--pone", "--score", "121-3"), "121 has won a game to 121"),
    (HAND, ("--pone", "--score", "60-61", "--rules", "travel-61"), "61 has won a game to 61"),
    (HAND, ("--pone", "--score", "3-99999"), "99999 has won a game to 121"),
    (HAND, ("--pone", "--score", "3--5"), "write your score and your opponent's, such as 96-101"),
    (HAND, ("--pone", "--score", "-3-5"), "expected one argument"),
    (HAND, ("--pone", "--score=-3-5"), "write your score and your opponent's, such as 96-101"),
    (HAND, ("--pone", "--score", "many"), "write your score and your opponent's, such as 96-101"),
    (HAND, ("--pone", "--rules", "nobody"), "nobody"),
    (HAND, (), "whose crib is it? add --dealer if it is yours, or --pone"),
    (HAND, ("--dealer", "--starter", "5H"), "--starter belongs to the play: give the cards of this count"),
    (HAND, ("--dealer", "--hand", "5H"), "--hand belongs to the play"),
    (HAND, ("--dealer", "--pone"), "not allowed with"),
]


@pytest.mark.parametrize(("hand", "arguments", "words"), REFUSED)
def test_what_makes_no_sense_is_refused_in_one_sentence(
    hand: str, arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code, out, err = advised(hand, *arguments, capsys=capsys)
    except SystemExit as ended:  # argparse's own
        said = capsys.readouterr()
        code, out, err = int(ended.code or 0), said.out, said.err
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_a_card_to_play_is_ranked_with_what_decides(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = advised(
        *("--play", "7", "--hand", "9 J 8 8", "--starter", "2H", "--score", "96-101", "--discards", "K Q"),
        capsys=capsys,
    )
    assert (code, err) == (0, "")
    head, best, *_ = lines = out.splitlines()
    assert head.split() == ["card", "pegs", "reply", "go", "points", "wins"]
    assert best.split() == ["8", "2", "65%", "0%", "+5.39", "44.2%"]
    assert lines[5].startswith(
        "Play the 8: fifteen for two. A 6 or 9 makes a run of three, an 8 a pair (65% "
    )
    assert lines[5].endswith("You win 44.2% from here, 22.8% with the J.")
    assert lines[-1] == "This count: opponent 7."
    assert len(lines) == 1 + 3 + 1 + 3 + 2


def test_a_card_to_play_in_json_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = advised(
        "--play", "10 J", "--hand", "5 4 A", "--starter", "2H", "--pone", "--json", capsys=capsys
    )
    found = json.loads(out)
    assert (code, found["plays"]) == (
        0,
        [{"seat": "you", "card": "10"}, {"seat": "opponent", "card": "J"}],
    )
    best = found["ways"][0]
    assert found["why"] == best["why"]
    assert (best["card"], best["count"], best["pegs"]) == ("5", 25, 0)
    assert best["replies"] == [{"makes": "thirty-one", "ranks": ["6"]}, {"makes": "a pair", "ranks": ["5"]}]
    assert [way["card"] for way in found["ways"]] == ["5", "4", "A"]
    wins = [way["win"] for way in found["ways"]]
    assert wins == sorted(wins, reverse=True)
    assert all(0 <= way[figure] <= 1 for way in found["ways"] for figure in ("reply", "go", "win"))


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (
            ("--play", "", "--hand", "5 4 A 5"),
            "This count: yours to lead. Add --starter for the chance of winning.",
        ),
        (
            ("--play", "7 8 8", "--hand", "7 J"),
            "This count: you 7, opponent 8, you 8; opponent said go. Add --st",
        ),
        (
            ("--play", "7 8", "--hand", "9 J"),
            "This count: you 7, opponent 8. Add the earlier cards with --before ",
        ),
        (("--play", "8", "--hand", "9 3", "--before", "10 J 9"), "This count: opponent 8. Add --starter"),
        (
            ("--play", "8 7 9", "--hand", "4 6 9 A", "--rule", "players=4"),
            "This count: left 8, partner 7, right 9.",
        ),
        (("--play", "8 7", "--hand", "4 6 9 A", "--rule", "players=3"), "This count: left 8, right 7."),
    ],
)
def test_it_is_said_how_the_cards_were_taken(
    arguments: tuple[str, ...], last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = advised(*arguments, capsys=capsys)
    assert code == 0
    assert out.splitlines()[-1].startswith(last)


def test_with_more_players_a_card_is_ranked_by_points(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = advised(
        *("--play", "8 7 9", "--hand", "4 6 9 A", "--rule", "players=4", "--json"), capsys=capsys
    )
    ways = json.loads(out)["ways"]
    assert ways[0]["card"] == "6"
    assert ways[0]["why"].startswith("Play the 6: a run of four for four. An A makes thirty-one. It scores ")
    assert all(way["win"] is way["reply"] is way["go"] is None for way in ways)


@pytest.mark.parametrize(
    ("play", "hand", "said"),
    [
        ("7 8 8", "9 J", "Say go: 9 makes 32 and J 33, over 31"),
        ("10 J 9", "9 3 K", "Say go: 9 makes 38, 3 32 and K 39, over 31"),
        ("10 J 9", "K K", "Say go: K makes 39, over 31"),
    ],
)
def test_where_nothing_fits_the_advice_is_to_say_go(
    play: str, hand: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert advised("--play", play, "--hand", hand, capsys=capsys) == (0, f"{said}\n", "")
    _, out, _ = advised("--play", play, "--hand", hand, "--json", capsys=capsys)
    assert json.loads(out) == {"plays": [], "ways": [], "why": said}


REFUSED_IN_THE_PLAY = [
    # play     hand        arguments                  what is said
    ("7 8", "9 J 8", (HAND,), "with --play, give the cards you have left with --hand"),
    ("7 8", None, (), "give the cards you have left with --hand"),
    ("7 8", "", (), "you have one to four cards left when you play"),
    ("7 8", "9 J 8 2 3", (), "you have one to four cards left when you play"),
    ("7 8 8", "8 8 8", (), "5 cards of rank 8"),
    ("7H 8", "9 J 7H", (), "7H twice"),
    ("7 8", "9 J 1", (), "is not a card"),
    ("7 8 8 9", "J 2", (), "--play '7 8 8 9' is 32, over 31: a count ends there; \"before\" is for"),
    ("7 8 8 8", "J 2", (), 'is 31, a count that is over; "before" is for the cards of earlier counts'),
    ("7 8", "9 J 2", ("--starter", "5H 6H"), "the starter is one card"),
    ("7 8", "9 J 2", ("--starter", ""), "the starter is one card"),
    ("7 8", "9 J 2", ("--discards", "K"), "with 2 players you discard 2"),
    ("7 8", "9 J 2", ("--discards", "K K", "--rule", "players=3"), "with 3 players you discard 1"),
    ("7 8", "9 J 2", ("--score", "121-3"), "121 has won a game to 121"),
    ("7 8", "9 J 2", ("--dealer",), "it can't be your turn after 7 8: check the cards, their order and who"),
    ("8", "4 2 3", ("--before", "10 10 10"), "with 3 of your cards left it can't be your turn after"),
    ("", "4 2 3 A", ("--dealer",), "it can't be your turn after no card"),
]


@pytest.mark.parametrize(("play", "hand", "arguments", "words"), REFUSED_IN_THE_PLAY)
def test_what_cannot_be_in_the_play_is_refused_in_one_sentence(
    play: str, hand: str | None, arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = () if hand is None else ("--hand", hand)
    code, out, err = advised("--play", play, *given, *arguments, capsys=capsys)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def a_home(folder: Path) -> Path:
    """Copy the program, so that its tables can be damaged; return where they lie."""
    shutil.copytree(Path(cribpi.__file__).parent, folder / "cribpi")
    return folder / "cribpi" / "cribbage" / "analysis" / "data"


def from_home(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return ended(*arguments, folder=folder, PYTHONPATH=str(folder))


@pytest.mark.parametrize("name", ["laying-away-2", "pegging-2"])
def test_a_table_without_which_there_is_no_advice_is_named_with_the_remedy(name: str, tmp_path: Path) -> None:
    (a_home(tmp_path) / f"{name}.npz").unlink()
    done = from_home(tmp_path, "advise", HAND, "--dealer", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert is_line_with(done.stderr, "cribpi advise: ", name, "missing", "make tables", "install cribpi")


def test_a_table_that_can_be_worked_out_is_and_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, whole, _ = advised(HAND, "--dealer", "--score", "100-90", "--json", capsys=capsys)
    data = a_home(tmp_path)
    make.write(data / "winning-2.npz", {"players": 3}, tables.load("winning-2").arrays)
    done = from_home(tmp_path, "advise", HAND, "--dealer", "--score", "100-90", "--json")
    assert done.returncode == 0
    wins = [[way["win"] for way in json.loads(out)["ways"]] for out in (whole, done.stdout)]
    assert wins[0] == pytest.approx(wins[1], abs=2e-4)
    assert done.stderr.startswith(
        "the chances of winning are calculated again: the table winning-2 cannot be used"
    )
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("asked", [(HAND, "--dealer"), ("--play", "7", "--hand", "9 J 8 8")])
def test_without_numpy_there_is_no_advice_and_it_is_said_in_one_line(
    asked: tuple[str, ...], tmp_path: Path
) -> None:
    a_home(tmp_path)
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text(
        "raise ImportError('many\\n\\nlines') from OSError('libopenblas.so.0: no such file')"
    )
    done = from_home(tmp_path, "advise", *asked)
    assert (done.returncode, done.stdout) == (2, "")
    why = "OSError: libopenblas.so.0: no such file"
    assert is_line_with(done.stderr, "cribpi advise: ", "NumPy", why, "install")


def test_no_other_command_loads_what_advice_needs() -> None:
    program = (
        "import sys; from cribpi.cli import main; main(['score', '7H 8C 8D KS', '--starter', '9S']);"
        "print([name for name in sys.modules if name.startswith(('numpy', 'cribpi.cribbage.analysis', "
        "'cribpi.cribbage.players'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


# --- with the game so far ---


def record_of_a_game(path: Path) -> list[Event]:
    chance = Random(5)
    seats = (opponent("solid", chance=chance), opponent("thrifty", chance=chance))
    events = [event for event, _ in game(seats, STANDARD, lambda _: chance.sample(PACK, len(PACK)))]
    path.write_text(print_record(events), encoding="utf-8")
    return events


def test_with_the_game_so_far_a_card_is_worth_what_the_review_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, seen, differ = tmp_path / "game.crib", 0, 0
    events = record_of_a_game(record)
    for one in review(events).decisions:
        sight = one.sight
        if one.which is not Which.PLAY or not sight.past or one.number % 3:
            continue
        record.write_text(print_record(events[: one.number - 1]), encoding="utf-8")
        asked = [
            *("--play", " ".join(map(str, sight.pile)), "--hand", " ".join(map(str, sight.hand))),
            *("--before", " ".join(map(str, sight.earlier)), "--starter", str(sight.starter)),
            *("--discards", " ".join(map(str, sight.discards))),
            "--dealer" if sight.seat == sight.dealer else "--pone",
            *("--score", f"{sight.scores[sight.side]}-{sight.scores[1 - sight.side]}", "--json"),
        ]
        with_game = ("--game", str(record), "--name", f"SEAT {sight.seat}")
        told, plain = (
            {
                way["card"][:-1]: way["win"]
                for way in json.loads(advised(*asked, *more, capsys=capsys)[1])["ways"]
            }
            for more in (with_game, ())
        )
        wins = {option.cards[0].rank.symbol: option.chance for option in one.options}
        assert {rank: round(win, 3) for rank, win in told.items()} == pytest.approx(wins, abs=1.1e-3)
        seen, differ = seen + 1, differ + (told != plain)
    assert seen > 5
    assert differ > seen / 2, "the record says nothing"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--name", "ANN"), "--name is your name in a record: give the record with --game"),
        (("--game", "game.crib"), "who are you in game.crib? add --name, one of SEAT 0, SEAT 1"),
        (
            ("--game", "game.crib", "--name", "ANN"),
            "who are you in game.crib? add --name, one of SEAT 0, SEAT 1",
        ),
        (("--game", "none.crib", "--name", "ANN"), "none.crib: "),
        (("--game", "empty.crib", "--name", "ANN"), "empty.crib: "),
        (
            ("--game", "three.crib", "--name", "ANN"),
            "three.crib: expert reads one opponent only, with hands of four",
        ),
    ],
)
def test_a_game_that_says_nothing_is_refused(
    more: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    record_of_a_game(Path("game.crib"))
    Path("empty.crib").write_text(print_record([]), encoding="utf-8")
    begun = GameStarted(("ANN", "BOB", "CY"), preset("standard", 3), dealer=0)
    Path("three.crib").write_text(print_record([begun]), encoding="utf-8")
    code, out, err = advised("--play", "7 8", "--hand", "9 3", *more, capsys=capsys)
    assert (code, out) == (2, "")
    assert said in err
