// The match when it is over: who has won it, and what each side has won in it.

import { text } from "/static/dom.js";

/** @type {[key: "games" | "points" | "skunks" | "spread", title: string][]} */
const COLUMNS = [["games", "Games"], ["points", "Points"], ["skunks", "Skunks"], ["spread", "Spread"]];

export class Match {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
  }

  /** @param {Server.State} state */
  show(state) {
    const isOver = state.phase === "match-over";
    this.place.hidden = !isOver;
    this.place.replaceChildren(...(isOver ? [title(state), table(state)] : []));
  }
}

/** @param {Server.State} state */
function title({ match, sides }) {
  const [first, ...others] = match.winners.map((side) => sides[side]?.name);
  const [, kind, games] = match.kind.match(/^(first-to|best-of)-(\d+)$/) ?? [];
  const result = others.length > 0 ? "The match is drawn" : `${first} wins the match`;
  const way = kind ? `, ${kind === "first-to" ? "first to" : "best of"} ${games}` : "";
  return text("h2", "", result + way);
}

/** @param {Server.State} state */
function table({ match, sides }) {
  const table = document.createElement("table");
  const head = document.createElement("tr");
  head.append(document.createElement("td"), ...COLUMNS.map(([, name]) => cell(name, "col")));
  const rows = sides.map((side, index) => {
    const row = document.createElement("tr");
    row.dataset.side = String(index);
    row.classList.toggle("won", match.winners.includes(index) && match.winners.length === 1);
    row.append(cell(side.name, "row"), ...COLUMNS.map(([key]) => text("td", "", amount(key, side[key]))));
    return row;
  });
  table.append(head, ...rows);
  return table;
}

/** @type {(name: string, value: number) => string} */
const amount = (name, value) => (name === "spread" ? signed(value) : String(value));
/** @type {(value: number) => string} */
const signed = (value) => (value < 0 ? `−${-value}` : value > 0 ? `+${value}` : "0");

/**
 * @param {string} name
 * @param {"row" | "col"} scope
 */
function cell(name, scope) {
  const node = text("th", "", name);
  node.scope = scope;
  return node;
}
