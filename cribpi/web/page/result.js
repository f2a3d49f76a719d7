// The end of a game: who has won, by how much, the match so far, and what to do next.

import { html, Peg } from "/page/html.js";
import { press } from "/page/store.js";
import { actions, Remark } from "/page/asked.js";
import { WORDS } from "/page/words.js";

/** @param {{ now: import("/page/store.js").Moment }} props */
export function Result({ now }) {
  const { state, page } = now;
  const winner = state.winner === null ? null : state.sides[state.winner];
  const others = state.sides.filter((side) => side !== winner).map(({ front }) => front);
  return html`
    <section class="result" aria-label="Result">
      <h1>${winner ? WORDS.wins(winner.name, winner.front - Math.max(...others)) : page.table.asks}</h1>
      <p class="scores">${state.sides.map((side, at) => html`<span><${Peg} side=${at} /> ${side.name} <b>${side.front}</b></span>`)}</p>
      <p>${state.last?.call}</p>
      <${Remark} now=${now} />
      <div class="buttons">
        ${actions(page).map((one, at) => html`<button type="button" class=${at ? "other" : "main"} onClick=${() => press(one.key)}>${one.label}</button>`)}
        <a class="other" href="#">${WORDS.newGame}</a>
      </div>
    </section>
  `;
}
