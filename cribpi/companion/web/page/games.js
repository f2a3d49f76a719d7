// All games in the journal, newest first, as links; the last ones on the start page; and how one is removed.

import { Modal } from "/page/act.js";
import { past } from "/page/cards.js";
import { Select } from "/page/fields.js";
import { post } from "/page/queue.js";
import { useResource } from "/page/resource.js";
import { load, press } from "/page/store.js";
import { daysSince } from "/page/streaks.js";
import { endsStreet, streetEnds } from "/page/streets.js";
import { capital, classes, Header, html, Icon } from "/page/ui.js";
import { useLayoutEffect, useState } from "/page/vendor/preact.js";
import { PAST, PLAYED, TABLE } from "/page/words-more.js";
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
export const PastHeader = ({ place }) => html`
  <${Header}>
    <nav class="segments" aria-label=${WORDS.gamesAndStats}>
      <a href="#games" aria-current=${place === "games" ? "page" : undefined}>${PAST.pastGames}</a>
      <a href="#stats" aria-current=${place === "stats" ? "page" : undefined}>${PAST.statistics}</a>
      <a href="#practice" aria-current=${place === "practice" ? "page" : undefined}>${WORDS.practice}</a>
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
  const names = new Map(/** @type {[string, string][]} */ ([...(name ? [[name, name]] : []),
    ...(players?.players.map((one) => [one.name, one.called]) ?? [])]));
  const addMore = () =>
    load(`${path}${name ? "&" : "?"}before=${next}`)
      .then((/** @type {Server.PastGames} */ page) => setMore({ path, pages: [...pages, page] }), () => {});
  const choose = (/** @type {string} */ value) => void (location.hash = value ? `games/with/${encodeURIComponent(value)}` : "games");
  return html`
    <main class="past">
      <${PastHeader} place="games" />
      <div class="heading">
        <h1>${PAST.pastGames}</h1>
        ${(rows[0] || name) && html`<label class="named"><span>${PAST.gamesOf}</span>
          <${Select} value=${name} onChoose=${choose}
            choices=${[{ value: "", title: PAST.everyone },
              ...[...names].map(([value, title]) => ({ value, title, isName: true }))]} /></label>`}
      </div>
      ${isFailed && !first && html`<p role="alert">${WORDS.unreachable}</p>`}
      ${first && !rows.length && html`<p class="empty">${name ? PAST.nobody(name) : PAST.noGames}</p>`}
      <ol class="games">${rows.map((row) => html`<${Row} key=${row.game} row=${row} isLast=${row.game === first?.all} />`)}</ol>
      ${next !== null && html`<button type="button" class="other" onClick=${addMore}>${PAST.more}</button>`}
    </main>
  `;
}

/** @param {{ row: Server.PastRow | Server.UnreadableRow, isLast: boolean }} props */
function Row({ row, isLast }) {
  const when = html`${dayOf(row.begun)} <small>${PAST.gameNumber(row.game)}, ${timeOf(row.begun)}</small>`;
  const removal = html`<${Removal} number=${row.game} isIcon=${true} />`;
  if ("error" in row) return html`<li class="game-row"><span class="when">${when}</span><span class="whom">${row.error}</span>
    ${removal}</li>`;
  const isOpen = row.winner === null;
  const isHere = isOpen && isLast;
  const told = isHere ? PAST.onTheTable : row.hidden ? PAST.hidden : isOpen ? PAST.notOver : "";
  return html`<${GameRow} row=${row} when=${when} told=${told}
    href=${isHere ? "#table" : row.hidden ? null : `#games/${row.game}`}>${!isHere && removal}<//>`;
}

// --- A finished game in a line: date, opponents, result and accuracy.

/** @param {{ name: string }[] | undefined} seats Use a past game's names: "JD" may be one, and no card. */
export const useNames = (seats) =>
  useLayoutEffect(() => {
    past.value = seats ?? null;
    return () => void (past.value = null);
  }, [seats]);

/** @param {string} at ISO 8601 */
export function dayOf(at) {
  const days = daysSince(at), date = new Date(at);
  if (Number.isNaN(days)) return "";
  if (days === 0 || days === 1) return days ? PLAYED.yesterday : PLAYED.today;
  return days > 1 && days < 7 ? date.toLocaleDateString("en", { weekday: "long" }) : date.toLocaleDateString([], { dateStyle: "medium" });
}

/** @param {{ begun: string, ended: Server.Ended | null }} game "Yesterday: you lost to Medium by 12" */
export const sentenceOf = ({ begun, ended }) => capital([dayOf(begun), ended?.sentence].filter(Boolean).join(": "));

/**
 * Row of a list. `told` replaces the result; without `href` it is no link.
 * @param {{ row: Server.PastRow, when: unknown, told?: string, href?: string | null, children?: unknown }} props
 */
export function GameRow({ row, when, told = "", href = `#games/${row.game}`, children }) {
  const { ended, whom, mode, final, accuracy, reviewable, game } = row;
  const about = html`<b dir="auto" TRANSLATE="no">${whom}</b> <span>· ${mode}</span>`;
  return html`
    <li class="game-row">
      <span class="when">${when}</span>
      ${href ? html`<a class="whom" href=${href}>${about}</a>` : html`<span class="whom">${about}</span>`}
      <span class=${classes("outcome", ended?.won === true && "won", ended?.won === false && "lost")}>
        ${ended?.winner && html`<b dir="auto" TRANSLATE="no">${ended.winner}</b>`} ${ended?.text ?? told}</span>
      <span class="score">${final}</span>
      <span class="accuracy">${accuracy}</span>
      ${reviewable && html`<a class="review" href=${`#games/${game}/review`} aria-label=${PLAYED.reviewOf(game)}>${PAST.review} ›</a>`}
      ${children}
    </li>
  `;
}

// --- The last game's result, rematch and review, and the games before it.

const LONG = 60; // letters; longer sentences are smaller

/** @param {{ now: Moment, row: Server.PastRow | null }} props Result of the last game, and the next game as given by the server. */
export function LastGame({ now: { state, page }, row }) {
  const isMenu = state.phase === "new-game"; // the menu for another game
  const next = isMenu ? PLAYED.rematch : page.table.dialog ? null : page.choices.find(({ key }) => key === "OK")?.label;
  const follow = () => {
    if (isMenu) press("UNDO");
    press("OK");
    location.hash = "table";
  };
  const sentence = row ? sentenceOf(row) : "";
  return html`
    <section class="banner last-game" aria-label=${PLAYED.lastGame}>
      <div class="ended">
        <h2 class=${classes(sentence.length > LONG && "long")}>${sentence}</h2>
        <p>${row && [row.final, row.accuracy, row.mistakes].filter(Boolean).join(" · ")}</p>
      </div>
      ${state.winner !== null && html`<${FinalPegs} state=${state} own=${row?.own ?? null} />`}
      <div class="buttons">
        ${state.winner !== null && (next
          ? html`<button type="button" class="main" onClick=${follow}>${next}</button>`
          : html`<a class="main" href="#table">${TABLE.result}</a>`)}
        ${row?.reviewable && html`<a class="other" href=${`#games/${row.game}/review`}>${PAST.review}</a>`}
      </div>
    </section>
  `;
}

const LANE = { left: 12, long: 376, high: 14, apart: 24 };

/** @param {{ state: Server.State, own: Server.Seat | null }} props Final pegs on a strip per side, the viewer's lowest. */
function FinalPegs({ state: { seats, sides, target }, own }) {
  const mine = own === null ? null : seats[own]?.side;
  const order = sides.map((_, side) => side).sort((a, b) => Number(a === mine) - Number(b === mine));
  const at = (/** @type {number} */ hole) => LANE.left + (LANE.long * hole) / target;
  const y = (/** @type {number} */ row) => 12 + row * LANE.apart;
  const holes = Array.from({ length: Math.floor(target / 5) }, (_, each) => (each + 1) * 5);
  return html`
    <svg class="final-pegs" viewBox=${`0 0 400 ${LANE.apart * sides.length + 20}`} aria-hidden="true">
      ${order.map((side, row) => html`
        <rect x=${at(0) - 7} y=${y(row) - 7} width=${LANE.long + 14} height=${LANE.high} rx="7" />
        ${holes.map((hole) => html`<line class=${classes(endsStreet(hole) && "street")} x1=${at(hole)} x2=${at(hole)} y1=${y(row) - 7}
          y2=${y(row) + 7} />`)}
        <circle class="hole" cx=${at(target)} cy=${y(row)} r="4" />
        <circle class="back" data-side=${side} cx=${at(sides[side]?.back ?? 0)} cy=${y(row)} r="6" />
        <circle data-side=${side} cx=${at(sides[side]?.front ?? 0)} cy=${y(row)} r="7" />
          <circle class="spark" cx=${at(sides[side]?.front ?? 0)} cy=${y(row)} r="2.5" />`)}
      ${streetEnds(target - 8).concat(target).map((hole) =>
        html`<text x=${at(hole)} y=${y(sides.length) + 4} text-anchor=${hole === target ? "end" : "middle"}>${hole}</text>`)}
    </svg>
  `;
}

/** @param {{ recent: Server.PastGames }} props */
export const YourGames = ({ recent }) => html`
  <section class="your-games" aria-labelledby="your-games">
    <div class="heading"><h2 id="your-games">${PLAYED.yourGames}</h2><a href="#games">${PLAYED.allGames} ›</a></div>
    <ol class="games">${recent.games.map((row) =>
      !("error" in row) && html`<${GameRow} key=${row.game} row=${row} when=${dayOf(row.begun)} />`)}</ol>
  </section>
`;

// --- Removal of a past game from lists and statistics, with confirmation and undo.

/**
 * Button to remove a game, then to restore it; small in lists.
 * @param {{ number: number, isIcon?: boolean, wasRemoved?: boolean }} props
 */
export function Removal({ number, isIcon = false, wasRemoved = false }) {
  const [isRemoved, setRemoved] = useState(wasRemoved);
  const [isAsked, setAsked] = useState(false);
  const [wrong, setWrong] = useState("");
  const close = () => (setAsked(false), setWrong(""));
  const send = async () => {
    const answer = await post("/api/games", isRemoved ? { restore: number } : { remove: number });
    if (answer?.status !== 200) return setWrong(answer ? capital(answer.body.error) : WORDS.unreachable);
    close();
    return setRemoved(!isRemoved);
  };
  const label = isRemoved ? PAST.putBack(number) : PAST.removeOf(number);
  return html`
    <div class="removal" data-removed=${isRemoved || null}>
      <span role="status">${isRemoved ? wrong || PAST.removed(number) : ""}</span>
      <button type="button" class=${isIcon && !isRemoved ? "tool" : "other"} aria-label=${label} title=${label}
        onClick=${isRemoved ? send : () => setAsked(true)}>
        ${isRemoved ? WORDS.undo : isIcon ? html`<${Icon} name="close" />` : PAST.remove}</button>
      ${isAsked && html`<${Sure} number=${number} wrong=${wrong} onSure=${send} onClose=${close} />`}
    </div>
  `;
}

/** @param {{ number: number, wrong: string, onSure: () => void, onClose: () => void }} props */
const Sure = ({ number, wrong, onSure, onClose }) => html`
  <${Modal} kind="held-menu" aria-labelledby="sure" aria-describedby="goes" onClose=${onClose}>
    <h2 id="sure">${PAST.sure(number)}</h2>
    <p id="goes">${PAST.goes}</p>
    ${wrong && html`<p class="refused" role="alert">${wrong}</p>`}
    <button type="button" class="main" onClick=${onSure}>${PAST.remove}</button>
    <button type="button" class="other" onClick=${onClose}>${WORDS.cancel}</button>
  <//>`;
