// The start: three ways into a game, the game that is open, and what else there is.

import { classes, html, Icon, Peg, Segments, useQuery } from "/page/html.js";
import { done, learn, leave } from "/page/learning.js";
import { begun, load, press, refusal, start } from "/page/store.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

/** @typedef {import("/page/store.js").Moment} Moment */
/** @typedef {{ title: string, icon: string, about: string, text: string, children?: unknown, action: string, isMain?: boolean, unfolded: string, onUnfold: (title: string) => void, onStart: () => void }} Way */

const TARGETS = ["61", "121"];
const NARROW = "(max-width: 640px), (max-height: 479px)"; // as in base.css: the ways are folded
const COURTS = [["J", "♥", "JH"], ["Q", "♠", "QS"], ["K", "♦", "KD"]];

/** @param {{ now: Moment }} props */
export function Start({ now: { state, page } }) {
  const [rules, setRules] = useState(/** @type {Omit<Server.Rules, "options"> | null} */ (null));
  const [target, setTarget] = useState("121");
  const [skills, setSkills] = useState(["solid", "solid", "solid"]); // of the computers, from the second seat on
  const [count, setCount] = useState("2");
  const [names, setNames] = useState(["", ""]);
  const [entry, setEntry] = useState(/** @type {Server.Entry} */ ("cards"));
  const [rivals, setRivals] = useState("2"); // how many play, with the computers
  const seats = names.length;
  const [unfolded, setUnfolded] = useState(/** @type {string | null} */ (null)); // on a phone one way lies open
  const isMine = useRef(false); // what is typed or chosen here stays, whatever the table tells meanwhile
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
      setSkills([1, 2, 3].map((seat) => setup.levels[seat] || setup.levels.find(Boolean) || "solid"));
      if (setup.levels.some(Boolean)) setRivals(String(setup.players));
      else setNames(setup.names.slice(0, 2));
      if (setup.entry !== "dealt") setEntry(setup.entry);
    }, () => isOvertaken || setRules(null));
    return () => {
      isOvertaken = true;
    };
  }, [state.seq]);
  if (!rules) return html`<main class="start"></main>`;
  const { setup } = rules;
  const preset = rules.presets.find(({ name }) => name === setup.rules);
  const sizes = (preset?.players ?? [2]).map((players) => ({ value: String(players), title: String(players) }));
  const playing = sizes.some(({ value }) => value === rivals) ? rivals : "2";
  const isOpen = state.winner === null && state.sides.length > 0;
  const hasNext = isOpen || page.pairing !== null;
  const levels = rules.levels.filter(({ value }) => value && !value.includes("-"));
  const computers = skills.slice(0, Number(playing) - 1);
  const found = levels.filter(({ value }) => computers.includes(value));
  const choose = (/** @type {number} */ chosen, /** @type {string} */ level) =>
    setSkills(skills.map((old, at) => (at === chosen || computers.length === 1 ? level : old)));
  const begin = (/** @type {Server.Entry} */ entry, /** @type {string[]} */ seats, called = /** @type {string[] | null} */ (null)) => {
    leave();
    const options = { ...setup.options, target };
    start({ rules: setup.rules, players: seats.length, entry, options, levels: seats, ...(called ? { names: called } : {}) });
    location.hash = "table";
  };
  const size = (/** @type {string} */ players, /** @type {(value: string) => void} */ onPlayers) => html`
    <div class="pair">
      <div class="many"><${Icon} name="people" /><${Segments} label=${WORDS.players} value=${players} choices=${sizes} onChoose=${onPlayers} /></div>
      <${Segments} label=${WORDS.target} value=${target} onChoose=${setTarget}
        choices=${[...new Set([...TARGETS, target])].map((value) => ({ value, title: WORDS.to(value) }))} />
    </div>`;
  const isComputer = setup.entry === "dealt" || state.phase === "idle"; // who is new has perhaps no cards
  const fold = { unfolded: unfolded ?? (hasNext ? "" : isComputer ? WORDS.playComputer : WORDS.keepScore), onUnfold: setUnfolded };
  return html`
    <main class="start">
      <h1 class="unseen">${WORDS.title}</h1>
      <header class="tools"><a class="mark" href="#" aria-label=${WORDS.name}><${Peg} side=${0} /><${Peg} side=${1} /> <b>${WORDS.name}</b></a></header>
      <${Newcomer} />
      ${isOpen && html`<${OpenGame} state=${state} />`}
      ${page.pairing && html`<${Paired} pairing=${page.pairing} />`}
      ${refusal.value && html`<p class="refused" role="alert">${refusal.value.sentence}</p>`}
      ${page.trouble.map((sentence) => html`<p class="refused" role="status" key=${sentence}>${sentence}</p>`)}
      <div class="ways" onInput=${mine} onClick=${mine}>
        <${Way} title=${WORDS.keepScore} ...${fold} icon="keypad" about=${`${names.some(Boolean) ? names.filter(Boolean).join(", ") : WORDS.ofPlayers(seats)}, ${WORDS.to(target)}`} text=${WORDS.keepScoreText} action=${WORDS.startGame} isMain=${!isComputer && !hasNext}
          onStart=${() => begin(entry, names.map(() => ""), names)}>
          <${Segments} label=${WORDS.entry} value=${entry} choices=${WORDS.entries} onChoose=${setEntry} />
          ${size(String(seats), (value) => setNames(Array.from({ length: Number(value) }, (_, at) => names[at] ?? "")))}
          ${names.map((name, seat) => html`<label class="named"><${Peg} side=${seats === 4 ? seat % 2 : seat} />
            <input value=${name} maxlength="40" autocomplete="off" aria-label=${WORDS.player(seat + 1)} placeholder=${WORDS.player(seat + 1)}
              onInput=${(/** @type {InputEvent & { target: HTMLInputElement }} */ event) => setNames(names.map((old, at) => (at === seat ? event.target.value : old)))} /></label>`)}
        <//>
        <${Way} title=${WORDS.playComputer} ...${fold} icon="cards" about=${`${found.map(({ title }) => title).join(", ")}, ${playing === "2" ? "" : `${WORDS.ofPlayers(Number(playing))}, `}${WORDS.to(target)}`} text=${WORDS.playComputerText} action=${WORDS.deal} isMain=${isComputer && !hasNext}
          onStart=${() => begin("dealt", ["", ...computers])}>
          ${size(playing, setRivals)}
          ${computers.map((level, at) => html`<div class="many">
            ${computers.length > 1 && html`<${Peg} side=${playing === "4" ? (at + 1) % 2 : at + 1} />`}
            <${Segments} label=${computers.length > 1 ? WORDS.levelOf(at + 2) : WORDS.level} value=${level} choices=${levels} onChoose=${(/** @type {string} */ value) => choose(at, value)} /></div>`)}
          ${found.length === 1 && html`<p class="knows">${found[0]?.text}</p>`}
        <//>
        <${Way} title=${WORDS.passAndPlay} ...${fold} icon="people" about=${`${WORDS.ofPlayers(Number(count))}, ${WORDS.to(target)}`} text=${WORDS.passAndPlayText} action=${WORDS.deal}
          onStart=${() => begin("dealt", Array.from({ length: Number(count) }, () => ""))}>
          ${size(count, setCount)}
        <//>
      </div>
      <nav class="more">
        <a href="#rules"><${Icon} name="rules" /><span><b>${WORDS.rules(preset?.title ?? setup.rules)}</b><small>${WORDS.rulesText(Object.keys(setup.options))}</small></span></a>
        <a href="#names"><${Icon} name="people" /><span><b>${WORDS.names}</b><small>${WORDS.namesText}</small></span></a>
        <a href="#count"><${Icon} name="count" /><span><b>${WORDS.countHand}</b><small>${WORDS.countHandText}</small></span></a>
        <a href="#games"><${Icon} name="chart" /><span><b>${WORDS.gamesAndStats}</b><small>${WORDS.gamesAndStatsText}</small></span></a>
        <a href="#learn/five-minutes"><${Icon} name="lesson" /><span><b>${WORDS.fiveMinutes}</b><small>${WORDS.fiveMinutesText}</small></span></a>
        <a href="#phones"><${Icon} name="phone" /><span><b>${WORDS.phones}</b><small>${WORDS.phonesText}</small></span></a>
        <a href="#settings"><${Icon} name="settings" /><span><b>${WORDS.settings}</b><small>${WORDS.settingsText}</small></span></a>
        <a href="#device"><${Icon} name="keypad" /><span><b>${WORDS.device}</b><small>${WORDS.deviceText}</small></span></a>
      </nav>
    </main>
  `;
}

/** @param {Way} props On a small screen one way at a time shows what it can be set to. */
function Way({ title, icon, about, text, children, action, isMain = false, unfolded, onUnfold, onStart }) {
  const isNarrow = useQuery(NARROW);
  const isFolded = title !== unfolded;
  const heading = html`<span class="badge"><${Icon} name=${icon} /></span><span>${title}${isNarrow && isFolded && html`<small>${about}</small>`}</span>`;
  return html`
    <section class=${classes("way", isFolded && "folded")}>
      <h2>${isNarrow ? html`<button type="button" class="fold" aria-expanded=${String(!isFolded)} onClick=${() => onUnfold(isFolded ? title : "")}>${heading}</button>` : heading}</h2>
      <p>${text}</p>
      <div class="settings">${children}</div>
      <button type="button" class=${classes(isMain ? "main" : "other", "begin")} onClick=${onStart}>${action}</button>
    </section>
  `;
}

/** Who has never played is asked in: in the first row, or where there is room as large as a game that is open. */
const Newcomer = () => html`
  <button type="button" class="newcomer" onClick=${learn}>
    <${Icon} name="lesson" />
    <span class="asks"><span>${WORDS.newcomer}</span><small>${WORDS.learnText}</small></span>
    <u>${WORDS.learn}</u>
    <span class="fan" aria-hidden="true">${COURTS.map(([rank, suit, file]) => html`<span><b>${rank}<br />${suit}</b><img src=${`/page/deck/${file}.svg`} loading="lazy" alt="" /></span>`)}</span>
  </button>
`;

/** @param {{ state: Server.State }} props */
const OpenGame = ({ state }) => html`
  <section class="open-game" aria-label=${WORDS.openGame}>
    <p>${WORDS.openGame}</p>
    <p class="scores">${state.sides.map((side, at) => html`<span><${Peg} side=${at} /> ${side.name} ${side.front}</span>`)}</p>
    <p><small>${WORDS.ends}</small></p>
    <a class="main" href=${done.value === null ? "#table" : "#learn"} onClick=${() => state.phase === "new-game" && press("UNDO")}>${WORDS.resume}</a>
  </section>
`;

/** @param {{ pairing: NonNullable<Server.Page["pairing"]> }} props Whose game a club's desk wants here. */
const Paired = ({ pairing: { players, board, round, games } }) => html`
  <section class="open-game" aria-label=${WORDS.pairing}>
    <p>${WORDS.pairing}</p>
    <p class="scores">${players.map((name, side) => html`<span><${Peg} side=${side} /> ${name}</span>`)}</p>
    <p><small>${WORDS.pairingOf(board, round, games)}</small></p>
    <a class="main" href="#table" onClick=${() => press("OK")}>${WORDS.startGame}</a>
  </section>
`;
