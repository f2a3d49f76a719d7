// Texts of all that is drawn after the start: the rest of the catalogue in words.js.

import { amount, does, owns, sideDoes, whose, YOU } from "/page/words.js";

export const CHANCES = { title: "Chance of winning" };

// --- the list of keys ---
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

// --- a counted hand ---
export const COUNT = {
  cardsOfHand: "The cards of the hand",
  handOrCrib: "Hand or crib",
  kinds: [{ value: "hand", title: "Hand" }, { value: "crib", title: "Crib" }],
  typed: "Type",
  suit: "Suit",
  clear: "Clear",
  takeAway: (/** @type {string} */ card) => `Remove the ${card}`,
  missing: (/** @type {number} */ left) => `${amount(left, "more card")}, then the starter.`,
  mean: (/** @type {number} */ least, /** @type {number} */ most) => `on average, ${least} to ${most} depending on the starter`,
  mayBe: (/** @type {number[]} */ points) => `It may be ${points.join(", ").replace(/, (?=\d+$)/, " or ")}: not all suits are given.`,
  countRules: "Rules",
  countedBy: (/** @type {string} */ rules) => `rules: ${rules}`,
};

// --- the end ---
export const END = {
  newGame: "New game",
  share: "Share",
  savedToShare: "The picture and the record are in your downloads.",
  notShared: "Sharing failed. Try again.",
  pictureOf: (/** @type {string} */ title) => `${title}: cribbage, kept by cribpi`,
  columns: { games: "Games", points: "Points", skunks: "Skunks", spread: "Spread" },
};

// --- played games ---
export const PLAYED = {
  lastGame: "Your last game",
  yourGames: "Your games",
  allGames: "All games and statistics",
  today: "Today",
  yesterday: "Yesterday",
  reviewOf: (/** @type {number} */ game) => `Review game ${game}`,
  rematch: "Rematch",
};

// --- the settings ---
export const SETTINGS = {
  onOff: [{ value: "true", title: "On" }, { value: "false", title: "Off" }],
  play: "Play",
  whoCounts: {
    title: "Who counts",
    choices: [{ value: "machine", title: "cribpi" }, { value: "lost", title: "I do" }, { value: "muggins", title: "I do, and muggins" }],
    next: (/** @type {string} */ rule) => `From the next game: ${rule}.`,
    open: (/** @type {string} */ rule) => `In your open game: ${rule}.`,
  },
  hideTotal: { title: "Count first", text: "A hand's total is hidden until you ask for the count" },
  sound: { title: "Sound", text: "A short sound for cards, points and the end" },
  voice: { title: "Voice", text: "Says each count aloud" },
  vibration: { title: "Vibration", text: "Feel cards, pegs and the end" },
  quick: { title: "Play with one tap",
    text: "Otherwise a finger's first tap lifts a card, and the second plays it; a mouse needs one click" },
  carry: { title: "One press at the show",
    text: "Alone against the computer: after it, each hand and the crib is counted and pegged by itself. Pause stops it" },
  chances: { title: "Chance of winning", text: "With two players, or two pairs: a bar below the scores" },
  count: {
    title: "Count", text: "How fast a hand is counted line by line",
    choices: [{ value: "slow", title: "Slow" }, { value: "normal", title: "Normal" }, { value: "quick", title: "At once" }],
  },
  deck: {
    title: "Deck", text: "Four colours tell the suits apart at a glance",
    choices: [{ value: "two", title: "Two colours" }, { value: "four", title: "Four" }],
  },
  theme: {
    title: "Light or dark", text: "Follow your system, or always light or dark",
    choices: [{ value: "auto", title: "System" }, { value: "light", title: "Light" }, { value: "dark", title: "Dark" }],
  },
  large: { title: "Large index", text: "Bigger ranks and suits in the corners of the cards" },
  groups: {
    screen: { title: "This screen", text: "Kept in this browser." },
    table: { title: "The table", text: "Kept by cribpi, and the same on every screen." },
    automatic: { title: "Automatic, when the computer deals" },
    device: { title: "The device", text: "The board's lights and the small screen." },
  },
  keys: { title: "Keys", text: "What your computer's keyboard does here. Or press ?", show: "Show" },
  rules: { title: "Rules", text: "House rules and the match" },
  opponents: { title: "Opponents", text: "How many, and how well each plays" },
  power: {
    restart: { action: "Restart", question: "Restart the Pi? Your game will be back in about a minute." },
    off: { action: "Switch off", question: "Switch the Pi off? Your game is saved. Pull the plug when its green light is out." },
  },
  powerTitle: "Restart or switch off",
  sample: "Fifteen two, fifteen four, and a pair is six",
};

// --- the rules and names ---
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
  matchOf: (/** @type {string} */ kind, /** @type {string} */ games) =>
    `${kind === "best-of" ? "best of" : "first to"} ${games} ${games === "1" ? "game" : "games"}`,
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
  saved: "Saved.",
};

// --- the lesson ---
export const LESSON = {
  title: "Lesson",
  gotIt: "Got it",
  leave: "Leave the lesson",
  of: (/** @type {number} */ at, /** @type {number} */ of) => `${at} of ${of}`,
  between: "Play on. The next step comes when there is something to see.",
  aim: (/** @type {string} */ me, /** @type {string} */ other, /** @type {number} */ target) =>
    `${me === YOU ? `You play the computer, ${other}` : `You are ${me}, the computer is ${other}`}. `
    + `First to ${target} points wins. These six cards are yours: four will be your hand.`,
  discard: (/** @type {string | null} */ other) =>
    other === null
      ? "Choose two cards to discard. They go to the crib, an extra hand, and this deal it is yours."
      : `Choose two cards to discard. They go to the crib, an extra hand, and this deal it is ${other}'s: keep your best four.`,
  send: (/** @type {string} */ cards, /** @type {string | null} */ other) =>
    `${cards}: send them to ${owns(other ?? YOU)} crib with the button below. The other four are your hand.`,
  starter: (/** @type {string} */ card, /** @type {string} */ other) =>
    `The ${card} is the starter: at the end it is a fifth card for you, for ${other} and for the crib.`,
  heels: (/** @type {string | null} */ other) => ` A jack: two points for ${other ?? "you"}, the dealer.`,
  inTurn: (/** @type {string} */ other) =>
    `Now you play cards in turn, and add them up: 31 at most. Jack, queen and king are ten. ${other} is next.`,
  play: (/** @type {string} */ card) =>
    `Play a card: it adds to the count, 31 at most. Jack, queen and king are ten. You could play your ${card}.`,
  go: (/** @type {number} */ count) => `At ${count}, every card you hold would go over 31: you can only say go.`,
  /** @type {Partial<Record<Server.Kind, string>>} */
  scored: {
    "fifteen": "A count of exactly 15 is worth two points.",
    "thirty-one": "A count of exactly 31 is worth two points. Then a new count begins.",
    "pair": "Two cards of the same rank in a row are worth two points.",
    "pair-royal": "Three of the same rank in a row are worth six points.",
    "double-pair-royal": "Four of the same rank in a row are worth twelve points.",
    "run": "Cards in sequence, such as 4 5 6, are worth a point each, in any order.",
    "go": "Nobody can play without going over 31: one point for the last to play.",
    "last": "The last card of all is worth one point.",
  },
  show: (/** @type {string | null} */ other, /** @type {string} */ starter, /** @type {string} */ next) =>
    `The show: ${owns(other ?? YOU)} four cards and the ${starter} count.${next && ` Then press ${next}.`}`,
  counts: [
    { name: "Fifteen: 2", rules: ["fifteen"] },
    { name: "Pair: 2", rules: ["pair", "pair-royal", "double-pair-royal"] },
    { name: "Run: 1 a card", rules: ["run"] },
    { name: "Flush: 4 or 5", rules: ["flush", "crib-flush"] },
    { name: "His nobs: 1", rules: ["nobs"] },
  ],
  nineteen: " Nothing this time: a nineteen.",
  crib: (/** @type {string | null} */ other) =>
    `And this is ${owns(other ?? YOU)} crib: the four cards you both discarded. Only the dealer counts it.`,
  /** @type {(mine: number, other: string, theirs: number, isDealer: boolean, target: number) => string} */
  goOn: (mine, other, theirs, isDealer, target) =>
    `You have ${mine} of ${target}, ${other} ${theirs}: see the pegs. `
    + `Now ${isDealer ? "you deal and have" : `${other} deals and has`} the crib. That's cribbage. Play on without me!`,
};

// --- practice ---
/** @typedef {"you" | "partner" | "opponent" | "another"} Dealer The dealer, as seen by the player. */

export const PRACTICE = {
  kinds: [
    { value: "discards", title: "Discards" },
    { value: "pegging", title: "Pegging" },
    { value: "counting", title: "Counting" },
  ],
  practise: "Practise",
  random: "random deals",
  mistakesOf: (/** @type {string} */ name) => `${owns(name)} mistakes`,
  reviewing: "Looking through the latest games…",
  failed: "There is nothing to practise now.",
  score: (/** @type {number} */ right, /** @type {number} */ all) => `${right} of ${all} right`,
  streak: (/** @type {number} */ right, /** @type {number} */ most) => `${right} in a row${most > right ? `, best ${most}` : ""}`,
  days: (/** @type {number} */ days) => `${days} days in a row`,
  opponents: (/** @type {number} */ players) => (players === 2 ? "your opponent" : "your opponents"),
  each: (/** @type {number} */ seconds) => `${seconds.toFixed(1)} seconds each`,
  /** @type {Record<Dealer, string>} */
  owns: { you: "your own", partner: "your partner's", opponent: "your opponent's", another: "an opponent's" },
  /** @type {Record<Dealer, string>} */
  deals: { you: "You deal", partner: "Your partner deals", opponent: "Your opponent deals", another: "An opponent deals" },
  at: (/** @type {number} */ mine, /** @type {number[]} */ others, /** @type {number} */ players, /** @type {Dealer} */ dealer) =>
    `You have ${mine}, your ${players === 2 ? "opponent" : "opponents"} ${others.join(" and ")}. ${PRACTICE.deals[dealer]}.`,
  starter: "Starter",
  onTable: (/** @type {number} */ count) => (count ? `On the table, ${count}:` : "You lead."),
  from: (/** @type {number} */ game, /** @type {number} */ deal) => `From game ${game}, deal ${deal}.`,
  yours: "Your choice",
  best: "Better",
  countHand: "How much is this hand?",
  countCrib: "How much is this crib?",
  points: "Points",
  count: "Count it",
  rightCount: "Right.",
  wrongCount: (/** @type {number} */ points) => `No: ${points}.`,
};

export const RACE = {
  begin: "Race: ten hands",
  rule: (/** @type {number} */ hand, /** @type {number} */ hands) =>
    `Hand ${hand} of ${hands}. A wrong count costs ten seconds; the clock stops while you read.`,
  time: (/** @type {number} */ seconds) => `${seconds.toFixed(1)} seconds`,
  allRight: "All ten right.",
  wrong: (/** @type {number} */ wrong, /** @type {number} */ seconds) =>
    `${wrong === 1 ? "One" : wrong} wrong, so ${seconds} seconds more.`,
  first: "That's your time to beat.",
  better: (/** @type {number} */ before) => `Your best was ${before.toFixed(1)}.`,
  best: (/** @type {number} */ before) => `Your best is ${before.toFixed(1)}.`,
  again: "Race again",
  end: "Count without a clock",
};

// --- the table ---
export const TABLE = {
  // --- the felt ---
  gone: (/** @type {number} */ cards) => `Earlier counts, ${amount(cards, "card")}`,
  closesFor: (/** @type {number} */ points) => `for ${points}`,
  closed: "earlier",

  // --- the show ---
  shows: (/** @type {string} */ name) => does(name, "shows"),
  soFar: "so far",
  soFarOf: (/** @type {number} */ total) => `so far, of ${total}`,
  inAll: "total",
  showCount: "Show the count",
  counted: (/** @type {string} */ name, /** @type {number} */ claimed, /** @type {number} */ points) =>
    `${name} counted ${claimed}; it is worth ${points}`,
  missed: (/** @type {number} */ points) => `missed ${points}`,
  yours: "✓ yours",
  found: "✓ counted",
  takes: (/** @type {{ name: string, said: string } | null} */ side, /** @type {number} */ points) =>
    `${side ? sideDoes(side, "takes") : "You take"} ${points}`,
  notTaken: (/** @type {number} */ points, /** @type {number} */ missed) => (missed ? `${missed} missed` : `${points} pegged`),
  byMuggins: "the points missed, by muggins",
  nineteen: 'No points: players call it a "nineteen"',
  none: "none",
  next: "Next",
  countAll: "All at once",
  back: "Back",
  pause: "Pause",
  goOn: "Go on",

  // --- the pad ---
  points: "Points",
  howMany: "How many points?",
  erase: "Backspace",
  step: (/** @type {string} */ by) => (by.startsWith("-") ? `${by.slice(1)} less` : `${by.slice(1)} more`),

  // --- the hint ---
  whoDeals: "Who deals first?",
  hinted: (/** @type {string} */ words) => `Hint: ${words}.`,
  hintComes: "Thinking about a hint…",
  hintedCard: (/** @type {string} */ card) => `${card}, hint`,
  meanwhile: (/** @type {string} */ text) => `Meanwhile: ${text}.`,

  // --- the keys ---
  screenShows: (/** @type {string} */ prompt) => `Screen: ${prompt}`,
  holdFor: (/** @type {string} */ key) => `hold: ${{ "hold:UNDO": "redo", "hold:MENU": "off" }[key] ?? key}`,
  suits: "A flush or his nobs",
  holdForSuit: "Hold a rank to give its suit.",
  whichSuit: (/** @type {string} */ label) => `${label}: which suit?`,

  // --- the end ---
  result: "Result",
  gains: {
    pegging: "Pegging", hands: "Hands", cribs: "Cribs", heels: "His heels", muggins: "Muggins", other: "Penalties, corrections",
    lead: "Largest lead",
  },
  course: "The scores after each deal",
};

// --- past games and statistics ---
export const PAST = {
  pastGames: "Games",
  statistics: "Statistics",
  noGames: "No games yet. Play one, and it will appear here.",
  noFinishedGames: "No finished games yet. Play one to the end, and your statistics will appear here.",
  everyone: "Everybody",
  gamesOf: "Player",
  more: "More games",
  gameNumber: (/** @type {number} */ number) => `Game ${number}`,
  notOver: "not over",
  hidden: "not over: cards hidden",
  onTheTable: "on the table",
  review: "Review",
  stepThrough: "Step through it",
  saveRecord: "Save the record",
  allGames: "All games",
  stepOf: (/** @type {number} */ at, /** @type {number} */ of) => `Step ${at} of ${of}`,
  chooseStep: "Step",
  holds: (/** @type {string} */ name) => does(name, "holds"),
  notThere: "This game can't be shown.",
  nobody: (/** @type {string} */ name) => `No finished games for ${name}.`,
  toStatistics: "All statistics",
  remove: "Remove",
  removeOf: (/** @type {number} */ number) => `Remove game ${number}`,
  sure: (/** @type {number} */ number) => `Remove game ${number}?`,
  goes: "It leaves the list and the statistics.",
  removed: (/** @type {number} */ number) => `Game ${number} is removed.`,
  putBack: (/** @type {number} */ number) => `Undo: put game ${number} back`,
  rename: "Rename",
  newName: "New name",
  renamed: "The games so far go with it. Somebody who takes the old name later starts afresh.",
  isTaken: (/** @type {string} */ name) => `${name} has played here too: their games will count together.`,
  save: "Save",
  gamesWith: (/** @type {string} */ name) => `${whose(name)} games`,
  figures: {
    player: "Player", games: "Games", won: "Won", skunked: "Skunks", wasSkunked: "Skunked", streak: "Streak",
    dealer: "As dealer", pone: "As non-dealer", spread: "Spread",
  },
  aDeal: "points per deal",
  columns: "As dealer and as non-dealer: points per deal with six cards, next to what good players get.",
  usual: (/** @type {number} */ points) => `usual ${points.toFixed(1)}`,
  deals: (/** @type {number} */ deals) => amount(deals, "deal"),
  percent: (/** @type {number} */ share) => `${Math.round(share)}%`,
  winsOf: (/** @type {number} */ wins, /** @type {number} */ games) => `${wins} of ${games}`,
  inARow: (/** @type {number} */ streak) => (streak === 0 ? "–" : `${Math.abs(streak)} ${streak > 0 ? "won" : "lost"}`),
  longest: (/** @type {number} */ won, /** @type {number} */ lost) => `longest ${won} won, ${lost} lost`,
  doubles: (/** @type {number} */ doubles) => (doubles ? `${doubles} of them double` : ""),
  parts: { hands: "hand", cribs: "crib", pegging: "pegging", heels: "heels", muggins: "muggins", other: "penalties, corrections" },
  averages: "Points per deal",
  averagesNote: "Two-player games with six cards, complete deals only. The line is what good players get.",
  fiveCard: (/** @type {string} */ role) => `${role}, five-card`,
  noDeals: "No complete deal yet with six cards and two players.",
  results: "Results over time",
  resultsNote: (/** @type {number} */ games) =>
    `The last ${games === 1 ? "game" : `${games} games`}: wins above the line, losses below, by their margin`,
  accuracies: "Accuracy",
  accuraciesNote: (/** @type {number} */ games, /** @type {number} */ mean, /** @type {number} */ last) =>
    games === 1 ? `${Math.round(100 * last)}% in the only game that was reviewed`
      : `The last ${games} games that were reviewed: ${Math.round(100 * last)}% in the last, ${Math.round(100 * mean)}% on average`,
  noAccuracies: "Review a game, and its accuracy will appear here.",
  fromWhat: "Where the points came from",
  bestHands: "Best hands and cribs",
  bestIn: (/** @type {number} */ game, /** @type {number} */ deal, /** @type {boolean} */ isCrib) =>
    `${isCrib ? "crib" : "hand"}, game ${game}, deal ${deal}`,
  headToHead: "Head to head",
};

// --- phones ---
/** @type {Record<Server.Role, { title: string, text: string }>} */
const ROLES = {
  seat: { title: "A seat", text: "Your hand on this phone. Nobody else sees it." },
  keypad: { title: "Keypad", text: "The board's keys, for everyone at the table" },
  scoreboard: { title: "Scoreboard", text: "For a tablet or television: large scores, board and cards" },
  watch: { title: "Watch", text: "See the table, without a hand or keys" },
};

export const PHONE_WORDS = {
  join: "Join the table",
  scan: "Scan the code on the board's screen with your camera, or type it here.",
  where: "At the board: Menu, then Phones.",
  code: "Code",
  joins: "Join",
  joining: "Joining…",
  six: "The code has six letters and digits.",
  noLine: "Can't reach the board. Are you on its Wi-Fi?",
  removed: "This phone was removed at the board.",
  left: "You have left the table.",

  roles: ROLES,
  who: "What is this phone for?",
  seatWithCards: "Enter your own cards on this phone",
  playAs: (/** @type {string} */ name) => `Play as ${name}`,
  takenBy: (/** @type {number} */ number) => `Phone ${number} has this seat`,
  yours: "This phone has it now",
  seatLost: "Your seat is not in this game. Choose again.",
  back: "Back to the table",

  startsAtBoard: "The game starts at the board.",
  startsText: "Your cards will appear here as soon as it is dealt.",
  seats: "Who plays",
  noPhone: "at the board",
  onPhone: (/** @type {number} */ number) => `phone ${number}`,
  thisPhone: "this phone",

  tool: "Phone",
  number: (/** @type {number} */ number) => `Phone ${number}`,
  plays: (/** @type {string} */ name) => `You play ${name === YOU ? "your own" : `${name}'s`} seat. Only this phone shows your cards.`,
  enters: (/** @type {string} */ name) => `You play ${name === YOU ? "your own" : `${name}'s`} seat, and enter your cards here.`,
  screen: "Sound and display",
  change: "Change role",
  leave: "Leave the table",

  fullScreen: "Full screen",
  staysOn: "Turn off sleep in this screen's own settings: over plain http a browser can't keep it awake.",
  over: "Game over",

  text: "Each player's own hand on a phone, a second keypad, or a scoreboard on a television. All on your Wi-Fi.",
  open: "Let phones join",
  close: "Turn phones off",
  closes: "Everyone on a phone leaves the table.",
  scanHere: "Scan it with a phone's camera.",
  orOpen: "Or open this on a phone, and type the code:",
  newCode: (/** @type {string} */ left) => `New code in ${left}`,
  then: "Each hand is on its phone once a game is dealt.",
  startGame: "Start a game",
  picture: "QR code to join",
  here: "Phones here",
  nobody: "No phone has joined yet.",
  choosing: "choosing",
  whatIs: (/** @type {number} */ number) => `Role of phone ${number}`,
  removeOf: (/** @type {number} */ number) => `Remove phone ${number}`,
  failed: "The phones can't be shown. Reload the page.",
};

// --- the review ---
const points = (/** @type {number} */ number) =>
  `${number < 0 ? "−" : ""}${Math.abs(number).toFixed(1)} ${Math.abs(number).toFixed(1) === "1.0" ? "point" : "points"}`;

export const REVIEW = {
  title: (/** @type {number} */ number) => `Review of game ${number}`,
  working: (/** @type {number} */ deals) => `Going through the game: ${amount(deals, "deal")} to go.`,
  failed: "This game can't be reviewed now.",
  whose: "Whose decisions",
  chanceOf: (/** @type {string} */ name) => `${owns(name)} chance of winning, deal by deal`,
  means: (/** @type {boolean} */ isChance) =>
    `A decision that costs nothing counts 100%, one that costs ${isChance ? "8% of the chance of winning" : "three points"} 50%.`,
  /** @type {Record<Server.Mark, string>} */
  marks: { best: "best", good: "good", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
  /** @type {Record<Server.Mark, string>} */
  signs: { best: "✓", good: "·", inaccuracy: "?!", mistake: "?", blunder: "??" },
  decisions: "Decisions",
  filters: [
    { value: "all", title: "All" },
    { value: "costly", title: "Mistakes" },
    { value: "discard", title: "Discards" },
    { value: "play", title: "Play" },
  ],
  none: "Nothing here.",
  deal: (/** @type {number} */ deal, /** @type {string} */ dealer) => `Deal ${deal} · ${dealer} dealt`,
  best: "best",
  lost: (/** @type {number} */ chance) => `−${(100 * chance).toFixed(1)}%`,
  lostPoints: (/** @type {number} */ lost) => `−${lost.toFixed(1)}`,
  at: (/** @type {string} */ scores, /** @type {string} */ dealer) => `${scores}, ${dealer === YOU ? "you deal" : `${dealer} deals`}.`,
  did: { discard: (/** @type {string} */ name) => `${name} discarded`, play: (/** @type {string} */ name) => `${name} played` },
  better: { discard: "Better to discard", play: "Better to play" },
  keep: "keep",
  toCrib: (/** @type {string} */ whose) => `to ${whose} crib`,
  wins: (/** @type {number} */ chance) => `wins ${(100 * chance).toFixed(1)}%`,
  sum: (/** @type {Server.Decided} */ { hand, crib, play }) =>
    `Hand ${hand.toFixed(1)} ${crib < 0 ? "−" : "+"} crib ${Math.abs(crib).toFixed(1)} ${play < 0 ? "−" : "+"} `
    + `play ${Math.abs(play).toFixed(1)} = ${points(hand + crib + play)} on average`,
  /** Of what follows in the play; without a name it is you, and several others outscore. */
  pegs: (/** @type {number} */ more, /** @type {import("/page/review.js").Sides} */ { me, others, areMany }) => {
    const by = Math.abs(more).toFixed(1);
    if (by === "0.0") return "From here it is even, on average";
    return more < 0
      ? `From here ${others} outscore${areMany ? "" : "s"} ${me ?? "you"} by ${by} on average`
      : `From here ${me === null ? "you outscore" : `${me} outscores`} ${others} by ${by} on average`;
  },
  onTable: (/** @type {number} */ count) => `On the table: ${count}`,
  before: "In earlier counts",
  holding: "Holding",
  previous: "Previous mistake",
  next: "Next mistake",
  tryIt: "Try it yourself",
  giveUp: "Show the answer",
  seeTable: "See the table",
  tryDiscard: (/** @type {number} */ cards, /** @type {string} */ whose) =>
    `Which ${cards === 1 ? "card goes" : "two go"} to ${whose} crib?`,
  tryPlay: "Which card do you play?",
  right: "Yes, that's the best choice.",
  close: (/** @type {string} */ lost, /** @type {string} */ best) => `Close: it costs ${lost} compared with ${best}.`,
  wrong: (/** @type {string} */ lost, /** @type {string} */ best) => `It costs ${lost} compared with ${best}.`,
};
