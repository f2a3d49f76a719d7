// Cribbage in five minutes, in the Markdown of the docs: docs/tutorial/five-minutes.md is this text, and a test holds it so.

export const FIVE_MINUTES = `# Cribbage in five minutes

You need two players, a pack of 52 cards and a board. The first to reach 121 points wins; a short game is to 61. In each deal you score twice: while the cards are played, and then for your hand.

## The deal

Cut for the deal: the lower card deals, and after that you take turns. The dealer gives each player six cards. Keep four, and put two face down in the crib: an extra hand that counts for the dealer. So the dealer feeds the crib, and the other player, the pone, starves it.

The pone cuts the pack, and the dealer turns up a card: the starter. At the end it is everybody's fifth card. If it is a jack, the dealer pegs two "for his heels".

## The play

The pone plays a card, then the dealer, and so on in turn. Each adds a card to the count and says the total. An ace counts one, jack, queen and king ten, the others what they show. The count never goes over 31: if every card you hold would, say "go", and your opponent plays on while a card fits. When neither can play, or at 31, a new count begins: whoever did not play the last card leads.

| you make | points |
|---|---|
| a count of exactly 15 | 2 |
| a count of exactly 31 | 2 |
| a pair, three or four of a rank in a row | 2, 6 or 12 |
| a run of three or more, in any order: 4 6 5 | 1 a card |
| the last card of a count that is not 31 | 1 |

## The show

Now pick up your cards again. The pone counts first, then the dealer's hand, then the crib. Each is four cards and the starter, and a card can count in many ways.

| in your five cards | points |
|---|---|
| each way to make fifteen | 2 |
| each pair | 2 |
| each run of three or more, taken whole | 1 a card |
| a flush: your four cards of one suit | 4, or 5 with the starter |
| a jack of yours in the starter's suit, "his nobs" | 1 |

In the crib only a flush of all five counts. Here is a hand, with its starter last:

\`6♥ 7♠ 8♣ 8♦ 9♠\`

| cards | you say |
|---|---|
| 7♠ 8♣ | fifteen two |
| 7♠ 8♦ | fifteen four |
| 6♥ 9♠ | fifteen six |
| 8♣ 8♦ | and a pair is eight |
| 6♥ 7♠ 8♣ 9♠ | and a run of four is twelve |
| 6♥ 7♠ 8♦ 9♠ | and a run of four is sixteen |

A hand of nothing is called a nineteen: no hand counts that.

## The board

Each player has two pegs. Move the one behind past the one in front, so that the front peg is your score. Peg points as soon as you make them. Whoever reaches the last hole has won, even in the middle of a count. In a game to 121 a loser with 90 or less is skunked.
`;
