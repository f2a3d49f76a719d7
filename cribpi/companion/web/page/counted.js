// Keeps a completed count on the felt for a moment, with the score of its last card, and a miscounted hand until the
// viewer goes on.

import { isStill } from "/page/ui.js";
import { now } from "/page/store.js";
import { effect, signal } from "/page/vendor/preact.js";

/** @typedef {{ cards: Server.TableOf["counts"][number], text: string, points: number, isLeaving: boolean }} Closed */

const HELD = 1500; // milliseconds before it leaves
const LEAVES = 220; // milliseconds of the animation
const CLOSES = new Set(["thirty-one", "go", "last"]);

/** @type {import("/page/vendor/preact.js").Signal<Closed | null>} */
export const held = signal(null);

/** @type {import("/page/vendor/preact.js").Signal<Server.OwnCount | null>} The miscounted hand. */
export const wrong = signal(null);
let seen = Infinity; // number of the last event shown
let last = ""; // the count shown with it

effect(() => {
  if (!now.value) return;
  const { counted, log } = now.value.page;
  const at = log[0]?.seq ?? -1;
  const own = JSON.stringify(counted);
  if (at < seen) wrong.value = null; // an undo, or another game
  else if (at > seen && own !== last && counted && counted.claimed !== counted.points) wrong.value = counted;
  seen = at;
  last = own;
});
// Typing dismisses a miscounted hand.
addEventListener("keydown", ({ key }) => key.length === 1 && (wrong.value = null));

/** @type {{ deal: number | null, closed: number } | null} Completed counts in the deal so far. */
let before = null;
let timer = 0;

/**
 * Return the completed count while the next has no card.
 * @param {import("/page/store.js").Moment} now
 * @returns {Closed | null}
 */
export const closedCount = ({ state, page }) => {
  const cards = state.phase === "play" && !state.pile.length ? page.table.counts.at(-1) : undefined;
  return cards ? { cards, text: state.last?.call ?? "", points: state.last?.points ?? 0, isLeaving: false } : null;
};

/**
 * Return the cards and total of the current count, or of the completed one still shown.
 * @param {import("/page/store.js").Moment} now
 * @param {Closed | null} closed
 */
export function pileOf({ state, page }, closed) {
  if (closed) return { pile: closed.cards, count: closed.cards.reduce((sum, { pips }) => sum + pips, 0) };
  return { pile: state.pile.length ? (page.table.counts.at(-1) ?? []) : [], count: state.count };
}

effect(() => {
  if (!now.value) return;
  const { state, page } = now.value;
  const { counts, deal } = page.table;
  const closed = counts.length - (state.pile.length ? 1 : 0);
  const isSame = before !== null && before.deal === deal;
  if (isSame && before && closed > before.closed) hold(counts[closed - 1] ?? [], page.log);
  else if (!isSame || (before && closed < before.closed)) release();
  before = { deal, closed };
});

/**
 * @param {Closed["cards"]} cards
 * @param {Server.LogLine[]} log
 */
function hold(cards, log) {
  clearTimeout(timer);
  const closing = log.find(({ scores }) => scores.some(({ kind }) => CLOSES.has(kind)));
  held.value = { cards, text: closing?.text ?? "", points: closing?.points ?? 0, isLeaving: false };
  timer = setTimeout(leave, HELD);
}

function leave() {
  if (isStill() || !held.value) return release();
  held.value = { ...held.value, isLeaving: true };
  timer = setTimeout(release, LEAVES);
}

function release() {
  clearTimeout(timer);
  held.value = null;
}

// A click dismisses the count, once the clicked element has acted.
addEventListener("click", release);
addEventListener("keydown", release);
