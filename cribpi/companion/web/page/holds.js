// Keys that are held down: UNDO and MENU become what the kit says, and a rank asks for its suit.

import { mayAct } from "/page/act.js";
import { isSettled, kit, now, parts, press } from "/page/store.js";
import { signal } from "/page/vendor/preact.js";

const LONG = 500; // milliseconds that a rank is held for its suits
const SWITCH_OFF = "hold:MENU";

/** @typedef {{ after: number, act: () => void }} Longer what a long press does, and after how many milliseconds */

/** @type {import("/page/vendor/preact.js").Signal<Server.Key>} The key that is down and may still become another; else empty. */
export const holding = signal("");
/** @type {import("/page/vendor/preact.js").Signal<Server.Key>} The key that was held, and asks something; else empty. */
export const opened = signal("");

/** @type {{ key: Server.Key, isDone: boolean, timer: ReturnType<typeof setTimeout> } | null} */
let held = null;

/**
 * What `key` does here: where a card says more than itself, that.
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
 * Press `key`, a card perhaps with its suit, and what it says besides: the device alone asks for each OK.
 * @param {Server.Key} key
 * @param {boolean} [isDevice]
 */
export function enter(key, isDevice = false) {
  const { carry } = now.value?.page ?? {};
  press(key, placeOf(key), !isDevice && (key.startsWith("digit") || isSettled()) && parts(key).rank in (carry?.keys ?? {})); // who types fast is ahead of it
}

/** @param {Server.Key} key Whether it is a rank that may be given a suit now. */
export const takesSuit = (key) => offered(key)?.takes_suit ?? false;

/**
 * What the kit makes of `key` when it is held; away from the device, to switch off is asked for first.
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
 * Hold `key` down; return whether it is one that can be held.
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
 * Let `key` go: it is pressed, unless it has become another meanwhile.
 * @param {Server.Key} key
 * @param {boolean} [isDevice]
 */
export function end(key, isDevice = false) {
  const isDone = held?.key === key && held.isDone;
  forget();
  if (!isDone) enter(key, isDevice);
}

/** @param {Server.Key} key Of the keys only OK says what it does: the others are pressed for what is printed on them. */
export const placeOf = (key) => (key === "OK" ? key : "keys");

/** @param {Server.Key} key Whether it is down, or has become another and is still down. */
export const isHeld = (key) => held?.key === key;

export function forget() {
  clearTimeout(held?.timer);
  held = null;
  holding.value = "";
}

/** A finger leaves its key before it is said to have clicked: what the key has become is remembered until then. */
function lift() {
  if (!held?.isDone) forget();
}

/**
 * What a key listens to: a press, or a hold, and never both.
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
      if (suits && !opened.value) become(key, suits); // a right click, the menu's key, or a finger that stays
    },
    onClick: (/** @type {MouseEvent} */ event) => {
      if (event.detail === 0) forget(); // Enter has no finger that was held
      if (isDevice || mayAct(placeOf(key), key === "OK" ? key : "", event)) end(key, isDevice);
      else forget();
    },
  };
}
