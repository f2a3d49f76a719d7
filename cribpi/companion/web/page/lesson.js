// The first lesson: eight steps next to a real game, each shown when its subject occurs.

import { CardText } from "/page/cards.js";
import { likelyActions, viewerSeat, seatToAct } from "/page/prompt.js";
import { log } from "/page/store.js";
import { before, done, keep, leave } from "/page/streaks.js";
import { html } from "/page/ui.js";
import { signal } from "/page/vendor/preact.js";
import { LESSON as TEXTS } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/**
 * Text, elements to highlight, element it may cover, and scores of these cards.
 * @typedef {{ number: number, text: string, points: string[], over?: string, kinds?: Kind[] }} Step
 */
/** @typedef {{ name: string, lines: Server.Tallied[] }} Kind Kind of score, with the hand's. */

/** @type {Signal<boolean>} Whether the lesson was opened between two steps. */
const isAsked = signal(false);

/**
 * Return the step due: the first that is not done and has occurred. Steps passed in the play are done.
 * @param {Moment} now
 * @returns {Step | null}
 */
export function dueStep(now) {
  const me = viewerSeat(now);
  if (me === null || now.state.seq === before || now.state.entry !== "dealt" || now.state.seats.length !== 2) return null;
  const isFirstDeal = now.page.table.deal === 1;
  for (let at = done.value ?? 0; at < STEPS.length; at += 1) {
    const found = isFirstDeal === at < STEPS.length - 1 && STEPS[at]?.(now, me);
    if (found) return { ...found, number: at + 1 };
  }
  return null;
}

/** @type {(state: Server.State, me: Server.Seat) => string} */
const nameOfOther = (state, me) => state.seats[1 - me]?.name ?? "";

/**
 * In order; the last is in the second deal, or later.
 * @type {Record<string, (now: Moment, me: Server.Seat) => Omit<Step, "number"> | null>}
 */
const SUBJECTS = {
  aim({ state, page }, me) {
    if (state.phase !== "deal" || !page.hand?.wanted || page.hand.chosen.length) return null;
    return { text: TEXTS.aim(state.seats[me]?.name ?? "", nameOfOther(state, me), state.target), points: ["hand"] };
  },
  discard({ state, page }, me) {
    if (state.phase !== "deal" || !page.hand?.wanted) return null;
    const { chosen, wanted } = page.hand;
    const crib = state.dealer === me ? null : nameOfOther(state, me);
    return chosen.length < wanted
      ? { text: TEXTS.discard(crib), points: ["slots", "hand"] }
      : { text: TEXTS.send(chosen.join(" "), crib), points: ["main"] };
  },
  starter({ state, page }, me) {
    if (state.phase !== "play" || !state.starter || page.felt?.held[me] !== 4) return null;
    const heels = state.starter.startsWith("J") ? TEXTS.heels(state.dealer === me ? null : nameOfOther(state, me)) : "";
    return { text: TEXTS.starter(state.starter, nameOfOther(state, me)) + heels, points: ["starter"] };
  },
  play({ state, page }, me) {
    const least = (done.value ?? 0) < 3 ? 3 : 4; // if the starter was missed, it comes with the next card
    if (state.phase !== "play" || (page.felt?.held[me] ?? 0) < least) return null;
    if (seatToAct({ state, page }) !== me || !page.hand) return { text: TEXTS.inTurn(nameOfOther(state, me)), points: ["count"] };
    const [card] = page.hand.playable;
    if (!card) return { text: TEXTS.go(state.count), points: [page.table.by_itself ? "count" : "main"] };
    return { text: TEXTS.play(card), points: ["count", "hand"] };
  },
  scored({ state, page }) {
    const isPlay = state.phase === "play";
    if (!(isPlay || (state.phase === "show" && page.shower !== state.dealer))) return null;
    const lines = log.value.filter(({ deal, scores }) => deal === 1 && scores.some(({ kind }) => kind in TEXTS.scored));
    const line = lines.at(-1);
    const first = line?.scores.find(({ kind }) => kind in TEXTS.scored);
    if (!line || !first || (!isPlay && lines.length > 1)) return null; // explained once in the play, with the last card
    return { text: `${line.text}. ${TEXTS.scored[first.kind]}`, points: isPlay && line === log.value[0] ? ["latest", "count"] : ["log"] };
  },
  /** The player's hand, or pone's if the lesson is late. */
  show({ state, page }, me) {
    const shown = page.felt?.shown;
    if (state.phase !== "show" || !shown || !state.starter) return null;
    if (shown.seat !== me && state.dealer === me) return null; // the dealer's own hand is second
    const whose = shown.seat === me ? null : nameOfOther(state, me);
    const kinds = TEXTS.counts.map(({ name, rules }) => ({ name, lines: shown.tally.filter(({ why }) => rules.includes(why.rule)) }));
    return { text: TEXTS.show(whose, state.starter, likelyActions(page)[0]?.label ?? "") + (shown.tally.length ? "" : TEXTS.nineteen),
      points: ["tally"], kinds };
  },
  crib({ state }, me) {
    if (state.phase !== "crib") return null;
    return { text: TEXTS.crib(state.dealer === me ? null : nameOfOther(state, me)), points: ["shown"] };
  },
  goOn({ state, page }, me) {
    if (page.table.deal === null || !page.hand?.wanted) return null;
    const holes = (/** @type {Server.Seat} */ seat) => state.sides[state.seats[seat]?.side ?? 0]?.front ?? 0;
    const other = nameOfOther(state, me);
    const text = TEXTS.goOn(holes(me), other, holes(1 - me), state.dealer === me, state.target);
    return { text, points: ["board"], over: "felt" };
  },
};
const STEPS = Object.values(SUBJECTS);

/** @param {{ number: number }} step */
function understood({ number }) {
  isAsked.value = false;
  if (number === STEPS.length) leave(true);
  else keep(number);
}

/** Open or close the lesson between two steps. */
export const askForLesson = () => (isAsked.value = !isAsked.value);

/** @param {{ step: Step | null }} props Text of the step, and buttons to go on or leave. */
export function Coach({ step }) {
  const isShown = step !== null || isAsked.value;
  const text = step?.text ?? (isAsked.value ? TEXTS.between : "");
  const close = () => (step ? understood(step) : (isAsked.value = false));
  return html`
    <section class="coach" aria-label=${TEXTS.title} data-step=${step?.number} data-over=${step?.over} hidden=${!isShown}>
      <p role="status"><${CardText} text=${text} /></p>
      <div class="ways-on">
        <small>${step && TEXTS.of(step.number, STEPS.length)}</small>
        ${step?.number === STEPS.length
          ? html`<a class="other" href="#learn/five-minutes" onClick=${() => leave(true)}>${WORDS.fiveMinutes}</a>`
          : html`<button type="button" class="other" onClick=${() => leave()}>${TEXTS.leave}</button>`}
        <button type="button" class="other got-it" onClick=${close}>${TEXTS.gotIt}</button>
      </div>
    </section>
  `;
}
