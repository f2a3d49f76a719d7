// Progress saved in this browser: the first lesson and practice streaks.

import { stored } from "/page/preferences.js";
import { now, start } from "/page/store.js";
import { computed } from "/page/vendor/preact.js";

/** @type {Signal<number | "done" | null>} The number of steps done, or "done" once the lesson was completed. */
const lesson = stored("cribpi.lesson", null);
/** Steps done so far; null without a lesson. */
export const done = computed(() => (typeof lesson.value === "number" ? lesson.value : null));
/** Whether the lesson was completed once. */
export const isLearned = () => lesson.value === "done";
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
  lesson.value = steps ?? (hasLearned ? "done" : null);
}

/**
 * time of the last practice, consecutive days, consecutive right answers, and their record
 * @typedef {{ at: string, days: number, right: number, most: number }} Streak
 */

const DAY = 86_400_000; // milliseconds
/** @type {Streak} */
const NONE = { at: "", days: 0, right: 0, most: 0 };

const practised = stored("cribpi.practice", NONE);

/** @param {Date} date */
const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).valueOf();

/** @param {string} at ISO 8601 @returns {number} Calendar days since then; NaN without a time. */
export const daysSince = (at) => Math.round((midnight(new Date()) - midnight(new Date(at))) / DAY);

/** @returns {Streak} A missed day resets the streak. */
export const streak = () => (daysSince(practised.value.at) <= 1 ? practised.value : { ...practised.value, days: 0 });

/** @param {boolean} isRight Record an answer. */
export function answered(isRight) {
  const { at, days, right, most } = streak();
  const inARow = isRight ? right + 1 : 0;
  practised.value = { at: new Date().toISOString(), days: days + Number(days === 0 || daysSince(at) > 0), right: inARow,
    most: Math.max(inARow, most) };
}
