// One rule in the dialog of rules: its name, its values, its sentence, and where it is from.

import { penOf } from "/page/wood.js";
import { text } from "/static/dom.js";
import { citation, quoted } from "/static/why.js";

/**
 * What is shown of a rule; a choice that is not a rule of the game has no sources.
 * @typedef {Pick<Server.Option, "title" | "text" | "values"> & Partial<Server.Option>} Shown
 */

const ARROW = 24; // pixels of a select that its arrow takes, and the browser's own space beside it
const OTHER = "other";
const pen = penOf(document.createElement("canvas"));

export class Row {
  /**
   * @param {string} name
   * @param {Shown} told
   * @param {(value: string) => void} chosen is called when a value is chosen or typed
   */
  constructor(name, told, chosen) {
    this.place = text("div", "option", "");
    this.place.dataset.option = name;
    this.select = document.createElement("select");
    this.select.id = `rule-${name}`;
    this.select.append(...told.values.map(({ value, text: meaning }) => new Option(meaning, value)));
    const title = text("label", "", told.title);
    title.htmlFor = this.select.id;
    this.mark = text("span", "changed", "changed");
    this.sentence = text("p", "sentence", told.text);
    this.sentence.id = `${this.select.id}-told`;
    this.select.setAttribute("aria-describedby", this.sentence.id);
    const control = text("div", "control", "");
    this.full = text("p", "sentence", "");
    control.append(this.select, this.full);
    this.other = told.others ? this.otherInput(told.title, told.others, chosen) : null;
    if (this.other) this.full.before(this.other);
    this.select.addEventListener("change", () => this.picked(chosen));
    const head = text("p", "head", "");
    head.append(title, this.mark);
    this.place.append(head, control, this.sentence);
    if (told.citations) this.place.append(whose(told.citations, told.says ?? {}, told.values));
  }

  /**
   * @param {string} title
   * @param {string} others what other values there are
   * @param {(value: string) => void} chosen
   */
  otherInput(title, others, chosen) {
    this.select.append(new Option(`other: ${others}`, OTHER));
    const input = document.createElement("input");
    input.setAttribute("aria-label", `${title}: ${others}`);
    input.placeholder = others;
    input.autocomplete = "off";
    input.addEventListener("input", () => chosen(input.value.trim()));
    return input;
  }

  /** @param {(value: string) => void} chosen */
  picked(chosen) {
    if (!this.other || this.select.value !== OTHER) {
      chosen(this.select.value);
      return;
    }
    this.other.hidden = false;
    this.other.value = "";
    this.other.focus();
    chosen("");
  }

  /**
   * @param {string} value
   * @param {boolean} isChanged
   * @param {string} [sentence] in place of the one before
   */
  show(value, isChanged, sentence) {
    const isListed = [...this.select.options].some((option) => option.value === value && value !== OTHER);
    const isTyping = this.other && document.activeElement === this.other;
    this.select.value = isListed && !isTyping ? value : OTHER;
    if (this.other) this.other.hidden = this.select.value !== OTHER;
    if (this.other && !isTyping) this.other.value = value;
    if (sentence !== undefined) this.sentence.textContent = sentence;
    this.tellWhole();
    this.mark.hidden = !isChanged;
    this.place.classList.toggle("house", isChanged);
  }

  /** The chosen value stands below the select as well, where the select cuts it off. */
  tellWhole() {
    const chosen = this.select.selectedOptions[0]?.textContent ?? "";
    const { font, paddingLeft, paddingRight } = getComputedStyle(this.select);
    pen.font = font;
    const room = this.select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - ARROW;
    const isCut = room > 0 && pen.measureText(chosen).width > room;
    this.full.textContent = isCut ? chosen : "";
    this.full.hidden = !isCut;
  }

  /**
   * Offer only the values that make sense here.
   * @param {(value: string) => boolean} isAllowed
   */
  allow(isAllowed) {
    for (const option of this.select.options) option.disabled = !isAllowed(option.value);
    this.select.disabled = [...this.select.options].filter((option) => !option.disabled).length < 2;
  }

  /** @param {boolean} isBlamed */
  blame(isBlamed) {
    for (const box of [this.select, this.other]) box?.setAttribute("aria-invalid", String(isBlamed && !box.hidden));
    this.place.classList.toggle("blamed", isBlamed);
  }
}

/**
 * @param {Record<string, string>} citations
 * @param {Record<string, string[]>} says
 * @param {Server.Value[]} values
 */
function whose(citations, says, values) {
  const details = text("details", "whose", "");
  details.append(text("summary", "", "Where is this rule from?"));
  const meaning = (/** @type {string} */ value) => values.find((each) => each.value === value)?.text ?? value;
  for (const [source, words] of Object.entries(citations)) {
    const block = text("div", "reason", "");
    block.append(text("p", "sentence", (says[source] ?? []).map(meaning).join("; or ")), citation(source, quoted(source, words)));
    details.append(block);
  }
  if (details.childElementCount === 1) details.append(text("p", "sentence", "No source mentions it."));
  return details;
}
