// Names of the players: one's own, and those of this game or the next ones.

import { useRefusal } from "/page/hooks.js";
import { useResource } from "/page/resource.js";
import { People } from "/page/start.js";
import { now, send } from "/page/store.js";
import { Header, html, sideOf } from "/page/ui.js";
import { useEffect, useState } from "/page/vendor/preact.js";
import { NAMES_WORDS as SAYS, PAST } from "/page/words-more.js";

/** @typedef {{ you: string, people: string[] }} Called */

/** @type {(rules: Server.Rules) => Called} Names to edit: no other people's in a game with a computer. */
function calledBy({ setup, playing }) {
  const isOn = playing !== null && !playing.over;
  if (isOn && playing.levels.some(Boolean)) return { you: setup.you, people: [] };
  const people = isOn ? playing.people : setup.people;
  return { you: setup.you, people: [...people, "", ""].slice(0, Math.max(2, people.length)) };
}

/** @type {(one: Called, other: Called) => boolean} */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function Names() {
  const seq = now.value?.state.seq ?? 0;
  const [kept, setKept] = useState(/** @type {Called | null} */ (null));
  const [typed, setTyped] = useState(/** @type {Called | null} */ (null));
  const [isSent, setSent] = useState(false);
  const [goesWith, setGoesWith] = useState(true); // rename past games too
  const rules = useResource("/api/rules", seq).found;
  useEffect(() => {
    if (!rules) return;
    const called = calledBy(rules);
    setKept(called);
    setTyped(typed && kept && !isSame(typed, kept) ? typed : called); // keep what is typed
  }, [rules]);
  const wrong = useRefusal();
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!typed || !kept) return;
    setSent(true);
    const isMine = typed.you !== kept.you, areOthers = !isSame({ ...typed, you: "" }, { ...kept, you: "" });
    if (isRenamed && goesWith) send("/api/names", { rename: kept.you || SAYS.nobody, to: typed.you });
    else if (isMine || !typed.people.length) send("/api/names", { you: typed.you });
    if (areOthers || (!isMine && typed.people.length)) send("/api/names", { names: typed.people });
  };
  const isRenamed = typed !== null && kept !== null && typed.you !== "" && typed.you !== kept.you;
  const own = [{ label: SAYS.you, name: typed?.you ?? "", hint: SAYS.nobody }];
  const people = typed?.people.map((name, seat) =>
    ({ name, label: SAYS.seat(seat + 1), hint: "", side: sideOf(seat, typed.people.length) })) ?? [];
  return html`
    <main class="settings-page names-page">
      <${Header} />
      <h1>${SAYS.title}</h1>
      ${typed && html`<form onSubmit=${save}>
        <p>${SAYS.youText}</p>
        <${People} list="own-names" isNamed=${true} people=${own}
          onName=${(/** @type {number} */ _, /** @type {string} */ you) => setTyped({ ...typed, you })} />
        ${isRenamed && html`<label class="follows"><input type="checkbox" checked=${goesWith}
          onChange=${() => setGoesWith(!goesWith)} /> ${SAYS.goesWith(kept.you)}</label>`}
        ${people.length > 0 && html`<p>${SAYS.text}</p>
          <${People} list="names" isNamed=${true} people=${people}
            onName=${(/** @type {number} */ seat, /** @type {string} */ name) =>
              setTyped({ ...typed, people: typed.people.with(seat, name) })} />`}
        ${wrong && html`<p class="refused" role="alert">${wrong}</p>`}
        <button type="submit" class="main">${SAYS.save}</button>
        <p role="status">${isSent && kept && !wrong && isSame(kept, typed) ? SAYS.saved : ""}</p>
        <p>${SAYS.others} <a href="#stats">${PAST.statistics}</a></p>
      </form>`}
    </main>
  `;
}
