// Keyboard input: ranks, GO and OK by the characters printed on the device's keypad, and digits for numbers.

import { mayAct } from "/page/act.js";
import { closes, enters } from "/page/enter.js";
import { begin, end, enter, forget, isHeld, ofKit, opened, placeOf, takesSuit } from "/page/holds.js";
import { isCard, kit, now, refuse } from "/page/store.js";
import { useLayoutEffect } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

/** @type {Partial<Record<string, Server.Key>>} */
export const TYPED = {
  a: "A", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 0: "10", j: "J", q: "Q", k: "K",
  g: "GO", f: "FLNB", u: "UNDO", r: "hold:UNDO", m: "MENU", enter: "OK", "[": "P1", "]": "P2",
  arrowup: "UP", arrowdown: "DOWN", arrowleft: "LEFT", arrowright: "RIGHT",
};

/** @type {Partial<Record<string, Server.Key>>} The joystick's keys. */
const OF_JOYSTICK = { P1: "LEFT", P2: "RIGHT" };

/**
 * Press typed keys while the caller is shown; on the device, a long press needs no confirmation.
 * @param {boolean} [isDevice]
 */
export function useTyping(isDevice = false) {
  useLayoutEffect(() => { // active from the first frame
    const typed = (/** @type {KeyboardEvent} */ event) => type(event, isDevice);
    const released = (/** @type {KeyboardEvent} */ event) => release(event, isDevice);
    addEventListener("mousedown", unfocused);
    addEventListener("keydown", typed);
    addEventListener("keyup", released);
    addEventListener("blur", forget);
    return () => {
      removeEventListener("mousedown", unfocused);
      removeEventListener("keydown", typed);
      removeEventListener("keyup", released);
      removeEventListener("blur", forget);
    };
  }, [isDevice]);
}

/**
 * Press a typed key unless an element needs it. A key with a long press waits for its release.
 * @param {KeyboardEvent} event
 * @param {boolean} isDevice
 */
function type(event, isDevice) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!isDevice && !document.querySelector("dialog[open]") && (event.key === "Escape" ? close() : goesAlong(event))) return event.preventDefault();
  if (isBusy(event)) return;
  const key = digitOf(event, isDevice) ?? keyOf(event);
  if (!key && bare(event) === "1" && takesSuit("A")) refuse(WORDS.oneIsNoCard);
  if (!key) return; // fast typing is ahead of the choices
  event.preventDefault();
  if (event.repeat) return;
  const main = key === "OK" && !isDevice ? enters() : undefined;
  if (main) main.click();
  else if (!isDevice && now.value?.page.table.dialog === "Menu" && (key === "OK" || isCard(key))) return; // no selected line on this page
  else if (!isDevice && event.shiftKey && takesSuit(key)) opened.value = key;
  else if (key === "OK" && !isDevice && !mayAct(placeOf(key), key)) return;
  else if (!has(key) || !begin(key, ofKit(key, isDevice))) enter(key, isDevice);
}

/** Close the open part, and return whether there was one. */
function close() {
  const button = closes();
  button?.click();
  return button !== undefined;
}

/**
 * Move through the menu with the arrow keys, and return whether that was typed.
 * @param {KeyboardEvent} event
 */
function goesAlong({ key }) {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
  const lines = /** @type {HTMLElement[]} */ (by && now.value?.page.table.dialog === "Menu" ? [...document.querySelectorAll(".dialog .line")] : []);
  const at = lines.findIndex((line) => line === document.activeElement);
  lines.at(at < 0 ? 0 : (at + (by ?? 0)) % lines.length)?.focus();
  return lines.length > 0;
}

/**
 * Take the focus from a button pressed with mouse or finger, so that Enter presses the main one.
 * @param {MouseEvent} event
 */
function unfocused(event) {
  if (!(event.target instanceof Element) || !event.target.closest("button, summary")) return;
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/**
 * @param {KeyboardEvent} event
 * @param {boolean} isDevice
 */
function release(event, isDevice) {
  const key = keyOf(event);
  if (key && isHeld(key)) end(key, isDevice);
}

/**
 * Return the digit typed if a number is entered. On the device, printed keys come first.
 * @param {KeyboardEvent} event
 * @param {boolean} isDevice
 */
function digitOf(event, isDevice) {
  if (!now.value?.page.number || (isDevice && printed(event))) return null;
  if (event.key === "Backspace") return "digit:erase";
  return /^\d$/.test(bare(event)) ? `digit:${bare(event)}` : null;
}

/** @param {KeyboardEvent} event Kit key with this character. */
const printed = ({ key }) => Object.entries(kit.value?.caps ?? {}).find(([, cap]) => cap.length === 1 && cap === key)?.[0];

/** @param {KeyboardEvent} event Kit key typed, or one reached by a long press. */
function keyOf(event) {
  const key = printed(event) ?? TYPED[bare(event).toLowerCase()];
  if (!key) return null;
  const other = OF_JOYSTICK[key];
  if (other && !has(key)) return has(other) ? other : null;
  return has(key) || Object.values(kit.value?.holds ?? {}).some((longer) => longer.key === key) ? key : null;
}

/** @param {Server.Key} key */
const has = (key) => kit.value?.keys.some((row) => row.includes(key)) ?? false;

/** @param {KeyboardEvent} event The key without the shift of a digit. */
const bare = ({ key, code, shiftKey }) => (shiftKey && code.startsWith("Digit") ? code.slice("Digit".length) : key);

/** @param {KeyboardEvent} event */
function isBusy({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]") || target.closest("input, textarea, select, [role=radiogroup]")) return true;
  return key === "Enter" && target.closest("button, summary, a") !== null;
}
