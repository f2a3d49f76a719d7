// What happened, newest first: a line each, which opens to tell its cards, its rules, and whose rules they are.

import { text } from "/static/scores.js";
import { reason } from "/static/why.js";

const RULES = {
  fifteen: "fifteen", pair: "pair", "pair-royal": "pair royal", "double-pair-royal": "double pair royal", run: "run",
  flush: "flush", nobs: "his nobs", heels: "his heels", "thirty-one": "thirty-one", go: "go", last: "last card",
};
const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };
let number = 0; // of the lines made so far: each has reasons with a name of their own

export class Story {
  constructor(list, quiet) {
    this.list = list;
    this.quiet = quiet;
    this.lines = new Map(); // an entry as JSON -> its line, kept so that an open one stays open
    list.addEventListener("click", (event) => this.clicked(event.target.closest("button")));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open], :popover-open")) this.close();
    });
  }

  // Lines that stay are left where they are: they keep the focus, and the place that the list was scrolled to.
  show(log) {
    const lines = new Map();
    for (const entry of log) {
      let name = JSON.stringify(entry);
      while (lines.has(name)) name += "again";
      lines.set(name, this.lines.get(name) ?? line(entry));
    }
    for (const [name, node] of this.lines) if (!lines.has(name)) node.remove();
    let at = this.list.firstElementChild;
    for (const node of lines.values()) {
      if (node === at) at = at.nextElementSibling;
      else this.list.insertBefore(node, at);
    }
    this.lines = lines;
    this.quiet.hidden = lines.size > 0;
  }

  // One line is open at a time.
  clicked(button) {
    if (!button) return;
    const wasOpen = button.getAttribute("aria-expanded") === "true";
    this.close();
    if (wasOpen) return;
    button.setAttribute("aria-expanded", "true");
    button.nextElementSibling.hidden = false;
    button.parentElement.scrollIntoView({ block: "nearest" });
  }

  close() {
    for (const button of this.list.querySelectorAll("[aria-expanded=true]")) {
      button.setAttribute("aria-expanded", "false");
      button.nextElementSibling.hidden = true;
    }
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
  const told = [...scores(entry.scores ?? []), ...(entry.why ?? []).map(reason)];
  const place = text(told.length > 0 ? "button" : "div", "head", "");
  place.append(...head);
  item.append(place);
  if (told.length === 0) return item;
  const reasons = text("div", "reasons", "");
  reasons.id = `reasons-${(number += 1)}`;
  reasons.hidden = true;
  reasons.append(...told);
  place.type = "button";
  place.setAttribute("aria-expanded", "false");
  place.setAttribute("aria-controls", reasons.id);
  // A mouse leaves the focus where it was: Enter is OK then, and does not close this line.
  place.addEventListener("mousedown", (event) => event.preventDefault());
  item.append(reasons);
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

function scores(found) {
  if (found.length === 0) return [];
  const list = text("ul", "cards", "");
  list.append(...found.map(score));
  return [list];
}

function score({ kind, cards, points }) {
  const item = document.createElement("li");
  item.append(
    text("span", "rule", RULES[kind] ?? kind),
    text("span", "cards", cards.map(card).join(" ")),
    text("span", "points", String(points)),
  );
  return item;
}

const card = (name) => name.replace(/[CDHS]$/, (suit) => SUITS[suit]);
