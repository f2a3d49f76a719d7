// Look and sound of this page, saved in this browser only, as all that `stored` keeps. Everything works without storage.

import { effect, signal } from "/page/vendor/preact.js";

/**
 * @typedef {object} Preferences
 * @property {boolean} sound
 * @property {boolean} voice
 * @property {boolean} vibration
 * @property {boolean} knowsSuits has given a card its suit on the keypad
 * @property {boolean} device its screen and keypad are shown beside the table
 * @property {boolean} quick a card is played with one tap
 * @property {boolean} carry one press at the show goes on from hand to hand
 * @property {boolean} chances the chance of winning is shown in a game of two sides
 * @property {"auto" | "light" | "dark"} theme
 * @property {"two" | "four"} deck colours of the suits
 * @property {boolean} large whether ranks and suits in the corners are large
 * @property {string} countRules by which preset any hand is counted
 * @property {boolean} hideTotal what a hand is worth is hidden until its count is asked for
 * @property {"slow" | "normal" | "quick"} count how fast a count is walked through
 */

/** @type {Preferences} */
const USUAL = {
  sound: false, voice: false, vibration: false, knowsSuits: false, device: false, quick: false, carry: true, chances: false,
    hideTotal: false,
  theme: "auto", deck: "two", large: false, count: "normal", countRules: "standard",
};

export const preferences = stored("cribpi", USUAL);

/** @template {keyof Preferences} Name @param {Name} name @param {Preferences[Name]} value */
export function prefer(name, value) {
  preferences.value = { ...preferences.value, [name]: value };
}

effect(() => {
  const { theme, deck, large } = preferences.value;
  document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
  document.documentElement.dataset.deck = deck;
  document.documentElement.toggleAttribute("data-large", large);
});

/**
 * Return a signal whose value this browser keeps under `key`, as JSON or as plain text; null deletes it.
 * @template T
 * @param {string} key
 * @param {T} usual first value, and default for fields that are not stored
 * @returns {Signal<T>}
 */
export function stored(key, usual) {
  const kept = signal(read(key, usual));
  let last = kept.peek();
  kept.subscribe((value) => {
    if (value === last) return;
    last = value;
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, typeof value === "string" ? value : JSON.stringify(value));
    } catch {
      // kept for this visit
    }
  });
  return kept;
}

/** @template T @param {string} key @param {T} usual @returns {T} */
function read(key, usual) {
  const hasFields = typeof usual === "object" && usual !== null;
  let text = null;
  try {
    text = localStorage.getItem(key);
    const found = JSON.parse(text ?? "null") ?? usual;
    return hasFields ? { ...usual, ...found } : found;
  } catch {
    return hasFields ? usual : /** @type {any} */ (text ?? usual);
  }
}
