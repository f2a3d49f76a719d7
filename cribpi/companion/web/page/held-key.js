// The dialog of a long press: suits for a rank, power for MENU.

import { useModal } from "/page/act.js";
import { Face, spoken } from "/page/cards.js";
import { enter, offered, opened } from "/page/holds.js";
import { html } from "/page/ui.js";
import { prefer } from "/page/preferences.js";
import { useEffect } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-table.js";
import { WORDS } from "/page/words.js";

const SUITS = ["S", "H", "C", "D"];

/** Suits of a rank, or power off. */
export function HeldMenu() {
  const key = opened.value;
  const choice = offered(key);
  const close = () => (opened.value = "");
  useEffect(() => {
    if (key && !choice) close(); // the game has moved on, unless this is the first draw
  }, [key, choice]);
  return choice && html`<${Choose} choice=${choice} close=${close} />`;
}

/** @param {{ choice: Server.Choice, close: () => void }} props */
function Choose({ choice, close }) {
  const dialog = useModal();
  const { key } = choice;
  const choose = (/** @type {Server.Key} */ chosen) => {
    close();
    if (chosen !== key) prefer("knowsSuits", true);
    enter(chosen);
  };
  return html`
    <dialog class="held-menu" ref=${dialog} aria-labelledby="held-title" onClose=${close} onClick=${(/** @type {Event} */ event) => event.target === dialog.current && close()}>
      <h2 id="held-title">${choice.takes_suit ? TABLE.whichSuit(choice.label) : choice.label}</h2>
      ${choice.takes_suit
        ? html`<p class="suits">${SUITS.map((suit) => html`<button type="button" class="card" key=${suit} data-suit=${suit} aria-label=${spoken(key + suit)}
            onClick=${() => choose(key + suit)}><${Face} card=${key + suit} /></button>`)}</p>`
        : html`<p><button type="button" class="main" onClick=${() => choose(key)}>${choice.label}</button></p>`}
      <button type="button" class="other" onClick=${close}>${WORDS.cancel}</button>
    </dialog>
  `;
}
