// The texts of the end of a game and of a match, a part of the catalogue in words.js: the start does without them.

import { sideDoes } from "/page/words.js";

export const END = {
  skunks: ["", ", a skunk", ", a double skunk"],
  newGame: "New game",
  review: "Review",
  share: "Share",
  savedToShare: "The picture and the record are in your downloads.",
  notShared: "Sharing failed. Try again.",
  pictureOf: (/** @type {string} */ title) => `${title}: cribbage, kept by cribpi`,
  match: {
    columns: { games: "Games", points: "Points", skunks: "Skunks", spread: "Spread" },
    won: (/** @type {{ name: string, said: string }} */ side) => `${sideDoes(side, "wins")} the match`,
    drawn: "The match is drawn",
    soFar: "The match so far",
    of: (/** @type {string} */ kind, /** @type {string} */ games) => `${kind === "best-of" ? "best of" : "first to"} ${games}`,
  },
};
