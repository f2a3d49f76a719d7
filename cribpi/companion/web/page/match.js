// The match so far: its winner, and each side's wins.

import { classes, html, Peg } from "/page/ui.js";
import { END } from "/page/words-end.js";

const { match: SAYS } = END;
/** @type {(keyof typeof SAYS.columns)[]} */
const COLUMNS = ["games", "points", "skunks", "spread"];
const MATCH = /^(first-to|best-of)-(\d+)$/;

/** @param {Server.State} state */
export function matchTitle({ match, sides }) {
  const [, kind = "", games = ""] = MATCH.exec(match.kind) ?? [];
  const [winner, ...others] = match.winners.map((side) => sides[side]);
  const result = others.length ? SAYS.drawn : winner === undefined ? SAYS.soFar : SAYS.won(winner);
  return kind ? `${result}, ${SAYS.of(kind, games)}` : result;
}

/** @param {{ state: Server.State }} props */
export const MatchTable = ({ state: { match, sides } }) => html`
  <table class="gains match">
    <thead><tr><td></td>${COLUMNS.map((column) => html`<th scope="col">${SAYS.columns[column]}</th>`)}</tr></thead>
    <tbody>
      ${sides.map((side, at) => html`
        <tr class=${classes(match.winners.length === 1 && match.winners.includes(at) && "won")}>
          <th scope="row"><${Peg} side=${at} /> <bdi>${side.name}</bdi></th>
          ${COLUMNS.map((column) => html`<td>${column === "spread" ? signed(side.spread) : side[column]}</td>`)}</tr>`)}
    </tbody>
  </table>
`;

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");
