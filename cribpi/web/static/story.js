// What happened, newest first: a line each, which opens to tell its cards, its rules, and whose rules they are.

import { signed } from "/static/cards.js";
import { text } from "/static/dom.js";
import { reason } from "/static/why.js";

/** @type {Record<Server.Kind, string>} */
const RULES = {
  fifteen: "fifteen", pair: "pair", "pair-royal": "pair royal", "double-pair-royal": "double pair royal", run: "run",
  flush: "flush", nobs: "his nobs", heels: "his heels", "thirty-one": "thirty-one", go: "go", last: "last card",
};
let number = 0; // of the lines made so far: each has reasons with a name of their own

export class Story {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} quiet what stands there while nothing has happened
   */
  constructor(list, quiet) {
    this.list = list;
    this.quiet = quiet;
    /** @type {Map<string, HTMLElement>} An entry as JSON -> its line, kept so that an open one stays open. */
    this.lines = new Map();
    list.addEventListener("click", (event) => {
      if (event.target instanceof Element) this.clicked(event.target.closest("button"));
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open], :popover-open")) this.close();
    });
  }

  /**
   * Lines that stay are left where they are: they keep the focus, and the place that the list was scrolled to.
   * @param {Server.LogLine[]} log
   */
  show(log) {
    /** @type {Map<string, HTMLElement>} */
    const lines = new Map();
    for (const entry of log) {
      let name = JSON.stringify(entry);
      while (lines.has(name)) name += "again";
      lines.set(name, this.lines.get(name) ?? line(entry));
    }
    for (const [name, node] of this.lines) if (!lines.has(name)) node.remove();
    let at = this.list.firstElementChild;
    for (const node of lines.values()) {
      if (node === at) at = node.nextElementSibling;
      else this.list.insertBefore(node, at);
    }
    this.lines = lines;
    this.quiet.hidden = lines.size > 0;
  }

  /**
   * One line is open at a time.
   * @param {HTMLButtonElement | null} button
   */
  clicked(button) {
    if (!button) return;
    const wasOpen = button.getAttribute("aria-expanded") === "true";
    this.close();
    if (wasOpen) return;
    open(button, true);
    button.parentElement?.scrollIntoView({ block: "nearest" });
  }

  close() {
    for (const button of this.list.querySelectorAll("[aria-expanded=true]")) open(button, false);
  }
}

/**
 * Open or close the reasons that a line's button is for.
 * @param {Element} button
 * @param {boolean} isOpen
 */
function open(button, isOpen) {
  button.setAttribute("aria-expanded", String(isOpen));
  const reasons = button.nextElementSibling;
  if (reasons instanceof HTMLElement) reasons.hidden = !isOpen;
}

/** @param {Server.LogLine} entry */
function line(entry) {
  const item = document.createElement("li");
  const sides = pegged(entry);
  if (sides[0]) item.dataset.side = String(sides[0].side);
  const head = [text("span", "what", entry.text)];
  head.push(...sides.filter(({ points }) => points).map(gain));
  const told = [...scores(entry.scores), ...entry.why.map(reason)];
  if (told.length === 0) {
    const place = text("div", "head", "");
    place.append(...head);
    item.append(place);
    return item;
  }
  const place = text("button", "head", "");
  place.append(...head);
  const reasons = text("div", "reasons", "");
  reasons.id = `reasons-${(number += 1)}`;
  reasons.hidden = true;
  reasons.append(...told);
  place.type = "button";
  place.setAttribute("aria-expanded", "false");
  place.setAttribute("aria-controls", reasons.id);
  // A mouse leaves the focus where it was: Enter is OK then, and does not close this line.
  place.addEventListener("mousedown", (event) => event.preventDefault());
  item.append(place, reasons);
  return item;
}

/**
 * Who pegged what in one line, each side once: several may, as when a count ends by itself.
 * @param {Server.LogLine} entry
 * @returns {Server.Gain[]}
 */
function pegged(entry) {
  if (entry.pegged.length === 0) return entry.side === null ? [] : [{ side: entry.side, points: entry.points }];
  const sides = new Map();
  for (const { side, points } of entry.pegged) sides.set(side, (sides.get(side) ?? 0) + points);
  return [...sides].map(([side, points]) => ({ side, points }));
}

/**
 * The points; where several sides have some, each with the colour of its own.
 * @param {Server.Gain} gain
 * @param {number} _
 * @param {Server.Gain[]} all
 */
function gain({ side, points }, _, all) {
  const node = text("span", "points", points < 0 ? `−${-points}` : `+${points}`);
  node.dataset.side = String(side);
  if (all.length > 1) node.prepend(text("span", "dot", ""));
  return node;
}

/** @param {Server.Score[]} found */
function scores(found) {
  if (found.length === 0) return [];
  const list = text("ul", "cards", "");
  list.append(...found.map(score));
  return [list];
}

/** @param {Server.Score} found */
function score({ kind, cards, points }) {
  const item = document.createElement("li");
  item.append(
    text("span", "rule", RULES[kind]),
    text("span", "cards", cards.map(signed).join(" ")),
    text("span", "points", String(points)),
  );
  return item;
}
