// A refusal: the table's sentence, and at a word the rule that it rests on.

import { hasSource, reason } from "/static/why.js";

const EDGE = 12; // pixels that the rule keeps from the window's edges

export class Refusal {
  /**
   * @param {HTMLElement} place takes the sentence
   * @param {HTMLElement} ask the button that opens `told`
   * @param {HTMLElement} told a popover with the rule
   */
  constructor(place, ask, told) {
    this.place = place;
    this.ask = ask;
    this.told = told;
    ask.addEventListener("mousedown", (event) => event.preventDefault()); // so that the next Enter is OK
    told.addEventListener("toggle", (event) => {
      ask.setAttribute("aria-expanded", String(event.newState === "open"));
      if (event.newState === "open") this.put();
    });
  }

  /**
   * @param {string} sentence nothing where there is no refusal any more
   * @param {Server.Reason} [why]
   */
  say(sentence, why) {
    const known = sentence && why && hasSource(why) ? why : null;
    if (this.told.matches(":popover-open")) this.told.hidePopover();
    this.place.textContent = sentence;
    this.ask.hidden = known === null;
    this.told.replaceChildren(...(known ? [reason(known)] : []));
    if (sentence) restart(this.place, "said");
  }

  /** Put the rule below the sentence, and never beyond the window. */
  put() {
    const { bottom } = this.ask.getBoundingClientRect();
    const { left } = this.place.getBoundingClientRect();
    const most = document.documentElement.clientWidth - this.told.offsetWidth - EDGE;
    this.told.style.left = `${Math.max(EDGE, Math.min(left, most))}px`;
    this.told.style.top = `${Math.min(bottom + 6, window.innerHeight - this.told.offsetHeight - EDGE)}px`;
  }
}

/**
 * @param {HTMLElement} node
 * @param {string} name of the class that starts it
 */
function restart(node, name) {
  node.classList.remove(name);
  node.getBoundingClientRect(); // so that the same remark twice is seen twice
  node.classList.add(name);
}
