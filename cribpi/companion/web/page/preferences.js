// Look and sound of this page, saved in this browser only.

import { store, storedFields } from "/page/stored.js";
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
