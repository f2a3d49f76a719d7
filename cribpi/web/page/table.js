// The table while a game is on: the scores, the board, what lies on the felt, what is asked, and the hand or the keys.

import "/page/sound.js"; // what happens here is heard
import { Asked, mine, turnOf } from "/page/asked.js";
import { BoardView, Strip } from "/page/board.js";
import { Dialog } from "/page/dialog.js";
import { Felt } from "/page/felt.js";
import { Hand } from "/page/hand.js";
import { held } from "/page/hold.js";
import { classes, html, Icon, Peg } from "/page/html.js";
import { typed } from "/page/keyboard.js";
import { Keypad } from "/page/keypad.js";
import { askForLesson, Coach, dueStep } from "/page/lesson.js";
import { Log } from "/page/log.js";
import { useMovement } from "/page/motion.js";
import { Result } from "/page/result.js";
import { Show } from "/page/show.js";
import { press, waiting } from "/page/store.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { LESSON } from "/page/words-lesson.js";
import { WORDS } from "/page/words.js";

/** @typedef {import("/page/store.js").Moment} Moment */

/** What is asked beside the cards, and not in their place. */
const BESIDE = new Set(["Question", "Undone"]);

/** @param {{ now: Moment, isLesson: boolean }} props */
export function Table({ now, isLesson }) {
  const { state, page } = now;
  const [open, setOpen] = useState("");
  const root = useRef(null);
  useMovement(root);
  useEffect(() => {
    addEventListener("keydown", typed);
    return () => removeEventListener("keydown", typed);
  }, []);
  const isUpright = useQuery("(min-width: 900px) and (min-height: 480px)"); // the board on end, beside the table
  const isLying = useQuery("(max-height: 479px) and (min-width: 520px)");
  const isOver = state.phase === "game-over" || state.phase === "match-over";
  const isOpen = page.table.dialog !== null && !BESIDE.has(page.table.dialog);
  const closed = isOpen ? null : held.value;
  const onTable = state.entry === "dealt" ? "play" : "keep";
  const kind = isOpen ? "dialog" : closed ? onTable : isOver ? "result" : page.felt?.shown ? "show" : onTable;
  const step = isLesson ? dueStep(now) : null;
  const tools = html`<${Tools} now=${now} isLesson=${isLesson} step=${step} open=${open} onOpen=${setOpen} />`;
  return html`
    <main class="table" ref=${root} data-kind=${kind} data-seq=${state.seq} data-phase=${state.phase} data-waiting=${waiting.value.length} data-points=${step?.points.join(" ")}>
      ${tools}
      ${isLesson && html`<${Coach} step=${step} />`}
      ${(isUpright || isLying) && html`<${BoardView} state=${state} isUpright=${isUpright} />`}
      <${Tiles} now=${now} />
      ${!isUpright && !isLying && html`<${Strip} state=${state} mine=${mine(now) ?? 0} onOpen=${() => setOpen("board")} />`}
      ${kind === "dialog" && html`<${Dialog} page=${page} />`}
      ${kind === "result" && html`<${Result} now=${now} />`}
      ${kind === "show" && html`<${Show} key=${`${state.seq}`} now=${now} />`}
      ${(kind === "play" || kind === "keep") && html`<${Felt} now=${now} closed=${closed} /><${Asked} now=${now} isEarly=${closed !== null && (isOver || page.felt?.shown)} />`}
      ${kind === "play" && html`<${Hand} now=${now} />`}
      ${kind === "keep" && html`<${Keypad} now=${now} />`}
      <${Log} isOpen=${open === "log"} onClose=${() => setOpen("")} />
      ${open === "board" && html`<${Over} label=${WORDS.board} onClose=${() => setOpen("")}><${BoardView} state=${state} isUpright=${innerHeight > innerWidth} /><//>`}
      <p class="unseen" role="status" aria-live="polite">${announced(now)}</p>
    </main>
  `;
}

/** @param {string} query of a screen: whether it holds now */
export function useQuery(query) {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setHolds(list.matches);
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, []);
  return holds;
}

/**
 * What lies over the table until it is closed.
 * @param {{ label: string, onClose: () => void, children: unknown }} props
 */
export function Over({ label, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  return html`
    <dialog class="over" ref=${dialog} aria-label=${label} onClose=${onClose} onClick=${onClose}>
      <button type="button" class="tool" aria-label=${WORDS.close} onClick=${onClose}><${Icon} name="close" /></button>
      ${children}
    </dialog>
  `;
}

/** @param {{ now: Moment, isLesson: boolean, step: import("/page/lesson.js").Step | null, open: string, onOpen: (what: string) => void }} props */
function Tools({ now: { state, page }, isLesson, step, open, onOpen }) {
  const has = (/** @type {string} */ key) => page.choices.some((choice) => choice.key === key);
  const deal = page.table.deal === null ? "" : ` · ${WORDS.dealNumber(page.table.deal)}`;
  const tool = (/** @type {string} */ icon, /** @type {string} */ name, /** @type {() => void} */ act, isOn = true) => html`
    <button type="button" class="tool" data-tool=${icon} disabled=${!isOn} title=${name} onClick=${act}>
      <${Icon} name=${icon} /><span>${name}</span>
    </button>
  `;
  return html`
    <header class="tools">
      <a class="mark" href="#" aria-label=${WORDS.name}><${Peg} side=${0} /><${Peg} side=${1} /> <b>${WORDS.name}</b></a>
      <span class="about">${WORDS.to(state.target)}${deal}</span>
      ${tool("undo", WORDS.undo, () => press("UNDO"), has("UNDO") && (state.can_undo || page.table.dialog !== null))}
      ${state.can_redo && tool("redo", WORDS.redo, () => press("hold:UNDO"))}
      ${page.hand?.may_hint && tool("hint", WORDS.hint, () => press("FLNB"))}
      ${isLesson && tool("lesson", LESSON.title, askForLesson, !step)}
      ${tool("log", WORDS.log, () => onOpen(open === "log" ? "" : "log"))}
      ${tool("menu", WORDS.menu, () => press("MENU"), has("MENU"))}
    </header>
  `;
}

/** @param {{ now: Moment }} props Each side's name, what it does, and its score. */
export function Tiles({ now }) {
  const { state, page } = now;
  const me = mine(now);
  const isAlone = state.seats.filter(({ level }) => !level).length === 1;
  const own = isAlone && me !== null ? state.seats[me]?.side : undefined;
  const order = state.sides.map((_, side) => side);
  order.sort((a, b) => Number(a === own) - Number(b === own)); // the opponents first, as across the table
  return html`
    <ul class="tiles" data-sides=${order.length}>
      ${order.map((side) => html`<${Tile} key=${side} state=${state} page=${page} side=${side} me=${isAlone ? me : null} />`)}
    </ul>
  `;
}

/** @param {{ state: Server.State, page: Server.Page, side: number, me: number | null }} props */
function Tile({ state, page, side, me }) {
  const one = state.sides[side];
  const seats = state.seats.flatMap((seat, at) => (seat.side === side ? [{ ...seat, at }] : []));
  const acts = seats.some(({ at }) => at === turnOf({ state, page }));
  const facts = seats.flatMap(({ at, level, name }) => {
    const who = seats.length > 1 ? `${name} ` : "";
    return [
      at === state.dealer ? `${who}${WORDS.dealing}` : "",
      level && state.phase !== "play" ? `${who}${page.table.levels[at] ?? ""}` : "",
      state.phase === "play" ? `${who}${WORDS.cards(page.felt?.held[at] ?? state.seats[at]?.cards_left ?? 0)}` : "",
      at === me && at !== state.dealer && state.phase !== "play" ? WORDS.you : "",
    ].filter(Boolean);
  });
  if (state.sides.some(({ games }) => games)) facts.push(WORDS.games(one?.games ?? 0));
  return html`
    <li class=${classes("tile", acts && "acts", state.winner === side && "wins")} data-side=${side} data-place=${`side-${side}`}>
      <${Peg} side=${side} />
      <span class="who"><b>${one?.name}</b><small>${facts.join(" · ")}</small></span>
      <span class="score">${one?.front}</span>
    </li>
  `;
}

/**
 * What a screen reader is told: what was pegged, then what is asked, and the scores.
 * @param {Moment} now
 */
function announced({ state, page }) {
  const latest = page.log[0]?.text ?? "";
  const holes = state.sides.map((side) => `${side.name} ${side.front}`).join(", ");
  return [latest, state.message, page.table.asks, holes].filter(Boolean).join(". ");
}
