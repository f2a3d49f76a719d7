// The chance of winning, both sides' in one bar: asked of the table after each change, by a screen that wants it.

import { load } from "/page/store.js";
import { useEffect, useState } from "/page/vendor/preact.js";
import { html } from "/page/html.js";
import { CHANCES } from "/page/words-chances.js";

/** @param {{ state: Server.State }} props The sides from the left, as their tiles stand. */
export function Chances({ state }) {
  const [found, setFound] = useState(/** @type {[number, number] | null} */ (null));
  useEffect(() => {
    let isMeant = true;
    load("/api/chances").then(
      (/** @type {Server.Chances} */ { chances }) => isMeant && setFound(chances),
      () => isMeant && setFound(null),
    );
    return () => {
      isMeant = false; // the table has moved on
    };
  }, [state.seq]);
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

/** @param {number} whole Nobody has won before the end, however likely it is. */
const percent = (whole) => (whole > 99 ? "> 99 %" : whole < 1 ? "< 1 %" : `${whole} %`);
