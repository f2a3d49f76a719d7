"""Citations: for each rule a sentence for players, and what each source says about it.

Only rules that no option changes are here; the options bring their own (see `table`).  The words are the
source's own; "..." marks an omission, and an excerpt may begin or end within a sentence.  A source that gives
only half of a rule is quoted for that half; one that is silent is absent.  `acc`, the rules of the American
Cribbage Congress, and `old books` are paraphrased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cribpi.cribbage.rules.option import Quote, Rule, paragraphs
from cribpi.cribbage.rules.table import OPTIONS

SOURCES: Final = ("board-set", "computer-game", "lowe", "use-and-care", "travel-set", "acc", "old books")
"""The sources, in the order in which they are listed."""


# In these tables a rule's key starts in the first column, its sentence and its sources are indented by four,
# and continuation lines are indented further.

_AIM_AND_TURN: Final = """
win
    The first to reach or pass the target wins at once, even in the middle of a show. Nothing after that
        counts.
    board-set: As soon as a player reaches or passes 121, that player wins the game. This can happen at any
        stage - during the play or the show, or even by dealer scoring two for his heels. It is not necessary
        to reach 121 exactly
    computer-game: This continues until the score of any player reaches 121.
    travel-set: Play continues until 61 or 121 points are achieved.

pack
    A pack has 52 cards: four of each rank, one in each suit.
    board-set: 1 Deck of Playing Cards
    lowe: A full deck of 52 Playing Cards is used.
    travel-set: Cribbage is played by two using a 52 card deck.

pips
    The ace counts one, court cards count ten each, and every other card counts its number.
    board-set: The pip values of the cards are: Ace = 1; 2 to 10 = face value; jack = 10; queen = 10; king =
        10.
    computer-game: a 10 and a queen do NOT make a pair even though they are both worth 10 points. ... Note
        that ace is low
    lowe: King, Queen, Jack and 10, each count 10. All other cards, their face value. King is high, and Ace,
        with a value of 1, is low.
    use-and-care: face cards count as 10, the ace counts as 1, and the rest of the cards count as their face
        value.
    travel-set: The ace is the lowest value, counting as one point. All other cards count as their face value.
        Jack, Queen, King count as ten points each.

turns
    Pone leads. Each player in turn plays one card, and the turn passes to the left.
    board-set: Starting with the non-dealer, the players take turns to play single cards face up in front of
        them.
    lowe: pone plays any card he wishes ... Dealer then plays any card ... This continues alternately ... Play
        and scoring proceeds around table to the left.
    use-and-care: Nondealer may now play any one card from his or her hand. ... The dealer next does the same
        ... The play continues back and forth between players
    travel-set: Play alternates between players one card at a time ... The 'Pone', or non-dealer, starts the
        play

limit
    No card may take the count over thirty-one.
    board-set: the total pip value of the cards played by both players must not exceed 31.
    computer-game: Click on the card you wish to play, note that it may not exceed a total of 31 when played
        on the table.
    lowe: Neither player may play a card if it makes the sum greater than 31.
    use-and-care: Your opponent must play any remaining cards in his or her hand, adding up to 31 or less.
    travel-set: If a player is unable to put down a card without exceeding 31, the player calls "GO"

must-play
    If you can play, you must, and may not say go. Once you say go, you are out of that count.
    board-set: A player who cannot play without exceeding 31 does not play a card but says "Go," leaving his
        opponent to continue if possible
    computer-game: If you have no playable cards, you are informed and simply click anywhere to continue.
    lowe: Whenever either player is unable to lay down a card without passing 31, he says "Go," and his
        opponent must then play, if he can do so without going over 31.
    use-and-care: If, however, you cannot play any of your remaining cards without exceeding 31 during this
        round, you say, "Go." ... Your opponent must play any remaining cards in his or her hand, adding up to
        31 or less.
    travel-set: If a player is unable to put down a card without exceeding 31, the player calls "GO" and the
        opponent plays if possible.
"""
"""The aim, the cards and the turn."""

_SCORES: Final = """
fifteen
    In the play, a count of exactly fifteen pegs 2. In the show, so do any cards that add up to fifteen.
    board-set: Any combination of cards adding up to 15 pips scores 2 points. ... If you play a card which
        brings the total to 15 you peg 2
    computer-game: If you play a card which brings the total to 15 you peg 2 ... Any combination of cards
        adding up to 15 pips scores 2 points.
    lowe: If a player plays a card which makes the sum exactly 15, he scores 2 Points.
    use-and-care: If you make a count of 15 during play, peg 2. ... Any combination of cards totaling exactly
        15 points, 2 points
    travel-set: Running count totaling 15 ... 2 points ... For each combination of cards totaling 15 ... 2
        points

thirty-one
    A count of exactly thirty-one pegs 2, with no extra point for last.
    board-set: Bringing the total to exactly 31 pegs 2 ... If you make exactly 31 for two points you do not
        get an additional "one for last".
    computer-game: if you play a card which brings the total to exactly 31 you peg 2. ... If no player manages
        to make the total exactly 31, whoever played the last card pegs 1.
    lowe: The player laying down the last card possible, below 31, scores 1 Point for "last card." If the
        "last card" makes the sum exactly 31, he scores 2 points.
    use-and-care: your opponent pegs 1 point for a "Go" or 2 points if he or she scores 31 points exactly.
    travel-set: The last player to put down a card scores 1 point 'for go', or two points if that last card
        brings the score to 31 exactly.

pair
    Two cards of the same rank peg 2; in the play, one must follow the other directly.
    board-set: A pair of cards of the same rank score 2 points. ... If you play a card of the same rank as the
        previous card (e.g. a king after a king) you peg 2 for a pair.
    computer-game: If you play a card of the same rank as the previous card (e.g. a king after a king) you peg
        2 for a pair. ... A pair of cards of the same rank score 2 points.
    lowe: If a player plays a card which makes a pair with the opponent's preceding card, he scores 2 Points,
        providing no "31" or "last card" has been played.
    use-and-care: If you match the rank of the card played by the opponent, peg 2 for the pair. ... Two cards
        of the same rank, 2 points
    travel-set: If the card makes a pair, or a total of 15, that player scores 2 points ... COUNTING THE HAND
        AFTER PLAY ... Pair ... 2 points

pair-royal
    Three cards of the same rank peg 6; in the play, they must follow one another directly.
    board-set: Three cards of the same rank contain 3 different pairs ... 6 points for pair royal. ... If
        immediately after a pair a third card of the same rank is played, the player of the third card scores
        6 for pair royal.
    computer-game: If immediately after a pair a third card of the same rank is played, the player of the
        third card scores 6 ... Three cards of the same rank contain 3 different pairs and thus score a total
        of 6 points
    lowe: If a player plays a card which makes 3 of a kind (as 5, 5, 5) in succession, he scores 6 points
    use-and-care: Three cards of the same rank are worth 6 points (6 pegs)
    travel-set: Three of a Kind ... 6 points ... 3 of a kind ... 6 points

double-pair-royal
    Four cards of the same rank peg 12; in the play, they must follow one another directly.
    board-set: Four of a kind contain 6 pairs and so score 12 points. ... Four cards of the same rank, played
        in immediate succession. The player of the fourth card scores 12.
    computer-game: Four cards of the same rank, played in immediate succession. The player of the fourth card
        scores 12. ... Four of a kind contain 6 pairs and so score 12 points.
    lowe: if a player makes 4 of a kind in succession, he scores 12 points
    use-and-care: Three cards of the same rank are worth 6 points (6 pegs), the fourth one scores (pegs) 12.
    travel-set: Four of a kind ... 12 points ... 4 of a kind ... 12 points

run
    Three or more ranks in sequence, ace low, peg one point a card; in the play they may fall in any order,
        with no other card between them.
    board-set: A run or sequence is a set of 3 or more cards of consecutive ranks ... ace is low ... the score
        is equal to the number of cards in the run. ... no other cards must intervene.
    computer-game: 3 or more cards of consecutive ranks ... ace is low ... the score is equal to the number of
        cards in the run. ... no other cards must intervene. ... The runs of 3 within it don't count - you
        just get 4
    lowe: If a player plays a card making 3 or more cards which can be arranged in numerical order, he scores
        1 point for each card. The cards do not have to be played in order.
    use-and-care: Sequences also count, and the cards don't have to be in exact order. For example, 3-6-4-5
        scores 4 points for the last player
    travel-set: Run of three or more ... 1 point for each card ... only the highest combination can be scored.
        ... nor can a run of four be scored as two runs of three.

no-flush-in-play
    A flush counts only in the show, never in the play.
    board-set: Note also that there is no score for flush during the play
    computer-game: Note also that there is no score for flush during the play - it only counts in the show.
    use-and-care: You do not score a flush (a sequence of cards of the same suit) in play, however, until the
        hand is tallied.

flush
    Four cards of one suit in your hand peg 4, or 5 if the starter is of that suit too.
    board-set: If all four cards of the hand are the same suit, 4 points are scored for flush. If the start
        card is the same suit as well, the flush is worth 5 points.
    computer-game: If all four cards of the hand are the same suit, 4 points are scored for flush. If the
        start card is the same suit as well, the flush is worth 5 points.
    travel-set: Four card flush (all in hand of the same suit) ... 4 points ... Five card flush (same as 4 but
        add starter card) ... 5 points

nobs
    The jack of the starter's suit, in a hand or the crib, pegs one for his nobs.
    board-set: If the hand contains the jack of the same suit as the start card, you peg One for his nob.
    computer-game: One For His Nob ... If the hand contains the jack of the same suit as the start card
    travel-set: Jack of the same starter's suit ... 1 point

no-nineteen
    No hand or crib counts 19, 25, 26, 27 or more than 29.
    board-set: It is impossible to score nineteen in hand or in box.
    computer-game: It is impossible to score nineteen in hand or in box.

most-for-a-card
    One card in the play pegs 15 at most, never 10 or 11: 12 for a double pair royal, 2 for fifteen, 1 for
        last.
    board-set: If you play a card which brings the total to 15 you peg 2 ... The player of the fourth card
        scores 12. ... whoever played the last card pegs 1.
    computer-game: If you play a card which brings the total to 15 you peg 2 ... The player of the fourth card
        scores 12. ... whoever played the last card pegs 1.
    lowe: scores 1 Point for "last card." ... If a player plays a card which makes the sum exactly 15, he
        scores 2 Points. ... if a player makes 4 of a kind in succession, he scores 12 points
    use-and-care: Scoring is kept for the "Go," 31, last card, and combinations ... If you make a count of 15
        during play, peg 2. ... the fourth one scores (pegs) 12.
    travel-set: Four of a kind ... 12 points ... Running count totaling 15 ... 2 points ... For Go ... 1 point
"""
"""What scores in the play and in the show."""

_DEAL: Final = """
shuffle
    The computer shuffles and deals, one card at a time from the dealer's left. The next card is the starter:
        in a shuffled pack that is as good as a cut.
    lowe: Six cards are dealt to each player, one at a time.

order
    Every deal goes in this order: deal, discard, starter, play, hands, crib.
    board-set: Each player chooses two cards to discard ... the players take turns to play single cards ...
        First the non-dealer's hand is exposed, and scored. ... Finally the dealer exposes the four cards of
        the crib
    computer-game: The game starts off with the discard. ... Next we enter into pegging. ... The Show is
        tallied for you ... The Crib is tallied the same as a hand ... The hand starts over.
    lowe: After the Crib is formed, the opponent (Pone) cuts the deck ... After the "Starter" has been turned
        up, pone plays any card he wishes ... After the hands have been played, pone counts his hand
    use-and-care: After the deal and after forming the crib, the nondealer cuts the remaining pack. ... The
        start card will not be used until play is complete.
    travel-set: Each player discards two cards face down ... The 'Pone', or non-dealer, starts the play ...
        After the last card is played, the hands are counted ... then tallies the crib

lay-away
    Each player discards to the crib, face down, until every hand and the crib have four cards.
    board-set: Each player chooses two cards to discard facedown to form the crib. These four cards are set
        aside until the end of the hand.
    computer-game: Click on the card that you think will be least valuable. It is removed from your hand and
        inserted into the crib.
    lowe: each player discards 2 cards ... These 4 cards form the "Crib," ... to which each player adds one
        card from his hand, leaving four cards in each hand and in the "Crib."
    use-and-care: If the crib belongs to you (right), put the two 6s into the crib
    travel-set: Each player discards two cards face down, forming a 4-card crib.

count-closes
    When nobody can play, or at thirty-one, the cards are turned down and a new count starts from zero.
    board-set: The cards that have been played are turned over and a fresh round of play starts ... if both
        players are unable to play, causing a new round of play to be started from zero
    lowe: After every "last card" has been scored, the players turn down the cards they have already played
        and the one whose next turn it is, begins play with his remaining cards, exactly as at the beginning
        of the hand.

passed
    A player with no cards left is skipped, and the others play on.
    board-set: Play continues until both players' cards are exhausted.
    lowe: This continues until all cards are played ... even if the opponent has no more cards and cannot
        play.

show-order
    Pone shows first, then the others to the left, the dealer last, and then comes the crib.
    board-set: After non-dealer's hand has been shown and the score pegged, dealer's hand is shown, scored and
        pegged in the same way. Finally the dealer exposes the four cards of the crib
    lowe: pone counts his hand ... The dealer then counts his hand, pegs his score and then counts and pegs
        the "Crib." ... Dealer scores his hand last.
    travel-set: The Pone is always the first to 'meld' after each hand. ... The Dealer counts their own hand,
        then tallies the crib

deal-passes
    After the crib the deal passes to the left.
    board-set: The first deal is determined randomly, and then alternates from hand to hand until the game is
        over.
"""
"""The course of a deal."""

_BOARD: Final = """
pegs
    Points are pegged at once: the back peg jumps past the front one. The front peg is your score, the back
        peg your score before that.
    board-set: players peg their scores as they occur ... the forward peg shows the player's latest score, and
        the rear peg shows the previous score.
    computer-game: A player who makes any of the following scores during pegging scores them immediately.
    lowe: pone counts his hand and Pegs whatever points he scores. The dealer then counts his hand, pegs his
        score
    use-and-care: Melds are pegged as they happen.
    travel-set: A player's score is pegged immediately as it occurs ... the front peg marks the player's
        latest score, while the rear peg marks the previous score.

penalty
    A penalty gives or takes points that the players agree on. The front peg is the score, even if that puts
        it behind the back peg.

put-right
    If a score was pegged wrongly, the front peg goes to the hole that the players agree on.

misdeal
    After a misdeal the points of this deal are taken back, and the same dealer deals again.

keys
    Press a key that the screen offers.

setup
    A game begins with two, three or four players, each with a different name, and rules that fit together.
    computer-game: You may play with either two or three players. ... Enter your name, and start the game.
    lowe: CRIBBAGE may be played by 2, 3, or 4 persons.
    travel-set: Cribbage is played by two
"""
"""The board, and the players around it."""

SAYS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    one.name: {source: quote.values for source, quote in one.quotes.items()} for one in OPTIONS if one.quotes
}
"""For each option that some source mentions, the values each source gives, as written.

>>> SAYS["crib_flush"]["computer-game"], SAYS["target"]["travel-set"]
(('four',), ('61', '121'))
"""


def _base() -> Iterable[Rule]:
    for block in f"{_AIM_AND_TURN}{_SCORES}{_DEAL}{_BOARD}".strip().split("\n\n"):
        name, newline, rest = block.partition("\n")
        text, *lines = paragraphs(newline + rest)
        quotes = (line.split(": ", maxsplit=1) for line in lines)
        yield Rule(name, text, {source: Quote(words) for source, words in quotes})


RULES: Final[Mapping[str, Rule]] = {rule.name: rule for rule in (*_base(), *OPTIONS)}
"""Every rule by its key: first those that no option changes, then the options in the order of `Rules`.

>>> RULES["limit"].text
'No card may take the count over thirty-one.'
>>> RULES["limit"].words["lowe"]
'Neither player may play a card if it makes the sum greater than 31.'
"""
