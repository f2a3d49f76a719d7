// Gives each address of the page its own title, moves the focus to its heading when a link is followed, and restores the
// scroll position and the focus on the way back.

import { isHidden, now } from "/page/store.js";
import { effect } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const PAUSE = 100; // milliseconds without scrolling until the place is kept: a browser lets it be kept only so often

let address = location.hash;
/** @type {Element | null} */
let from = null; // what had the focus before the address changed
/** @type {number | null} */
let place = history.state?.y ?? null; // how far down the page is to be, where somebody has come back to it
/** @type {string | null} */
let link = null; // the address whose link gets the focus on the way back, "" without one; null once the focus is set
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @returns {HTMLElement | null} */
const heading = () => document.querySelector("main h1");

/** @param {number} y */
const keep = (y) => history.replaceState({ ...history.state, y }, "");

/** @param {string} hash Of an address, that by which its page differs from others: the moves and the decisions of a game are on one. */
const pageOf = (hash) => hash.replace(/^(#games\/\d+(?:\/review)?|#practice).*/, "$1").replace(/^#games\/with.*/, "#games");

function entitle() {
  const title = heading(), isTable = document.querySelector("main.table:not(.past-game)");
  const text = !isTable || title?.closest(".pad") ? title?.textContent : now.value?.page.table.asks;
  const said = text && !(isTable && isHidden.value) ? `${text} – ${WORDS.name}` : WORDS.name; // unseen, what is asked would grow old
  if (document.title !== said) document.title = said;
}

function arrive() {
  const title = heading();
  if (!title) return; // it is still to come
  if (link !== null) focus(title);
  if (place !== null) scrollTo(0, place); // again with all that is still to come above it, until somebody does something
}

/** @param {HTMLElement} title What has the focus, unless the page has put it where it belongs, or has the link that was followed from here. */
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
  const kept = history.state?.y; // that of somebody who goes back, or forward
  if (kept === undefined) keep(isSame ? scrollY : 0);
  if (isSame) return;
  link = kept === undefined ? "" : left;
  place = kept ?? null;
  if (kept === undefined) scrollTo(0, 0);
  setTimeout(arrive); // it is drawn by then, if it was there
});
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(kind, () => (link = place = null), { passive: true }); // whoever does something is there
const app = document.querySelector("#app");
if (app) new MutationObserver(() => (entitle(), arrive())).observe(app, { childList: true, characterData: true, subtree: true });
effect(() => void (isHidden.value, now.value, entitle()));
