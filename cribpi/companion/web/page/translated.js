// Keeps the page working when a browser translates it.  A translator replaces our text nodes, and Preact would go on
// writing into nodes that nobody sees.  So the originals are restored before Preact draws, and the translations of
// unchanged texts afterwards.

import { options } from "/page/vendor/preact.js";

/** @typedef {{ type: unknown, __k?: (Drawn | null)[] | null, __e: any }} Drawn What Preact has drawn: its parts, and its node. */

/**
 * @param {Node} parent
 * @param {Node[]} nodes what it is to hold, in this order: what is there stays where it is, with its focus
 */
function arrange(parent, nodes) {
  for (const node of [...parent.childNodes]) if (!nodes.includes(node)) parent.removeChild(node);
  nodes.forEach((node, at) => node === parent.childNodes[at] || parent.insertBefore(node, parent.childNodes[at] ?? null));
}

/**
 * Put back what was drawn.
 * @param {Drawn} drawn
 * @param {(() => void)[]} translated told how each part comes to be as it was translated, if it is drawn as before
 * @returns {Node[]} its nodes
 */
function putBack(drawn, translated) {
  const own = (drawn.__k ?? []).flatMap((part) => (part ? putBack(part, translated) : []));
  if (typeof drawn.type === "function") return own;
  const node = /** @type {Node} */ (drawn.__e);
  const there = [...node.childNodes];
  if (there.length !== own.length || there.some((one, at) => one !== own[at])) {
    const isMoved = own.some(({ parentNode }) => parentNode && parentNode !== node); // into another: that has lost it then
    const texts = own.map(({ nodeValue }) => nodeValue);
    arrange(node, own);
    const isSame = () => own.length === node.childNodes.length && own.every((one, at) => one === node.childNodes[at] && one.nodeValue === texts[at]);
    if (!isMoved) translated.push(() => isSame() && arrange(node, there));
  }
  return [node];
}

options.debounceRendering = (draw) =>
  queueMicrotask(() => {
    const place = /** @type {any} */ (document.querySelector("#app"));
    /** @type {(() => void)[]} */
    const translated = [];
    putBack(place.__k, translated);
    draw();
    for (const translate of translated) translate();
  });
