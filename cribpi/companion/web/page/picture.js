// A finished game's picture for sharing, drawn here without requests to other hosts.

import { isRed, suitPath } from "/page/cards.js";
import { parts } from "/page/store.js";
import { streetEnds } from "/page/streets.js";
import { letters } from "/page/ui.js";
import { PAST, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

const WIDE = 1200, HIGH = 630, EDGE = 22, MARGIN = 64;
const PANEL = { x: 560, y: 196, wide: 576, high: 356 };
const LETTERS = 16; // a name's, in the title
const CREAM = "#f6efe0", SOFT = "#c6d3c6", PAPER = "#f4efe7", INK = "#221d18", FAINT = "#5d544a", RULE = "#cfc6b8", RED = "#b3161b";

/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {{ target: number, begun: string, winner: Server.Side | null, skunk: number, sides: { name: string, said: string, score: number }[], result: Server.Result | null }} Game */

/**
 * Draw the result as a PNG.
 * @param {Game} game
 * @returns {Promise<Blob>}
 */
export async function pictureOf(game) {
  await Promise.all([500, 800].map((weight) => document.fonts.load(`${weight} 40px Figtree`)));
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDE, height: HIGH });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  table(pen);
  heading(pen, game);
  game.sides.forEach((side, at) => score(pen, game, side, at));
  if (game.result) course(pen, game, game.result.course);
  if (game.result?.best && game.sides.length < 3) best(pen, game, game.result.best);
  foot(pen, game);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}

/**
 * @param {Game} game "Ann wins by 33"
 * @param {number} [most] maximum letters of a name
 */
export function titleOf({ sides, winner }, most = 40) {
  const won = winner === null ? null : sides[winner];
  const next = Math.max(0, ...sides.filter((side) => side !== won).map((side) => side.score));
  return won ? TABLE.wins({ name: cut(letters(won.name), most), said: cut(letters(won.said), most) }, won.score - next) : PAST.notOver;
}

/**
 * @param {string[]} whole
 * @param {number} most
 */
const cut = (whole, most) => (whole.length > most ? [...whole.slice(0, most - 1), "…"] : whole).join("");

/** @param {Server.Side} side */
const colour = (side) => getComputedStyle(document.documentElement).getPropertyValue(`--side-${side}`);

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {{ x: number, y: number, size: number, weight?: number, fill?: string, align?: CanvasTextAlign, room?: number }} how Text is cut to `room`.
 */
function write(pen, text, { x, y, size, weight = 500, fill = CREAM, align = "left", room = Infinity }) {
  pen.font = `${weight} ${size}px Figtree, system-ui, sans-serif`;
  Object.assign(pen, { fillStyle: fill, textAlign: align, textBaseline: "alphabetic" });
  let fits = letters(text);
  while (fits.length > 1 && pen.measureText(fits.join("")).width > room) fits = [...fits.slice(0, -2), "…"];
  pen.fillText(fits.join(""), x, y);
  return pen.measureText(fits.join("")).width;
}

/**
 * @param {Pen} pen
 * @param {{ x: number, y: number, wide: number, high: number }} place
 * @param {number} round
 * @param {string | CanvasGradient} fill
 */
function block(pen, { x, y, wide, high }, round, fill) {
  pen.beginPath();
  pen.roundRect(x, y, wide, high, round);
  pen.fillStyle = fill;
  pen.fill();
}

/** @param {Pen} pen Felt with a wooden frame. */
function table(pen) {
  const wood = pen.createLinearGradient(0, 0, WIDE, HIGH);
  ["#6b3d22", "#522d19", "#6b3d22"].forEach((shade, at) => wood.addColorStop(at / 2, shade));
  block(pen, { x: 0, y: 0, wide: WIDE, high: HIGH }, 0, wood);
  const felt = pen.createRadialGradient(WIDE * 0.4, -80, 80, WIDE * 0.4, -80, 1100);
  felt.addColorStop(0, "#4a6557");
  felt.addColorStop(1, "#243830");
  block(pen, { x: EDGE, y: EDGE, wide: WIDE - 2 * EDGE, high: HIGH - 2 * EDGE }, 26, felt);
}

/**
 * @param {Pen} pen
 * @param {Game} game
 */
function heading(pen, game) {
  const tag = PAST.skunks[game.skunk] ?? "";
  const wide = write(pen, titleOf(game, LETTERS), { x: MARGIN, y: 138, size: 66, weight: 800, room: tag ? 740 : 1072 });
  if (!tag) return;
  pen.font = "700 30px Figtree, system-ui, sans-serif";
  const room = pen.measureText(tag).width + 44;
  block(pen, { x: MARGIN + wide + 28, y: 94, wide: room, high: 52 }, 26, "#e9b949");
  write(pen, tag, { x: MARGIN + wide + 50, y: 131, size: 30, weight: 700, fill: INK });
}

/**
 * @param {Pen} pen
 * @param {Game} game
 * @param {Game["sides"][number]} side
 * @param {Server.Side} at
 */
function score(pen, game, side, at) {
  const y = PANEL.y + 52 + at * 86;
  const isWinner = at === game.winner;
  dot(pen, MARGIN + 16, y - 16, 15, colour(at));
  write(pen, side.name, { x: MARGIN + 48, y, size: 38, weight: isWinner ? 800 : 500, fill: isWinner ? CREAM : SOFT, room: 300 });
  write(pen, String(side.score), { x: PANEL.x - 44, y: y + 4, size: 60, weight: 800, fill: isWinner ? CREAM : SOFT, align: "right" });
}

/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} fill
 */
function dot(pen, x, y, size, fill) {
  pen.beginPath();
  pen.arc(x, y, size, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
}

/**
 * Draw the scores by deal, a line per side.
 * @param {Pen} pen
 * @param {Game} game
 * @param {number[][]} rows
 */
function course(pen, game, rows) {
  block(pen, PANEL, 18, PAPER);
  const scores = [game.sides.map(() => 0), ...rows];
  const x = (/** @type {number} */ deal) => PANEL.x + 66 + ((PANEL.wide - 100) * deal) / Math.max(1, rows.length);
  const y = (/** @type {number} */ holes) => PANEL.y + PANEL.high - 50 - ((PANEL.high - 84) * Math.max(0, holes)) / game.target;
  for (const hole of [0, ...streetEnds(game.target - 10), game.target]) {
    line(pen, [[x(0), y(hole)], [x(rows.length), y(hole)]], RULE, 2);
    write(pen, String(hole), { x: x(0) - 14, y: y(hole) + 7, size: 20, fill: FAINT, align: "right" });
  }
  write(pen, TABLE.course, { x: PANEL.x + 66, y: PANEL.y + PANEL.high - 14, size: 20, fill: FAINT });
  for (const side of game.sides.keys()) {
    const points = scores.map((row, deal) => /** @type {[number, number]} */ ([x(deal), y(row[side] ?? 0)]));
    line(pen, points, colour(side), 6);
    const [endX, endY] = points.at(-1) ?? [0, 0];
    dot(pen, endX, endY, 10, colour(side));
  }
}

/**
 * @param {Pen} pen
 * @param {[x: number, y: number][]} points
 * @param {string} stroke
 * @param {number} wide
 */
function line(pen, points, stroke, wide) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  Object.assign(pen, { strokeStyle: stroke, lineWidth: wide, lineJoin: "round", lineCap: "round" });
  pen.stroke();
}

/**
 * @param {Pen} pen
 * @param {Game} game
 * @param {NonNullable<Server.Result["best"]>} shown
 */
function best(pen, game, shown) {
  const name = game.sides[shown.side]?.name ?? "";
  const room = PANEL.x - MARGIN - 44;
  write(pen, TABLE.best(shown.points, name, shown.deal, shown.crib), { x: MARGIN, y: 414, size: 22, fill: SOFT, room });
  shown.cards.forEach((card, at) => face(pen, card, MARGIN + at * 84));
  if (shown.starter) face(pen, shown.starter, MARGIN + shown.cards.length * 84 + 26);
}

/**
 * @param {Pen} pen
 * @param {Server.Card} card
 * @param {number} x
 */
function face(pen, card, x) {
  const { rank, suit } = parts(card);
  const fill = isRed(card) ? RED : "#1c1a19";
  block(pen, { x, y: 436, wide: 76, high: 108 }, 8, "#fffdf8");
  write(pen, rank, { x: x + 38, y: suit ? 482 : 506, size: suit ? 40 : 48, weight: 800, fill, align: "center" });
  if (!suit) return;
  const sign = new Path2D();
  sign.addPath(new Path2D(suitPath(suit)), new DOMMatrix([1.1, 0, 0, 1.1, x + 20, 494]));
  pen.fillStyle = fill;
  pen.fill(sign);
}

/**
 * @param {Pen} pen
 * @param {Game} game
 */
function foot(pen, { begun, target }) {
  [0, 1].forEach((side) => dot(pen, MARGIN + 8 + side * 22, 573, 8, colour(side)));
  write(pen, WORDS.name, { x: MARGIN + 46, y: 581, size: 26, weight: 800 });
  const day = new Date(begun).toLocaleDateString([], { dateStyle: "medium" });
  write(pen, `${WORDS.to(target)} · ${day}`, { x: PANEL.x + PANEL.wide, y: 581, size: 22, fill: SOFT, align: "right" });
}
