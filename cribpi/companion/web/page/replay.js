// A past game: its result and replay, card by card.

import { BoardView } from "/page/board.js";
import { Card, CardText } from "/page/cards.js";
import { completedCountOf, Felt } from "/page/felt.js";
import { valueTo } from "/page/fields.js";
import { dayAndTime, Removal, useNames } from "/page/games.js";
import { useStepKeys } from "/page/hooks.js";
import { DealOf, LineHead, LogPanel } from "/page/log.js";
import { useResource } from "/page/resource.js";
import { Best, Course, Gains } from "/page/result.js";
import { keepInSight } from "/page/review.js";
import { Share } from "/page/share.js";
import { BoardStrip, Tiles, useRoom } from "/page/table.js";
import { capital, classes, Header, html, Icon, Peg } from "/page/ui.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { PAST, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

/** @param {{ number: number, step: number | null }} props The result if there is no step. */
export function PastGame({ number, step }) {
  const { found: game, isFailed } = useResource(`/api/games/${number}`);
  const steps = game?.lines.length ?? 1;
  const at = Math.min(Math.max(step ?? steps, 1), steps);
  const moment = useStep(number, game ? at : null);
  useNames(game?.seats);
  if (!game || !moment) {
    return html`<main class="failed"><p role="status">${isFailed ? PAST.notThere : WORDS.loading}</p>
      <a class="other" href="#games">${PAST.allGames}</a></main>`;
  }
  return html`<${Shown} game=${game} at=${at} moment=${moment} isResult=${step === null} />`;
}

/** Load the table after a step, showing the previous one meanwhile. @param {number} number @param {number | null} step */
function useStep(number, step) {
  const [moment, setMoment] = useState(/** @type {Server.PastStep | null} */ (null));
  const { found } = useResource(step === null ? "" : `/api/games/${number}/${step}`);
  useEffect(() => {
    if (found) setMoment(found);
  }, [found]);
  return moment?.game === number ? moment : null;
}

/** Return the view of a past moment, without choices. @param {Server.PastStep} moment @returns {Moment} */
function asNow({ state, table, felt }) {
  return {
    state,
    page: {
      seq: state.seq, choices: [], keys: [], sides: {}, table, pairing: null, result: null, log: [], shower: null, hand: null,
        thinking: null,
      carry: { keys: {}, shows: [], says: "" },
      felt, counted: null, amounts: [], number: null, names: state.seats.map(({ name }) => name), ghosts: [], settings: {}, trouble: [],
    },
  };
}

/** @param {{ game: Server.PastGame, at: number, moment: Server.PastStep, isResult: boolean }} props */
function Shown({ game, at, moment, isResult }) {
  const [isLogOpen, setLogOpen] = useState(false);
  const room = useRoom();
  const board = { state: moment.state, lights: moment.lit };
  const now = asNow(moment);
  const go = (/** @type {number} */ step) => location.replace(`#games/${game.game}/${Math.min(Math.max(step, 1), game.lines.length)}`);
  const steps = isResult ? {} : { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: game.lines.length };
  useStepKeys(steps, isResult ? {} : { ArrowUp: at - 1, ArrowDown: at + 1 }, ".log", go);
  return html`
    <main class="table past-game" data-kind=${isResult ? "result" : "play"} data-step=${moment.step}>
      <${Header} to="#games" name=${PAST.allGames}>
        <span class="about">${PAST.gameNumber(game.game)}<span class="when"> · ${dayAndTime(game.begun)}</span></span>
        ${!isResult && html`<a class="tool" href=${`#games/${game.game}`}><${Icon} name="chart" />${TABLE.result}</a>
          <button type="button" class="tool steps-list" title=${WORDS.log}
            onClick=${() => setLogOpen(!isLogOpen)}><${Icon} name="log" /><span>${WORDS.log}</span></button>`}
      <//>
      ${room && html`<${BoardView} ...${board} isUpright=${room === "upright"} />`}
      <${Tiles} now=${now} />
      ${!room && html`<${BoardStrip} ...${board} ownSide=${null} />`}
      ${isResult
        ? html`<${Ended} game=${game} />`
        : html`<${Felt} now=${now} closed=${completedCountOf(now)} /><${Steps} game=${game} at=${at} text=${moment.text} onGo=${go} />
          <${Hands} game=${game} moment=${moment} />
            <${Lines} game=${game} at=${at} isOpen=${isLogOpen} onGo=${go} onClose=${() => setLogOpen(false)} />`}
    </main>
  `;
}

/** @param {{ game: Server.PastGame }} props */
function Ended({ game }) {
  const { target, sides, sides_called: names } = game;
  const state = { target, sides: sides.map(({ score }, side) => ({ name: names[side] ?? "", front: score })) };
  return html`
    <section class="result" aria-label=${TABLE.result}>
      <h1>${capital(game.ended?.sentence ?? PAST.notOver)}</h1>
      ${game.result && html`
        <${Course} state=${state} course=${game.result.course} />
        <div class="facts">
          <${Gains} state=${state} sides=${game.result.sides} />
          ${game.result.best && html`<${Best} best=${game.result.best} />`}
        </div>`}
      <div class="buttons">
        ${game.reviewable && html`<a class="main" href=${`#games/${game.game}/review`}>${PAST.review}</a>`}
        <a class=${game.reviewable ? "other" : "main"} href=${`#games/${game.game}/1`}>${PAST.stepThrough}</a>
        <a class="other" href=${`/api/games/${game.game}.crib`} download>${PAST.saveRecord}</a>
        ${game.winner !== null && html`<${Share} number=${game.game} />`}
        ${game.removed && html`<${Removal} number=${game.game} wasRemoved=${true} />`}
        <a class="other" href="#games">${PAST.allGames}</a>
      </div>
    </section>
  `;
}

/** @param {{ game: Server.PastGame, at: number, text: string, onGo: (step: number) => void }} props */
const Steps = ({ game, at, text, onGo }) => html`
  <section class="asked steps" aria-label=${PAST.stepOf(at, game.lines.length)}>
    <div class="what" role="status"><h1><${CardText} text=${text} /></h1></div>
    <input type="range" min="1" max=${game.lines.length} value=${at} aria-label=${PAST.chooseStep}
      aria-valuetext=${PAST.stepOf(at, game.lines.length)}
      onInput=${valueTo((value) => onGo(Number(value)))} />
    <div class="buttons">
      <button type="button" class="other" disabled=${at <= 1} onClick=${() => onGo(at - 1)}>${TABLE.back}</button>
      <button type="button" class="main" disabled=${at >= game.lines.length} onClick=${() => onGo(at + 1)}>${TABLE.next}</button>
    </div>
  </section>
`;

/** @param {{ game: Server.PastGame, moment: Server.PastStep }} props All hands and the crib, as the game is over. */
const Hands = ({ game, moment }) => html`
  <section class="held-hands" data-hands=${moment.hands.length}>
    ${moment.hands.map((cards, seat) => html`<${PastHand} label=${PAST.holds(game.seats[seat]?.name ?? "")}
      side=${game.seats[seat]?.side ?? 0} name=${game.seats[seat]?.name ?? ""} cards=${cards} />`)}
    ${moment.crib.length > 0 && html`<${PastHand} label=${WORDS.crib(game.seats[moment.state.dealer ?? 0]?.name ?? "")}
      side=${game.seats[moment.state.dealer ?? 0]?.side ?? 0}
      name=${WORDS.crib(game.seats[moment.state.dealer ?? 0]?.name ?? "")} cards=${moment.crib} />`}
  </section>
`;

/** @param {{ label: string, side: number, name: string, cards: Server.Card[] }} props */
const PastHand = ({ label, side, name, cards }) => html`
  <div class="held" role="group" aria-label=${label}>
    <small><${Peg} side=${side} /> <span><bdi>${name}</bdi></span></small>
    <p style=${{ "--cards": Math.max(cards.length, 2) }}>${cards.map((card) => html`<${Card} key=${card} card=${card} />`)}</p>
  </div>
`;

/** @param {{ game: Server.PastGame, at: number, isOpen: boolean, onGo: (step: number) => void, onClose: () => void }} props */
function Lines({ game, at, isOpen, onGo, onClose }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const now = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (now.current && list.current) keepInSight(now.current, list.current);
  }, [at, isOpen]);
  return html`
    <${LogPanel} isOpen=${isOpen} onClose=${onClose} root=${list}>
      <ol>${game.lines.flatMap((line, each) => [html`<${DealOf} key=${`deal ${line.step}`} line=${line} before=${game.lines[each - 1]} />`,
        html`
        <li key=${line.step}>
          <button type="button" ref=${line.step === at ? now : null} class=${classes("head", line.step === at && "now")}
            aria-current=${line.step === at ? "step" : undefined} onClick=${() => onGo(line.step)}>
            <${LineHead} side=${line.pegged[0]?.side} text=${line.text} gains=${line.pegged} />
          </button>
        </li>`])}</ol>
    <//>
  `;
}
