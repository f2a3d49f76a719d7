// The start page: the current or last game, three ways to start another, past games, and links.

import { begun, load, press, refusal, start } from "/page/store.js";
import { done, isLearned, learn, leave, streak } from "/page/streaks.js";
import { classes, file, Guarded, Home, html, Icon, Peg, Segments, sideOf, useQuery } from "/page/ui.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { and, WORDS } from "/page/words.js";

/** @typedef {import("/page/store.js").Moment} Moment */
/** @typedef {{ title: string, icon: string, about: string, text: string, children?: unknown, action: string, isMain?: boolean, unfolded: string, onUnfold: (title: string) => void, onStart: () => void }} Way */

const TARGETS = ["61", "121"];
const RECENT = "/api/games?finished=true&limit=3";
const NARROW = "(max-width: 40em), (max-height: 29.9375em)"; // folded ways, as in base.css

/** @param {{ now: Moment }} props */
export function Start({ now: { state, page } }) {
  const [rules, setRules] = useState(/** @type {Omit<Server.Rules, "options"> | null} */ (null));
  const [target, setTarget] = useState("121");
  const [skills, setSkills] = useState(["medium", "medium", "medium"]); // computers' levels, from the second seat
  const [sharers, setSharers] = useState(2); // number of players sharing a screen
  const [keepers, setKeepers] = useState(2); // number of players with real cards
  const [names, setNames] = useState(["", "", "", ""]); // people's, for both ways
  const [entry, setEntry] = useState(/** @type {Server.Entry} */ ("cards"));
  const [rivals, setRivals] = useState(2); // number of players with computers
  const [unfolded, setUnfolded] = useState(/** @type {string | null} */ (null)); // open way on a phone
  const { recent, LastGame, YourGames } = useEvening(state);
  const isMine = useRef(false); // edited here: updates are ignored
  const mine = () => void (isMine.current = true);
  useEffect(() => {
    const fresh = begun?.state.seq === state.seq ? Promise.resolve(begun.rules) : load("/api/rules");
    let isOvertaken = false;
    fresh.then((/** @type {Omit<Server.Rules, "options">} */ found) => {
      if (isOvertaken) return;
      setRules(found);
      if (isMine.current) return;
      const { setup } = found;
      setTarget(String(setup.target));
      setSkills([1, 2, 3].map((seat) => setup.levels[seat] || setup.levels.find(Boolean) || "medium"));
      (setup.entry !== "dealt" ? setKeepers : setup.levels.some(Boolean) ? setRivals : setSharers)(setup.players);
      setNames([0, 1, 2, 3].map((seat) => setup.people[seat] || (seat === 0 && !setup.people.includes(setup.you) ? setup.you : "")));
      if (setup.entry !== "dealt") setEntry(setup.entry);
    }, () => isOvertaken || setRules(null));
    return () => {
      isOvertaken = true;
    };
  }, [state.seq]);
  if (!rules) return html`<main class="start"></main>`;
  const { setup } = rules;
  const preset = rules.presets.find(({ name }) => name === setup.rules);
  const sizes = preset?.players ?? [2];
  const [playing, keeping, sharing] = /** @type {[number, number, number]} */ ([rivals, keepers, sharers].map((many) => (sizes.includes(many) ? many : (sizes[0] ?? 2))));
  const isOpen = state.winner === null && state.sides.length > 0;
  const isOver = state.winner !== null;
  const last = recent?.games.find(({ game }) => !isOver || game === recent.all) ?? null; // the current one, if any
  const isNew = !isOpen && !isOver && !last && !isLearned();
  const hasNext = isOpen || isOver || page.pairing !== null;
  const levels = rules.levels.filter(({ value }) => value);
  const computers = skills.slice(0, playing - 1);
  const found = levels.filter(({ value }) => computers.includes(value));
  const choose = (/** @type {number} */ chosen, /** @type {string} */ level) =>
    setSkills(skills.map((old, at) => (at === chosen || computers.length === 1 ? level : old)));
  const begin = (/** @type {Omit<Server.Setup, "rules" | "options">} */ wanted) => {
    leave();
    start({ rules: setup.rules, options: { ...setup.options, target }, ...wanted });
    location.hash = "table";
  };
  const people = (/** @type {string} */ list, /** @type {number} */ many, /** @type {(many: number) => void} */ onMany) => html`<${People} list=${list} sizes=${sizes} onMany=${onMany}
    people=${names.slice(0, many).map((name, seat) => ({ name, label: WORDS.player(seat + 1), side: sideOf(seat, many) }))}
    onName=${(/** @type {number} */ seat, /** @type {string} */ name) => setNames(names.map((old, at) => (at === seat ? name : old)))} />
    ${many === 4 && html`<small class="whom">${WORDS.pairs(names.map((name, seat) => name || WORDS.player(seat + 1)))}</small>`}`;
  const called = (/** @type {number} */ many) => (names.slice(0, many).every(Boolean) ? and(names.slice(0, many)) : WORDS.ofPlayers(many));
  const to = html`<${Segments} label=${WORDS.target} value=${target} onChoose=${setTarget}
    choices=${[...new Set([...TARGETS, target])].map((value) => ({ value, title: WORDS.to(value) }))} />`;
  const isComputer = setup.entry === "dealt" || state.phase === "idle"; // newcomers may have no cards
  const fold = { unfolded: unfolded ?? (hasNext ? "" : isComputer ? WORDS.playComputer : WORDS.keepScore), onUnfold: setUnfolded };
  return html`
    <main class="start">
      <h1 class="unseen">${WORDS.title}</h1>
      <header class="tools"><${Home} />
        <div class="links"><a class="tool me" href="#names" title=${setup.you || WORDS.yourName}><${Icon} name="people" /><span>${setup.you ? html`<bdi>${setup.you}</bdi>` : WORDS.yourName}</span></a>
          <a class="tool" href="#settings" aria-label=${WORDS.settings}><${Icon} name="settings" /><span>${WORDS.settings}</span></a></div></header>
      ${isNew && html`<${Newcomer} />`}
      ${isOpen && html`<${OpenGame} state=${state} />`}
      ${page.pairing ? html`<${Paired} pairing=${page.pairing} />` : !isOpen && (isOver || last) && html`<${Guarded} of=${state.seq}><${LastGame} now=${{ state, page }} row=${last} /><//>`}
      ${refusal.value && html`<p class="refused" role="alert">${refusal.value.sentence}</p>`}
      ${page.trouble.map((sentence) => html`<p class="refused" role="status" key=${sentence}>${sentence}</p>`)}
      <div class="ways" onInput=${mine} onClick=${mine}>
        <${Way} title=${WORDS.keepScore} ...${fold} icon="keypad" about=${`${called(keeping)}, ${WORDS.to(target)}`} text=${WORDS.keepScoreText} action=${WORDS.startGame} isMain=${!isComputer && !hasNext}
          onStart=${() => begin({ entry, players: keeping, names: names.slice(0, keeping) })}>
          ${people("keepers", keeping, setKeepers)}
          <div class="pair"><${Segments} label=${WORDS.entry} value=${entry} choices=${WORDS.entries} onChoose=${setEntry} />${to}</div>
        <//>
        <${Way} title=${WORDS.playComputer} ...${fold} icon="cards" about=${`${found.map(({ title }) => title).join(", ")}, ${playing === 2 ? "" : `${WORDS.ofPlayers(playing)}, `}${WORDS.to(target)}`} text=${WORDS.playComputerText} action=${WORDS.deal} isMain=${isComputer && !hasNext}
          onStart=${() => begin({ entry: "dealt", players: playing, levels: ["", ...computers] })}>
          ${computers.map((level, at) => html`${playing === 4 && html`<small class="whom">${WORDS.partnerOrNot(at === 1)}</small>`}<div class="many">
            ${computers.length > 1 && html`<${Peg} side=${sideOf(at + 1, playing)} />`}
            <${Segments} label=${computers.length > 1 ? WORDS.levelOf(at + 2) : WORDS.level} value=${level} choices=${levels} onChoose=${(/** @type {string} */ value) => choose(at, value)} /></div>`)}
          ${found.length === 1 && html`<small class="knows">${playing === 3 && found[0]?.value === "expert" ? WORDS.hardOfThree : found[0]?.text}</small>`}
          <div class="pair">
            <div class="many"><${Icon} name="people" /><${Segments} label=${WORDS.players} value=${String(playing)} choices=${sizes.map(String).map((value) => ({ value, title: value }))} onChoose=${(/** @type {string} */ value) => setRivals(Number(value))} /></div>
            ${to}
          </div>
        <//>
        <${Way} title=${WORDS.passAndPlay} ...${fold} icon="people" about=${`${called(sharing)}, ${WORDS.to(target)}`} text=${WORDS.passAndPlayText} action=${WORDS.deal}
          onStart=${() => begin({ entry: "dealt", players: sharing, levels: Array.from({ length: sharing }, () => ""), names: names.slice(0, sharing) })}>
          ${people("sharers", sharing, setSharers)}
          ${to}
        <//>
      </div>
      <nav class="more">
        ${isNew
          ? html`<a href="#games"><${Tile} icon="chart" title=${WORDS.gamesAndStats} /></a>`
          : html`<button type="button" onClick=${learn}><${Tile} icon="cards" title=${WORDS.learn} text=${WORDS.learnAgain} /></button>`}
        <a href="#learn/five-minutes"><${Tile} icon="lesson" title=${WORDS.fiveMinutes} /></a>
        <a href="#practice"><${Tile} icon="hint" title=${WORDS.practice} text=${WORDS.practiceText(streak().days)} /></a>
        <a href="#count"><${Tile} icon="count" title=${WORDS.countHand} text=${WORDS.countHandText} /></a>
        <a href="#phones"><${Tile} icon="phone" title=${WORDS.phones} text=${WORDS.phonesText} /></a>
        <a href="#rules"><${Tile} icon="rules" title=${WORDS.rules(preset?.title ?? setup.rules)} text=${WORDS.rulesText(Object.keys(setup.options))} /></a>
      </nav>
      ${YourGames && !isNew && html`<${Guarded} of=${state.seq}><${YourGames} recent=${recent} /><//>`}
    </main>
  `;
}

/** @param {{ icon: string, title: string, text?: string }} props */
const Tile = ({ icon, title, text }) => html`<${Icon} name=${icon} /><span><b>${title}</b>${text && html`<small>${text}</small>`}</span>`;

/** @type {{ recent: Server.PastGames | null, LastGame: (props: any) => unknown, YourGames?: (props: any) => unknown }} Parts loaded after the start page, with placeholders. Past games come last, as their height is unknown. */
const LATER = { recent: null, LastGame: () => html`<section class="banner last-game"></section>` };

/**
 * Load the last finished games, reloading when a game ends or is resumed.
 * @param {Server.State} state
 */
function useEvening({ winner, seq }) {
  const [evening, setEvening] = useState(LATER);
  useEffect(() => {
    let isOvertaken = false;
    Promise.all([import("/page/recent.js"), load(RECENT)]).then(([views, recent]) => isOvertaken || setEvening({ ...views, recent }), () => {});
    return () => {
      isOvertaken = true;
    };
  }, [winner === null ? null : seq]);
  return evening;
}

/** @param {Way} props Small screens show the settings of one way at a time. */
function Way({ title, icon, about, text, children, action, isMain = false, unfolded, onUnfold, onStart }) {
  const isNarrow = useQuery(NARROW);
  const isFolded = title !== unfolded;
  const heading = html`<span class="badge"><${Icon} name=${icon} /></span><span>${title}${(isFolded || !isNarrow) && html`<small>${isNarrow ? about : text}</small>`}</span>`;
  return html`
    <section class=${classes("way", isFolded && "folded")}>
      <h2>${isNarrow ? html`<button type="button" class="fold" aria-expanded=${String(!isFolded)} onClick=${() => onUnfold(isFolded ? title : "")}>${heading}</button>` : heading}</h2>
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
    <span class="fan" aria-hidden="true">${COURTS.map(([rank, suit, court]) => html`<span><b>${rank}<br />${suit}</b><img src=${file(`deck/${court}.svg`)} loading="lazy" alt="" /></span>`)}</span>
  </button>
`;

/** @param {{ state: Server.State }} props */
const OpenGame = ({ state }) => html`
  <section class="banner open-game" aria-label=${WORDS.openGame}>
    <p>${WORDS.openGame}</p>
    <p class="scores">${state.sides.map((side, at) => html`<span><${Peg} side=${at} /> <bdi>${side.name} ${side.front}</bdi></span>`)}</p>
    <p><small>${WORDS.ends}</small></p>
    <a class="main" href=${done.value === null ? "#table" : "#learn"} onClick=${() => state.phase === "new-game" && press("UNDO")}>${WORDS.resume}</a>
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
