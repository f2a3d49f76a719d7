"""A deal whose hands and crib are known: the chance before the cut, before the play, and after it.

With two players, as the chance of side 0.  The play itself is taken to bring what hands like these peg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cribpi.analysis.pack import Floats, Places, hand_numbers
from cribpi.analysis.pegging.tables import pegging
from cribpi.analysis.winning import LONGEST, lifted
from cribpi.core.cards import PACK, Card
from cribpi.core.heels import his_heels, is_heels
from cribpi.core.rules import Rules
from cribpi.core.show import crib_points, hand_points
from cribpi.opponents.win_chance import Habits, habits


@dataclass(frozen=True)
class KnownDeal:
    """A deal of which both hands and the crib are known."""

    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    crib: tuple[Card, ...]
    rules: Rules

    @property
    def habits(self) -> Habits:
        return habits(his_heels(self.rules))

    @property
    def pegged(self) -> tuple[float, float]:
        """The points that dealer and pone peg more than the average, by the hands they kept."""
        table = pegging()
        usual = self.habits.points.play
        points = np.arange(len(usual))
        means = np.array([usual.sum(axis=1) @ points, usual.sum(axis=0) @ points])
        more = np.zeros(2)
        for role, seat in enumerate((self.dealer, 1 - self.dealer)):
            ranks = np.sort(np.array([[card.rank - 1 for card in self.hands[seat]]]), axis=1)
            own, other = table.points[role, hand_numbers(ranks)][0]
            more[role] += own - means[role]
            more[1 - role] += other - means[1 - role]
        return float(more[0]), float(more[1])

    def before_the_cut(self, to_go: tuple[int, int]) -> float:
        """Return the chance of side 0 over all starters, with so many points to go."""
        seen = {*self.hands[0], *self.hands[1], *self.crib}
        starters = [card for card in PACK if card not in seen]
        dealer = self.dealer
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
        dealer = self.dealer
        own, other = to_go[dealer], to_go[1 - dealer]
        shows = self._shows(starters)
        plain = self._chances(own, other, shows)
        by_dealer, by_pone = self.pegged
        chances = plain
        for holes, step in ((by_dealer, (1, 0)), (by_pone, (0, 1))):
            back = own + step[0], other + step[1]
            # The table ends at the start: a hole back from there is taken to be worth what one forward is.
            is_back = holes < 0 and max(back) <= LONGEST
            moved = back if is_back else (own - step[0], other - step[1])
            worth = self._chances(*moved, shows) - plain
            chances = chances + holes * (-worth if is_back else worth)
        chances = lifted(np.clip(chances, 0.0, 1.0), self.habits.points.endgame[own, other], 0.0, 1.0)
        return chances if dealer == 0 else 1.0 - chances

    def after_the_play(self, to_go: tuple[int, int], starter: Card) -> float:
        """Return the chance of side 0 after the play, by the count of both hands and the crib."""
        dealer = self.dealer
        pone_hand, dealer_hand, crib = self._shows([starter])
        chance = float(
            self._shown(np.array(to_go[dealer]), np.array(to_go[1 - dealer]), pone_hand, dealer_hand, crib)[0]
        )
        return chance if dealer == 0 else 1.0 - chance

    def _shows(self, starters: Sequence[Card]) -> tuple[Places, Places, Places]:
        """Return the points of pone's hand, the dealer's and the crib with each of *starters*."""
        crib = crib_points if self.rules.crib_flush == "five" else hand_points
        dealer = self.dealer
        return (
            np.array([hand_points(self.hands[1 - dealer], card) for card in starters], np.intp),
            np.array([hand_points(self.hands[dealer], card) for card in starters], np.intp),
            np.array([crib(self.crib, card) for card in starters], np.intp),
        )

    def _chances(self, dealer: int, pone: int, shows: tuple[Places, Places, Places]) -> Floats:
        """Return the dealer's chance before an average play, for each of *shows*."""
        if dealer <= 0 or pone <= 0:
            return np.full(len(shows[0]), float(dealer <= 0))
        usual = self.habits.points
        by_dealer, by_pone = np.nonzero(usual.play[:dealer, :pone])
        likely = usual.play[by_dealer, by_pone]
        pone_hand, dealer_hand, crib = (one[:, None] for one in shows)
        chances = self._shown(dealer - by_dealer, pone - by_pone, pone_hand, dealer_hand, crib)
        return np.asarray(usual.home[dealer, pone] + chances @ likely)

    def _shown(
        self, dealer: Places, pone: Places, pone_hand: Places, dealer_hand: Places, crib: Places
    ) -> Floats:
        """Return the dealer's chance after the play, when the shows bring what they do."""
        left_pone = np.maximum(pone - pone_hand, 0)
        left_dealer = np.maximum(dealer - dealer_hand - crib, 0)
        chances = self.habits.after[left_dealer, left_pone]
        gone_out = np.where((pone == 0) | (left_pone == 0), 0.0, chances)
        return np.asarray(np.where(dealer == 0, 1.0, gone_out))
