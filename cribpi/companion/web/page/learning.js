// What somebody has learned, kept in this browser: how far the first lesson is, and the streaks of practice.

import { now, start } from "/page/store.js";
import { store, stored, storedFields } from "/page/stored.js";
import { signal } from "/page/vendor/preact.js";

const KEY = "cribpi.lesson";

const LEARNED = "done";

/** @type {import("/page/vendor/preact.js").Signal<number | null>} How many steps are done; null without a lesson. */
export const done = signal(read());
/** Whether the lesson was once gone through to its end. */
export const isLearned = () => stored(KEY) === LEARNED;
/** @type {number | undefined} Where the game that was open stood when the lesson was asked for: that one is not taught. */
export let before;

/** Begin a game to learn from: short, slow, against the computer's mildest player, by the standard rules; the next one is as before. */
export function learn() {
  keep(0);
  before = now.value?.state.seq;
  start({ rules: "standard", players: 2, entry: "dealt", options: { target: "61" }, levels: ["", "beginner"], speed: "slow", once: true });
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
  const learned = hasLearned ? LEARNED : null;
  store(KEY, steps === null ? learned : String(steps)); // a browser that keeps nothing begins again at what lies on the table
}

function read() {
  const steps = stored(KEY);
  return steps === null || steps === LEARNED ? null : Number(steps);
}

/** @typedef {{ at: string, days: number, right: number, most: number }} Streak when it was practised last, days in a row, right answers in a row, and the most ever */

const PRACTICE = "cribpi.practice";
const DAY = 86_400_000; // milliseconds
/** @type {Streak} */
const NONE = { at: "", days: 0, right: 0, most: 0 };

let practised = storedFields(PRACTICE, NONE);

/** @param {Date} date */
const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).valueOf();

/** @param {string} at ISO 8601 @returns {number} How many days ago it was here, by the calendar; NaN for no time. */
export const daysSince = (at) => Math.round((midnight(new Date()) - midnight(new Date(at))) / DAY);

/** @returns {Streak} A day that was missed ends the days in a row. */
export const streak = () => (daysSince(practised.at) <= 1 ? practised : { ...practised, days: 0 });

/** @param {boolean} isRight An answer that was given now. @returns {Streak} */
export function answered(isRight) {
  const { at, days, right, most } = streak();
  const inARow = isRight ? right + 1 : 0;
  practised = { at: new Date().toISOString(), days: days + Number(days === 0 || daysSince(at) > 0), right: inARow, most: Math.max(inARow, most) };
  store(PRACTICE, JSON.stringify(practised));
  return practised;
}
