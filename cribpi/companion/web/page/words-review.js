// The texts of the review of a game, a part of the catalogue in words.js: the start does without them.

import { amount, owns, whose, YOU } from "/page/words.js";

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)}%`;
const points = (/** @type {number} */ number) => `${number < 0 ? "−" : ""}${Math.abs(number).toFixed(1)} ${Math.abs(number).toFixed(1) === "1.0" ? "point" : "points"}`;

export const SAYS = {
  title: (/** @type {number} */ number) => `Review of game ${number}`,
  working: (/** @type {number} */ deals) => `Going through the game: ${amount(deals, "deal")} to go.`,
  failed: "This game can't be reviewed now.",
  whose: "Whose decisions",
  chanceOf: (/** @type {string} */ name) => `${owns(name)} chance of winning, deal by deal`,
  accuracy: (/** @type {number} */ share) => `${Math.round(100 * share)}% accuracy`,
  means: (/** @type {boolean} */ isChance) => `A decision that costs nothing counts 100%, one that costs ${isChance ? "8% of the chance of winning" : "three points"} 50%.`,
  discardsOf: (/** @type {number} */ share) => `discards ${Math.round(100 * share)}%`,
  playsOf: (/** @type {number} */ share) => `pegging ${Math.round(100 * share)}%`,
  /** @type {Record<Server.Mark, string>} */
  marks: { best: "best", good: "good", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
  /** @type {Record<Server.Mark, string>} */
  signs: { best: "✓", good: "·", inaccuracy: "?!", mistake: "?", blunder: "??" },
  made: (/** @type {number} */ blunders, /** @type {number} */ mistakes, /** @type {number} */ inaccuracies) =>
    [
      blunders && amount(blunders, "blunder"),
      mistakes && amount(mistakes, "mistake"),
      inaccuracies && `${inaccuracies} ${inaccuracies === 1 ? "inaccuracy" : "inaccuracies"}`,
    ].filter(Boolean).join(", ") || "no mistakes",
  luck: (/** @type {number} */ share, /** @type {string} */ us, /** @type {string} */ them) => {
    const much = Math.abs(share), whom = share > 0 ? us : them;
    return much < 0.05 ? "Luck favoured nobody." : `Luck favoured ${whom === YOU ? "you" : whom}${much < 0.25 ? " a little" : much < 0.75 ? "" : " a lot"}.`;
  },
  counts: (/** @type {number} */ share) => `Counts and penalties: ${share > 0 ? "+" : "−"}${percent(Math.abs(share))}.`,
  cost: (/** @type {string} */ us, /** @type {number} */ ours, /** @type {string} */ them, /** @type {number} */ theirs) =>
    `${whose(us)} decisions cost ${percent(ours)} per deal, ${owns(them)} ${percent(theirs)}.`,
  decisions: "Decisions",
  filters: [
    { value: "all", title: "All" },
    { value: "costly", title: "Mistakes" },
    { value: "discard", title: "Discards" },
    { value: "play", title: "Play" },
  ],
  none: "Nothing here.",
  deal: (/** @type {number} */ deal, /** @type {string} */ dealer) => `Deal ${deal} · ${dealer} dealt`,
  best: "best",
  lost: (/** @type {number} */ chance) => `−${(100 * chance).toFixed(1)}%`,
  lostPoints: (/** @type {number} */ lost) => `−${lost.toFixed(1)}`,
  at: (/** @type {string} */ scores, /** @type {string} */ dealer) => `${scores}, ${dealer === YOU ? "you deal" : `${dealer} deals`}.`,
  did: { discard: (/** @type {string} */ name) => `${name} discarded`, play: (/** @type {string} */ name) => `${name} played` },
  better: { discard: "Better to discard", play: "Better to play" },
  keep: "keep",
  toCrib: (/** @type {string} */ whose) => `to ${whose} crib`,
  wins: (/** @type {number} */ chance) => `wins ${(100 * chance).toFixed(1)}%`,
  sum: (/** @type {Server.Decided} */ { hand, crib, play }) =>
    `Hand ${hand.toFixed(1)} ${crib < 0 ? "−" : "+"} crib ${Math.abs(crib).toFixed(1)} ${play < 0 ? "−" : "+"} play ${Math.abs(play).toFixed(1)} = ${points(hand + crib + play)} on average`,
  /** Of what follows in the play; without a name it is you, and several others outscore. */
  pegs: (/** @type {number} */ more, /** @type {import("/page/review.js").Sides} */ { me, others, areMany }) => {
    const by = Math.abs(more).toFixed(1);
    if (by === "0.0") return "From here it is even, on average";
    return more < 0
      ? `From here ${others} outscore${areMany ? "" : "s"} ${me ?? "you"} by ${by} on average`
      : `From here ${me === null ? "you outscore" : `${me} outscores`} ${others} by ${by} on average`;
  },
  onTable: (/** @type {number} */ count) => `On the table: ${count}`,
  before: "In earlier counts",
  holding: "Holding",
  previous: "Previous mistake",
  next: "Next mistake",
  tryIt: "Try it yourself",
  giveUp: "Show the answer",
  seeTable: "See the table",
  tryDiscard: (/** @type {number} */ cards, /** @type {string} */ whose) => `Which ${cards === 1 ? "card goes" : "two go"} to ${whose} crib?`,
  tryPlay: "Which card do you play?",
  right: "Yes, that's the best choice.",
  close: (/** @type {string} */ lost, /** @type {string} */ best) => `Close: it costs ${lost} compared with ${best}.`,
  wrong: (/** @type {string} */ lost, /** @type {string} */ best) => `It costs ${lost} compared with ${best}.`,
};
