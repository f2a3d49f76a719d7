// Every text of the page that the table doesn't say itself, in one place.

/** @type {(count: number, one: string, many?: string) => string} */
export const amount = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export const WORDS = {
  name: "cribpi",
  title: "cribpi: play cribbage, or keep the score",
  loading: "Loading…",
  unreachable: "Can't reach cribpi. Is it running? Trying again.",
  disconnected: "Disconnected, reconnecting.",
  failed: (/** @type {number} */ status) => `cribpi failed with error ${status}. Try again.`,
  notSent: (/** @type {string} */ keys) => `Not sent: ${keys}.`,
  willBeSent: (/** @type {string} */ keys) => `${keys} will be sent when cribpi is back.`,
  crash: "Part of the page failed. Reload it; the game is safe.",
  reload: "Reload",

  reloading: "cribpi was updated. Reloading…",
  outdated: "cribpi was updated. Close this page and open it again.",

  // --- the start ---
  keepScore: "Keep score",
  keepScoreText: "You have cards. cribpi pegs, counts and remembers whose turn it is.",
  playComputer: "Play the computer",
  playComputerText: "It deals, you play. You need no cards.",
  passAndPlay: "Pass and play",
  passAndPlayText: "Two to four people on this screen, each hand hidden until its turn.",
  startGame: "Start the game",
  deal: "Deal",
  player: (/** @type {number} */ seat) => `Player ${seat}`,
  players: "Number of players",
  entry: "What you enter",
  entries: [{ value: "cards", title: "Every card" }, { value: "peg", title: "Points only" }],
  level: "How well the computer plays",
  target: "Play to",
  to: (/** @type {string | number} */ target) => `to ${target}`,
  openGame: "Your open game",
  resume: "Continue",
  ends: "Starting a new game ends the open one. It stays in your games.",
  rules: (/** @type {string} */ name) => `Rules: ${name}`,
  rulesText: (/** @type {number} */ changes) => (changes ? amount(changes, "house rule") : "House rules and the match"),
  names: "Names",
  namesText: "Who sits in each seat",
  device: "Screen and keypad",
  deviceText: "The device, key for key",
  countHand: "Count a hand",
  countHandText: "Any five cards, line by line",

  gamesAndStats: "Games and statistics",
  gamesAndStatsText: "Every game again, card by card",

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
  you: "you",
  dealing: "deals",
  computer: (/** @type {string} */ level) => `computer, ${level}`,
  cards: (/** @type {number} */ left) => amount(left, "card"),
  cardsOfAll: (/** @type {number[]} */ left) => `${left.join(" + ")} cards`,
  toGo: (/** @type {number} */ left) => (left === 31 ? "of 31" : `${left} to 31`),
  closesFor: (/** @type {number} */ points) => `for ${points}`,
  closed: "closed",
  gone: (/** @type {number} */ cards) => `Closed counts, ${amount(cards, "card")}`,
  games: (/** @type {number} */ won) => amount(won, "game"),
  starter: "starter",
  crib: (/** @type {string} */ name) => `${name}'s crib`,
  yourCrib: "your crib",
  yourOwnCrib: "Your crib",
  board: "Board",
  openBoard: "Open the board",
  hand: (/** @type {string} */ name) => `${name}'s hand`,
  thinking: (/** @type {string} */ name) => `${name} is thinking`,
  chosen: (/** @type {number} */ count, /** @type {number} */ of) => `${count} of ${of} chosen`,
  hole: (/** @type {string} */ name, /** @type {number} */ front, /** @type {number} */ back) =>
    `${name} in hole ${front}, back peg in ${back}`,
  nothingYet: "Your game will appear here.",
  why: "Why?",

  // --- the show ---
  shows: (/** @type {string} */ name) => `${name} shows`,
  soFar: (/** @type {number} */ total) => `so far, of ${total}`,
  inAll: "in all",
  yourCount: "your count",
  add: (/** @type {string} */ points) => `Add ${points}`,
  nineteen: 'a "nineteen": nothing',
  next: "Next",
  countAll: "All at once",
  back: "Back",
  pause: "Pause",
  goOn: "Go on",
  step: (/** @type {number} */ at, /** @type {number} */ of) => `${at} of ${of}`,

  // --- the device ---
  deviceShort: "Device",
  screenShows: (/** @type {string} */ prompt) => `Screen: ${prompt}`,
  holdFor: (/** @type {string} */ key) => `hold: ${{ "hold:UNDO": "redo", "hold:MENU": "off" }[key] ?? key}`,

  // --- the settings ---
  settings: {
    title: "Settings",
    onOff: [{ value: "true", title: "On" }, { value: "false", title: "Off" }],
    sound: { title: "Sound", text: "A short sound for cards, points and the end" },
    voice: { title: "Voice", text: "The count, spoken as players say it" },
    vibration: { title: "Vibration", text: "Feel a card, a peg, the end" },
    quick: { title: "Play with one tap", text: "Otherwise the first tap lifts a card, and the second plays it" },
    count: {
      title: "Count", text: "How fast a hand is counted line by line",
      choices: [{ value: "slow", title: "Slow" }, { value: "normal", title: "Normal" }, { value: "quick", title: "At once" }],
    },
    deck: {
      title: "Deck", text: "Four colours tell the suits apart at a glance",
      choices: [{ value: "two", title: "Two colours" }, { value: "four", title: "Four" }],
    },
    theme: {
      title: "Light", text: "As your system has it, or always the same",
      choices: [{ value: "auto", title: "System" }, { value: "light", title: "Light" }, { value: "dark", title: "Dark" }],
    },
    large: { title: "Large index", text: "Bigger ranks and suits in the corners of the cards" },
    groups: {
      screen: { title: "This screen", text: "Kept in this browser." },
      table: { title: "The table", text: "Kept by cribpi, and the same on every screen." },
      automatic: { title: "Done by itself, when the computer deals" },
      device: { title: "The device", text: "The board's lights and the small screen." },
    },
    names: { title: "Names", text: "Who plays, seat by seat" },
    rules: { title: "Rules", text: "House rules, and whose they are" },
    power: {
      restart: { action: "Restart", question: "Restart the Pi? Your game will be back in about a minute." },
      off: { action: "Switch off", question: "Switch the Pi off? Your game is saved. Pull the plug when its green light is out." },
    },
    powerTitle: "Restart or switch off",
    cancel: "Cancel",
    sample: "Fifteen two, fifteen four, and a pair is six",
  },
  settingsText: "Sound, deck, light and dark",

  // --- a hand that is counted ---
  cardsOfHand: "The cards of the hand",
  handOrCrib: "Hand or crib",
  kinds: [{ value: "hand", title: "Hand" }, { value: "crib", title: "Crib" }],
  typed: "Type",
  suit: "Suit",
  clear: "Clear",
  takeAway: (/** @type {string} */ card) => `Take away the ${card}`,
  missing: (/** @type {number} */ left) => `${amount(left, "more card")}, then the starter.`,
  mean: (/** @type {number} */ least, /** @type {number} */ most) => `on average, ${least} to ${most} by the starter`,

  // --- the end ---
  wins: (/** @type {string} */ name, /** @type {number} */ by) => `${name} wins by ${by}`,
  result: "Result",
  gains: {
    pegging: "Pegging", hands: "Hands", cribs: "Cribs", heels: "His heels", other: "Corrections", lead: "Longest lead",
  },
  best: (/** @type {number} */ points, /** @type {string} */ name, /** @type {number} */ deal, /** @type {boolean} */ isCrib) =>
    `Best ${isCrib ? "crib" : "hand"}: ${points}, ${name} in deal ${deal}`,
  course: "The scores after each deal",
  newGame: "Choose a game",
  match: {
    columns: { games: "Games", points: "Points", skunks: "Skunks", spread: "Spread" },
    won: (/** @type {string} */ name) => `${name} wins the match`,
    drawn: "The match is drawn",
    soFar: "The match so far",
    of: (/** @type {string} */ kind, /** @type {string} */ games) => `${kind === "best-of" ? "best of" : "first to"} ${games}`,
  },

  // --- the hint and the lesson ---
  hinted: (/** @type {string} */ words) => `Hint: ${words}.`,
  hintComes: "Thinking about a hint…",
  hintedCard: (/** @type {string} */ card) => `${card}, hint`,
  newcomer: "New to cribbage?",
  learn: "Learn to play",
  learnText: "A real game, and eight short steps beside it, with the cards that you are dealt",

  meanwhile: (/** @type {string} */ text) => `Meanwhile: ${text}.`,

  // --- keys that are held down ---
  holdForSuit: "Hold a rank to give its suit.",
  whichSuit: (/** @type {string} */ label) => `${label}: which suit?`,
  cancel: "Cancel",

  // --- the end: once more, and for others ---
  rematch: "Rematch",
  review: "Review",
  share: "Share",
  savedToShare: "The picture and the record are in your downloads.",
  notShared: "Sharing failed. Try again.",
  pictureOf: (/** @type {string} */ title) => `${title}: cribbage, kept by cribpi`,

  // --- a hand that is counted: by which rules ---
  countRules: "Rules",
  countedBy: (/** @type {string} */ rules) => `by the ${rules} rules`,
};
