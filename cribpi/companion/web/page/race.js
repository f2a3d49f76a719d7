// Counting race: ten hands against the clock, which pauses while a count is read.

import { html } from "/page/ui.js";
import { store, stored } from "/page/stored.js";
import { RACE } from "/page/words-practice.js";

/** @typedef {{ right: number, all: number, seconds: number }} Score */

export const HANDS = 10;
const EACH_WRONG = 10; // penalty in seconds
const KEY = "cribpi.race";

/** @param {Score} score Seconds, including penalties. */
export const raced = ({ right, all, seconds }) => seconds + EACH_WRONG * (all - right);

/** Best time saved in this browser, in seconds; null before the first race. */
export const best = () => Number(stored(KEY)) || null;

/** @param {number} seconds Saved if it is the best. */
export function keep(seconds) {
  const before = best();
  if (before === null || seconds < before) store(KEY, seconds.toFixed(1));
}

/** @param {{ score: Score, before: number | null, onAgain: () => void, onEnd: () => void }} props */
export function Finish({ score, before, onAgain, onEnd }) {
  const wrong = score.all - score.right;
  const time = raced(score);
  return html`
    <section class="sheet decided">
      <h2>${RACE.time(time)}</h2>
      <p class="verdict" role="status">${wrong ? RACE.wrong(wrong, EACH_WRONG * wrong) : RACE.allRight}
        ${" "}${before === null ? RACE.first : time < before ? RACE.better(before) : RACE.best(before)}</p>
      <div class="buttons">
        <button type="button" onClick=${onEnd}>${RACE.end}</button>
        <button type="button" class="main" onClick=${onAgain}>${RACE.again}</button>
      </div>
    </section>
  `;
}
