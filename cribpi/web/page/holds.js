// A key that is held down is another key after a while, as on the device: UNDO becomes redo, say.

import { kit, press } from "/page/store.js";
import { signal } from "/page/vendor/preact.js";

/** @type {import("/page/vendor/preact.js").Signal<Server.Key>} The key that is down and may still become another; else empty. */
export const holding = signal("");

/** @type {{ key: Server.Key, isDone: boolean, timer: ReturnType<typeof setTimeout> } | null} */
let held = null;

/**
 * Hold `key` down; return whether it is one that can be held.
 * @param {Server.Key} key
 */
export function begin(key) {
  forget();
  const longer = kit.value?.holds[key];
  if (!longer) return false;
  const timer = setTimeout(() => {
    if (held) held.isDone = true;
    holding.value = "";
    press(longer.key);
  }, longer.seconds * 1000);
  held = { key, isDone: false, timer };
  holding.value = key;
  return true;
}

/**
 * Let `key` go: it is pressed, unless it has become another meanwhile.
 * @param {Server.Key} key
 */
export function end(key) {
  const isDone = held?.key === key && held.isDone;
  forget();
  if (!isDone) press(key);
}

/** @param {Server.Key} key Whether it is down, or has become another and is still down. */
export const isHeld = (key) => held?.key === key;

export function forget() {
  clearTimeout(held?.timer);
  held = null;
  holding.value = "";
}
