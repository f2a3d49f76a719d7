// How far the first lesson is, and the way into it and out of it.

import { now, start } from "/page/store.js";
import { signal } from "/page/vendor/preact.js";

const KEY = "cribpi.lesson";

const LEARNED = "done";

/** @type {import("/page/vendor/preact.js").Signal<number | null>} How many steps are done; null without a lesson. */
export const done = signal(read());
/** Whether the lesson was once gone through to its end. */
export const isLearned = () => kept() === LEARNED;
/** @type {number | undefined} Where the game that was open stood when the lesson was asked for: that one is not taught. */
export let before;

/** Begin a game to learn from: short, slow, against the computer's mildest player, by the standard rules; the next one is as before. */
export function learn() {
  keep(0);
  before = now.value?.state.seq;
  start({ rules: "standard", players: 2, entry: "dealt", options: { target: "61" }, levels: ["", "chance"], speed: "slow", once: true });
  location.hash = "learn";
}

/** @param {boolean} isToTheEnd The game goes on without the lesson. */
export function leave(isToTheEnd = false) {
  keep(null, isToTheEnd || isLearned());
  if (location.hash === "#learn") location.replace("#table");
}

/** @param {number | null} steps @param {boolean} hasLearned */
export function keep(steps, hasLearned = false) {
  done.value = steps;
  try {
    if (steps === null && !hasLearned) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, steps === null ? LEARNED : String(steps));
  } catch {
    // a browser that stores nothing begins again at what lies on the table
  }
}

function read() {
  const steps = kept();
  return steps === null || steps === LEARNED ? null : Number(steps);
}

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
