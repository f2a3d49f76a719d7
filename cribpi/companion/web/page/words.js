// Every text of the page that the table doesn't say itself, in one place.

/** @type {(count: number, one: string, many?: string) => string} */
export const amount = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The name of whoever plays the computer without one: what is said of it, is said to it. */
export const YOU = "You";

/** @type {(name: string, verb: string, isMany?: boolean) => string} Third-person verb. */
export const does = (name, verb, isMany = name === YOU) => `${name} ${isMany ? verb.replace(/s$/, "") : verb}`;

/** @type {(names: string[]) => string} */
export const and = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

/** @type {(side: { name: string, said: string } | undefined, verb: string) => string} Verb for a side, singular or plural. */
export const sideDoes = (side, verb) => does(side?.said ?? "", verb, side?.said !== side?.name || side?.name === YOU);

/** @param {string} name Whose: "Ann's", or "your". */
export const owns = (name) => (name === YOU ? "your" : `${name}'s`);

/** @param {string} name The same at the beginning of a sentence. */
export const whose = (name) => (name === YOU ? "Your" : owns(name));

/** @param {string} option What a single game is played to is no rule of the house. */
export const isHouseRule = (option) => option !== "target" && option !== "match";

export const WORDS = {
  name: "cribpi",
  title: "Play cribbage, or keep the score",
  loading: "Loading…",
  unreachable: "Can't reach cribpi. Is it running? Trying again.",
  disconnected: "Disconnected, reconnecting.",
  noAnswer: "cribpi hasn't answered yet.",
  failed: (/** @type {number} */ status) => `cribpi failed with error ${status}. Try again.`,
  notSent: (/** @type {string} */ presses) => `Not sent: ${presses}.`,
  saysGo: "Says go",
  oneIsNoCard: "1 is not a card: type a for the ace, 0 for the ten.",
  willBeSent: (/** @type {string} */ presses) => `To be sent: ${presses}.`,
  crash: "Part of the page failed",
  safe: "The game is safe.",
  home: "Back to the start",
  reload: "Reload",

  reloading: "cribpi was updated. Reloading…",
  outdated: "cribpi was updated. Close this page and open it again.",

  // --- the start ---
  keepScore: "Keep score",
  keepScoreText: "You have cards; cribpi pegs and counts",
  playComputer: "Play the computer",
  playComputerText: "It deals, you play",
  passAndPlay: "Pass and play",
  passAndPlayText: "Each hand hidden until its turn",
  startGame: "Start",
  deal: "Deal",
  player: (/** @type {number} */ seat) => `Player ${seat}`,
  players: "Players",
  playersInstead: (/** @type {number} */ many) => `Make it ${many} players`,
  ofPlayers: (/** @type {number} */ count) => amount(count, "player"),
  entry: "What you enter",
  entries: [{ value: "cards", title: "Every card", text: "cribpi counts" }, { value: "peg", title: "Points only", text: "You count" }],
  level: "How well the computer plays",
  hardOfThree: "With three, it plays for points, not the score.",
  yourName: "Your name",
  pairs: (/** @type {string[]} */ [one = "", two = "", three = "", four = ""]) => `${one} and ${three} against ${two} and ${four}`,
  partnerOrNot: (/** @type {boolean} */ isPartner) => (isPartner ? "Your partner, opposite you" : "An opponent"),
  levelOf: (/** @type {number} */ seat) => `How well player ${seat} plays`,
  target: "Play to",
  to: (/** @type {string | number} */ target) => `to ${target}`,
  pairing: "Next at this board",
  pairingOf: (/** @type {number} */ board, /** @type {number} */ round, /** @type {number} */ games) =>
    `Board ${board}, round ${round} of ${games}`,
  openGame: "Your open game",
  resume: "Continue",
  ends: "Starting a new game ends the open one. It stays in your games.",
  rules: (/** @type {string} */ name) => `Rules: ${name}`,
  rulesText: (/** @type {string[]} */ changes) =>
    (changes.some(isHouseRule) ? amount(changes.filter(isHouseRule).length, "house rule") : "House rules, match"),
  device: "Screen and keypad",
  deviceText: "The board's own screen and keys",
  phones: "Phones",
  phonesText: "A hand on each",
  countHand: "Count a hand",
  countHandText: "Any five cards",

  gamesAndStats: "Games and statistics",
  practice: "Practice",
  practiceText: (/** @type {number} */ days) => (days > 1 ? `${days} days in a row` : "Discards and counts"),

  // --- the table ---
  dealNumber: (/** @type {number} */ number) => `deal ${number}`,
  ofDeal: (/** @type {number} */ number) => `Deal ${number}`,
  undo: "Undo",
  redo: "Redo",
  hint: "Hint",
  menu: "Menu",
  log: "What happened",
  close: "Close",
  yourTurn: "Your turn",
  makes: (/** @type {number} */ count) => ` makes ${count}`,
  you: "you",
  partner: "your partner:",
  dealing: "deals",
  cards: (/** @type {number} */ left) => amount(left, "card"),
  cardsOfAll: (/** @type {number[]} */ left) => `${left.join(" + ")} cards`,
  toGo: (/** @type {number} */ left) => (left === 31 ? "of 31" : `${left} to 31`),
  games: (/** @type {number} */ won) => `won ${won}`,
  starter: "starter",
  crib: (/** @type {string} */ name) => `${whose(name)} crib`,
  yourCrib: "your crib",
  yourOwnCrib: "Your crib",
  board: "Board",
  openBoard: "Open the board",
  hand: (/** @type {string} */ name) => `${whose(name)} hand`,
  chosen: (/** @type {number} */ count, /** @type {number} */ of) => `${count} of ${of} chosen`,
  /** @type {(name: string, front: number, back: number, ghost: number | null | undefined) => string} */
  hole: (name, front, back, ghost) =>
    `${name} in hole ${front}, back peg in ${back}${ghost ? `, on average ${ghost}` : ""}`,
  nothingYet: "Your game will appear here.",
  why: "Why?",

  // --- the device ---
  deviceShort: "Device",

  // --- the settings ---
  settings: "Settings",

  // --- the hint and the lesson ---
  newcomer: "New to cribbage?",
  learn: "Learn to play",
  fiveMinutes: "Cribbage in five minutes",
  learnText: "Your first game, guided, in eight short steps",
  learnAgain: "Eight short steps",

  // --- a question ---
  cancel: "Cancel",
};
