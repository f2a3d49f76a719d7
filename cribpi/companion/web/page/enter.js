// Enter presses the visible main button, with or without a game.

/** Selector of a game's page, where keys have their own meanings. */
export const GAME_PAGE = "main[data-phase]";

/** Return the visible main button, which Enter presses. */
export function mainButton() {
  const selector = "[data-enter], main:not([data-phase]) :is(.main:enabled, a.main)";
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector));
  return [...buttons].find((button) => button.offsetParent !== null);
}

/** Return the button that closes the topmost part, for Escape. */
export function closingButton() {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-closes]"));
  return [...buttons].reverse().find((button) => button.offsetParent !== null);
}

/** @param {KeyboardEvent} event Whether the page may handle the key: no browser shortcut, and no dialog open. */
export const isForPage = (event) => !event.ctrlKey
  && !event.metaKey && !event.altKey && !event.repeat && !document.querySelector("dialog[open]");

/** @param {KeyboardEvent} event */
const targetOf = ({ target }) => (target instanceof Element ? target : document.body);

/** @param {KeyboardEvent} event Whether the key is typed into a field. */
export const isTyped = (event) => targetOf(event).closest("input:not([type=range], [type=radio]), textarea, select") !== null;

addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !isForPage(event)) return;
  const isFocused = targetOf(event).closest("button, a, summary") !== null; // a focused button acts itself
  const way = targetOf(event).closest(".way"); // fields there belong to that form's button
  const button = isFocused ? null : way ? way.querySelector(".begin") : isTyped(event) ? null : mainButton();
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  button.click();
});
