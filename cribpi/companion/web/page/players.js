// Player fields: names typed or chosen from earlier players, and the number of players.

import { html, Peg } from "/page/ui.js";
import { load } from "/page/store.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const LONGEST = 40; // letters of a name

/** @param {{ people: { label: string, name: string, side?: number, hint?: string }[], list: string, onName: (at: number, name: string) => void, isNamed?: boolean, sizes?: number[], onMany?: (many: number) => void }} props `list` is the id of the datalist, loaded on first focus; `sizes` are the possible player counts. */
export function People({ people, list, onName, isNamed = false, sizes = [], onMany = () => {} }) {
  const [known, setKnown] = useState(/** @type {string[] | null} */ (null));
  const bring = () => known ?? load("/api/stats").then((/** @type {Server.Players} */ found) => setKnown(found.players.filter(({ person }) => person).map(({ name }) => name)), () => {});
  const box = useRef(/** @type {HTMLElement | null} */ (null)), byKey = useRef(false);
  const resize = (/** @type {number} */ many, /** @type {MouseEvent} */ { detail }) => {
    byKey.current = detail === 0; // the button may go: then focus the last field
    onMany(many);
  };
  useEffect(() => {
    if (byKey.current) [...(box.current?.querySelectorAll("input") ?? [])].at(-1)?.focus();
    byKey.current = false;
  }, [people.length]);
  const more = sizes.find((many) => many > people.length), fewer = sizes.findLast((many) => many < people.length);
  return html`
    <div class="people" ref=${box}>
      <datalist id=${list}>${known?.map((name) => html`<option key=${name} value=${name}></option>`)}</datalist>
      ${people.map(({ label, name, side, hint }, at) => html`
        <label class="named" key=${label}>${side !== undefined && html`<${Peg} side=${side} />`}${isNamed && html`<span>${label}</span>`}
          <input dir="auto" list=${list} value=${name} maxlength=${LONGEST} autocomplete="off" aria-label=${label} placeholder=${hint ?? label} onFocus=${bring}
            onInput=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => onName(at, target.value)} /></label>`)}
      ${more && html`<button type="button" class="other more-people" aria-label=${WORDS.playersInstead(more)} onClick=${(/** @type {MouseEvent} */ event) => resize(more, event)}>+</button>`}
      ${fewer && html`<button type="button" class="other fewer-people" aria-label=${WORDS.playersInstead(fewer)} onClick=${(/** @type {MouseEvent} */ event) => resize(fewer, event)}>−</button>`}
    </div>
  `;
}
