// The open hand. Touch: the first tap lifts a card, the second plays it. Mouse: hovering lifts, clicking plays. Both
// can drag a card to the felt.

import { MAIN, mayAct, useRest } from "/page/act.js";
import { Backs, Face, spoken } from "/page/cards.js";
import { useTimeout } from "/page/hooks.js";
import { glide, offset } from "/page/motion.js";
import { preferences } from "/page/preferences.js";
import { note, now as moment, press, waiting } from "/page/store.js";
import { classes, html, Icon } from "/page/ui.js";
import { effect, signal, useRef } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @type {Signal<Server.Card | null>} The lifted card, to be played next. */
export const raised = signal(null);

// A card stays lifted only while playable. A single playable card is lifted automatically.
effect(() => {
  const at = moment.value;
  const playable = at?.state.phase === "play" ? (at.page.hand?.playable ?? []) : [];
  if (playable.length === 1) raised.value = playable[0] ?? null;
  else if (raised.peek() && !playable.includes(raised.peek() ?? "")) raised.value = null;
});

/** @param {{ now: Moment }} props */
export function Hand({ now: { state, page } }) {
  const { hand } = page;
  if (!hand) return html`<section class="hand empty" data-place="hand"><${FaceDown} page=${page} /></section>`;
  return html`
    <section class="hand" style=${{ "--cards": hand.cards.length }} aria-label=${WORDS.hand(state.seats[hand.seat]?.name ?? "")}>
      ${hand.cards.map((card, at) => html`<${HandCard} key=${card} card=${card} at=${at} hand=${hand} state=${state} />`)}
    </section>
  `;
}

/** @param {{ page: Server.Page }} props Closed hand. Tapping it is the same as its button. */
function FaceDown({ page: { felt, choices } }) {
  const opens = choices.find(({ key }) => key === "OK");
  if (!felt || felt.hides === null || !opens) return null;
  return html`<button type="button" class="face-down" tabindex="-1" aria-hidden="true"
    onClick=${(/** @type {MouseEvent} */ event) => mayAct(MAIN, "OK", event) && press("OK", MAIN)}>
      <${Backs} count=${felt.held[felt.hides] ?? 0} label="" /></button>`;
}

const SOON = 150; // milliseconds in which the server usually responds

/** @param {{ card: Server.Card, at: number, hand: Server.Hand, state: Server.State }} props */
function HandCard({ card, at, hand, state: { phase } }) {
  const isPlay = phase === "play"; // discards are selected first, plays are made at once
  const isOnItsWay = waiting.value.includes(card); // optimistic: shown before the response
  const isChosen = isPlay ? raised.value === card : hand.chosen.includes(card) !== isOnItsWay;
  const isPlayable = hand.playable.includes(card);
  const isHinted = hand.hint?.cards.includes(card) ?? false;
  const isRefused = isPlay && hand.wanted > 0 && !isPlayable; // the server has the reason
  const place = `card ${at}`;
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  useRest(place, card);
  const isElsewhere = isPlay ? isOnItsWay : isChosen; // may stay where it was dropped
  useTimeout(() => void (node.current && !isDragged(node.current) && putBack(node.current)), isElsewhere ? null : SOON);
  const choose = (/** @type {MouseEvent} */ event) => {
    if ((!isPlayable && !isRefused) || !mayAct(place, "", event)) return;
    const isMouse = event.detail > 0 && pointer.isMouse;
    if (!isPlay || isRefused || isMouse || preferences.value.quick || raised.value === card) press(card, place);
    else {
      note(place);
      raised.value = card;
    }
  };
  const isLast = hand.playable.length === 1;
  const lift = () => isPlay && isPlayable && (raised.value = card);
  const lower = () => isPlay && !isLast && raised.value === card && (raised.value = null);
  const hover = (/** @type {PointerEvent} */ { pointerType, buttons }) =>
    pointerType === "mouse" && !buttons && raised.value !== card && lift();
  const chosenNow = hand.cards.filter((one) => hand.chosen.includes(one) !== waiting.value.includes(one));
  const dropInCrib = () => {
    const at = isChosen ? chosenNow.indexOf(card) : chosenNow.length;
    const slot = document.querySelectorAll(".slot")[at];
    if (!isChosen) press(card, place);
    if (!slot || !node.current) return false; // moved by a replacement
    layOver(node.current, slot);
    if (chosenNow.length + Number(!isChosen) === hand.wanted) press("OK", MAIN);
    return true;
  };
  const grip = useRef(/** @type {import("/page/hand.js").Grip | null} */ (null)); // current values at the drop
  grip.current = {
    phase,
    onLift: lift,
    onDrop: () => hand.wanted > 0 && !isOnItsWay && (isPlay ? (press(card, place), true) : dropInCrib()),
    onReturn: (wasAway) => (isPlay ? lower() : wasAway && isChosen && press(card, place)),
  };
  return html`
    <button
      type="button"
      ref=${node}
      class=${classes("card", isChosen && "chosen", isHinted && "hinted", hand.wanted > 0 && !isPlayable && "dull")}
      data-card=${card} data-from="pack" data-turn=${at}
      aria-pressed=${String(isChosen)} aria-disabled=${String(!isPlayable)}
        aria-label=${isHinted ? TABLE.hintedCard(spoken(card)) : spoken(card)}
      onClick=${choose} onPointerMove=${hover}
      onPointerLeave=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && !event.buttons && lower()}
      onPointerDown=${(/** @type {any} */ event) => hand.wanted > 0 && take(event, grip)}
    >
      <${Face} card=${card} />${isHinted && html`<span class="hint"><${Icon} name="hint" /></span>`}
    </button>
  `;
}

// --- Dragging a card. Dropped on the felt it is played or discarded; elsewhere it returns to its place.

/** CSS pixels of movement before a press becomes a drag: fingers wobble. */
const NEAR = { mouse: 4, pen: 6, touch: 10 };

/**
 * @typedef {object} Grip callbacks of a drag
 * @property {Server.Phase} phase the step of the game that it is dragged in: dropped in another, it goes back
 * @property {() => void} onLift it has left its place
 * @property {() => boolean} onDrop it was let go over the felt: whether it stays there
 * @property {(wasAway: boolean) => void} onReturn it goes back to its place; perhaps it was away before
 */

/** @type {("translate" | "scale" | "transform")[]} Style properties set by a drag. */
const MOVED = ["translate", "scale", "transform"];

/**
 * @type {{
 *   node: HTMLElement, pointer: number, x: number, y: number, from: [number, number], near: number, isOn: boolean,
 *   phase: Server.Phase | undefined, grip: { current: Grip | null },
 * } | null}
 */
let held = null;
let listening = new AbortController(); // it ends the listeners of a drag

/** Last pointer used. Only a mouse hovers. */
export const pointer = { isMouse: false };
addEventListener("pointerdown", ({ pointerType }) => (pointer.isMouse = pointerType === "mouse"), true);

const felt = () => document.querySelector(".table > .felt");

/**
 * Start holding a card, which may become a drag.
 * @param {PointerEvent & { currentTarget: HTMLElement }} event
 * @param {{ current: Grip | null }} grip
 */
export function take(event, grip) {
  const { currentTarget: node, clientX: x, clientY: y, pointerId, pointerType } = event;
  if (held || !event.isPrimary || event.button !== 0) return;
  const near = NEAR[/** @type {keyof typeof NEAR} */ (pointerType)] ?? NEAR.touch;
  held = { node, pointer: pointerId, x, y, from: offset(node), near, isOn: false, phase: grip.current?.phase, grip };
  const { signal: ended } = (listening = new AbortController());
  addEventListener("pointermove", move, { signal: ended });
  addEventListener("pointerup", letGo, { signal: ended });
  addEventListener("pointercancel", cancel, { signal: ended });
  addEventListener("blur", cancel, { signal: ended });
  addEventListener("keydown", escape, { signal: ended, capture: true });
  addEventListener("pointerdown", second, { signal: ended, capture: true });
}

/** @param {PointerEvent} event */
function move({ clientX, clientY, pointerId }) {
  if (!held || pointerId !== held.pointer) return;
  const { node, x, y, from, near } = held;
  const [dx, dy] = [clientX - x, clientY - y];
  if (!held.isOn) {
    if (Math.hypot(dx, dy) < near) return;
    held.isOn = true;
    try {
      node.setPointerCapture(pointerId); // even outside the window
    } catch {
      // the finger has just been lifted
    }
    node.dataset.dragged = "";
    held.grip.current?.onLift();
  }
  node.style.translate = `${from[0] + dx}px ${from[1] + dy}px`;
  felt()?.toggleAttribute("data-over", isOver(clientX, clientY, node));
}

/** @param {number} x @param {number} y @param {HTMLElement} node Whether the pointer or the card's middle is over the felt. */
function isOver(x, y, node) {
  const place = felt()?.getBoundingClientRect();
  const card = node.getBoundingClientRect();
  const isIn = (/** @type {number} */ left, /** @type {number} */ top) =>
    place !== undefined && left >= place.left && left <= place.right && top >= place.top && top <= place.bottom;
  return isIn(x, y) || isIn(card.x + card.width / 2, card.y + card.height / 2);
}

/** @param {PointerEvent} event */
function letGo({ clientX, clientY, pointerId }) {
  if (!held || pointerId !== held.pointer) return;
  const { node, isOn, phase, grip, from } = held;
  const isGiven = isOn && phase === grip.current?.phase && isOver(clientX, clientY, node);
  end();
  if (!isOn) return;
  addEventListener("click", unmeant, true);
  forgive();
  if (isGiven && grip.current?.onDrop()) return;
  grip.current?.onReturn(from.some(Boolean) && !isGiven);
  putBack(node);
}

/** @param {Event} event Click that follows a drag with a mouse. */
const unmeant = (event) => (event.stopPropagation(), event.preventDefault());
const forgive = () => setTimeout(() => removeEventListener("click", unmeant, true));

function cancel() {
  if (!held) return;
  const { node, isOn, grip, from } = held;
  end();
  if (!isOn) return;
  grip.current?.onReturn(from.some(Boolean));
  putBack(node);
}

/** @param {KeyboardEvent} event */
function escape(event) {
  if (event.key === "Escape" && held?.isOn) giveUp(event);
}

/** @param {PointerEvent} event A second finger cancels the drag. */
function second(event) {
  if (held?.isOn && event.pointerId !== held.pointer) giveUp(event);
}

/** @param {Event} event The event that ends a drag has no other effect. */
function giveUp(event) {
  event.stopPropagation();
  addEventListener("click", unmeant, true);
  addEventListener("pointerup", forgive, { capture: true, once: true });
  cancel();
}

function end() {
  listening.abort();
  if (held) delete held.node.dataset.dragged;
  felt()?.removeAttribute("data-over");
  held = null;
}

/** @param {HTMLElement | null} node Whether it is being dragged. */
const isDragged = (node) => held?.isOn === true && held.node === node;

// Resizing moves the places.
addEventListener("resize", () => {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".hand .card"))) {
    if (node !== held?.node) for (const part of MOVED) node.style[part] = "";
  }
});

/** @param {HTMLElement} node Card to animate back to its place in the hand. */
export function putBack(node) {
  if (!node.style.translate) return;
  const from = node.getBoundingClientRect();
  for (const part of MOVED) node.style[part] = "";
  glide(node, from);
}

/** Place a card over `place`, at the same size. @param {HTMLElement} node @param {Element} place */
function layOver(node, place) {
  const from = node.getBoundingClientRect();
  node.style.transform = "none"; // no longer lifted
  const [x, y] = offset(node);
  const [at, to] = [node.getBoundingClientRect(), place.getBoundingClientRect()];
  node.style.translate = `${x + to.x + to.width / 2 - at.x - at.width / 2}px ${y + to.y + to.height / 2 - at.y - at.height / 2}px`;
  node.style.scale = String(to.width / node.offsetWidth);
  glide(node, from);
}
