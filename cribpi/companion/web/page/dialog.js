// A menu or correction: its prompt, and all choices as a list and buttons.

import { ActionButton, MAIN, standsOut, useFocusWithin } from "/page/act.js";
import { CardText } from "/page/cards.js";
import { Pad } from "/page/keypad.js";
import { Why } from "/page/log.js";
import { MatchTable } from "/page/result.js";
import { Keys, OfTable } from "/page/settings.js";
import { isRank, phone, press } from "/page/store.js";
import { capital, html } from "/page/ui.js";
import { useRef } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const ENDS = ["OK", "UNDO"]; // accept and close, always last

/** @param {{ now: Moment }} props */
export function Dialog({ now: { state, page } }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  useFocusWithin(true, () => root.current?.querySelector(page.table.dialog === "Menu" ? ".line" : "h1"));
  if (page.table.dialog === "ChangeSettings" && !phone.value) return html`<${Changing} page=${page} root=${root} />`;
  const isMenu = page.table.dialog === "Menu";
  const isMatch = page.table.dialog === "MatchSoFar";
  const isWhy = page.table.dialog === "Why";
  const choices = page.choices.filter(({ key }) => !key.startsWith("hold:") && key !== "MENU");
  const isRead = isWhy || page.table.dialog === "Status" || (isMatch && state.phase !== "match-over"); // text only
  const lines = isRead ? [] : choices.filter(({ key }) => isRank(key));
  const closes = choices.some(({ key, short }) => key === "OK" && short === "close"); // no cancel button then
  const ends = ENDS.flatMap((key) => (key === (isMenu ? "OK" : (closes || isRead) && "UNDO") ? []
    : choices.filter((choice) => choice.key === key)));
  const { number } = page;
  // the keypad's way to change the pad's number
  const isStep = (/** @type {Server.Key} */ key) => Boolean(number?.steps) && (key === "FLNB" || (page.sides[key] ?? 2) < 2);
  const steps = isMenu || isRead ? [] : choices.filter((choice) =>
    !lines.includes(choice) && !ENDS.includes(choice.key) && !isStep(choice.key));
  const pick = (/** @type {Server.Key} */ key, /** @type {string} */ place) => {
    press(key, place);
    if (isMenu) press("OK", place); // keypads select a line first, then open it
  };
  const of = page.table.dialog ?? ""; // not the prompt, which changes with each number typed
  return html`
    <section class="dialog" key=${of} ref=${root} aria-labelledby="asked">
      <h1 id="asked" tabindex="-1"><${CardText} text=${isMenu ? WORDS.menu : isMatch ? state.match.text : isWhy ? WORDS.why
        : page.table.asks} /></h1>
      ${page.table.why.map((why) => html`<${Why} why=${why} />`)}
      ${isMatch && html`<${MatchTable} state=${state} />`}
      ${number && html`<${Pad} number=${number} />`}
      ${lines.length > 0 && html`<ol class="lines">${lines.map((one, at) => html`
        <li key=${one.key}><${ActionButton} place=${`line ${at}`} choice=${one} asks=${of} kind="line"
          aria-current=${!isMenu && at === page.table.line ? "true" : undefined}
            onAct=${() => pick(one.key, `line ${at}`)}><${CardText} text=${capital(one.label)} /><//></li>`)}</ol>`}
      ${steps.length > 0 && html`<p class="row">${steps.map((one) => html`
        <${ActionButton} key=${one.key} place=${one.key} choice=${one} asks=${of}><${CardText} text=${one.label} /><//>`)}</p>`}
      <p class="row">
        ${ends.map((one) => html`
          <${ActionButton} key=${one.key} place=${standsOut(one) ? MAIN : one.key} choice=${one} asks=${of} data-side=${one.side}
            data-closes=${one.key === "UNDO" || isRead || closes || null}><${CardText} text=${isRead ? WORDS.close : one.label} /><//>`)}
      </p>
    </section>
  `;
}

/**
 * All settings on one page. The keypad's dialog shows them one line at a time.
 * @param {{ page: Server.Page, root: { current: HTMLElement | null } }} props
 */
const Changing = ({ page, root }) => html`
  <section class="dialog changing" key="ChangeSettings" ref=${root} aria-labelledby="asked">
    <h1 id="asked" tabindex="-1">${WORDS.settings}</h1>
    <${OfTable} />
    <${Keys} />
    <p class="row">${page.choices.filter(({ key }) => key === "OK").map((one) => html`
      <${ActionButton} place=${MAIN} choice=${one} asks="ChangeSettings" data-closes>${one.label}<//>`)}</p>
  </section>
`;
