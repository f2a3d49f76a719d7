// The texts of the lesson, a part of the catalogue in words.js: the start does without them.

import { owns, YOU } from "/page/words.js";

export const LESSON = {
  title: "Lesson",
  gotIt: "Got it",
  leave: "Leave the lesson",
  of: (/** @type {number} */ at, /** @type {number} */ of) => `${at} of ${of}`,
  between: "Play on. The next step comes when there is something to see.",
  aim: (/** @type {string} */ me, /** @type {string} */ other, /** @type {number} */ target) =>
    `${me === YOU ? `You play the computer, ${other}` : `You are ${me}, the computer is ${other}`}. First to ${target} points wins. These six cards are yours: four will be your hand.`,
  discard: (/** @type {string | null} */ other) =>
    other === null
      ? "Choose two cards to discard. They go to the crib, an extra hand, and this deal it is yours."
      : `Choose two cards to discard. They go to the crib, an extra hand, and this deal it is ${other}'s: keep your best four.`,
  send: (/** @type {string} */ cards, /** @type {string | null} */ other) =>
    `${cards}: send them to ${owns(other ?? YOU)} crib with the button below. The other four are your hand.`,
  starter: (/** @type {string} */ card, /** @type {string} */ other) =>
    `The ${card} is the starter: at the end it is a fifth card for you, for ${other} and for the crib.`,
  heels: (/** @type {string | null} */ other) => ` A jack: two points for ${other ?? "you"}, the dealer.`,
  inTurn: (/** @type {string} */ other) =>
    `Now you play cards in turn, and add them up: 31 at most. Jack, queen and king are ten. ${other} is next.`,
  play: (/** @type {string} */ card) =>
    `Play a card: it adds to the count, 31 at most. Jack, queen and king are ten. You could play your ${card}.`,
  go: (/** @type {number} */ count) => `At ${count}, every card you hold would go over 31: you can only say go.`,
  /** @type {Partial<Record<Server.Kind, string>>} */
  scored: {
    "fifteen": "A count of exactly 15 is worth two points.",
    "thirty-one": "A count of exactly 31 is worth two points. Then a new count begins.",
    "pair": "Two cards of the same rank in a row are worth two points.",
    "pair-royal": "Three of the same rank in a row are worth six points.",
    "double-pair-royal": "Four of the same rank in a row are worth twelve points.",
    "run": "Cards in sequence, such as 4 5 6, are worth a point each, in any order.",
    "go": "Nobody can play without going over 31: one point for the last to play.",
    "last": "The last card of all is worth one point.",
  },
  show: (/** @type {string | null} */ other, /** @type {string} */ starter, /** @type {string} */ next) =>
    `The show: ${owns(other ?? YOU)} four cards and the ${starter} count.${next && ` Then press ${next}.`}`,
  counts: [
    { name: "Fifteen: 2", rules: ["fifteen"] },
    { name: "Pair: 2", rules: ["pair", "pair-royal", "double-pair-royal"] },
    { name: "Run: 1 a card", rules: ["run"] },
    { name: "Flush: 4 or 5", rules: ["flush", "crib-flush"] },
    { name: "His nobs: 1", rules: ["nobs"] },
  ],
  nineteen: " Nothing this time: a nineteen.",
  crib: (/** @type {string | null} */ other) =>
    `And this is ${owns(other ?? YOU)} crib: the four cards you both discarded. Only the dealer counts it.`,
  goOn: (/** @type {number} */ mine, /** @type {string} */ other, /** @type {number} */ theirs, /** @type {boolean} */ isDealer, /** @type {number} */ target) =>
    `You have ${mine} of ${target}, ${other} ${theirs}: see the pegs. Now ${isDealer ? "you deal and have" : `${other} deals and has`} the crib. That's cribbage. Play on without me!`,
};
