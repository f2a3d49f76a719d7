// Keys: typed characters, long presses with their dialog, and the list of shortcuts that `?` opens.

import { mayAct, Modal } from "/page/act.js";
import { Face, spoken, SUITS } from "/page/cards.js";
import { closingButton, mainButton, GAME_PAGE, isForPage, isTyped } from "/page/enter.js";
import { useListener } from "/page/hooks.js";
import { prefer } from "/page/preferences.js";
import { isCard, isSettled, kit, now, parts, press, refuse } from "/page/store.js";
import { html } from "/page/ui.js";
import { render, signal, useEffect } from "/page/vendor/preact.js";
import { KEYS as SAYS, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @type {Partial<Record<string, Server.Key>>} */
export const TYPED = {
  a: "A", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 0: "10", j: "J", q: "Q", k: "K",
  g: "GO", f: "FLNB", u: "UNDO", r: "hold:UNDO", m: "MENU", enter: "OK", "[": "P1", "]": "P2",
  arrowup: "UP", arrowdown: "DOWN", arrowleft: "LEFT", arrowright: "RIGHT",
};

/** @type {Partial<Record<string, Server.Key>>} The joystick's keys. */
const OF_JOYSTICK = { P1: "LEFT", P2: "RIGHT" };

/** Press typed keys while the caller is shown; on the device, a long press needs no confirmation. @param {boolean} [isDevice] */
export function useTyping(isDevice = false) {
  useListener(dropFocus, "mousedown");
  useListener((event) => type(event, isDevice), "keydown");
  useListener((event) => release(event, isDevice), "keyup");
  useListener(cancelHold, "blur");
}

/**
 * Press a typed key unless an element needs it. A key with a long press waits for its release.
 * @param {KeyboardEvent} event
 * @param {boolean} isDevice
 */
function type(event, isDevice) {
  if (event.ctrlKey || event.metaKey || event.altKey || (event.key === "Enter" && event.defaultPrevented)) return; // the main button has it
  if (!isDevice && !document.querySelector("dialog[open]") && (event.key === "Escape" ? close() : movesInMenu(event)))
    return event.preventDefault();
  if (isBusy(event)) return;
  const key = digitOf(event, isDevice) ?? keyOf(event);
  if (!key && bare(event) === "1" && takesSuit("A")) refuse(WORDS.oneIsNoCard);
  if (!key) return; // fast typing is ahead of the choices
  event.preventDefault();
  if (event.repeat) return;
  if (!isDevice && now.value?.page.table.dialog === "Menu" && (key === "OK" || isCard(key))) return; // no selected line on this page
  else if (!isDevice && event.shiftKey && takesSuit(key)) opened.value = key;
  else if (key === "OK" && !isDevice && !mayAct(placeOf(key), key)) return;
  else if (!has(key) || !startHold(key, longPressOf(key, isDevice))) enter(key, isDevice);
}

/** Close the open part, and return whether there was one. */
function close() {
  const button = closingButton();
  button?.click();
  return button !== undefined;
}

/** Move through the menu with the arrow keys, and return whether that was typed. @param {KeyboardEvent} event */
function movesInMenu({ key }) {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key];
  const lines = /** @type {HTMLElement[]} */ (by && now.value?.page.table.dialog === "Menu"
    ? [...document.querySelectorAll(".dialog .line")] : []);
  const at = lines.findIndex((line) => line === document.activeElement);
  lines.at(at < 0 ? 0 : (at + (by ?? 0)) % lines.length)?.focus();
  return lines.length > 0;
}

/** Take the focus from a button pressed with mouse or finger, so that Enter presses the main one. @param {MouseEvent} event */
function dropFocus(event) {
  if (!(event.target instanceof Element) || !event.target.closest("button, summary, .segments")) return;
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** @param {KeyboardEvent} event @param {boolean} isDevice */
function release(event, isDevice) {
  const key = keyOf(event);
  if (key && isHeld(key)) releaseKey(key, isDevice);
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
  return has(key) || Object.values(kit.value?.holds ?? {}).some((longPress) => longPress.key === key) ? key : null;
}

/** @param {Server.Key} key */
const has = (key) => kit.value?.keys.some((row) => row.includes(key)) ?? false;

/** @param {KeyboardEvent} event The key without the shift of a digit. */
const bare = ({ key, code, shiftKey }) => (shiftKey && code.startsWith("Digit") ? code.slice("Digit".length) : key);

/** @param {KeyboardEvent} event */
function isBusy({ target, key }) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]") || target.closest("input, textarea, select")) return true;
  return key === "Enter" && target.closest("button, summary, a") !== null;
}

// --- Long presses: UNDO and MENU become the kit's other keys, and a rank opens its suits.

const LONG = 500; // milliseconds of a long press on a rank
const SWITCH_OFF = "hold:MENU";

/** @typedef {{ after: number, act: () => void }} LongPress a long press: its action and length in milliseconds */

/** @type {Signal<Server.Key>} The key that is down and may become a long press, or "". */
export const heldKey = signal("");
/** @type {Signal<Server.Key>} The key whose long press has opened a dialog, or "". */
export const opened = signal("");

/** @type {{ key: Server.Key, isDone: boolean, timer: ReturnType<typeof setTimeout> } | null} */
let held = null;

/** Return the action of `key`, including implied shows. @param {Server.Key} key @returns {Server.Choice | undefined} */
export function offered(key) {
  const { choices = [], carry } = now.value?.page ?? {};
  const choice = choices.find((one) => one.key === key);
  const label = carry?.keys[key]?.label;
  return label === undefined ? choice : { ...(choice ?? { key, name: key, short: key, likely: false, side: null }), label,
    takes_suit: true };
}

/**
 * Press `key`, which may be a card with a suit, including implied shows except on the device, which asks for each OK.
 * @param {Server.Key} key
 * @param {boolean} [isDevice]
 */
export function enter(key, isDevice = false) {
  const { carry } = now.value?.page ?? {};
  // fast typing is ahead of the state
  press(key, placeOf(key), !isDevice && (key.startsWith("digit") || isSettled()) && parts(key).rank in (carry?.keys ?? {}));
}

/** @param {Server.Key} key Whether it is a rank that can take a suit now. */
export const takesSuit = (key) => offered(key)?.takes_suit ?? false;

/**
 * Return the kit's long press of `key`. Off the device, power off needs confirmation.
 * @param {Server.Key} key
 * @param {boolean} isDevice
 * @returns {LongPress | null}
 */
function longPressOf(key, isDevice) {
  const longPress = kit.value?.holds[key];
  if (!longPress) return null;
  const asks = !isDevice && longPress.key === SWITCH_OFF && offered(SWITCH_OFF);
  return { after: longPress.seconds * 1000, act: () => (asks ? (opened.value = longPress.key) : press(longPress.key)) };
}

/** Start a long press; return whether `key` has one. @param {Server.Key} key @param {LongPress | null} longPress */
function startHold(key, longPress) {
  cancelHold();
  if (!longPress) return false;
  held = { key, isDone: false, timer: setTimeout(() => finishHold(key, longPress), longPress.after) };
  heldKey.value = key;
  return true;
}

/** @param {Server.Key} key @param {LongPress} longPress */
function finishHold(key, longPress) {
  cancelHold();
  held = { key, isDone: true, timer: 0 };
  longPress.act();
}

/** Release `key`, which presses it unless its long press is done. @param {Server.Key} key @param {boolean} [isDevice] */
function releaseKey(key, isDevice = false) {
  const isDone = held?.key === key && held.isDone;
  cancelHold();
  if (!isDone) enter(key, isDevice);
}

/** @param {Server.Key} key Place for the misclick guard: only OK is labelled by its meaning. */
export const placeOf = (key) => (key === "OK" ? key : "keys");

/** @param {Server.Key} key Whether it is down, even after its long press. */
const isHeld = (key) => held?.key === key;

function cancelHold() {
  clearTimeout(held?.timer);
  held = null;
  heldKey.value = "";
}

/** Fingers leave a key before its click event, so a long press that is done must be remembered. */
function leaveKey() {
  if (!held?.isDone) cancelHold();
}

/** Return a key's event handlers, for either a press or a long press. @param {Server.Key} key @param {boolean} isDevice */
export function keyListeners(key, isDevice) {
  const suits = !isDevice && takesSuit(key) ? { after: LONG, act: () => (opened.value = key) } : null;
  const longPress = suits ?? longPressOf(key, isDevice);
  return {
    onPointerDown: (/** @type {PointerEvent} */ event) => event.button === 0 && startHold(key, longPress),
    onPointerLeave: leaveKey,
    onPointerCancel: leaveKey,
    onMouseDown: (/** @type {Event} */ event) => event.preventDefault(),
    onContextMenu: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (suits && !opened.value) finishHold(key, suits); // right click, menu key or long touch
    },
    onClick: (/** @type {MouseEvent} */ event) => {
      if (event.detail === 0) cancelHold(); // Enter has no long press
      if (isDevice || mayAct(placeOf(key), key === "OK" ? key : "", event)) releaseKey(key, isDevice);
      else cancelHold();
    },
  };
}

// --- The dialog of a long press: suits for a rank, power for MENU.

/** Suits of a rank, or power off. */
export function HeldMenu() {
  const key = opened.value;
  const choice = offered(key);
  const close = () => (opened.value = "");
  useEffect(() => {
    if (key && !choice) close(); // the game has moved on, unless this is the first draw
  }, [key, choice]);
  return choice && html`<${Choose} choice=${choice} close=${close} />`;
}

/** @param {{ choice: Server.Choice, close: () => void }} props Its opening press ends outside, which must not close it. */
function Choose({ choice, close }) {
  const { key } = choice;
  const choose = (/** @type {Server.Key} */ chosen) => {
    close();
    if (chosen !== key) prefer("knowsSuits", true);
    enter(chosen);
  };
  return html`
    <${Modal} kind="held-menu" closedby="closerequest" aria-labelledby="held-title" onClose=${close}>
      <h2 id="held-title">${choice.takes_suit ? TABLE.whichSuit(choice.label) : choice.label}</h2>
      ${choice.takes_suit
        ? html`<p class="suits">${Object.keys(SUITS).map((suit) =>
          html`<button type="button" class="card" key=${suit} data-suit=${suit} aria-label=${spoken(key + suit)}
            onClick=${() => choose(key + suit)}><${Face} card=${key + suit} /></button>`)}</p>`
        : html`<p><button type="button" class="main" onClick=${() => choose(key)}>${choice.label}</button></p>`}
      <button type="button" class="other" onClick=${close}>${WORDS.cancel}</button>
    <//>
  `;
}

// --- `?` lists the keyboard shortcuts.

const isOpen = signal(false);
/** Open the list. */
export const listKeys = () => void (isOpen.value = true);

/** @type {Partial<Record<string, string>>} */
const CAPS = { arrowup: "↑", arrowdown: "↓", arrowleft: "←", arrowright: "→" };

/** Return the available keys and their actions. */
function rows() {
  const page = document.querySelector(GAME_PAGE) ? now.value?.page : undefined;
  const choices = page?.choices ?? [];
  const isMenu = page?.table.dialog === "Menu";
  const hasCards = !page?.number && !isMenu && choices.some(({ key }) => isCard(key));
  /** @type {(string | false | undefined)[][]} */
  const found = [
    ["Enter", mainButton()?.textContent || SAYS.enter],
    ["0 – 9, Backspace", Boolean(page?.number) && SAYS.number],
    ["A, 2 – 9, 0, J, Q, K", hasCards && (now.value?.state.entry === "dealt" ? SAYS.ownCard : SAYS.anyCard)],
    ["Shift + A", choices.some((choice) => choice.takes_suit) && SAYS.suit],
    ...Object.entries(TYPED).map(([typed, key]) =>
      [CAPS[typed] ?? typed.toUpperCase(), typed !== "enter" && !isCard(key ?? "") && choices.find((choice) => choice.key === key)?.label]),
    ["↑, ↓", isMenu && SAYS.lines],
    ["←, →", document.querySelector(".past-game") !== null && SAYS.moves],
    ["Tab", SAYS.next],
    ["Esc", SAYS.close],
    ["?", SAYS.list],
  ];
  return found.filter(([, does]) => does);
}

function Keys() {
  const close = () => void (isOpen.value = false);
  return html`
    <${Modal} kind="held-menu keys-list" aria-labelledby="keys-title" onClose=${close}>
      <h2 id="keys-title">${SAYS.title}</h2>
      <dl>${rows().map(([keys, does]) => html`<div><dt>${String(keys).split(", ").map((key) => html`<kbd>${key}</kbd> `)}</dt>
        <dd>${does}</dd></div>`)}</dl>
      <button type="button" class="main" onClick=${close}>${WORDS.close}</button>
    <//>
  `;
}

addEventListener("keydown", (event) => {
  if (event.key === "?" && isForPage(event) && !isTyped(event)) listKeys();
});

const Listed = () => isOpen.value && html`<${Keys} />`;
render(html`<${Listed} />`, document.body.appendChild(document.createElement("div")));
