"""Every option, a row each: default, title, values in words, range, who says what, what depends on it.

A row says in which group the page lists it.  Its text is its title, one sentence for players, a line for each
value, `value = meaning`, and one for each source that mentions it, `source (the values it gives): its own
words`.  Indented lines continue a line.

The words of a source are its own; "..." marks an omission, and an excerpt may begin or end within a sentence.
A source that gives only half of a rule is quoted for that half; one that is silent is absent.  `acc`, the
rules of the American Cribbage Congress, and `old books` are paraphrased.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Literal, NamedTuple

from cribpi.cribbage.rules import seats
from cribpi.cribbage.rules.board import STREET
from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.option import Option, option, read_option
from cribpi.cribbage.rules.shown import shown

PRESETS: Final = (
    "standard",
    "computer-game",
    "lowe",
    "use-and-care",
    "travel-61",
    "travel-121",
    "acc",
    "acc-muggins",
)
"""The names of the rules on offer, each called after its source."""

TARGETS: Final = (121, 61)
"""The targets that menus offer.  121: board-set; 61 or 121: travel-set, agreed before play."""

LOWEST_TARGET: Final = 31
HIGHEST_TARGET: Final = 121
"""The board has no more holes."""

DEALS: Final[dict[int, Literal["six", "five-and-pack", "five"]]] = {2: "six", 3: "five-and-pack", 4: "five"}
"""The deal for each number of players."""


SCOREKEEPERS: Final[Mapping[str, tuple[int, ...]]] = {
    "off": (),
    "on": (0, 1),
    "0-3": (0, 3),
    "2-1": (2, 1),
    "2-3": (2, 3),
}
"""The seats that keep the board, one of each side, by the value of the option (lowe)."""


_MATCH: Final = re.compile(r"(first-to|best-of)-([1-9][0-9]?)")


def _is_match(value: str) -> bool:
    return value == "open" or _MATCH.fullmatch(value) is not None


def _is_stake(value: tuple[int, int, int]) -> bool:
    plain, skunked, double = value
    return 1 <= plain <= skunked <= double <= 9


class _Conflict(NamedTuple):
    """Options that make no sense together."""

    text: str
    remedies: tuple[tuple[str, str], ...]
    """Options with a value, as written, each of which mends it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.  Each field is an option with its row, in the order in which they are listed.

    Raises:
        BadSetup: If options are out of range, or make no sense together.
    """

    name: str = "standard"
    """The preset they come from; the house may have changed some of its options."""
    players: int = option(
        default=2,
        group="The game",
        text="""
        Players
        Two or three play for themselves; four play as partners, who sit opposite each other.
        2 = two
        3 = three
        4 = four as two pairs of partners
        board-set (2): it will count for combinations as part of both players' hands as well as of the
            dealer's box.
        computer-game (2 3): You may play with either two or three players.
        lowe (2 3 4): CRIBBAGE may be played by 2, 3, or 4 persons. ... Players sitting opposite, are
            partners, against the other two players.
        use-and-care (2): Nondealer may now play any one card from his or her hand. ... The dealer next does
            the same ... The play continues back and forth between players
        travel-set (2): Cribbage is played by two
        """,
        wrong="cribbage is for 2, 3 or 4 players, not for {value}",
    )
    target: int = option(
        default=121,
        group="The game",
        text="""
        Target
        Play to 121 points, to 61, or to another number that you agree on before you start.
        121 = twice round the board
        61 = once round
        board-set (121): As soon as a player reaches or passes 121, that player wins the game.
        computer-game (121): This continues until the score of any player reaches 121.
        travel-set (61 121): To make either 61 points or 121 points, depending what has been decided before
            the game starts.
        """,
        others="31 to 121",
        fits=lambda value: LOWEST_TARGET <= value <= HIGHEST_TARGET,
        wrong="a target of {value} is not offered: choose {choices}, or any number from 31 to 121",
    )
    """The game hole: the first to reach or pass it wins, at once (board-set, "How to win")."""
    first_dealer: Literal["low-cut", "random", "chosen"] = option(
        default="low-cut",
        group="The deal",
        text="""
        The first deal
        Cut for the first deal, draw the dealer at random, or choose one.
        low-cut = the lowest cut deals first; ties cut again
        random = the first dealer is drawn at random
        chosen = you choose who deals first
        board-set (random): The first deal is determined randomly
        lowe (low-cut): In a two-hand game, players cut for deal, lowest card winning.
        """,
        why=("cut",),
    )
    next_first_dealer: Literal["loser", "alternate", "cut", "winner"] = option(
        default="loser",
        group="The deal",
        text="""
        The first deal of the next game
        The loser or the winner of the last game deals first, or you take turns, or cut again.
        loser = the loser of the last game deals first
        alternate = the first deal passes to the left from game to game
        cut = decided again, as for the first game
        winner = the winner of the last game deals first
        lowe (loser): Thereafter, at the start of each new game, the loser of the previous game deals.
        """,
    )
    deal: Literal["six", "five-and-pack", "five"] = option(
        default="six",
        group="The deal",
        text="""
        The deal
        With two players, deal six each and discard two. With three or four, deal five and discard one; with
            three, a card from the pack completes the crib.
        six = six each, two discarded (two players)
        five-and-pack = five each, one discarded, one from the pack to the crib (three players)
        five = five each, one discarded (four players)
        board-set (six): Six cards are dealt face down to each player. Each player chooses two cards to
            discard facedown to form the crib.
        lowe (six five-and-pack five): Six cards are dealt to each player, one at a time. ... Five cards are
            dealt to each player and one card to "Crib," to which each player adds one card ... Deal and
            procedure of play is as in Three-hand Cribbage.
        travel-set (six): The dealer deals 6 cards to each player. Each player discards two cards face down,
            forming a 4-card crib.
        """,
        why=("deal",),
    )
    starter_cut: Literal["pone-cuts", "dealer-turns", "left-cuts"] = option(
        default="pone-cuts",
        group="The deal",
        text="""
        The cut for the starter
        Pone cuts for the starter, or the player on the dealer's left does, or the dealer turns up the top
            card without a cut.
        pone-cuts = pone cuts, the dealer turns the card up
        dealer-turns = the dealer turns up the top card
        left-cuts = the player on the dealer's left cuts
        board-set (pone-cuts): Non-dealer cuts the stack of undealt cards ... The dealer takes out the top
            card of the lower part. ... places it face up on top of the pack.
        lowe (pone-cuts left-cuts): the opponent (Pone) cuts the deck and the dealer takes the top card and
            places it face up on the deck. ... Dealer's left hand adversary cuts for "Starter."
        use-and-care (pone-cuts): After the deal and after forming the crib, the nondealer cuts the remaining
            pack. The dealer turns over the top card of the stack to indicate the start card.
        travel-set (dealer-turns): Dealer turns over the top card of the deck and places it face up on top of
            the deck.
        """,
        why=("starter",),
    )
    heels: int = option(
        default=2,
        group="The deal",
        text="""
        His heels
        If the starter is a jack, the dealer pegs two for his heels at once, or three, or nothing.
        2 = if the starter is a jack, the dealer pegs two at once
        3 = if the starter is a jack, the dealer pegs three at once
        none = a jack as the starter is worth nothing
        board-set (2): If the start card is a jack, the dealer immediately pegs 2 holes. This is called Two
            for his heels.
        lowe (2): unless it is a Jack, in which case the dealer scores 2 points immediately for "His Heels,"
        use-and-care (2): If the start card is a jack (called "two for his heels"), the dealer automatically
            pegs 2 (scores 2 points).
        travel-set (2): If the starter card is a Jack, the dealer immediately pegs 2 holes.
        """,
        wrong="{value} for his heels is not offered: choose {choices}",
        why=("heels",),
    )
    """Points for a jack turned up as the starter; 0 for none."""
    heels_deadline: Literal["none", "first-card"] = option(
        default="none",
        group="The deal",
        text="""
        Taking his heels
        The dealer may take his heels at any time, or loses them by playing a card first.
        none = never too late
        first-card = lost, unless the dealer takes them before playing a card
        acc (first-card): the dealer's first card ... not taken by then, lost (where players count for
            themselves)
        """,
    )
    go_award: Literal["close", "call"] = option(
        default="close",
        group="The play",
        text="""
        One for the go
        The point for go is pegged when the count closes, or as soon as somebody says go.
        close = to the last to play, when nobody can play
        call = to the last to play, when the other says go (two players); thirty-one by the same player is
            one more
        board-set (close): if neither player can lay a card without going over 31, then the last player to lay
            a card pegs "One for last."
        computer-game (close): If no player manages to make the total exactly 31, whoever played the last card
            pegs 1.
        lowe (close): The player laying down the last card possible, below 31, scores 1 Point for "last card."
        use-and-care (close): Your opponent must play any remaining cards in his or her hand, adding up to 31
            or less. At this point, your opponent pegs 1 point for a "Go"
        travel-set (close): The last player to put down a card scores 1 point 'for go', or two points if that
            last card brings the score to 31 exactly.
        old books (call): at the call, and one more if the same player then makes 31
        """,
        why=("go",),
    )
    last_card: int = option(
        default=1,
        group="The play",
        text="""
        The last card
        The last card of the deal pegs one, unless it makes thirty-one; or it pegs nothing.
        1 = one for the last card of the deal
        none = nothing for it
        board-set (1): In the last round of play, when both players run out of cards, the player of the last
            card will peg "one for last" if the total is less than 31
        computer-game (1): If no player manages to make the total exactly 31, whoever played the last card
            pegs 1.
        lowe (1): 1 point being scored for "last card" each time the nearest possible number to 31 is reached,
            even if the opponent has no more cards and cannot play.
        use-and-care (1): Scoring is kept for the "Go," 31, last card, and combinations (melds) made in play.
        travel-set (1): The last player to put down a card scores 1 point 'for go', or two points if that
            last card brings the score to 31 exactly.
        """,
        wrong="{value} for the last card is not offered: choose {choices}",
        why=("last",),
    )
    """Points for the last card of the deal; 0 for none."""
    play_rounds: Literal["all", "one"] = option(
        default="all",
        group="The play",
        text="""
        The play
        Play until every card is played, or for one count only, up to its go or thirty-one.
        all = until every card is played
        one = one count only: the play ends with its go or thirty-one
        board-set (all): Play continues until both players' cards are exhausted.
        lowe (all): This continues until all cards are played
        use-and-care (one): At this point, your opponent pegs 1 point for a "Go" or 2 points if he or she
            scores 31 points exactly. Play now ends for this deal.
        travel-set (all): After the last card is played, the hands are counted
        """,
    )
    lead_after_close: Literal["left-of-last", "first-go"] = option(
        default="left-of-last",
        group="The play",
        text="""
        Who leads the next count
        The next player with cards, to the left of the last to play, leads the next count; or the player who
            said go first does.
        left-of-last = the next player with cards, to the left of the last to play
        first-go = the first to say go in the last count
        board-set (left-of-last): the player who did not make Thirty one for two or One for last having to
            play first.
        lowe (left-of-last): the one whose next turn it is, begins play with his remaining cards
        """,
    )
    self_combinations: Literal["any", "over-another"] = option(
        default="any",
        group="The play",
        text="""
        Scores in the play
        In the play you can pair any card, even your own after a go, or only another player's.
        any = any cards in a row count, even your own after a go
        over-another = a pair counts only on another player's card
        board-set (any): If one player had to say "go" while the combination was being formed, the combination
            is still valid
        lowe (over-another): If a player plays a card which makes a pair with the opponent's preceding card,
            he scores 2 Points
        use-and-care (over-another): If you match the rank of the card played by the opponent, peg 2 for the
            pair.
        """,
        stated_by=("pair",),
    )
    crib_flush: Literal["five", "four"] = option(
        default="five",
        group="The show",
        text="""
        A flush in the crib
        A flush in the crib needs all five cards, or only four, as in a hand.
        five = all five cards only, for five
        four = four are enough, as in a hand
        board-set (five): a flush in the crib only scores if all four crib cards and the start card are of the
            same suit. If that happens the flush scores 5.
        computer-game (four): The Crib is tallied the same as a hand, and its points are given to the dealer.
        travel-set (four): Four card flush (all in hand of the same suit) ... 4 points
        acc (five): all five cards only
        """,
        why=("crib-flush",),
    )
    miscount: Literal["machine", "lost", "muggins"] = option(
        default="machine",
        group="The show",
        text="""
        Counting the hands
        The computer counts, or you do: the points you miss are lost, or go to the other side as muggins.
        machine = the computer counts
        lost = you count; points you miss are lost
        muggins = you count; points you miss go to the other side
        computer-game (machine): The Show is tallied for you, according to the rules on the next page.
        acc (lost muggins): muggins is the ACC's only optional rule: the other side takes what was missed; a
            wrong call gives it away; not for heels, penalties, a missed muggins, nor points lost by pegging
            backward
        """,
        why=("MugginsCalled",),
    )
    skunk: bool = option(
        default=True,
        group="Winning",
        text="""
        A skunk
        Lose by more than a street, under 91 in a game to 121, and you are skunked. Or play without skunks.
        on = a loser more than a street behind, under 91 of 121
        off = no skunks
        acc (on): loser under 91
        """,
    )
    double_skunk: bool = option(
        default=True,
        group="Winning",
        text="""
        A double skunk
        Lose by more than two streets, under 61 in a game to 121, and you are double skunked. Or play without
            double skunks.
        on = a loser more than two streets behind, under 61 of 121
        off = no double skunks
        acc (on): loser ... under 61
        """,
    )
    stake: tuple[int, int, int] = option(
        default=(1, 2, 3),
        group="The game",
        text="""
        What a game is worth
        How many points a game is worth in the match: plain, with a skunk, and with a double skunk.
        1-2-3 = one for a game, two for a skunk, three for a double skunk
        1-2-4 = one for a game, two for a skunk, four for a double skunk
        2-3-3 = two for a game, three for a skunk of either sort: the ACC's game points
        1-1-1 = one for every game
        acc (2-3-3): points a game is worth: plain, skunk, double ... 2, 3, 3
        """,
        others="three numbers from 1 to 9",
        fits=_is_stake,
        wrong=(
            "a stake of {value}: each is worth as much as the one before it or more, from 1 to 9, as in 2-3-3"
        ),
    )
    """What a game is worth: plain, against a skunk, against a double skunk."""
    renege: Literal["noted", "2", "2-a-card"] = option(
        default="noted",
        group="The play",
        text="""
        A wrong go
        If you say go but could have played, cribpi only notes it, or the other side gets two, or two for each
            card that you should have played.
        noted = noted, and nothing more
        2 = two to each other side
        2-a-card = two to each other side for each card that should have been played
        acc (2-a-card): 2 for each card that should have been played; to be claimed before the other side's
            next card or count, then the cards after it go back and their points too
        """,
        why=("RenegeRuled",),
    )
    false_win: Literal["put-right", "acc"] = option(
        default="put-right",
        group="Winning",
        text="""
        A false claim of the game
        If you claim the game too early, your score is corrected; in tournaments the other side gets points as
            well.
        put-right = the score is corrected
        acc = fifteen holes back, and the points claimed too many go to the other side
        acc (acc): 15 back, and what was claimed too much, up to the game hole, to the other
        """,
        why=("FalseWinRuled",),
    )
    games_peg: bool = option(
        default=True,
        group="Winning",
        text="""
        Games won
        A third peg counts the games that each side has won, or games are not pegged.
        on = a third peg counts the games won
        off = games are not pegged
        travel-set (on): the third metal pin is used to record the number of games won.
        """,
    )
    partners_scorekeeper: Literal["off", "on", "0-3", "2-1", "2-3"] = option(
        default="off",
        group="Winning",
        text="""
        Who keeps the board
        One partner of each side keeps the board and the others leave it alone, or anyone may peg.
        on = one of each side keeps the board: the first seat and the second
        0-3 = the first seat and the fourth do
        2-1 = the third seat and the second do
        2-3 = the third seat and the fourth do
        off = anyone may
        lowe (on 0-3 2-1 2-3): Before play, one player from each side is selected to manage the score ... The
            other two players are not allowed to touch the board or Pegs.
        """,
    )
    """Which partners keep the board: `on` is the first seat of each side."""
    match: str = option(
        default="open",
        group="The game",
        text="""
        The match
        Win a match by being the first to win a number of games, or the best of a number; or just play game
            after game.
        open = game after game
        first-to-3 = first to three games
        best-of-5 = best of five games
        """,
        others="first-to-N and best-of-N, N from 1 to 99",
        fits=_is_match,
        wrong="a match of {shown}: choose open, first-to-3 or best-of-5, or other numbers",
    )
    """`open`, `first-to-N` or `best-of-N` games, N from 1 to 99."""

    def __post_init__(self) -> None:
        if self.name not in PRESETS:
            raise BadSetup(f"rules {shown(self.name)} are not known: choose one of {', '.join(PRESETS)}")
        for one in OPTIONS:
            one.check(getattr(self, one.name))
        conflict = self._conflict()
        if conflict:
            raise BadSetup(conflict.text, conflict.remedies)

    def _conflict(self) -> _Conflict | None:
        """Return which options make no sense together, and what to choose; None if all do."""
        deal = DEALS[self.players]
        if self.deal != deal:
            return _Conflict(
                f"deal={self.deal} is not for {self.players} players: choose deal={deal}", (("deal", deal),)
            )
        if self.heels_deadline != "none" and not self.heels:
            return _Conflict(
                "with heels=none there is nothing to take: choose heels_deadline=none",
                (("heels_deadline", "none"),),
            )
        if self.heels_deadline != "none" and self.miscount == "machine":
            return _Conflict(
                "with miscount=machine, cribpi pegs his heels and no deadline applies: "
                "choose heels_deadline=none, or miscount=lost or muggins",
                (("heels_deadline", "none"), ("miscount", "lost"), ("miscount", "muggins")),
            )
        if self.double_skunk and not self.skunk:
            return _Conflict(
                "double skunks need skunks: choose double_skunk=off too",
                (("double_skunk", "off"),),
            )
        if self.lead_after_close == "first-go" and self.play_rounds == "one":
            return _Conflict(
                "with play_rounds=one there is no second count to lead: choose lead_after_close=left-of-last",
                (("lead_after_close", "left-of-last"),),
            )
        if self.false_win == "acc" and seats.sides(self.players) > 2:
            return _Conflict(
                "false_win=acc gives points to the other side, but here there are two: "
                "choose false_win=put-right",
                (("false_win", "put-right"),),
            )
        if self.partners_scorekeeper != "off" and self.players != 4:
            return _Conflict(
                "only partners choose who keeps the board: choose partners_scorekeeper=off",
                (("partners_scorekeeper", "off"),),
            )
        return None

    def check_new(self) -> None:
        """Refuse what no new game may have, though games that earlier versions began are read with it.

        Raises:
            BadSetup: If one can't begin with these rules.
        """
        if self.go_award == "call" and self.players > 2:
            raise BadSetup(
                "go_award=call is for two players: with three or four, only the close shows who plays last; "
                "choose go_award=close",
                (("go_award", "close"),),
            )

    @property
    def scorekeepers(self) -> tuple[int, ...]:
        """The seats that keep the board, the first side's first; empty if anyone may.

        >>> Rules(players=4, deal="five", partners_scorekeeper="2-1").scorekeepers
        (2, 1)
        """
        return SCOREKEEPERS[self.partners_scorekeeper]

    @property
    def skunk_below(self) -> int:
        """The score at which a loser is no longer skunked: 91 of 121, 31 of 61; 0 if skunks are off (ACC)."""
        # A loser on 90 is skunked, one on 91 is not: some published rules get this edge wrong.
        return max(self.target - STREET, 0) if self.skunk else 0

    @property
    def double_skunk_below(self) -> int:
        """The same for a double skunk: 61 of 121; a game to 61 has none (ACC)."""
        below = self.target - 2 * STREET
        return below if self.double_skunk and below > STREET else 0

    @property
    def games_to_win(self) -> int | None:
        """The games that win the match: n of first-to-n, more than half of best-of-n; None if it is open.

        >>> Rules(match="first-to-3").games_to_win, Rules(match="best-of-5").games_to_win
        (3, 3)
        """
        found = _MATCH.fullmatch(self.match)
        if found is None:
            return None
        number = int(found[2])
        return number if found[1] == "first-to" else number // 2 + 1

    @property
    def games_in_match(self) -> int | None:
        """The most games of the match: n of best-of-n; None for no limit."""
        found = _MATCH.fullmatch(self.match)
        return int(found[2]) if found and found[1] == "best-of" else None

    def skunk_of(self, score: int) -> int:
        """Return 1 if a loser with *score* is skunked, 2 if double skunked, or else 0."""
        return (score < self.skunk_below) + (score < self.double_skunk_below)

    def stake_of(self, score: int) -> int:
        """Return what a game is worth against a loser with *score*."""
        return self.stake[self.skunk_of(score)]


OPTIONS: Final = tuple(read_option(one.name, **one.metadata) for one in fields(Rules) if one.name != "name")
"""Every option, in the order of the fields of `Rules`."""

BY_NAME: Final[Mapping[str, Option]] = {one.name: one for one in OPTIONS}

STANDARD: Final = Rules()
