// Card animation: moved cards glide to their new place, and new ones come from where they were dealt or played. The
// next press ends all animations.

import { isStill } from "/page/ui.js";
import { useLayoutEffect } from "/page/vendor/preact.js";

const TIME = 200; // milliseconds per card
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

/** @type {Set<Animation>} */
const running = new Set();
addEventListener("pointerdown", finish, { capture: true });
addEventListener("keydown", finish, { capture: true });

/** End all animations. */
function finish() {
  for (const one of running) one.finish();
  running.clear();
}

/** @type {Map<string, DOMRect>} Last drawn position of each card. */
let places = new Map();

/**
 * Animate the cards in `root` after each draw. Cards are identified by `data-card`; a new one starts at the
 * `data-place` named by its `data-from`.
 * @param {{ current: HTMLElement | null }} root
 */
export function useMovement(root) {
  useLayoutEffect(() => {
    if (!root.current) return;
    finish();
    const before = places;
    places = new Map();
    for (const node of root.current.querySelectorAll("[data-card]")) {
      if (!(node instanceof HTMLElement)) continue;
      const { card = "", from } = node.dataset;
      const to = node.getBoundingClientRect();
      places.set(card, to);
      if ("dragged" in node.dataset) continue; // being dragged
      const start = before.get(card) ?? (from && root.current.querySelector(`[data-place="${from}"]`)?.getBoundingClientRect());
      if (start) move(node, start, to, Number(node.dataset.turn ?? 0) * 60);
    }
  });
}

/** @param {HTMLElement} node Distance dragged from its place. @returns {[number, number]} */
export function offset(node) {
  const [x = 0, y = 0] = node.style.translate.split(" ").map((part) => Number.parseFloat(part) || 0);
  return [x, y];
}

/**
 * Animate a card that was not redrawn.
 * @param {HTMLElement} node
 * @param {DOMRect} from previous position
 */
export function glide(node, from) {
  const to = node.getBoundingClientRect();
  if (node.dataset.card) places.set(node.dataset.card, to);
  move(node, from, to, 0);
}

/**
 * @param {HTMLElement} node
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {number} delay
 */
function move(node, from, to, delay) {
  const [dx, dy] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2];
  if (isStill() || Math.hypot(dx, dy) < 2 || !to.width) return;
  const [x, y] = offset(node);
  const scale = Math.min(1.6, from.height / to.height) * (Number(node.style.scale) || 1);
  const animation = node.animate([{ offset: 0, translate: `${x + dx}px ${y + dy}px`, scale: String(scale) }], { duration: TIME, easing: EASE, delay, fill: "backwards" });
  running.add(animation);
  animation.finished.then(() => running.delete(animation), () => running.delete(animation));
}
