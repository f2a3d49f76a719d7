// The texts of the table that the start does without, a part of the catalogue in words.js.

import { amount, does, sideDoes, YOU } from "/page/words.js";

export const TABLE = {
  // --- the felt ---
  gone: (/** @type {number} */ cards) => `Earlier counts, ${amount(cards, "card")}`,
  closesFor: (/** @type {number} */ points) => `for ${points}`,
  closed: "earlier",

  // --- the show ---
  shows: (/** @type {string} */ name) => does(name, "shows"),
  soFar: "so far",
  soFarOf: (/** @type {number} */ total) => `so far, of ${total}`,
  inAll: "total",
  showCount: "Show the count",
  counted: (/** @type {string} */ name, /** @type {number} */ claimed, /** @type {number} */ points) => `${name} counted ${claimed}; it is worth ${points}`,
  missed: (/** @type {number} */ points) => `missed ${points}`,
  yours: "✓ yours",
  found: "✓ counted",
  takes: (/** @type {{ name: string, said: string } | null} */ side, /** @type {number} */ points) => `${side ? sideDoes(side, "takes") : "You take"} ${points}`,
  notTaken: (/** @type {number} */ points, /** @type {number} */ missed) => (missed ? `${missed} missed` : `${points} pegged`),
  byMuggins: "the points missed, by muggins",
  nineteen: 'No points: players call it a "nineteen"',
  none: "none",
  next: "Next",
  countAll: "All at once",
  back: "Back",
  pause: "Pause",
  goOn: "Go on",

  // --- the pad ---
  points: "Points",
  howMany: "How many points?",
  erase: "Backspace",
  step: (/** @type {string} */ by) => (by.startsWith("-") ? `${by.slice(1)} less` : `${by.slice(1)} more`),

  // --- the hint ---
  whoDeals: "Who deals first?",
  hinted: (/** @type {string} */ words) => `Hint: ${words}.`,
  hintComes: "Thinking about a hint…",
  hintedCard: (/** @type {string} */ card) => `${card}, hint`,
  meanwhile: (/** @type {string} */ text) => `Meanwhile: ${text}.`,

  // --- the keys ---
  screenShows: (/** @type {string} */ prompt) => `Screen: ${prompt}`,
  holdFor: (/** @type {string} */ key) => `hold: ${{ "hold:UNDO": "redo", "hold:MENU": "off" }[key] ?? key}`,
  suits: "A flush or his nobs",
  holdForSuit: "Hold a rank to give its suit.",
  whichSuit: (/** @type {string} */ label) => `${label}: which suit?`,

  // --- the end ---
  wins: (/** @type {{ name: string, said: string }} */ side, /** @type {number} */ by) => `${sideDoes(side, "wins")} by ${by}`,
  youWin: (/** @type {number} */ by) => `You win by ${by}`,
  youLose: (/** @type {number} */ by) => `You lose by ${by}`,
  result: "Result",
  gains: {
    pegging: "Pegging", hands: "Hands", cribs: "Cribs", heels: "His heels", muggins: "Muggins", other: "Penalties, corrections", lead: "Largest lead",
  },
  best: (/** @type {number} */ points, /** @type {string} */ name, /** @type {number} */ deal, /** @type {boolean} */ isCrib) =>
    `Best ${isCrib ? "crib" : "hand"}: ${points}, ${name === YOU ? "yours" : name} in deal ${deal}`,
  course: "The scores after each deal",
};
