// Keeps the page working under browser translation, which replaces text nodes, so that Preact would update detached
// ones. The originals are restored before Preact draws, and translations of unchanged texts afterwards.

import { options } from "/page/vendor/preact.js";

/** @typedef {{ type: unknown, __k?: (Drawn | null)[] | null, __e: any }} Drawn Preact's virtual node: children and DOM node. */

/** @param {Node} parent @param {Node[]} nodes children in order; those already there stay, with their focus */
function arrange(parent, nodes) {
  for (const node of [...parent.childNodes]) if (!nodes.includes(node)) parent.removeChild(node);
  nodes.forEach((node, at) => node === parent.childNodes[at] || parent.insertBefore(node, parent.childNodes[at] ?? null));
}

/**
 * Restore the originals.
 * @param {Drawn} drawn
 * @param {(() => void)[]} translated receives functions that restore each unchanged part's translation
 * @returns {Node[]} Its nodes.
 */
function putBack(drawn, translated) {
  const own = (drawn.__k ?? []).flatMap((part) => (part ? putBack(part, translated) : []));
  if (typeof drawn.type === "function") return own;
  const node = /** @type {Node} */ (drawn.__e);
  const there = [...node.childNodes];
  if (there.length !== own.length || there.some((one, at) => one !== own[at])) {
    const isMoved = own.some(({ parentNode }) => parentNode && parentNode !== node); // moved to another node, so it must be dropped
    const texts = own.map(({ nodeValue }) => nodeValue);
    arrange(node, own);
    const isSame = () => own.length === node.childNodes.length
      && own.every((one, at) => one === node.childNodes[at] && one.nodeValue === texts[at]);
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
