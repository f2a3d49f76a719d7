// A game that the machine deals: the cards on the table, the hand that lies open, and what OK does with it.

import { back, face, isRed, short, spoken } from "/static/cards.js";
import { text } from "/static/scores.js";

const NUMBERS = ["no", "one", "two", "three", "four"];
const MOST_TALLIED = 6; // lines of a tally in one column
const MOST_APART = 6; // cards that lie side by side

export class Felt {
  // `table` is what all see, `hand` the place of one hand; `press(key)` is called for a card or OK.
  constructor(table, hand, press) {
    Object.assign(this, { table, hand, press });
    this.find = (name) => hand.querySelector(name);
    this.cards = new Map(); // name -> its button, kept so that it keeps the focus
    this.told = {}; // what each place shows, as JSON: only what has changed is drawn again
    this.ok = this.find(".ok");
    this.ask = this.find(".ask");
    for (const [button, key] of [[this.ok, "OK"], [this.ask, "FLNB"]]) {
      button.addEventListener("mousedown", (event) => event.preventDefault());
      button.addEventListener("click", () => this.isOn(button) && press(key));
    }
  }

  isOn = (button) => button.getAttribute("aria-disabled") !== "true";

  show(state, page) {
    const felt = page.felt ?? null;
    this.table.hidden = this.hand.hidden = felt === null;
    if (felt === null) return;
    const persons = state.seats.flatMap(({ level }, seat) => (level ? [] : [seat]));
    this.once("seats", [state.seats, felt.held, felt.cuts, page.thinking, state.turn, persons], () => this.seats(state, page, persons));
    this.once("crib", [felt.crib, state.dealer, state.seats], () => this.crib(state, felt));
    const isDealt = felt.held.some(Boolean) || felt.crib > 0 || state.starter !== null;
    this.once("starter", [state.starter, isDealt], () => this.starter(state, isDealt));
    const isWatched = persons.length === 0 && felt.shown === null; // nobody's hand: the cards of the count, large
    this.table.classList.toggle("watched", isWatched);
    this.once("pile", [state.pile, state.count, isWatched], () => this.pile(state, isWatched));
    this.once("hand", [page.hand, felt, state.seats, state.starter, state.phase, isWatched && state.pile], () => this.lay(state, page, persons, isWatched));
    // On a phone a tally stands where the cards on the table were: below it nothing moves.
    if (felt.shown === null) this.hand.style.setProperty("--felt", `${this.table.offsetHeight}px`);
    this.once("ok", [felt.ok, felt.dialog, page.hand, page.thinking, state.seats], () => this.tellOk(state, page));
  }

  once(place, what, draw) {
    const now = JSON.stringify(what);
    if (this.told[place] === now) return;
    this.told[place] = now;
    draw();
  }

  // Show which cards wait for the table's answer.
  wait(keys) {
    for (const [card, button] of this.cards) button.classList.toggle("waiting", keys.includes(card));
    this.ok.classList.toggle("waiting", keys.includes("OK"));
    this.ask.classList.toggle("waiting", keys.includes("FLNB"));
  }

  // --- the table ---

  // The others, with as many backs as they hold cards; who shares the page sees all.
  seats(state, page, persons) {
    const alone = persons.length === 1 ? persons[0] : null;
    const rows = state.seats.map((seat, at) => ({ ...seat, at })).filter(({ at }) => at !== alone || page.felt.cuts[at]);
    this.table.querySelector(".seats").replaceChildren(...rows.map((seat) => this.seat(seat, state, page)));
  }

  seat({ at, name, side, level }, state, page) {
    const item = text("li", "seat", "");
    item.dataset.side = side;
    const isThinking = page.thinking === at;
    item.classList.toggle("acts", isThinking || (state.phase === "play" && state.turn === at));
    const held = page.felt.held[at];
    const who = text("span", "who", name);
    const said = isThinking ? "is thinking" : level ?? "";
    const cards = text("span", "backs", "");
    const cut = page.felt.cuts[at];
    if (cut) cards.append(lying(cut));
    else for (let card = 0; card < held; card += 1) cards.append(back());
    cards.append(text("span", "unseen", cut ? "" : held === 1 ? "holds 1 card" : `holds ${held} cards`));
    item.append(text("span", "dot", ""), who, text("span", isThinking ? "level thinking" : "level", said), cards);
    return item;
  }

  crib(state, felt) {
    const place = this.table.querySelector(".crib");
    const dealer = state.seats[state.dealer];
    place.hidden = !dealer;
    if (!dealer) return;
    const cards = text("span", "backs", "");
    for (let card = 0; card < felt.crib; card += 1) cards.append(back());
    cards.append(text("span", "unseen", felt.crib ? `${felt.crib} cards, face down` : "no card yet"));
    place.dataset.side = dealer.side;
    place.replaceChildren(text("span", "dot ring", ""), text("span", "who", dealer.name), text("span", "level", "crib"), cards);
  }

  // The starter; until it is turned up the pack, which before the deal lies in the place of the hand.
  starter(state, isDealt) {
    const card = state.starter ? lying(state.starter) : isDealt ? lyingBack("the pack") : text("div", "gap", "");
    this.table.querySelector(".starter").replaceChildren(card, text("span", "caption", isDealt && !state.starter ? "pack" : "starter"));
  }

  pile({ pile, count }, isWatched) {
    const place = this.table.querySelector(".pile");
    const cards = text("div", "row", "");
    cards.style.setProperty("--cards", pile.length);
    cards.append(...pile.map(lying));
    const isEmpty = pile.length === 0 || isWatched;
    place.classList.toggle("empty", isEmpty);
    place.replaceChildren(isEmpty ? text("div", "gap", "") : cards, text("span", "caption", pile.length ? `count ${count}` : "the play"));
  }

  // --- the hand ---

  lay(state, page, persons, isWatched) {
    const { hand, felt } = page;
    const at = [...this.cards.values()].indexOf(document.activeElement);
    const [title, cards, tally] = this.lies(state, page, persons, isWatched);
    this.hand.setAttribute("aria-label", title || "Hand");
    const seat = state.seats[hand?.seat ?? felt.shown?.seat ?? felt.hides];
    const whose = this.find(".whose");
    whose.textContent = title;
    if (seat && title) whose.prepend(text("span", "dot", ""));
    this.hand.dataset.side = seat?.side ?? "";
    const place = this.find(".cards");
    place.classList.toggle("many", cards.length > MOST_APART);
    this.hand.classList.toggle("shows", felt.shown !== null && hand === null);
    keepInOrder(place, cards);
    this.find(".tally").replaceChildren(...tally);
    this.find(".tally").classList.toggle("many", tally.length > MOST_TALLIED);
    if (at >= 0 && !document.activeElement.closest(".cards")) ([...this.cards.values()][Math.min(at, this.cards.size - 1)] ?? this.ok).focus();
  }

  // What lies in the place of the hand: its title, its cards, and the tally of what is shown.
  lies(state, page, persons, isWatched) {
    const { hand, felt } = page;
    const name = (seat) => state.seats[seat].name;
    if (hand) return [persons.length === 1 ? `Your hand, ${name(hand.seat)}` : `${name(hand.seat)}'s hand`, this.own(hand, page), []];
    this.cards.clear();
    if (felt.shown) return this.shown(state, felt.shown);
    if (felt.hides !== null) {
      const cards = Array.from({ length: felt.held[felt.hides] }, () => lyingBack(""));
      return [`${name(felt.hides)}'s hand, face down`, cards, []];
    }
    if (isWatched && state.pile.length > 0) return [`The play: count ${state.count}`, state.pile.map(lying), []];
    return ["cut", "deal"].includes(state.phase) ? ["The pack", [lyingBack("the pack, face down")], []] : ["", [], []];
  }

  own(hand, page) {
    const buttons = new Map();
    for (const card of hand.cards) buttons.set(card, this.cards.get(card) ?? this.button(card));
    this.cards = buttons;
    const isAsked = hand.wanted > 0 && !page.felt.dialog;
    for (const [card, button] of buttons) {
      const isChosen = hand.chosen.includes(card);
      const mayBe = isAsked && hand.playable.includes(card);
      button.classList.toggle("chosen", isChosen);
      button.classList.toggle("barred", isAsked && !mayBe);
      button.setAttribute("aria-disabled", String(!mayBe));
      button.setAttribute("aria-label", spoken(card) + (isChosen ? ", chosen" : isAsked && !mayBe ? ", cannot be played now" : ""));
    }
    return [...buttons.values()];
  }

  button(card) {
    const button = text("button", "card", "");
    button.type = "button";
    button.dataset.card = card;
    button.classList.toggle("red", isRed(card));
    button.append(face(card));
    // A mouse leaves the focus where it was: Enter is OK then.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => this.isOn(button) && this.press(card));
    return button;
  }

  shown(state, { seat, crib, cards, points, tally }) {
    const name = state.seats[seat].name;
    const lines = tally.map(({ words, cards: of }) => {
      const line = text("li", "", words);
      line.append(text("span", "of", short(of.join(" "))));
      return line;
    });
    if (points === 0) lines.push(text("li", "", "nothing, a nineteen"));
    const starter = lying(state.starter);
    starter.classList.add("starter");
    const worth = points === null ? "" : `: ${points}`;
    return [crib ? `${name}'s crib${worth}` : `${name} shows${worth}`, [...cards.map(lying), starter], lines];
  }

  // --- what OK does ---

  tellOk(state, { felt, hand, thinking }) {
    const { ok } = this;
    const said = felt.ok ?? (felt.dialog ? "" : this.missing(state, hand, thinking));
    ok.textContent = short(said || "OK", state.seats.map(({ name }) => name)); // a button is never without a name
    ok.hidden = !said;
    ok.setAttribute("aria-disabled", String(felt.ok === null));
    this.tellHint(hand, felt.dialog);
  }

  // The hint that was asked for, and the button that asks for one.
  tellHint(hand, hasDialog) {
    const hint = hand?.hint ?? null;
    const isThoughtOf = hint !== null && hint.words === null;
    this.find(".hint").textContent = hint?.words ? `Hint: ${hint.words}.` : ""; // on a phone; else with the remarks
    this.ask.hidden = !hand?.may_hint || hasDialog;
    this.ask.textContent = isThoughtOf ? "A moment" : "Hint";
    this.ask.setAttribute("aria-disabled", String(isThoughtOf));
  }

  missing(state, hand, thinking) {
    if (hand?.wanted) {
      const left = hand.wanted - hand.chosen.length;
      if (state.phase === "play") return "Choose a card";
      return hand.chosen.length ? `Choose ${NUMBERS[left]} more` : `Choose ${NUMBERS[left]} for the crib`;
    }
    return thinking === null ? "" : `${state.seats[thinking].name} is thinking`;
  }
}

// A card that lies face up for all to see.
function lying(card) {
  const node = text("span", "card", "");
  node.classList.toggle("red", isRed(card));
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", spoken(card));
  node.append(face(card));
  return node;
}

function lyingBack(name) {
  const node = text("span", "card covered", "");
  if (name) {
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", name);
  }
  node.append(back());
  return node;
}

// Nodes that stay are not taken out of the page: they keep the focus.
function keepInOrder(place, nodes) {
  for (const node of [...place.children]) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, at) => {
    if (place.children[at] !== node) place.insertBefore(node, place.children[at] ?? null);
  });
}
