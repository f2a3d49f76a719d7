// The banner of the start: the game that is open, or, for somebody who has never played, the first. The last one is in evening.js.

import { html, Icon, Peg } from "/page/html.js";
import { done, learn } from "/page/learning.js";
import { press } from "/page/store.js";
import { WORDS } from "/page/words.js";

const COURTS = [["J", "♥", "JH"], ["Q", "♠", "QS"], ["K", "♦", "KD"]];

/** Who has never played is asked in. */
export const Newcomer = () => html`
  <button type="button" class="newcomer" onClick=${learn}>
    <${Icon} name="lesson" />
    <span class="asks"><span>${WORDS.newcomer}</span><small>${WORDS.learnText}</small></span>
    <u>${WORDS.learn}</u>
    <span class="fan" aria-hidden="true">${COURTS.map(([rank, suit, file]) => html`<span><b>${rank}<br />${suit}</b><img src=${`/page/deck/${file}.svg`} loading="lazy" alt="" /></span>`)}</span>
  </button>
`;

/** @param {{ state: Server.State }} props */
export const OpenGame = ({ state }) => html`
  <section class="banner open-game" aria-label=${WORDS.openGame}>
    <p>${WORDS.openGame}</p>
    <p class="scores">${state.sides.map((side, at) => html`<span><${Peg} side=${at} /> ${side.name} ${side.front}</span>`)}</p>
    <p><small>${WORDS.ends}</small></p>
    <a class="main" href=${done.value === null ? "#table" : "#learn"} onClick=${() => state.phase === "new-game" && press("UNDO")}>${WORDS.resume}</a>
  </section>
`;

/** @param {{ pairing: NonNullable<Server.Page["pairing"]> }} props Whose game a club's desk wants here. */
export const Paired = ({ pairing: { players, board, round, games } }) => html`
  <section class="banner open-game" aria-label=${WORDS.pairing}>
    <p>${WORDS.pairing}</p>
    <p class="scores">${players.map((name, side) => html`<span><${Peg} side=${side} /> ${name}</span>`)}</p>
    <p><small>${WORDS.pairingOf(board, round, games)}</small></p>
    <a class="main" href="#table" onClick=${() => press("OK")}>${WORDS.startGame}</a>
  </section>
`;
