// The scores: for each side its peg's colour, its name, its hole, and whose turn and whose deal it is.

import { text } from "/static/dom.js";

/** @typedef {Server.SeatState & { at: Server.Seat }} Seat a seat with its number */

const ROOM = 8; // letters of a name that fit on a phone in full size
/** @type {Partial<Record<Server.Phase, string>>} */
const DOES = { play: "to play", show: "shows", crib: "counts the crib" };

export class Scores {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
  }

  /**
   * @param {Server.State} state
   * @param {Server.Seat | null} shower the seat whose hand or crib is counted
   */
  show(state, shower) {
    const counts = ["show", "crib"].includes(state.phase) ? shower : null;
    this.list.replaceChildren(...state.sides.map((side, index) => row(state, side, index, counts)));
    this.list.dataset.sides = String(state.sides.length);
    this.list.dataset.seats = String(state.seats.length);
  }
}

/**
 * @param {Server.State} state
 * @param {Server.SideState} side
 * @param {Server.Side} index
 * @param {Server.Seat | null} counts
 */
function row(state, side, index, counts) {
  const seats = state.seats.map((seat, at) => ({ ...seat, at })).filter((seat) => seat.side === index);
  const acts = seats.find((seat) => seat.at === (counts ?? (state.phase === "play" ? state.turn : null)));
  const item = document.createElement("li");
  item.dataset.side = String(index);
  item.classList.toggle("acts", acts !== undefined);
  item.classList.toggle("wins", state.winner === index);
  item.append(
    text("span", "peg", ""),
    who(side.name),
    text("span", "front", String(side.front)),
    facts(state, side, seats, acts),
  );
  return item;
}

/**
 * A name of two partners may break after its plus.
 * @param {string} name
 */
function who(name) {
  const node = text("span", "who", "");
  const parts = name.split("+");
  node.classList.toggle("long", parts.some((part) => part.length > ROOM));
  parts.forEach((part, at) => node.append(...(at ? ["+", document.createElement("wbr")] : []), part));
  return node;
}

/**
 * @param {Server.State} state
 * @param {Server.SideState} side
 * @param {Seat[]} seats of the side
 * @param {Seat} [acts] whose turn it is, where it is one of them
 */
function facts(state, side, seats, acts) {
  const found = text("span", "facts", "");
  const add = (/** @type {string} */ name, /** @type {string} */ fact) => found.append(text("span", name, fact));
  if (state.winner !== null && state.sides[state.winner] === side) add("won", "won");
  const does = DOES[state.phase];
  if (acts && does) add("playing", seats.length > 1 ? `${acts.name} ${does}` : does);
  const dealer = seats.find((seat) => seat.at === state.dealer);
  if (dealer) add("deals", seats.length > 1 ? `${dealer.name} deals` : "dealer");
  if (state.phase === "play" && state.entry === "cards") {
    add("cards", cards(seats));
  }
  if (state.sides.some(({ games }) => games)) found.append(won(side.games));
  return found;
}

/**
 * The games won, once any are: on a phone in fewer letters.
 * @param {number} games
 */
function won(games) {
  const node = text("span", "games", String(games));
  node.append(text("i", "wide", games === 1 ? " game" : " games"), text("i", "narrow", " won"));
  return node;
}

/** @param {Seat[]} seats */
function cards(seats) {
  const left = seats.map((seat) => seat.cards_left).join(" + ");
  return left === "1" ? "1 card" : `${left} cards`;
}
