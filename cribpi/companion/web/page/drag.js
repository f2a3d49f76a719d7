// A card that is dragged follows its finger or the mouse, and nothing else moves.  Let go over the felt it is given away;
// let go elsewhere it goes back to its place.

import { glide, offset } from "/page/motion.js";

/** CSS pixels that a press may move until it drags: a finger is never still. */
const NEAR = { mouse: 4, pen: 6, touch: 10 };

/**
 * @typedef {object} Grip what is done with a card that is dragged
 * @property {Server.Phase} phase the step of the game that it is dragged in: dropped in another, it goes back
 * @property {() => void} onLift it has left its place
 * @property {() => boolean} onDrop it was let go over the felt: whether it stays there
 * @property {(wasAway: boolean) => void} onReturn it goes back to its place; perhaps it was away before
 */

/** @type {("translate" | "scale" | "transform")[]} The style of a card that lies elsewhere than in its place. */
const MOVED = ["translate", "scale", "transform"];

/** @type {{ node: HTMLElement, pointer: number, x: number, y: number, from: [number, number], near: number, isOn: boolean, phase: Server.Phase | undefined, grip: { current: Grip | null } } | null} */
let held = null;

/** What was pointed with last: a mouse shows what it is over, and a finger does not. */
export const pointer = { isMouse: false };
addEventListener("pointerdown", ({ pointerType }) => (pointer.isMouse = pointerType === "mouse"), true);

const felt = () => document.querySelector(".table > .felt");

/**
 * Take hold of a card, which may become a drag.
 * @param {PointerEvent & { currentTarget: HTMLElement }} event
 * @param {{ current: Grip | null }} grip
 */
export function take(event, grip) {
  const { currentTarget: node, clientX: x, clientY: y, pointerId, pointerType } = event;
  if (held || !event.isPrimary || event.button !== 0) return;
  const near = NEAR[/** @type {keyof typeof NEAR} */ (pointerType)] ?? NEAR.touch;
  held = { node, pointer: pointerId, x, y, from: offset(node), near, isOn: false, phase: grip.current?.phase, grip };
  addEventListener("pointermove", move);
  addEventListener("pointerup", letGo);
  addEventListener("pointercancel", cancel);
  addEventListener("blur", cancel);
  addEventListener("keydown", escape, true);
  addEventListener("pointerdown", second, true);
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
      node.setPointerCapture(pointerId); // outside the window as well
    } catch {
      // the finger has just been lifted
    }
    node.dataset.dragged = "";
    held.grip.current?.onLift();
  }
  node.style.translate = `${from[0] + dx}px ${from[1] + dy}px`;
  felt()?.toggleAttribute("data-over", isOver(clientX, clientY, node));
}

/** @param {number} x @param {number} y @param {HTMLElement} node Whether the pointer, or the middle of the card, is over the felt. */
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

/** @param {Event} event A mouse that is let go after a drag has clicked, too. */
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

/** @param {PointerEvent} event A second finger takes the card out of the first one's hand. */
function second(event) {
  if (held?.isOn && event.pointerId !== held.pointer) giveUp(event);
}

/** @param {Event} event What ends a drag is meant for nothing else. */
function giveUp(event) {
  event.stopPropagation();
  addEventListener("click", unmeant, true);
  addEventListener("pointerup", forgive, { capture: true, once: true });
  cancel();
}

function end() {
  removeEventListener("pointermove", move);
  removeEventListener("pointerup", letGo);
  removeEventListener("pointercancel", cancel);
  removeEventListener("blur", cancel);
  removeEventListener("keydown", escape, true);
  removeEventListener("pointerdown", second, true);
  if (held) delete held.node.dataset.dragged;
  felt()?.removeAttribute("data-over");
  held = null;
}

/** @param {HTMLElement | null} node Whether it is under a finger or the mouse now. */
export const isDragged = (node) => held?.isOn === true && held.node === node;

// In another window its places are others.
addEventListener("resize", () => {
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".hand .card"))) {
    if (node !== held?.node) for (const part of MOVED) node.style[part] = "";
  }
});

/** @param {HTMLElement} node A card goes to its place in the hand, if it is elsewhere. */
export function putBack(node) {
  if (!node.style.translate) return;
  const from = node.getBoundingClientRect();
  for (const part of MOVED) node.style[part] = "";
  glide(node, from);
}

/**
 * A card lies over `place`, as large as that.
 * @param {HTMLElement} node
 * @param {Element} place
 */
export function layOver(node, place) {
  const from = node.getBoundingClientRect();
  node.style.transform = "none"; // it is lifted no more
  const [x, y] = offset(node);
  const [at, to] = [node.getBoundingClientRect(), place.getBoundingClientRect()];
  node.style.translate = `${x + to.x + to.width / 2 - at.x - at.width / 2}px ${y + to.y + to.height / 2 - at.y - at.height / 2}px`;
  node.style.scale = String(to.width / node.offsetWidth);
  glide(node, from);
}
