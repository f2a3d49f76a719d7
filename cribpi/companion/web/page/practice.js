// Practice: discards, plays and counts; one's own mistakes first, then random deals. And the counting race.

import { Card, Sign, Signs } from "/page/cards.js";
import { Select, valueTo } from "/page/fields.js";
import { PastHeader } from "/page/games.js";
import { stored } from "/page/preferences.js";
import { useResource } from "/page/resource.js";
import { Choose, isGood, Option, verdict } from "/page/review.js";
import { answered, streak } from "/page/streaks.js";
import { html, Segments, sideOf } from "/page/ui.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { PRACTICE as SAYS, RACE, REVIEW, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @typedef {"discards" | "pegging" | "counting"} Kind */

const NO_SCORE = { right: 0, all: 0, seconds: 0 };

/** @param {{ what: string }} props */
export function Practice({ what }) {
  const kind = /** @type {Kind} */ (SAYS.kinds.some(({ value }) => value === what) ? what : "discards");
  const [name, setName] = useState("");
  const names = useResource("/api/stats").found?.players.map((one) => one.name).filter((one) => !one.startsWith("computer (")) ?? [];
  return html`
    <main class="past review practice">
      <${PastHeader} place="practice" />
      <div class="heading">
        <h1>${WORDS.practice}</h1>
        ${kind !== "counting" && names.length > 0 && html`<label class="named"><span>${SAYS.practise}</span>
          <${Select} value=${name} onChoose=${setName}
            choices=${[{ value: "", title: SAYS.random }, ...names.map((one) =>
              ({ value: one, title: SAYS.mistakesOf(one) }))]} /></label>`}
      </div>
      <${Segments} label=${WORDS.practice} value=${kind} choices=${SAYS.kinds}
        onChoose=${(/** @type {string} */ one) => (location.hash = `practice/${one}`)} />
      <${Tasks} key=${`${kind} ${name}`} kind=${kind} name=${kind === "counting" ? "" : name} />
    </main>
  `;
}

/** @param {{ kind: Kind, name: string }} props One task after another, and the race. */
function Tasks({ kind, name }) {
  const [number, setNumber] = useState(0);
  const [score, setScore] = useState(NO_SCORE);
  const [race, setRace] = useState(/** @type {{ before: number | null, first: number, isOver?: boolean } | null} */ (null));
  const mistakes = useResource(name ? `/api/practice/${kind}/mistakes?name=${encodeURIComponent(name)}` : "");
  const isReady = !name || mistakes.isFailed || mistakes.found?.pending === 0;
  const onAnswer = (/** @type {boolean} */ isRight, /** @type {number} */ seconds) => {
    answered(isRight);
    setScore({ right: score.right + Number(isRight), all: score.all + 1, seconds: score.seconds + seconds });
  };
  const { days, right, most } = streak();
  const next = () => setNumber(number + 1);
  const onNext = () => {
    if (!race || score.all < HANDS) return next();
    keep(raced(score));
    return setRace({ ...race, isOver: true });
  };
  const onRace = () => (setScore(NO_SCORE), setRace({ before: best.value, first: number + 1 }), next());
  const onEnd = () => (setScore(NO_SCORE), setRace(null), next());
  return html`
    ${kind === "counting" && !race && html`<div class="buttons race"><button type="button" onClick=${onRace}>${RACE.begin}</button></div>`}
    ${race && !race.isOver && html`<p class="race">${RACE.rule(number - race.first + 1, HANDS)}</p>`}
    ${race?.isOver && html`<${Finish} score=${score} before=${race.before} onAgain=${onRace} onEnd=${onEnd} />`}
    ${(score.all > 0 || days > 1) && html`<p class="figures-of" role="status">
      ${score.all > 0 && html`<b>${SAYS.score(score.right, score.all)}</b><span>${SAYS.streak(right, most)}</span>
        <span>${SAYS.each(score.seconds / score.all)}</span>`}
      ${days > 1 && html`<span>${SAYS.days(days)}</span>`}</p>`}
    ${!isReady && html`<p class="pending" role="status">${SAYS.reviewing}</p>`}
    ${isReady && !race?.isOver && html`<${Task} key=${number} kind=${kind} mistake=${mistakes.found?.mistakes[number]} onAnswer=${onAnswer}
      onNext=${onNext} />`}
  `;
}

/**
 * One of the player's own mistakes, worst first, or else a random deal.
 * @param {{
 *   kind: Kind, mistake: Server.Mistake | undefined,
 *   onAnswer: (isRight: boolean, seconds: number) => void, onNext: () => void,
 * }} props
 */
function Task({ kind, mistake, onAnswer, onNext }) {
  const own = useRef(mistake).current;
  const { found, isFailed } = useResource(own ? "" : `/api/practice/${kind}`);
  const task = own ?? found;
  const since = useRef(0);
  useEffect(() => void (since.current = performance.now()), [task]);
  const answer = (/** @type {boolean} */ isRight) => onAnswer(isRight, (performance.now() - since.current) / 1000);
  if (!task) return html`<p class="pending" role=${isFailed ? "alert" : "status"}>${isFailed ? SAYS.failed : WORDS.loading}</p>`;
  return "cards" in task
    ? html`<${ToCount} task=${task} onAnswer=${answer} onNext=${onNext} />`
    : html`<${ToDecide} task=${task} onAnswer=${answer} onNext=${onNext} />`;
}

/** @param {{ task: Server.Position | Server.Mistake, onAnswer: (isRight: boolean) => void, onNext: () => void }} props */
function ToDecide({ task, onAnswer, onNext }) {
  const [taken, setTaken] = useState(/** @type {Server.Decided | null} */ (null));
  const { scores, players, dealer, before, pile, starter, options, which } = task;
  const seat = "seat" in task ? task.seat : 0;
  const isOwn = (/** @type {number} */ one) => sideOf(one, players) === sideOf(seat, players);
  const role = dealer === seat ? "you" : isOwn(dealer) ? "partner" : players === 2 ? "opponent" : "another";
  const whose = SAYS.owns[role];
  const sides = { me: null, others: SAYS.opponents(players), areMany: players > 2 };
  const best = /** @type {Server.Decided} */ (options[0]);
  const choose = (/** @type {Server.Decided | null} */ option) => {
    if (!option || taken) return;
    setTaken(option);
    onAnswer(isGood(option));
  };
  return html`
    <section class="sheet decided">
      <p class="where">${SAYS.at(scores[sideOf(seat, players)] ?? 0, scores.filter((_, side) => !isOwn(side)), players, role)}
        ${starter && html` ${SAYS.starter} <${Sign} card=${starter} />.`}
        ${before.length > 0 && html` ${REVIEW.before} <${Signs} cards=${before} />.`}
        ${which === "play" && html` ${SAYS.onTable(task.count)} <${Signs} cards=${pile} />`}
        ${"game" in task && html` <b>${SAYS.from(task.game, task.deal)}</b>`}</p>
      <${Choose} position=${task} whose=${whose} isOver=${taken !== null} onChoose=${choose} />
      ${taken && html`
        <p class="verdict" role="status">${verdict(task, taken)}</p>
        <div class="both">
          <${Option} title=${SAYS.yours} option=${taken} decision=${task} sides=${sides} whose=${whose} mark=${taken.mark} />
          ${taken !== best && html`<${Option} title=${SAYS.best} option=${best} decision=${task} sides=${sides} whose=${whose}
            mark="best" />`}
        </div>`}
      <div class="buttons"><button type="button" class="main" disabled=${!taken} onClick=${onNext}>${TABLE.next}</button></div>
    </section>
  `;
}

/** @param {{ task: Server.ToCount, onAnswer: (isRight: boolean) => void, onNext: () => void }} props */
function ToCount({ task, onAnswer, onNext }) {
  const [typed, setTyped] = useState("");
  const [isDone, setDone] = useState(false);
  const isNumber = /^([0-9]|[12][0-9])$/.test(typed);
  const answer = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isDone) return onNext();
    if (!isNumber) return undefined;
    setDone(true);
    return onAnswer(Number(typed) === task.points);
  };
  return html`
    <section class="sheet decided">
      <h2>${task.crib ? SAYS.countCrib : SAYS.countHand}</h2>
      <div class="cards-of"><div class="row-of">${task.cards.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>
        <div class="row-of"><${Card} card=${task.starter} /></div></div>
      <form class="answer" onSubmit=${answer}>
        <label class="named"><span>${SAYS.points}</span>
          <input value=${typed} inputmode="numeric" maxlength="2" autocomplete="off" disabled=${isDone}
            ref=${(/** @type {HTMLInputElement | null} */ field) => field && !isDone && field.focus()}
          onInput=${valueTo((value) => setTyped(value.trim()))} /></label>
        <button type="submit" class="main" disabled=${!isDone && !isNumber}
          ref=${(/** @type {HTMLButtonElement | null} */ button) => button && isDone && button.focus()}>
            ${isDone ? TABLE.next : SAYS.count}</button>
      </form>
      ${isDone && html`
        <p class="verdict" role="status">${Number(typed) === task.points ? SAYS.rightCount : SAYS.wrongCount(task.points)}</p>
        <ol class="counted-lines">${task.tally.map((line) =>
          html`<li><span><${Signs} cards=${line.cards} /></span><span>${line.words}</span><b>${line.total}</b></li>`)}</ol>`}
    </section>
  `;
}

// --- Counting race: ten hands against the clock, which pauses while a count is read.

/** @typedef {{ right: number, all: number, seconds: number }} Score */

export const HANDS = 10;
const EACH_WRONG = 10; // penalty in seconds

/** @type {Signal<number | null>} Best time saved in this browser, in seconds; null before the first race. */
const best = stored("cribpi.race", null);

/** @param {Score} score Seconds, including penalties. */
const raced = ({ right, all, seconds }) => seconds + EACH_WRONG * (all - right);

/** @param {number} seconds Saved if it is the best. */
export function keep(seconds) {
  const before = best.value;
  if (before === null || seconds < before) best.value = Number(seconds.toFixed(1));
}

/** @param {{ score: Score, before: number | null, onAgain: () => void, onEnd: () => void }} props */
export function Finish({ score, before, onAgain, onEnd }) {
  const wrong = score.all - score.right;
  const time = raced(score);
  return html`
    <section class="sheet decided">
      <h2>${RACE.time(time)}</h2>
      <p class="verdict" role="status">${wrong ? RACE.wrong(wrong, EACH_WRONG * wrong) : RACE.allRight}
        ${" "}${before === null ? RACE.first : time < before ? RACE.better(before) : RACE.best(before)}</p>
      <div class="buttons">
        <button type="button" onClick=${onEnd}>${RACE.end}</button>
        <button type="button" class="main" onClick=${onAgain}>${RACE.again}</button>
      </div>
    </section>
  `;
}
