// Cards as they are drawn: a face with its rank and its suit, told by shape as well as by colour, or a back.

/** @typedef {[x: number, y: number]} Spot where a pip stands */

/** @type {Partial<Record<string, { name: string, path: string }>>} */
const SUITS = {
  H: { name: "hearts", path: "M16 29C6 20 2 15.5 2 10a7.2 7.2 0 0 1 14-2.4A7.2 7.2 0 0 1 30 10c0 5.5-4 10-14 19Z" },
  D: { name: "diamonds", path: "M16 1.5 28 16 16 30.5 4 16Z" },
  S: {
    name: "spades",
    path: "M16 2c5.5 8 14 12 14 19a6.6 6.6 0 0 1-12 2.7c.3 2.8 1.5 5 4 6.3H10c2.5-1.3 3.7-3.5 4-6.3A6.6 6.6 0 0 1 2 21C2 14 10.5 10 16 2Z",
  },
  C: {
    name: "clubs",
    path: "M16 2a6.6 6.6 0 0 1 5.7 9.9 6.6 6.6 0 1 1-3.9 10.8c.3 3.3 1.4 5.8 4.2 7.3H10c2.8-1.5 3.9-4 4.2-7.3a6.6 6.6 0 1 1-3.9-10.8A6.6 6.6 0 0 1 16 2Z",
  },
};
/** @type {Partial<Record<string, string>>} */
const RANKS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
  J: "jack", Q: "queen", K: "king",
};
const LEFT = 38, MIDDLE = 50, RIGHT = 62; // where pips stand on a card of 100 by 140
const ROWS = { top: 30, upper: 50, third: 57, centre: 70, low: 90, bottom: 110 };
const { top, upper, third, centre, low, bottom } = ROWS;
/** @type {(...rows: number[]) => Spot[]} */
const both = (...rows) => rows.flatMap((row) => [[LEFT, row], [RIGHT, row]]);
/** @type {(...rows: number[]) => Spot[]} */
const mid = (...rows) => rows.map((row) => [MIDDLE, row]);
/** @type {Partial<Record<string, Spot[]>>} */
const PIPS = {
  2: mid(top, bottom), 3: mid(top, centre, bottom), 4: both(top, bottom), 5: [...both(top, bottom), ...mid(centre)],
  6: both(top, centre, bottom), 7: [...both(top, centre, bottom), ...mid(upper)],
  8: [...both(top, centre, bottom), ...mid(upper, low)],
  9: [...both(top, third, 140 - third, bottom), ...mid(centre)],
  10: [...both(top, third, 140 - third, bottom), ...mid(43.5, 96.5)],
};

/** @type {(card: Server.Card) => { rank: string, suit: string }} */
const parts = (card) => ({ rank: card.slice(0, -1), suit: card.slice(-1) });

/**
 * "7H" -> "seven of hearts".
 * @param {Server.Card} card
 */
export function spoken(card) {
  const { rank, suit } = parts(card);
  return `${RANKS[rank]} of ${SUITS[suit]?.name}`;
}

/** @type {Partial<Record<string, string>>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/**
 * "7H" -> "7♥".
 * @param {Server.Card} card
 */
export const signed = (card) => card.replace(/[CDHS]$/, (suit) => SIGNS[suit] ?? suit);

/**
 * "7H" -> "7♥" in a line of text; what is one of the `names`, such as JC, is not a card.
 * @param {string} line
 * @param {string[]} [names]
 */
export function short(line, names = []) {
  const words = new Set(names.flatMap((name) => name.split(/\W+/)));
  return line.replace(/\b(10|[A2-9JQK])[CDHS]\b/g, (card) => (words.has(card) ? card : signed(card)));
}

/** @param {Server.Card} card */
export function isRed(card) {
  return "HD".includes(parts(card).suit);
}

/**
 * A picture of the card; what it stands in says it aloud.
 * @param {Server.Card} card
 */
export function face(card) {
  const { rank, suit } = parts(card);
  return picture("face", index(rank, suit) + turned(index(rank, suit)) + middle(rank, suit));
}

export function back() {
  const lines = [];
  for (let at = -140; at <= 100; at += 14) lines.push(`M${at} 0l140 140M${at + 140} 0l-140 140`);
  return picture("back", `<rect x="7" y="7" width="86" height="126" rx="5"/><path d="${lines.join("")}"/>`);
}

/** @type {(name: string, drawing: string) => SVGSVGElement} */
function picture(name, drawing) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  node.setAttribute("viewBox", "0 0 100 140");
  node.setAttribute("class", name);
  node.setAttribute("aria-hidden", "true");
  node.innerHTML = drawing; // of this module's own making: the card's name is two known letters
  return node;
}

/** @type {(suit: string, x: number, y: number, size: number) => string} */
const pip = (suit, x, y, size) => {
  const scale = size / 32;
  return `<path class="pip" d="${SUITS[suit]?.path}" transform="translate(${x - size / 2} ${y - size / 2}) scale(${scale})"/>`;
};
/** @type {(drawing: string) => string} */
const turned = (drawing) => `<g transform="rotate(180 50 70)">${drawing}</g>`;
/** @type {(rank: string, suit: string) => string} */
const index = (rank, suit) =>
  `<text class="rank" x="15.5" y="28"${rank === "10" ? ' textLength="25" lengthAdjust="spacingAndGlyphs"' : ""}>${rank}</text>${pip(suit, 15.5, 43, 17)}`;

/** @type {(rank: string, suit: string) => string} */
function middle(rank, suit) {
  if (rank === "A") return pip(suit, 50, 70, 46);
  const spots = PIPS[rank];
  if (spots) {
    const size = spots.length > 8 ? 15 : 17;
    return spots.map(([x, y]) => (y > 70 ? turned(pip(suit, 100 - x, 140 - y, size)) : pip(suit, x, y, size))).join("");
  }
  const half = `${pip(suit, 42, 34, 15)}`;
  return `<rect class="frame" x="30" y="20" width="40" height="100" rx="3"/><text class="court" x="50" y="86">${rank}</text>${half}${turned(half)}`;
}
