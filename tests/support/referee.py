"""A referee that plays whole games under any rules, knows all cards, and shares no code with the engine.

The result of each event is computed from the rule sheets by `naive`. The events are those that a table would
enter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card, Rank, Suit
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.show import Kind, SuitClaim
from cribpi.cribbage.rules.rules import Rules, changed, preset
from support import naive

PACK = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
NAMES = ("ANN", "BOB", "CAT", "DAN")
NO_COUNT = {19, 25, 26, 27}


@dataclass(frozen=True)
class Expected:
    """An event and each side's score after it. *winner* is the side that has won, or None."""

    event: Event
    scores: tuple[int, ...]
    winner: int | None = None


@dataclass(frozen=True)
class Layout:
    """Cards arranged before a deal: hands from the dealer's left, crib, starter, and order of play."""

    hands: tuple[tuple[Card, ...], ...]
    crib: tuple[Card, ...]
    starter: Card
    order: tuple[Card, ...] = ()
    """Cards in the order in which they are played, as far as that is fixed."""


Pegged = list[tuple[int, int]]
"""Seats and points, in the order of pegging."""


@dataclass
class Referee:
    """One game. Without *mishaps*, all counts are right and no corrections occur."""

    rules: Rules
    chance: Random
    suited: bool = True
    entry: Entry = Entry.CARDS
    mishaps: bool = True
    dealer: int | None = None
    layouts: Sequence[Layout] = ()
    levels: tuple[str, ...] = ()
    scores: list[int] = field(default_factory=list)
    began: list[int] = field(default_factory=list)
    winner: int | None = None
    played: set[Card] = field(default_factory=set)
    is_last: bool = False
    """Whether the crib has been pegged."""

    def game(self) -> Iterator[Expected]:
        """Play the game to its end. Yield each event with the expected result."""
        rules, players = self.rules, self.rules.players
        if self.dealer is None:
            self.dealer = self.chance.randrange(players)
        self.scores = [0] * self.sides
        if rules.three_for_last:
            self.scores[1 - self.dealer] = 3
        yield Expected(
            events.GameStarted(NAMES[:players], rules, self.entry, self.dealer, levels=self.levels),
            tuple(self.scores),
        )
        layouts = list(self.layouts)
        false_claims = 1 if self._may(0.5) else 0
        while not self.is_over():
            self.began = list(self.scores)
            layout = layouts.pop(0) if layouts else None
            is_misdeal = False
            for event, pegged in self._deal(layout):
                yield self._after(event, pegged)
                if self.is_over() and false_claims:
                    false_claims -= 1
                    yield self._false_win()
                if not self.is_over() and self._may(0.01):
                    yield from self._correction()
                if self.is_over():
                    return
                is_misdeal = self._may(0.004)
                if is_misdeal and not isinstance(event, events.CribShown) and self._is_in_deal(event):
                    self.scores = list(self.began)
                    yield Expected(events.Misdealt(), tuple(self.scores))
                    break
                is_misdeal = False
            if not is_misdeal:
                self.dealer = (self.dealer + 1) % players

    @property
    def keeps(self) -> int:
        """Number of cards that each player keeps: "lays out two" of five (hoyle)."""
        return 3 if self.rules.deal == "five-card" else 4

    @property
    def sides(self) -> int:
        return 2 if self.rules.players == 4 else self.rules.players

    def is_over(self) -> bool:
        return self.winner is not None

    def side(self, seat: int) -> int:
        return seat % self.sides

    def _may(self, odds: float) -> bool:
        return self.mishaps and self.chance.random() < odds

    def _is_in_deal(self, event: Event) -> bool:
        """Return whether a misdeal after *event* would have something to cancel."""
        is_by_points = self.entry is Entry.PEG and self.is_last
        return not is_by_points and not isinstance(event, events.MugginsCalled)

    def told(self, card: Card) -> Card:
        return card if self.suited else Card(card.rank)

    def _after(self, event: Event, pegged: Pegged) -> Expected:
        for seat, points in pegged:
            side = self.side(seat)
            self.scores[side] = min(self.scores[side] + points, self.rules.target)
            if self.scores[side] == self.rules.target:
                self.winner = side
                break
        return Expected(event, tuple(self.scores), self.winner)

    # --- one deal ---

    def _deal(self, layout: Layout | None) -> Iterator[tuple[Event, Pegged]]:
        players, dealer, by_cards = self.rules.players, self.dealer or 0, self.entry is not Entry.PEG
        self.is_last, self.played = False, set()
        if layout is None:
            pack = self.chance.sample(PACK, 52)
            hands = [[pack.pop() for _ in range(self.keeps)] for _ in range(players)]
            laid = 2 if players == 2 else 1
            crib = [pack.pop() for _ in range(laid * players)]
            crib += [pack.pop() for _ in range(4 - len(crib))]
            layout = Layout(tuple(map(tuple, hands)), tuple(crib), pack.pop())
        else:
            pone = (dealer + 1) % players
            turned = tuple(layout.hands[(seat - pone) % players] for seat in range(players))
            layout = replace(layout, hands=turned)
        is_dealt = self.entry is Entry.DEALT
        is_known = self.entry is Entry.CARDS and self._may(0.15)
        if is_known:
            yield from self._known_hands(layout)
        if is_dealt:
            yield from self._by_machine(layout)
        pays_heels = self._pays_heels(dealer)
        is_heels = layout.starter.rank == 11 and pays_heels
        is_waiting = is_heels and self.rules.heels_deadline == "first-card" and by_cards
        heels: Pegged = [(dealer, self.rules.heels)] if is_heels else []
        if by_cards:
            starter = layout.starter if is_dealt else self.told(layout.starter)
            yield events.StarterTurned(starter), [] if is_waiting else heels
        else:
            yield events.StepPassed(), []
            if is_heels and self._pays_heels(dealer) and not self._may(0.1):
                kind = self.chance.choice([None, Kind.HEELS]) if self.mishaps else Kind.HEELS
                yield events.PointsPegged(self.side(dealer), self.rules.heels, kind), heels
            elif pays_heels:
                yield events.StepPassed(), []
        reneges: list[tuple[int, int]] = []
        for event, pegged in self._play(layout, reneges, is_known=is_known):
            is_his = isinstance(event, events.CardPlayed | events.NewCountLed) and event.seat == dealer
            if is_waiting and (is_his or self._may(0.3)):  # no later than the dealer's first card
                is_waiting = False
                if not self._may(0.2):
                    yield events.HeelsTaken(), heels if self._pays_heels(dealer) else []
            yield event, pegged
        if not by_cards:
            yield events.StepPassed(), []
        for step in range(1, players + 1):
            seat = (dealer + step) % players
            yield from self._show(seat, layout.hands[seat], layout.starter, reneges)
        if by_cards and not is_dealt:
            dealt_to = (2 if players == 2 else 1) * players
            for card in layout.crib[dealt_to if is_known else 0 :]:
                yield events.CribCardTurned(self.told(card)), []
        yield from self._count(dealer, layout.crib, layout.starter, is_crib=True)

    def _pays_heels(self, dealer: int) -> bool:
        """Return whether a jack would peg anything now."""
        is_short = self.scores[self.side(dealer)] == self.rules.target - 1
        return self.rules.heels > 0 and not (is_short and self.rules.stinkhole != "any")

    def _by_machine(self, layout: Layout) -> Iterator[tuple[Event, Pegged]]:
        """Arrange a pack so that *layout* is dealt, then discard for all seats in random order."""
        players, size = self.rules.players, 2 if self.rules.players == 2 else 1
        pone = ((self.dealer or 0) + 1) % players
        laid = [layout.crib[seat * size : (seat + 1) * size] for seat in range(players)]
        every = self.keeps + size
        dealt = [self.chance.sample((*layout.hands[seat], *laid[seat]), every) for seat in range(players)]
        pack = [dealt[(pone + step) % players][card] for card in range(every) for step in range(players)]
        pack += [*layout.crib[size * players :], layout.starter]
        rest = [card for card in PACK if card not in pack]
        yield events.PackShuffled((*pack, *self.chance.sample(rest, len(rest)))), []
        for seat in self.chance.sample(range(players), players):
            yield events.Discarded(seat, laid[seat]), []

    def _known_hands(self, layout: Layout) -> Iterator[tuple[Event, Pegged]]:
        """Enter the hand dealt to each seat and its discard. All cards must be known."""
        size = 2 if self.rules.players == 2 else 1
        for seat, hand in enumerate(layout.hands):
            laid = [self.told(card) for card in layout.crib[seat * size : (seat + 1) * size]]
            dealt = [*map(self.told, hand), *laid]
            yield events.HandDealt(seat, tuple(self.chance.sample(dealt, len(dealt)))), []
            yield events.Discarded(seat, tuple(laid)), []

    # --- the play ---

    def _play(
        self, layout: Layout, reneges: list[tuple[int, int]], *, is_known: bool
    ) -> Iterator[tuple[Event, Pegged]]:
        order = list(layout.order)

        def choose(fits: list[Card]) -> Card | None:
            laid = next((card for card in order if card in fits), None)
            if laid is not None:
                order.remove(laid)
                return laid
            if self.entry is Entry.CARDS and not is_known and count_now[0] > 21 and self._may(0.06):
                return None
            return self.chance.choice(fits)

        count_now = [0]
        waiting: list[naive.Act] = []
        pone = ((self.dealer or 0) + 1) % self.rules.players
        for act in self._acts(naive.play(layout.hands, pone, choose, self.rules), count_now):
            if act.wrong:
                reneges.append((act.seat, len(act.wrong)))
            self.played |= {act.card} if act.card else set()
            if self.entry is Entry.PEG:
                for seat, points in self._pegged(act):
                    if points:
                        yield events.PointsPegged(self.side(seat), points), [(seat, points)]
                continue
            if act.card is None:
                waiting.append(act)
                if not act.closes or self.entry is Entry.DEALT or not self._may(0.5):
                    yield from self._goes(waiting)
                continue
            if waiting:
                yield from self._after_goes(waiting, act)
            else:
                yield events.CardPlayed(act.seat, self.told(act.card)), self._pegged(act)
        yield from self._goes(waiting)

    def _pegged(self, act: naive.Act, before: Pegged | None = None) -> Pegged:
        """Return the points pegged for *act*, after *before*. From the stinkhole, a go may peg nothing."""
        scores = list(self.scores)
        for seat, points in before or []:
            scores[self.side(seat)] += points
        pegged, (by, points) = dict(act.points), act.for_go
        if self.rules.stinkhole == "not-go" and points:
            pegged[by] -= points
            if scores[self.side(by)] + pegged[by] != self.rules.target - 1:
                pegged[by] += points
        return list(pegged.items())

    def _acts(self, acts: Iterator[naive.Act], count: list[int]) -> Iterator[naive.Act]:
        """Yield *acts*, and keep *count* up to date for the next choice."""
        for act in acts:
            count[0] = 0 if act.closes else act.count + (naive.pips(act.card) if act.card else 0)
            yield act

    def _goes(self, waiting: list[naive.Act]) -> Iterator[tuple[Event, Pegged]]:
        for act in waiting:
            yield events.GoSaid(act.seat), self._pegged(act)
        waiting.clear()

    def _after_goes(self, waiting: list[naive.Act], act: naive.Act) -> Iterator[tuple[Event, Pegged]]:
        """Yield the last go and the next lead as one event, if one key press enters both."""
        assert act.card is not None
        last = waiting[-1]
        is_clear = max(self.scores) < self.rules.target - 1  # otherwise the go may win the game
        if last.count + naive.pips(act.card) > 31 and is_clear:
            waiting.clear()
            gone = self._pegged(last)
            yield events.NewCountLed(act.seat, self.told(act.card)), [*gone, *self._pegged(act, gone)]
            return
        yield from self._goes(waiting)
        yield events.CardPlayed(act.seat, self.told(act.card)), self._pegged(act)

    # --- the show ---

    def _show(
        self, seat: int, hand: Sequence[Card], starter: Card, reneges: list[tuple[int, int]]
    ) -> Iterator[tuple[Event, Pegged]]:
        if self.entry is Entry.CARDS:
            for card in hand:
                if card not in self.played:
                    yield events.HandCardTurned(seat, self.told(card)), []
            for who, cards in [one for one in reneges if one[0] == seat]:
                reneges.remove((who, cards))
                if self._may(0.8):
                    worth = {"noted": 0, "2": 2, "2-a-card": 2 * cards}[self.rules.renege]
                    worth = worth if self._may(0.8) else 0
                    others = [side for side in range(self.sides) if side != self.side(seat)]
                    yield events.RenegeRuled(seat, worth), [(side, worth) for side in others]
                else:
                    break  # only the first open one can be ruled on
        yield from self._count(seat, hand, starter, is_crib=False)

    def _count(
        self, seat: int, four: Sequence[Card], starter: Card, *, is_crib: bool
    ) -> Iterator[tuple[Event, Pegged]]:
        """Peg a hand or a crib, according to the option `miscount`."""
        self.is_last = is_crib
        four_will_do = self.rules.crib_flush == "four"
        truth = naive.show(four, starter, is_crib=is_crib, four_will_do=four_will_do)
        bare = naive.show([Card(card.rank) for card in four], Card(starter.rank))
        nobs = any(card.rank == 11 and card.suit == starter.suit for card in four)
        claim = SuitClaim(truth - bare - nobs, nobs)
        if self.entry is Entry.PEG and not self._may(0.2):
            yield from self._count_by_points(seat, truth)
            return
        counted = None if self.rules.miscount == "machine" else self._counted(truth)
        pegged = [(seat, truth if counted is None else min(counted, truth))]
        missed = 0 if counted is None else max(truth - counted, 0)
        if self.rules.miscount == "muggins" and self.sides == 2:
            pegged.append((self.side(seat) + 1, missed))
            missed = 0
        event: Event
        if self.entry is Entry.PEG:
            cards = tuple(map(self.told, four))
            event = events.HandCounted(seat, cards, self.told(starter), claim, counted)
        else:
            event = events.CribShown(claim, counted) if is_crib else events.HandShown(seat, claim, counted)
        yield event, pegged
        yield from self._muggins(self.side(seat), missed, truth - missed, is_seen=True)

    def _count_by_points(self, seat: int, truth: int) -> Iterator[tuple[Event, Pegged]]:
        counted = truth if self.rules.miscount == "machine" else min(self._counted(truth), truth)
        if counted or self._may(0.5):
            yield events.PointsPegged(self.side(seat), counted), [(seat, counted)]
        else:
            yield events.StepPassed(), []
        yield from self._muggins(self.side(seat), truth - counted, counted, is_seen=False)

    def _counted(self, truth: int) -> int:
        """Return the count that a player claims, usually the true one."""
        if not self._may(0.4):
            return truth
        most = 40 if self.rules.miscount == "muggins" and self.entry is not Entry.PEG else 29
        return self.chance.choice([count for count in range(most + 1) if most > 29 or count not in NO_COUNT])

    def _muggins(self, of: int, missed: int, pegged: int, *, is_seen: bool) -> Iterator[tuple[Event, Pegged]]:
        """Call muggins for *missed* points, or wrongly. *pegged* is the number of points already pegged.

        If the engine has not seen the cards (not *is_seen*), it accepts only one call.
        """
        if self.rules.miscount != "muggins":
            return
        others = [side for side in range(self.sides) if side != of]
        while missed and self._may(0.7):
            part = self.chance.randint(1, missed)
            if not is_seen and pegged + part in NO_COUNT:
                part = missed
            pegged += part
            side = self.chance.choice(others)
            missed -= part
            yield events.MugginsCalled(side, of, part), [(side, part)]
            if not is_seen:
                break
        if self.entry is not Entry.PEG and self._may(0.1):
            wrong = missed + self.chance.randint(1, 4)
            if wrong <= 29:
                yield (
                    events.MugginsCalled(self.chance.choice(others), of, wrong, is_right=False),
                    [(of, wrong)],
                )

    # --- corrections ---

    def _correction(self) -> Iterator[Expected]:
        """Give a side a penalty, or correct its score. A later misdeal does not change that."""
        side, target = self.chance.randrange(self.sides), self.rules.target
        before = self.scores[side]
        points = max(self.chance.choice([-60, -10, -2, -1, 1, 2, 9]), -target)
        self.scores[side] = min(max(before + points, 0), target)
        if self.scores[side] == before:
            return
        change = self.scores[side] - before
        is_penalty = self.chance.random() < 0.5
        if is_penalty or change > 0:
            self.began[side] = min(max(self.began[side] + change, 0), target - 1)
        else:  # excess points of this deal are removed, and a misdeal must not remove them again
            self.began[side] = min(self.began[side], self.scores[side])
        if self.scores[side] == target:
            self.winner = side
        if not is_penalty and change < 0 and self.rules.overpegged == "to-the-other":
            other = 1 - side
            self.began[other] = min(self.began[other] - change, target - 1)
            self.scores[other] = min(self.scores[other] - change, target)
            if self.scores[other] == target:
                self.winner = other
        event = (
            events.PenaltyPegged(side, points)
            if is_penalty
            else events.ScorePutRight(side, self.scores[side])
        )
        yield Expected(event, tuple(self.scores), self.winner)

    def _false_win(self) -> Expected:
        """Cancel the win just claimed.

        Under the ACC's rule, the side goes back fifteen, and the other side gets the rest.

        Under the rule of old books, the other side wins.
        """
        assert self.winner is not None
        side, target = self.winner, self.rules.target
        true = target - self.chance.randint(1, min(12, target))
        event = events.FalseWinRuled(side, true)
        self.winner = None
        is_acc = self.rules.false_win == "acc"
        back = true - max(true - 15, 0) if is_acc else 0
        self.scores[side] = true - back
        self.began[side] = max(min(self.began[side], true) - back, 0)
        if is_acc:
            other = 1 - side
            self.began[other] = min(self.began[other] + target - true, target - 1)
            self.scores[other] = min(self.scores[other] + target - true, target)
            if self.scores[other] == target:
                self.winner = other
        if self.rules.false_win == "lose":
            self.winner = 1 - side
            self.scores[1 - side] = target
        return Expected(event, tuple(self.scores), self.winner)


def referee_game(
    chance: Random, players: int, target: int, *, suited: bool, rules: Rules | None = None
) -> Iterator[Expected]:
    """Play a whole standard game with a real pack to *target*, without mishaps.

    If *suited* is false, every card is entered without its suit, and the points of suits are claimed at the
    show.
    """
    rules = rules or changed(preset("standard", players), {"target": str(target)})
    return Referee(rules, chance, suited=suited, mishaps=False).game()
