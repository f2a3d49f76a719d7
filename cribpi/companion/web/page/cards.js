// A deck of cards: pips drawn here, courts from image files, backs inside their border.

import { classes, file, html } from "/page/ui.js";
import { now, parts } from "/page/store.js";
import { computed, signal } from "/page/vendor/preact.js";
import { YOU } from "/page/words.js";

/** @typedef {[x: number, y: number]} Spot position of a pip on a card of 100 by 140 */

/** @type {Record<string, { name: string, sign: string, path: string }>} */
export const SUITS = {
  S: {
    name: "spades",
    sign: "♠",
    path: "M16 2c5.5 8 14 12 14 19a6.6 6.6 0 0 1-12 2.7c.3 2.8 1.5 5 4 6.3H10c2.5-1.3 3.7-3.5 4-6.3A6.6 6.6 0 0 1 2 21C2 14 10.5 10 16 2Z",
  },
  H: { name: "hearts", sign: "♥", path: "M16 29C6 20 2 15.5 2 10a7.2 7.2 0 0 1 14-2.4A7.2 7.2 0 0 1 30 10c0 5.5-4 10-14 19Z" },
  C: {
    name: "clubs",
    sign: "♣",
    path: "M16 2a6.6 6.6 0 0 1 5.7 9.9 6.6 6.6 0 1 1-3.9 10.8c.3 3.3 1.4 5.8 4.2 7.3H10"
      + "c2.8-1.5 3.9-4 4.2-7.3a6.6 6.6 0 1 1-3.9-10.8A6.6 6.6 0 0 1 16 2Z",
  },
  D: { name: "diamonds", sign: "♦", path: "M16 1.5 28 16 16 30.5 4 16Z" },
};
export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const RANK_NAMES = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
const LEFT = 31, MIDDLE = 50, RIGHT = 69;
const ROWS = { top: 26, upper: 48, third: 55, centre: 70, lower: 92, bottom: 114 };
const { top, upper, third, centre, lower, bottom } = ROWS;
/** @type {(...rows: number[]) => Spot[]} */
const both = (...rows) => rows.flatMap((row) => [[LEFT, row], [RIGHT, row]]);
/** @type {(...rows: number[]) => Spot[]} */
const mid = (...rows) => rows.map((row) => [MIDDLE, row]);
/** @type {Record<string, Spot[]>} */
const PIPS = {
  2: mid(top, bottom), 3: mid(top, centre, bottom), 4: both(top, bottom), 5: [...both(top, bottom), ...mid(centre)],
  6: both(top, centre, bottom), 7: [...both(top, centre, bottom), ...mid(upper)],
  8: [...both(top, centre, bottom), ...mid(upper, lower)],
  9: [...both(top, third, 140 - third, bottom), ...mid(centre)],
  10: [...both(top, third, 140 - third, bottom), ...mid(40.5, 99.5)],
};

/** Cards in a crib, and in a standard hand. */
export const CRIB = 4;

/** @param {Server.Card} card "7H" -> "seven of hearts" */
export function spoken(card) {
  const { rank, suit } = parts(card);
  const name = RANK_NAMES[RANKS.indexOf(rank)] ?? rank;
  return suit ? `${name} of ${SUITS[suit]?.name}` : name;
}

/** @param {Server.Card} card Value, 1 to 10. */
export const pips = (card) => ({ A: 1, J: 10, Q: 10, K: 10 })[parts(card).rank] ?? Number(parts(card).rank);

/** @param {string} text "7♥" -> "7H" */
export const asCodes = (text) => text.replace(/[♠♥♣♦]/g, (sign) =>
  Object.keys(SUITS).find((suit) => SUITS[suit]?.sign === sign) ?? "");

/** @param {string} suit Outline of a pip in a 32 by 32 square. */
export const suitPath = (suit) => SUITS[suit]?.path ?? "";

/** @param {Server.Card} card */
export const isRed = (card) => ["H", "D"].includes(parts(card).suit);

/** @param {{ card: Server.Card }} props "7H" as 7♥, red for red suits. */
export const Sign = ({ card }) => {
  const { rank, suit } = parts(card);
  return html`<bdi class=${classes("sign", isRed(card) && "red")}>${rank}${SUITS[suit]?.sign ?? ""}</bdi>`;
};

/** @param {{ cards: readonly Server.Card[] }} props */
export const Signs = ({ cards }) => cards.map((card, at) => html`${at ? " " : ""}<${Sign} card=${card} />`);

const CODE = new RegExp(`\\b(?:${RANKS.join("|")})[${Object.keys(SUITS).join("")}]\\b`, "g");

/** @type {Signal<{ name: string }[] | null>} Past game's players; null for the current game. */
export const past = signal(null);

/** Player names, to be drawn in their own direction and not translated. "You" is translated. */
const names = computed(() => (past.value ?? now.value?.state.seats ?? []).map(({ name }) => name).filter((name) => name && name !== YOU));
const marked = computed(() => {
  const found = names.value.map((name) => `(?<![\\p{L}\\d])${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\d])`);
  return new RegExp(`(${[...found.sort((a, b) => b.length - a.length), CODE.source].join("|")})`, "u");
});

/** Sentence with "7H" drawn as 7♥, and names set apart. @param {{ text: string }} props */
export const CardText = ({ text }) =>
  html`${text.split(marked.value).map((part, at) => {
    if (at % 2 === 0) return part;
    if (names.value.includes(part)) return html`<bdi>${part}</bdi>`;
    return isCalled(part) ? part : html`<${Sign} card=${part} />`;
  })}`;

/** @param {string} text Sentence with "7H" as "seven of hearts". */
export const aloud = (text) => text.replace(CODE, (card) => (isCalled(card) ? card : spoken(card)));

/** @param {string} word Whether a player has this name, which is then not a card. */
const isCalled = (word) => names.value.some((name) => name.split(/\W+/).includes(word));

/** Picture of a card. Its context has the text for screen readers. @param {{ card: Server.Card }} props */
export function Face({ card }) {
  const { rank, suit } = parts(card);
  const corner = html`<${Corner} rank=${rank} suit=${suit} />`;
  return html`
    <svg class=${classes("face", isRed(card) && "red")} data-suit=${suit} viewBox="0 0 100 140" aria-hidden="true">
      <g class="index">${corner}</g><g class="index other" transform="rotate(180 50 70)">${corner}</g>
      <g class="middle"><${Middle} rank=${rank} suit=${suit} /></g>
    </svg>
  `;
}

/** @param {{ rank: string, suit: string }} props */
function Corner({ rank, suit }) {
  if (!suit) return html`<text class=${classes("rank large", rank === "10" && "ten")} x=${rank === "10" ? 31 : 24} y="44"
    text-anchor="middle">${rank}</text>`;
  return html`
    <text class=${classes("rank", rank === "10" && "ten")} x="13" y="26" text-anchor="middle">${rank}</text>
    <${Pip} suit=${suit} x=${13} y=${40} size=${17} />
  `;
}

/** @param {{ rank: string, suit: string }} props */
function Middle({ rank, suit }) {
  if (!suit) return null;
  if (rank === "A") return html`<${Pip} suit=${suit} x=${50} y=${70} size=${48} />`;
  const spots = PIPS[rank];
  if (!spots) {
    return html`<image href=${file(`deck/${rank}${suit}.svg`)} x="23" y="15.5" width="54" height="109" preserveAspectRatio="none" />
      <rect class="frame" x="23" y="15.5" width="54" height="109" />`;
  }
  const size = spots.length > 8 ? 17 : 20;
  return spots.map(([x, y]) =>
    y > 70
      ? html`<g transform="rotate(180 50 70)"><${Pip} suit=${suit} x=${100 - x} y=${140 - y} size=${size} /></g>`
      : html`<${Pip} suit=${suit} x=${x} y=${y} size=${size} />`,
  );
}

/** @param {{ suit: string, x: number, y: number, size: number }} props */
const Pip = ({ suit, x, y, size }) => html`
  <path d=${SUITS[suit]?.path} transform=${`translate(${x - size / 2} ${y - size / 2}) scale(${size / 32})`} />
`;

const LATTICE = (() => {
  const lines = [];
  for (let at = -124; at <= 100; at += 12) lines.push(`M${at} 8l124 124M${at + 124} 8l-124 124`);
  return lines.join("");
})();

export const Back = () => html`
  <svg class="back" viewBox="0 0 100 140" aria-hidden="true">
    <clipPath id="inside"><rect x="7" y="7" width="86" height="126" rx="4" /></clipPath>
    <rect class="weave" x="7" y="7" width="86" height="126" rx="4" />
    <path clip-path="url(#inside)" d=${LATTICE} />
  </svg>
`;

/**
 * Card face up on the table; `at` identifies it for animation.
 * @param {{ card: Server.Card, name?: string, side?: number | undefined }} props
 */
export const Card = ({ card, name = "", side }) => html`
  <span class=${classes("card", name)} role="img" aria-label=${spoken(card)} data-card=${card}>
    <${Face} card=${card} />
    ${side === undefined ? null : html`<span class="peg" data-side=${side}></span>`}
  </span>
`;

/** @param {{ cards: readonly Server.Card[], starter: Server.Card }} props A hand with its starter. */
export const HandCards = ({ cards, starter }) => html`
  <p class="cards">${cards.map((card) => html`<${Card} card=${card} />`)}<${Card} card=${starter} name="cut" /></p>`;

/** @param {{ count: number, label: string }} props Pile of cards face down. */
export const Backs = ({ count, label }) => html`
  <span class="backs" role="img" aria-label=${label}>
    ${Array.from({ length: count }, () => html`<span class="card down"><${Back} /></span>`)}
  </span>
`;
