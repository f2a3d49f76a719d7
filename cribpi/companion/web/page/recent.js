// The last game's result, rematch and review, and the games before it.

import { press } from "/page/store.js";
import { endsStreet, streetEnds } from "/page/streets.js";
import { accuracyOf, dayOf, GameRow, ownSeat, scoreOf, sentenceOf } from "/page/summary.js";
import { capital, classes, html } from "/page/ui.js";
import { PLAYED } from "/page/words-more.js";

const LONG = 60; // letters; longer sentences are smaller

/** @param {{ now: Moment, row: Server.PastRow | null }} props Result of the last game, and the next game as given by the server. */
export function LastGame({ now: { state, page }, row }) {
  const isMenu = state.phase === "new-game"; // the menu for another game
  const next = isMenu ? PLAYED.rematch : page.table.dialog ? null : page.choices.find(({ key }) => key === "OK")?.label;
  const follow = () => {
    if (isMenu) press("UNDO");
    press("OK");
    location.hash = "table";
  };
  const own = row && ownSeat(row);
  const sentence = row ? capital(sentenceOf(row)) : "";
  const mistakes = row?.reviewed && own !== null ? row.reviewed[own]?.mistakes : null;
  return html`
    <section class="banner last-game" aria-label=${PLAYED.lastGame}>
      <div class="ended">
        <h2 class=${classes(sentence.length > LONG && "long")}>${sentence}</h2>
        <p>${row && [scoreOf(row), accuracyOf(row), typeof mistakes === "number" && PLAYED.mistakes(mistakes)].filter(Boolean).join(" · ")}</p>
      </div>
      ${state.winner !== null && html`<${FinalPegs} state=${state} own=${own} />`}
      <div class="buttons">
        ${state.winner !== null && (next
          ? html`<button type="button" class="main" onClick=${follow}>${next}</button>`
          : html`<a class="main" href="#table">${PLAYED.result}</a>`)}
        ${row?.reviewable && html`<a class="other" href=${`#games/${row.game}/review`}>${PLAYED.review}</a>`}
      </div>
    </section>
  `;
}

const LANE = { left: 12, long: 376, high: 14, apart: 24 };

/** @param {{ state: Server.State, own: Server.Seat | null }} props Final pegs on a strip per side, the viewer's lowest. */
function FinalPegs({ state: { seats, sides, target }, own }) {
  const mine = own === null ? null : seats[own]?.side;
  const order = sides.map((_, side) => side).sort((a, b) => Number(a === mine) - Number(b === mine));
  const at = (/** @type {number} */ hole) => LANE.left + (LANE.long * hole) / target;
  const y = (/** @type {number} */ row) => 12 + row * LANE.apart;
  const holes = Array.from({ length: Math.floor(target / 5) }, (_, each) => (each + 1) * 5);
  return html`
    <svg class="final-pegs" viewBox=${`0 0 400 ${LANE.apart * sides.length + 20}`} aria-hidden="true">
      ${order.map((side, row) => html`
        <rect x=${at(0) - 7} y=${y(row) - 7} width=${LANE.long + 14} height=${LANE.high} rx="7" />
        ${holes.map((hole) => html`<line class=${classes(endsStreet(hole) && "street")} x1=${at(hole)} x2=${at(hole)} y1=${y(row) - 7} y2=${y(row) + 7} />`)}
        <circle class="hole" cx=${at(target)} cy=${y(row)} r="4" />
        <circle class="back" data-side=${side} cx=${at(sides[side]?.back ?? 0)} cy=${y(row)} r="6" />
        <circle data-side=${side} cx=${at(sides[side]?.front ?? 0)} cy=${y(row)} r="7" /><circle class="spark" cx=${at(sides[side]?.front ?? 0)} cy=${y(row)} r="2.5" />`)}
      ${streetEnds(target - 8).concat(target).map((hole) => html`<text x=${at(hole)} y=${y(sides.length) + 4} text-anchor=${hole === target ? "end" : "middle"}>${hole}</text>`)}
    </svg>
  `;
}

/** @param {{ recent: Server.PastGames }} props */
export const YourGames = ({ recent }) => html`
  <section class="your-games" aria-labelledby="your-games">
    <div class="heading"><h2 id="your-games">${PLAYED.yourGames}</h2><a href="#games">${PLAYED.allGames} ›</a></div>
    <ol class="games">${recent.games.map((row) => html`<${GameRow} key=${row.game} row=${row} when=${dayOf(row.begun)} />`)}</ol>
  </section>
`;
