// The game page: scores, board, felt, prompt, and the hand or keys.

import { Modal } from "/page/act.js";
import { BoardView, Strip } from "/page/board.js";
import { CardText } from "/page/cards.js";
import { Device } from "/page/device.js";
import { Dialog } from "/page/dialog.js";
import { completedCount, Felt, miscount } from "/page/felt.js";
import { Hand } from "/page/hand.js";
import { useAwake } from "/page/hooks.js";
import { HeldMenu, useTyping } from "/page/input.js";
import { Keypad, Pad, Pegs } from "/page/keypad.js";
import { askForLesson, Coach, dueStep } from "/page/lesson.js";
import { Log } from "/page/log.js";
import { useMovement } from "/page/motion.js";
import { PhoneTool } from "/page/phones.js";
import { prefer, preferences } from "/page/preferences.js";
import { Prompt, seatToAct, viewerSeat, viewerSide } from "/page/prompt.js";
import { useResource } from "/page/resource.js";
import { Result } from "/page/result.js";
import { Show } from "/page/show.js";
import { Announcements } from "/page/sound.js"; // plays sounds on import
import { phone, press, waiting } from "/page/store.js";
import { classes, Guarded, Header, html, Icon, Peg, TALL, useQuery } from "/page/ui.js";
import { useRef, useState } from "/page/vendor/preact.js";
import { CHANCES, LESSON, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @typedef {import("/page/ui.js").IconName} IconName */

/** Dialogs shown next to the cards instead of replacing them. */
const BESIDE = new Set(["Question", "Undone"]);

const lost = (/** @type {string} */ place) => () => html`<section class=${place}><p role="alert">${WORDS.crash}</p></section>`;
const [Lost, LostHand] = [lost("felt"), lost("hand")];

const hideDevice = () => prefer("device", false);

/** @param {{ now: Moment, isLesson: boolean }} props */
export function Table({ now, isLesson }) {
  const { state, page } = now;
  const [isLogOpen, setLogOpen] = useState(false);
  const root = useRef(null);
  useMovement(root, now);
  useTyping();
  const isPhone = phone.value !== undefined;
  const isDevice = preferences.value.device && !isPhone;
  const room = useRoom();
  const isOver = state.phase === "game-over" || state.phase === "match-over";
  useAwake(!isOver);
  const hasChances = preferences.value.chances && !isPhone && !isOver && state.sides.length === 2;
  const isOpen = page.table.dialog !== null && !BESIDE.has(page.table.dialog);
  const closed = isOpen ? null : completedCount.value;
  const counted = isOpen || closed ? null : miscount.value;
  const onTable = state.entry === "dealt" && phone.value?.role !== "keypad" ? "play" : "keep";
  const kind = isOpen ? "dialog" : closed ? onTable : counted ? "show" : isOver ? "result" : page.felt?.shown ? "show" : onTable;
  const isEarly = closed !== null && Boolean(isOver || page.felt?.shown); // hide what follows
  const isCut = state.entry === "peg" && state.phase === "cut" && page.choices.length > 0;
  const isPadded = (page.number !== null || isCut) && !isEarly && ((kind === "show" && !counted) || (kind === "keep" && !isDevice));
  const isByPoints = isPadded && kind === "keep" && state.entry === "peg"; // no cards to show: the pad has the prompt
  const prompt = html`<${Prompt} now=${now} isEarly=${isEarly} isClosed=${closed !== null} isPadded=${isPadded} />`;
  const step = isLesson && !isEarly ? dueStep(now) : null;
  const tools = html`<${Tools} now=${now} isLesson=${isLesson} step=${step} onLog=${() => setLogOpen(!isLogOpen)} />`;
  // the game continues without it
  const part = (/** @type {unknown} */ view, /** @type {(() => unknown) | undefined} */ instead = undefined) =>
    html`<${Guarded} of=${state.seq} instead=${instead}>${view}<//>`;
  return html`
    <main class="table" ref=${root} data-kind=${kind} data-seq=${state.seq} data-phase=${state.phase} data-waiting=${waiting.value.length}
      data-device=${isDevice || null} data-lesson=${isLesson || null} data-points=${step?.points.join(" ")}>
      ${tools}
      ${isLesson && part(html`<${Coach} step=${step} />`)}
      ${room && part(html`<${BoardView} state=${state} ghosts=${page.ghosts} isUpright=${room === "upright"} />`)}
      ${part(html`<${Tiles} now=${now} />`)}
      ${hasChances && html`<div class="chances">${part(html`<${Chances} state=${state} />`)}</div>`}
      ${!room && state.sides.length > 0 && part(html`<${BoardStrip} state=${state} ghosts=${page.ghosts} ownSide=${viewerSide(now)} />`)}
      ${kind === "dialog" && part(html`<${Dialog} now=${now} />`, Lost)}
      ${kind === "result" && part(html`<${Result} now=${now} />`, Lost)}
      ${kind === "show" && part(html`<${Show} key=${counted ? "counted" : `${state.seq}`} now=${now} isPadded=${isPadded} counted=${counted}
        kinds=${step?.kinds} />`, Lost)}
      ${(kind === "play" || kind === "keep") && !isByPoints && html`${part(html`<${Felt} now=${now} closed=${closed} />`, Lost)}${prompt}`}
      ${kind === "play" && part(html`<${Hand} now=${now} />`, LostHand)}
      ${kind === "play" && page.hand?.hint && html`<p
        class="hint-said">${page.hand.hint.words ? html`<${CardText} text=${TABLE.hinted(page.hand.hint.words)} />` : TABLE.hintComes}</p>`}
      ${isPadded && html`<${Pad} number=${page.number} isAlone=${isByPoints} prompt=${isByPoints && prompt}><${Pegs} now=${now} /><//>`}
      ${kind === "keep" && !isPadded && !isDevice && phone.value?.role !== "watch" && part(html`<${Keypad} now=${now} />`, LostHand)}
      ${isDevice && part(html`<${Device} now=${now} onClose=${hideDevice} />`)}
      ${part(html`<${Log} isOpen=${isLogOpen} onClose=${() => setLogOpen(false)} />`)}
      <${HeldMenu} />
      ${part(html`<${Announcements} now=${now} viewer=${viewerSeat(now)} />`)}
    </main>
  `;
}

/** @returns {"upright" | "lying" | null} The board beside the table, or null if there is no room. */
export function useRoom() {
  const isUpright = useQuery("(width >= 56.25em) and (height >= 30em)");
  const isLying = useQuery("(height < 30em) and (width >= 32.5em)");
  return isUpright ? "upright" : isLying ? "lying" : null;
}

/** @typedef {{ state: Server.State, ghosts?: (number | null)[], lights?: Server.Light[] | null }} BoardProps */

/** @param {BoardProps & { ownSide: Server.Side | null }} props A strip, which opens the whole board. */
export function BoardStrip({ ownSide, ...board }) {
  const [isOpen, setOpen] = useState(false);
  return html`
    <${Strip} ...${board} mine=${ownSide} onOpen=${() => setOpen(true)} />
    ${isOpen && html`<${BoardDialog} ...${board} onClose=${() => setOpen(false)} />`}`;
}

/** @param {BoardProps & { onClose: () => void }} props */
function BoardDialog({ onClose, ...board }) {
  const isTall = useQuery(TALL);
  return html`
    <${Modal} kind="over" aria-label=${WORDS.board} onClose=${onClose} onClick=${onClose}>
      <button type="button" class="tool" aria-label=${WORDS.close} onClick=${onClose}><${Icon} name="close" /></button>
      <${BoardView} ...${board} isUpright=${isTall} />
    <//>
  `;
}

/** @param {{ now: Moment, isLesson: boolean, step: import("/page/lesson.js").Step | null, onLog: () => void }} props */
function Tools({ now: { state, page }, isLesson, step, onLog }) {
  const has = (/** @type {string} */ key) => page.choices.some((choice) => choice.key === key);
  const { role } = phone.value ?? { role: "keypad" }; // like the local page
  const [isKeypad, mayPress] = [role === "keypad", role !== "watch"]; // tools keep their places, dimmed if unavailable
  const deal = page.table.deal === null ? "" : ` · ${WORDS.dealNumber(page.table.deal)}`;
  /** @type {(icon: IconName, name: string, act: () => void, isOn?: boolean) => unknown} */
  const tool = (icon, name, act, isOn = true) => html`
    <button type="button" class="tool" data-tool=${icon} disabled=${!isOn} title=${name} onClick=${act}>
      <${Icon} name=${icon} /><span>${name}</span>
    </button>
  `;
  return html`
    <${Header} home=${phone.value ? "span" : "a"} to="">
      <span class="about">${WORDS.to(state.target)}${deal}</span>
      ${mayPress && tool("undo", WORDS.undo, () => press("UNDO"), has("UNDO"))}
      ${isKeypad && tool("redo", WORDS.redo, () => press("hold:UNDO"), state.can_redo)}
      ${state.entry === "dealt" && mayPress && state.seats.some(({ level }) => !level)
        && tool("hint", WORDS.hint, () => press("FLNB"), page.hand?.may_hint)}
      ${isLesson && tool("lesson", LESSON.title, askForLesson, !step)}
      ${tool("log", WORDS.log, onLog)}
      ${!phone.value && tool("keypad", WORDS.deviceShort, () => prefer("device", !preferences.value.device))}
      ${isKeypad && tool("menu", WORDS.menu, () => press("MENU"), has("MENU"))}
      <${PhoneTool} />
    <//>
  `;
}

/** @param {{ now: Moment }} props Sides with name, activity and score, in the order of their pegs. */
export function Tiles({ now }) {
  const { state, page } = now;
  const own = viewerSide(now);
  return html`
    <ul class="tiles" data-sides=${state.sides.length}>
      ${state.sides.map((_, side) => html`<${Tile} key=${side} state=${state} page=${page} side=${side}
        me=${own === null ? null : viewerSeat(now)} />`)}
    </ul>
  `;
}

/** @param {{ state: Server.State, page: Server.Page, side: number, me: number | null }} props */
function Tile({ state, page, side, me }) {
  const one = state.sides[side];
  const seats = state.seats.flatMap((seat, at) => (seat.side === side ? [{ ...seat, at }] : []));
  const acts = seats.some(({ at }) => at === seatToAct({ state, page }));
  const isPlay = state.phase === "play" && state.entry !== "peg"; // points mode has no cards
  const held = (/** @type {number} */ at) => page.felt?.held[at] ?? state.seats[at]?.cards_left ?? 0;
  const ofPartners = () => {
    const dealer = state.winner === null ? seats.find(({ at }) => at === state.dealer) : undefined;
    const partner = seats.some(({ at }) => at === me) && !isPlay ? seats.find(({ at }) => at !== me) : undefined;
    return [
      dealer && html`<bdi>${dealer.name}</bdi> ${WORDS.dealing}`,
      isPlay && WORDS.cardsOfAll(seats.map(({ at }) => held(at))),
      partner && html`${WORDS.partner} <bdi>${partner.name}</bdi>`,
    ];
  };
  const ofOne = () => seats.flatMap(({ at, level, name }) => [
    at === state.dealer && state.winner === null && WORDS.dealing,
    level && !isPlay && !name.startsWith(page.table.levels[at] ?? "") && page.table.levels[at],
    isPlay && WORDS.cards(held(at)),
    at === me && name.toLowerCase() !== WORDS.you && WORDS.you,
  ]);
  const facts = (seats.length > 1 ? ofPartners() : ofOne()).filter(Boolean);
  const isMatch = state.sides.some(({ games }) => games);
  if (isMatch) facts.push(WORDS.games(one?.games ?? 0));
  return html`
    <li class=${classes("tile", (seats.length > 1 || isMatch) && "wordy", acts && "acts", state.winner === side && "wins")}
      data-side=${side} data-place=${`side-${side}`}>
      <${Peg} side=${side} />
      <span class="who"><b>${one?.name.split("+").map((name, at) => html`${at > 0 && html`<wbr />+`}<bdi>${name}</bdi>`)}</b>
        <small>${facts.map((fact, at) => html`${at > 0 && " · "}<span class="fact">${fact}</span>`)}</small></span>
      <span class="score">${one?.front}</span>
    </li>
  `;
}

/** @param {{ state: Server.State }} props Win probabilities of both sides, in the order of the tiles. */
export function Chances({ state }) {
  const loaded = useResource("/api/chances", state.seq);
  const found = loaded.isFailed ? null : loaded.found?.chances;
  if (!found) return null;
  const both = state.sides.map(({ name }, side) => ({ side, name, part: found[side] ?? 0 }));
  const first = Math.round(100 * (both[0]?.part ?? 0));
  const told = [first, 100 - first].map(percent);
  return html`
    <div class="bar" role="meter" aria-label=${CHANCES.title} aria-valuemin="0" aria-valuemax="100"
      aria-valuenow=${first} aria-valuetext=${both.map(({ name }, at) => `${name} ${told[at]}`).join(", ")}>
      <b>${told[0]}</b>
      <span>${both.map(({ side, part }) => html`<i key=${side} data-side=${side} style=${{ flexGrow: part }} />`)}</span>
      <b>${told[1]}</b>
    </div>
  `;
}

/** @param {number} whole Never 0 or 100 before the end. */
const percent = (whole) => (whole > 99 ? "> 99 %" : whole < 1 ? "< 1 %" : `${whole} %`);
