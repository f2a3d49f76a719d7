// The keys of the kit for a game with real cards: what can be pressed is bright, and says what it does.

import { HeldMenu, pressedOrHeld } from "/page/held.js";
import { classes, html } from "/page/html.js";
import { preferences } from "/page/preferences.js";
import { waiting, kit } from "/page/store.js";
import { WORDS } from "/page/words.js";

/** @type {Record<string, string>} */
const ARROWS = { UP: "▲", DOWN: "▼", LEFT: "◀", RIGHT: "▶" };

/** @param {{ now: import("/page/store.js").Moment }} props */
export function Keypad({ now: { state, page } }) {
  if (!kit.value) return null;
  const { keys, caps } = kit.value;
  const offered = new Map(page.choices.map((choice) => [choice.key, choice]));
  const isNew = !preferences.value.knowsSuits && page.choices.some((choice) => choice.takes_suit);
  const columns = Math.max(...keys.map((row) => row.length));
  return html`
    <section class="keypad" aria-label="Keypad" style=${{ "--columns": columns }}>
      ${keys.flat().map((key) => {
        if (!key) return html`<i></i>`;
        const choice = offered.get(key);
        const side = page.sides[key];
        const isRank = /^(?:10|[A2-9JQK])$/.test(key);
        const small = side !== undefined ? state.sides[side]?.name : isRank || !choice ? "" : choice.short;
        return html`
          <button type="button" key=${key} data-key=${key} data-side=${side} aria-disabled=${String(!choice)}
            class=${classes("key", choice?.likely && "likely", !choice && "dull", waiting.value.includes(key) && "waiting")}
            aria-label=${choice ? `${key}: ${choice.label}` : key} aria-haspopup=${choice?.takes_suit ? "dialog" : undefined} ...${pressedOrHeld(key)}>
            <span>${caps[key] ?? ARROWS[key] ?? key}</span>${small && html`<small>${small}</small>`}
          </button>
        `;
      })}
      ${isNew && html`<p class="tip">${WORDS.holdForSuit}</p>`}
      <${HeldMenu} />
    </section>
  `;
}
