// The log, newest first, by deal. A line opens to show its cards, rules and their sources.

import { useFocusWithin } from "/page/act.js";
import { CardText, Sign } from "/page/cards.js";
import { signed } from "/page/result.js";
import { log } from "/page/store.js";
import { classes, html, Icon, Peg } from "/page/ui.js";
import { useRef } from "/page/vendor/preact.js";
import { sourceOf } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @param {{ isOpen: boolean, onClose: () => void }} props */
export function Log({ isOpen, onClose }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  useFocusWithin(isOpen, () => root.current?.querySelector("h2 button"));
  return html`
    <${LogPanel} isOpen=${isOpen} onClose=${onClose} root=${root}>
      ${log.value.length === 0 && html`<p>${WORDS.nothingYet}</p>`}
      <ol>${log.value.flatMap((line, at) => [
        html`<${DealOf} key=${`deal ${line.deal}, ${line.seq}`} line=${line} before=${log.value[at - 1]} />`,
        html`<${Line} key=${line.seq} line=${line} />`,
      ])}</ol>
    <//>
  `;
}

/** @typedef {{ isOpen: boolean, onClose: () => void, root: { current: HTMLElement | null }, children: unknown }} LogPanelProps */

/** @param {LogPanelProps} props The log beside a table, or over it on small screens. */
export const LogPanel = ({ isOpen, onClose, root, children }) => html`
  <aside class=${classes("log", isOpen && "open")} ref=${root} aria-label=${WORDS.log}>
    <h2>${WORDS.log}
      <button type="button" class="tool" data-closes=${isOpen || null} aria-label=${WORDS.close}
        onClick=${onClose}><${Icon} name="close" /></button></h2>
    ${children}
  </aside>`;

/**
 * Heading of a deal before its first line.
 * @param {{ line: { deal: number | null }, before: { deal: number | null } | undefined }} props
 */
export const DealOf = ({ line: { deal }, before }) =>
  Boolean(deal) && deal !== before?.deal && html`<li class="deal">${WORDS.ofDeal(deal ?? 0)}</li>`;

/** @param {{ side: Server.Side | null | undefined, text: string, gains: Server.Gain[] }} props */
export const LineHead = ({ side, text, gains }) => html`
  ${typeof side === "number" ? html`<${Peg} side=${side} />` : html`<i></i>`}
  <span><${CardText} text=${text} /></span>
  <b>${gains.filter(({ points }) => points).map(({ points }) => signed(points)).join(" ")}</b>`;

/** @param {Event} event Clicking keeps the focus, so that Enter is still OK. */
const stay = (event) => event.preventDefault();

/** @param {{ line: Server.LogLine }} props */
function Line({ line: { pegged, side, points, text, scores, why } }) {
  const gains = pegged.length || side === null ? pegged : [{ side, points }];
  const head = html`<${LineHead} side=${side} text=${text} gains=${gains} />`;
  if (!why.length && !scores.length) return html`<li><div class="head">${head}</div></li>`;
  return html`
    <li>
      <details name="log">
        <summary class="head" onMouseDown=${stay}>${head}</summary>
        ${scores.map((score) => html`
          <p class="score"><span>${score.kind}</span> ${score.cards.map((card) => html`<${Sign} card=${card} /> `)}
            <b>${score.points}</b></p>`)}
        ${why.map((one) => html`<${Why} why=${one} />`)}
      </details>
    </li>
  `;
}

/** @param {{ why: Server.Reason }} props Rule with its source and wording. */
export const Why = ({ why }) => html`<p class="why">${why.text} <${Cite} why=${why} /></p>`;

/** @param {{ why: Server.Reason }} props */
const Cite = ({ why: { source, words } }) => source !== "cribpi" && html`<cite>${sourceOf(source)}: ${words}</cite>`;

/**
 * The words of a counted line; a click opens the rule behind them.
 * @param {{ line: Server.Tallied, [attribute: string]: unknown }} props
 */
export const Counted = ({ line: { words, why }, ...attributes }) => html`
  <details class="words" ...${attributes}><summary>${words}</summary><p>${why.text}</p><${Cite} why=${why} /></details>`;
