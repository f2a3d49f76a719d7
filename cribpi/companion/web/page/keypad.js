// Keys of a game with real cards, and the number pad for points.

import { ActionButton, MAIN, standsOut, useRest } from "/page/act.js";
import { enter, heldKey, keyListeners, offered, placeOf, takesSuit } from "/page/input.js";
import { preferences } from "/page/preferences.js";
import { likelyActions, Named } from "/page/prompt.js";
import { isCard, kit, waiting } from "/page/store.js";
import { capital, classes, html, Icon } from "/page/ui.js";
import { TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @type {Record<string, string>} */
const ARROWS = { UP: "▲", DOWN: "▼", LEFT: "◀", RIGHT: "▶" };
/** @type {Server.Key[]} */
const OWN = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "GO", "P1", "P2"];

/** @param {Server.State} state Whether the page's own keys are shown: each card is entered, and the kit has rank keys. */
export const hasOwnKeys = ({ entry }) => entry === "cards" && OWN.every((key) => kit.value?.keys.some((row) => row.includes(key)));

/** @param {{ now: Moment, isDevice?: boolean }} props Labelled with printed and long-press keys on the device. */
export function Keypad({ now: { state, page }, isDevice = false }) {
  const ok = page.choices.find(({ key }) => key === "OK");
  const isResting = useRest(placeOf("OK"), ok ? `${ok.label}, ${page.table.asks}` : "") && !isDevice;
  useRest(placeOf(""), "");
  if (!kit.value) return null;
  const { keys } = kit.value;
  const isOwn = !isDevice && hasOwnKeys(state);
  const isNew = !isDevice && !preferences.value.knowsSuits && state.entry === "cards";
  const isTip = OWN.some(takesSuit); // keeps its space, so that no key moves
  const columns = Math.max(...keys.map((row) => row.length));
  return html`
    <section class=${classes("keypad", isOwn && "own")} aria-label="Keypad" data-rests=${(isOwn && isResting) || null}
      style=${{ "--columns": columns }}>
      ${(isOwn ? OWN : keys.flat()).map((key) => (key
        ? html`<${KitKey} key=${key} name=${key} state=${state} page=${page} isOwn=${isOwn} isDevice=${isDevice}
          isResting=${isResting && key === "OK"} />`
        : html`<i></i>`))}
      ${isNew && html`<p class="tip" style=${{ visibility: isTip ? "visible" : "hidden" }}>${TABLE.holdForSuit}</p>`}
    </section>
  `;
}

/**
 * @typedef {{
 *   name: Server.Key, state: Server.State, page: Server.Page, isOwn: boolean, isDevice: boolean,
 *   isResting: boolean,
 * }} KitKeyProps
 */

/** @param {KitKeyProps} props Labelled by what it does on the page, and by what is printed on it on the device. */
function KitKey({ name, state, page, isOwn, isDevice, isResting }) {
  const cap = kit.value?.caps[name];
  const choice = isDevice ? page.choices.find(({ key }) => key === name) : offered(name);
  const side = page.sides[name];
  const isRank = isCard(name);
  const isOver31 = isRank && choice && !choice.likely && !isDevice && state.phase === "play" && page.table.dialog !== "Undone";
  const isAmount = choice && page.amounts.includes(name) && choice.short !== name; // J is 11 when a count is typed
  const means = choice && (isAmount || (!isRank && !isDevice)) && choice.short !== name.toLowerCase() ? [choice.short] : [];
  const ownLabel = isOwn && !isRank ? capital(choice?.short ?? (name === "GO" ? WORDS.saysGo : (state.sides[side ?? -1]?.name ?? "")))
    : null;
  const label = ownLabel ?? cap ?? ARROWS[name] ?? name;
  const sideName = side === undefined ? null : state.sides[side]?.name;
  const small = ownLabel !== null ? [] : sideName !== null ? [sideName] : isDevice ? [...printed(name), ...means] : means;
  const isText = ownLabel !== null && side === undefined; // others are names, to be kept from translation
  const look = [
    (ownLabel ?? cap ?? name).length > 3 && "long", choice ? choice.likely && "likely" : "dull", isOver31 && "beyond",
    waiting.value.includes(name) && "waiting", heldKey.value === name && "holding",
  ];
  return html`
    <button type="button" data-key=${name} data-side=${side} data-rests=${isResting || null} aria-disabled=${String(!choice || isResting)}
      class=${classes("key", ...look)} aria-haspopup=${choice?.takes_suit && !isDevice ? "dialog" : undefined}
      aria-label=${ownLabel !== null ? (choice?.label ?? ownLabel) : choice ? `${name}: ${choice.label}` : name}
        ...${keyListeners(name, isDevice)}>
      <span>${isText ? label : html`<bdi>${label}</bdi>`}</span>${small.map((words) => html`<small><bdi>${words}</bdi></small>`)}
    </button>
  `;
}

/** @param {Server.Key} key Small label: its name if another is printed, and its long press. */
function printed(key) {
  const longPress = kit.value?.holds[key]?.key;
  return [kit.value?.caps[key] ? key : "", longPress ? TABLE.holdFor(longPress) : ""].filter(Boolean);
}

// --- Number pad for points: the number, its digits, and the resulting score.

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const LOWER = ["-10", "-1"], HIGHER = ["+1", "+10"];

/** @param {string} number With a minus as wide as a digit. */
const minus = (number) => number.replace("-", "−");

/**
 * Key of the pad; pressing it never changes its meaning.
 * @param {{ name: Server.Key, label: string, isOff?: boolean, children: unknown }} props
 */
const Key = ({ name, label, isOff = false, children }) => html`
  <button type="button" class=${classes("key", waiting.value.includes(name) && "waiting")} data-key=${name} disabled=${isOff}
    aria-label=${label} onClick=${() => enter(name)}>${children}</button>
`;

/**
 * Pad with the prompt above and its buttons below.
 * @param {{ number: Server.NumberAsked | null, isAlone?: boolean, prompt?: unknown, children?: unknown }} props
 */
export function Pad({ number, isAlone = false, prompt = null, children = null }) {
  const { value = null, steps = false } = number ?? {}; // null if another question comes first
  const step = (/** @type {string} */ by) => html`<${Key} key=${by} name=${`step:${by}`} label=${TABLE.step(by)}>${minus(by)}<//>`;
  return html`
    <section class=${classes("pad", isAlone && "alone")} aria-label=${TABLE.points}>
      ${prompt}
      <p class=${classes("number", steps && "stepped")}>${steps && LOWER.map(step)}
        <output>${value === null ? html`<small>${TABLE.howMany}</small>` : minus(String(value))}</output>${steps && HIGHER.map(step)}</p>
      <div class="digits">
        ${DIGITS.map((digit) => html`<${Key} key=${digit} name=${`digit:${digit}`} label=${digit} isOff=${!number}>${digit}<//>`)}
        <${Key} name="digit:erase" label=${TABLE.erase} isOff=${value === null}><${Icon} name="erase" /><//>
      </div>
      ${children && html`<div class="buttons">${children}</div>`}
    </section>
  `;
}

/** @param {{ now: Moment }} props Buttons that use the number, in the colour of their player. */
export function Pegs({ now: { state, page } }) {
  const isCut = state.phase === "cut"; // the first dealer is named, not cut for
  const more = page.choices.filter(({ key, likely }) => key === "FLNB" && likely); // hints are tools, other FLNB keys are not
  const found = isCut ? page.choices.filter(({ key }) => key === "OK" || page.sides[key] !== undefined)
    : state.entry === "peg" && page.carry.says ? [] : [...likelyActions(page), ...more];
  return found.map((one, at) => html`
    <${ActionButton} key=${one.key} place=${standsOut(one) ? MAIN : `pad ${at}`} choice=${one} asks="number"
      kind=${one.side === null || standsOut(one) ? undefined : "pegs"} data-side=${one.side}>
      <${Named} text=${one.label} seats=${state.seats} /><//>`);
}
