// The streaks of practice: days in a row, and right answers in a row; kept in this browser, and lost without harm.

/** @typedef {{ at: string, days: number, right: number, most: number }} Streak when it was practised last, days in a row, right answers in a row, and the most ever */

const KEY = "cribpi.practice";
const DAY = 86_400_000; // milliseconds
/** @type {Streak} */
const NONE = { at: "", days: 0, right: 0, most: 0 };

let kept = read();

/** @param {Date} date */
const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).valueOf();

/** @param {string} at ISO 8601 @returns {number} How many days ago it was here, by the calendar; NaN for no time. */
export const daysSince = (at) => Math.round((midnight(new Date()) - midnight(new Date(at))) / DAY);

/** @returns {Streak} A day that was missed ends the days in a row. */
export const streak = () => (daysSince(kept.at) <= 1 ? kept : { ...kept, days: 0 });

/** @param {boolean} isRight An answer that was given now. @returns {Streak} */
export function answered(isRight) {
  const { at, days, right, most } = streak();
  const inARow = isRight ? right + 1 : 0;
  kept = { at: new Date().toISOString(), days: days + Number(days === 0 || daysSince(at) > 0), right: inARow, most: Math.max(inARow, most) };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // a browser that stores nothing knows of this visit alone
  }
  return kept;
}

/** @returns {Streak} */
function read() {
  try {
    return { ...NONE, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return NONE;
  }
}
