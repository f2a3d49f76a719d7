// Any hand, counted line by line: tap four cards and a starter, or type them.

import { Face, Sign, spoken } from "/page/cards.js";
import { classes, html, Icon, Peg, Segments } from "/page/html.js";
import { ask } from "/page/store.js";
import { useEffect, useState } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = [{ value: "S", title: "♠" }, { value: "H", title: "♥" }, { value: "C", title: "♣" }, { value: "D", title: "♦" }];
const HAND = 4;
const TYPED = /(10|[a2-9tjqk])\s*([cdhs♣♦♥♠]?)/gi;
/** @type {Record<string, string>} */
const SIGNS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };

/**
 * The cards in a line of text: "5h 5c 5s jd 5d", and whatever stands between them.
 * @param {string} line
 */
export const parse = (line) =>
  [...line.matchAll(TYPED)].slice(0, HAND + 1).map(([, rank = "", suit = ""]) => {
    const name = rank.toUpperCase() === "T" ? "10" : rank.toUpperCase();
    return name + (SIGNS[suit] ?? suit.toUpperCase());
  });

export function Count() {
  const [cards, setCards] = useState(/** @type {Server.Card[]} */ ([]));
  const [suit, setSuit] = useState("S");
  const [kind, setKind] = useState("hand");
  const [line, setLine] = useState("");
  const [found, setFound] = useState(/** @type {Server.Counted | Server.Refusal | null} */ (null));
  useEffect(() => {
    let isLatest = true;
    setFound(null);
    if (cards.length >= HAND) {
      const request = { cards: cards.slice(0, HAND), starter: cards[HAND] ?? null, crib: kind === "crib" };
      ask("/api/count", request).then((answer) => isLatest && setFound(answer), () => isLatest && setFound({ error: WORDS.unreachable }));
    }
    return () => {
      isLatest = false;
    };
  }, [cards.join(" "), kind]);
  const toggle = (/** @type {Server.Card} */ card) => {
    const rest = cards.filter((other) => other !== card);
    setCards(rest.length < cards.length ? rest : [...cards, card].slice(0, HAND + 1));
    setLine("");
  };
  const type = (/** @type {InputEvent & { target: HTMLInputElement }} */ event) => {
    setLine(event.target.value);
    setCards(parse(event.target.value));
  };
  return html`
    <main class="count-hand">
      <header class="tools"><a class="mark" href="#" aria-label=${WORDS.name}><${Peg} side=${0} /><${Peg} side=${1} /> <b>${WORDS.name}</b></a>
        <a class="tool" href="#" aria-label=${WORDS.close}><${Icon} name="close" /></a></header>
      <section class="felt counted" aria-label=${WORDS.countHand}>
        <h1>${WORDS.countHand}</h1>
        <div class="shown">
          ${Array.from({ length: HAND + 1 }, (_, at) => html`<${Slot} key=${at} card=${cards[at]} isStarter=${at === HAND} onTake=${toggle} />`)}
        </div>
        <${Found} found=${found} missing=${HAND - cards.length} />
      </section>
      <section class="picker" aria-label=${WORDS.cardsOfHand}>
        <${Segments} label=${WORDS.handOrCrib} value=${kind} choices=${WORDS.kinds} onChoose=${setKind} />
        <label class="named">${WORDS.typed}<input value=${line} placeholder="5H 5C 5S JD 5D" autocomplete="off" autocapitalize="characters" onInput=${type} /></label>
        <${Segments} label=${WORDS.suit} value=${suit} choices=${SUITS} onChoose=${setSuit} />
        <div class="ranks" data-suit=${suit}>
          ${RANKS.map((rank) => {
            const card = rank + suit;
            return html`<button type="button" key=${card} class="key" aria-pressed=${String(cards.includes(card))} aria-label=${spoken(card)}
              disabled=${cards.length > HAND && !cards.includes(card)} onClick=${() => toggle(card)}><${Sign} card=${card} /></button>`;
          })}
          <button type="button" class="key clear" disabled=${!cards.length} onClick=${() => (setCards([]), setLine(""))}>${WORDS.clear}</button>
        </div>
      </section>
    </main>
  `;
}

/** @param {{ card: Server.Card | undefined, isStarter: boolean, onTake: (card: Server.Card) => void }} props */
const Slot = ({ card, isStarter, onTake }) =>
  card
    ? html`<button type="button" class=${classes("card", isStarter && "cut")} aria-label=${WORDS.takeAway(spoken(card))} onClick=${() => onTake(card)}><${Face} card=${card} /></button>`
    : html`<span class=${classes("slot", isStarter && "cut")}>${isStarter ? WORDS.starter : ""}</span>`;

/** @param {{ found: Server.Counted | Server.Refusal | null, missing: number }} props */
function Found({ found, missing }) {
  if (missing > 0) return html`<p class="called">${WORDS.missing(missing)}</p>`;
  if (!found) return null;
  if ("error" in found) return html`<p class="called" role="alert">${found.error}</p>`;
  if ("mean" in found) {
    return html`<p class="total" role="status"><output>${found.mean.toFixed(2)}</output><small>${WORDS.mean(found.least, found.most)}</small></p>`;
  }
  return html`
    <ol class="tally">
      ${found.tally.map((line) => html`<li>
        <span class="of">${line.cards.map((card, at) => html`${at ? " " : ""}<${Sign} card=${card} />`)}</span>
        <details class="words"><summary>${line.words}</summary><p>${line.why.text}</p>${line.why.source !== "cribpi" && html`<cite>${line.why.source}: ${line.why.words}</cite>`}</details>
      </li>`)}
      ${found.points === 0 && html`<li><span></span><span>${WORDS.nineteen}</span></li>`}
    </ol>
    <p class="total" role="status"><output>${found.points}</output><small>${WORDS.inAll}</small></p>
  `;
}
