// The texts of the phones' pages, and of the list of phones in the settings.

import { YOU } from "/page/words.js";

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
  starter: "starter",
  toGo: (/** @type {number} */ left) => (left === 31 ? "of 31" : `${left} to 31`),
  over: "Game over",

  title: "Phones",
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
  remove: "Remove",
  removeOf: (/** @type {number} */ number) => `Remove phone ${number}`,
  failed: "The phones can't be shown. Reload the page.",
};
