// The felt: starter, crib, cards of the count, and the count, which stays for a moment when it is complete.

import { MAIN, mayAct, standsOut } from "/page/act.js";
import { Back, Backs, Card, CRIB, Face, CardText, Sign, spoken } from "/page/cards.js";
import { raised } from "/page/hand.js";
import { likelyActions, viewerSeat, viewerSide } from "/page/prompt.js";
import { now, press } from "/page/store.js";
import { classes, html, isStill, Peg } from "/page/ui.js";
import { effect, signal } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";


/** @param {{ now: Moment, closed: import("/page/felt.js").CompletedCount | null }} props A completed count hides what follows. */
export function Felt({ now, closed }) {
  const { state, page } = now;
  const { pile, count } = pileOf(now, closed);
  const open = (state.pile.length ? 1 : 0) + (closed ? 1 : 0);
  const gone = state.phase === "play" || closed ? page.table.counts.slice(0, Math.max(0, page.table.counts.length - open)).flat() : [];
  const shown = closed ? [] : page.table.shown;
  const own = viewerSeat(now);
  const isDealt = state.entry === "dealt";
  const isKept = state.entry === "cards" && page.shower !== null && !closed; // a hand or crib of real cards is being shown
  const isDiscarding = state.phase === "deal" && page.hand !== null && page.hand.wanted > 0;
  const goOn = closed ? null : nextOf(now); // a tap dismisses the completed count first
  return html`
    <section class=${classes("felt", closed && "closed", closed?.isLeaving && "leaving", goOn && "goes-on")} aria-label="Cards on the table"
      onClick=${(/** @type {MouseEvent} */ event) => goOn && mayAct(MAIN, goOn, event) && press(goOn, MAIN)}>
        <div class=${classes("cloth", isDealt && "dealt")}>
      ${page.felt && html`<${Across} now=${now} />`}
      <${Crib} now=${now} />
      <${Starter} now=${now} />
      <div class="pile" style=${{ "--cards": pile.length || (isKept ? page.table.size : 0) }} role="group" aria-label="Cards of this count">
        ${page.felt?.cuts.map((card, seat) => card && html`<${Card} key=${card} card=${card} side=${state.seats[seat]?.side} />`)}
        ${pile.map(({ card, seat }, at) => html`
          <span key=${`${card}-${at}`} class=${classes("laid", seat === own && "own")}>
            <${Played} card=${card} side=${state.seats[seat]?.side ?? 0} from=${isDealt ? `seat-${seat}` : undefined}
              isPegged=${!isDealt || state.seats.length > 2} />
          </span>`)}
        ${shown.map((card, at) => html`<${Card} key=${`${card} ${at}`} card=${card} />`)}
        ${isKept && Array.from({ length: page.table.size - shown.length }, (_, at) => html`<span class="slot" key=${`slot ${at}`}></span>`)}
        ${isDiscarding && html`<${Slots} now=${now} />`}
      </div>
      ${state.entry !== "peg" && (state.phase === "play" || closed) && html`
        <p class="count"><output aria-live="off">${count}</output>
          <small>${closed ? closed.points > 0 && TABLE.closesFor(closed.points) : WORDS.toGo(31 - count)}</small></p>`}
      ${isKept && state.phase === "show" && html`<${Next} now=${now} />`}
      ${gone.length > 0 && html`<${Gone} count=${gone.length} />`}
      <p class="called">${closed ? html`<${CardText} text=${closed.text} />` : state.phase === "play" && page.log[0]?.points
        ? state.last?.call : ""}</p>
    </div></section>
  `;
}

/**
 * Return what tapping the felt does for a person alone against computers: the only possible action.
 * @param {Moment} now
 * @returns {Server.Key | null}
 */
function nextOf(now) {
  const { state, page } = now;
  if (state.entry !== "dealt" || viewerSide(now) === null || page.table.dialog) return null;
  const card = raised.value;
  if (card && page.hand?.playable.includes(card)) return card;
  const found = likelyActions(page);
  const isOne = page.table.by_itself || (found.length === 1 && found.every(standsOut));
  return isOne && page.choices.some(({ key }) => key === "OK") ? "OK" : null;
}

/** @param {{ now: Moment }} props Opponents from the viewer's left, with the backs of their cards. */
function Across({ now }) {
  const { seats, dealer } = now.state;
  const me = viewerSeat(now);
  const others = seats.map((_, at) => ((me ?? -1) + 1 + at) % seats.length).filter((seat) => seat !== me);
  return html`
    <ul class="across" data-others=${others.length}>
      ${others.map((seat) => {
        const { name = "", side } = seats[seat] ?? {};
        const held = now.page.felt?.held[seat] ?? 0;
        return html`
          <li key=${seat} data-side=${side}>
            <span class="sits" aria-hidden="true"><${Peg} side=${side ?? 0} /> <bdi>${name}</bdi></span>
            <span data-place=${`seat-${seat}`}>${held > 0 && html`<${Backs} count=${held}
              label=${`${name}: ${WORDS.cards(held)}`} />`}</span>
            ${others.length > 1 && seat === dealer && html`<${CribOf} now=${now} />`}
          </li>`;
      })}
    </ul>
  `;
}

/**
 * Ownership is shown by height for two players, otherwise by a peg.
 * @param {{ card: string, side: number, from: string | undefined, isPegged: boolean }} props
 */
const Played = ({ card, side, from, isPegged }) => html`
  <span class="card" role="img" aria-label=${spoken(card)} data-card=${from && card} data-from=${from}>
    <${Face} card=${card} />${isPegged && html`<span class="peg" data-side=${side}></span>`}
  </span>
`;

/** @param {{ now: Moment }} props Starter, or the pack. */
function Starter({ now: { state } }) {
  if (state.starter) {
    return html`<figure class="starter" data-place="pack"><${Card} card=${state.starter} />
      <figcaption>${WORDS.starter}</figcaption></figure>`;
  }
  if (state.entry !== "dealt" && state.phase !== "starter") return html`<figure class="starter"></figure>`;
  return html`<figure class="starter" data-place="pack"><span class="card down pack" aria-hidden="true"><${Back} /></span></figure>`;
}

/** @param {{ now: Moment }} props Next to the dealer; among the opponents if one of three or four deals. */
function Crib({ now }) {
  const { seats, dealer } = now.state;
  const me = viewerSeat(now);
  const isOwn = dealer !== null && dealer === me;
  return !isOwn && seats.length - Number(me !== null) > 1 ? null : html`<${CribOf} now=${now} isOwn=${isOwn} />`;
}

/** @param {{ now: Moment, isOwn?: boolean }} props */
function CribOf({ now: { state, page }, isOwn = false }) {
  const count = page.felt?.crib ?? 0;
  const isDiscarding = state.phase === "deal" && page.hand !== null && page.hand.wanted > 0; // next to the slots of the viewer's discards
  if (!count || state.dealer === null || state.phase === "crib" || isDiscarding) return null;
  const name = state.seats[state.dealer]?.name ?? "";
  const label = state.dealer === page.hand?.seat ? WORDS.yourCrib : WORDS.crib(name);
  return html`<figure class=${classes("crib", isOwn && "own")}><${Backs} count=${count} label=${`${label}, ${WORDS.cards(count)}`} />
    <figcaption><${CardText} text=${label} /></figcaption></figure>`;
}

/** @param {{ now: Moment }} props Hands still to be shown, as known from the play, and the crib. */
function Next({ now: { state, page } }) {
  const name = (/** @type {number | null} */ seat) => state.seats[seat ?? 0]?.name ?? "";
  const side = (/** @type {number | null} */ seat) => state.seats[seat ?? 0]?.side ?? 0;
  return html`
    <div class="next">
      ${page.carry.shows.slice(1).map(({ seat, cards, points }) => html`
        <figure key=${seat}><figcaption><${Peg} side=${side(seat)} /> <span><${CardText} text=${WORDS.hand(name(seat))} /></span> <b>
          ${points}</b></figcaption>
          <span class="few">${cards.map((card, at) => html`<${Card} key=${at} card=${card} />`)}</span></figure>`)}
      <figure key="crib"><figcaption><${Peg} side=${side(state.dealer)} /> <span>
        <${CardText} text=${WORDS.crib(name(state.dealer))} /></span></figcaption>
        <span class="few">${Array.from({ length: CRIB }, (_, at) => html`<span class="slot" key=${at}></span>`)}</span></figure>
    </div>
  `;
}

/** @param {{ count: number }} props Completed counts, moved to the side. */
const Gone = ({ count }) => html`
  <figure class="gone"><${Backs} count=${count} label=${TABLE.gone(count)} />
    <figcaption aria-hidden="true">${TABLE.closed}</figcaption></figure>
`;

/** @param {{ now: Moment }} props Slots for the discards, next to the cards in the crib. */
function Slots({ now: { state, page } }) {
  const { hand } = page;
  if (!hand) return null;
  const isOwn = hand.seat === state.dealer;
  const title = isOwn ? WORDS.yourOwnCrib : WORDS.crib(state.seats[state.dealer ?? 0]?.name ?? "");
  const there = page.felt?.crib ?? 0;
  return html`
    <div class="slots">
      <h2><${CardText} text=${title} /></h2>
      ${Array.from({ length: hand.wanted }, (_, at) =>
        html`<span class="slot">${hand.chosen[at] && html`<${Sign} card=${hand.chosen[at]} />`}</span>`)}
      ${there > 0 && html`<${Backs} count=${there} label=${`${title}, ${WORDS.cards(there)}`} />`}
    </div>
  `;
}

// --- Keeps a completed count on the felt for a moment, with the score of its last card, and a miscounted hand until the
// viewer goes on.

/** @typedef {{ cards: Server.TableOf["counts"][number], text: string, points: number, isLeaving: boolean }} CompletedCount */

const STAYS = 1500; // milliseconds before it leaves
const LEAVES = 220; // milliseconds of the animation
const CLOSES = new Set(["thirty-one", "go", "last"]);

/** @type {Signal<CompletedCount | null>} */
export const completedCount = signal(null);

/** @type {Signal<Server.OwnCount | null>} The miscounted hand. */
export const miscount = signal(null);
let seen = Infinity; // number of the last event shown
let last = ""; // the count shown with it

effect(() => {
  if (!now.value) return;
  const { counted, log } = now.value.page;
  const at = log[0]?.seq ?? -1;
  const own = JSON.stringify(counted);
  if (at < seen) miscount.value = null; // an undo, or another game
  else if (at > seen && own !== last && counted && counted.claimed !== counted.points) miscount.value = counted;
  seen = at;
  last = own;
});
// Typing dismisses a miscounted hand.
addEventListener("keydown", ({ key }) => key.length === 1 && (miscount.value = null));

/** @type {{ deal: number | null, closed: number } | null} Completed counts in the deal so far. */
let before = null;
let timer = 0;

/** Return the completed count while the next has no card. @param {Moment} now @returns {CompletedCount | null} */
export const completedCountOf = ({ state, page }) => {
  const cards = state.phase === "play" && !state.pile.length ? page.table.counts.at(-1) : undefined;
  return cards ? { cards, text: state.last?.call ?? "", points: state.last?.points ?? 0, isLeaving: false } : null;
};

/**
 * Return the cards and total of the current count, or of the completed one still shown.
 * @param {Moment} now
 * @param {CompletedCount | null} closed
 */
export function pileOf({ state, page }, closed) {
  if (closed) return { pile: closed.cards, count: closed.cards.reduce((sum, { pips }) => sum + pips, 0) };
  return { pile: state.pile.length ? (page.table.counts.at(-1) ?? []) : [], count: state.count };
}

effect(() => {
  if (!now.value) return;
  const { state, page } = now.value;
  const { counts, deal } = page.table;
  const closed = counts.length - (state.pile.length ? 1 : 0);
  const isSame = before !== null && before.deal === deal;
  if (isSame && before && closed > before.closed) hold(counts[closed - 1] ?? [], page.log);
  else if (!isSame || (before && closed < before.closed)) release();
  before = { deal, closed };
});

/** @param {CompletedCount["cards"]} cards @param {Server.LogLine[]} log */
function hold(cards, log) {
  clearTimeout(timer);
  const closing = log.find(({ scores }) => scores.some(({ kind }) => CLOSES.has(kind)));
  completedCount.value = { cards, text: closing?.text ?? "", points: closing?.points ?? 0, isLeaving: false };
  timer = setTimeout(leave, STAYS);
}

function leave() {
  if (isStill() || !completedCount.value) return release();
  completedCount.value = { ...completedCount.value, isLeaving: true };
  timer = setTimeout(release, LEAVES);
}

function release() {
  clearTimeout(timer);
  completedCount.value = null;
}

// A click dismisses the count, once the clicked element has acted.
addEventListener("click", release);
addEventListener("keydown", release);
