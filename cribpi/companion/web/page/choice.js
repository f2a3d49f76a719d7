// The control of an option, as described by the server.

import { html, Segments } from "/page/ui.js";
import { RULES_WORDS as SAYS } from "/page/words-rules.js";
import { useEffect, useState } from "/page/vendor/preact.js";

/** @typedef {{ option: Server.Option, value: string, onChoose: (value: string) => void }} ChoiceOf */
/** @typedef {Event & { target: HTMLInputElement | HTMLSelectElement }} Changed */

const MATCH = /^(first-to|best-of)-(\d+)$/;
const RANGE = /^(\d+) to (\d+)$/; // the server's notation for a range
const MANY = 4; // more values become a list
const USUAL = { "first-to": "3", "best-of": "5" };
const OTHER = "other";

/** @type {(option: Server.Option, value: string) => string} Value's text, also if it was typed. */
export function meaning({ values, others }, value) {
  const text = values.find((one) => one.value === value)?.text;
  const [, kind, games] = MATCH.exec(value) ?? [];
  if (kind && games) return SAYS.matchOf(kind, games);
  return text === undefined ? value : others && /^\d/.test(value) ? `${value}: ${text}` : text;
}

/**
 * Shows the picked value only once the server has accepted it.
 * @type {(value: string, onChoose: (value: string) => void) => (event: Changed) => void}
 */
const taken = (value, onChoose) => ({ target }) => {
  const wanted = target.value;
  target.value = value;
  onChoose(wanted);
};

/**
 * Input for values that can't be picked. Keeps what is being typed during updates, and then the old value until the
 * server accepts the new one.
 * @param {{ value: string, onChoose: (value: string) => void, [attribute: string]: unknown }} props
 */
function Typed({ value, onChoose, ...attributes }) {
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const done = () => setTyped(null);
  const choose = (/** @type {Changed} */ { target }) => {
    done();
    onChoose(target.value.trim());
  };
  return html`<input ...${attributes} value=${typed ?? value} onBlur=${done} onChange=${choose}
    onInput=${(/** @type {Changed} */ { target }) => setTyped(target.value)} />`;
}

/** @param {ChoiceOf} props */
export function Choice(props) {
  const { option } = props;
  const values = option.values.map(({ value }) => value);
  if (option.name === "match") return html`<${Match} ...${props} />`;
  if (option.values.length === 1) return html`<p class="fixed">${option.values[0]?.text}</p>`;
  if (values.length === 2 && values.includes("on") && values.includes("off")) return html`<${Switch} ...${props} />`;
  const range = RANGE.exec(option.others);
  if (range) return html`<${Range} ...${props} least=${range[1]} most=${range[2]} />`;
  if (option.others || values.length > MANY) return html`<${List} ...${props} />`;
  return html`<div class="stack"><${Segments} label=${option.title} value=${props.value} onChoose=${props.onChoose}
    choices=${option.values.map(({ value, text }) => ({ value, title: text }))} /></div>`;
}

/** @param {ChoiceOf} props */
function Switch({ option, value, onChoose }) {
  const isOn = value === "on";
  return html`
    <button type="button" class="switch" role="switch" aria-checked=${String(isOn)} aria-label=${option.title} onClick=${() => onChoose(isOn ? "off" : "on")}>
      <span class="knob" aria-hidden="true"></span><b>${isOn ? SAYS.on : SAYS.off}</b>
      <small>${option.values.find((one) => one.value === value)?.text}</small>
    </button>`;
}

/** @param {{ label: string, value: string, least: string, most: string, onChoose: (value: string) => void }} props */
const Amount = ({ label, value, least, most, onChoose }) => html`
  <${Typed} type="number" inputmode="numeric" aria-label=${label} value=${value} min=${least} max=${most} onChoose=${onChoose} />`;

/** @param {ChoiceOf & { least: string, most: string }} props Buttons for common numbers, and a field for others. */
const Range = ({ option, value, least, most, onChoose }) => html`
  <div class="row">
    <${Segments} label=${option.title} value=${value} onChoose=${onChoose} choices=${option.values.map((one) => ({ value: one.value, title: one.value }))} />
    <${Amount} label=${SAYS.otherValue(option.title, option.others)} value=${value} least=${least} most=${most} onChoose=${onChoose} />
  </div>`;

/** @param {ChoiceOf} props Kind of match and number of games. */
function Match({ value, onChoose, option }) {
  const [, kind = "open", games = ""] = MATCH.exec(value) ?? [];
  const choose = (/** @type {string} */ chosen) =>
    onChoose(chosen === "first-to" || chosen === "best-of" ? `${chosen}-${USUAL[chosen]}` : chosen);
  const [isWrong, setWrong] = useState(false);
  const count = (/** @type {string} */ typed) => {
    const isMatch = /^[1-9]\d?$/.test(typed);
    setWrong(!isMatch);
    if (isMatch) onChoose(`${kind}-${typed}`);
  };
  return html`
    <div class="row">
      <${Segments} label=${option.title} value=${kind} choices=${SAYS.match} onChoose=${choose} />
      ${games && html`<label class="amount"><${Amount} label=${SAYS.matchGames} value=${games} least="1" most="99" onChoose=${count} /> ${SAYS.games(Number(games))}</label>`}
      ${isWrong && html`<p class="refused" role="alert">${SAYS.matchRange}</p>`}
    </div>`;
}

/** @param {ChoiceOf} props List of values, with a field for any others. */
function List({ option, value, onChoose }) {
  const isListed = option.values.some((one) => one.value === value);
  const [isTyping, setTyping] = useState(false);
  useEffect(() => setTyping(false), [value]);
  const isOther = isTyping || !isListed;
  const shown = isOther ? OTHER : value;
  const pick = taken(shown, (wanted) => (wanted === OTHER ? setTyping(true) : (setTyping(false), onChoose(wanted))));
  return html`
    <div class="row">
      <select aria-label=${option.title} onChange=${pick}>
        ${option.values.map((one) => html`<option value=${one.value} selected=${!isOther && one.value === value}>${meaning(option, one.value)}</option>`)}
        ${option.others && html`<option value=${OTHER} selected=${isOther}>${SAYS.other}</option>`}
      </select>
      ${option.others && isOther && html`<${Typed} aria-label=${SAYS.otherValue(option.title, option.others)} placeholder=${option.others} autocomplete="off"
        value=${isListed ? "" : value} onChoose=${onChoose} />`}
    </div>`;
}
