// Card animation: moved cards glide to their new place, and new ones come from where they were dealt or played. The
// next press ends all animations.

import { isStill } from "/page/ui.js";
import { useLayoutEffect, useRef } from "/page/vendor/preact.js";

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

/**
 * Animate the cards in `root` when a new moment `now` adds, removes or changes one. Cards are identified by `data-card`;
 * a new one starts at the `data-place` named by its `data-from`. Positions are read before the draw, where a layout is
 * seldom due, and again only if something moves.
 * @param {{ current: HTMLElement | null }} root
 * @param {unknown} now
 */
export function useMovement(root, now) {
  const last = useRef(now);
  const before = last.current === now ? null : look(root.current);
  last.current = now;
  useLayoutEffect(() => {
    if (!before) return;
    const after = cardsIn(root.current);
    if (after.length === before.length && after.every((node, at) => node === before[at]?.node && node.className === before[at]?.look))
      return;
    const places = new Map(before.map(({ card, place }) => [card, place]));
    for (const node of after) {
      const { card = "", from, dragged, turn = 0 } = node.dataset;
      const start = places.get(card) ?? (from && root.current?.querySelector(`[data-place="${from}"]`)?.getBoundingClientRect());
      if (start && dragged === undefined) move(node, start, node.getBoundingClientRect(), Number(turn) * 60);
    }
  });
}

/** @param {HTMLElement | null} root @returns {HTMLElement[]} */
const cardsIn = (root) => [...(/** @type {NodeListOf<HTMLElement> | undefined} */ (root?.querySelectorAll("[data-card]")) ?? [])];

/** @param {HTMLElement | null} root The cards as they are drawn. */
function look(root) {
  finish();
  return cardsIn(root).map((node) => ({ node, card: node.dataset.card, look: node.className, place: node.getBoundingClientRect() }));
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
  move(node, from, node.getBoundingClientRect(), 0);
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
  const animation = node.animate([{ offset: 0, translate: `${x + dx}px ${y + dy}px`, scale: String(scale) }],
    { duration: TIME, easing: EASE, delay, fill: "backwards" });
  running.add(animation);
  animation.finished.then(() => running.delete(animation), () => running.delete(animation));
}
