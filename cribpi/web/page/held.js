// Keys that are held down: a rank for its suits, UNDO and MENU for what the kit says they are then.

import { Face, spoken } from "/page/cards.js";
import { html } from "/page/html.js";
import { prefer } from "/page/preferences.js";
import { kit, now, press } from "/page/store.js";
import { signal, useEffect, useRef } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const LONG = 500; // milliseconds that a rank is held
const SUITS = ["S", "H", "C", "D"];
const REDO = "hold:UNDO";

/** @type {import("/page/vendor/preact.js").Signal<Server.Key>} The key that was held, whose menu is open. */
export const opened = signal("");

const finger = { timer: 0, hasHeld: false };

/** @param {Server.Key} key */
const offered = (key) => now.value?.page.choices.find((choice) => choice.key === key);

/** @param {Server.Key} key Whether it is a rank that may be given a suit now. */
export const takesSuit = (key) => offered(key)?.takes_suit ?? false;

/**
 * What a long press of the key does, and after how long; null where it does nothing of its own.
 * @param {Server.Key} key
 */
function holdOf(key) {
  if (takesSuit(key)) return { after: LONG, act: () => (opened.value = key) };
  const hold = kit.value?.holds[key];
  if (!hold || !offered(hold.key)) return null;
  const act = () => (hold.key === REDO ? press(REDO) : (opened.value = hold.key));
  return { after: hold.seconds * 1000, act };
}

/**
 * What a key listens to: a press, or a hold, and never both.
 * @param {Server.Key} key
 */
export function pressedOrHeld(key) {
  const hold = holdOf(key);
  const lift = () => clearTimeout(finger.timer);
  const act = () => {
    lift();
    finger.hasHeld = true;
    hold?.act();
  };
  return {
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      lift();
      finger.hasHeld = false;
      if (hold && event.button === 0) finger.timer = setTimeout(act, hold.after);
    },
    onPointerUp: lift,
    onPointerLeave: lift,
    onPointerCancel: lift,
    onContextMenu: (/** @type {Event} */ event) => {
      if (!hold) return;
      event.preventDefault();
      if (takesSuit(key) && !opened.value) act(); // a right click, the menu's key, or a finger that stays
    },
    onClick: (/** @type {MouseEvent} */ event) => {
      const wasHeld = finger.hasHeld && event.detail > 0; // Enter has no finger
      finger.hasHeld = false;
      if (!wasHeld) press(key);
    },
  };
}

/** What is chosen from after a hold: the suits of a rank, or whether to switch off. */
export function HeldMenu() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const key = opened.value;
  useEffect(() => (key ? dialog.current?.showModal() : undefined), [key]);
  const choice = offered(key);
  const close = () => (opened.value = "");
  useEffect(() => {
    if (!choice) close(); // the table has gone on
  }, [choice]);
  if (!choice) return null;
  const choose = (/** @type {Server.Key} */ chosen) => {
    close();
    if (chosen !== key) prefer("knowsSuits", true);
    press(chosen);
  };
  return html`
    <dialog class="held-menu" ref=${dialog} aria-labelledby="held-title" onClose=${close} onClick=${(/** @type {Event} */ event) => event.target === dialog.current && close()}>
      <h2 id="held-title">${choice.takes_suit ? WORDS.whichSuit(choice.label) : choice.label}</h2>
      ${choice.takes_suit
        ? html`<p class="suits">${SUITS.map((suit) => html`<button type="button" class="card" key=${suit} data-suit=${suit} aria-label=${spoken(key + suit)}
            onClick=${() => choose(key + suit)}><${Face} card=${key + suit} /></button>`)}</p>`
        : html`<p><button type="button" class="main" onClick=${() => choose(key)}>${choice.label}</button></p>`}
      <button type="button" class="other" onClick=${close}>${WORDS.cancel}</button>
    </dialog>
  `;
}
