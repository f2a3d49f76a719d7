// The show, counted step by step: each combination lifts in turn, with its words and running total.

import { ActionButton, MAIN, mayAct, standsOut } from "/page/act.js";
import { Face, CardText, Signs, spoken } from "/page/cards.js";
import { miscount } from "/page/felt.js";
import { Counted } from "/page/log.js";
import { preferences } from "/page/preferences.js";
import { ActionButtons, likelyActions, viewerSide, Remark } from "/page/prompt.js";
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

const GO_ON = { key: "", name: "", label: TABLE.goOn, short: "", likely: true, takes_suit: false, side: null };

const REVEAL = { ...GO_ON, label: TABLE.showCount };
const ALL = { ...GO_ON, label: TABLE.countAll };

/** @param {{ counted: Server.OwnCount, now: Moment }} props Side that gets the missed points. */
const Missed = ({ counted: { points, missed, to }, now }) => html`
  <p class="taken">${to !== null && html`<${Peg} side=${to} /> `}<b><${CardText} text=${to === null ? TABLE.notTaken(points, missed) : TABLE.takes(viewerSide(now) === to ? null : (now.state.sides[to] ?? null), missed)} /></b>
    ${to !== null && html`<small>${TABLE.byMuggins}</small>`}</p>
`;

/**
 * @param {object} props
 * @param {Moment} props.now
 * @param {boolean} [props.isWatched] without buttons
 * @param {boolean} [props.isPadded] points are entered on the pad, which has the buttons
 * @param {Server.OwnCount | null} [props.counted] miscounted show, instead of the current one
 * @param {import("/page/lesson.js").Kind[]} [props.kinds] for a lesson: all kinds of combinations, instead of this hand's lines
 */
export function Show({ now, isWatched = false, isPadded = false, counted = null, kinds }) {
  const { state, page } = now;
  const shown = counted ?? /** @type {Server.Shown} */ (page.felt?.shown);
  const { tally, points, cards, seat, crib } = shown;
  const [at, setAt] = useState(counted || isStill() || preferences.value.count === "quick" ? tally.length : 0); // combinations counted so far
  const [isHeld, setHeld] = useState(false);
  const hides = preferences.value.hideTotal && !isWatched && !counted && !kinds && points !== null; // players who practise count first, except in the lesson
  const [isCovered, setCovered] = useState(hides);
  const uncover = () => setCovered(false);
  const isDone = at >= tally.length;
  const isWalked = useRef(!isDone);
  const isAlone = !isWatched && viewerSide(now) !== null && state.seats.filter(({ level }) => !level).length === 1;
  const goesOn = isAlone && !counted && points !== null && !isCovered && (!hides || isDone) && !page.table.dialog && likelyActions(page).some(standsOut);
  const isCarried = goesOn && location.hash !== "#learn" && preferences.value.carry && carried !== null && carried === page.table.deal;
  const wait = Math.max(SEEN, 2 * (STEPS[preferences.value.count] ?? 0)) + (isWalked.current ? 0 : READ * tally.length);
  useEffect(() => {
    if (!isDone || isHeld || !isCarried || isHidden.value) return undefined;
    const timer = setTimeout(() => press("OK", MAIN), wait);
    return () => clearTimeout(timer);
  }, [isDone, isHeld, isCarried, isHidden.value]);
  const carry = () => (carried = page.table.deal);
  const tap = (/** @type {MouseEvent & { target: Element }} */ event) => {
    if (event.target.closest("[data-enter]:not([aria-disabled])")) return goesOn && carry();
    if (event.target.closest("button, details")) return undefined;
    if (isCovered) return uncover();
    if (!isDone) return setAt(tally.length);
    return goesOn && mayAct(MAIN, "OK", event) && (carry(), press("OK", MAIN));
  };
  const walk = (/** @type {Event} */ event) => {
    if (isDone) return; // no longer highlighted
    event.stopPropagation();
    setAt(Math.min(at + 1, tally.length));
  };
  useEffect(() => {
    if (isHeld || isDone || isCovered) return undefined;
    const timer = setTimeout(() => setAt(at + 1), STEPS[preferences.value.count]);
    return () => clearTimeout(timer);
  }, [at, isHeld, isDone, isCovered]);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.querySelector(".now, .missed")?.scrollIntoView?.({ block: "nearest" }), [at]); // a count can have ten lines
  const lifted = new Set(isDone || isCovered ? [] : (tally[at]?.cards ?? []));
  const name = state.seats[seat]?.name ?? "";
  const side = state.seats[seat]?.side ?? 0;
  const starter = counted ? counted.starter : state.starter;
  const all = [...cards, ...(starter ? [starter] : [])];
  const isOwn = viewerSide(now) === side;
  const title = counted ? TABLE.counted(name, counted.claimed, counted.points) : crib ? WORDS.crib(name) : TABLE.shows(name);
  const current = tally[Math.min(at, tally.length - 1)] ?? null;
  return html`
    <section class=${classes("show felt", (!isDone || goesOn) && "goes-on")} aria-label=${title} onClick=${tap}>
      <h1><${Peg} side=${side} /> <${CardText} text=${title} /></h1>
      ${!isWatched && html`<${Remark} now=${now} />`}
      <div class="shown" data-side=${side}>
        ${all.map((card, each) => html`
          <span key=${each} data-card=${card} data-turn=${each} role="img" aria-label=${spoken(card)}
            class=${classes("card", lifted.has(card) && "lifted", lifted.size > 0 && !lifted.has(card) && "dull", each === cards.length && "cut")}>
            <${Face} card=${card} />
          </span>`)}
      </div>
      <ol class=${classes("tally", counted && "marked", kinds && "kinds")} ref=${list} tabindex=${kinds && 0} style=${{ "--lines": kinds?.length ?? tally.length }} onClick=${walk}>
        ${kinds?.map(({ name: kind, lines }) => html`
          <li class=${classes(lines.some((line) => line === tally[at]) && "now")}><span>${kind}</span> <span class="of">${lines.map(({ cards: some }, k) => html`${k ? ", " : ""}<span class="signs"><${Signs} cards=${some} /></span>`)}${!lines.length && TABLE.none}</span></li>`)}
        ${!isCovered && !kinds && tally.map((line, each) => html`
          <li class=${classes(each === at && "now", each > at && "later", Boolean(line.missed) && "missed")}>
            <span class="of"><span class="signs"><${Signs} cards=${line.cards} /></span></span>
            <${Counted} line=${line} onClick=${(/** @type {Event} */ event) => (event.stopPropagation(), setHeld(true))} />
            ${counted && html`<span class="was">${line.missed ? TABLE.missed(line.missed) : isOwn ? TABLE.yours : TABLE.found}</span>`}
            <b class="sum">${line.total}</b>
          </li>`)}
        ${points === 0 && !isCovered && !kinds && html`<li><span class="words">${TABLE.nineteen}</span></li>`}
      </ol>
      <div class="foot">
      ${counted && html`<${Missed} counted=${counted} now=${now} />`}
      ${points !== null && !counted && html`<p class="total"><output aria-live="off">${isCovered ? "?" : isDone ? points : (current?.total ?? 0)}</output><small>${isCovered ? TABLE.howMany : isDone ? TABLE.inAll : hides ? TABLE.soFar : TABLE.soFarOf(points)}</small></p>`}
      ${!isWatched && !isPadded && html`<div class=${classes("buttons", isDone && isCarried && !isHeld && "carries")} style=${{ "--wait": `${wait}ms` }}>
        ${!isCovered && (!isDone || isCarried) && html`<button type="button" class="other" onClick=${() => setHeld(!isHeld)}>${isHeld ? TABLE.goOn : TABLE.pause}</button>
          ${!hides && html`<button type="button" class=${classes("other", isDone && "done")} onClick=${() => setAt(tally.length)}>${TABLE.countAll}</button>`}`}
        ${counted ? html`<${ActionButton} place=${MAIN} choice=${GO_ON} asks=${title} onAct=${() => (miscount.value = null)}>${TABLE.goOn}<//>`
          : isCovered ? html`<${ActionButton} place=${MAIN} choice=${REVEAL} asks=${title} onAct=${uncover}>${TABLE.showCount}<//>`
          : hides && !isDone ? html`<${ActionButton} place=${MAIN} choice=${ALL} asks=${title} onAct=${() => setAt(tally.length)}>${TABLE.countAll}<//>`
          : html`<${ActionButtons} page=${page} found=${likelyActions(page)} seats=${state.seats} />`}
      </div>`}
      </div>
    </section>
  `;
}
