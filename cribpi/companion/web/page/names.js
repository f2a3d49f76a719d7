// Who sits in each seat: the names of this game and of the next ones.

import { html, Peg } from "/page/html.js";
import { Top } from "/page/rules.js";
import { NAMES_WORDS as SAYS } from "/page/words-rules.js";
import { load, now, offline, refusal, send } from "/page/store.js";
import { useEffect, useState } from "/page/vendor/preact.js";

const LONGEST = 40; // letters of a name

export function Names() {
  const moment = now.value;
  const kept = moment?.page.names ?? [];
  const [typed, setTyped] = useState(kept);
  const [sent, setSent] = useState(/** @type {number | null} */ (null)); // at which state they were sent
  const [known, setKnown] = useState(/** @type {string[]} */ ([]));
  const seq = moment?.state.seq ?? 0;
  useEffect(() => setTyped(kept), [kept.join("\n")]);
  useEffect(() => {
    load("/api/stats").then((/** @type {Server.Players} */ found) => setKnown(found.players.map(({ name }) => name)), () => {});
    return () => (refusal.value = null);
  }, []);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    setSent(seq);
    send("/api/names", { names: typed });
  };
  const wrong = offline.value || refusal.value?.sentence;
  return html`
    <main class="settings-page names-page">
      <${Top} title=${SAYS.title} />
      <p>${SAYS.text}</p>
      <form onSubmit=${save}>
        <datalist id="known">${known.map((name) => html`<option value=${name}></option>`)}</datalist>
        ${typed.map((name, seat) => html`
          <label class="named" key=${seat}><${Peg} side=${moment?.state.seats[seat]?.side ?? (typed.length === 4 ? seat % 2 : seat)} />
            <span>${SAYS.seat(seat + 1)}</span>
            <input dir="auto" list="known" maxlength=${LONGEST} autocomplete="off" value=${name}
              onInput=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => setTyped(typed.map((old, at) => (at === seat ? target.value : old)))} /></label>`)}
        ${wrong && html`<p class="refused" role="alert">${wrong}</p>`}
        <button type="submit" class="main">${SAYS.save}</button>
        <p role="status">${sent !== null && seq > sent && !wrong && kept.join("\n") === typed.join("\n") ? SAYS.saved : ""}</p>
      </form>
    </main>
  `;
}
