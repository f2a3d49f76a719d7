// The texts of practice, a part of the catalogue in words.js: the start does without them.

export const SAYS = {
  title: "Practice",
  kinds: [
    { value: "discards", title: "Discards" },
    { value: "pegging", title: "Pegging" },
    { value: "counting", title: "Counting" },
  ],
  mistakesOf: "First the mistakes of",
  nobody: "nobody: random deals",
  reviewing: "Going through the latest games.",
  failed: "There is nothing to practise now.",
  score: (/** @type {number} */ right, /** @type {number} */ all) => `${right} of ${all} right`,
  streak: (/** @type {number} */ streak) => `${streak} in a row`,
  each: (/** @type {number} */ seconds) => `${seconds.toFixed(1)} seconds each`,
  your: "your own",
  others: "the other's",
  at: (/** @type {number} */ mine, /** @type {number[]} */ others, /** @type {boolean} */ isDealer) =>
    `You have ${mine}, ${others.length === 1 ? "the other" : "the others"} ${others.join(" and ")}. ${isDealer ? "You deal" : "The other deals"}.`,
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
