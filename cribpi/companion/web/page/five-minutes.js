// Cribbage in five minutes: a reference page; the lesson plays it.

import { asCodes, Card, CardText } from "/page/cards.js";
import { done, learn } from "/page/streaks.js";
import { html, Header } from "/page/ui.js";
import { FIVE_MINUTES } from "/page/words-five-minutes.js";
import { WORDS } from "/page/words.js";

const cells = (/** @type {string} */ row) => row.split("|").slice(1, -1).map((cell) => html`<${CardText} text=${asCodes(cell.trim())} />`);

/** @param {string} block A heading, hand, table or paragraph. */
function shown(block) {
  if (block.startsWith("# ")) return html`<h1>${block.slice(2)}</h1>`;
  if (block.startsWith("## ")) return html`<h2>${block.slice(3)}</h2>`;
  if (block.startsWith("`")) return html`<p class="cards">
    ${asCodes(block.slice(1, -1)).split(" ").map((card) => html`<${Card} card=${card} />`)}</p>`;
  if (!block.startsWith("|")) return html`<p><${CardText} text=${asCodes(block)} /></p>`;
  const [head = "", , ...rows] = block.split("\n");
  return html`<table>
    <thead><tr>${cells(head).map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`;
}

/** @param {{ now: Moment }} props */
export const FiveMinutes = ({ now: { state } }) => html`
  <main class="settings-page five-minutes">
    <${Header} />
    <article class="sheet">${FIVE_MINUTES.trim().split("\n\n").map(shown)}
      <p>${state.winner === null && state.sides.length > 0
        ? html`<a class="main" href=${done.value === null ? "#table" : "#learn"}>${WORDS.resume}</a>`
        : html`<button type="button" class="main" onClick=${learn}>${WORDS.learn}</button>`}</p></article>
  </main>
`;
