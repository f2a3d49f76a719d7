// The texts of the list of keys, a part of the catalogue in words.js: the start does without them.

export const KEYS = {
  title: "Keys",
  enter: "The main button",
  ownCard: "A card of your hand; 0 is the ten",
  anyCard: "The card that was played or cut; 0 is the ten",
  suit: "A rank, then its suit",
  number: "The number asked for",
  lines: "Another line; Enter opens it",
  moves: "One step back or forward",
  next: "The next button or link",
  close: "Close whatever is open",
  list: "This list",
};
