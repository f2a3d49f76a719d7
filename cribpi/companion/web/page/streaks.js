// Progress saved in this browser: the first lesson and practice streaks.

import { store, stored, storedFields } from "/page/preferences.js";
import { now, start } from "/page/store.js";
import { signal } from "/page/vendor/preact.js";

const KEY = "cribpi.lesson";

const LEARNED = "done";

/** @type {import("/page/vendor/preact.js").Signal<number | null>} Steps done so far; null without a lesson. */
export const done = signal(read());
/** Whether the lesson was completed once. */
export const isLearned = () => stored(KEY) === LEARNED;
/** @type {number | undefined} The `seq` at which the lesson was requested: the game then open is not part of it. */
export let before;

/** Start a lesson game: short and slow, against the weakest computer, by standard rules. The next one has the old settings. */
export function learn() {
  keep(0);
  before = now.value?.state.seq;
  start({ rules: "standard", players: 2, entry: "dealt", options: { target: "61" }, levels: ["", "beginner"], speed: "slow", once: true });
  location.hash = "learn";
}

/** @param {boolean} isToTheEnd The game continues without the lesson. */
export function leave(isToTheEnd = false) {
  keep(null, isToTheEnd || isLearned());
  if (location.hash === "#learn") location.replace("#table");
}

/** @param {number | null} steps @param {boolean} hasLearned */
export function keep(steps, hasLearned = false) {
  done.value = steps;
  const learned = hasLearned ? LEARNED : null;
  store(KEY, steps === null ? learned : String(steps)); // without storage, the lesson starts at what is on the table
}

function read() {
  const steps = stored(KEY);
  return steps === null || steps === LEARNED ? null : Number(steps);
}

/** @typedef {{ at: string, days: number, right: number, most: number }} Streak time of the last practice, consecutive days, consecutive right answers, and their record */

const PRACTICE = "cribpi.practice";
const DAY = 86_400_000; // milliseconds
/** @type {Streak} */
const NONE = { at: "", days: 0, right: 0, most: 0 };

let practised = storedFields(PRACTICE, NONE);

/** @param {Date} date */
const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).valueOf();

/** @param {string} at ISO 8601 @returns {number} Calendar days since then; NaN without a time. */
export const daysSince = (at) => Math.round((midnight(new Date()) - midnight(new Date(at))) / DAY);

/** @returns {Streak} A missed day resets the streak. */
export const streak = () => (daysSince(practised.at) <= 1 ? practised : { ...practised, days: 0 });

/** @param {boolean} isRight Record an answer. @returns {Streak} */
export function answered(isRight) {
  const { at, days, right, most } = streak();
  const inARow = isRight ? right + 1 : 0;
  practised = { at: new Date().toISOString(), days: days + Number(days === 0 || daysSince(at) > 0), right: inARow, most: Math.max(inARow, most) };
  store(PRACTICE, JSON.stringify(practised));
  return practised;
}
