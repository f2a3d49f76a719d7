// The texts of the rules and of the names, which the start does without.

/** @type {Record<string, string>} */
const SOURCES = {
  "board-set": "A board set", "computer-game": "A computer game", "lowe": "Lowe", "use-and-care": "A manual's excerpt",
  "travel-set": "A travel set", "acc": "American Cribbage Congress", "old books": "Old books", "hoyle": "Old Hoyles", "bicycle": "Bicycle",
};

/** @param {string} source */
export const sourceOf = (source) => SOURCES[source] ?? source;

export const RULES_WORDS = {
  title: "Rules",
  forNext: "For the next game. A game on the table keeps its rules.",
  playedBy: (/** @type {string} */ rules) => `Your open game's rules: ${rules}.`,
  played: "All rules of this game",
  presets: "Whose rules",
  differs: (/** @type {string} */ preset) => `What differs from ${preset}`,
  nothing: (/** @type {string} */ preset) => `${preset} rules, nothing changed.`,
  backTo: (/** @type {string} */ value) => `Back to: ${value}`,
  backToAll: (/** @type {string} */ preset) => `Back to plain ${preset}`,
  changed: "house rule",
  on: "On",
  off: "Off",
  other: "Other…",
  otherValue: (/** @type {string} */ title, /** @type {string} */ others) => `${title}: ${others}`,
  insteadChoose: (/** @type {string} */ title, /** @type {string} */ value) => `Also choose ${title}: ${value}`,
  leave: "Leave it as it was",
  source: "Where is this rule from?",
  noSource: "No source mentions it.",
  or: "; or ",
  match: [{ value: "open", title: "Single games" }, { value: "first-to", title: "First to" }, { value: "best-of", title: "Best of" }],
  matchOf: (/** @type {string} */ kind, /** @type {string} */ games) => `${kind === "best-of" ? "best of" : "first to"} ${games} ${games === "1" ? "game" : "games"}`,
  matchGames: "Number of games",
  matchRange: "Choose 1 to 99 games.",
  games: (/** @type {number} */ games) => (games === 1 ? "game" : "games"),
};

export const NAMES_WORDS = {
  title: "Names",
  you: "Your name",
  youText: "What you are called when you play the computer. It stays yours in every game.",
  nobody: "You",
  goesWith: (/** @type {string} */ old) => (old ? `I am ${old}: my games so far go with the new name` : "My games so far go with it"),
  text: "Who else plays: with real cards, or on one screen. A seat without a name goes by its colour.",
  seat: (/** @type {number} */ seat) => `Seat ${seat}`,
  save: "Save the names",
  others: "To rename somebody else, with all games so far:",
  statistics: "Statistics",
  saved: "Saved.",
};
