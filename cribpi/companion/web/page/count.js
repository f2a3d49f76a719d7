// Counts any hand line by line. Cards and starter are tapped or typed.

import { CardText, CRIB, Face, RANKS, Sign, Signs, spoken, SUITS } from "/page/cards.js";
import { Select, valueTo } from "/page/fields.js";
import { useListener } from "/page/hooks.js";
import { Counted } from "/page/log.js";
import { prefer, preferences } from "/page/preferences.js";
import { post } from "/page/queue.js";
import { useResource } from "/page/resource.js";
import { classes, Header, html, Segments } from "/page/ui.js";
import { useLayoutEffect, useRef, useState } from "/page/vendor/preact.js";
import { COUNT as SAYS, TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

const SUIT_CHOICES = Object.entries(SUITS).map(([value, { sign: title }]) => ({ value, title }));
const HALF_TYPED = 400; // milliseconds in which the "1" of "10" is not refused

export function Count() {
  const rules = preferences.value.countRules;
  const presets = useResource("/api/rules").found?.presets.filter(({ players }) => players.includes(2)) ?? [];
  const by = presets.find(({ name }) => name === rules);
  const hand = useHand(rules);
  const { cards, found, lifted } = hand;
  const size = hand.kind === "crib" ? CRIB : (by?.hand ?? CRIB);
  const toggle = (/** @type {Server.Card} */ card) => hand.toggle(card, size + 1);
  return html`
    <main class="count-hand">
      <${Header} />
      <section class="felt counted" aria-label=${WORDS.countHand}>
        <h1>${WORDS.countHand}</h1>
        <div class="shown">
          ${Array.from({ length: size + 1 }, (_, at) => html`<${Slot} key=${at} card=${cards[at]} isStarter=${at === size}
            isLifted=${lifted.includes(cards[at] ?? "")} onTake=${toggle} />`)}
        </div>
        <${Found} found=${found} missing=${size - cards.length} by=${rules === "standard" ? "" : (by?.title ?? rules)}
          onLift=${hand.lift} />
      </section>
      <section class="picker" aria-label=${SAYS.cardsOfHand}>
        <${Segments} label=${SAYS.handOrCrib} value=${hand.kind} choices=${SAYS.kinds} onChoose=${hand.setKind} />
        <${Line} line=${hand.line} onType=${hand.type} />
        <${Ranks} cards=${cards} isFull=${cards.length > size} onToggle=${toggle}
          onClear=${cards.length || hand.line.trim() ? () => hand.type("") : null} />
        <${ByRules} rules=${rules} presets=${presets} />
      </section>
    </main>
  `;
}

/**
 * The hand to count: its cards, tapped or parsed by the server from the `line` typed, and its count by `rules`.
 * @param {string} rules
 */
function useHand(rules) {
  const [cards, setCards] = useState(/** @type {Server.Card[]} */ ([]));
  const [kind, setKind] = useState("hand");
  const [line, setLine] = useState("");
  const [lifted, lift] = useState(/** @type {Server.Card[]} */ ([]));
  const found = useCounted(line.trim() || cards.join(" "), kind === "crib", rules);
  useLayoutEffect(() => {
    if (!found) return lift([]);
    if ("error" in found) return line ? setCards([]) : undefined;
    setCards([...found.cards, ...(found.starter ? [found.starter] : [])]);
    return setKind(found.crib ? "crib" : "hand"); // typed "crib"
  }, [found]);
  const toggle = (/** @type {Server.Card} */ card, /** @type {number} */ most) => {
    const rest = cards.filter((other) => other !== card);
    setCards(rest.length < cards.length ? rest : [...cards, card].slice(0, most));
    setLine("");
  };
  const type = (/** @type {string} */ text) => {
    setLine(text);
    if (!text.trim()) setCards([]);
  };
  return { cards, kind, line, found, lifted, setKind, lift, toggle, type };
}

/** @param {{ line: string, onType: (text: string) => void }} props Cards as text. Keys typed elsewhere go there, too. */
function Line({ line, onType }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useListener((event) => isForField(event) && field.current?.focus(), "keydown");
  return html`
    <label class="named">${SAYS.typed}<input ref=${field} value=${line} placeholder="5H 5C 5S JD 5D" autocomplete="off"
      autocapitalize="characters" onInput=${valueTo(onType)} /></label>`;
}

/**
 * The cards of a suit.
 * @param {{
 *   cards: Server.Card[], isFull: boolean, onToggle: (card: Server.Card) => void, onClear: (() => void) | null,
 * }} props
 */
function Ranks({ cards, isFull, onToggle, onClear }) {
  const [suit, setSuit] = useState("S");
  return html`
    <${Segments} label=${SAYS.suit} value=${suit} choices=${SUIT_CHOICES} onChoose=${setSuit} />
    <div class="ranks" data-suit=${suit}>
      ${RANKS.map((rank) => rank + suit).map((card) => html`
        <button type="button" key=${card} class="key" aria-pressed=${String(cards.includes(card))} aria-label=${spoken(card)}
          disabled=${isFull && !cards.includes(card)} onClick=${() => onToggle(card)}><${Sign} card=${card} /></button>`)}
      <button type="button" class="key clear" disabled=${!onClear} onClick=${onClear}>${SAYS.clear}</button>
    </div>`;
}

/**
 * Return the server's count of these cards, or null until it is there.
 * @param {string} cards
 * @param {boolean} isCrib
 * @param {string} rules
 */
function useCounted(cards, isCrib, rules) {
  const [found, setFound] = useState(/** @type {Server.Counted | Server.Refusal | null} */ (null));
  useLayoutEffect(() => { // before an earlier response can undo the new choice
    let isLatest = true;
    setFound(null);
    const show = (/** @type {Server.Counted | Server.Refusal} */ answer) => isLatest && setFound(answer);
    if (cards) {
      post("/api/count", { cards, crib: isCrib, rules }).then((response) => {
        const answer = response?.body ?? { error: WORDS.unreachable };
        setTimeout(show, "error" in answer ? HALF_TYPED : 0, answer);
      });
    }
    return () => {
      isLatest = false;
    };
  }, [cards, isCrib, rules]);
  return found;
}

/** Whether a typed key goes to the card input, which then gets the focus. @param {KeyboardEvent} event */
function isForField({ key, target, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey || (target instanceof Element && target.closest("input, select"))) return false;
  return key === "Backspace" || (key.length === 1 && key !== " "); // space presses the focused button
}

/** A choice of the preset whose rules the count follows. @param {{ rules: string, presets: Server.Preset[] }} props */
function ByRules({ rules, presets }) {
  const choices = presets.map(({ name, title }) => ({ value: name, title }));
  return html`
    <div class="by-rules">
      <label class="named">${SAYS.countRules}
        <${Select} value=${rules} choices=${choices} onChoose=${(/** @type {string} */ chosen) => prefer("countRules", chosen)} /></label>
      <small>${presets.find(({ name }) => name === rules)?.text}</small>
    </div>
  `;
}

/** @param {{ card: Server.Card | undefined, isStarter: boolean, isLifted: boolean, onTake: (card: Server.Card) => void }} props */
const Slot = ({ card, isStarter, isLifted, onTake }) =>
  card
    ? html`<button type="button" class=${classes("card", isStarter && "cut", isLifted && "lifted")}
      aria-label=${SAYS.takeAway(spoken(card))} onClick=${() => onTake(card)}><${Face} card=${card} /></button>`
    : html`<span class=${classes("slot", isStarter && "cut")}>${isStarter ? WORDS.starter : ""}</span>`;

/**
 * Counted lines. Tapping one lifts its cards and shows the rule's source.
 * @param {{ found: Server.Counted | Server.Refusal | null, missing: number, by: string, onLift: (cards: Server.Card[]) => void }} props
 */
function Found({ found, missing, by: rules, onLift }) {
  if (found && "error" in found) return html`<p class="called" role="alert"><${CardText} text=${found.error} /></p>`;
  if (missing > 0) return html`<p class="called">${SAYS.missing(missing)}</p>`;
  const by = rules && `, ${SAYS.countedBy(rules)}`;
  if (found && "mean" in found) {
    return html`<p class="total" role="status"><output>${found.mean.toFixed(2)}</output>
      <small>${SAYS.mean(found.least, found.most)}${by}</small></p>`;
  }
  if (!found || !("tally" in found)) return null;
  return html`
    <ol class="tally">
      ${found.tally.map((line) => html`<li>
        <span class="of"><${Signs} cards=${line.cards} /></span>
        <${Counted} line=${line} name="line" onToggle=${(/** @type {any} */ { target }) => target.open && onLift(line.cards)} />
        <b class="sum">${line.total}</b>
      </li>`)}
      ${found.points === 0 && html`<li><span></span><span>${TABLE.nineteen}</span></li>`}
    </ol>
    <p class="total" role="status"><output>${found.points}</output><small>${TABLE.inAll}${by}</small></p>
    ${found.may_be.length > 0 && html`<p class="called">${SAYS.mayBe(found.may_be)}</p>`}
  `;
}
