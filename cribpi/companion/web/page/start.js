// The start page: the current or last game, three ways to start another, past games, and links.

import { useResource } from "/page/resource.js";
import { begun, press, refusal, start } from "/page/store.js";
import { done, isLearned, learn, leave, streak } from "/page/streaks.js";
import { classes, file, Guarded, Header, html, Icon, Peg, Segments, sideOf, useQuery } from "/page/ui.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { and, WORDS } from "/page/words.js";

/** @typedef {import("/page/ui.js").IconName} IconName */

/**
 * @typedef {object} Draft settings of the next game, as edited on this page
 * @property {string} target
 * @property {Server.Entry} entry what is entered with real cards
 * @property {number} keepers number of players with real cards
 * @property {number} rivals number of players with computers
 * @property {number} sharers number of players sharing a screen
 * @property {string[]} levels computers' levels, from the second seat
 * @property {string[]} names people's
 *
 * @typedef {object} WayProps
 * @property {Draft} draft
 * @property {(changes: Partial<Draft>) => void} change
 * @property {(game: Pick<Server.Setup, "entry" | "players" | "levels" | "names">) => void} begin
 * @property {number[]} sizes possible numbers of players
 * @property {boolean} [isMain]
 * @property {string} unfolded title of the expanded section: on a small screen only one is
 * @property {(title: string) => void} onUnfold
 */

const TARGETS = ["61", "121"];
const RECENT = "/api/games?finished=true&limit=3";
const NARROW = "(width < 43.75em), (height < 30em)"; // folded ways, as in start.css

/** @type {(setup: Server.Rules["setup"]) => Draft} */
function draftOf({ target, entry, players, levels, people, you }) {
  const isDealt = entry === "dealt";
  const hasComputer = levels.some(Boolean);
  return {
    target: String(target),
    entry: isDealt ? "cards" : entry,
    keepers: isDealt ? 2 : players,
    rivals: isDealt && hasComputer ? players : 2,
    sharers: isDealt && !hasComputer ? players : 2,
    levels: [1, 2, 3].map((seat) => levels[seat] || levels.find(Boolean) || "medium"),
    names: [0, 1, 2, 3].map((seat) => people[seat] || (seat === 0 && !people.includes(you) ? you : "")),
  };
}

/** @param {{ now: Moment }} props */
export function Start({ now: { state, page } }) {
  const loaded = begun?.state.seq === state.seq ? begun : null; // with the page
  const first = useRef(loaded?.rules).current;
  const rules = useResource(loaded ? "" : "/api/rules", state.seq).found ?? first;
  const [edited, setEdited] = useState(/** @type {Draft | null} */ (null)); // once touched here, updates are ignored
  const [unfolded, setUnfolded] = useState(/** @type {string | null} */ (null));
  const { recent, LastGame, YourGames } = useRecentGames(state);
  if (!rules) return html`<main class="start"></main>`;
  const { setup } = rules;
  const draft = edited ?? draftOf(setup);
  const touch = () => setEdited((before) => before ?? draft);
  const preset = rules.presets.find(({ name }) => name === setup.rules);
  const isOver = state.winner !== null;
  const isOpen = !isOver && state.sides.length > 0;
  const last = recent?.games.find(({ game }) => !isOver || game === recent.all) ?? null; // the current one, if any
  const isNew = !isOpen && !isOver && !last && !isLearned();
  const hasNext = isOpen || isOver || page.pairing !== null;
  const isComputer = setup.entry === "dealt" || state.phase === "idle"; // newcomers may have no cards
  /** @type {WayProps} */
  const way = {
    draft,
    sizes: preset?.players ?? [2],
    change: (changes) => setEdited((before) => ({ ...(before ?? draft), ...changes })),
    begin: (game) => {
      leave();
      start({ rules: setup.rules, options: { ...setup.options, target: draft.target }, ...game });
      location.hash = "table";
    },
    unfolded: unfolded ?? (hasNext ? "" : isComputer ? WORDS.playComputer : WORDS.keepScore),
    onUnfold: setUnfolded,
  };
  return html`
    <main class="start">
      <h1 class="unseen">${WORDS.title}</h1>
      <${Header} to="">
        <div class="links">
          <a class="tool me" href="#names" title=${setup.you || WORDS.yourName}>
            <${Icon} name="people" /><span>${setup.you ? html`<bdi>${setup.you}</bdi>` : WORDS.yourName}</span></a>
          <a class="tool" href="#settings" aria-label=${WORDS.settings}><${Icon} name="settings" />
            <span>${WORDS.settings}</span></a></div><//>
      ${isNew && html`<${Newcomer} />`}
      ${isOpen && html`<${OpenGame} state=${state} />`}
      ${page.pairing
        ? html`<${Paired} pairing=${page.pairing} />`
        : !isOpen && (isOver || last) && html`<${Guarded} of=${state.seq}><${LastGame} now=${{ state, page }} row=${last} /><//>`}
      ${refusal.value && html`<p class="refused" role="alert">${refusal.value.sentence}</p>`}
      ${page.trouble.map((sentence) => html`<p class="refused" role="status" key=${sentence}>${sentence}</p>`)}
      <div class="ways" onInput=${touch} onClick=${touch}>
        <${KeepScore} ...${way} isMain=${!isComputer && !hasNext} />
        <${PlayComputer} ...${way} isMain=${isComputer && !hasNext} all=${rules.levels} />
        <${PassAndPlay} ...${way} />
      </div>
      <nav class="more">
        ${isNew
          ? html`<a href="#games"><${Tile} icon="chart" title=${WORDS.gamesAndStats} /></a>`
          : html`<button type="button" onClick=${learn}><${Tile} icon="cards" title=${WORDS.learn} text=${WORDS.learnAgain} /></button>`}
        <a href="#learn/five-minutes"><${Tile} icon="lesson" title=${WORDS.fiveMinutes} /></a>
        <a href="#practice"><${Tile} icon="hint" title=${WORDS.practice} text=${WORDS.practiceText(streak().days)} /></a>
        <a href="#count"><${Tile} icon="count" title=${WORDS.countHand} text=${WORDS.countHandText} /></a>
        <a href="#phones"><${Tile} icon="phone" title=${WORDS.phones} text=${WORDS.phonesText} /></a>
        <a href="#rules">
          <${Tile} icon="rules" title=${WORDS.rules(preset?.title ?? setup.rules)}
            text=${WORDS.rulesText(Object.keys(setup.options))} /></a>
      </nav>
      ${YourGames && !isNew && html`<${Guarded} of=${state.seq}><${YourGames} recent=${recent} /><//>`}
    </main>
  `;
}

/** @type {(players: number, sizes: number[]) => number} The nearest number that the rules allow. */
const allowed = (players, sizes) => (sizes.includes(players) ? players : (sizes[0] ?? 2));

/** @type {(names: string[]) => string} */
const called = (names) => (names.every(Boolean) ? and(names) : WORDS.ofPlayers(names.length));

/** @param {WayProps} way */
function KeepScore(way) {
  const { draft: { entry, keepers, names, target }, sizes, change, begin } = way;
  const players = allowed(keepers, sizes);
  const people = names.slice(0, players);
  return html`
    <${Way} ...${way} title=${WORDS.keepScore} icon="keypad" about=${`${called(people)}, ${WORDS.to(target)}`} text=${WORDS.keepScoreText}
      action=${WORDS.startGame} onStart=${() => begin({ entry, players, names: people })}>
      <${PeopleOf} ...${way} list="keepers" players=${players} onMany=${(/** @type {number} */ many) => change({ keepers: many })} />
      <div class="pair">
        <${Segments} label=${WORDS.entry} value=${entry} choices=${WORDS.entries}
          onChoose=${(/** @type {any} */ chosen) => change({ entry: chosen })} />
        <${Target} ...${way} /></div>
    <//>`;
}

/** @param {WayProps & { all: Server.Choosable[] }} props `all` levels of the computer. */
function PlayComputer({ all, ...way }) {
  const { draft: { rivals, levels, target }, sizes, change, begin } = way;
  const players = allowed(rivals, sizes);
  const choices = all.filter(({ value }) => value);
  const computers = levels.slice(0, players - 1);
  const [chosen, ...others] = choices.filter(({ value }) => computers.includes(value));
  const isAlone = computers.length === 1;
  const choose = (/** @type {number} */ at, /** @type {string} */ level) =>
    change({ levels: isAlone ? levels.map(() => level) : levels.with(at, level) });
  const about = [[chosen, ...others].flatMap((one) => one?.title ?? []).join(", "), players !== 2 && WORDS.ofPlayers(players),
    WORDS.to(target)];
  return html`
    <${Way} ...${way} title=${WORDS.playComputer} icon="cards" about=${about.filter(Boolean).join(", ")} text=${WORDS.playComputerText}
      action=${WORDS.deal} onStart=${() => begin({ entry: "dealt", players, levels: ["", ...computers] })}>
      ${computers.map((level, at) => html`
        ${players === 4 && html`<small class="whom">${WORDS.partnerOrNot(at === 1)}</small>`}
        <div class="many">${!isAlone && html`<${Peg} side=${sideOf(at + 1, players)} />`}
          <${Segments} label=${isAlone ? WORDS.level : WORDS.levelOf(at + 2)} value=${level} choices=${choices}
            onChoose=${(/** @type {string} */ value) => choose(at, value)} /></div>`)}
      ${chosen && !others.length && html`<small class="knows">
        ${players === 3 && chosen.value === "expert" ? WORDS.hardOfThree : chosen.text}</small>`}
      <div class="pair">
        <div class="many"><${Icon} name="people" /><${Segments} label=${WORDS.players} value=${String(players)}
          choices=${sizes.map((size) => ({ value: String(size), title: String(size) }))}
          onChoose=${(/** @type {string} */ value) => change({ rivals: Number(value) })} /></div>
        <${Target} ...${way} />
      </div>
    <//>`;
}

/** @param {WayProps} way */
function PassAndPlay(way) {
  const { draft: { sharers, names, target }, sizes, change, begin } = way;
  const players = allowed(sharers, sizes);
  const people = names.slice(0, players);
  return html`
    <${Way} ...${way} title=${WORDS.passAndPlay} icon="people" about=${`${called(people)}, ${WORDS.to(target)}`}
      text=${WORDS.passAndPlayText}
      action=${WORDS.deal} onStart=${() => begin({ entry: "dealt", players, levels: people.map(() => ""), names: people })}>
      <${PeopleOf} ...${way} list="sharers" players=${players} onMany=${(/** @type {number} */ many) => change({ sharers: many })} />
      <${Target} ...${way} />
    <//>`;
}

/** @param {WayProps} props */
const Target = ({ draft: { target }, change }) => html`
  <${Segments} label=${WORDS.target} value=${target} onChoose=${(/** @type {string} */ chosen) => change({ target: chosen })}
    choices=${[...new Set([...TARGETS, target])].map((value) => ({ value, title: WORDS.to(value) }))} />`;

/** @param {WayProps & { list: string, players: number, onMany: (many: number) => void }} props Names of a way's players. */
function PeopleOf({ draft: { names }, sizes, change, list, players, onMany }) {
  const labelOf = (/** @type {number} */ seat) => WORDS.player(seat + 1);
  return html`
    <${People} list=${list} sizes=${sizes} onMany=${onMany}
      people=${names.slice(0, players).map((name, seat) => ({ name, label: labelOf(seat), side: sideOf(seat, players) }))}
      onName=${(/** @type {number} */ seat, /** @type {string} */ name) => change({ names: names.with(seat, name) })} />
    ${players === 4 && html`<small class="whom">${WORDS.pairs(names.map((name, seat) => name || labelOf(seat)))}</small>`}`;
}

/** @param {{ icon: IconName, title: string, text?: string }} props */
const Tile = ({ icon, title, text }) => html`<${Icon} name=${icon} /><span><b>${title}</b>${text && html`<small>${text}</small>`}</span>`;

/**
 * Placeholders. Past games come last, as their height is unknown.
 * @type {{ LastGame: (props: any) => unknown, YourGames?: (props: any) => unknown }}
 */
const LATER = { LastGame: () => html`<section class="banner last-game"></section>` };

/** Load the last finished games with their views, reloading when a game ends or is resumed. @param {Server.State} state */
function useRecentGames({ winner, seq }) {
  const [views, setViews] = useState(LATER);
  const recent = useResource(RECENT, winner === null ? null : seq).found;
  useEffect(() => void import("/page/games.js").then(setViews, () => {}), []);
  return recent && views !== LATER ? { recent, ...views } : { recent: null, ...LATER };
}

/**
 * A way to start a game. Small screens show the settings of one way at a time.
 * @param {WayProps & {
 *   title: string, icon: IconName, about: string, text: string, children?: unknown, action: string, onStart: () => void,
 * }} props
 */
function Way({ title, icon, about, text, children, action, isMain = false, unfolded, onUnfold, onStart }) {
  const isNarrow = useQuery(NARROW);
  const isFolded = title !== unfolded;
  const heading = html`<span class="badge"><${Icon} name=${icon} /></span>
    <span>${title}${(isFolded || !isNarrow) && html`<small>${isNarrow ? about : text}</small>`}</span>`;
  return html`
    <section class=${classes("way", isFolded && "folded")}>
      <h2>${isNarrow ? html`<button type="button" class="fold" aria-expanded=${String(!isFolded)}
        onClick=${() => onUnfold(isFolded ? title : "")}>${heading}</button>` : heading}</h2>
      <div class="settings">${children}</div>
      <button type="button" class=${classes(isMain ? "main" : "other", "begin")} onClick=${onStart}>${action}</button>
    </section>
  `;
}

const COURTS = [["J", "♥", "JH"], ["Q", "♠", "QS"], ["K", "♦", "KD"]];

/** Invitation for a new player. */
const Newcomer = () => html`
  <button type="button" class="newcomer" onClick=${learn}>
    <${Icon} name="lesson" />
    <span class="asks"><span>${WORDS.newcomer}</span><small>${WORDS.learnText}</small></span>
    <u>${WORDS.learn}</u>
    <span class="fan" aria-hidden="true">${COURTS.map(([rank, suit, court]) =>
      html`<span><b>${rank}<br />${suit}</b><img src=${file(`deck/${court}.svg`)} loading="lazy" alt="" /></span>`)}</span>
  </button>
`;

/** @param {{ state: Server.State }} props */
const OpenGame = ({ state }) => html`
  <section class="banner open-game" aria-label=${WORDS.openGame}>
    <p>${WORDS.openGame}</p>
    <p class="scores">${state.sides.map((side, at) => html`<span><${Peg} side=${at} /> <bdi>${side.name} ${side.front}</bdi></span>`)}</p>
    <p><small>${WORDS.ends}</small></p>
    <a class="main" href=${done.value === null ? "#table" : "#learn"}
      onClick=${() => state.phase === "new-game" && press("UNDO")}>${WORDS.resume}</a>
  </section>
`;

/** @param {{ pairing: NonNullable<Server.Page["pairing"]> }} props Game assigned by a club's desk. */
const Paired = ({ pairing: { players, board, round, games } }) => html`
  <section class="banner open-game" aria-label=${WORDS.pairing}>
    <p>${WORDS.pairing}</p>
    <p class="scores">${players.map((name, side) => html`<span><${Peg} side=${side} /> <bdi>${name}</bdi></span>`)}</p>
    <p><small>${WORDS.pairingOf(board, round, games)}</small></p>
    <a class="main" href="#table" onClick=${() => press("OK")}>${WORDS.startGame}</a>
  </section>
`;

// --- Player fields: names typed or chosen from earlier players, and the number of players.

const LONGEST = 40; // letters of a name

/**
 * @param {{
 *   people: { label: string, name: string, side?: number, hint?: string }[], list: string,
 *   onName: (at: number, name: string) => void, isNamed?: boolean, sizes?: number[],
 *   onMany?: (many: number) => void,
 * }} props `list` is the id of the datalist, loaded on first focus; `sizes` are the possible player counts.
 */
export function People({ people, list, onName, isNamed = false, sizes = [], onMany = () => {} }) {
  const [isAsked, setAsked] = useState(false);
  const known = useResource(isAsked ? "/api/stats" : "").found?.players.filter(({ person }) => person);
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
      <datalist id=${list}>${known?.map(({ name }) => html`<option key=${name} value=${name}></option>`)}</datalist>
      ${people.map(({ label, name, side, hint }, at) => html`
        <label class="named" key=${label}>${side !== undefined && html`<${Peg} side=${side} />`}${isNamed && html`<span>${label}</span>`}
          <input dir="auto" list=${list} value=${name} maxlength=${LONGEST} autocomplete="off" aria-label=${label}
            placeholder=${hint ?? label} onFocus=${() => setAsked(true)}
            onInput=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => onName(at, target.value)} /></label>`)}
      ${more && html`<button type="button" class="other more-people" aria-label=${WORDS.playersInstead(more)}
        onClick=${(/** @type {MouseEvent} */ event) => resize(more, event)}>+</button>`}
      ${fewer && html`<button type="button" class="other fewer-people" aria-label=${WORDS.playersInstead(fewer)}
        onClick=${(/** @type {MouseEvent} */ event) => resize(fewer, event)}>−</button>`}
    </div>
  `;
}
