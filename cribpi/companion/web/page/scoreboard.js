// The table on a television, readable from across the room.

import { BoardView } from "/page/board.js";
import { Back, Card, CardText, Face, HandCards, spoken } from "/page/cards.js";
import { completedCount, miscount, pileOf } from "/page/felt.js";
import { useAwake, useListener, useTimeout } from "/page/hooks.js";
import { PhoneTool } from "/page/phones.js";
import { seatToAct } from "/page/prompt.js";
import { Course } from "/page/result.js";
import { Show } from "/page/show.js";
import { Announcements } from "/page/sound.js";
import { offline } from "/page/store.js";
import { BoardStrip, Tiles } from "/page/table.js";
import { classes, html, Icon, useQuery } from "/page/ui.js";
import { useState } from "/page/vendor/preact.js";
import { PHONE_WORDS as SAYS, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

const COURSE = { wide: 380, high: 170 }; // drawn at twice this size
const READ = 12_000; // milliseconds that a miscounted hand stays
const SEEN = 8000; // milliseconds that the tools stay after input

/** @param {{ now: Moment }} props */
export function Scoreboard({ now }) {
  const { state, page } = now;
  const isWide = useQuery("(width >= 56.25em) and (min-aspect-ratio: 1/1)");
  const isOver = state.phase === "game-over" || state.phase === "match-over";
  const closed = completedCount.value;
  const counted = closed ? null : miscount.value;
  const kind = closed ? "play" : counted ? "show" : isOver ? "over" : page.felt?.shown ? "show" : "play";
  useAwake(true);
  useTimeout(() => void (miscount.value = null), READ, counted);
  return html`
    <main class="scoreboard" data-kind=${kind} data-phase=${state.phase} data-seq=${state.seq} data-sides=${state.sides.length}>
      ${isWide && html`<${BoardView} state=${state} ghosts=${page.ghosts} isUpright=${true} />`}
      <${Tiles} now=${now} />
      ${!isWide && html`<${BoardStrip} state=${state} ghosts=${page.ghosts} ownSide=${0} />`}
      ${kind === "show" && html`<${Show} key=${counted ? "counted" : String(state.seq)} now=${now} isWatched=${true} counted=${counted} />`}
      ${kind === "over" && html`<${End} now=${now} isWide=${isWide} />`}
      ${kind === "play" && html`<${Middle} now=${now} closed=${closed} />`}
      <${Line} now=${now} closed=${closed} />
      <${Tools} />
      <${Announcements} now=${now} viewer=${null} />
    </main>
  `;
}

/** @param {{ now: Moment, closed: import("/page/felt.js").CompletedCount | null }} props The count and its cards. */
function Middle({ now: { state, page }, closed }) {
  const { pile, count } = pileOf({ state, page }, closed);
  const isPlay = closed !== null || (state.phase === "play" && state.entry !== "peg"); // points mode has no cards
  const cut = page.felt?.cuts.flatMap((card, seat) => (card ? [{ card, seat }] : [])) ?? [];
  const cards = pile.length ? pile : isPlay ? [] : cut;
  const loose = closed || cards.length ? [] : page.table.shown;
  return html`
    <section class="felt middle" aria-label="Cards on the table">
      ${isPlay && html`<p class="count"><output>${count}</output>${!closed && html`<small>${WORDS.toGo(31 - count)}</small>`}</p>`}
      <div class="pile" style=${{ "--cards": cards.length || loose.length }}>
        ${cards.map(({ card, seat }, at) => html`<span class="laid"
          key=${`${card} ${at}`}><span class="card" role="img" aria-label=${spoken(card)} data-card=${card}>
          <${Face} card=${card} /><span class="peg" data-side=${state.seats[seat]?.side ?? 0}></span></span></span>`)}
        ${loose.map((card, at) => html`<span class="laid" key=${`${card} ${at}`}><${Card} card=${card} /></span>`)}
      </div>
      ${state.starter
        ? html`<figure class="starter"><${Card} card=${state.starter} /><figcaption>${WORDS.starter}</figcaption></figure>`
        : state.entry === "dealt" && html`<figure class="starter"><span class="card down" aria-hidden="true"><${Back} /></span></figure>`}
    </section>
  `;
}

/** @param {{ now: Moment, closed: import("/page/felt.js").CompletedCount | null }} props Last score, and who is next. */
function Line({ now, closed }) {
  const { state, page } = now;
  const seat = closed ? null : seatToAct(now);
  const side = seat === null ? undefined : state.seats[seat]?.side;
  const scored = closed?.text ?? (state.phase === "play" && page.log[0]?.points ? state.last?.call : "");
  return html`
    <section class="line-of" data-side=${side}>
      <h1><${CardText} text=${closed ? (closed.text || state.prompt) : page.table.asks || state.prompt} /></h1>
      ${offline.value ? html`<p role="status">${offline.value}</p>` : !closed && scored && html`<p><${CardText} text=${scored} /></p>`}
    </section>
  `;
}

/** @param {{ now: Moment, isWide: boolean }} props */
function End({ now: { state, page }, isWide }) {
  const { text, best, course = [] } = page.result ?? {};
  return html`
    <section class="felt end" data-side=${state.winner} aria-label=${TABLE.result}>
      <p class="winner"><${CardText} text=${text ?? SAYS.over} /></p>
      ${best && html`
        <p class="best"><${CardText} text=${best.text} /></p>
        <${HandCards} cards=${best.cards} starter=${best.starter} />`}
      ${course.length > 1 && html`<div class="drawn">
        <${Course} state=${state} course=${course} size=${isWide ? COURSE : undefined} /></div>`}
    </section>
  `;
}

/** Full screen and phone tools, hidden without input. */
function Tools() {
  const [isSeen, setSeen] = useState(true);
  const [lastUse, setLastUse] = useState(0);
  const [isFull, setFull] = useState(document.fullscreenElement !== null);
  useListener(() => (setSeen(true), setLastUse(performance.now())), "pointermove", "pointerdown", "keydown");
  useListener(() => setFull(document.fullscreenElement !== null), "fullscreenchange");
  useTimeout(() => setSeen(false), SEEN, lastUse);
  return html`
    <div class=${classes("far-tools", isSeen && "seen")}>
      ${!("wakeLock" in navigator) && html`<small>${SAYS.staysOn}</small>`}
      ${document.fullscreenEnabled && !isFull && html`<button type="button" class="tool" data-tool="full"
        onClick=${() => document.documentElement.requestFullscreen().catch(() => setFull(false))}>
        <${Icon} name="full" /><span>${SAYS.fullScreen}</span></button>`}
      <${PhoneTool} />
    </div>
  `;
}
