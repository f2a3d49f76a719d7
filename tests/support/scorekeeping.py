"""Games with real cards as people enter them.

This module knows all hands, but cribpi learns a card when it is played.

Run in `tests`, `python -m support.scorekeeping` prints the number of presses per deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cribpi.companion.entry.implied import implied_presses
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.shows import show_view
from cribpi.companion.entry.view import view_of
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.events import Entry, Event, GameStarted
from cribpi.cribbage.game.show import SuitClaim
from cribpi.cribbage.game.state import Phase, the_deal
from cribpi.cribbage.game.step import NEW_TABLE, step
from support.greedy_games import greedy_game
from support.presses import press

PARTS = (
    "the cut",
    "starter",
    "cards played",
    "go, new count",
    "nobs, flush",
    "peg a hand",
    "crib's cards",
    "peg the crib",
)


def rank(card: Card) -> str:
    """Return the key of *card*. Nobody enters suits."""
    return str(Card(card.rank))


class Scorekeeper:
    """A person who taps each card played. If the page *carries*, the next card implies the presses of OK."""

    def __init__(self, game: GameStarted, *, carries: bool) -> None:
        self.state, self.input_state = step(NEW_TABLE, game), InputState()
        self.carries = carries
        self.taps: Counter[str] = Counter()

    def press(self, *keys: str) -> None:
        for key in keys:
            effect = press(self.state, self.input_state, key)
            self.input_state = effect.input_state
            if effect.event is not None:
                self.state = step(self.state, effect.event)

    def tap(self, part: str, key: str) -> None:
        self.taps[part] += 1
        found = implied_presses(view_of(self.state, self.input_state)).keys if self.carries else {}
        self.press(*(found[key].presses if key in found else (key,)))

    def play(self, card: Card, goes: int) -> None:
        """Tap *card*, after *goes* goes."""
        if goes and card.rank.pips > the_deal(self.state).room:
            self.tap("cards played", rank(card))
            if not self.carries:
                self.tap("go, new count", "OK")
            return
        for _ in range(goes):
            self.tap("go, new count", "GO")
        self.tap("cards played", rank(card))

    def show(self, claims: Sequence[SuitClaim], part: str) -> None:
        """Show hands or the crib one after another, each with its claim for suits."""
        for at, claim in enumerate(claims):
            while presses := self._to(claim):
                self.taps["nobs, flush"] += 1
                self.press(*["FLNB"] * presses)
            if (
                self.carries
                and not any(claim != NO_SUITS for claim in claims[at + 1 :])
                and implied_presses(view_of(self.state, self.input_state)).keys
            ):
                return  # the next card tapped pegs the rest
            self.tap(part, "OK")

    def _to(self, claim: SuitClaim) -> int:
        """Return the number of presses of FLNB for the next step towards *claim*; 0 if no step is needed."""
        for choice in show_view(self.state, self.input_state).suits:
            is_wanted = claim.nobs if "nobs" in choice.says else f"+{claim.flush} " in choice.says
            if choice.is_on != is_wanted:
                return choice.presses
        return 0


NO_SUITS = SuitClaim()


def kept(game: Sequence[Event], *, carries: bool) -> Scorekeeper:
    """Keep the score of a *game* that was played with real cards. Its events contain all cards."""
    start, *rest = game
    assert isinstance(start, GameStarted)
    assert start.dealer is not None
    keeper = Scorekeeper(replace(start, entry=Entry.CARDS, dealer=None), carries=carries)
    keeper.tap("the cut", f"P{start.dealer + 1}")
    truth, goes, hands = step(NEW_TABLE, start), 0, list[SuitClaim]()
    for event in rest:
        match event:
            case events.StarterTurned(card):
                keeper.tap("starter", rank(card))
            case events.GoSaid():
                goes += 1
            case events.CardPlayed(_, card):
                keeper.play(card, goes)
                goes = 0
            case events.HandShown(_, claim):
                hands.append(claim)
            case events.CribShown(claim):
                for card in the_deal(truth).crib:
                    keeper.tap("crib's cards", rank(card))
                keeper.show([claim], "peg the crib")
        truth = step(truth, event)
        if hands and (truth.phase is not Phase.SHOW):
            keeper.show(hands, "peg a hand")
            hands = []
    for _ in range(goes):  # the go that wins
        keeper.tap("go, new count", "GO")
    assert [one.front for one in keeper.state.pegs] == [one.front for one in truth.pegs]
    assert keeper.state.winner == truth.winner
    return keeper


def presses_a_deal(games: int, *, carries: bool) -> tuple[dict[str, float], int]:
    """Return the presses per deal for each of `PARTS` in this number of *games*, and the number of deals."""
    taps, deals = Counter[str](), 0
    for seed in range(games):
        keeper = kept(greedy_game(seed, ("Ann", "Bob")), carries=carries)
        taps += keeper.taps
        deals += the_deal(keeper.state).number
    return {part: taps[part] / deals for part in PARTS}, deals


def table(games: int = 100) -> Iterator[str]:
    """Yield a table of the presses per deal, on the keypad and on the page."""
    keypad, deals = presses_a_deal(games, carries=False)
    page, _ = presses_a_deal(games, carries=True)
    yield f"{'presses a deal':16} {'keypad':>6} {'page':>6}   {games} games of two, {deals} deals"
    for part in PARTS:
        yield f"{part:16} {keypad[part]:6.2f} {page[part]:6.2f}"
    yield f"{'together':16} {sum(keypad.values()):6.2f} {sum(page.values()):6.2f}"


if __name__ == "__main__":
    print("\n".join(table()))
