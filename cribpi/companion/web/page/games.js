// All games in the journal, newest first, as links.

import { Select } from "/page/fields.js";
import { useResource } from "/page/hooks.js";
import { Removal } from "/page/remove.js";
import { load } from "/page/store.js";
import { dayOf, GameRow } from "/page/summary.js";
import { html, Top } from "/page/ui.js";
import { useState } from "/page/vendor/preact.js";
import { PAST } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @param {string} name */
export const playerPath = (name) => `#stats/${encodeURIComponent(name)}`;

/** @param {string} at ISO 8601 */
function timeOf(at) {
  const date = new Date(at);
  return Number.isNaN(date.valueOf()) ? "" : date.toLocaleTimeString([], { timeStyle: "short" });
}

/** @param {string} at ISO 8601 */
export const dayAndTime = (at) => [dayOf(at), timeOf(at)].filter(Boolean).join(", ");

/** @param {{ place: "games" | "stats" | "practice" }} props Navigation: home, games, statistics and practice. */
export const Head = ({ place }) => html`
  <${Top}>
    <nav class="segments" aria-label=${WORDS.gamesAndStats}>
      <a href="#games" aria-current=${place === "games" ? "page" : undefined}>${PAST.pastGames}</a>
      <a href="#stats" aria-current=${place === "stats" ? "page" : undefined}>${PAST.statistics}</a>
      <a href="#practice" aria-current=${place === "practice" ? "page" : undefined}>${PAST.practice}</a>
    </nav>
  <//>
`;

/** @param {{ name: string }} props */
export function Games({ name }) {
  const path = name ? /** @type {const} */ (`/api/games?name=${encodeURIComponent(name)}`) : "/api/games";
  const { found: first, isFailed } = useResource(path);
  const players = useResource("/api/stats").found;
  const [more, setMore] = useState(/** @type {{ path: string, pages: Server.PastGames[] }} */ ({ path, pages: [] }));
  const pages = more.path === path ? more.pages : [];
  const next = (pages.at(-1) ?? first)?.next ?? null;
  const rows = [...(first?.games ?? []), ...pages.flatMap(({ games }) => games)];
  const names = new Map(/** @type {[string, string][]} */ ([...(name ? [[name, name]] : []), ...(players?.players.map((one) => [one.name, one.called]) ?? [])]));
  const addMore = () =>
    load(`${path}${name ? "&" : "?"}before=${next}`).then((/** @type {Server.PastGames} */ page) => setMore({ path, pages: [...pages, page] }), () => {});
  const choose = (/** @type {string} */ value) => void (location.hash = value ? `games/with/${encodeURIComponent(value)}` : "games");
  return html`
    <main class="past">
      <${Head} place="games" />
      <div class="heading">
        <h1>${PAST.pastGames}</h1>
        ${(rows[0] || name) && html`<label class="named"><span>${PAST.gamesOf}</span>
          <${Select} value=${name} onChoose=${choose}
            choices=${[{ value: "", title: PAST.everyone }, ...[...names].map(([value, title]) => ({ value, title, isName: true }))]} /></label>`}
      </div>
      ${isFailed && !first && html`<p role="alert">${WORDS.unreachable}</p>`}
      ${first && !rows.length && html`<p class="empty">${name ? PAST.nobody(name) : PAST.noGames}</p>`}
      <ol class="games">${rows.map((row) => html`<${Row} key=${row.game} row=${row} isLast=${row.game === first?.all} />`)}</ol>
      ${next !== null && html`<button type="button" class="other" onClick=${addMore}>${PAST.more}</button>`}
    </main>
  `;
}

/** @param {{ row: Server.PastRow, isLast: boolean }} props */
function Row({ row, isLast }) {
  const when = html`${dayOf(row.begun)} <small>${PAST.gameNumber(row.game)}, ${timeOf(row.begun)}</small>`;
  const removal = html`<${Removal} number=${row.game} isIcon=${true} />`;
  if (row.error) return html`<li class="game-row"><span class="when">${when}</span><span class="whom">${row.error}</span>${removal}</li>`;
  const isOpen = row.winner === null;
  const isHere = isOpen && isLast;
  const told = isHere ? PAST.onTheTable : row.hidden ? PAST.hidden : isOpen ? PAST.notOver : "";
  return html`<${GameRow} row=${row} when=${when} told=${told} href=${isHere ? "#table" : row.hidden ? null : `#games/${row.game}`}>${!isHere && removal}<//>`;
}
