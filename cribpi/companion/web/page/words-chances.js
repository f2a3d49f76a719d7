// The texts of the bar of chances, a part of the catalogue in words.js: most screens do without them.

export const CHANCES = { title: "Chance of winning" };
