// The computer's own keys: each rank, GO and OK by the character that is theirs, as on the device's keypad; and where
// a number is asked for, its digits.

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

/** @type {Partial<Record<string, Server.Key>>} What a joystick has for them. */
const OF_JOYSTICK = { P1: "LEFT", P2: "RIGHT" };

/**
 * Press what is typed, as long as whoever uses this is shown; at the device itself a key asks nothing.
 * @param {boolean} [isDevice]
 */
export function useTyping(isDevice = false) {
  useLayoutEffect(() => { // from the first picture on
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
 * Press what is typed, if nothing on the page wants the key for itself; a key that can be held waits for its end.
 * @param {KeyboardEvent} event
 * @param {boolean} isDevice
 */
function type(event, isDevice) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!isDevice && !document.querySelector("dialog[open]") && (event.key === "Escape" ? close() : goesAlong(event))) return event.preventDefault();
  if (isBusy(event)) return;
  const key = digitOf(event, isDevice) ?? keyOf(event);
  if (!key && bare(event) === "1" && takesSuit("A")) refuse(WORDS.oneIsNoCard);
  if (!key) return; // who types fast is ahead of what is offered
  event.preventDefault();
  if (event.repeat) return;
  const main = key === "OK" && !isDevice ? enters() : undefined;
  if (main) main.click();
  else if (!isDevice && now.value?.page.table.dialog === "Menu" && (key === "OK" || isCard(key))) return; // no line of it stands out
  else if (!isDevice && event.shiftKey && takesSuit(key)) opened.value = key;
  else if (key === "OK" && !isDevice && !mayAct(placeOf(key), key)) return;
  else if (!has(key) || !begin(key, ofKit(key, isDevice))) enter(key, isDevice);
}

/** Close whatever is open, and return whether there is anything. */
function close() {
  const button = closes();
  button?.click();
  return button !== undefined;
}

/**
 * Go along the lines of the menu with the arrows, and return whether that is what was typed.
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
 * A button that was pressed with a mouse or a finger does not keep the focus: Enter is the one that stands out.
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
 * The digit that is typed, where a number is asked for; at the device itself what is printed on a key comes first.
 * @param {KeyboardEvent} event
 * @param {boolean} isDevice
 */
function digitOf(event, isDevice) {
  if (!now.value?.page.number || (isDevice && printed(event))) return null;
  if (event.key === "Backspace") return "digit:erase";
  return /^\d$/.test(bare(event)) ? `digit:${bare(event)}` : null;
}

/** @param {KeyboardEvent} event The kit's key on which that is printed. */
const printed = ({ key }) => Object.entries(kit.value?.caps ?? {}).find(([, cap]) => cap.length === 1 && cap === key)?.[0];

/** @param {KeyboardEvent} event The kit's key that is typed, or one that a long press stands for. */
function keyOf(event) {
  const key = printed(event) ?? TYPED[bare(event).toLowerCase()];
  if (!key) return null;
  const other = OF_JOYSTICK[key];
  if (other && !has(key)) return has(other) ? other : null;
  return has(key) || Object.values(kit.value?.holds ?? {}).some((longer) => longer.key === key) ? key : null;
}

/** @param {Server.Key} key */
const has = (key) => kit.value?.keys.some((row) => row.includes(key)) ?? false;

/** @param {KeyboardEvent} event What is typed, without the shift of a digit. */
const bare = ({ key, code, shiftKey }) => (shiftKey && code.startsWith("Digit") ? code.slice("Digit".length) : key);

/** @param {KeyboardEvent} event */
function isBusy({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]") || target.closest("input, textarea, select, [role=radiogroup]")) return true;
  return key === "Enter" && target.closest("button, summary, a") !== null;
}
