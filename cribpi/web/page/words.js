// Every text of the page that the table doesn't say itself, in one place.

/** @type {(count: number, one: string, many?: string) => string} */
const amount = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

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
  level: "How well the computer plays",
  target: "Play to",
  to: (/** @type {string | number} */ target) => `to ${target}`,
  openGame: "Your open game",
  resume: "Continue",
  ends: "Starting a new game ends the open one. It stays in your games.",
  rules: (/** @type {string} */ name) => `Rules: ${name}`,
  device: "Screen and keypad",
  deviceText: "The device, key for key",
  countHand: "Count a hand",
  countHandText: "Any five cards, line by line",

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
  toGo: (/** @type {number} */ left) => `${left} to 31`,
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
  over31: (/** @type {number} */ count, /** @type {number} */ pips) => `${count} + ${pips} = ${count + pips}, over 31`,

  // --- the show ---
  shows: (/** @type {string} */ name) => `${name} shows`,
  soFar: (/** @type {number} */ total) => `so far, of ${total}`,
  inAll: "in all",
  yourCount: "your count",
  add: (/** @type {string} */ points) => `Add ${points}`,
  nineteen: 'a "nineteen": nothing',
  next: "Next",
  back: "Back",
  pause: "Pause",
  goOn: "Go on",
  step: (/** @type {number} */ at, /** @type {number} */ of) => `${at} of ${of}`,

  // --- the settings ---
  settings: {
    title: "Settings",
    onOff: [{ value: "true", title: "On" }, { value: "false", title: "Off" }],
    sound: { title: "Sound", text: "A short sound for cards, points and the end" },
    voice: { title: "Voice", text: "The count, spoken as players say it" },
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
    sample: "Fifteen two, fifteen four, and a pair is six",
    more: "Names, house rules and the screen with its keypad",
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
  newGame: "New game",
};
