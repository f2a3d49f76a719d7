// The scores: for each side its peg's colour, its name, its hole, and whose turn and whose deal it is.

const ROOM = 8; // letters of a name that fit on a phone in full size
const DOES = { play: "to play", show: "shows", crib: "counts the crib" };

export class Scores {
  constructor(list) {
    this.list = list;
  }

  // `shower` is the seat whose hand or crib is counted, or null.
  show(state, shower) {
    const counts = ["show", "crib"].includes(state.phase) ? shower : null;
    this.list.replaceChildren(...state.sides.map((side, index) => row(state, side, index, counts)));
    this.list.dataset.sides = state.sides.length;
    this.list.dataset.seats = state.seats.length;
  }
}

function row(state, side, index, counts) {
  const seats = state.seats.map((seat, at) => ({ ...seat, at })).filter((seat) => seat.side === index);
  const acts = seats.find((seat) => seat.at === (counts ?? (state.phase === "play" ? state.turn : null)));
  const item = document.createElement("li");
  item.dataset.side = index;
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

// A name of two partners may break after its plus.
function who(name) {
  const node = text("span", "who", "");
  const parts = name.split("+");
  node.classList.toggle("long", parts.some((part) => part.length > ROOM));
  parts.forEach((part, at) => node.append(...(at ? ["+", document.createElement("wbr")] : []), part));
  return node;
}

function facts(state, side, seats, acts) {
  const found = text("span", "facts", "");
  const add = (name, fact) => found.append(text("span", name, fact));
  if (state.winner !== null && state.sides[state.winner] === side) add("won", "has won");
  if (acts) add("playing", seats.length > 1 ? `${acts.name} ${DOES[state.phase]}` : DOES[state.phase]);
  const dealer = seats.find((seat) => seat.at === state.dealer);
  if (dealer) add("deals", seats.length > 1 ? `${dealer.name} deals` : "deals");
  if (state.phase === "play" && state.entry === "cards") {
    add("cards", cards(seats));
  }
  if (state.sides.some(({ games }) => games)) found.append(won(side.games));
  return found;
}

// The games won, once any are: on a phone in fewer letters.
function won(games) {
  const node = text("span", "games", String(games));
  node.append(text("i", "wide", games === 1 ? " game" : " games"), text("i", "narrow", " won"));
  return node;
}

function cards(seats) {
  if (seats.length > 1) return seats.map((seat) => seat.cards_left).join(" + ").concat(" cards");
  return seats[0].cards_left === 1 ? "1 card" : `${seats[0].cards_left} cards`;
}

export function text(tag, name, content) {
  const node = document.createElement(tag);
  node.className = name;
  node.textContent = content;
  return node;
}
