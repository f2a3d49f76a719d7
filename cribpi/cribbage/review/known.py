"""A deal whose hands and crib are known: the chance before the cut, before the play, and after it.

With two players or two pairs, as the chance of side 0.  The play itself is taken to bring what hands like
these peg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from cribpi.cribbage.analysis.pack import Floats, Places, hand_numbers
from cribpi.cribbage.analysis.pegging.tables import pegging
from cribpi.cribbage.analysis.winning import LONGEST, lifted
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.steps.deal import his_heels, is_heels
from cribpi.cribbage.players.win_chance import Habits, habits, to_go_after
from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.words.worth import crib_points, hand_points


@dataclass(frozen=True)
class KnownDeal:
    """A deal of which all hands and the crib are known."""

    dealer: int
    """A seat."""
    hands: tuple[tuple[Card, ...], ...]
    """By seat."""
    crib: tuple[Card, ...]
    rules: Rules

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def habits(self) -> Habits:
        return habits(his_heels(self.rules), players=self.players)

    @property
    def side(self) -> int:
        """The dealer's side."""
        return seats.side_of(self.dealer, self.players)

    @property
    def pegged(self) -> tuple[float, float]:
        """The points that the dealer's side and pone's peg more than the average, by the hands they kept."""
        table = pegging(self.players)
        usual = self.habits.points.play
        points = np.arange(len(usual))
        means = np.array([usual.sum(axis=1) @ points, usual.sum(axis=0) @ points])
        more = np.zeros(2)
        for place in range(self.players):  # the table's: from the dealer's on
            seat = (self.dealer + place) % self.players
            ranks = np.sort(np.array([[card.rank - 1 for card in self.hands[seat]]]), axis=1)
            own, other = table.points[place, hand_numbers(ranks)][0]
            role = place % 2
            more[role] += own - means[role]
            more[1 - role] += other - means[1 - role]
        return float(more[0]), float(more[1])

    def before_the_cut(self, to_go: tuple[int, int]) -> float:
        """Return the chance of side 0 over all starters, with so many points to go."""
        seen = {*chain(*self.hands), *self.crib}
        starters = [card for card in PACK if card not in seen]
        dealer = self.side
        plain = self.before_the_play(to_go, starters)
        lifted = list(to_go)
        lifted[dealer] = max(to_go[dealer] - his_heels(self.rules), 0)
        heels = np.array([is_heels(self.rules, card.rank) for card in starters])
        if lifted[dealer] == 0:
            with_heels = np.full(len(starters), float(dealer == 0))
        else:
            with_heels = self.before_the_play((lifted[0], lifted[1]), starters)
        return float(np.where(heels, with_heels, plain).mean())

    def before_the_play(self, to_go: tuple[int, int], starters: Sequence[Card]) -> Floats:
        """Return the chance of side 0 for each of *starters*: (starters,)."""
        dealer = self.side
        own, other = to_go[dealer], to_go[1 - dealer]
        shows = self._shows(starters)
        plain = self._chances(own, other, *shows)
        by_dealer, by_pone = self.pegged
        chances = plain
        for holes, step in ((by_dealer, (1, 0)), (by_pone, (0, 1))):
            back = own + step[0], other + step[1]
            # The table ends at the start: a hole back from there is taken to be worth what one forward is.
            is_back = holes < 0 and max(back) <= LONGEST
            moved = back if is_back else (own - step[0], other - step[1])
            worth = self._chances(*moved, *shows) - plain
            chances = chances + holes * (-worth if is_back else worth)
        chances = lifted(np.clip(chances, 0.0, 1.0), self.habits.points.endgame[own, other], 0.0, 1.0)
        return chances if dealer == 0 else 1.0 - chances

    def after_the_play(self, to_go: tuple[int, int], starter: Card) -> float:
        """Return the chance of side 0 after the play, by the count of all hands and the crib."""
        dealer = self.side
        shows, crib = self._shows([starter])
        chance = float(self._shown(np.array(to_go[dealer]), np.array(to_go[1 - dealer]), shows, crib)[0])
        return chance if dealer == 0 else 1.0 - chance

    def _shows(self, starters: Sequence[Card]) -> tuple[list[Places], Places]:
        """Return the points of each hand, in the order of the shows, and the crib with each of *starters*."""
        of_crib = crib_points if self.rules.crib_flush == "five" else hand_points
        shown = (self.hands[seat] for seat in seats.around(self.dealer, self.players))
        return (
            [np.array([hand_points(hand, card) for card in starters], np.intp) for hand in shown],
            np.array([of_crib(self.crib, card) for card in starters], np.intp),
        )

    def _chances(self, dealer: int, pone: int, shows: Sequence[Places], crib: Places) -> Floats:
        """Return the dealer's chance before an average play, for each of *shows* with its *crib*."""
        if dealer <= 0 or pone <= 0:
            return np.full(len(crib), float(dealer <= 0))
        usual = self.habits.points
        by_dealer, by_pone = np.nonzero(usual.play[:dealer, :pone])
        likely = usual.play[by_dealer, by_pone]
        hands = [one[:, None] for one in shows]
        chances = self._shown(dealer - by_dealer, pone - by_pone, hands, crib[:, None])
        return np.asarray(usual.home[dealer, pone] + chances @ likely)

    def _shown(self, dealer: Places, pone: Places, shows: Sequence[Places], crib: Places) -> Floats:
        """Return the dealer's chance after the play, when the shows bring what they do."""
        dealer, pone = to_go_after(dealer, pone, shows)
        return np.asarray(self.habits.after[np.where(pone == 0, dealer, np.maximum(dealer - crib, 0)), pone])
