// The texts of practice, a part of the catalogue in words.js: the start does without them.

import { owns } from "/page/words.js";

/** @typedef {"you" | "partner" | "opponent" | "another"} Dealer The dealer, as seen by the player. */

export const SAYS = {
  title: "Practice",
  kinds: [
    { value: "discards", title: "Discards" },
    { value: "pegging", title: "Pegging" },
    { value: "counting", title: "Counting" },
  ],
  practise: "Practise",
  random: "random deals",
  mistakesOf: (/** @type {string} */ name) => `${owns(name)} mistakes`,
  reviewing: "Looking through the latest games…",
  failed: "There is nothing to practise now.",
  score: (/** @type {number} */ right, /** @type {number} */ all) => `${right} of ${all} right`,
  streak: (/** @type {number} */ right, /** @type {number} */ most) => `${right} in a row${most > right ? `, best ${most}` : ""}`,
  days: (/** @type {number} */ days) => `${days} days in a row`,
  opponents: (/** @type {number} */ players) => (players === 2 ? "your opponent" : "your opponents"),
  each: (/** @type {number} */ seconds) => `${seconds.toFixed(1)} seconds each`,
  /** @type {Record<Dealer, string>} */
  owns: { you: "your own", partner: "your partner's", opponent: "your opponent's", another: "an opponent's" },
  /** @type {Record<Dealer, string>} */
  deals: { you: "You deal", partner: "Your partner deals", opponent: "Your opponent deals", another: "An opponent deals" },
  at: (/** @type {number} */ mine, /** @type {number[]} */ others, /** @type {number} */ players, /** @type {Dealer} */ dealer) =>
    `You have ${mine}, your ${players === 2 ? "opponent" : "opponents"} ${others.join(" and ")}. ${SAYS.deals[dealer]}.`,
  before: "In earlier counts",
  starter: "Starter",
  onTable: (/** @type {number} */ count) => (count ? `On the table, ${count}:` : "You lead."),
  from: (/** @type {number} */ game, /** @type {number} */ deal) => `From game ${game}, deal ${deal}.`,
  yours: "Your choice",
  best: "Better",
  next: "Next",
  countHand: "How much is this hand?",
  countCrib: "How much is this crib?",
  points: "Points",
  count: "Count it",
  rightCount: "Right.",
  wrongCount: (/** @type {number} */ points) => `No: ${points}.`,
};

export const RACE = {
  begin: "Race: ten hands",
  rule: (/** @type {number} */ hand, /** @type {number} */ hands) => `Hand ${hand} of ${hands}. A wrong count costs ten seconds; the clock stops while you read.`,
  time: (/** @type {number} */ seconds) => `${seconds.toFixed(1)} seconds`,
  allRight: "All ten right.",
  wrong: (/** @type {number} */ wrong, /** @type {number} */ seconds) => `${wrong === 1 ? "One" : wrong} wrong, so ${seconds} seconds more.`,
  first: "That's your time to beat.",
  better: (/** @type {number} */ before) => `Your best was ${before.toFixed(1)}.`,
  best: (/** @type {number} */ before) => `Your best is ${before.toFixed(1)}.`,
  again: "Race again",
  end: "Count without a clock",
};
