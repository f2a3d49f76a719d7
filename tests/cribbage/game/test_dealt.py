"""A game that the machine deals: what follows from the pack, and what each seat may do with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import games
from support.referee import Referee
from support.refusals import refused

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import (
    Discarded,
    Entry,
    Event,
    GameStarted,
    PackShuffled,
    StarterTurned,
)
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import fold, step
from cribpi.cribbage.record import HEADER, Comment, RecordError, parse, parse_event, print_event
from cribpi.cribbage.results.games import next_game
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.errors import (
    BadSetup,
    ImpossibleCards,
    ImpossibleClaim,
    MustPlay,
    NotHeld,
    RuleError,
    WrongPhase,
)
from cribpi.cribbage.rules.rules import changed, preset
from cribpi.cribbage.words.cards import parse_cards
from cribpi.cribbage.words.tell import tell
from cribpi.cribbage.words.why import automatic

DEALS = {
    # dealt from the dealer's left, a card at a time; then with three the crib's card; then the starter
    2: "4H 5H 5S 6D 6S 7C 10C 10D JS QD KD KH 5C",
    3: "4H 5H 6H 5S 6D 6S 7C 7D 8C 10C 10D 10H JS QD KD AS 5C",
    4: "4H 5H 6H 7H 5S 6D 6S 8S 7C 7D 8C 8D 10C 10D 10H JH JS QD KD KS 5C",
}


def pack(top: str) -> tuple[Card, ...]:
    """Return a whole pack with the cards of *top* on its top."""
    cards = parse_cards(top)
    return (*cards, *(card for card in PACK if card not in cards))


def start(players: int = 2, dealer: int = 0, rules: str = "standard", **house: str) -> GameStarted:
    return GameStarted(
        games.NAMES[:players], changed(preset(rules, players), house), Entry.DEALT, dealer, levels=()
    )


def dealt(players: int = 2, dealer: int = 0, top: str = "", rules: str = "standard", **house: str) -> State:
    """Return the table at which the machine has just dealt."""
    began = fold([start(players, dealer, rules, **house)])
    return step(began, PackShuffled(pack(top or DEALS[players])))


def on(state: State, lines: str) -> State:
    """Return *state* after the events that stand in *lines*."""
    for entry in parse(f"{HEADER}\n{lines}\n"):
        assert not isinstance(entry, Comment)
        state = step(state, entry)
    return state


def deal_of(state: State) -> Deal:
    assert state.deal is not None
    return state.deal


def hands(state: State) -> list[str]:
    return [" ".join(map(str, cards)) for cards in deal_of(state).dealt]


LAID = "laid-away 1 10C JS\nlaid-away 0 KH QD"
"""For two, dealt as above by seat 0: pone keeps 4H 5S 6S KD, the dealer 5H 6D 7C 10D."""


# --- the deal ---------------------------------------------------------------------------------------


def test_two_are_dealt_six_each_one_at_a_time_from_the_dealers_left() -> None:
    assert hands(dealt(2)) == ["5H 6D 7C 10D QD KH", "4H 5S 6S 10C JS KD"]
    assert hands(dealt(2, dealer=1)) == ["4H 5S 6S 10C JS KD", "5H 6D 7C 10D QD KH"]


def test_with_three_the_card_after_five_each_goes_to_the_crib_and_the_next_is_the_starter() -> None:
    state = dealt(3, dealer=1)
    assert hands(state) == ["5H 6D 7D 10D QD", "6H 6S 8C 10H KD", "4H 5S 7C 10C JS"]
    assert (deal_of(state).from_pack, deal_of(state).to_turn) == (parse_cards("AS"), Card.parse("5C"))
    state = on(state, "laid-away 0 QD\nlaid-away 1 KD\nlaid-away 2 JS\nstarter 5C")
    assert deal_of(state).crib == parse_cards("QD KD JS AS")


def test_four_are_dealt_five_each_and_nothing_goes_to_the_crib_from_the_pack() -> None:
    state = dealt(4, dealer=3)
    assert hands(state) == ["4H 5S 7C 10C JS", "5H 6D 7D 10D QD", "6H 6S 8C 10H KD", "7H 8S 8D JH KS"]
    assert (deal_of(state).from_pack, deal_of(state).to_turn) == ((), Card.parse("5C"))


def test_a_deal_tells_that_it_happened_and_why_and_no_card() -> None:
    began = fold([start()])
    event = PackShuffled(pack(DEALS[2]))
    after = step(began, event)
    assert tell(event, after) == "ANN deals"
    assert [reason.rule for reason in automatic(began, event, after)] == ["shuffle"]


NO_PACK = [
    (PACK[:-1], "51 cards"),
    ((*PACK[:-1], PACK[0]), "one card twice"),
    ((*PACK[:-1], Card(PACK[-1].rank)), "a card without its suit"),
    ((*PACK, PACK[0]), "53 cards"),
    ((), "no card"),
]


@pytest.mark.parametrize(("cards", "why"), NO_PACK)
def test_a_pack_that_is_not_whole_is_refused(cards: tuple[Card, ...], why: str) -> None:
    said = refused(ImpossibleCards, step, fold([start()]), PackShuffled(cards))
    assert said == "not a complete pack: it has 52 cards, each once and with its suit"
    assert why


def test_a_pack_is_shuffled_once_a_deal_and_again_after_a_misdeal() -> None:
    state = dealt()
    said = refused(WrongPhase, step, state, PackShuffled(pack(DEALS[2])))
    assert said == "the cards are dealt already: discard, or call a misdeal first"
    said = refused(WrongPhase, step, on(state, LAID), PackShuffled(pack(DEALS[2])))
    assert said == "not the time for a shuffled pack: turn up the starter"
    again = on(state, f"{LAID}\nstarter 5C\nplay 1:4H\nmisdeal")
    assert (again.phase, deal_of(again).number, deal_of(again).dealt) == (Phase.DEAL, 1, ((), ()))
    assert deal_of(again).to_turn is None
    assert hands(step(again, PackShuffled(pack("KS " + DEALS[2]))))[1].startswith("KS")
    said = refused(WrongPhase, on, again, "misdeal")
    assert "nothing of this deal" in said


@pytest.mark.parametrize("entry", [Entry.CARDS, Entry.PEG])
def test_a_pack_is_for_a_game_that_the_machine_deals(entry: Entry) -> None:
    said = refused(WrongPhase, step, fold([replace(start(), entry=entry)]), PackShuffled(PACK))
    assert said == "players deal in this game; a shuffled pack belongs to a game that the computer deals"


# --- discards, and the starter -----------------------------------------------------------------------


def test_nobody_lays_away_or_turns_the_starter_before_the_deal() -> None:
    began = fold([start()])
    said = refused(WrongPhase, on, began, "laid-away 0 4H 5H")
    assert said == "no card of this deal is dealt yet: shuffle the pack first"
    said = refused(WrongPhase, on, began, "starter 5C")
    assert said == "not the time for a starter: deal, discard, and turn up the starter"


def test_seats_lay_away_in_any_order_what_they_hold_and_once() -> None:
    state = dealt()
    assert refused(NotHeld, on, state, "laid-away 0 4H 5H") == "ANN does not hold 4H; play a card of the hand"
    assert refused(NotHeld, on, state, "laid-away 0 KH") == "ANN discards 2 of 6 cards, only once"
    for order in (LAID.splitlines(), LAID.splitlines()[::-1]):
        laid = on(state, "\n".join(order))
        assert laid.phase is Phase.STARTER
        assert deal_of(laid).crib == parse_cards("KH QD 10C JS")
    said = refused(NotHeld, on, state, "laid-away 0 KH QD\nlaid-away 0 KH QD")
    assert said == "ANN discards 2 of 6 cards, only once"


def test_a_rank_alone_is_laid_away_where_it_can_be_one_card_only() -> None:
    state = on(dealt(), "laid-away 0 K Q")
    assert deal_of(state).discards[0] == parse_cards("KH QD")
    state = dealt(top="4H 5H 5S 5D 6S 7C 10C 10D JS QD KD KH 5C")
    for cards in ("5 7C", "5 5", "7C 5"):
        assert refused(NotHeld, on, state, f"laid-away 0 {cards}") == "ANN holds 5H and 5D: give the suit too"
    assert deal_of(on(state, "laid-away 0 5D 5")).discards[0] == parse_cards("5D 5H")


def test_the_starter_is_the_card_that_lies_there_since_the_deal() -> None:
    state = dealt()
    said = refused(WrongPhase, on, state, "starter 5C")
    assert "not the time for a starter" in said
    said = refused(WrongPhase, on, state, "laid-away 0 KH QD\nstarter 5C")
    assert "not the time for a starter" in said
    state = on(state, LAID)
    for wrong in ("5", "5H", "AC", "JC"):
        said = refused(ImpossibleCards, on, state, f"starter {wrong}")  # what lies there is not told
        assert said == f"the {wrong} is not the starter: that was settled by the shuffle"
    turned = on(state, "starter 5C")
    assert (turned.phase, deal_of(turned).starter, deal_of(turned).turn) == (Phase.PLAY, Card.parse("5C"), 1)
    assert deal_of(turned).to_turn is None


def test_a_jack_is_two_for_his_heels_in_this_game_too() -> None:
    state = on(dealt(top=DEALS[2].replace("5C", "JC")), f"{LAID}\nstarter JC")
    assert state.scores() == (2, 0)
    waiting = on(dealt(top=DEALS[2].replace("5C", "JC"), rules="acc"), f"{LAID}\nstarter JC")
    assert on(waiting, "heels").scores() == (2, 0)


# --- the play ---------------------------------------------------------------------------------------


def test_who_holds_a_card_that_fits_plays_it_and_says_no_go() -> None:
    state = on(dealt(), f"{LAID}\nstarter 5C\nplay 1:KD 0:10D")
    said = refused(MustPlay, on, state, "play 1:go")
    assert said == "BOB can't say go: at a count of 20 every card fits; play one"
    state = on(state, "play 1:6S")
    said = refused(MustPlay, on, state, "play 0:go")
    assert said == "ANN can't say go with a card of 5 or less in hand; play it"
    state = on(state, "play 0:5H")
    assert state.scores() == (2, 0)
    assert deal_of(state).turn == 1, "the next count is pone's"


def test_a_card_that_is_not_held_is_not_played() -> None:
    state = on(dealt(), f"{LAID}\nstarter 5C")
    for card in ("10C", "5H", "JS", "2"):
        with pytest.raises(NotHeld, match=f"BOB does not hold {card}"):
            on(state, f"play 1:{card}")
    assert deal_of(on(state, "play 1:K")).played[1] == parse_cards("KD"), "a rank alone will do"


def test_each_seat_says_go_for_itself_so_that_nobody_learns_what_others_hold() -> None:
    state = on(dealt(), f"{LAID}\nstarter 5C\nplay 1:KD 0:10D 1:4H")
    said = refused(WrongPhase, on, state, "play 0:lead:10D")  # nothing of what anybody holds
    assert said == (
        "the computer deals in this game and knows the cards: do not enter a go of several seats at once"
    )


# --- the show ---------------------------------------------------------------------------------------

SHOWN = f"{LAID}\nstarter 5C\nplay 1:KD 0:10D 1:6S 0:5H 1:4H 0:6D 1:5S 0:7C"


def test_at_the_show_all_is_known_and_nothing_is_entered() -> None:
    state = on(dealt(), SHOWN)
    assert state.phase is Phase.SHOW
    said = refused(WrongPhase, on, state, "hand-card 1 KD")
    assert said == "the computer deals in this game and knows the cards: do not enter a card of a hand"
    crib = on(state, "show 1\nshow 0")
    said = refused(WrongPhase, on, crib, "crib-card 2C")
    assert said == "the computer deals in this game and knows the cards: do not enter a card of the crib"
    over = on(crib, "crib")
    assert (over.phase, deal_of(over).number, deal_of(over).dealer) == (Phase.DEAL, 2, 1)


def test_only_the_true_claim_is_right() -> None:
    top = (
        "2H 4S 4H 5S 6H 6D 8H 7C JC QD KD KH 5C"  # pone keeps hearts, and the jack of the starter's suit goes
    )
    state = on(dealt(top=top), "laid-away 1 JC KD\nlaid-away 0 KH QD\nstarter 5C")
    state = on(state, "play 1:8H 0:7C 1:6H 0:6D 1:4H 0:5S 1:2H 0:4S")
    for wrong in ("show 1", "show 1 flush-5", "show 1 flush-4 nobs", "show 1 nobs"):
        with pytest.raises(ImpossibleClaim):
            on(state, wrong)
    before = state.scores()[1]
    crib = on(on(state, "show 1 flush-4"), "show 0")
    assert crib.scores()[1] - before == 11, "two fifteens, a run of three, and a flush for four"
    with pytest.raises(ImpossibleClaim):
        on(crib, "crib")
    assert on(crib, "crib nobs").scores()[0] > crib.scores()[0]


def test_players_count_for_themselves_where_the_rules_say_so() -> None:
    for miscount, taken in (("lost", 0), ("muggins", 2)):
        state = on(dealt(miscount=miscount), SHOWN)
        truth = sum(score.points for score in on(dealt(), SHOWN + "\nshow 1").outcomes[0].scores)
        said = refused(RuleError, on, state, "show 1")
        assert said == "under these rules, players count: give the points they counted"
        after = on(state, f"show 1 counted={truth - 2}")
        gained = [now - was for now, was in zip(after.scores(), state.scores(), strict=True)]
        assert gained == [taken, truth - 2]


def test_what_was_not_played_is_turned_up_at_the_show_of_its_seat_and_not_before() -> None:
    state = on(dealt(rules="use-and-care"), f"{LAID}\nstarter 5C\nplay 1:KD 0:10D 1:6S 0:5H")
    assert state.phase is Phase.SHOW
    assert [set(row) for row in deal_of(state).held] == [set(), set(parse_cards("4H 5S"))]
    assert set(sight_of(state, 0).opened) == set(parse_cards("4H 5S"))
    assert sight_of(state, 1).opened == ()
    state = on(state, "show 1")
    assert set(sight_of(state, 1).opened) == set(parse_cards("6D 7C"))
    assert set(sight_of(state, 0).kept) == set(parse_cards("5H 6D 7C 10D"))
    crib = on(state, "show 0")
    assert crib.phase is Phase.CRIB
    assert set(sight_of(crib, 1).opened) == set(parse_cards("6D 7C KH QD"))


# --- who sits there ---------------------------------------------------------------------------------


def test_a_level_sits_in_its_seat_and_the_next_game_seats_it_again() -> None:
    began = replace(start(3), levels=("", "medium", "expert-errs"))
    state = fold([began])
    assert [state.level(seat) for seat in range(3)] == ["", "medium", "expert-errs"]
    assert [state.is_person(seat) for seat in range(3)] == [True, False, False]
    assert tell(began, state) == "a new game to 121: ANN, BOB (Medium), CAT (Hard, careless)"
    over = step(state, events.ScorePutRight(1, 121))
    assert (next_game(over).levels, next_game(over).entry) == (began.levels, Entry.DEALT)
    assert fold([start(3)]).levels == fold([replace(began, levels=("", "", ""))]).levels == ()
    assert fold([start()]).level(1) == ""


BAD_LEVELS = [
    (replace(start(), levels=("", "medium"), entry=Entry.CARDS), "choose entry=dealt"),
    (replace(start(), levels=("", "medium"), entry=Entry.PEG), "choose entry=dealt"),
    (replace(start(), levels=("", ""), entry=Entry.CARDS), "choose entry=dealt"),
    (replace(start(), levels=("medium",)), "1 level for 2 seats"),
    (replace(start(), levels=("", "", "medium")), "3 levels for 2 seats"),
    *(
        (replace(start(), levels=("", level)), "is not a level")
        for level in ("person", "Solid", "so lid", "solid2", "-solid", "solid-", "a" * 17, "sölid", "solid\n")
    ),
]


@pytest.mark.parametrize(("event", "says"), BAD_LEVELS)
def test_who_cannot_sit_there_is_refused(event: GameStarted, says: str) -> None:
    with pytest.raises(BadSetup, match=says):
        fold([event])


# --- the record -------------------------------------------------------------------------------------


def test_a_pack_is_one_line_of_the_record_and_levels_stand_in_the_line_of_the_game() -> None:
    event = PackShuffled(pack(DEALS[2]))
    line = print_event(event)
    assert line.startswith("pack 4H 5H 5S 6D ")
    assert (len(line.split()), parse_event(line)) == (53, event)
    began = replace(start(), levels=("", "medium"))
    line = print_event(began)
    assert line == 'game "ANN" "BOB" rules=standard target=121 entry=dealt levels=person,medium dealer=0'
    assert parse_event(line) == began
    for text, says in [("levels=person", "person or a level"), ("levels=person,Solid", "person or a level")]:
        with pytest.raises(RecordError, match=says):
            parse_event(f'game "ANN" "BOB" entry=dealt {text}')


# --- whole games ------------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.sampled_from([2, 3, 4]))
def test_to_take_steps_back_and_go_on_brings_no_other_starter(seed: int, players: int) -> None:
    chance = Random(seed)
    state = step(fold([start(players)]), PackShuffled(tuple(chance.sample(PACK, 52))))
    starters = set()
    for _ in range(3):
        after = state
        for seat in chance.sample(range(players), players):
            away = chance.sample(deal_of(after).dealt[seat], seats.usual(players).discarded)
            after = step(after, Discarded(seat, tuple(away)))
        legal = []
        for card in PACK:
            try:
                step(after, StarterTurned(card))
            except ImpossibleCards:
                continue
            legal.append(card)
        starters |= set(legal)
        assert len(legal) == 1
    assert len(starters) == 1


def test_a_referees_game_that_the_machine_deals_has_no_event_that_enters_a_card() -> None:
    seen = Counter[type[Event]]()
    for seed in range(8):
        rules = games.ALL_PRESETS[seed % len(games.ALL_PRESETS)]
        game = Referee(rules, Random(seed), entry=Entry.DEALT).game()
        seen += Counter(type(expected.event) for expected in game)
    assert seen[PackShuffled] > 20
    entered = {events.HandDealt, events.HandCardTurned, events.CribCardTurned, events.NewCountLed}
    assert not seen.keys() & entered
