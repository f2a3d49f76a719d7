// `?` lists the keyboard shortcuts.

import { useModal } from "/page/act.js";
import { enters, isForPage, isTyped, TABLE } from "/page/enter.js";
import { html } from "/page/ui.js";
import { TYPED } from "/page/keyboard.js";
import { isCard, now } from "/page/store.js";
import { render, signal } from "/page/vendor/preact.js";
import { KEYS as SAYS } from "/page/words-keys.js";
import { WORDS } from "/page/words.js";

const isOpen = signal(false);
/** Open the list. */
export const listKeys = () => void (isOpen.value = true);

/** @type {Partial<Record<string, string>>} */
const CAPS = { arrowup: "↑", arrowdown: "↓", arrowleft: "←", arrowright: "→" };

/** Return the available keys and their actions. */
function rows() {
  const page = document.querySelector(TABLE) ? now.value?.page : undefined;
  const choices = page?.choices ?? [];
  const isMenu = page?.table.dialog === "Menu";
  const hasCards = !page?.number && !isMenu && choices.some(({ key }) => isCard(key));
  /** @type {(string | false | undefined)[][]} */
  const found = [
    ["Enter", enters()?.textContent || SAYS.enter],
    ["0 – 9, Backspace", Boolean(page?.number) && SAYS.number],
    ["A, 2 – 9, 0, J, Q, K", hasCards && (now.value?.state.entry === "dealt" ? SAYS.ownCard : SAYS.anyCard)],
    ["Shift + A", choices.some((choice) => choice.takes_suit) && SAYS.suit],
    ...Object.entries(TYPED).map(([typed, key]) => [CAPS[typed] ?? typed.toUpperCase(), typed !== "enter" && !isCard(key ?? "") && choices.find((choice) => choice.key === key)?.label]),
    ["↑, ↓", isMenu && SAYS.lines],
    ["←, →", document.querySelector(".past-game") !== null && SAYS.moves],
    ["Tab", SAYS.next],
    ["Esc", SAYS.close],
    ["?", SAYS.list],
  ];
  return found.filter(([, does]) => does);
}

function Keys() {
  const dialog = useModal();
  const close = () => void (isOpen.value = false);
  return html`
    <dialog class="held-menu keys-list" ref=${dialog} aria-labelledby="keys-title" onClose=${close} onClick=${(/** @type {Event} */ event) => event.target === dialog.current && close()}>
      <h2 id="keys-title">${SAYS.title}</h2>
      <dl>${rows().map(([keys, does]) => html`<div><dt>${String(keys).split(", ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${does}</dd></div>`)}</dl>
      <button type="button" class="main" onClick=${close}>${WORDS.close}</button>
    </dialog>
  `;
}

addEventListener("keydown", (event) => {
  if (event.key === "?" && isForPage(event) && !isTyped(event)) listKeys();
});

const Listed = () => isOpen.value && html`<${Keys} />`;
render(html`<${Listed} />`, document.body.appendChild(document.createElement("div")));
