// Number pad for points: the number, its digits, and the resulting score.

import { Act, MAIN, standsOut } from "/page/act.js";
import { actions, Named } from "/page/prompt.js";
import { classes, html, Icon } from "/page/ui.js";
import { enter } from "/page/holds.js";
import { waiting } from "/page/store.js";
import { TABLE } from "/page/words-table.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const LOWER = ["-10", "-1"], HIGHER = ["+1", "+10"];

/** @param {string} number With a minus as wide as a digit. */
const minus = (number) => number.replace("-", "−");

/** @param {{ name: Server.Key, label: string, isOff?: boolean, children: unknown }} props Key of the pad; pressing it never changes its meaning. */
const Key = ({ name, label, isOff = false, children }) => html`
  <button type="button" class=${classes("key", waiting.value.includes(name) && "waiting")} data-key=${name} disabled=${isOff} aria-label=${label} onClick=${() => enter(name)}>${children}</button>
`;

/** @param {{ number: Server.NumberAsked | null, isAlone?: boolean, asked?: unknown, children?: unknown }} props Pad with the prompt above and its buttons below. */
export function Pad({ number, isAlone = false, asked = null, children = null }) {
  const { value = null, steps = false } = number ?? {}; // null if another question comes first
  const step = (/** @type {string} */ by) => html`<${Key} key=${by} name=${`step:${by}`} label=${TABLE.step(by)}>${minus(by)}<//>`;
  return html`
    <section class=${classes("pad", isAlone && "alone")} aria-label=${TABLE.points}>
      ${asked}
      <p class=${classes("number", steps && "stepped")}>${steps && LOWER.map(step)}<output>${value === null ? html`<small>${TABLE.howMany}</small>` : minus(String(value))}</output>${steps && HIGHER.map(step)}</p>
      <div class="digits">
        ${DIGITS.map((digit) => html`<${Key} key=${digit} name=${`digit:${digit}`} label=${digit} isOff=${!number}>${digit}<//>`)}
        <${Key} name="digit:erase" label=${TABLE.erase} isOff=${value === null}><${Icon} name="erase" /><//>
      </div>
      ${children && html`<div class="buttons">${children}</div>`}
    </section>
  `;
}

/** @param {{ now: import("/page/store.js").Moment }} props Buttons that use the number, in the colour of their player. */
export function Pegs({ now: { state, page } }) {
  const isCut = state.phase === "cut"; // the first dealer is named, not cut for
  const more = page.choices.filter(({ key, likely }) => key === "FLNB" && likely); // hints are tools, other FLNB keys are not
  const found = isCut ? page.choices.filter(({ key }) => key === "OK" || page.sides[key] !== undefined) : state.entry === "peg" && page.carry.says ? [] : [...actions(page), ...more];
  return found.map((one, at) => html`
    <${Act} key=${one.key} place=${standsOut(one) ? MAIN : `pad ${at}`} choice=${one} asks="number" kind=${one.side === null || standsOut(one) ? undefined : "pegs"} data-side=${one.side}>
      <${Named} text=${one.label} seats=${state.seats} /><//>`);
}
