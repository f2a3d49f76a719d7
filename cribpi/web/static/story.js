// What happened, newest first: a line each, which opens to show the cards and the rule of every score.

import { text } from "/static/scores.js";

const RULES = {
  fifteen: "fifteen", pair: "pair", "pair-royal": "pair royal", "double-pair-royal": "double pair royal", run: "run",
  flush: "flush", nobs: "his nobs", heels: "his heels", "thirty-one": "thirty-one", go: "go", last: "last card",
};
const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };

export class Story {
  constructor(list, quiet) {
    this.list = list;
    this.quiet = quiet;
    this.lines = new Map(); // an entry as JSON -> its line, kept so that an open one stays open
  }

  show(log) {
    const lines = new Map();
    for (const entry of log) {
      let name = JSON.stringify(entry);
      while (lines.has(name)) name += "again";
      lines.set(name, this.lines.get(name) ?? line(entry));
    }
    this.lines = lines;
    this.list.replaceChildren(...lines.values());
    this.quiet.hidden = lines.size > 0;
  }
}

function line(entry) {
  const item = document.createElement("li");
  const sides = pegged(entry);
  if (sides.length > 0) item.dataset.side = sides[0].side;
  item.classList.toggle("undone", Boolean(entry.undone));
  const head = [text("span", "what", entry.text)];
  if (entry.undone) head.push(text("span", "unseen", " (taken back)"));
  head.push(...sides.filter(({ points }) => points).map(gain));
  if (!entry.scores?.length) {
    const plain = text("div", "head", "");
    plain.append(...head);
    item.append(plain);
    return item;
  }
  const details = document.createElement("details");
  const summary = text("summary", "head", "");
  summary.append(...head);
  const list = document.createElement("ul");
  list.append(...entry.scores.map(reason));
  details.append(summary, list);
  item.append(details);
  return item;
}

// Who pegged what in one line, each side once: several may, as when a count ends by itself.
function pegged(entry) {
  if (!entry.pegged?.length) return [{ side: entry.side, points: entry.points }].filter(({ side }) => side !== null);
  const sides = new Map();
  for (const { side, points } of entry.pegged) sides.set(side, (sides.get(side) ?? 0) + points);
  return [...sides].map(([side, points]) => ({ side, points }));
}

// The points; where several sides have some, each with the colour of its own.
function gain({ side, points }, _, all) {
  const node = text("span", "points", points < 0 ? `−${-points}` : `+${points}`);
  node.dataset.side = side;
  if (all.length > 1) node.prepend(text("span", "dot", ""));
  return node;
}

function reason(score) {
  const item = document.createElement("li");
  item.append(
    text("span", "rule", RULES[score.kind] ?? score.kind),
    text("span", "cards", score.cards.map(card).join(" ")),
    text("span", "points", String(score.points)),
  );
  return item;
}

const card = (name) => name.replace(/[CDHS]$/, (suit) => SUITS[suit]);
