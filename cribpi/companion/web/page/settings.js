// Settings of this browser, and those saved for the table and its device.

import { Select, Setting, valueTo } from "/page/fields.js";
import { listKeys } from "/page/input.js";
import { Phones } from "/page/phones.js";
import { prefer, preferences } from "/page/preferences.js";
import { useResource } from "/page/resource.js";
import { Refused, useRules } from "/page/rules.js";
import { buzz, canBuzz, play, say } from "/page/sound.js";
import { now, offline, phone, refusal, send } from "/page/store.js";
import { Header, html, Segments } from "/page/ui.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { SETTINGS as SAYS } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

const FEW = 3; // maximum number of choices side by side
const RULE = "miscount";
const PLAY = /** @type {const} */ (["count", "hideTotal", "quick", "carry", "chances"]);
const LOOKS = /** @type {const} */ (["sound", "voice", "vibration", "deck", "large", "theme"]);

export function Settings() {
  const wrong = offline.value || (!refusal.value?.remedies.length && refusal.value?.sentence);
  return html`
    <main class="settings-page">
      <${Header} />
      <h1>${WORDS.settings}</h1>
      ${wrong && html`<p class="remark wrong" role="alert">${wrong}</p>`}
      <h2>${SAYS.play}</h2>
      <${WhoCounts} />
      <${Screen} names=${PLAY} />
      <${Heading} group="screen" />
      <${Screen} names=${LOOKS} />
      <${OfTable} />
      <${Keys} />
      <${Phones} />
      <a class="setting" href="#device"><span><b>${WORDS.device}</b><small>${WORDS.deviceText}</small></span></a>
    </main>
  `;
}

/** Settings saved for the table and device. */
export function OfTable() {
  const loaded = useResource("/api/settings", offline.value);
  const found = loaded.isFailed ? null : loaded.found;
  const rows = (/** @type {Server.Setting["group"]} */ group) => found?.settings.filter((one) => one.group === group) ?? [];
  return html`
    <${Heading} group="table" />
    ${rows("table").map((row) => html`<${Row} key=${row.name} row=${row} />`)}
    ${/** @type {const} */ (["rules", "opponents"]).map((page) => html`
      <a class="setting" href=${page === "opponents" ? "#" : `#${page}`}>
        <span><b>${SAYS[page].title}</b><small>${SAYS[page].text}</small></span></a>`)}
    <h3>${SAYS.groups.automatic.title}</h3>
    ${rows("automatic").map((row) => html`<${Row} key=${row.name} row=${row} />`)}
    <${Heading} group="device" />
    ${rows("device").map((row) => html`<${Row} key=${row.name} row=${row} />`)}
    ${found && found.power.length > 0 && html`<${PowerOf} ways=${found.power} />`}
  `;
}

/** Link to the list of keys. */
export const Keys = () => html`
  <${Setting} title=${SAYS.keys.title} text=${SAYS.keys.text}>
    <div class="buttons"><button type="button" class="other" onClick=${listKeys}>${SAYS.keys.show}</button></div><//>`;

/** @param {{ group: "screen" | "table" | "device" }} props */
const Heading = ({ group }) => html`<h2>${SAYS.groups[group].title}</h2><p>${SAYS.groups[group].text}</p>`;

/** Rule of the next game: who counts hands, and who gets missed points. */
function WhoCounts() {
  const { rules, tried, ask, change } = useRules();
  const option = rules?.options.find(({ name }) => name === RULE);
  if (!rules || !option) return html`<div class="setting who-counts"><span><b>${SAYS.whoCounts.title}</b></span></div>`;
  const value = rules.setup.effective[RULE] ?? "";
  const played = rules.playing && !rules.playing.over ? rules.playing.effective[RULE] : value;
  const meaning = (/** @type {string | undefined} */ one) => option.values.find((each) => each.value === one)?.text ?? "";
  return html`
    <div class="setting who-counts">
      <span><b>${SAYS.whoCounts.title}</b><small role="status">${SAYS.whoCounts.next(meaning(value))}
        ${played !== value && ` ${SAYS.whoCounts.open(meaning(played))}`}</small></span>
      <${Segments} label=${SAYS.whoCounts.title} value=${value}
        choices=${SAYS.whoCounts.choices.filter((one) => option.values.some(({ value, fits }) => fits && value === one.value))}
        onChoose=${(/** @type {string} */ chosen) => change(RULE, { [RULE]: chosen })} />
      <${Refused} at=${RULE} tried=${tried} ask=${ask} />
    </div>`;
}

/** @typedef {(typeof PLAY)[number] | (typeof LOOKS)[number]} Name */

/** @type {Partial<Record<Name, () => void>>} What is heard or felt when a setting is turned on. */
const SAMPLES = { sound: () => play("peg"), voice: () => say(SAYS.sample), vibration: () => buzz("peg") };

/** @param {{ names?: readonly Name[] }} props Settings of this browser, or some of them. */
export const Screen = ({ names = [...PLAY, ...LOOKS] }) =>
  names
    .filter((name) => (name === "chances" ? !phone.value : name !== "vibration" || canBuzz()))
    .map((name) => html`<${OfScreen} key=${name} name=${name} />`);

/** @param {{ name: Name }} props */
function OfScreen({ name }) {
  const says = SAYS[name];
  const choose = (/** @type {any} */ chosen) => {
    prefer(name, "choices" in says ? chosen : chosen === "true");
    if (chosen === "true") SAMPLES[name]?.();
  };
  return html`
    <${Setting} title=${says.title} text=${says.text}>
      <${Segments} label=${says.title} value=${String(preferences.value[name])} onChoose=${choose}
        choices=${"choices" in says ? says.choices : SAYS.onOff} /><//>`;
}

/** @param {{ row: Server.Setting }} props A saved setting. */
function Row({ row }) {
  const value = now.value?.page.settings[row.name] ?? row.value;
  const choose = (/** @type {string} */ wanted) => send("/api/settings", { [row.name]: wanted });
  const Control = row.choices.length <= FEW ? Segments : row.choices.every(({ value: one }) => /^\d+$/.test(one)) ? Slide : Select;
  return html`
    <${Setting} title=${row.title} text=${row.text}>
      <${Control} label=${row.title} value=${value} choices=${row.choices} onChoose=${choose} /><//>`;
}

/**
 * Slider over choices, applied at once; it doesn't jump back meanwhile.
 * @param {{ label: string, value: string, choices: { value: string, title: string }[], onChoose: (value: string) => void }} props
 */
function Slide({ label, value, choices, onChoose }) {
  const [moved, setMoved] = useState(/** @type {number | null} */ (null));
  const kept = choices.findIndex((one) => one.value === value);
  useEffect(() => {
    if (moved === kept) setMoved(null);
  }, [moved, kept]);
  const at = moved ?? kept;
  const title = choices[at]?.title ?? value;
  const move = (/** @type {string} */ moved) => {
    setMoved(Number(moved));
    onChoose(choices[Number(moved)]?.value ?? value);
  };
  return html`
    <div class="slide">
      <input type="range" min="0" max=${choices.length - 1} value=${at} aria-label=${label} aria-valuetext=${title}
        onInput=${valueTo(move)} />
      <output>${title}</output>
    </div>`;
}

/** @param {{ ways: Server.Power[] }} props Restart and power off, each with confirmation. */
function PowerOf({ ways }) {
  const [asked, setAsked] = useState(/** @type {Server.Power | null} */ (null));
  const [isSent, setSent] = useState(false);
  const cancel = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => cancel.current?.focus(), [asked]);
  const confirm = (/** @type {Server.Power} */ power) => {
    send("/api/power", { power });
    setSent(true);
    setAsked(null);
  };
  return html`
    <div class="setting" role="group" aria-label=${SAYS.powerTitle}>
      <span><b>${SAYS.powerTitle}</b><small role="status">
        ${asked ? SAYS.power[asked].question : isSent && now.value?.state.message}</small></span>
      <div class="buttons">
        ${asked
          ? html`<button type="button" class="main" onClick=${() => confirm(asked)}>${SAYS.power[asked].action}</button>
              <button type="button" class="other" ref=${cancel} onClick=${() => setAsked(null)}>${WORDS.cancel}</button>`
          : ways.map((way) => html`<button type="button" key=${way} class="other"
            onClick=${() => setAsked(way)}>${SAYS.power[way].action}</button>`)}
      </div>
    </div>`;
}
