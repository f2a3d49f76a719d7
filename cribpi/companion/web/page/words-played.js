// The texts of a game that was played, a part of the catalogue in words.js: the start is drawn without them.

import { amount, YOU } from "/page/words.js";

export const PLAYED = {
  lastGame: "Your last game",
  yourGames: "Your games",
  allGames: "All games and statistics",
  you: YOU,
  today: "Today",
  yesterday: "Yesterday",
  modes: { cards: "real cards", peg: "points only", computer: "computer", dealt: "pass and play" },
  skunk: ["", ", a skunk", ", a double skunk"],
  won: (/** @type {number} */ by, /** @type {string} */ skunk) => `Won by ${by}${skunk}`,
  lost: (/** @type {number} */ by, /** @type {string} */ skunk) => `Lost by ${by}${skunk}`,
  wonBy: (/** @type {number} */ by, /** @type {string} */ skunk) => `won by ${by}${skunk}`,
  youBeat: (/** @type {string} */ others, /** @type {number} */ by, /** @type {string} */ skunk) => `you beat ${others} by ${by}${skunk}`,
  youLost: (/** @type {string} */ winner, /** @type {number} */ by, /** @type {string} */ skunk) => `you lost to ${winner} by ${by}${skunk}`,
  beat: (/** @type {string} */ winner, /** @type {string} */ others, /** @type {number} */ by, /** @type {string} */ skunk) => `${winner} beat ${others} by ${by}${skunk}`,
  accuracy: (/** @type {number} */ share) => `${Math.round(100 * share)}% accuracy`,
  accuracyOf: (/** @type {string} */ name, /** @type {number} */ share) => `${name} ${Math.round(100 * share)}%`,
  mistakes: (/** @type {number} */ count) => (count ? amount(count, "mistake") : "no mistakes"),
  notReviewed: "not reviewed yet",
  review: "Review",
  reviewOf: (/** @type {number} */ game) => `Review game ${game}`,
  rematch: "Rematch",
  result: "Result",
};
