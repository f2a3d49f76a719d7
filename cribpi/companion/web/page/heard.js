// What a screen reader announces: each move in a sentence, once, then a remark, and what is asked now.

import { html } from "/page/html.js";
import { news } from "/page/sound.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

/** @typedef {import("/page/store.js").Moment} Moment */

const KEPT = 8; // announcements that stay to be read again

/** @param {{ now: Moment, mine: Server.Seat | null }} props Each announcement is new text: one like the last is read too. */
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
  const { message } = now.state;
  const parts = news(before, now).map(({ announced }) => announced);
  if (message && message !== before.state.message) parts.push(sentence(message));
  if (parts.length || asked(before, mine) !== asked(now, mine)) parts.push(asked(now, mine));
  return parts.join(" ");
}

/** @type {(now: Moment, mine: Server.Seat | null) => string} */
function asked({ state, page }, mine) {
  const isMine = mine !== null && state.phase === "play" && state.turn === mine && page.table.dialog === null;
  return isMine ? sentence(WORDS.yourTurn) : sentence(page.table.asks);
}

/** @param {string} words */
const sentence = (words) => (words ? words.replace(/[.?!]?$/, (end) => end || ".") : "");
