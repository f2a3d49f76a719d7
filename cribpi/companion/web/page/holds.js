// Long presses: UNDO and MENU become the kit's other keys, and a rank opens its suits.

import { mayAct } from "/page/act.js";
import { isSettled, kit, now, parts, press } from "/page/store.js";
import { signal } from "/page/vendor/preact.js";

const LONG = 500; // milliseconds of a long press on a rank
const SWITCH_OFF = "hold:MENU";

/** @typedef {{ after: number, act: () => void }} Longer a long press: its action and length in milliseconds */

/** @type {import("/page/vendor/preact.js").Signal<Server.Key>} The key that is down and may become a long press, or "". */
export const holding = signal("");
/** @type {import("/page/vendor/preact.js").Signal<Server.Key>} The key whose long press has opened a dialog, or "". */
export const opened = signal("");

/** @type {{ key: Server.Key, isDone: boolean, timer: ReturnType<typeof setTimeout> } | null} */
let held = null;

/**
 * Return the action of `key`, including implied shows.
 * @param {Server.Key} key
 * @returns {Server.Choice | undefined}
 */
export function offered(key) {
  const { choices = [], carry } = now.value?.page ?? {};
  const choice = choices.find((one) => one.key === key);
  const label = carry?.keys[key]?.label;
  return label === undefined ? choice : { ...(choice ?? { key, name: key, short: key, likely: false, side: null }), label, takes_suit: true };
}

/**
 * Press `key`, which may be a card with a suit, including implied shows except on the device, which asks for each OK.
 * @param {Server.Key} key
 * @param {boolean} [isDevice]
 */
export function enter(key, isDevice = false) {
  const { carry } = now.value?.page ?? {};
  press(key, placeOf(key), !isDevice && (key.startsWith("digit") || isSettled()) && parts(key).rank in (carry?.keys ?? {})); // fast typing is ahead of the state
}

/** @param {Server.Key} key Whether it is a rank that can take a suit now. */
export const takesSuit = (key) => offered(key)?.takes_suit ?? false;

/**
 * Return the kit's long press of `key`. Off the device, power off needs confirmation.
 * @param {Server.Key} key
 * @param {boolean} isDevice
 * @returns {Longer | null}
 */
export function ofKit(key, isDevice) {
  const longer = kit.value?.holds[key];
  if (!longer) return null;
  const asks = !isDevice && longer.key === SWITCH_OFF && offered(SWITCH_OFF);
  return { after: longer.seconds * 1000, act: () => (asks ? (opened.value = longer.key) : press(longer.key)) };
}

/**
 * Start a long press; return whether `key` has one.
 * @param {Server.Key} key
 * @param {Longer | null} longer
 */
export function begin(key, longer) {
  forget();
  if (!longer) return false;
  held = { key, isDone: false, timer: setTimeout(() => become(key, longer), longer.after) };
  holding.value = key;
  return true;
}

/**
 * @param {Server.Key} key
 * @param {Longer} longer
 */
function become(key, longer) {
  forget();
  held = { key, isDone: true, timer: 0 };
  longer.act();
}

/**
 * Release `key`, which presses it unless its long press is done.
 * @param {Server.Key} key
 * @param {boolean} [isDevice]
 */
export function end(key, isDevice = false) {
  const isDone = held?.key === key && held.isDone;
  forget();
  if (!isDone) enter(key, isDevice);
}

/** @param {Server.Key} key Place for the misclick guard: only OK is labelled by its meaning. */
export const placeOf = (key) => (key === "OK" ? key : "keys");

/** @param {Server.Key} key Whether it is down, even after its long press. */
export const isHeld = (key) => held?.key === key;

export function forget() {
  clearTimeout(held?.timer);
  held = null;
  holding.value = "";
}

/** Fingers leave a key before its click event, so a long press that is done must be remembered. */
function lift() {
  if (!held?.isDone) forget();
}

/**
 * Return a key's event handlers, for either a press or a long press.
 * @param {Server.Key} key
 * @param {boolean} isDevice
 */
export function listens(key, isDevice) {
  const suits = !isDevice && takesSuit(key) ? { after: LONG, act: () => (opened.value = key) } : null;
  const longer = suits ?? ofKit(key, isDevice);
  return {
    onPointerDown: (/** @type {PointerEvent} */ event) => event.button === 0 && begin(key, longer),
    onPointerLeave: lift,
    onPointerCancel: lift,
    onMouseDown: (/** @type {Event} */ event) => event.preventDefault(),
    onContextMenu: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (suits && !opened.value) become(key, suits); // right click, menu key or long touch
    },
    onClick: (/** @type {MouseEvent} */ event) => {
      if (event.detail === 0) forget(); // Enter has no long press
      if (isDevice || mayAct(placeOf(key), key === "OK" ? key : "", event)) end(key, isDevice);
      else forget();
    },
  };
}
