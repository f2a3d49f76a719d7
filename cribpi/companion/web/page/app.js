// The page: draws the server's state and sends presses. All decisions are the server's.

import "/page/enter.js"; // ready from the first frame
import "/page/preferences.js"; // selected colours
import { Start } from "/page/start.js";
import { connect, kit, loadKit, now, offline, phone } from "/page/store.js";
import { file, Guarded, html, tell } from "/page/ui.js";
import { effect, render, signal, useEffect, useState } from "/page/vendor/preact.js";
import { Update } from "/page/update.js"; // before an update, after which the files of this build are gone
import { WORDS } from "/page/words.js";

const route = signal(location.hash.slice(1));
addEventListener("hashchange", () => (route.value = location.hash.slice(1)));

const SHEETS = ["table.css", "past.css", "lesson.css", "device.css", "rules.css", "phone.css", "count.css", "review.css",
  "contrast.css"].map(file);
const RETRY = 2000; // milliseconds between attempts to load a part

/** Parts loaded on first use, or once the start is drawn. */
const PARTS = {
  Table: async () => (await import("/page/table.js")).Table,
  Count: async () => (await import("/page/count.js")).Count,
  FiveMinutes: async () => (await import("/page/five-minutes.js")).FiveMinutes,
  DevicePage: async () => (await import("/page/device.js")).DevicePage,
  Games: async () => (await import("/page/games.js")).Games,
  Names: async () => (await import("/page/names.js")).Names,
  PastGame: async () => (await import("/page/replay.js")).PastGame,
  Player: async () => (await import("/page/stats.js")).Player,
  PhonesPage: async () => (await import("/page/phones.js")).PhonesPage,
  Practice: async () => (await import("/page/practice.js")).Practice,
  Review: async () => (await import("/page/review.js")).Review,
  Rules: async () => (await import("/page/rules.js")).RulesPage,
  Settings: async () => (await import("/page/settings.js")).Settings,
  Stats: async () => (await import("/page/stats.js")).Stats,
  Join: async () => (await import("/page/join.js")).Join,
  Roles: async () => (await import("/page/join.js")).Roles,
  Lobby: async () => (await import("/page/join.js")).Lobby,
  Scoreboard: async () => (await import("/page/scoreboard.js")).Scoreboard,
};
/** @type {(keyof typeof PARTS)[]} Phone-only pages. */
const OF_PHONES = ["Join", "Roles", "Lobby", "Scoreboard"];
/** @type {Map<string, (props: any) => unknown>} */
const brought = new Map();

/** @param {keyof typeof PARTS} part */
async function bring(part) {
  const [view] = await Promise.all([PARTS[part](), import("/page/address.js"), ...SHEETS.map(styled)]);
  brought.set(part, view);
}

/** @param {string} sheet Load a style sheet once. */
function styled(sheet) {
  /** @type {HTMLLinkElement} */
  const link = document.querySelector(`link[href="${sheet}"]`) ?? document.createElement("link");
  if (link.sheet) return undefined;
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => (link.remove(), reject(new Error(sheet))));
    if (!link.isConnected) document.head.append(Object.assign(link, { rel: "stylesheet", href: sheet }));
  });
}

/** @param {{ part: keyof typeof PARTS, [prop: string]: unknown }} props Includes the part's own props. */
function Part({ part, ...props }) {
  const [tried, setTried] = useState(0);
  const view = brought.get(part);
  useEffect(() => {
    if (view) return undefined;
    let timer = 0;
    const again = (wait = RETRY) => (timer = setTimeout(() => setTried(tried + 1), wait));
    bring(part).then(() => again(0), (error) => (tell(error), again()));
    return () => clearTimeout(timer);
  });
  return view ? html`<${view} ...${props} />` : html`<main
    class="failed"><p role="status">${offline.value || WORDS.loading}</p>${tried > 0 && html`<${WayOut} />`}</main>`;
}

/** Link out of a part that fails to load or run. Phones have no start page. */
const WayOut = () => (phone.value === undefined
  ? html`<a class="other" href=${route.value ? "#" : "#table"}>${route.value ? WORDS.home : WORDS.resume}</a>`
    : phone.value && html`<a class="other" href="#role">${WORDS.home}</a>`);

/** @param {string} part Part of the address; returned unchanged if it cannot be decoded. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * @param {Server.Role | null} role
 * @param {Moment} now
 * @returns {keyof typeof PARTS}
 */
function phonePart(role, { state }) {
  const isGame = state.sides.length > 0 && state.phase !== "idle" && state.phase !== "new-game";
  if (!isGame && role !== "keypad") return "Lobby";
  return role === "scoreboard" ? "Scoreboard" : "Table";
}

/** @type {Partial<Record<string, keyof typeof PARTS>>} Addresses with a single part. */
const PAGES = { settings: "Settings", rules: "Rules", phones: "PhonesPage", names: "Names", count: "Count" };

function Shown() {
  if (phone.value === null) return html`<${Part} part="Join" />`;
  if (phone.value && (!phone.value.role || route.value === "role")) return html`<${Part} part="Roles" />`;
  if (!now.value || !kit.value) return html`<main class="failed"><p role="status">${offline.value || WORDS.loading}</p></main>`;
  if (phone.value) return html`<${Part} part=${phonePart(phone.value.role, now.value)} now=${now.value} isLesson=${false} />`;
  const page = PAGES[route.value];
  if (page) return html`<${Part} part=${page} />`;
  if (route.value === "device") return html`<${Part} part="DevicePage" now=${now.value} />`;
  const [where, what, step, at] = route.value.split("/").map(decoded);
  if (where === "learn" && what) return html`<${Part} part="FiveMinutes" now=${now.value} />`;
  if (where === "games" && step === "review") return html`<${Part} part="Review" number=${Number(what)} at=${at ? Number(at) : null} />`;
  if (where === "games" && /^\d+$/.test(what ?? ""))
    return html`<${Part} part="PastGame" number=${Number(what)} step=${step ? Number(step) : null} />`;
  if (where === "games") return html`<${Part} part="Games" name=${what === "with" ? (step ?? "") : ""} />`;
  if (where === "practice") return html`<${Part} part="Practice" what=${what ?? ""} />`;
  if (where === "stats") return what ? html`<${Part} part="Player" name=${what} />` : html`<${Part} part="Stats" />`;
  const isGame = now.value.state.phase !== "idle";
  const isNew = now.value.page.table.dialog === "NewGame"; // the keypad's menu, replaced by the start page here
  const isTable = route.value === "table" || route.value === "learn";
  return isTable && isGame && !isNew ? html`<${Part} part="Table" now=${now.value} isLesson=${route.value === "learn"} />`
    : html`<${Start} now=${now.value} />`;
}

const Failed = () => html`<main class="failed"><div role="alert"><h1>${WORDS.crash}</h1><p>${WORDS.safe}</p></div><${WayOut} />
  <button type="button" class="main" onClick=${() => location.reload()}>${WORDS.reload}</button></main>`;
const App = () => html`<${Guarded} of=${`${route.value} ${now.value?.state.seq}`} instead=${Failed}><${Shown} /><//>`;

effect(() => {
  for (const [side, colour] of (kit.value?.colours ?? []).entries()) {
    document.documentElement.style.setProperty(`--side-${side}`, `rgb(${colour.join(" ")})`);
  }
});
if (!kit.value) loadKit();
if (phone.value !== null) connect();
const place = document.querySelector("#app");
if (place) render(html`<${App} /><${Update} />`, place);
const names = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));
const later = phone.value === undefined ? names.filter((part) => !OF_PHONES.includes(part)) : OF_PHONES;
bring(phone.value === null ? "Join" : "Table")
  .catch(() => {}) // retried when shown
  .then(() => Promise.allSettled([...["Table", ...later].map((part) => bring(/** @type {keyof typeof PARTS} */ (part))),
    import("/page/input.js"), import("/page/translated.js"), import("/page/fault.js")]));
