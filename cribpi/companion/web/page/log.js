// The log, newest first, by deal. A line opens to show its cards, rules and their sources.

import { useFocusWithin } from "/page/act.js";
import { Said, Sign } from "/page/cards.js";
import { log } from "/page/store.js";
import { classes, html, Icon, Peg } from "/page/ui.js";
import { useRef } from "/page/vendor/preact.js";
import { sourceOf } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @param {{ isOpen: boolean, onClose: () => void }} props */
export function Log({ isOpen, onClose }) {
  const head = useRef(/** @type {HTMLElement | null} */ (null));
  useFocusWithin(isOpen, () => head.current?.querySelector("button"));
  return html`
    <aside class=${classes("log", isOpen && "open")} aria-label=${WORDS.log}>
      <h2 ref=${head}>${WORDS.log}<button type="button" class="tool" data-closes=${isOpen || null} aria-label=${WORDS.close} onClick=${onClose}><${Icon} name="close" /></button></h2>
      ${log.value.length === 0 && html`<p>${WORDS.nothingYet}</p>`}
      <ol>${log.value.flatMap((line, at) => [
        line.deal !== null && line.deal !== log.value[at - 1]?.deal && html`<li key=${`deal ${line.deal}`} class="deal">${WORDS.ofDeal(line.deal)}</li>`,
        html`<${Line} key=${line.seq} line=${line} />`,
      ])}</ol>
    </aside>
  `;
}

/** @param {Event} event Clicking keeps the focus, so that Enter is still OK. */
const stay = (event) => event.preventDefault();

/** @param {{ line: Server.LogLine }} props */
function Line({ line }) {
  const gains = line.pegged.length ? line.pegged : line.side === null ? [] : [{ side: line.side, points: line.points }];
  const head = html`
    ${line.side === null ? html`<i></i>` : html`<${Peg} side=${line.side} />`}
    <span><${Said} text=${line.text} /></span>
    <b>${gains.filter(({ points }) => points).map(({ points }) => `${points > 0 ? "+" : "−"}${Math.abs(points)}`).join(" ")}</b>
  `;
  if (!line.why.length && !line.scores.length) return html`<li><div class="head">${head}</div></li>`;
  return html`
    <li>
      <details name="log">
        <summary class="head" onMouseDown=${stay}>${head}</summary>
        ${line.scores.map(({ cards, points, kind }) => html`<p class="score"><span>${kind}</span> ${cards.map((card) => html`<${Sign} card=${card} /> `)}<b>${points}</b></p>`)}
        ${line.why.map((why) => html`<${Why} why=${why} />`)}
      </details>
    </li>
  `;
}

/** @param {{ why: Server.Reason }} props Rule with its source and wording. */
export const Why = ({ why }) => html`
  <p class="why">${why.text} ${why.source !== "cribpi" && html`<cite>${sourceOf(why.source)}: ${why.words}</cite>`}</p>`;
