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
  sound: false, voice: false, vibration: false, knowsSuits: false, device: false, quick: false, carry: true, chances: false, hideTotal: false,
  theme: "auto", deck: "two", large: false, count: "normal", countRules: "standard",
};
const KEY = "cribpi";

/** @type {import("/page/vendor/preact.js").Signal<Preferences>} */
export const preferences = signal(storedFields(KEY, USUAL));

/**
 * @template {keyof Preferences} Name
 * @param {Name} name
 * @param {Preferences[Name]} value
 */
export function prefer(name, value) {
  preferences.value = { ...preferences.value, [name]: value };
  store(KEY, JSON.stringify(preferences.value));
}

effect(() => {
  const { theme, deck, large } = preferences.value;
  document.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
  document.documentElement.dataset.deck = deck;
  document.documentElement.toggleAttribute("data-large", large);
});

// --- Browser storage. Everything works without it.

/** @param {string} key @returns {string | null} Null if missing. */
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Return the stored fields, with defaults for the rest.
 * @template {object} T
 * @param {string} key
 * @param {T} usual
 * @returns {T}
 */
export function storedFields(key, usual) {
  try {
    return { ...usual, ...JSON.parse(stored(key) ?? "{}") };
  } catch {
    return usual;
  }
}

/** @param {string} key @param {string | null} text null deletes it */
export function store(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // kept for this visit
  }
}
