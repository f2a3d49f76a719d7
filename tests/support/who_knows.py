"""Which client may know which card, computed only from the packs. The code under test is not asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules.seats import around
from cribpi.cribbage.words.log import GameLog

CARD: Final = re.compile(r"(?<![0-9A-Za-z])(10|[2-9AJQK])([CDHS♣♦♥♠])(?![0-9A-Za-z])")
"""Pattern of a card with its suit in any text."""
_SUITS: Final = dict(zip("♣♦♥♠", "CDHS", strict=True))

Pack = tuple[Card, ...]
Cards = frozenset[str]
NOTHING: Final[Cards] = frozenset()


def cards_in(*texts: str) -> Cards:
    """Return the cards with suits that are named in *texts*.

    >>> sorted(cards_in('{"hand": ["10H"], "asks": "Play the 7\\u2666", "id": "A7C"}'))
    ['10H', '7D']
    """
    found = (CARD.findall(re.sub(r"\\u(26[0-9a-f]{2})", _letter, text)) for text in texts)
    return frozenset(rank + _SUITS.get(suit, suit) for each in found for rank, suit in each)


def _letter(code: re.Match[str]) -> str:
    """Return the character of a JSON escape *code*."""
    return chr(int(code[1], 16))


def named(cards: Iterable[Card]) -> Cards:
    return frozenset(map(str, cards))


@dataclass(slots=True)
class Deal:
    """The cards of a pack, and those that all clients have seen. Undo does not make them secret again."""

    hands: tuple[Cards, ...]
    crib: Cards
    """Cards dealt from the pack to the crib."""
    public: set[str] = field(default_factory=set)
    phones: dict[int, set[int]] = field(default_factory=dict)
    """Seats whose hand each phone has seen, or was given at the board."""
    opened: set[int] = field(default_factory=set)
    """Seats whose hand OK has opened at the board."""


@dataclass(slots=True)
class Game:
    """A game, identified by the names of its seats."""

    people: frozenset[int]
    deals: dict[Pack, Deal] = field(default_factory=dict)
    cuts: set[str] = field(default_factory=set)

    @property
    def public(self) -> Cards:
        """Cards that all players have seen in this game. Any client may receive them."""
        return frozenset(self.cuts.union(*(deal.public for deal in self.deals.values())))


class Ledger:
    """All games at the table so far."""

    def __init__(self) -> None:
        self.games: dict[tuple[str, ...], Game] = {}

    def note(self, line: GameLog) -> tuple[Game, Deal | None] | None:
        """Record the current game. Return it and its deal."""
        if not line:
            return None
        begun = line[-1].after
        levels = begun.levels or ("",) * begun.players
        people = frozenset(seat for seat, level in enumerate(levels) if not level)
        game = self.games.setdefault(begun.names, Game(people))
        deal: Deal | None = None
        for entry in line:
            deal = self._note(game, deal, entry.event, entry.after)
        if line[-1].after.winner is not None:  # all cards of a finished game are public
            for one in game.deals.values():
                one.public.update(one.crib.union(*one.hands))
        return game, deal

    def _note(self, game: Game, deal: Deal | None, event: events.Event, after: State) -> Deal | None:
        match event:
            case events.CardCut(_, card):
                game.cuts.add(str(card))
            case events.PackShuffled(pack) if after.deal is not None:
                if pack not in game.deals:
                    game.deals[pack] = Deal(*_dealt(pack, after.players, after.deal.dealer))
                return game.deals[pack]
            case events.Misdealt():
                return None
            case events.StarterTurned(card) if deal is not None:
                deal.public.add(str(card))
            case events.CardPlayed(_, card) | events.NewCountLed(_, card) if deal is not None:
                deal.public.add(str(card))
        if deal is not None and after.deal is not None:
            self._note_show(deal, after)
        return None if after.phase is Phase.DEAL and after.deal and not any(after.deal.dealt) else deal

    def _note_show(self, deal: Deal, after: State) -> None:
        """Record the public cards of the show: a hand once it is to be counted, the crib after the hands."""
        assert after.deal is not None
        if after.phase in {Phase.SHOW, Phase.CRIB}:
            shown = after.deal.show_order[: after.deal.shown + 1]
            deal.public.update(*(named(after.deal.hand(seat)) for seat in shown))
        if after.phase is Phase.CRIB:
            deal.public.update(deal.crib.union(*deal.hands))


def _dealt(pack: Pack, players: int, dealer: int) -> tuple[tuple[Cards, ...], Cards]:
    """Deal *pack* one card at a time from the dealer's left.

    With three players, one card goes to the crib.
    """
    each = 6 if players == 2 else 5
    hands = dict(enumerate([NOTHING] * players))
    for place, seat in enumerate(around(dealer, players)):
        hands[seat] = named(pack[place : each * players : players])
    return tuple(hands.values()), named(pack[each * players : each * players + (players == 3)])
