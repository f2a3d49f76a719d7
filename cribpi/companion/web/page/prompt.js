// The prompt, whose turn it is, and the buttons.

import { ActionButton, MAIN, standsOut } from "/page/act.js";
import { pips, CardText } from "/page/cards.js";
import { raised } from "/page/hand.js";
import { hasOwnKeys } from "/page/keypad.js";
import { preferences } from "/page/preferences.js";
import { isCard, offline, phone, press, refusal } from "/page/store.js";
import { capital, classes, html } from "/page/ui.js";
import { TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** Keys with their own place on the page. */
const TOOLS = new Set(["UNDO", "MENU", "FLNB", "hold:UNDO", "hold:MENU"]);
const IN_DIALOG = new Set(["MENU", "hold:UNDO", "hold:MENU"]);

/** Return the person this page is for: the only one, or the one whose hand is open or next. @param {Moment} now */
export function viewerSeat({ state, page }) {
  if (phone.value) return phone.value.seat;
  const persons = state.seats.flatMap(({ level }, seat) => (level ? [] : [seat]));
  return persons.length === 1 ? (persons[0] ?? null) : page.hand?.seat ?? page.felt?.hides ?? null;
}

/** Return the choices likely now, without cards and tools. @param {Server.Page} page */
export function likelyActions({ choices, table }) {
  if (table.by_itself) return [];
  // unless a card can be played
  if (table.dialog === "Undone") return choices.filter(({ key }) => key === "OK" && !choices.some((one) => isCard(one.key)));
  const tools = table.dialog ? IN_DIALOG : TOOLS; // in a dialog UNDO is an answer, not a tool
  const found = choices.filter((choice) => choice.likely && !isCard(choice.key) && !tools.has(choice.key));
  return found.filter((choice, at) => found.findIndex((other) => other.label === choice.label) === at);
}

/** @param {Moment} now Return the seat to act: the open hand's before a computer's that discards at the same time. */
export const seatToAct = ({ state, page }) =>
  (page.hand?.wanted ? page.hand.seat : null) ?? page.thinking
    ?? (state.phase === "show" || state.phase === "crib" ? page.shower : (state.turn ?? page.hand?.seat ?? null));

/** Return the side of the only person, or null. @param {Moment} now */
export function viewerSide(now) {
  const { seats } = now.state;
  const me = viewerSeat(now);
  const isAlone = phone.value ? me !== null : seats.filter(({ level }) => !level).length === 1;
  return isAlone && me !== null ? (seats[me]?.side ?? null) : null;
}

/**
 * Buttons for `found`, the main one standing out.
 * @param {{ page: Server.Page, found: Server.Choice[], seats: Server.State["seats"] }} props
 */
export const ActionButtons = ({ page, found, seats }) =>
  found.map((one, at) => html`<${ActionButton} key=${one.key} place=${standsOut(one) ? MAIN : `${at}`} choice=${one}
    asks=${page.table.asks}><${Named} text=${one.label} seats=${seats} /><//>`);

const LONG = 12; // letters; longer names may be cut to fit

/** Sentence or label in which long names are cut to fit. @param {{ text: string, seats: Server.State["seats"] }} props */
export function Named({ text, seats }) {
  const name = seats.map((seat) => seat.name).filter((one) => one.length > LONG)
    .sort((a, b) => b.length - a.length).find((one) => text.includes(one));
  if (!name) return html`<${CardText} text=${text} />`;
  const at = text.indexOf(name);
  return html`<${CardText} text=${text.slice(0, at)} /><bdi class="long-name">${name}</bdi>
    <${CardText} text=${text.slice(at + name.length)} />`;
}

/** @param {Moment} now Prompt of a points game's pad, which has no cut and no jack. */
export const byPoints = ({ state, page }) => state.entry === "peg" && (state.phase === "cut" ? TABLE.whoDeals : page.carry.says);

/**
 * Return the choices with a button: on the page's own keypad, GO has a key, and FLNB has none.
 * @type {(page: Server.Page, isOwn: boolean) => Server.Choice[]}
 */
function buttonsOf(page, isOwn) {
  const likely = likelyActions(page);
  if (!isOwn || page.table.dialog) return likely;
  const extra = page.table.suits.length ? [] : page.choices.filter((choice) => choice.key === "FLNB" && choice.likely);
  return [...likely.filter(({ key }) => key !== "GO"), ...extra];
}

/** @typedef {{ now: Moment, isEarly?: boolean, isClosed?: boolean, isPadded?: boolean }} PromptProps */

/** @param {PromptProps} props Prompt, turn and buttons, unless they are on the pad or would reveal too much. */
export function Prompt({ now, isEarly = false, isClosed = false, isPadded = false }) {
  const { state, page } = now;
  const { dialog, suits, asks } = page.table;
  const card = raised.value;
  const isPlay = state.entry === "dealt" && state.phase === "play";
  const lifted = isPlay ? page.choices.find(({ key }) => key === card) : undefined;
  const isOwn = hasOwnKeys(state);
  const found = isEarly || isPadded ? [] : buttonsOf(page, isOwn);
  const hasMany = isOwn && !dialog && found.length + suits.length > 1; // full width on small screens
  const isWaiting = page.thinking !== null && !page.hand?.wanted;
  const look = [isWaiting && "waits", dialog && dialog !== "Undone" && "question", isOwn && "named", hasMany && "many"];
  const text = (isPadded && byPoints(now)) || asks || state.prompt;
  return html`
    <section class=${classes("asked", ...look)} data-side=${state.seats[seatToAct(now) ?? -1]?.side} aria-label=${WORDS.yourTurn}>
      <div class="what">
        <h1>${lifted ? WORDS.yourTurn : html`<${Named} text=${text} seats=${state.seats} />`}</h1>
        <${Remark} now=${now} carries=${isOwn && !preferences.value.device} />
      </div>
      <div class="buttons">
        ${suits.length > 0 && html`<${Suits} suits=${suits} />`}
        ${lifted && card
          ? html`<${ActionButton} place=${MAIN} choice=${lifted} asks=${asks}>
              <${CardText} text=${capital(lifted.short)} />${!isClosed
                && html`<span class="makes">${WORDS.makes(state.count + pips(card))}</span>`}<//>`
          : html`<${ActionButtons} page=${page} found=${found} seats=${state.seats} />`}
      </div>
    </section>
  `;
}

/**
 * Suits that could add points to the hand being counted. The kit's key steps through them.
 * @param {{ suits: Server.TableOf["suits"] }} props
 */
const Suits = ({ suits }) => html`
  <span class="chips" role="group" aria-label=${TABLE.suits}>
    ${suits.map(({ says, is_on, presses }) => html`<button type="button" class="chip" key=${says} aria-pressed=${String(is_on)}
      onClick=${() => Array.from({ length: presses }, () => press("FLNB"))}>${says}</button>`)}
  </span>`;

/** @param {{ now: Moment, carries?: boolean }} props Remark next to the prompt: connection, refusal, message, or implied shows. */
export function Remark({ now: { state, page }, carries = false }) {
  const wrong = refusal.value;
  if (offline.value) return html`<p class="remark wrong" role="status"><${CardText} text=${offline.value} /></p>`;
  if (wrong) {
    const meanwhile = page.table.dialog === "Undone" ? state.message : page.log[0]?.text; // the log has no line for an undo
    return html`<p class=${classes("remark", wrong.sentence !== page.table.asks && "wrong")}
      role="alert"><${CardText} text=${wrong.sentence} />
        ${wrong.meanwhile === state.seq && meanwhile && html` <${CardText} text=${TABLE.meanwhile(meanwhile)} />`}
      ${wrong.why && wrong.why.source !== "cribpi" && html` <details><summary>${WORDS.why}</summary>${wrong.why.text}</details>`}</p>`;
  }
  const { hand } = page;
  const { message } = state;
  if (message) return html`<p class="remark"><${CardText} text=${message} /></p>`;
  // tap to show it all
  if (page.trouble[0]) return html`<details class="remark trouble"><summary><${CardText} text=${page.trouble[0]} /></summary></details>`;
  if (hand && hand.chosen.length < hand.wanted && state.phase === "deal")
    return html`<p class="remark">${WORDS.chosen(hand.chosen.length, hand.wanted)}</p>`;
  if (carries && page.carry.says && !page.table.dialog) return html`<p class="remark carry"><${CardText} text=${page.carry.says} />.</p>`;
  return null;
}
