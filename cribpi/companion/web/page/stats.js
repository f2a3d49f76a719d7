// Statistics: a table of all players, and each one's figures with small plots.

import { HandCards } from "/page/cards.js";
import { valueTo } from "/page/fields.js";
import { PastHeader, playerPath } from "/page/games.js";
import { useRefusal } from "/page/hooks.js";
import { useResource } from "/page/resource.js";
import { signed } from "/page/result.js";
import { now, send } from "/page/store.js";
import { html } from "/page/ui.js";
import { useEffect, useRef, useState } from "/page/vendor/preact.js";
import { NAMES_WORDS, PAST, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

const { figures, parts } = PAST;
/** @type {(keyof typeof parts)[]} */
const PARTS = ["hands", "cribs", "pegging", "heels", "muggins", "other"];

/** @param {number | null} average */
const tenths = (average) => (average === null ? "–" : average.toFixed(1));

/** @param {{ games: number, wins: number }} one */
const share = ({ games, wins }) => (100 * wins) / Math.max(1, games);

export function Stats() {
  const { found: all, isFailed } = useResource("/api/stats");
  return html`
    <main class="past">
      <${PastHeader} place="stats" />
      <h1>${PAST.statistics}</h1>
      ${isFailed && !all && html`<p role="alert">${WORDS.unreachable}</p>`}
      ${all && !all.players.length && html`<p class="empty">${PAST.noFinishedGames}</p>`}
      ${all && all.players.length > 0 && html`
        <div class="sheet">
          <table class="figures">
            <thead><tr>
              <th scope="col">${figures.player}</th><th scope="col">${figures.games}</th><th scope="col">${figures.won}</th>
              <th scope="col">${figures.dealer}<small>${PAST.usual(all.usual.dealer)}</small></th>
              <th scope="col">${figures.pone}<small>${PAST.usual(all.usual.pone)}</small></th>
              <th scope="col" class="wide">${figures.skunked}</th><th scope="col" class="wide">${figures.wasSkunked}</th>
              <th scope="col" class="wide">${figures.streak}</th>
            </tr></thead>
            <tbody>${all.players.map((one) => html`<${PlayerLine} key=${one.name} one=${one} />`)}</tbody>
          </table>
          <p><small>${PAST.columns}</small></p>
        </div>`}
    </main>
  `;
}

/** @param {{ one: Server.PlayerRow }} props */
const PlayerLine = ({ one }) => html`
  <tr>
    <th scope="row"><a href=${playerPath(one.name)}><bdi>${one.called}</bdi></a></th>
    <td>${one.games}</td>
    <td>${PAST.percent(share(one))}</td>
    <td>${tenths(one.tenths.dealer)}</td>
    <td>${tenths(one.tenths.pone)}</td>
    <td class="wide">${one.skunks}</td><td class="wide">${one.skunked}</td>
    <td class="wide">${PAST.inARow(one.streak)}</td>
  </tr>
`;

/** @param {{ name: string }} props */
export function Player({ name }) {
  const { found: one, isFailed } = useResource(`/api/stats/${encodeURIComponent(name)}`);
  useEffect(() => () => void (saved = ""), []);
  return html`
    <main class="past">
      <${PastHeader} place="stats" />
      <div class="heading">
        <h1><bdi>${one?.called ?? name}</bdi></h1>
        ${one?.person && html`<${Rename} key=${name} name=${name} />`}
        ${one && saved === name && html`<p role="status">${NAMES_WORDS.saved}</p>`}
      </div>
      ${isFailed && !one && html`<p class="empty" role="alert">${PAST.nobody(name)}</p>`}
      ${one && html`<${Figures} one=${one} />`}
      <div class="row">
        ${one && html`<a class="other" href=${`#games/with/${encodeURIComponent(name)}`}>${PAST.gamesWith(one.called)}</a>`}
        <a class="other" href="#stats">${PAST.toStatistics}</a>
      </div>
    </main>
  `;
}

let saved = ""; // last name saved

/** @param {{ name: string }} props Form to rename a person; the server checks it. */
function Rename({ name }) {
  const [to, setTo] = useState(/** @type {string | null} */ (null));
  const [isSent, setSent] = useState(false);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const all = useResource("/api/stats").found;
  const seq = now.value?.state.seq, wanted = (to ?? "").trim().normalize("NFC");
  const wrong = useRefusal();
  useEffect(() => field.current?.focus(), [to === null]);
  useEffect(() => {
    if (!isSent || wrong) return;
    saved = wanted;
    location.replace(playerPath(wanted));
  }, [seq]);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    setSent(true);
    send("/api/names", { rename: name, to: wanted });
  };
  if (to === null) return html`<button type="button" class="other" onClick=${() => setTo(name)}>${PAST.rename}</button>`;
  return html`
    <form class="rename" onSubmit=${save}>
      <label class="named"><span>${PAST.newName}</span> <input dir="auto" ref=${field} value=${to} maxlength="40" autocomplete="off"
        onInput=${valueTo(setTo)} /></label>
      <button type="submit" class="main" disabled=${!wanted || wanted === name}>${PAST.save}</button>
      <p role="status">${wanted !== name && all?.players.some((one) => one.name === wanted) ? PAST.isTaken(wanted) : PAST.renamed}</p>
      ${wrong && html`<p class="refused" role="alert">${wrong}</p>`}
    </form>`;
}

/** @param {{ one: Server.Player }} props */
const Figures = ({ one, one: { five_card: five } }) => html`
  <dl class="facts-row">
    <${Fact} name=${figures.games} value=${one.games} />
    <${Fact} name=${figures.won} value=${PAST.percent(share(one))} more=${PAST.winsOf(one.wins, one.games)} />
    <${Fact} name=${figures.skunked} value=${one.skunks} more=${PAST.doubles(one.double_skunks)} />
    <${Fact} name=${figures.wasSkunked} value=${one.skunked} more=${PAST.doubles(one.double_skunked)} />
    <${Fact} name=${figures.streak} value=${PAST.inARow(one.streak)} more=${PAST.longest(one.longest_wins, one.longest_losses)} />
  </dl>
  <div class="sheets">
    <div>
      <section class="sheet">
        <h2>${PAST.averages}</h2>
        ${one.dealer.deals + one.pone.deals > 0
          ? html`<${Role} title=${figures.dealer} role=${one.dealer} usual=${one.usual.dealer} />
              <${Role} title=${figures.pone} role=${one.pone} usual=${one.usual.pone} />
              <p><small>${PAST.averagesNote}</small></p>`
          : html`<p>${PAST.noDeals}</p>`}
        ${five.dealer.deals + five.pone.deals > 0 && html`
          <${Role} title=${PAST.fiveCard(figures.dealer)} role=${five.dealer} />
          <${Role} title=${PAST.fiveCard(figures.pone)} role=${five.pone} />`}
      </section>
      <section class="sheet"><h2>${PAST.results}</h2><${Results} results=${one.results} /></section>
      <section class="sheet"><h2>${PAST.fromWhat}</h2><${Points} points=${one.points} /></section>
    </div>
    <div>
      ${one.best.length > 0 && html`
        <section class="sheet"><h2>${PAST.bestHands}</h2>
          <ol class="bests">${one.best.map((best) => html`<${BestHand} best=${best} />`)}</ol></section>`}
      <section class="sheet"><h2>${PAST.accuracies}</h2>
        ${one.accuracies.length ? html`<${Accuracies} all=${one.accuracies} />` : html`<p>${PAST.noAccuracies}</p>`}</section>
      ${one.against.length > 0 && html`<section class="sheet"><h2>${PAST.headToHead}</h2><${Against} against=${one.against} /></section>`}
    </div>
  </div>
`;

/** @param {{ name: string, value: string | number, more?: string }} props */
const Fact = ({ name, value, more = "" }) => html`<div><dt>${name}</dt>
  <dd><b>${value}</b>${more && html`<small>${more}</small>`}</dd></div>`;

const SCALE = 20; // points per deal at full length
const WIDE = 400;
const THICK = 26;

/** @param {{ title: string, role: Server.InRole, usual?: number }} props Points per deal by category, next to the average. */
function Role({ title, role, usual }) {
  const x = (/** @type {number} */ points) => (WIDE * Math.min(Math.max(points, 0), SCALE)) / SCALE;
  let from = 0;
  const bars = PARTS.flatMap((part) => {
    const points = role[part] ?? 0;
    const left = from;
    from += Math.max(points, 0);
    return points > 0 ? [html`<rect class="part ${part}" x=${x(left)} y="6" width=${Math.max(x(from) - x(left) - 1.5, 0.5)}
      height=${THICK} />`] : [];
  });
  const words = PARTS.filter((part) => role[part]);
  const beside = usual ? [PAST.usual(usual)] : [];
  return html`
    <div class="role">
      <h3>${title} <b>${tenths(role.tenths.all)}</b> <small>${beside.map((said) => `${said} · `)}${PAST.deals(role.deals)}</small></h3>
      <svg class="plot" viewBox=${`0 0 ${WIDE} ${THICK + 12}`} role="img"
        aria-label=${[`${title}: ${tenths(role.tenths.all)} ${PAST.aDeal}`, ...beside].join(", ")}>
        <rect class="ground" x="0" y="6" width=${WIDE} height=${THICK} />
        ${bars}
        ${usual && html`<line class="usual" x1=${x(usual)} x2=${x(usual)} y1="0" y2=${THICK + 12} />`}
      </svg>
      <ul class="legend">${words.map((part) => html`<li><i class="part ${part}"></i>
        ${parts[part]} <b>${tenths(role.tenths[part])}</b></li>`)}</ul>
    </div>
  `;
}

/** @param {{ points: Server.Player["points"] }} props */
function Points({ points }) {
  const most = Math.max(1, ...PARTS.map((part) => points[part]));
  return html`
    <table class="points"><tbody>${PARTS.map((part) => html`
      <tr><th scope="row">${TABLE.gains[part]}</th>
        <td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none"
          aria-hidden="true"><rect class="part ${part}" width=${(100 * Math.max(0, points[part])) / most} height="10" /></svg></td>
        <td>${points[part].toLocaleString()}</td></tr>`)}
    </tbody></table>
  `;
}

const SHOWN = 60; // maximum results plotted
const HIGH = 120;

/** @param {{ results: Server.Player["results"] }} props A bar per game, up for a win, down for a loss. */
function Results({ results }) {
  const last = results.slice(-SHOWN);
  const most = Math.max(31, ...last.map(({ margin }) => Math.abs(margin)));
  const each = WIDE / Math.max(last.length, 12);
  const middle = HIGH / 2;
  return html`
    <svg class="plot results" viewBox=${`0 0 ${WIDE} ${HIGH}`} role="group" aria-label=${PAST.resultsNote(last.length)}>
      ${last.map(({ game, won, margin }, at) => {
        const high = Math.max(2, ((middle - 4) * Math.abs(margin)) / most);
        return html`<a href=${`#games/${game}`} tabindex="-1"><title>${PAST.gameNumber(game)}: ${signed(margin)}</title>
          <rect class=${won ? "won" : "lost"} x=${at * each + each * 0.12} width=${each * 0.76} y=${won ? middle - high : middle}
            height=${high} /></a>`;
      })}
      <line x1="0" x2=${WIDE} y1=${middle} y2=${middle} />
    </svg>
    <p><small>${PAST.resultsNote(last.length)}.</small></p>
  `;
}

/** @param {{ all: Server.Player["accuracies"] }} props Accuracy of the last reviewed games as a line, with links to reviews. */
function Accuracies({ all }) {
  const shares = all.map(({ accuracy }) => accuracy), least = Math.min(0.5, ...shares),
    mean = shares.reduce((sum, one) => sum + one, 0) / all.length;
  const x = (/** @type {number} */ at) => 10 + ((WIDE - 20) * (at + 0.5)) / Math.max(all.length, 5);
  const y = (/** @type {number} */ share) => 10 + ((HIGH - 40) * (1 - share)) / (1 - least);
  const note = PAST.accuraciesNote(all.length, mean, shares.at(-1) ?? 0);
  return html`
    <svg class="plot accuracies" viewBox=${`0 0 ${WIDE} ${HIGH - 20}`} role="group" aria-label=${note}>
      <line x1="0" x2=${WIDE} y1=${y(1)} y2=${y(1)} /><line class="usual" x1="0" x2=${WIDE} y1=${y(mean)} y2=${y(mean)} />
      <polyline points=${shares.map((one, at) => `${x(at)},${y(one)}`).join(" ")} />
      ${all.map(({ game, accuracy }, at) => html`<a href=${`#games/${game}/review`}
        tabindex="-1"><title>${PAST.gameNumber(game)}: ${PAST.percent(100 * accuracy)}</title>
          <circle cx=${x(at)} cy=${y(accuracy)} r="7" /></a>`)}
    </svg>
    <p><small>${note}.</small></p>
  `;
}

/** @param {{ best: Server.BestShow }} props */
const BestHand = ({ best }) => html`
  <li class="best">
    <b>${best.points}</b>
    <div>
      <${HandCards} cards=${best.cards} starter=${best.starter} />
      <p><a href=${`#games/${best.game}`}>${PAST.bestIn(best.game, best.deal, best.crib)}</a></p>
    </div>
  </li>
`;

/** @param {{ against: Server.Player["against"] }} props */
const Against = ({ against }) => html`
  <table class="figures">
    <thead><tr><th scope="col">${figures.player}</th><th scope="col">${figures.games}</th><th scope="col">${figures.won}</th>
      <th scope="col">${figures.spread}</th></tr></thead>
    <tbody>${against.map((row) => html`
      <tr><th scope="row"><a dir="auto" href=${playerPath(row.name)}>${row.called}</a></th><td>${row.games}</td><td>${row.wins}</td>
        <td>${signed(row.spread)}</td></tr>`)}
    </tbody>
  </table>
`;
