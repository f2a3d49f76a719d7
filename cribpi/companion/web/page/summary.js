// A finished game in a line: date, opponents, result and accuracy.

import { past } from "/page/cards.js";
import { daysSince } from "/page/streaks.js";
import { classes, html, sideOf } from "/page/ui.js";
import { useLayoutEffect } from "/page/vendor/preact.js";
import { PLAYED } from "/page/words-more.js";
import { and } from "/page/words.js";

/** @typedef {Server.PastRow} Row */
/** @typedef {Pick<Row, "seats" | "levels" | "sides">} Players Seats. */
/** @typedef {Players & Pick<Row, "winner" | "skunk">} Ended */

/** @param {Server.PastGame} game @returns {Ended} Converted to a row of the list. */
export const asRow = ({ seats, ...game }) => ({ ...game, seats: seats.map(({ name }) => name) });

/** @param {{ name: string }[] | undefined} seats Use a past game's names: "JD" may be one, and no card. */
export const useNames = (seats) =>
  useLayoutEffect(() => {
    past.value = seats ?? null;
    return () => void (past.value = null);
  }, [seats]);

/** @param {string} at ISO 8601 */
export function dayOf(at) {
  const days = daysSince(at), date = new Date(at);
  if (Number.isNaN(days)) return "";
  if (days === 0 || days === 1) return days ? PLAYED.yesterday : PLAYED.today;
  return days > 1 && days < 7 ? date.toLocaleDateString("en", { weekday: "long" }) : date.toLocaleDateString([], { dateStyle: "medium" });
}

/** @param {Players} row @param {Server.Seat} seat Computers by their level, the only person as "you". */
export function called(row, seat) {
  return seat === ownSeat(row) ? PLAYED.you : (row.levels[seat] ?? row.seats[seat] ?? "");
}

/** @param {Players} row @returns {Server.Seat | null} The only person's seat, or null. */
export function ownSeat({ levels }) {
  const persons = levels.flatMap((level, seat) => (level === null ? [seat] : []));
  return persons.length === 1 && levels.length > 1 ? (persons[0] ?? null) : null;
}

/** @param {Players} row @param {Server.Side} side */
export function nameOfSide(row, side) {
  const names = row.seats.map((_, seat) => called(row, seat)).filter((_, seat) => sideOf(seat, row.seats.length) === side);
  return row.levels.every((level) => level === null) ? (row.sides[side]?.said ?? "") : and(names);
}

/** @param {Ended} row Sides, one's own or else the winner's first. */
function order(row) {
  const first = ownSide(row) ?? row.winner;
  return row.sides.map((_, side) => side).sort((a, b) => Number(b === first) - Number(a === first));
}

/** @param {Players} row */
const ownSide = (row) => {
  const seat = ownSeat(row);
  return seat === null ? null : sideOf(seat, row.seats.length);
};

/** @param {Players} row @param {Server.Side[]} sides */
const named = (row, sides) => and(sides.map((side) => nameOfSide(row, side)));

/** @param {Ended} row Result for the only person, or for the winner; null if unfinished. */
function ending(row) {
  const { winner, sides, skunk } = row, own = ownSide(row);
  if (winner === null) return null;
  const isWon = own === null ? null : own === winner;
  const losers = order(row).filter((side) => (isWon === false ? side === own : side !== winner));
  const by = (sides[winner]?.score ?? 0) - Math.max(...losers.map((side) => sides[side]?.score ?? 0));
  const tag = PLAYED.skunk[isWon === false && sides.length > 2 ? 0 : skunk] ?? ""; // with three sides, another one may be skunked
  return { isWon, by, tag, winner: nameOfSide(row, winner), losers: named(row, losers) };
}

/** @param {Row} row Result and margin for the only person. */
function outcomeOf(row) {
  const found = ending(row);
  if (!found) return null;
  const { isWon, by, tag, winner } = found;
  return { isWon, winner: isWon === null ? winner : "", text: (isWon === null ? PLAYED.wonBy : isWon ? PLAYED.won : PLAYED.lost)(by, tag) };
}

/** @param {Ended} row Result as a sentence: "you lost to Medium by 12"; empty if unfinished. */
export function endOf(row) {
  const found = ending(row);
  if (!found) return "";
  const { isWon, by, tag, winner, losers } = found;
  return isWon === null ? PLAYED.beat(winner, losers, by, tag) : isWon ? PLAYED.youBeat(losers, by, tag) : PLAYED.youLost(winner, by, tag);
}

/** @param {Row} row "Yesterday: you lost to Medium by 12" */
export const sentenceOf = (row) => [dayOf(row.begun), endOf(row)].filter(Boolean).join(": ");

/** @param {Row} row */
export const scoreOf = (row) => order(row).map((side) => row.sides[side]?.score).join("–");

/** @param {Row} row The only person's accuracy, or each person's; empty if not reviewable. */
export function accuracyOf(row) {
  const { reviewed, reviewable, levels } = row, own = ownSeat(row);
  if (!reviewable) return "";
  if (!reviewed) return PLAYED.notReviewed;
  const of = (/** @type {Server.Seat} */ seat) => reviewed[seat]?.accuracy ?? null;
  if (own !== null) return of(own) === null ? "" : PLAYED.accuracy(of(own) ?? 0);
  return levels.flatMap((level, seat) => (level === null && of(seat) !== null ? [PLAYED.accuracyOf(called(row, seat), of(seat) ?? 0)] : [])).join(", ");
}

/** @param {Row} row */
const modeOf = ({ entry, levels }) => PLAYED.modes[entry === "dealt" && levels.some(Boolean) ? "computer" : entry];

/** @param {{ row: Row, when: unknown, told?: string, href?: string | null, children?: unknown }} props Row of a list. `told` replaces the result; without `href` it is no link. */
export function GameRow({ row, when, told = "", href = `#games/${row.game}`, children }) {
  const outcome = outcomeOf(row);
  const whom = html`<b dir="auto" TRANSLATE="no">${ownSeat(row) === null ? and(order(row).map((side) => row.sides[side]?.name ?? "")) : named(row, order(row).slice(1))}</b> <span>· ${modeOf(row)}</span>`;
  return html`
    <li class="game-row">
      <span class="when">${when}</span>
      ${href ? html`<a class="whom" href=${href}>${whom}</a>` : html`<span class="whom">${whom}</span>`}
      <span class=${classes("outcome", outcome?.isWon === true && "won", outcome?.isWon === false && "lost")}>${outcome?.winner && html`<b dir="auto" TRANSLATE="no">${outcome.winner}</b>`} ${outcome?.text ?? told}</span>
      <span class="score">${scoreOf(row)}</span>
      <span class="accuracy">${accuracyOf(row)}</span>
      ${row.reviewable && html`<a class="review" href=${`#games/${row.game}/review`} aria-label=${PLAYED.reviewOf(row.game)}>${PLAYED.review} ›</a>`}
      ${children}
    </li>
  `;
}
