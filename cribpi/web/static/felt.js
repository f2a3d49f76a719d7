// A game that the computer deals: the cards on the table, the hand that lies open, and what OK does with it.

import { back, face, isRed, short, spoken } from "/static/cards.js";
import { find, text } from "/static/dom.js";

/**
 * What lies in the place of the hand: its title, its cards, and the tally of what is shown.
 * @typedef {[title: string, cards: HTMLElement[], tally: HTMLElement[]]} Lies
 *
 * @typedef {Server.Page & { felt: Server.Felt }} Dealt the page of a game that the computer deals
 */

/** @type {Partial<Record<string, string>>} What players call the levels; what is said of each is in the dialog of rules. */
const LEVELS = { chance: "Beginner", thrifty: "Easy", solid: "Medium", expert: "Hard" };
const CARELESS = "-errs"; // behind a level's name
const NUMBERS = ["no", "one", "two", "three", "four"];
const MOST_TALLIED = 6; // lines of a tally in one column
const MOST_APART = 6; // cards that lie side by side

export class Felt {
  /**
   * @param {HTMLElement} table what all see
   * @param {HTMLElement} hand the place of one hand
   * @param {(key: Server.Key) => void} press is called for a card or OK
   */
  constructor(table, hand, press) {
    this.table = table;
    this.hand = hand;
    this.press = press;
    this.places = {
      seats: find(".seats", HTMLElement, table),
      crib: find(".crib", HTMLElement, table),
      starter: find(".starter", HTMLElement, table),
      pile: find(".pile", HTMLElement, table),
      whose: find(".whose", HTMLElement, hand),
      cards: find(".cards", HTMLElement, hand),
      tally: find(".tally", HTMLElement, hand),
      hint: find(".hint", HTMLElement, hand),
    };
    /** @type {Map<Server.Card, HTMLButtonElement>} Kept so that a card keeps the focus. */
    this.cards = new Map();
    /** @type {Map<string, string>} What each place shows, as JSON: only what has changed is drawn again. */
    this.told = new Map();
    this.ok = this.actor(".ok", "OK");
    this.ask = this.actor(".ask", "FLNB");
  }

  /**
   * Return the button of the hand that presses a key.
   * @param {string} selector
   * @param {Server.Key} key
   */
  actor(selector, key) {
    const button = find(selector, HTMLButtonElement, this.hand);
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => isOn(button) && this.press(key));
    return button;
  }

  /**
   * @param {Server.State} state
   * @param {Server.Page} told
   */
  show(state, told) {
    const { felt } = told;
    this.table.hidden = this.hand.hidden = felt === null;
    if (felt === null) return;
    const page = { ...told, felt };
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

  /**
   * Draw a place, if what it shows has changed.
   * @param {string} place
   * @param {unknown[]} what
   * @param {() => void} draw
   */
  once(place, what, draw) {
    const now = JSON.stringify(what);
    if (this.told.get(place) === now) return;
    this.told.set(place, now);
    draw();
  }

  /**
   * Show which cards wait for the table's answer.
   * @param {Server.Key[]} keys
   */
  wait(keys) {
    for (const [card, button] of this.cards) button.classList.toggle("waiting", keys.includes(card));
    this.ok.classList.toggle("waiting", keys.includes("OK"));
    this.ask.classList.toggle("waiting", keys.includes("FLNB"));
  }

  // --- the table ---

  /**
   * The others, with as many backs as they hold cards; who shares the page sees all.
   * @param {Server.State} state
   * @param {Dealt} page
   * @param {Server.Seat[]} persons
   */
  seats(state, page, persons) {
    const alone = persons.length === 1 ? persons[0] : null;
    const rows = state.seats.map((seat, at) => ({ ...seat, at })).filter(({ at }) => at !== alone || page.felt.cuts[at]);
    this.places.seats.replaceChildren(...rows.map((seat) => this.seat(seat, state, page)));
  }

  /**
   * @param {Server.SeatState & { at: Server.Seat }} seat
   * @param {Server.State} state
   * @param {Dealt} page
   */
  seat({ at, name, side, level }, state, page) {
    const item = text("li", "seat", "");
    item.dataset.side = String(side);
    const isThinking = page.thinking === at;
    item.classList.toggle("acts", isThinking || (state.phase === "play" && state.turn === at));
    const held = page.felt.held[at] ?? 0;
    const who = text("span", "who", name);
    const said = isThinking ? "is thinking" : levelName(level ?? "");
    const cards = text("span", "backs", "");
    const cut = page.felt.cuts[at];
    if (cut) cards.append(lying(cut));
    else for (let card = 0; card < held; card += 1) cards.append(back());
    cards.append(text("span", "unseen", cut ? "" : held === 1 ? "1 card" : `${held} cards`));
    item.append(text("span", "dot", ""), who, text("span", isThinking ? "level thinking" : "level", said), cards);
    return item;
  }

  /**
   * @param {Server.State} state
   * @param {Server.Felt} felt
   */
  crib(state, felt) {
    const place = this.places.crib;
    const dealer = state.seats[state.dealer ?? -1];
    place.hidden = !dealer;
    if (!dealer) return;
    const cards = text("span", "backs", "");
    for (let card = 0; card < felt.crib; card += 1) cards.append(back());
    cards.append(text("span", "unseen", felt.crib ? `${felt.crib} cards, face down` : "empty"));
    place.dataset.side = String(dealer.side);
    place.replaceChildren(text("span", "dot ring", ""), text("span", "who", dealer.name), text("span", "level", "crib"), cards);
  }

  /**
   * The starter; until it is turned up the pack, which before the deal lies in the place of the hand.
   * @param {Server.State} state
   * @param {boolean} isDealt
   */
  starter(state, isDealt) {
    const card = state.starter ? lying(state.starter) : isDealt ? lyingBack("the pack") : text("div", "gap", "");
    this.places.starter.replaceChildren(card, text("span", "caption", isDealt && !state.starter ? "pack" : "starter"));
  }

  /**
   * @param {Server.State} state
   * @param {boolean} isWatched
   */
  pile({ pile, count }, isWatched) {
    const place = this.places.pile;
    const cards = text("div", "row", "");
    cards.style.setProperty("--cards", String(pile.length));
    cards.append(...pile.map(lying));
    const isEmpty = pile.length === 0 || isWatched;
    place.classList.toggle("empty", isEmpty);
    place.replaceChildren(isEmpty ? text("div", "gap", "") : cards, text("span", "caption", pile.length ? `count ${count}` : "the play"));
  }

  // --- the hand ---

  /**
   * @param {Server.State} state
   * @param {Dealt} page
   * @param {Server.Seat[]} persons
   * @param {boolean} isWatched
   */
  lay(state, page, persons, isWatched) {
    const { hand, felt } = page;
    const at = [...this.cards.values()].findIndex((button) => button === document.activeElement);
    const [title, cards, tally] = this.lies(state, page, persons, isWatched);
    this.hand.setAttribute("aria-label", title || "Hand");
    const seat = state.seats[hand?.seat ?? felt.shown?.seat ?? felt.hides ?? -1];
    const { whose, cards: place, tally: lines } = this.places;
    whose.textContent = title;
    if (seat && title) whose.prepend(text("span", "dot", ""));
    this.hand.dataset.side = seat ? String(seat.side) : "";
    place.classList.toggle("many", cards.length > MOST_APART);
    this.hand.classList.toggle("shows", felt.shown !== null && hand === null);
    keepInOrder(place, cards);
    lines.replaceChildren(...tally);
    lines.classList.toggle("many", tally.length > MOST_TALLIED);
    if (at >= 0 && !document.activeElement?.closest(".cards")) ([...this.cards.values()][Math.min(at, this.cards.size - 1)] ?? this.ok).focus();
  }

  /**
   * @param {Server.State} state
   * @param {Dealt} page
   * @param {Server.Seat[]} persons
   * @param {boolean} isWatched
   * @returns {Lies}
   */
  lies(state, page, persons, isWatched) {
    const { hand, felt } = page;
    const name = (/** @type {Server.Seat} */ seat) => state.seats[seat]?.name ?? "";
    if (hand) return [persons.length === 1 ? `Your hand, ${name(hand.seat)}` : `${name(hand.seat)}'s hand`, this.own(hand, page), []];
    this.cards.clear();
    if (felt.shown) return this.shown(state, felt.shown);
    if (felt.hides !== null) {
      const cards = Array.from({ length: felt.held[felt.hides] ?? 0 }, () => lyingBack(""));
      return [`${name(felt.hides)}'s hand, face down`, cards, []];
    }
    if (isWatched && state.pile.length > 0) return [`The play: count ${state.count}`, state.pile.map(lying), []];
    return ["cut", "deal"].includes(state.phase) ? ["The pack", [lyingBack("the pack, face down")], []] : ["", [], []];
  }

  /**
   * @param {Server.Hand} hand
   * @param {Dealt} page
   */
  own(hand, page) {
    /** @type {Map<Server.Card, HTMLButtonElement>} */
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
      button.setAttribute("aria-label", spoken(card) + (isChosen ? ", chosen" : isAsked && !mayBe ? ", can't be chosen" : ""));
    }
    return [...buttons.values()];
  }

  /** @param {Server.Card} card */
  button(card) {
    const button = text("button", "card", "");
    button.type = "button";
    button.dataset.card = card;
    button.classList.toggle("red", isRed(card));
    button.append(face(card));
    // A mouse leaves the focus where it was: Enter is OK then.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => isOn(button) && this.press(card));
    return button;
  }

  /**
   * @param {Server.State} state
   * @param {Server.Shown} shown
   * @returns {Lies}
   */
  shown(state, { seat, crib, cards, points, tally }) {
    const name = state.seats[seat]?.name ?? "";
    const lines = tally.map(({ words, cards: of }) => {
      const line = text("li", "", words);
      line.append(text("span", "of", short(of.join(" "))));
      return line;
    });
    if (points === 0) lines.push(text("li", "", 'a "nineteen": nothing'));
    const starter = state.starter ? [lying(state.starter)] : [];
    for (const card of starter) card.classList.add("starter");
    const worth = points === null ? "" : `: ${points}`;
    return [crib ? `${name}'s crib${worth}` : `${name} shows${worth}`, [...cards.map(lying), ...starter], lines];
  }

  // --- what OK does ---

  /**
   * @param {Server.State} state
   * @param {Dealt} page
   */
  tellOk(state, { felt, hand, thinking }) {
    const { ok } = this;
    const said = felt.ok ?? (felt.dialog ? "" : this.missing(state, hand, thinking));
    ok.textContent = short(said || "OK", state.seats.map(({ name }) => name)); // a button is never without a name
    ok.hidden = !said;
    ok.setAttribute("aria-disabled", String(felt.ok === null));
    this.tellHint(hand, felt.dialog);
  }

  /**
   * The hint that was asked for, and the button that asks for one.
   * @param {Server.Hand | null} hand
   * @param {boolean} hasDialog
   */
  tellHint(hand, hasDialog) {
    const hint = hand?.hint ?? null;
    const isThoughtOf = hint !== null && hint.words === null;
    this.places.hint.textContent = hint?.words ? `Hint: ${hint.words}.` : ""; // on a phone; else with the remarks
    this.ask.hidden = !hand?.may_hint || hasDialog;
    this.ask.textContent = isThoughtOf ? "Thinking…" : "Hint";
    this.ask.setAttribute("aria-disabled", String(isThoughtOf));
  }

  /**
   * @param {Server.State} state
   * @param {Server.Hand | null} hand
   * @param {Server.Seat | null} thinking
   */
  missing(state, hand, thinking) {
    if (hand?.wanted) {
      const left = hand.wanted - hand.chosen.length;
      if (state.phase === "play") return "Choose a card";
      return hand.chosen.length ? `Choose ${NUMBERS[left]} more` : `Choose ${NUMBERS[left]} for the crib`;
    }
    return thinking === null ? "" : `${state.seats[thinking]?.name} is thinking`;
  }
}

/** @type {(level: string) => string} */
function levelName(level) {
  const plain = level.replace(CARELESS, "");
  return (LEVELS[plain] ?? plain) + (plain === level ? "" : ", careless");
}

/** @type {(button: Element) => boolean} */
const isOn = (button) => button.getAttribute("aria-disabled") !== "true";

/**
 * A card that lies face up for all to see.
 * @param {Server.Card} card
 */
function lying(card) {
  const node = text("span", "card", "");
  node.classList.toggle("red", isRed(card));
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", spoken(card));
  node.append(face(card));
  return node;
}

/** @param {string} name what it is called aloud; nothing where it is not */
function lyingBack(name) {
  const node = text("span", "card covered", "");
  if (name) {
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", name);
  }
  node.append(back());
  return node;
}

/**
 * Nodes that stay are not taken out of the page: they keep the focus.
 * @param {HTMLElement} place
 * @param {Element[]} nodes
 */
function keepInOrder(place, nodes) {
  for (const node of [...place.children]) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, at) => {
    if (place.children[at] !== node) place.insertBefore(node, place.children[at] ?? null);
  });
}
