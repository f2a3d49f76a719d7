// Charts of values by deal.

import { html } from "/page/ui.js";

const HEAD = 10; // space above the plot

/**
 * @typedef {{ wide: number, high: number, left: number, right: number, x: (deal: number) => number, y: (value: number) => number }} Scale
 */

/**
 * Return the scale of a chart of `deals` deals and values up to `most`.
 * @type {(
 *   size: { wide: number, high: number }, edges: { left: number, right: number, foot: number }, deals: number, most: number
 * ) => Scale}
 */
export const scaleOf = ({ wide, high }, { left, right, foot }, deals, most) => ({
  wide,
  high,
  left,
  right,
  x: (deal) => left + ((wide - left - right) * deal) / Math.max(1, deals),
  y: (value) => high - foot - ((high - foot - HEAD) * Math.max(0, value)) / most,
});

/** @type {(values: number[], scale: Scale) => string} Line through a value before the first deal, and one after each. */
export const pointsOf = (values, { x, y }) => values.map((value, deal) => `${x(deal)},${y(value)}`).join(" ");

/**
 * @typedef {object} PlotProps
 * @property {string} kind CSS class
 * @property {string} label
 * @property {Scale} scale
 * @property {{ value: number, text: string | number }[]} rules horizontal lines
 * @property {(string | number)[]} deals below the plot, as many as there is room for
 * @property {number} room width of one of those
 * @property {unknown} children
 */

/** @param {PlotProps} props */
export function Plot({ kind, label, scale: { wide, high, left, right, x, y }, rules, deals, room, children }) {
  const every = Math.ceil((room * deals.length) / wide);
  return html`
    <svg class=${kind} viewBox=${`0 0 ${wide} ${high}`} role="img" aria-label=${label}>
      ${rules.map(({ value, text }) => html`
        <line x1=${left} x2=${wide - right} y1=${y(value)} y2=${y(value)} />
          <text x=${left - 8} y=${y(value) + 5} text-anchor="end">${text}</text>`)}
      ${deals.map((text, at) => at % every === 0 && html`<text x=${x(at + 1)} y=${high - 4} text-anchor="middle">${text}</text>`)}
      ${children}
    </svg>
  `;
}
