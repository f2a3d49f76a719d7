// Fields of forms and rows of settings.

import { html } from "/page/ui.js";

/** @type {(act: (value: string) => unknown) => (event: Changed) => void} Listener that passes on a field's value. */
export const valueTo = (act) => ({ target }) => void act(target.value);

/** @typedef {{ value: string, title: string, isName?: boolean }} Choosable `isName`: not to be translated */

/**
 * The picked value is shown once it is taken.
 * @param {{ label?: string, value: string, choices: Choosable[], onChoose: (value: string) => void }} props
 */
export function Select({ label, value, choices, onChoose }) {
  const pick = (/** @type {Changed} */ { target }) => {
    const wanted = target.value;
    target.value = value;
    onChoose(wanted);
  };
  return html`
    <select aria-label=${label} value=${value} onChange=${pick}>
      ${choices.map((one) => html`
        <option key=${one.value} value=${one.value} selected=${one.value === value}
          TRANSLATE=${one.isName ? "no" : undefined}>${one.title}</option>`)}
    </select>`;
}

/** @param {{ title: string, text: string, children: unknown }} props Row of the settings. */
export const Setting = ({ title, text, children }) => html`
  <div class="setting"><span><b>${title}</b><small>${text}</small></span>${children}</div>`;
