// Win probabilities of both sides as a bar, requested after each change if the setting is on.

import { useResource } from "/page/hooks.js";
import { html } from "/page/ui.js";
import { CHANCES } from "/page/words-more.js";

/** @param {{ state: Server.State }} props Left to right in the order of the tiles. */
export function Chances({ state }) {
  const loaded = useResource("/api/chances", state.seq);
  const found = loaded.isFailed ? null : loaded.found?.chances;
  if (!found) return null;
  const both = state.sides.map(({ name }, side) => ({ side, name, part: found[side] ?? 0 }));
  const first = Math.round(100 * (both[0]?.part ?? 0));
  const told = [first, 100 - first].map(percent);
  return html`
    <div class="bar" role="meter" aria-label=${CHANCES.title} aria-valuemin="0" aria-valuemax="100"
      aria-valuenow=${first} aria-valuetext=${both.map(({ name }, at) => `${name} ${told[at]}`).join(", ")}>
      <b>${told[0]}</b>
      <span>${both.map(({ side, part }) => html`<i key=${side} data-side=${side} style=${{ flexGrow: part }} />`)}</span>
      <b>${told[1]}</b>
    </div>
  `;
}

/** @param {number} whole Never 0 or 100 before the end. */
const percent = (whole) => (whole > 99 ? "> 99 %" : whole < 1 ? "< 1 %" : `${whole} %`);
