// The buttons that say what they do.  One that has just come to say something else takes no press for a moment, from
// mouse, finger or key: whoever presses then has meant what stood there before.

import { classes, html } from "/page/html.js";
import { isOnItsWay, press, pressed } from "/page/store.js";
import { useEffect, useLayoutEffect, useRef, useState } from "/page/vendor/preact.js";

const REST = 400; // milliseconds for which it takes no press
const SEEN_COMING = 1000; // so soon after a press elsewhere it is that press that has changed it
const NEAR = 40; // CSS pixels between two clicks of a double click

/** The place of the button that stands out: Enter presses it. */
export const MAIN = "main";

/** @typedef {{ means: string, since: number, until: number, left: number, owner: object }} Place what its button means, since when, until when it rests, and when it was taken away */

/** @type {Map<string, Place>} */
const places = new Map();
/** @type {{ at: number, x: number, y: number }[]} Where a mouse or a finger went down, the last time first. */
let touches = [];
addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
  touches = [{ at: performance.now(), x, y }, ...touches].slice(0, 2);
  isTyping = false;
  focused = null;
}, true);
let isTyping = false; // whether the last that was pressed was a key
/** @type {EventTarget | null} */
let focused = null; // what had the focus last, unless a mouse or a finger went down since
addEventListener("focusin", ({ target }) => (focused = target));
addEventListener("keydown", (event) => {
  isTyping = true;
  if (event.key === "Enter" && event.repeat) event.preventDefault(); // a key that stays down is one press
}, true);

/**
 * Note what the button at `place` means now, and return until when it rests.
 * @param {string} place
 * @param {string} means
 * @param {object} owner which of the buttons that come and go there it is
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
 * Whether the button at `place`, which means that, rests.
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
      setAwake(until); // drawn as resting by a machine that took longer than that
      return undefined;
    }
    const timer = setTimeout(() => setAwake(until), Math.ceil(left) + 1); // a timer's milliseconds are whole
    return () => clearTimeout(timer);
  }, [until]);
  useEffect(() => () => {
    const here = places.get(place);
    if (here?.owner === owner) here.left = performance.now();
  }, [place]);
  return performance.now() < until;
}

/**
 * Whether the button at `place` may press `key`: it does not rest, its press is not on its way, and it was there at the
 * first of two clicks.
 * @param {string} place
 * @param {Server.Key} key
 * @param {MouseEvent} [event] the click, where it was one
 */
export function mayAct(place, key, event) {
  const here = places.get(place);
  const [last, first] = touches;
  const isSecond = event?.detail && last && first && last.at - first.at < REST && Math.hypot(last.x - first.x, last.y - first.y) < NEAR;
  return performance.now() >= (here?.until ?? 0) && !isOnItsWay(key) && !(isSecond && here && here.since >= first.at);
}

/** @param {Element | null} before What has the focus again, where what had it is gone. */
const giveBack = (before) => queueMicrotask(() => { // it may be disabled until all of the page is drawn
  const { body, activeElement } = document;
  if ((activeElement === body || !activeElement?.checkVisibility()) && before instanceof HTMLElement) before.focus();
});

/**
 * Whoever opens a part of the page has the focus in it, and back where it was once that is closed; but a mouse or a finger
 * has none to give back.
 * @param {boolean} isOpen
 * @param {() => HTMLElement | null | undefined} first what has the focus there
 */
export function useFocusWithin(isOpen, first) {
  useLayoutEffect(() => { // at once: what has the focus a moment later may be inside already
    const before = document.activeElement;
    if (!isOpen || (!isTyping && before === document.body)) return undefined;
    first()?.focus();
    return () => giveBack(before);
  }, [isOpen]);
}

/** The dialog of a part that is there while it is open: what had the focus has it back, however it is closed. */
export function useModal() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => giveBack(before); // a browser gives it back only where the dialog closes itself, and is not taken away
  }, []);
  return dialog;
}

/** @param {Server.Choice} choice Whether its button stands out: it does what Enter does. */
export const standsOut = ({ key }) => key === "OK";

/**
 * A button for one of the choices.
 * @param {object} props
 * @param {string} props.place where it stands among the buttons
 * @param {Server.Choice} props.choice
 * @param {string} props.asks what it answers: with another question it means something else
 * @param {string} [props.kind] how it looks, where that is neither `main` nor `other`
 * @param {() => void} [props.onAct] what it does, where that is more than to press its key
 * @param {unknown} props.children
 */
export function Act({ place, choice, asks, kind, onAct, children, ...attributes }) {
  const isMain = place === MAIN;
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const isGone = focused instanceof HTMLElement && !focused.isConnected && focused.dataset.enter;
    if (isMain && isGone && document.activeElement === document.body) node.current?.focus(); // it was on the main button before this one
  }, [isMain]);
  const rests = useRest(place, `${choice.key}: ${choice.label}, ${asks}`);
  const done = (/** @type {MouseEvent} */ event) => mayAct(place, choice.key, event) && (onAct ? onAct() : press(choice.key, place));
  return html`<button type="button" ref=${node} ...${attributes} class=${classes(kind ?? (isMain ? "main" : "other"))} data-enter=${isMain || null} data-rests=${rests || null} aria-disabled=${rests ? "true" : undefined} onClick=${done}>${children}</button>`;
}
