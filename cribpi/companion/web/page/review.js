// The review of a past game: win probability by deal, decisions with marks, and one in full.

import { Card, CardText, Face, Signs, spoken } from "/page/cards.js";
import { sentenceOf, useNames } from "/page/games.js";
import { useSize, useStepKeys } from "/page/hooks.js";
import { Plot, pointsOf, scaleOf } from "/page/plot.js";
import { useResource } from "/page/resource.js";
import { parts } from "/page/store.js";
import { capital, classes, Header, html, Icon, Segments } from "/page/ui.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { PAST, REVIEW as SAYS, TABLE } from "/page/words-more.js";
import { and, owns, WORDS, YOU } from "/page/words.js";

/** @typedef {{ me: string | null, others: string, areMany: boolean }} Sides Names in "X outscores Y"; `me` is null for you. */

/** @type {Server.Mark[]} */
const COSTLY = ["inaccuracy", "mistake", "blunder"];

/** @param {{ number: number, at: number | null }} props A game, and the step of the decision shown. */
export function Review({ number, at }) {
  const game = useResource(`/api/games/${number}`).found;
  const { found: review, isFailed } = useResource(`/api/games/${number}/review`);
  useNames(game?.seats);
  const isReady = review !== null && !review.pending && game !== null;
  return html`
    <main class="past review">
      <${Header} to="#games" name=${PAST.allGames}>
        ${game && html`<span class="about" dir="auto">${sentenceOf(game)}</span>`}
        <a class="tool" href=${`#games/${number}`}><${Icon} name="chart" />${TABLE.result}</a>
      <//>
      <h1>${SAYS.title(number)}</h1>
      ${isReady
        ? html`<${Reviewed} key=${number} number=${number} game=${game} review=${review} at=${at} />`
        : html`<p class="pending" role="status">${isFailed ? SAYS.failed : review ? SAYS.working(review.pending) : WORDS.loading}</p>`}
    </main>
  `;
}

/** @param {{ number: number, game: Server.PastGame, review: Server.PastReview, at: number | null }} props */
function Reviewed({ number, game, review, at }) {
  const first = game.seats.findIndex(({ level }) => level === null);
  const [seat, setSeat] = useState(Math.max(first, 0));
  const [filter, setFilter] = useState("all");
  const [isTrying, setTrying] = useState(false); // kept from mistake to mistake, so that answers stay hidden
  const all = review.decisions.filter((one) => one.seat === seat);
  const costly = all.filter((one) => !isGood(one));
  const shown = all.find((one) => one.number === at) ?? costly[0] ?? all[0] ?? null;
  const last = useRef(0); // latest step requested: keys may be faster than drawing
  last.current = shown?.number ?? 0;
  const go = (/** @type {Server.Decision} */ decision) => {
    last.current = decision.number;
    location.replace(`#games/${number}/review/${decision.number}`);
  };
  const listed = all.filter((one) => filter === "all" || (filter === "costly" ? !isGood(one) : one.which === filter));
  const before = () => listed.findLast((one) => one.number < last.current), after = () => listed.find((one) => one.number > last.current);
  useStepKeys(
    { ArrowLeft: before, ArrowRight: after },
    { ArrowUp: before, ArrowDown: after, Home: () => listed[0], End: () => listed.at(-1) },
    ".decisions .list",
    (find) => {
      const next = find();
      if (next) go(next);
    },
  );
  const player = review.players[seat];
  const side = game.seats[seat]?.side ?? 0;
  return html`
    ${review.names.length > 1 && review.decisions.length > 0
      && html`<${Segments} label=${SAYS.whose} value=${String(seat)} onChoose=${(/** @type {string} */ one) => setSeat(Number(one))}
      choices=${review.names.map((_, each) => ({ value: String(each), title: game.called[each] ?? "" }))} />`}
    ${review.lacking.map((sentence) => html`<p class="pending">${capital(sentence)}.</p>`)}
    <div class="reviewed">
      <div class="stack">
        ${review.course && html`<${Course} course=${review.course} game=${game} side=${side} decisions=${costly} shown=${shown}
          onGo=${go} />`}
        ${player && player.accuracy !== null && html`<${Figures} player=${player} isChance=${review.course !== null} />`}
        ${shown && html`<${Decided} key=${shown.number} game=${game} decision=${shown} costly=${costly} isTrying=${isTrying}
          onTry=${setTrying} onGo=${go} />`}
      </div>
      ${all.length > 0 && html`
        <section class="sheet decisions" aria-label=${SAYS.decisions}>
          <h2>${SAYS.decisions} <small>${listed.length}</small></h2>
          <${Segments} label=${SAYS.decisions} value=${filter} choices=${SAYS.filters} onChoose=${setFilter} />
          ${!listed.length && html`<p>${SAYS.none}</p>`}
          <${List} game=${game} decisions=${listed} shown=${shown} onGo=${go} />
        </section>`}
    </div>
  `;
}

/** @param {{ player: Server.ReviewedPlayer, isChance: boolean }} props */
const Figures = ({ player: { words: [accuracy, ...others] }, isChance }) => html`
  <p class="figures-of">
    <b>${accuracy}</b>
    ${others.map((words) => html`<span>${words}</span>`)}
    <small>${SAYS.means(isChance)}</small>
  </p>
`;

const EDGES = { left: 44, right: 14, foot: 24 };

/**
 * By deal. The line's points on one side of even, and even elsewhere.
 * @param {number[]} chances
 * @param {boolean} isAhead
 * @returns {number[][]}
 */
function leads(chances, isAhead) {
  const points = chances.flatMap((one, at) => {
    const last = chances[at - 1] ?? one;
    const crossed = (last - 0.5) * (one - 0.5) < 0 ? [[at - (one - 0.5) / (one - last), 0.5]] : [];
    return [...crossed, [at, one]];
  });
  return points.map(([at = 0, chance = 0]) => [at, isAhead ? Math.max(chance, 0.5) : Math.min(chance, 0.5)]);
}

/**
 * @param {{
 *   course: Server.ReviewedCourse, game: Server.PastGame, side: Server.Side, decisions: Server.Decision[],
 *   shown: Server.Decision | null, onGo: (one: Server.Decision) => void,
 * }} props
 */
function Course({ course, game, side, decisions, shown, onGo }) {
  const { width, height } = useSize();
  const size = { wide: Math.min(820, Math.max(270, (width < 900 ? width : width * 0.62) - 80)),
    high: height < 700 ? 150 : height < 900 ? 170 : 210 };
  const { deals } = course;
  const of = (/** @type {number} */ chance) => (side === 0 ? chance : 1 - chance);
  const chances = [of(deals[0]?.before ?? 0.5), ...deals.map(({ after }) => of(after))];
  const scale = scaleOf(size, EDGES, deals.length, 1);
  const { x, y } = scale;
  const worst = new Map(decisions.map((one) => [one.deal, one]));
  for (const one of decisions) if (one.lost > (worst.get(one.deal)?.lost ?? 0)) worst.set(one.deal, one);
  const title = capital(SAYS.chanceOf(game.sides_called[side] ?? ""));
  return html`
    <section class="sheet">
      <h2>${title}</h2>
      <${Plot} kind="chance" label=${`${title}: ${chances.map((one) => `${Math.round(100 * one)}%`).join(", ")}`} scale=${scale}
        rules=${[0, 0.5, 1].map((value) => ({ value, text: `${100 * value}%` }))} deals=${deals.map(({ deal }) => deal)} room=${34}>
        ${[side, 1 - side].map((one) => html`
          <polygon data-side=${one}
            points=${[[0, 0.5], ...leads(chances, one === side), [deals.length, 0.5]].map(([at = 0, chance = 0]) => `${x(at)},${y(chance)}`)
              .join(" ")} />`)}
        <polyline points=${pointsOf(chances, scale)} />
        ${[...worst.values()].map((one) => {
          const at = deals.findIndex(({ deal }) => deal === one.deal) + 1;
          const level = y(chances[at] ?? 0.5);
          return html`<g class=${classes("spot", one.deal === shown?.deal && "now")} data-mark=${one.mark} onClick=${() => onGo(one)}>
            <circle cx=${x(at)} cy=${level} r="10" /><text x=${x(at)} y=${level + 5}
              text-anchor="middle">${SAYS.signs[one.mark]}</text></g>`;
        })}
      <//>
      <p class="luck">${course.words[side]}</p>
    </section>
  `;
}

/**
 * Decisions by deal. Focus follows the shown one, scrolled into view.
 * @param {{
 *   game: Server.PastGame, decisions: Server.Decision[], shown: Server.Decision | null,
 *   onGo: (one: Server.Decision) => void,
 * }} props
 */
function List({ game, decisions, shown, onGo }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const now = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const row = now.current, box = list.current;
    if (!row || !box) return;
    if (box.contains(document.activeElement)) row.focus({ preventScroll: true });
    keepInSight(row, box);
  }, [shown?.number, decisions.length]);
  const deals = [...new Set(decisions.map(({ deal }) => deal))];
  return html`<div class="list" ref=${list}>${deals.map((deal) => {
    const of = decisions.filter((one) => one.deal === deal);
    return html`
      <h3 key=${deal}>${SAYS.deal(deal, game.called[of[0]?.dealer ?? 0] ?? "")}</h3>
      <ul>${of.map((one) => html`
        <li key=${one.number}><button type="button" ref=${one === shown ? now : null} aria-current=${one === shown ? "true" : undefined}
          onClick=${() => onGo(one)}>
          <${Mark} mark=${one.mark} /><span class="deed"><${CardText} text=${one.what} /></span>
            <span class="cost" data-mark=${one.mark}>${costOf(one)}</span>
        </button></li>`)}</ul>`;
  })}</div>`;
}

/** @param {HTMLElement} row @param {HTMLElement} box The scrolling element, instead of the page. */
export function keepInSight(row, box) {
  const { top, bottom } = row.getBoundingClientRect(), sight = box.getBoundingClientRect();
  if (top < sight.top) box.scrollTop -= sight.top - top + row.offsetHeight;
  else if (bottom > sight.bottom) box.scrollTop += bottom - sight.bottom + row.offsetHeight;
}

/** @param {{ mark: Server.Mark }} props */
const Mark = ({ mark }) => html`<span class="judged" data-mark=${mark} aria-hidden="true">${SAYS.signs[mark]}</span>`;

/** @param {Server.Position} position */
const isInPoints = ({ options }) => options[0]?.chance === null;

/** @param {Server.Position} position @param {number} lost */
const lostOf = (position, lost) => (isInPoints(position) ? SAYS.lostPoints(lost) : SAYS.lost(lost));

/** @param {Server.Decision} decision */
const costOf = (decision) => (!isGood(decision) ? `${SAYS.marks[decision.mark]} ${lostOf(decision, decision.lost)}`
  : SAYS.marks[decision.mark]);

/**
 * @param {{
 *   game: Server.PastGame, decision: Server.Decision, costly: Server.Decision[], isTrying: boolean,
 *   onTry: (isTrying: boolean) => void, onGo: (one: Server.Decision) => void,
 * }} props
 */
function Decided({ game, decision, costly, isTrying, onTry, onGo }) {
  const { seat, which, dealer, options, chosen, before: earlier, pile, scores, hand } = decision;
  const before = costly.filter((one) => one.number < decision.number).at(-1);
  const after = costly.find((one) => one.number > decision.number);
  const { called, seats } = game;
  const name = called[seat] ?? "", deals = called[dealer] ?? "", whose = owns(deals);
  const others = called.filter((_, one) => seats[one]?.side !== seats[seat]?.side);
  const areMany = others.length > 1 || others[0] === YOU;
  const sides = { me: seat === game.own ? null : name, others: and(others).replace(/\bYou\b/, "you"), areMany };
  const best = /** @type {Server.Decided} */ (options[0]), taken = /** @type {Server.Decided} */ (options[chosen]);
  return html`
    <section class="sheet decided" aria-live="polite">
      <p class="where">${SAYS.at(scores.map((score, side) => `${game.sides_called[side]} ${score}`).join(", "), deals)} ${earlier.length > 0
        && html`${SAYS.before} <${Signs} cards=${earlier} />. `}
          ${pile.length > 0 && html`${SAYS.onTable(decision.count)} (<${Signs} cards=${pile} />)`}</p>
      ${isTrying
        ? html`<${Try} decision=${decision} whose=${whose} onDone=${() => onTry(false)} />`
        : html`
          <h2><${Mark} mark=${decision.mark} /> ${decision.words}.</h2>
          <div class="both">
            <${Option} title=${SAYS.did[which](name)} option=${taken} decision=${decision} sides=${sides} whose=${whose}
              mark=${decision.mark} />
            ${chosen > 0 && html`<${Option} title=${SAYS.better[which]} option=${best} decision=${decision} sides=${sides} whose=${whose}
              mark="best" />`}
          </div>
          ${which === "play" && html`<p class="where">${SAYS.holding} <${Signs} cards=${hand} /></p>`}`}
      <div class="buttons">
        <button type="button" class="other" disabled=${!before} onClick=${() => before && onGo(before)}>${SAYS.previous}</button>
        <button type="button" class="main" disabled=${!after} onClick=${() => after && onGo(after)}>${SAYS.next}</button>
        <button type="button" class="other" onClick=${() => onTry(!isTrying)}>${isTrying ? SAYS.giveUp : SAYS.tryIt}</button>
        <a class="other" href=${`#games/${game.game}/${Math.max(decision.number - 1, 1)}`}>${SAYS.seeTable}</a>
      </div>
    </section>
  `;
}

/**
 * An option, laid out as cards.
 * @param {{ title: string, option: Server.Decided, decision: Server.Position, sides: Sides, whose: string, mark: Server.Mark }} props
 */
export function Option({ title, option, decision, sides, whose, mark }) {
  const isAway = decision.which === "discard";
  const kept = decision.hand.filter((card) => !option.cards.includes(card));
  return html`
    <div class="option" data-mark=${mark}>
      <h3><span>${title}</span>${option.chance !== null && html`<b>${SAYS.wins(option.chance)}</b>`}</h3>
      <div class="cards-of">
        ${isAway && html`<figure><figcaption>${SAYS.keep}</figcaption>
          <div class="row-of">${kept.map((card) => html`<${Card} key=${card} card=${card} />`)}</div></figure>`}
        <figure>${isAway && html`<figcaption>${SAYS.toCrib(whose)}</figcaption>`}
          <div class="row-of">${option.cards.map((card) => html`<${Card} key=${card} card=${card} />`)}</div></figure>
      </div>
      <p>${isAway ? SAYS.sum(option) : SAYS.pegs(option.points, sides)}</p>
    </div>
  `;
}

/** @param {{ decision: Server.Position, whose: string, onDone: () => void }} props The position again, for the player to try. */
function Try({ decision, whose, onDone }) {
  const [tried, setTried] = useState(/** @type {Server.Decided | null} */ (null));
  return html`
    <${Choose} position=${decision} whose=${whose} onChoose=${setTried} />
    ${tried && html`<p class="verdict" role="status">
      ${verdict(decision, tried)} <button type="button" class="link" onClick=${onDone}>${SAYS.giveUp}</button></p>`}
  `;
}

/** @param {Server.Card} card */
const rank = (card) => parts(card).rank;

/**
 * Hand to choose from, with the value once complete.
 * @param {{ position: Server.Position, whose: string, isOver?: boolean, onChoose: (option: Server.Decided | null) => void }} props
 */
export function Choose({ position, whose, isOver = false, onChoose }) {
  const [tried, setTried] = useState(/** @type {Server.Card[]} */ ([]));
  const { hand, which, options } = position;
  const wanted = options[0]?.cards.length ?? 1;
  const fits = (/** @type {Server.Card} */ card) =>
    !isOver && (which === "discard" || options.some(({ cards }) => rank(cards[0] ?? "") === rank(card)));
  const toggle = (/** @type {Server.Card} */ card) => {
    const now = tried.includes(card) ? tried.filter((one) => one !== card) : [...(tried.length < wanted ? tried : tried.slice(1)), card];
    setTried(now);
    const isIt = (/** @type {Server.Decided} */ { cards }) =>
      (which === "play" ? rank(cards[0] ?? "") === rank(card) : cards.every((one) => now.includes(one)));
    onChoose(now.length < wanted ? null : (options.find(isIt) ?? null));
  };
  return html`
    <h2>${which === "discard" ? SAYS.tryDiscard(wanted, whose) : SAYS.tryPlay}</h2>
    <div class="row-of trying" style=${{ "--cards": hand.length }}>
      ${hand.map((card) => html`<button type="button" key=${card}
        class=${classes("card", tried.includes(card) && "chosen", !fits(card) && !tried.includes(card) && "dull")} disabled=${!fits(card)}
        aria-pressed=${String(tried.includes(card))} aria-label=${spoken(card)}
          onClick=${() => toggle(card)}><${Face} card=${card} /></button>`)}
    </div>
  `;
}

/** @param {Server.Position} position @param {Server.Decided} tried */
export function verdict(position, tried) {
  const best = position.options[0]?.cards.map(rank).join("-") ?? "";
  if (tried === position.options[0]) return SAYS.right;
  return (isGood(tried) ? SAYS.close : SAYS.wrong)(lostOf(position, tried.lost).replace("−", ""), best);
}

/** @param {{ mark: Server.Mark }} judged */
export const isGood = ({ mark }) => !COSTLY.includes(mark);
