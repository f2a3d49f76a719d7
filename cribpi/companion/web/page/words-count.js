// The texts of a hand that is counted, a part of the catalogue in words.js: the start does without them.

import { amount } from "/page/words.js";

export const COUNT = {
  cardsOfHand: "The cards of the hand",
  handOrCrib: "Hand or crib",
  kinds: [{ value: "hand", title: "Hand" }, { value: "crib", title: "Crib" }],
  typed: "Type",
  suit: "Suit",
  clear: "Clear",
  takeAway: (/** @type {string} */ card) => `Remove the ${card}`,
  missing: (/** @type {number} */ left) => `${amount(left, "more card")}, then the starter.`,
  mean: (/** @type {number} */ least, /** @type {number} */ most) => `on average, ${least} to ${most} depending on the starter`,
  mayBe: (/** @type {number[]} */ points) => `It may be ${points.join(", ").replace(/, (?=\d+$)/, " or ")}: not all suits are given.`,
  countRules: "Rules",
  countedBy: (/** @type {string} */ rules) => `rules: ${rules}`,
};
