// Gives each address a title, moves the focus to the heading after a link, and restores the scroll position and focus
// on the way back.

import { isHidden, now } from "/page/store.js";
import { effect } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const PAUSE = 100; // milliseconds without scrolling before the position is saved: browsers limit the rate

let address = location.hash;
/** @type {Element | null} */
let from = null; // focused element before the address changed
/** @type {number | null} */
let place = history.state?.y ?? null; // scroll position to restore
/** @type {string | null} */
let link = null; // address of the link to focus on the way back, "" if none, null once done
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @returns {HTMLElement | null} */
const heading = () => document.querySelector("main h1");

/** @param {number} y */
const keep = (y) => history.replaceState({ ...history.state, y }, "");

/** @param {string} hash Identifies the page of an address: a game's moves and decisions share a page. */
const pageOf = (hash) => hash.replace(/^(#games\/\d+(?:\/review)?|#practice).*/, "$1").replace(/^#games\/with.*/, "#games");

function entitle() {
  const title = heading(), isTable = document.querySelector("main.table:not(.past-game)");
  const text = !isTable || title?.closest(".pad") ? title?.textContent : now.value?.page.table.asks;
  // hidden tabs keep a neutral title, as the prompt would go stale
  const said = text && !(isTable && isHidden.value) ? `${text} – ${WORDS.name}` : WORDS.name;
  if (document.title !== said) document.title = said;
}

function arrive() {
  const title = heading();
  if (!title) return; // not drawn yet
  if (link !== null) focus(title);
  if (place !== null) scrollTo(0, place); // repeated while content above is loading
}

/** @param {HTMLElement} title Element to focus, unless the page has set the focus, or has the link that was followed from here. */
function focus(title) {
  const { activeElement } = document;
  const found = /** @type {HTMLElement | null} */ (link && document.querySelector(`main a[href="${CSS.escape(link)}"]`));
  const isElsewhere = activeElement !== document.body && activeElement !== from && activeElement !== title;
  if (found || !link || isElsewhere) link = null;
  if (isElsewhere) return;
  title.tabIndex = -1;
  (found || title).focus({ preventScroll: true });
}

history.scrollRestoration = "manual";
if (place === null) keep(scrollY);
addEventListener("scroll", () => {
  clearTimeout(timer);
  if (place === null) timer = setTimeout(keep, PAUSE, scrollY);
});
addEventListener("popstate", () => (from = document.activeElement));
addEventListener("hashchange", () => {
  clearTimeout(timer);
  const left = address;
  address = location.hash;
  const isSame = pageOf(left) === pageOf(address);
  const kept = history.state?.y; // saved position when going back or forward
  if (kept === undefined) keep(isSame ? scrollY : 0);
  if (isSame) return;
  link = kept === undefined ? "" : left;
  place = kept ?? null;
  if (kept === undefined) scrollTo(0, 0);
  setTimeout(arrive); // drawn by then, if loaded
});
// user input ends the restoring
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(kind, () => (link = place = null), { passive: true });
const app = document.querySelector("#app");
if (app) new MutationObserver(() => (entitle(), arrive())).observe(app, { childList: true, characterData: true, subtree: true });
effect(() => void (isHidden.value, now.value, entitle()));
