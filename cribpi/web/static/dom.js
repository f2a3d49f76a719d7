// What every part of the page does with its nodes.

/**
 * Return the element that `selector` finds in `root`.  Where it is missing or not of this `kind`, the page itself is
 * wrong, and that is said at once.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function find(selector, kind, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new TypeError(`the page has no ${kind.name} at ${selector}`);
  return found;
}

/**
 * Make an element of the class `name` with this text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} name
 * @param {string} content
 */
export function text(tag, name, content) {
  const node = document.createElement(tag);
  node.className = name;
  node.textContent = content;
  return node;
}

/** Leave the focus nowhere, so that the next Enter is OK. */
export function unfocus() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
