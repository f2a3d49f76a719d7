// The show, counted step by step: each combination lifts in turn, with its words and running total.

import { ActionButton, MAIN, mayAct, standsOut } from "/page/act.js";
import { CardText, Face, Signs, spoken } from "/page/cards.js";
import { miscount } from "/page/felt.js";
import { useTimeout } from "/page/hooks.js";
import { Counted } from "/page/log.js";
import { preferences } from "/page/preferences.js";
import { ActionButtons, likelyActions, Remark, viewerSide } from "/page/prompt.js";
import { isHidden, now as moment, press } from "/page/store.js";
import { classes, html, isStill, Peg } from "/page/ui.js";
import { effect, useEffect, useRef, useState } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @type {Record<string, number>} Milliseconds per combination. */
const STEPS = { slow: 1600, normal: 900, quick: 0 };

const SEEN = 2000; // minimum milliseconds that a finished count stays before an automatic step
const READ = 600; // milliseconds for each line not stepped through

/** @type {number | null} The deal whose remaining hands are shown automatically, after one press. */
let carried = null;
let seen = Infinity; // number of the last event shown
effect(() => {
  const { log = [], table = null } = moment.value?.page ?? {};
  const at = log[0]?.seq ?? -1;
  if (at < seen || table?.dialog) carried = null; // no automatic steps after an undo or in a menu
  seen = at;
});

/** @param {{ label: string, asks: string, onAct: () => void }} props Main button for what the page does itself. */
const OwnAction = ({ label, asks, onAct }) => html`
  <${ActionButton} place=${MAIN} choice=${{ key: "", name: "", label, short: "", likely: true, takes_suit: false, side: null }} asks=${asks}
    onAct=${onAct}>
    ${label}<//>`;

/** @param {{ counted: Server.OwnCount, now: Moment }} props Side that gets the missed points. */
function Missed({ counted: { points, missed, to }, now }) {
  if (to === null) return html`<p class="taken"><b><${CardText} text=${TABLE.notTaken(points, missed)} /></b></p>`;
  const taker = viewerSide(now) === to ? null : (now.state.sides[to] ?? null);
  return html`
    <p class="taken"><${Peg} side=${to} /> <b><${CardText} text=${TABLE.takes(taker, missed)} /></b><small>${TABLE.byMuggins}</small></p>`;
}

/**
 * @typedef {object} ShowProps
 * @property {Moment} now
 * @property {boolean} [isWatched] without buttons
 * @property {boolean} [isPadded] points are entered on the pad, which has the buttons
 * @property {Server.OwnCount | null} [counted] miscounted show, instead of the current one
 * @property {import("/page/lesson.js").Kind[] | undefined} [kinds] for a lesson: all kinds of combinations, instead of this hand's lines
 */

/**
 * Walk through `lines` combinations, one after another, unless that is paused or they are covered.
 * @param {number} lines
 * @param {{ isAtOnce: boolean, isCovered: boolean, stepTime: number }} how
 */
function useWalk(lines, { isAtOnce, isCovered, stepTime }) {
  const [at, setAt] = useState(isAtOnce ? lines : 0); // combinations counted so far
  const [isPaused, setPaused] = useState(false);
  const isDone = at >= lines;
  const wasWalked = useRef(!isDone).current;
  useTimeout(() => setAt(at + 1), isPaused || isDone || isCovered ? null : stepTime, at);
  return { at, isDone, isPaused, wasWalked, setPaused, step: () => setAt(Math.min(at + 1, lines)), countAll: () => setAt(lines) };
}

/** @typedef {ReturnType<typeof useWalk>} Walk */

/** @param {ShowProps} props */
export function Show({ now, isWatched = false, isPadded = false, counted = null, kinds }) {
  const { state, page } = now;
  const { tally, points, cards, seat, crib } = counted ?? /** @type {Server.Shown} */ (page.felt?.shown);
  const { name = "", side = 0 } = state.seats[seat] ?? {};
  const { count: pace, hideTotal, carry } = preferences.value;
  const stepTime = STEPS[pace] ?? 0;
  // players who practise count first, except in the lesson
  const hides = hideTotal && !isWatched && !counted && !kinds && points !== null;
  const [isCovered, setCovered] = useState(hides);
  const uncover = () => setCovered(false);
  const walk = useWalk(tally.length, { isAtOnce: counted !== null || isStill() || pace === "quick", isCovered, stepTime });
  const { at, isDone, isPaused, countAll } = walk;

  const isAlone = !isWatched && viewerSide(now) !== null && state.seats.filter(({ level }) => !level).length === 1;
  const isReady = !counted && points !== null && !isCovered && (!hides || isDone) && !page.table.dialog;
  const goesOn = isAlone && isReady && likelyActions(page).some(standsOut);
  const isCarried = goesOn && location.hash !== "#learn" && carry && carried !== null && carried === page.table.deal;
  const wait = Math.max(SEEN, 2 * stepTime) + (walk.wasWalked ? 0 : READ * tally.length);
  useTimeout(() => press("OK", MAIN), isDone && !isPaused && isCarried && !isHidden.value ? wait : null);
  const carryOn = () => (carried = page.table.deal);
  const tap = (/** @type {MouseEvent & { target: Element }} */ event) => {
    if (event.target.closest("[data-enter]:not([aria-disabled])")) return goesOn && carryOn();
    if (event.target.closest("button, details")) return undefined;
    if (isCovered) return uncover();
    if (!isDone) return countAll();
    return goesOn && mayAct(MAIN, "OK", event) && (carryOn(), press("OK", MAIN));
  };

  const lifted = isDone || isCovered ? [] : (tally[at]?.cards ?? []);
  const title = counted ? TABLE.counted(name, counted.claimed, counted.points) : crib ? WORDS.crib(name) : TABLE.shows(name);
  const main = counted ? html`<${OwnAction} label=${TABLE.goOn} asks=${title} onAct=${() => (miscount.value = null)} />`
    : isCovered ? html`<${OwnAction} label=${TABLE.showCount} asks=${title} onAct=${uncover} />`
    : hides && !isDone ? html`<${OwnAction} label=${TABLE.countAll} asks=${title} onAct=${countAll} />`
    : html`<${ActionButtons} page=${page} found=${likelyActions(page)} seats=${state.seats} />`;
  return html`
    <section class=${classes("show felt", (!isDone || goesOn) && "goes-on")} aria-label=${title} onClick=${tap}>
      <h1><${Peg} side=${side} /> <${CardText} text=${title} /></h1>
      ${!isWatched && html`<${Remark} now=${now} />`}
      <${ShownCards} cards=${cards} starter=${counted ? counted.starter : state.starter} lifted=${lifted} side=${side} />
      <${Tally} tally=${tally} walk=${walk} kinds=${kinds} isCovered=${isCovered} isNothing=${points === 0}
        judged=${counted && (viewerSide(now) === side ? TABLE.yours : TABLE.found)} />
      <div class="foot">
        ${counted && html`<${Missed} counted=${counted} now=${now} />`}
        ${points !== null && !counted && html`
          <p class="total"><output aria-live="off">${isCovered ? "?" : isDone ? points : (tally[at]?.total ?? 0)}</output>
            <small>${isCovered ? TABLE.howMany : isDone ? TABLE.inAll : hides ? TABLE.soFar : TABLE.soFarOf(points)}</small></p>`}
        ${!isWatched && !isPadded && html`
          <div class=${classes("buttons", isDone && isCarried && !isPaused && "carries")} style=${{ "--wait": `${wait}ms` }}>
            ${!isCovered && (!isDone || isCarried) && html`<${WalkButtons} walk=${walk} hasAll=${!hides} />`}
            ${main}
          </div>`}
      </div>
    </section>
  `;
}

/** @param {{ cards: readonly Server.Card[], starter: Server.Card | null, lifted: Server.Card[], side: Server.Side }} props */
const ShownCards = ({ cards, starter, lifted, side }) => html`
  <div class="shown" data-side=${side}>
    ${[...cards, ...(starter ? [starter] : [])].map((card, at) => {
      const isLifted = lifted.includes(card);
      const look = classes("card", isLifted && "lifted", lifted.length > 0 && !isLifted && "dull", at === cards.length && "cut");
      return html`
        <span key=${at} class=${look} role="img" aria-label=${spoken(card)} data-card=${card} data-turn=${at}>
          <${Face} card=${card} /></span>`;
    })}
  </div>`;

/**
 * Lines of a count, scrolled to the one shown: there can be ten. `judged` is said of those that a player has found.
 * @param {{
 *   tally: Server.Tallied[], walk: Walk, kinds: ShowProps["kinds"], isCovered: boolean, isNothing: boolean, judged: string | null,
 * }} props
 */
function Tally({ tally, walk: { at, isDone, step, setPaused }, kinds, isCovered, isNothing, judged }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.querySelector(".now, .missed")?.scrollIntoView?.({ block: "nearest" }), [at]);
  const stepOn = (/** @type {Event} */ event) => isDone || (event.stopPropagation(), step());
  const pause = (/** @type {Event} */ event) => (event.stopPropagation(), setPaused(true));
  return html`
    <ol class=${classes("tally", judged && "marked", kinds && "kinds")} ref=${list} tabindex=${kinds && 0}
      style=${{ "--lines": kinds?.length ?? tally.length }} onClick=${stepOn}>
      ${kinds?.map((kind) => html`<${KindLine} kind=${kind} current=${tally[at]} />`)}
      ${!kinds && !isCovered && tally.map((line, each) => html`
        <li class=${classes(each === at && "now", each > at && "later", Boolean(line.missed) && "missed")}>
          <span class="of"><span class="signs"><${Signs} cards=${line.cards} /></span></span>
          <${Counted} line=${line} onClick=${pause} />
          ${judged && html`<span class="was">${line.missed ? TABLE.missed(line.missed) : judged}</span>`}
          <b class="sum">${line.total}</b>
        </li>`)}
      ${isNothing && !isCovered && !kinds && html`<li><span class="words">${TABLE.nineteen}</span></li>`}
    </ol>`;
}

/** @param {{ walk: Walk, hasAll: boolean }} props */
const WalkButtons = ({ walk: { isDone, isPaused, setPaused, countAll }, hasAll }) => html`
  <button type="button" class="other" onClick=${() => setPaused(!isPaused)}>${isPaused ? TABLE.goOn : TABLE.pause}</button>
  ${hasAll && html`<button type="button" class=${classes("other", isDone && "done")} onClick=${countAll}>${TABLE.countAll}</button>`}`;

/** @param {{ kind: import("/page/lesson.js").Kind, current: Server.Tallied | undefined }} props The hand's combinations of a kind. */
const KindLine = ({ kind: { name, lines }, current }) => html`
  <li class=${classes(lines.some((line) => line === current) && "now")}><span>${name}</span> <span class="of">
    ${lines.map((line, at) => html`${at ? ", " : ""}<span class="signs"><${Signs} cards=${line.cards} /></span>`)}
      ${!lines.length && TABLE.none}</span></li>`;
