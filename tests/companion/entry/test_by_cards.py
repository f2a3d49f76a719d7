"""Keys in a game kept by cards: who deals and leads, and what players count."""

from __future__ import annotations

import pytest
from support.presses import NAMES, PLAY, Model, at, last, prompt

from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.view import view_of
from cribpi.cribbage.game import events
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.rules.errors import ImpossiblePoints
from cribpi.cribbage.rules.rules import preset
from cribpi.cribbage.words.shows import noted


@pytest.mark.parametrize(("draw", "dealer"), [(0, 0), (1, 1), (2, 2), (3, 0), (98, 2)])
def test_chance_gives_the_first_deal_to_every_seat(draw: int, dealer: int) -> None:
    model = Model()
    model.events.append(events.GameStarted(NAMES[:3], preset("standard", 3)))
    model.states.append(fold(model.events))
    model.press("OK", draw)
    assert last(model) == events.DealerChosen(dealer)


def who_led(model: Model) -> int:
    event = last(model)
    assert isinstance(event, events.NewCountLed)
    return event.seat


def test_ok_leads_the_new_count_for_who_said_go_first_where_the_house_has_it_so() -> None:
    text = "8 K Q 7 GO 3 K OK"  # ANN said go at 27, and BOB played on to 30
    assert who_led(at(text, players=3, lead_after_close="first-go")) == 0
    assert who_led(at(text, players=3)) == 2


def test_ok_leads_the_new_count_for_the_seat_to_the_left_of_the_last_to_play() -> None:
    model = at("7 K Q 9 GO K OK", players=3)
    assert who_led(model) == 0
    assert who_led(at("7 K Q 5 5 K OK", players=3)) == 1, "30 by ANN: all say go"


def test_go_does_not_throw_a_count_away_that_is_typed() -> None:
    model = at(f"{PLAY} 5", "acc")
    with pytest.raises(WrongKey):
        model.press("GO")
    assert model.input_state.typed == (5,)


@pytest.mark.parametrize("rules", ["acc", "acc-muggins"])
def test_a_count_cannot_grow_without_end(rules: str) -> None:
    model = at(f"{PLAY} 10 10", rules)
    with pytest.raises(ImpossiblePoints, match="counts 30"):
        model.press("10")


@pytest.mark.parametrize("rules", ["acc", "acc-muggins"])
def test_a_count_on_the_way_to_another_may_be_one_that_no_hand_has(rules: str) -> None:
    assert at(f"{PLAY} 10 9", rules).input_state.amount == 19
    assert at(f"{PLAY} 10 9 A OK", rules).state.scores() == at(f"{PLAY} 6 OK", rules).state.scores()


# --- wrong goes -------------------------------------------------------------------------------------


def remarks(model: Model) -> list[tuple[int, int]]:
    """Return the wrong goes that are remarked on now, each by its seat and its count."""
    return [(wrong.seat, wrong.go.count) for wrong in noted(model.state)]


def test_where_the_play_ends_early_a_wrong_go_is_remarked_on_at_its_seats_show() -> None:
    # Both say go at 23; ANN then turns up a seven, and BOB an ace and two more that would have fitted.
    turned = "9 10 5 8 GO GO"
    assert remarks(at(turned, "use-and-care")) == []
    assert remarks(at(f"{turned} 7", "use-and-care")) == [], "a card of the hand is still down"
    assert remarks(at(f"{turned} 7 K", "use-and-care")) == [(0, 23)]
    assert remarks(at(f"{turned} 7 K OK", "use-and-care")) == []
    assert remarks(at(f"{turned} 7 K OK A 2 3", "use-and-care")) == [(1, 23)], "and no more on ANN's"
    assert remarks(at(f"{turned} 7 K OK A 2 3 OK", "use-and-care")) == []


def test_where_all_is_played_every_wrong_go_is_remarked_on_when_the_play_ends_and_no_later() -> None:
    played = "9 10 5 8 GO 5 GO K 4 2 6"  # BOB said go at 23, and held a two and a six
    assert remarks(at(played)) == [(1, 23)]
    assert remarks(at(f"{played} OK")) == []
    assert remarks(at(played, renege="2")) == [], "there it is asked about"


def test_the_remark_on_a_wrong_go_names_every_card_that_singly_fitted() -> None:
    said = "BOB said go at 23, but held the 2 6"
    played = "9 10 5 8 GO 5 GO K 4 2 6"
    remarked, asked = at(played), at(played, renege="2")
    assert view_of(remarked.state, remarked.input_state).remark == said
    assert prompt(asked.state, asked.input_state).startswith(said), "and where it is asked about"
