// The settings: how this page sounds, looks and plays, and what the computer does by itself.

import { html, Icon, Peg, Segments } from "/page/html.js";
import { prefer, preferences } from "/page/preferences.js";
import { buzz, canBuzz, play, say } from "/page/sound.js";
import { WORDS } from "/page/words.js";

const { settings } = WORDS;

export function Settings() {
  const mine = preferences.value;
  const onOff = (/** @type {"sound" | "voice" | "vibration" | "quick"} */ name, then = () => {}) => html`
    <div class="setting">
      <span><b>${settings[name].title}</b><small>${settings[name].text}</small></span>
      <${Segments} label=${settings[name].title} value=${String(mine[name])} choices=${settings.onOff}
        onChoose=${(/** @type {string} */ value) => (prefer(name, value === "true"), value === "true" && then())} />
    </div>`;
  const oneOf = (/** @type {"theme" | "deck" | "count"} */ name) => html`
    <div class="setting">
      <span><b>${settings[name].title}</b><small>${settings[name].text}</small></span>
      <${Segments} label=${settings[name].title} value=${mine[name]} choices=${settings[name].choices}
        onChoose=${(/** @type {any} */ value) => prefer(name, value)} />
    </div>`;
  return html`
    <main class="settings-page">
      <header class="tools"><a class="mark" href="#" aria-label=${WORDS.name}><${Peg} side=${0} /><${Peg} side=${1} /> <b>${WORDS.name}</b></a>
        <a class="tool" href="#" aria-label=${WORDS.close}><${Icon} name="close" /></a></header>
      <h1>${settings.title}</h1>
      ${onOff("sound", () => play("peg"))}
      ${onOff("voice", () => say(settings.sample))}
      ${canBuzz() && onOff("vibration", () => buzz("peg"))}
      ${onOff("quick")}
      ${oneOf("count")}
      ${oneOf("deck")}
      ${oneOf("theme")}
      <p><a href="/device">${settings.more}</a></p>
    </main>
  `;
}
