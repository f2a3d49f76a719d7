// A menu or a correction: what is asked, and everything that can be chosen, as a list and buttons.

import { capital, classes, html } from "/page/html.js";
import { matchTitle, MatchTable } from "/page/match.js";
import { OfTable } from "/page/settings.js";
import { phone, press } from "/page/store.js";
import { WORDS } from "/page/words.js";

const LINE = /^(?:[A2-9]|10|[JQK])$/; // a line, by its number
const ENDS = ["OK", "UNDO"]; // accept it, or close it: always the last buttons

/** @param {{ now: import("/page/store.js").Moment }} props */
export function Dialog({ now: { state, page } }) {
  if (page.table.dialog === "ChangeSettings" && !phone.value) return html`<${Changing} page=${page} />`;
  const isMenu = page.table.dialog === "Menu";
  const isMatch = page.table.dialog === "MatchSoFar";
  const choices = page.choices.filter(({ key }) => !key.startsWith("hold:") && key !== "MENU");
  const lines = choices.filter(({ key }) => LINE.test(key));
  const ends = ENDS.flatMap((key) => (isMenu && key === "OK" ? [] : choices.filter((choice) => choice.key === key)));
  const steps = isMenu ? [] : choices.filter((choice) => !lines.includes(choice) && !ENDS.includes(choice.key));
  const pick = (/** @type {Server.Key} */ key) => {
    press(key);
    if (isMenu) press("OK"); // on the keypad a line is first chosen, then opened
  };
  return html`
    <section class="dialog" aria-labelledby="asked">
      <h1 id="asked">${isMenu ? WORDS.menu : isMatch ? matchTitle(state) : page.table.asks}</h1>
      ${isMatch && html`<${MatchTable} state=${state} />`}
      ${lines.length > 0 && html`<ol class="lines">${lines.map((one, at) => html`
        <li key=${one.key}><button type="button" class="line" aria-current=${!isMenu && at === page.table.line ? "true" : undefined} onClick=${() => pick(one.key)}>${capital(one.label)}</button></li>`)}</ol>`}
      ${steps.length > 0 && html`<p class="row">${steps.map((one) => html`
        <button type="button" key=${one.key} class="other" onClick=${() => press(one.key)}>${one.label}</button>`)}</p>`}
      <p class="row">
        ${ends.map((one) => html`
          <button type="button" key=${one.key} class=${classes(one.key === "OK" ? "main" : "other")} onClick=${() => press(one.key)}>
            ${one.label}
          </button>`)}
      </p>
    </section>
  `;
}

/** @param {{ page: Server.Page }} props The settings that the keypad changes line by line: here all at once. */
const Changing = ({ page }) => html`
  <section class="dialog changing" aria-labelledby="asked">
    <h1 id="asked">${WORDS.settings}</h1>
    <${OfTable} />
    <p class="row">${page.choices.filter(({ key }) => key === "OK").map((one) => html`
      <button type="button" class="main" onClick=${() => press(one.key)}>${one.label}</button>`)}</p>
  </section>
`;
