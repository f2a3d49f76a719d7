"""The commands, as someone at a prompt meets them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image
from support.refusals import is_line_with

from cribpi.cli import main
from cribpi.commands.run import kit_of
from cribpi.companion.run.config import Config

BOARD_SET_DEALS = (
    # The starter, each card and go, and what they peg, as the sheet tells them; A is pone, seat 0.
    ("K", "9 6 6 5 GO 4 GO 10 7 10", {"6:1": 2, "6:2": 2, "4": 3, "GO:2": 1, "10:2": 1}),
    ("K", "8 7 7 6 GO GO 5", {"7:1": 2, "7:2": 2, "GO:2": 1}),
)


def run(*arguments: str) -> int:
    return main(arguments)


def states(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert run(*arguments) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


# --- score ---


@pytest.mark.parametrize(
    ("arguments", "points", "why"),
    [
        (("7H 8C 8D KS", "--starter", "9S"), 12, "board-set's own example, by other cards"),
        (("5c 5d 5s jh", "--starter", "5h"), 29, "the only 29, in lower case"),
        (("2H 4H 8H KH", "--starter", "6S"), 4, "a four-card flush in a hand"),
        (("2H 4H 8H KH", "--starter", "6S", "--crib"), 0, "and none in a crib"),
        (("T♠ 10♥ 9♦ 8♣", "--starter", "2"), 8, "suit signs, and T for 10"),
        (("2H 4H 8H", "--starter", "6S", "--rules", "five-card"), 3, "three cards are a hand, and a flush"),
        (("2H 4H 8H KH", "--starter", "6H", "--rules", "five-card", "--crib"), 5, "and a crib has four"),
    ],
)
def test_a_hand_is_scored(
    arguments: tuple[str, ...], points: int, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("score", *arguments, "--json") == 0, why
    found = json.loads(capsys.readouterr().out)
    assert found["points"] == points == sum(score["points"] for score in found["scores"]), why


def test_a_score_explains_itself_as_the_contract_says(capsys: pytest.CaptureFixture[str]) -> None:
    run("score", "7H 8C 8D KS", "--starter", "9S", "--json")
    told = json.loads(capsys.readouterr().out)
    why = [score.pop("why") for score in told["scores"]]
    assert [(one["rule"], one["source"]) for one in why] == [
        (kind, "board-set") for kind in ("fifteen", "fifteen", "pair", "run", "run")
    ]
    assert all(one["text"] and one["words"] for one in why)
    assert told == {
        "points": 12,
        "call": "fifteen two, fifteen four, and a double run is twelve",
        "scores": [
            {"kind": "fifteen", "points": 2, "cards": ["7H", "8C"]},
            {"kind": "fifteen", "points": 2, "cards": ["7H", "8D"]},
            {"kind": "pair", "points": 2, "cards": ["8C", "8D"]},
            {"kind": "run", "points": 3, "cards": ["7H", "8C", "9S"]},
            {"kind": "run", "points": 3, "cards": ["7H", "8D", "9S"]},
        ],
        "may_be": [],
    }


def test_a_score_is_called_as_players_do_and_in_steps_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    run("score", "7H 8C 8D KS", "--starter", "9S")
    assert capsys.readouterr().out == "12: fifteen two, fifteen four, and a double run is twelve\n"
    in_steps = (
        "fifteen two, fifteen four, and a pair is six, and a run of three is nine, "
        "and a run of three is twelve"
    )
    run("score", "7H 8C 8D KS", "--starter", "9S", "--steps")
    assert capsys.readouterr().out == f"12: {in_steps}\n"
    run("score", "7H 8C 8D KS", "--starter", "9S", "--steps", "--json")
    assert json.loads(capsys.readouterr().out)["call"] == in_steps


TYPED = [
    # the hand and the options, what it counts
    (("7H 8C 8D KS 9S",), 12),
    (("7H8C8DKS9S",), 12),
    (("555J 5",), 28),
    (("5H5S5DJC5C",), 29),
    (("7H 8C 8D KS | 9S",), 12),
    (('"7H","8C","8D","KS","9S"',), 12),
    (("7H;8C;8D;KS", "--starter", "9\u2660\ufe0f"), 12),
    (("seven of hearts, 8 of clubs, 8\u2662, \U0001f0ae", "--starter", "NINE"), 12),
    (("2H 4H 8H KH 6S",), 4),
    (("2H 4H 8H KH 6S crib",), 0),
    (("2H 4H 8H KH | 6S CRIB",), 0),
    (("2H 4H 8H KH Crib", "--starter", "6S"), 0),
    (("2H,4H,8H,KH,6S,crib",), 0),
    (("Crib: 2H 4H 8H KH, 6S",), 0),
    (("2H 4H 8H KH crib | 6S",), 0),
    (("2H 4H 8H KH 6S (crib)",), 0),
]


@pytest.mark.parametrize(("arguments", "points"), TYPED)
def test_a_hand_is_scored_as_people_type_it(
    arguments: tuple[str, ...], points: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("score", *arguments, "--json") == 0
    assert json.loads(capsys.readouterr().out)["points"] == points


def test_lines_are_read_as_a_spreadsheet_or_a_person_writes_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (
        "# Tuesday",
        "",
        '"7H","8C","8D","KS","9S"',
        "7H;8C;8D;KS;9S\r",
        "7H\t8C\t8D\tKS\t9S",
        "  # the second deal",
        "2H 4H 8H KH | 6S CRIB",
        "\t",
        "'2H','4H','8H','KH','6S','Crib'",
        "5\u2665\ufe0f5\u2660\ufe0f5\u2666\ufe0fJ\u2663\ufe0f5\u2663\ufe0f",
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert run("score", "-") == 0
    assert capsys.readouterr().out.split() == ["12", "12", "12", "0", "0", "29"]


def test_cards_are_typed_alike_for_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    run("count", "4,2-3/5\u2665 six", "--json")
    assert [play["points"] for play in json.loads(capsys.readouterr().out)["plays"]] == [0, 0, 3, 4, 5]
    plain = run("advise", "5H 6C 7D JS QS KH", "--dealer", "--json"), capsys.readouterr().out
    assert plain == (run("advise", "5h6c7djsqskh", "--dealer", "--json"), capsys.readouterr().out)
    by_suit = states(capsys, "simulate", "OK OK P1 5H 7D 8 8S 5C", "--json")
    typed = states(capsys, "simulate", "OK OK P1 5\u2665\ufe0f seven of diamonds 8,8 \u2660,5c", "--json")
    assert typed == by_suit
    assert typed[-1]["pile"] == ["7D", "8", "8S", "5C"]


def test_hands_are_scored_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("7H 8C 8D KS | 9S\n2H 4H 8H KH | 6S\n2H 4H 8H KH | 6S crib\n")
    )
    assert run("score", "-") == 0
    assert capsys.readouterr().out == "12\n4\n0\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("7H 8H 9H KH\n7H 8H 9H AH KH crib\n"))
    assert run("score", "-", "--rules", "five-card") == 0
    assert capsys.readouterr().out == "9\n10\n"


def test_a_bad_line_ends_it_with_its_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("7H 8C 8D KS | 9S\n7H 8C 8D | 9S\n"))
    assert run("score", "-") == 2
    out, err = capsys.readouterr()
    assert out == "12\n"
    assert err.startswith("cribpi score: line 2: ")


IN_PART = [
    # hand and starter, options, points, what else it may be, what is said of that, why
    ("5H 5S 5D JC 5", (), 29, [], "", "the 5 of clubs is the last: nobs is certain"),
    ("5H 5S 5D J 5C", (), 28, [29], "(it may be 29: ", "the jack may be of clubs"),
    ("JH JC JD JS 5", (), 21, [], "", "one jack is of the starter's suit"),
    ("2H 4H 8H KH 6", (), 4, [5], "(it may be 5: ", "the starter may be a heart"),
    ("2H 4H 8H KH 6", ("--crib",), 0, [5], "(it may be 5: ", "in a crib only five count"),
    ("2H 4H 8H K 6S", (), 0, [4], "(it may be 4: ", "the king may be a heart"),
    ("2H 4H 8H KS 6", (), 0, [], "", "no suit makes a flush of it"),
    ("7 8 8 K 9", (), 12, [], "", "a pair is no flush, and there is no jack"),
    ("4 5 6 J 5", (), 16, [17, 20], "(it may be 17 or 20: ", "a jack with the starter's rank in hand"),
    ("2 4 8 J 6", (), 0, [1, 4, 6], "(it may be 1, 4 or 6: ", "flush and nobs"),
]


@pytest.mark.parametrize(("hand", "options", "points", "may_be", "says", "why"), IN_PART)
def test_where_suits_are_known_in_part_the_certain_counts_and_the_rest_is_told(
    hand: str,
    options: tuple[str, ...],
    points: int,
    may_be: list[int],
    says: str,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("score", hand, *options) == 0
    first, *more = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{points}: "), why
    assert [line.startswith(says) for line in more] == [True] * bool(says), why
    run("score", hand, *options, "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["points"], found["may_be"]) == (points, may_be), why
    monkeypatch.setattr("sys.stdin", io.StringIO(hand + " crib" * bool(options)))
    run("score", "-")
    assert capsys.readouterr().out == f"{points}\n", why


# --- count ---


def test_each_card_of_a_count_tells_what_it_pegs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("count", "4 2 3 5 6", "--json") == 0
    plays = json.loads(capsys.readouterr().out)["plays"]
    assert [(play["card"], play["count"], play["points"]) for play in plays] == [
        ("4", 4, 0),
        ("2", 6, 0),
        ("3", 9, 3),
        ("5", 14, 4),
        ("6", 20, 5),
    ]
    assert plays[2]["scores"] == [{"kind": "run", "points": 3, "cards": ["4", "2", "3"]}]
    assert run("count", "K Q J A") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "  A  31  thirty-one for two"


# --- errors ---


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("score", "7H 8C 8D", "--starter", "9S"), "has 3 cards"),
        (("score", "7H 8C 8D XX", "--starter", "9S"), "'XX' is not a card"),
        (("score", "7H 7H 8D KS", "--starter", "9S"), "7H twice"),
        (("score", "7 7 7 7", "--starter", "7"), "5 cards of rank 7"),
        (("score", "7H 8C 8D KS"), "has 4 cards and no starter: write four cards and the starter"),
        (("score", "7H"), "has 1 card and no starter"),
        (("score", "7H 8C 8D KS 9S 2"), "has 6 cards: write four cards and the starter"),
        (("score", "9S | 7H 8C 8D KS"), "has 1 card and 4 starters"),
        (("score", "9S 7H 8C 8D KS crib crib"), "'crib' is not a card"),
        (("score", "7H 8C 8D | KS 9S"), "has 3 cards and 2 starters"),
        (("score", "7H 8C 8D KS", "--starter", ""), "has 4 cards and no starter"),
        (("score", "7H 8C 8D KS 9S", "--starter", "9S"), "has 5 cards and 1 starter"),
        (("score", "5H5", "--starter", "9S"), "'5H5' can be read in two ways: put a space between the cards"),
        (("count", "1"), "'1' is not a card: write A for an ace, 10 for a ten"),
        (("score", "-", "--json"), "whole lines"),
        (("count", "K K K K"), "over 31"),
        (("count", "K Q J 2"), "takes the count to 32, over 31"),
        (("count", ""), "no cards"),
        (("replay", "/no/such/file.crib"), "give a game record"),
        (("simulate", "OK XX"), "'XX' is not a card: write a rank"),
        (("simulate", "OK 11"), "'11' is not a card: write A for an ace, 10 for a ten"),
        (("simulate", "OK 5 H 6"), "'5 H 6' can be read in two ways"),
        (("simulate", "ok"), "keys that are not cards: GO FLNB P1 P2 P3 UP DOWN LEFT RIGHT UNDO MENU OK"),
        (("simulate", "OK", "--kit", "none"), "none"),
        (("run", "--state", "/dev/null/x"), "--state"),
        (("run", "--kit", "/no/kit.toml"), "/no/kit.toml"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert says in err


@pytest.mark.parametrize("command", ["run", "doctor"])
def test_the_settings_may_not_ask_more_current_than_the_kit_is_drawn_for(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cribpi").mkdir()
    (tmp_path / "cribpi" / "config.toml").write_text('kit = "table-3"\nmax_ma = 1500\n', encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run(command, "--sim", "--state", str(tmp_path / "games")) == 2
    facts = ("max_ma = 1500", "table-3 allows 500", "power.strip", "your own kit")
    assert is_line_with(capsys.readouterr().err, f"cribpi {command}: ", *facts)


@pytest.mark.parametrize("most", [0, 400, 500])
def test_the_settings_may_ask_as_much_current_as_the_kit_allows_or_less(most: int) -> None:
    assert kit_of(Config(kit="table-3", max_ma=most)).name == "table-3"


@pytest.mark.parametrize(
    "arguments", [("fly",), ("score",), ("count", "7", "--loud"), ("run", "--port", "x")]
)
def test_a_wrong_argument_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("command", ["run", "score", "count", "replay", "simulate"])
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(command, "--help")
    assert ended.value.code == 0
    assert f"example: cribpi {command}" in capsys.readouterr().out


# --- simulate ---


@pytest.mark.parametrize(("starter", "plays", "pegs"), BOARD_SET_DEALS)
def test_the_sheets_deals_peg_as_the_sheet_says(
    starter: str, plays: str, pegs: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    found = states(capsys, "simulate", f"OK OK P2 {starter} {plays}", "--json")[5:]
    seen: dict[str, int] = {}
    for key, state in zip(plays.split(), found, strict=True):
        seen[key] = seen.get(key, 0) + 1
        last = state["last"]
        assert isinstance(last, dict)
        assert last["points"] == pegs.get(f"{key}:{seen[key]}", pegs.get(key, 0)), (key, last)


def test_a_refused_press_gives_its_state_with_the_error_and_the_script_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, idle, menu = states(capsys, "simulate", "7 OK", "--json")
    assert "error" not in first
    assert (idle.pop("error"), idle.pop("told")) == ("No game yet. OK: New game", "No game yet")
    why = idle.pop("why")
    assert isinstance(why, dict)
    assert why["rule"] == "keys"
    assert idle == first
    assert menu["phase"] == "new-game"
    assert menu["seq"] == 1


def test_the_same_seed_deals_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    def played(seed: str) -> str:
        dealt = ("--entry", "dealt", "--levels", "thrifty,thrifty", "--rule", "target=61")
        end = states(capsys, "simulate", "OK OK", *dealt, "--seed", seed, "--json")[-1]
        assert end["phase"] == "game-over"
        return f"{end['seq']} {end['sides']}"

    assert played("5") == played("5") != played("6")


def test_pictures_of_glass_and_board_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("simulate", "OK OK P1 5 10", "--png", str(tmp_path)) == 0
    capsys.readouterr()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(f"{place:04}-{what}.png" for place in range(6) for what in ("board", "glass"))
    with Image.open(tmp_path / "0005-glass.png") as glass:
        assert glass.size == (768, 384)
        assert glass.getextrema() == (0, 255)


# --- replay ---


def test_a_record_is_played_through_the_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.crib"
    record.write_text(
        'cribpi record 1\ngame "ANN" "BOB" dealer=1\nstarter J\nplay 0:5 1:10\n', encoding="utf-8"
    )
    found = states(capsys, "replay", str(record), "--json")
    assert [state["phase"] for state in found] == ["deal", "play", "play", "play"]
    assert found[-1]["count"] == 15
    sides = found[-1]["sides"]
    assert isinstance(sides, list)
    assert [side["front"] for side in sides] == [0, 4]


def test_a_record_with_calls_that_only_an_earlier_version_took_is_read_with_its_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.crib"
    calls = "muggins 1 0 1\n" * 3 + "muggins 1 0 2 wrong\n" * 2
    record.write_text(
        'cribpi record 1\ngame "ANN" "BOB" rules=acc-muggins dealer=1\nstarter 5\n'
        f"play 0:10 1:Q 0:A 1:4 0:6 1:9 0:8 1:2\nshow 0 counted=4\n{calls}",
        encoding="utf-8",
    )
    found = states(capsys, "replay", str(record), "--json")
    scores = [[side["front"] for side in state["sides"]] for state in (found[-6], found[-1])]  # type: ignore[attr-defined]
    assert scores == [[6, 1], [10, 4]]
    assert run("import", str(record), "--state", str(tmp_path / "state")) == 0


def test_a_corrupt_record_names_line_and_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.crib"
    record.write_text(
        'cribpi record 1\ngame "ANN" "BOB" dealer=1\nstarter 9\nplay 0:5 1:XX\n', encoding="utf-8"
    )
    assert run("replay", str(record)) == 2
    assert "line 4, column 10: 'XX' is not a card" in capsys.readouterr().err


def test_a_record_of_a_later_version_says_what_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.crib"
    record.write_text("cribpi record 2\n", encoding="utf-8")
    assert run("replay", str(record)) == 2
    assert capsys.readouterr().err.endswith(
        "line 1, column 1: it is a version 2 record, and this cribpi reads version 1: update cribpi\n"
    )


def test_an_illegal_event_of_a_record_names_line_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.crib"
    record.write_text('cribpi record 1\ngame "ANN" "BOB" dealer=1\nstarter 9\nplay 1:5\n', encoding="utf-8")
    assert run("replay", str(record)) == 2
    assert "line 4, column 6: it is ANN's turn" in capsys.readouterr().err
