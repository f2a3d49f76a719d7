// The result of a game: winner, margin, sources of points, best hand, and course; and the match so far.

import { CardText, HandCards } from "/page/cards.js";
import { useSize } from "/page/hooks.js";
import { Plot, pointsOf, scaleOf } from "/page/plot.js";
import { ActionButtons, likelyActions, Remark, viewerSide } from "/page/prompt.js";
import { useResource } from "/page/resource.js";
import { Share } from "/page/share.js";
import { phone } from "/page/store.js";
import { streetEnds } from "/page/streets.js";
import { classes, html, letters, Peg } from "/page/ui.js";
import { END as SAYS, PAST, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @type {(keyof typeof TABLE.gains)[]} */
const ROWS = ["pegging", "hands", "cribs", "heels", "muggins", "other", "lead"];
/** Left out if zero. @type {(keyof typeof TABLE.gains)[]} */
const RARE = ["muggins", "other"];

/** @param {{ now: Moment }} props */
export function Result({ now }) {
  const { state, page } = now;
  const { result } = page;
  const latest = useResource(phone.value ? "" : "/api/games?limit=1").found;
  // unless removed
  const { game: number, reviewable } = /** @type {Partial<Server.PastRow>} */ (latest?.games.find(({ game }) => game === latest.all) ?? {});
  const own = viewerSide(now);
  return html`
    <section class="result" aria-label=${TABLE.result}>
      <div class="head">
        <h1><${CardText} text=${(own === null ? result?.text : result?.sides[own]?.text) ?? page.table.asks} /></h1>
        <p class="scores">${state.sides.map((side, at) =>
          html`<span class=${at === state.winner ? "won" : ""}>
            <${Peg} side=${at} /> <bdi>${side.name}</bdi> <b>${side.front}</b></span>`)}</p>
      </div>
      <${Remark} now=${now} />
      ${state.phase === "match-over" && html`<h2><${CardText} text=${state.match.text} /></h2><${MatchTable} state=${state} />`}
      ${result && html`
        <${Course} state=${state} course=${result.course} />
        <div class="facts">
          <${Gains} state=${state} sides=${result.sides} />
          ${result.best && html`<${Best} best=${result.best} />`}
        </div>`}
      <div class="buttons">
        <${ActionButtons} page=${page} found=${likelyActions(page)} seats=${state.seats} />
        ${reviewable && html`<a class="other" href=${`#games/${number}/review`}>${PAST.review}</a>`}
          ${number !== undefined && html`<${Share} number=${number} />`}
        ${!phone.value && html`<a class="other" href="#">${SAYS.newGame}</a>`}
      </div>
    </section>
  `;
}

/** @typedef {{ target: number, sides: { name: string, front: number }[] }} Ended a game's properties needed for its result */

/** @param {{ state: Ended, sides: Server.Result["sides"] }} props */
export const Gains = ({ state, sides }) => html`
  <table class="gains">
    <thead><tr><td></td>${state.sides.map((side, at) =>
      html`<th scope="col"><${Peg} side=${at} /> <bdi>${side.name}</bdi></th>`)}</tr></thead>
    <tbody>
      ${ROWS.filter((row) => !RARE.includes(row) || sides.some((side) => side[row])).map((row) => html`
        <tr><th scope="row">${TABLE.gains[row]}</th>${sides.map((side) => html`<td>${side[row]}</td>`)}</tr>`)}
    </tbody>
  </table>
`;

/** @param {{ best: NonNullable<Server.Result["best"]> }} props */
export const Best = ({ best }) => html`
  <div class="best">
    <h2><${CardText} text=${best.text} /></h2>
    <${HandCards} cards=${best.cards} starter=${best.starter} />
    <p>${best.call}</p>
  </div>
`;

const EDGES = { left: 34, right: 96, foot: 22 };

/** Drawn size of the course, so that letters keep their size. */
function useSizeOfCourse() {
  const { width, height } = useSize();
  const isLying = height < 480 && width >= 520; // the board is next to it
  return { wide: Math.min(760, Math.max(270, width * (isLying ? 0.58 : 1) - 80)),
    high: Math.min(190, (height < 700 ? 0.2 : 0.28) * height) };
}

/** @param {{ state: Ended, course: number[][], size?: { wide: number, high: number } }} props Scores by deal, a line per side. */
export function Course({ state, course, size }) {
  const own = useSizeOfCourse();
  const { target, sides } = state;
  const scale = scaleOf(size ?? own, EDGES, course.length, target);
  const { x, y } = scale;
  const ends = sides.map((side, at) => ({ side, at, y: y(side.front) })).sort((a, b) => a.y - b.y);
  ends.forEach((end, at) => (end.y = Math.max(end.y, (ends[at - 1]?.y ?? -99) + 18)));
  return html`
    <${Plot} kind="course" label=${TABLE.course} scale=${scale}
      rules=${[0, ...streetEnds(target - 10), target].map((value) => ({ value, text: value }))}
      deals=${course.map((_, at) => (at ? at + 1 : WORDS.dealNumber(1)))} room=${95}>
      ${sides.map((_, side) => html`<polyline data-side=${side} points=${pointsOf([0, ...course.map((row) => row[side] ?? 0)], scale)} />`)}
      ${ends.map(({ side, at, y: level }) => html`
        <circle data-side=${at} cx=${x(course.length)} cy=${y(side.front)} r="5" />
        <text class="end" x=${x(course.length) + 12} y=${level + 5}>${letters(side.name).slice(0, 8).join("")}</text>`)}
    <//>
  `;
}

const COLUMNS = /** @type {const} */ (["games", "points", "skunks", "spread"]);

/** @param {{ state: Server.State }} props Each side's results in the match so far. */
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

/** @param {number} value With its sign. */
export const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");
