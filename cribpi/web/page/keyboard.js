// The computer's own keys: each rank, GO and OK by the character that is theirs, as on the device's keypad.

import { opened, takesSuit } from "/page/held.js";
import { kit, press } from "/page/store.js";

/** @type {Partial<Record<string, Server.Key>>} */
const TYPED = {
  a: "A", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 0: "10", j: "J", q: "Q", k: "K",
  g: "GO", f: "FLNB", u: "UNDO", m: "MENU", enter: "OK", "[": "P1", "]": "P2",
  arrowup: "UP", arrowdown: "DOWN", arrowleft: "LEFT", arrowright: "RIGHT",
};

/**
 * Press what is typed, if it is offered and nothing on the page wants the key for itself.
 * @param {KeyboardEvent} event
 */
export function typed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isBusy(event)) return;
  const printed = Object.entries(kit.value?.caps ?? {}).find(([, cap]) => cap.length === 1 && cap === event.key);
  const key = printed?.[0] ?? TYPED[bare(event).toLowerCase()];
  if (!key || !kit.value?.keys.some((row) => row.includes(key))) return; // who types fast is ahead of what is offered
  event.preventDefault();
  if (event.shiftKey && takesSuit(key)) opened.value = key;
  else press(key);
}

/** @param {KeyboardEvent} event What is typed, without the shift of a digit. */
const bare = ({ key, code, shiftKey }) => (shiftKey && code.startsWith("Digit") ? code.slice("Digit".length) : key);

/** @param {KeyboardEvent} event */
function isBusy({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]") || target.closest("input, textarea, select, [role=radiogroup]")) return true;
  return key === "Enter" && target.closest("button, summary, a") !== null;
}
