// What lies on the felt: the starter, the crib, the cards of the count, and the count itself.

import { mine } from "/page/asked.js";
import { Back, Backs, Card, Face, Said, Sign, spoken } from "/page/cards.js";
import { classes, html } from "/page/html.js";
import { TABLE } from "/page/words-table.js";
import { WORDS } from "/page/words.js";

/** @typedef {import("/page/store.js").Moment} Moment */

/** @param {{ now: Moment, closed: import("/page/closed.js").Closed | null }} props A closed count lies there in place of what follows. */
export function Felt({ now, closed }) {
  const { state, page } = now;
  const pile = closed?.cards ?? (state.pile.length ? (page.table.counts.at(-1) ?? []) : []);
  const count = closed ? pile.reduce((sum, { pips }) => sum + pips, 0) : state.count;
  const open = (state.pile.length ? 1 : 0) + (closed ? 1 : 0);
  const gone = state.phase === "play" || closed ? page.table.counts.slice(0, Math.max(0, page.table.counts.length - open)).flat() : [];
  const shown = closed ? [] : page.table.shown;
  const own = mine(now);
  const isDiscarding = state.phase === "deal" && page.hand !== null && page.hand.wanted > 0;
  return html`
    <section class=${classes("felt", closed && "closed", closed?.isLeaving && "leaving")} aria-label="Cards on the table"><div class="cloth">
      <${Starter} now=${now} />
      <div class="pile" style=${{ "--cards": pile.length || shown.length }} role="group" aria-label="Cards of this count">
        ${page.felt?.cuts.map((card, seat) => card && html`<${Card} key=${card} card=${card} side=${state.seats[seat]?.side} />`)}
        ${pile.map(({ card, seat }, at) => html`
          <span key=${`${card}-${at}`} class=${classes("laid", seat === own && "own")}>
            <${Played} card=${card} side=${state.seats[seat]?.side ?? 0} isDealt=${state.entry === "dealt"} />
          </span>`)}
        ${shown.map((card, at) => html`<${Card} key=${`${card} ${at}`} card=${card} />`)}
        ${isDiscarding && html`<${Slots} now=${now} />`}
      </div>
      ${Boolean(page.typed) && html`<p class=${classes("count", state.entry === "peg" && "typed")}><output>${page.typed}</output>${state.entry !== "peg" && html`<small>${TABLE.yourCount}</small>`}</p>`}
      ${state.entry !== "peg" && (state.phase === "play" || closed) && html`
        <p class="count"><output>${count}</output><small>${closed ? closed.points > 0 && TABLE.closesFor(closed.points) : WORDS.toGo(31 - count)}</small></p>`}
      ${!isDiscarding && html`<${Crib} now=${now} />`}
      ${gone.length > 0 && html`<${Gone} count=${gone.length} />`}
      <p class="called">${closed ? html`<${Said} text=${closed.text} />` : state.phase === "play" && page.log[0]?.points ? state.last?.call : ""}</p>
    </div></section>
  `;
}

/** @param {{ card: string, side: number, isDealt: boolean }} props */
const Played = ({ card, side, isDealt }) => html`
  <span class="card" role="img" aria-label=${spoken(card)} data-card=${isDealt ? card : undefined} data-from=${`side-${side}`}>
    <${Face} card=${card} />${isDealt ? null : html`<span class="peg" data-side=${side}></span>`}
  </span>
`;

/** @param {{ now: Moment }} props The starter, or the pack that it is cut from. */
function Starter({ now: { state } }) {
  if (state.starter) {
    return html`<figure class="starter" data-place="pack"><${Card} card=${state.starter} /><figcaption>${WORDS.starter}</figcaption></figure>`;
  }
  if (state.entry !== "dealt" && state.phase !== "starter") return html`<figure class="starter"></figure>`;
  return html`<figure class="starter" data-place="pack"><span class="card down pack" aria-hidden="true"><${Back} /></span></figure>`;
}

/** @param {{ now: Moment }} props */
function Crib({ now: { state, page } }) {
  const count = page.felt?.crib ?? 0;
  if (!count || state.dealer === null || state.phase === "crib") return null;
  const name = state.seats[state.dealer]?.name ?? "";
  const label = state.dealer === page.hand?.seat ? WORDS.yourCrib : WORDS.crib(name);
  return html`<figure class="crib"><${Backs} count=${count} label=${`${label}, ${WORDS.cards(count)}`} /><figcaption>${label}</figcaption></figure>`;
}

/** @param {{ count: number }} props The cards of the counts that have closed, at the side: they count no more. */
const Gone = ({ count }) => html`
  <figure class="gone"><${Backs} count=${count} label=${TABLE.gone(count)} /><figcaption aria-hidden="true">${TABLE.closed}</figcaption></figure>
`;

/** @param {{ now: Moment }} props The places of the cards that go to the crib, and beside them those that lie in it. */
function Slots({ now: { state, page } }) {
  const { hand } = page;
  if (!hand) return null;
  const isOwn = hand.seat === state.dealer;
  const title = isOwn ? WORDS.yourOwnCrib : WORDS.crib(state.seats[state.dealer ?? 0]?.name ?? "");
  const there = page.felt?.crib ?? 0;
  return html`
    <div class="slots">
      <h2>${title}</h2>
      ${Array.from({ length: hand.wanted }, (_, at) => html`<span class="slot">${hand.chosen[at] && html`<${Sign} card=${hand.chosen[at]} />`}</span>`)}
      ${there > 0 && html`<${Backs} count=${there} label=${`${title}, ${WORDS.cards(there)}`} />`}
    </div>
  `;
}
