// The page: what the table tells is drawn, what is pressed is sent; nothing is decided here.

import "/page/enter.js"; // from the first picture on
import "/page/preferences.js"; // the colours that were chosen
import { html } from "/page/html.js";
import { Start } from "/page/start.js";
import { connect, isHidden, kit, loadKit, newest, now, offline, phone } from "/page/store.js";
import { effect, render, signal, useEffect, useErrorBoundary, useState } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const route = signal(location.hash.slice(1));
addEventListener("hashchange", () => (route.value = location.hash.slice(1)));

const SHEETS = ["/page/table.css", "/page/past.css", "/page/lesson.css", "/page/device.css", "/page/rules.css", "/page/phone.css", "/page/count.css", "/page/review.css"];
const AGAIN = 2000; // milliseconds between tries to bring a part

/** The parts that the start does without: each is brought when it is first shown, or once the start is drawn. */
const PARTS = {
  Table: async () => (await import("/page/table.js")).Table,
  Count: async () => (await import("/page/count.js")).Count,
  FiveMinutes: async () => (await import("/page/five-minutes.js")).FiveMinutes,
  DevicePage: async () => (await import("/page/device.js")).DevicePage,
  Games: async () => (await import("/page/games.js")).Games,
  Names: async () => (await import("/page/names.js")).Names,
  PastGame: async () => (await import("/page/past.js")).PastGame,
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
/** @type {(keyof typeof PARTS)[]} The parts of a phone's page, which are not those of the board's own. */
const OF_PHONES = ["Join", "Roles", "Lobby", "Scoreboard"];
/** @type {Map<string, (props: any) => unknown>} */
const brought = new Map();

/** @param {keyof typeof PARTS} part */
async function bring(part) {
  const [view] = await Promise.all([PARTS[part](), ...SHEETS.map(styled)]);
  brought.set(part, view);
}

/** @param {string} sheet Bring a style sheet, once. */
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

/** @param {{ part: keyof typeof PARTS }} props with those of the part itself */
function Part({ part, ...props }) {
  const [tried, setTried] = useState(0);
  const view = brought.get(part);
  useEffect(() => {
    if (view) return undefined;
    let timer = 0;
    const again = (wait = AGAIN) => (timer = setTimeout(() => setTried(tried + 1), wait));
    bring(part).then(() => again(0), () => again());
    return () => clearTimeout(timer);
  });
  return view ? html`<${view} ...${props} />` : html`<main class="failed"><p role="status">${offline.value || WORDS.loading}</p></main>`;
}

/** @param {string} part of the address; what cannot be decoded stays as it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * @param {Server.Role | null} role
 * @param {import("/page/store.js").Moment} now
 * @returns {keyof typeof PARTS}
 */
function phonePart(role, { state }) {
  const isGame = state.sides.length > 0 && state.phase !== "idle" && state.phase !== "new-game";
  if (!isGame && role !== "keypad") return "Lobby";
  return role === "scoreboard" ? "Scoreboard" : "Table";
}

function App() {
  const [error] = useErrorBoundary();
  if (error) {
    return html`<main class="failed"><p>${WORDS.crash}</p><button type="button" class="main" onClick=${() => location.reload()}>${WORDS.reload}</button></main>`;
  }
  if (phone.value === null) return html`<${Part} part="Join" />`;
  if (phone.value && (!phone.value.role || route.value === "role")) return html`<${Part} part="Roles" />`;
  if (!now.value || !kit.value) return html`<main class="failed"><p role="status">${offline.value || WORDS.loading}</p></main>`;
  if (phone.value) return html`<${Part} part=${phonePart(phone.value.role, now.value)} now=${now.value} isLesson=${false} />`;
  if (route.value === "settings") return html`<${Part} part="Settings" />`;
  if (route.value === "device") return html`<${Part} part="DevicePage" now=${now.value} />`;
  if (route.value === "rules") return html`<${Part} part="Rules" />`;
  if (route.value === "phones") return html`<${Part} part="PhonesPage" />`;
  if (route.value === "names") return html`<${Part} part="Names" />`;
  if (route.value === "count") return html`<${Part} part="Count" />`;
  const [where, what, step, at] = route.value.split("/").map(decoded);
  if (where === "learn" && what) return html`<${Part} part="FiveMinutes" now=${now.value} />`;
  if (where === "games" && step === "review") return html`<${Part} part="Review" number=${Number(what)} at=${at ? Number(at) : null} />`;
  if (where === "games" && /^\d+$/.test(what ?? "")) return html`<${Part} part="PastGame" number=${Number(what)} step=${step ? Number(step) : null} />`;
  if (where === "games") return html`<${Part} part="Games" name=${what === "with" ? (step ?? "") : ""} />`;
  if (where === "practice") return html`<${Part} part="Practice" what=${what ?? ""} />`;
  if (where === "stats") return what ? html`<${Part} part="Player" name=${what} />` : html`<${Part} part="Stats" />`;
  const isGame = now.value.state.phase !== "idle";
  const isNew = now.value.page.table.dialog === "NewGame"; // the menu of the keypad: here it is the start
  const isTable = route.value === "table" || route.value === "learn";
  return isTable && isGame && !isNew ? html`<${Part} part="Table" now=${now.value} isLesson=${route.value === "learn"} />` : html`<${Start} now=${now.value} />`;
}

/** What says that the page is older than the program, and is not needed before it is. */
function Newer() {
  const [Update, setUpdate] = useState(/** @type {(() => unknown) | null} */ (null));
  useEffect(() => {
    if (newest.value && !Update) import("/page/update.js").then((found) => setUpdate(() => found.Update), () => {});
  }, [newest.value]);
  return Update && html`<${Update} />`;
}

effect(() => {
  for (const [side, colour] of (kit.value?.colours ?? []).entries()) {
    document.documentElement.style.setProperty(`--side-${side}`, `rgb(${colour.join(" ")})`);
  }
});
effect(() => {
  document.title = now.value && !isHidden.value ? `${now.value.page.table.asks} – cribpi` : "cribpi"; // unseen, it would grow old
});
if (!kit.value) loadKit();
if (phone.value !== null) connect();
const place = document.querySelector("#app");
if (place) render(html`<${App} /><${Newer} />`, place);
const names = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));
const later = phone.value === undefined ? names.filter((part) => !OF_PHONES.includes(part)) : OF_PHONES;
bring(phone.value === null ? "Join" : "Table").then(() => Promise.all(["Table", ...later].map((part) => bring(/** @type {keyof typeof PARTS} */ (part)))))
  .then(() => Promise.all([import("/page/update.js"), import("/page/keys.js"), import("/page/translated.js")]))
  .catch(() => {}); // each is tried again where it is shown
