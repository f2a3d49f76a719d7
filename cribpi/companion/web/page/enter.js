// Enter presses the button that stands out, also where no game is.

/** Where a game is shown, and each key is pressed for what it does there. */
export const TABLE = "main[data-phase]";

/** The button that Enter presses: the dark one, if one is seen. */
export function enters() {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-enter], main:not([data-phase]) .main:enabled, main:not([data-phase]) a.main"));
  return [...buttons].find((button) => button.offsetParent !== null);
}

/** The button that Escape presses: it closes what lies on top. */
export function closes() {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-closes]"));
  return [...buttons].reverse().find((button) => button.offsetParent !== null);
}

/** @param {KeyboardEvent} event Whether the page may take it: it is no shortcut of the browser, and no dialog is open. */
export const isForPage = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat && !document.querySelector("dialog[open]");

/** @param {KeyboardEvent} event */
const at = ({ target }) => (target instanceof Element ? target : document.body);

/** @param {KeyboardEvent} event Whether it belongs to a text that is typed. */
export const isTyped = (event) => at(event).closest("input:not([type=range]), textarea, select") !== null;

addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !isForPage(event) || document.querySelector(TABLE)) return;
  const isFocused = at(event).closest("button:not([aria-checked=true]), a, summary") !== null; // what has the focus is pressed, unless it is chosen already
  const way = at(event).closest(".way"); // what is typed or chosen there is for its own button
  const button = isFocused ? null : way ? way.querySelector(".begin") : isTyped(event) ? null : enters();
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  button.click();
});
