// The texts of the settings, a part of the catalogue in words.js: the start does without them.

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
  quick: { title: "Play with one tap", text: "Otherwise a finger's first tap lifts a card, and the second plays it; a mouse needs one click" },
  carry: { title: "One press at the show", text: "Alone against the computer: after it, each hand and the crib is counted and pegged by itself. Pause stops it" },
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
  cancel: "Cancel",
  sample: "Fifteen two, fifteen four, and a pair is six",
};
