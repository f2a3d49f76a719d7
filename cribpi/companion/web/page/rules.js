// Rules of the next game: presets, house rules, and each option with its control and its source.

import { Select } from "/page/fields.js";
import { useRefusal } from "/page/hooks.js";
import { useResource } from "/page/resource.js";
import { now, offline, refusal, send } from "/page/store.js";
import { classes, Header, html, Segments } from "/page/ui.js";
import { useEffect, useState } from "/page/vendor/preact.js";
import { RULES_WORDS as SAYS, sourceOf } from "/page/words-more.js";
import { isHouseRule, WORDS } from "/page/words.js";

/** @typedef {Record<string, string>} Changes */
/** @typedef {{ at: string, request: Partial<Server.Setup> }} Tried last request, and its option */

/** @returns {{ rules: Server.Rules | null } & Omit<Shown, "rules" | "preset">} The next game's rules and options. */
export function useRules() {
  const seq = now.value?.state.seq;
  const rules = useResource("/api/rules", seq, offline.value).found;
  const [tried, setTried] = useState(/** @type {Tried | null} */ (null));
  useRefusal(seq, offline.value);
  const ask = (/** @type {string} */ at, /** @type {Partial<Server.Setup>} */ request) => {
    setTried({ at, request });
    send("/api/rules", { ...request, menu: false });
  };
  const change = (/** @type {string} */ at, /** @type {Changes} */ changes) => ask(at, { options: changes });
  return { rules, tried, ask, change };
}

export function RulesPage() {
  const { rules, ...asks } = useRules();
  if (!rules) return html`<main class="failed"><p role="status">${offline.value || WORDS.loading}</p></main>`;
  const { setup, presets, options } = rules;
  const preset = presets.find(({ name }) => name === setup.rules);
  if (!preset) return null;
  const { ask } = asks;
  const shown = { preset, rules, ...asks };
  return html`
    <main class="settings-page rules-page">
      <${Header} />
      <h1>${SAYS.title}</h1>
      <p>${SAYS.forNext} ${rules.playing && !rules.playing.over && SAYS.playedBy(titleOf(rules, rules.playing.rules))}</p>
      ${rules.playing && html`<${Played} options=${options} playing=${rules.playing} />`}
      ${offline.value && html`<p role="status">${offline.value}</p>`}
      <${Differences} ...${shown} />
      <h2>${SAYS.presets}</h2>
      <${Segments} kind="presets" label=${SAYS.presets} value=${preset.name}
        onChoose=${(/** @type {string} */ name) => ask("rules", { rules: name })}
        choices=${presets.map(({ name, title, text }) => ({ value: name, title: html`<b>${title}</b><small>${text}</small>` }))} />
      <${Refused} at="rules" ...${shown} />
      ${[...new Set(options.map(({ group }) => group))].map((group) => html`
        <h2 key=${group}>${group}</h2>
        ${options.filter((one) => one.group === group).map((option) => html`<${Row} key=${option.name} option=${option} ...${shown} />`)}`)}
    </main>
  `;
}

/** @param {{ options: Server.Option[], playing: Server.Game }} props Rules of the current game. */
const Played = ({ options, playing }) => html`
  <details class="source">
    <summary>${SAYS.played}</summary>
    <dl class="played">${options.map((option) => html`
      <div key=${option.name}><dt>${option.title}</dt><dd>${meaning(option, playing.effective[option.name] ?? "")}</dd></div>`)}</dl>
  </details>
`;

/**
 * @typedef {{
 *   preset: Server.Preset, rules: Server.Rules, tried: Tried | null,
 *   ask: (at: string, request: Partial<Server.Setup>) => void, change: (at: string, changes: Changes) => void,
 * }} Shown
 */

/** @type {(rules: Server.Rules, name: string) => string} */
const titleOf = (rules, name) => rules.presets.find((one) => one.name === name)?.title ?? name;
/** @type {(rules: Server.Rules, preset: Server.Preset) => Changes} */
const plainOf = ({ setup }, preset) => preset.effective[setup.players] ?? {};

/** @param {Shown} props */
function Differences({ preset, rules, change }) {
  const plain = plainOf(rules, preset);
  const changed = rules.options.filter(({ name }) => name in rules.setup.options);
  if (!changed.length) return html`<p class="nothing">${SAYS.nothing(preset.title)}</p>`;
  return html`
    <h2>${SAYS.differs(preset.title)}</h2>
    <ul class="differences">
      ${changed.map((option) => html`
        <li key=${option.name} class="setting">
          <span><b>${option.title}</b><small>${meaning(option, rules.setup.options[option.name] ?? "")}</small></span>
          <button type="button" class="other" onClick=${() => change(option.name, { [option.name]: plain[option.name] ?? "" })}>
            ${SAYS.backTo(meaning(option, plain[option.name] ?? ""))}</button>
        </li>`)}
    </ul>
    ${changed.length > 1 && html`<button type="button" class="other" onClick=${() =>
      change("rules", Object.fromEntries(changed.map(({ name }) => [name, plain[name] ?? ""])))}>${SAYS.backToAll(preset.title)}</button>`}
  `;
}

/** @param {Shown & { option: Server.Option }} props */
function Row({ option, ...shown }) {
  const { rules, change, ask } = shown;
  const { name, title, text } = option;
  const value = rules.setup.effective[name] ?? "";
  const values = option.values.filter(({ fits }) => fits);
  const choose = (/** @type {string} */ chosen) =>
    name === "players" ? ask(name, { players: Number(chosen) }) : change(name, { [name]: chosen });
  return html`
    <section class=${classes("setting", "rule")} data-option=${name}>
      <span><b>${title}</b> ${name in rules.setup.options && isHouseRule(name) && html`<em>${SAYS.changed}</em>`}
        <small>${text}</small></span>
      <${Choice} option=${{ ...option, values }} value=${value} onChoose=${choose} />
      <${Refused} at=${name} ...${shown} />
      <${Source} option=${option} />
    </section>
  `;
}

/**
 * Why the last change was refused, and further choices that would make it valid.
 * @param {Pick<Shown, "tried" | "ask"> & { at: string }} props
 */
export function Refused({ at, tried, ask }) {
  const wrong = refusal.value;
  if (!wrong || !tried || tried.at !== at) return null;
  return html`
    <div class="refused" role="alert">
      <p>${wrong.sentence}</p>
      ${wrong.remedies.filter(({ option }) => option !== at).map(({ option, title, value, text }) => html`
        <button type="button" class="other" onClick=${() =>
          ask(at, { ...tried.request, options: { ...tried.request.options, [option]: value } })}>
          ${SAYS.insteadChoose(title, text)}</button>`)}
      <button type="button" class="other" onClick=${() => (refusal.value = null)}>${SAYS.leave}</button>
    </div>
  `;
}

/** @param {{ option: Server.Option }} props */
const Source = ({ option }) => html`
  <details class="source">
    <summary>${SAYS.source}</summary>
    ${Object.entries(option.citations).map(([source, words]) => html`
      <blockquote key=${source}>
        <b>${sourceOf(source)}</b> ${(option.says[source] ?? []).map((value) => meaning(option, value)).join(SAYS.or)}
        <q>${words}</q>
      </blockquote>`)}
    ${!Object.keys(option.citations).length && html`<p>${SAYS.noSource}</p>`}
  </details>
`;

// --- The control of an option, as described by the server.

/** @typedef {{ option: Server.Option, value: string, onChoose: (value: string) => void }} ChoiceOf */

const RANGE = /^(\d+) to (\d+)$/; // the server's notation for a range
const MANY = 4; // more values become a list
const USUAL = { "first-to": "3", "best-of": "5" };
const OTHER = "other";

/** @type {(value: string) => { kind?: string, games?: string }} "best-of-5", unless games are single. */
export const matchParts = (value) => /^(?<kind>first-to|best-of)-(?<games>\d+)$/.exec(value)?.groups ?? {};

/** @type {(option: Server.Option, value: string) => string} Value's text, also if it was typed. */
export function meaning({ values, others }, value) {
  const text = values.find((one) => one.value === value)?.text;
  const { kind, games } = matchParts(value);
  if (kind && games) return SAYS.matchOf(kind, games);
  return text === undefined ? value : others && /^\d/.test(value) ? `${value}: ${text}` : text;
}

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
  if (range) return html`<${Range} ...${props} least=${range[1] ?? ""} most=${range[2] ?? ""} />`;
  if (option.others || values.length > MANY) return html`<${List} ...${props} />`;
  return html`<div class="stack"><${Segments} label=${option.title} value=${props.value} onChoose=${props.onChoose}
    choices=${option.values.map(({ value, text }) => ({ value, title: text }))} /></div>`;
}

/** @param {ChoiceOf} props */
function Switch({ option, value, onChoose }) {
  const isOn = value === "on";
  return html`
    <button type="button" class="switch" role="switch" aria-checked=${String(isOn)} aria-label=${option.title}
      onClick=${() => onChoose(isOn ? "off" : "on")}>
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
    <${Segments} label=${option.title} value=${value} onChoose=${onChoose}
      choices=${option.values.map((one) => ({ value: one.value, title: one.value }))} />
    <${Amount} label=${SAYS.otherValue(option.title, option.others)} value=${value} least=${least} most=${most} onChoose=${onChoose} />
  </div>`;

/** @param {ChoiceOf} props Kind of match and number of games. */
function Match({ value, onChoose, option }) {
  const { kind = "open", games = "" } = matchParts(value);
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
      ${games && html`<label class="amount"><${Amount} label=${SAYS.matchGames} value=${games} least="1" most="99"
        onChoose=${count} /> ${SAYS.games(Number(games))}</label>`}
      ${isWrong && html`<p class="refused" role="alert">${SAYS.matchRange}</p>`}
    </div>`;
}

/** @param {ChoiceOf} props List of values, with a field for any others. */
function List({ option, value, onChoose }) {
  const isListed = option.values.some((one) => one.value === value);
  const [isTyping, setTyping] = useState(false);
  useEffect(() => setTyping(false), [value]);
  const isOther = isTyping || !isListed;
  const pick = (/** @type {string} */ wanted) => {
    setTyping(wanted === OTHER);
    if (wanted !== OTHER) onChoose(wanted);
  };
  const choices = option.values.map((one) => ({ value: one.value, title: meaning(option, one.value) }));
  return html`
    <div class="row">
      <${Select} label=${option.title} value=${isOther ? OTHER : value} onChoose=${pick}
        choices=${option.others ? [...choices, { value: OTHER, title: SAYS.other }] : choices} />
      ${option.others && isOther && html`<${Typed} aria-label=${SAYS.otherValue(option.title, option.others)} placeholder=${option.others}
        autocomplete="off"
        value=${isListed ? "" : value} onChoose=${onChoose} />`}
    </div>`;
}
