// Announcements for screen readers: each move once as a sentence, then any remark and the prompt.

import { byPoints } from "/page/prompt.js";
import { aloud, spoken } from "/page/cards.js";
import { capital, html } from "/page/ui.js";
import { preferences } from "/page/preferences.js";
import { news } from "/page/sound.js";
import { phone } from "/page/store.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-table.js";
import { and, WORDS } from "/page/words.js";

/** @typedef {import("/page/store.js").Moment} Moment */

const KEPT = 8; // announcements kept for rereading

/** @param {{ now: Moment, mine: Server.Seat | null }} props New text for each, so that a repeated one is read. */
export function Heard({ now, mine }) {
  const before = useRef(/** @type {Moment | null} */ (null));
  const [heard, setHeard] = useState(/** @type {{ at: number, words: string }[]} */ ([]));
  useEffect(() => {
    const words = before.current ? changes(before.current, now, mine) : asked(now, mine);
    before.current = now;
    if (words) setHeard([...heard, { at: (heard.at(-1)?.at ?? 0) + 1, words }].slice(-KEPT));
  }, [now]);
  return html`<div class="unseen" role="log" aria-label=${WORDS.log}>${heard.map(({ at, words }) => html`<p key=${at}>${words}</p>`)}</div>`;
}

/** @type {(before: Moment, now: Moment, mine: Server.Seat | null) => string} */
function changes(before, now, mine) {
  const parts = news(before, now).map(({ announced }) => announced);
  for (const said of [messageOf, troubleOf, hintOf, chosenOf]) {
    const words = said(now);
    if (words && words !== said(before)) parts.push(sentence(words));
  }
  if ((parts.length || asked(before, mine) !== asked(now, mine)) && !isBrief(now)) parts.push(asked(now, mine));
  return parts.join(" ");
}

/** @type {(now: Moment, mine: Server.Seat | null) => string} */
function asked({ state, page }, mine) {
  const { dialog, asks, why } = page.table;
  if (dialog === "Why") return [WORDS.why, ...why.map(({ text }) => text)].join(" ");
  if (dialog === "Menu") return sentence(WORDS.menu); // no selected line on this page
  if (dialog === "ChangeSettings" && !phone.value) return sentence(WORDS.settings);
  const isMine = mine !== null && state.phase === "play" && state.turn === mine && dialog === null && page.hand?.playable.length;
  return sentence(isMine ? WORDS.yourTurn : (!preferences.value.device && (dialog === null || dialog === "Undone") && byPoints({ state, page })) || asks);
}

/** @param {Moment} now */
const messageOf = ({ state }) => state.message;
/** @param {Moment} now */
const troubleOf = ({ page }) => page.trouble[0];
/** @param {Moment} now */
const hintOf = ({ page }) => page.hand?.hint?.words && TABLE.hinted(page.hand.hint.words);
/** @param {Moment} now Cards chosen for the crib: after typing a rank, the user can't see which card it was. */
const chosenOf = ({ state, page }) => (state.phase === "deal" ? capital(and((page.hand?.chosen ?? []).map(spoken))) : "");
/** @param {Moment} now Whether a computer must act. It acts before an announcement of its thinking would end. */
const isBrief = ({ page }) => page.thinking !== null && !page.hand?.wanted;

/** @param {string} words */
const sentence = (words) => (words ? aloud(words).replace(/[.?!]?$/, (end) => end || ".") : "");
