// The page: what the table tells is drawn, what is pressed is sent; nothing is decided here.

import { Count } from "/page/count.js";
import { Games } from "/page/games.js";
import { html } from "/page/html.js";
import { PastGame } from "/page/past.js";
import { Settings } from "/page/settings.js";
import { Start } from "/page/start.js";
import { Player, Stats } from "/page/stats.js";
import { connect, kit, loadKit, now, offline } from "/page/store.js";
import { Table } from "/page/table.js";
import { effect, render, signal, useErrorBoundary } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const route = signal(location.hash.slice(1));
addEventListener("hashchange", () => (route.value = location.hash.slice(1)));

/** @param {string} part of the address; what cannot be decoded stays as it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function App() {
  const [error] = useErrorBoundary();
  if (error) {
    return html`<main class="failed"><p>${WORDS.crash}</p><button type="button" class="main" onClick=${() => location.reload()}>${WORDS.reload}</button></main>`;
  }
  if (!now.value || !kit.value) return html`<main class="failed"><p role="status">${offline.value || WORDS.loading}</p></main>`;
  if (route.value === "settings") return html`<${Settings} />`;
  if (route.value === "count") return html`<${Count} />`;
  const [where, what, step] = route.value.split("/").map(decoded);
  if (where === "games" && /^\d+$/.test(what ?? "")) return html`<${PastGame} number=${Number(what)} step=${step ? Number(step) : null} />`;
  if (where === "games") return html`<${Games} name=${what === "with" ? (step ?? "") : ""} />`;
  if (where === "stats") return what ? html`<${Player} name=${what} />` : html`<${Stats} />`;
  const isGame = now.value.state.phase !== "idle";
  const isNew = now.value.page.table.dialog === "NewGame"; // the menu of the keypad: here it is the start
  const isTable = route.value === "table" || route.value === "learn";
  return isTable && isGame && !isNew ? html`<${Table} now=${now.value} isLesson=${route.value === "learn"} />` : html`<${Start} now=${now.value} />`;
}

effect(() => {
  for (const [side, colour] of (kit.value?.colours ?? []).entries()) {
    document.documentElement.style.setProperty(`--side-${side}`, `rgb(${colour.join(" ")})`);
  }
});
effect(() => {
  document.title = now.value ? `${now.value.page.table.asks} – cribpi` : "cribpi";
});
loadKit();
connect();
const place = document.querySelector("#app");
if (place) render(html`<${App} />`, place);
