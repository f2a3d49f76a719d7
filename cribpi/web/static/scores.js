// The scores: for each side its peg's colour, its name, its hole, and whose turn and whose deal it is.

export class Scores {
  constructor(list) {
    this.list = list;
  }

  show(state) {
    this.list.replaceChildren(...state.sides.map((side, index) => row(state, side, index)));
    this.list.dataset.sides = state.sides.length;
  }
}

function row(state, side, index) {
  const seats = state.seats.map((seat, at) => ({ ...seat, at })).filter((seat) => seat.side === index);
  const turn = seats.find((seat) => seat.at === state.turn);
  const item = document.createElement("li");
  item.dataset.side = index;
  item.classList.toggle("acts", turn !== undefined && state.phase === "play");
  item.classList.toggle("wins", state.winner === index);
  item.append(
    text("span", "peg", ""),
    text("span", "who", side.name),
    text("span", "front", String(side.front)),
    facts(state, side, seats, turn),
  );
  return item;
}

function facts(state, side, seats, turn) {
  const found = text("span", "facts", "");
  const add = (name, fact) => found.append(text("span", name, fact));
  if (state.winner !== null && state.sides[state.winner] === side) add("won", "has won");
  if (turn && state.phase === "play") add("playing", seats.length > 1 ? `${turn.name} to play` : "to play");
  const dealer = seats.find((seat) => seat.at === state.dealer);
  if (dealer) add("deals", seats.length > 1 ? `${dealer.name} deals` : "deals");
  if (state.phase === "play" && state.entry === "cards") {
    add("cards", cards(seats));
  }
  if (side.games) add("games", side.games === 1 ? "1 game" : `${side.games} games`);
  return found;
}

function cards(seats) {
  if (seats.length > 1) return seats.map((seat) => `${seat.name} ${seat.cards_left}`).join(", ").concat(" cards");
  return seats[0].cards_left === 1 ? "1 card" : `${seats[0].cards_left} cards`;
}

export function text(tag, name, content) {
  const node = document.createElement(tag);
  node.className = name;
  node.textContent = content;
  return node;
}
