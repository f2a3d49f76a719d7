// The open hand. Touch: the first tap lifts a card, the second plays it. Mouse: hovering lifts, clicking plays. Both
// can drag a card to the felt.

import { MAIN, mayAct, useRest } from "/page/act.js";
import { Backs, Face, spoken } from "/page/cards.js";
import { isDragged, layOver, pointer, putBack, take } from "/page/drag.js";
import { classes, html, Icon } from "/page/ui.js";
import { preferences } from "/page/preferences.js";
import { note, now as moment, press, waiting } from "/page/store.js";
import { effect, signal, useEffect, useRef } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-table.js";
import { WORDS } from "/page/words.js";

/** @typedef {import("/page/store.js").Moment} Moment */

/** @type {import("/page/vendor/preact.js").Signal<Server.Card | null>} The lifted card, to be played next. */
export const raised = signal(null);

// A card stays lifted only while playable. A single playable card is lifted automatically.
effect(() => {
  const at = moment.value;
  const playable = at?.state.phase === "play" ? (at.page.hand?.playable ?? []) : [];
  if (playable.length === 1) raised.value = playable[0] ?? null;
  else if (raised.peek() && !playable.includes(raised.peek() ?? "")) raised.value = null;
});

/** @param {{ now: Moment }} props */
export function Hand({ now: { state, page } }) {
  const { hand } = page;
  if (!hand) return html`<section class="hand empty" data-place="hand"><${FaceDown} page=${page} /></section>`;
  return html`
    <section class="hand" style=${{ "--cards": hand.cards.length }} aria-label=${WORDS.hand(state.seats[hand.seat]?.name ?? "")}>
      ${hand.cards.map((card, at) => html`<${Held} key=${card} card=${card} at=${at} hand=${hand} state=${state} />`)}
    </section>
  `;
}

/** @param {{ page: Server.Page }} props Closed hand. Tapping it is the same as its button. */
function FaceDown({ page: { felt, choices } }) {
  const opens = choices.find(({ key }) => key === "OK");
  if (!felt || felt.hides === null || !opens) return null;
  return html`<button type="button" class="face-down" tabindex="-1" aria-hidden="true" onClick=${(/** @type {MouseEvent} */ event) => mayAct(MAIN, "OK", event) && press("OK", MAIN)}><${Backs} count=${felt.held[felt.hides]} label="" /></button>`;
}

const SOON = 150; // milliseconds in which the server usually responds

/** @param {{ card: Server.Card, at: number, hand: Server.Hand, state: Server.State }} props */
function Held({ card, at, hand, state: { phase } }) {
  const isPlay = phase === "play"; // discards are selected first, plays are made at once
  const isOnItsWay = waiting.value.includes(card); // optimistic: shown before the response
  const isChosen = isPlay ? raised.value === card : hand.chosen.includes(card) !== isOnItsWay;
  const mayBe = hand.playable.includes(card);
  const isHinted = hand.hint?.cards.includes(card) ?? false;
  const isRefused = isPlay && hand.wanted > 0 && !mayBe; // the server has the reason
  const place = `card ${at}`;
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  useRest(place, card);
  const isAway = isPlay ? isOnItsWay : isChosen; // may stay where it was dropped
  useEffect(() => {
    if (isAway) return undefined;
    const timer = setTimeout(() => node.current && !isDragged(node.current) && putBack(node.current), SOON);
    return () => clearTimeout(timer);
  }, [isAway]);
  const choose = (/** @type {MouseEvent} */ event) => {
    if ((!mayBe && !isRefused) || !mayAct(place, "", event)) return;
    const isMouse = event.detail > 0 && pointer.isMouse;
    if (!isPlay || isRefused || isMouse || preferences.value.quick || raised.value === card) press(card, place);
    else {
      note(place);
      raised.value = card;
    }
  };
  const isLast = hand.playable.length === 1;
  const lift = () => isPlay && mayBe && (raised.value = card);
  const lower = () => isPlay && !isLast && raised.value === card && (raised.value = null);
  const hover = (/** @type {PointerEvent} */ { pointerType, buttons }) => pointerType === "mouse" && !buttons && raised.value !== card && lift();
  const picked = hand.cards.filter((one) => hand.chosen.includes(one) !== waiting.value.includes(one));
  const toCrib = () => {
    const at = isChosen ? picked.indexOf(card) : picked.length;
    const slot = document.querySelectorAll(".slot")[at];
    if (!isChosen) press(card, place);
    if (!slot || !node.current) return false; // moved by a replacement
    layOver(node.current, slot);
    if (picked.length + Number(!isChosen) === hand.wanted) press("OK", MAIN);
    return true;
  };
  const grip = useRef(/** @type {import("/page/drag.js").Grip | null} */ (null)); // current values at the drop
  grip.current = {
    phase,
    onLift: lift,
    onDrop: () => hand.wanted > 0 && !isOnItsWay && (isPlay ? (press(card, place), true) : toCrib()),
    onReturn: (wasAway) => (isPlay ? lower() : wasAway && isChosen && press(card, place)),
  };
  return html`
    <button
      type="button"
      ref=${node}
      class=${classes("card", isChosen && "chosen", isHinted && "hinted", hand.wanted > 0 && !mayBe && "dull")}
      data-card=${card} data-from="pack" data-turn=${at}
      aria-pressed=${String(isChosen)} aria-disabled=${String(!mayBe)} aria-label=${isHinted ? TABLE.hintedCard(spoken(card)) : spoken(card)}
      onClick=${choose} onPointerMove=${hover}
      onPointerLeave=${(/** @type {PointerEvent} */ event) => event.pointerType === "mouse" && !event.buttons && lower()}
      onPointerDown=${(/** @type {any} */ event) => hand.wanted > 0 && take(event, grip)}
    >
      <${Face} card=${card} />${isHinted && html`<span class="hint"><${Icon} name="hint" /></span>`}
    </button>
  `;
}
