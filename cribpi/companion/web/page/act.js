// Action buttons, with a misclick guard: a button whose meaning has just changed ignores mouse, finger and key for a
// moment, because the user meant the old one.

import { classes, html } from "/page/ui.js";
import { isOnItsWay, press, pressed } from "/page/store.js";
import { useEffect, useLayoutEffect, useRef, useState } from "/page/vendor/preact.js";

const REST = 400; // milliseconds for which a changed button ignores presses
const SEEN_COMING = 1000; // milliseconds in which a change is put down to a press elsewhere
const NEAR = 40; // CSS pixels between two clicks of a double click

/** @typedef {Partial<Record<`data-${string}` | `aria-${string}`, unknown>> & { onClick?: () => void }} Attributes */

/** Place of the main button, which Enter presses. */
export const MAIN = "main";

/**
 * its button's meaning, when that began, when its rest ends, and when it was removed
 * @typedef {{ means: string, since: number, until: number, left: number, owner: object }} Place
 */

/** @type {Map<string, Place>} */
const places = new Map();
/** @type {{ at: number, x: number, y: number }[]} The last two pointer-downs, newest first. */
let touches = [];
addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
  touches = [{ at: performance.now(), x, y }, ...touches].slice(0, 2);
  isTyping = false;
  focused = null;
}, true);
let isTyping = false; // whether the last input was a key
/** @type {EventTarget | null} */
let focused = null; // last element with the focus, cleared by a pointer
addEventListener("focusin", ({ target }) => (focused = target));
addEventListener("keydown", (event) => {
  isTyping = true;
  if (event.key === "Enter" && event.repeat) event.preventDefault(); // no key repeat
}, true);

/**
 * Record what the button at `place` means, and return when its rest ends, or 0.
 * @param {string} place
 * @param {string} means
 * @param {object} owner identifies the button, which may be removed and drawn again
 */
function rest(place, means, owner) {
  const now = performance.now();
  const before = places.get(place);
  if (before?.owner === owner && before.means === means) return before.until;
  const isChange = before !== undefined && before.means !== means && now - before.left < REST;
  const isSeenComing = pressed.place !== place && now - pressed.at < SEEN_COMING;
  const until = isChange && !isSeenComing ? now + REST : 0;
  places.set(place, { means, since: now, until, left: Infinity, owner });
  return until;
}

/**
 * Return whether the button at `place` ignores presses for now, because its meaning has just changed.
 * @param {string} place
 * @param {string} means
 */
export function useRest(place, means) {
  const owner = useRef({}).current;
  const [, setAwake] = useState(0);
  const until = rest(place, means, owner);
  useEffect(() => {
    const left = until - performance.now();
    if (left <= 0) {
      setAwake(until); // the rest ended before this was drawn
      return undefined;
    }
    const timer = setTimeout(() => setAwake(until), Math.ceil(left) + 1); // timers count whole milliseconds
    return () => clearTimeout(timer);
  }, [until]);
  useEffect(() => () => {
    const here = places.get(place);
    if (here?.owner === owner) here.left = performance.now();
  }, [place]);
  return performance.now() < until;
}

/**
 * Return whether the button at `place` may press `key`: not while it rests, while its press is pending, or if it
 * changed between two clicks.
 * @param {string} place
 * @param {Server.Key} key
 * @param {MouseEvent} [event] if it was clicked
 */
export function mayAct(place, key, event) {
  const here = places.get(place);
  const [last, first] = touches;
  const isSecond = event?.detail && last && first && last.at - first.at < REST && Math.hypot(last.x - first.x, last.y - first.y) < NEAR;
  return performance.now() >= (here?.until ?? 0) && !isOnItsWay(key) && !(isSecond && here && here.since >= first.at);
}

/** @param {Element | null} before Element that gets the focus back if it was lost. */
const giveBack = (before) => queueMicrotask(() => { // disabled until the page is drawn
  const { body, activeElement } = document;
  if ((activeElement === body || !activeElement?.checkVisibility()) && before instanceof HTMLElement) before.focus();
});

/**
 * Move the focus into a part of the page while it is open, and back afterwards. Mouse and touch may
 * have no focus to go back to.
 * @param {boolean} isOpen
 * @param {() => HTMLElement | null | undefined} first returns the element to focus
 */
export function useFocusWithin(isOpen, first) {
  useLayoutEffect(() => { // before an element inside can get the focus
    const before = document.activeElement;
    if (!isOpen || (!isTyping && before === document.body)) return undefined;
    first()?.focus();
    return () => giveBack(before);
  }, [isOpen]);
}

/**
 * Modal dialog, open while it is drawn, and closed by a click beside it. The focus goes back afterwards.
 * @param {{ kind: string, onClose: () => void, closedby?: "any" | "closerequest", children: unknown } & Attributes} props
 */
export function Modal({ kind, onClose, closedby = "any", children, ...attributes }) {
  const dialog = useRef(/** @type {(HTMLDialogElement & { closedBy?: string }) | null} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => giveBack(before); // browsers restore the focus only if the dialog closes itself
  }, []);
  const closeBeside = (/** @type {Event} */ { target }) =>
    target === dialog.current && dialog.current?.closedBy !== "any" && onClose(); // unless the browser does
  return html`
    <dialog class=${kind} closedby=${closedby} ref=${dialog} onClick=${closeBeside} ...${attributes} onClose=${onClose}>
      ${children}
    </dialog>`;
}

/** @param {Server.Choice} choice Whether its button is the main one, as pressed by Enter. */
export const standsOut = ({ key }) => key === "OK";

/**
 * @typedef {object} ActionButtonProps
 * @property {string} place position among the buttons
 * @property {Server.Choice} choice
 * @property {string} asks the question, part of the button's meaning
 * @property {string} [kind] CSS class other than `main` or `other`
 * @property {() => void} [onAct] action other than pressing the key
 * @property {unknown} children
 */

/** @param {ActionButtonProps & Attributes} props Button for a choice. */
export function ActionButton({ place, choice, asks, kind, onAct, children, ...attributes }) {
  const isMain = place === MAIN;
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const isGone = focused instanceof HTMLElement && !focused.isConnected && focused.dataset.enter;
    if (isMain && isGone && document.activeElement === document.body) node.current?.focus(); // the focus stays on the main button
  }, [isMain]);
  const rests = useRest(place, `${choice.key}: ${choice.label}, ${asks}`);
  const done = (/** @type {MouseEvent} */ event) => mayAct(place, choice.key, event) && (onAct ? onAct() : press(choice.key, place));
  return html`<button type="button" ref=${node} ...${attributes} class=${classes(kind ?? (isMain ? "main" : "other"))}
    data-enter=${isMain || null} data-rests=${rests || null} aria-disabled=${rests ? "true" : undefined}
      onClick=${done}>${children}</button>`;
}
