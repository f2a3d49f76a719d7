// Keys of a game with real cards: usable ones are bright and labelled by action. If each card is entered, they are the
// page's own, and the kit's other keys are buttons next to the prompt.

import { useRest } from "/page/act.js";
import { holding, listens, offered, placeOf, takesSuit } from "/page/holds.js";
import { capital, classes, html } from "/page/ui.js";
import { preferences } from "/page/preferences.js";
import { isCard, kit, waiting } from "/page/store.js";
import { TABLE } from "/page/words-table.js";
import { WORDS } from "/page/words.js";

/** @type {Record<string, string>} */
const ARROWS = { UP: "▲", DOWN: "▼", LEFT: "◀", RIGHT: "▶" };
/** @type {Server.Key[]} */
const OWN = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "GO", "P1", "P2"];

/** @param {Server.State} state Whether the page's own keys are shown: each card is entered, and the kit has rank keys. */
export const hasOwnKeys = ({ entry }) => entry === "cards" && OWN.every((key) => kit.value?.keys.some((row) => row.includes(key)));

/** @param {{ now: import("/page/store.js").Moment, isDevice?: boolean }} props Labelled with printed and long-press keys on the device. */
export function Keypad({ now: { state, page }, isDevice = false }) {
  const choices = new Map(page.choices.map((choice) => [choice.key, choice]));
  const ok = choices.get("OK");
  const isResting = useRest(placeOf("OK"), ok ? `${ok.label}, ${page.table.asks}` : "") && !isDevice;
  useRest(placeOf(""), "");
  if (!kit.value) return null;
  const { keys, caps } = kit.value;
  const isOwn = !isDevice && hasOwnKeys(state);
  const isNew = !isDevice && !preferences.value.knowsSuits && state.entry === "cards";
  const isTip = OWN.some(takesSuit); // keeps its space, so that no key moves
  const columns = Math.max(...keys.map((row) => row.length));
  return html`
    <section class=${classes("keypad", isOwn && "own")} aria-label="Keypad" data-rests=${(isOwn && isResting) || null} style=${{ "--columns": columns }}>
      ${(isOwn ? OWN : keys.flat()).map((key) => {
        if (!key) return html`<i></i>`;
        const choice = isDevice ? choices.get(key) : offered(key);
        const side = page.sides[key];
        const isRank = isCard(key);
        const isPast = isRank && choice && !choice.likely && !isDevice && state.phase === "play" && page.table.dialog !== "Undone"; // the count would exceed 31
        const isWorth = choice && page.amounts.includes(key) && choice.short !== key; // J is 11 when a count is typed
        const means = choice && (isWorth || (!isRank && !isDevice)) && choice.short !== key.toLowerCase() ? [choice.short] : [];
        const called = isOwn && !isRank ? capital(choice?.short ?? (key === "GO" ? WORDS.saysGo : (state.sides[side ?? -1]?.name ?? ""))) : null;
        const own = isDevice ? [...printed(key), ...means] : means;
        const small = called !== null ? [] : side === undefined ? own : [state.sides[side]?.name];
        return html`
          <button type="button" key=${key} data-key=${key} data-side=${side} data-rests=${(isResting && key === "OK") || null} aria-disabled=${String(!choice || (isResting && key === "OK"))}
            class=${classes("key", (called ?? caps[key] ?? key).length > 3 && "long", choice?.likely && "likely", !choice && "dull", isPast && "beyond", waiting.value.includes(key) && "waiting", holding.value === key && "holding")}
            aria-label=${called !== null ? (choice?.label ?? called) : choice ? `${key}: ${choice.label}` : key} aria-haspopup=${choice?.takes_suit && !isDevice ? "dialog" : undefined} ...${listens(key, isDevice)}>
            <span>${called === null || side !== undefined ? html`<bdi>${called ?? caps[key] ?? ARROWS[key] ?? key}</bdi>` : called}</span>${small.map((words) => html`<small><bdi>${words}</bdi></small>`)}
          </button>
        `;
      })}
      ${isNew && html`<p class="tip" style=${{ visibility: isTip ? "visible" : "hidden" }}>${TABLE.holdForSuit}</p>`}
    </section>
  `;
}

/** @param {Server.Key} key Small label: its name if another is printed, and its long press. */
function printed(key) {
  const longer = kit.value?.holds[key]?.key;
  return [kit.value?.caps[key] ? key : "", longer ? TABLE.holdFor(longer) : ""].filter(Boolean);
}
