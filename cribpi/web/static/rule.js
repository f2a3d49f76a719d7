// One rule in the dialog of rules: its name, its values, its sentence, and whose rule it is.

import { text } from "/static/scores.js";
import { citation, quoted } from "/static/why.js";

const ARROW = 24; // pixels of a select that its arrow takes, and the browser's own space beside it
const OTHER = "other";
const pen = document.createElement("canvas").getContext("2d");

export class Row {
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
    if (told.others) this.full.before(this.otherInput(told, chosen));
    this.select.addEventListener("change", () => this.picked(chosen));
    const head = text("p", "head", "");
    head.append(title, this.mark);
    this.place.append(head, control, this.sentence);
    if (told.citations) this.place.append(whose(told));
  }

  otherInput(told, chosen) {
    this.select.append(new Option(`other: ${told.others}`, OTHER));
    this.other = document.createElement("input");
    this.other.setAttribute("aria-label", `${told.title}: ${told.others}`);
    this.other.placeholder = told.others;
    this.other.autocomplete = "off";
    this.other.addEventListener("input", () => chosen(this.other.value.trim()));
    return this.other;
  }

  picked(chosen) {
    if (this.select.value !== OTHER) {
      chosen(this.select.value);
      return;
    }
    this.other.hidden = false;
    this.other.value = "";
    this.other.focus();
    chosen("");
  }

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

  // The chosen value stands below the select as well, where the select cuts it off.
  tellWhole() {
    const chosen = this.select.selectedOptions[0]?.textContent ?? "";
    const { font, paddingLeft, paddingRight } = getComputedStyle(this.select);
    pen.font = font;
    const room = this.select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - ARROW;
    const isCut = room > 0 && pen.measureText(chosen).width > room;
    this.full.textContent = isCut ? chosen : "";
    this.full.hidden = !isCut;
  }

  // Offer only the values that make sense here.
  allow(isAllowed) {
    const offered = [...this.select.options].filter((option) => !(option.disabled = !isAllowed(option.value)));
    this.select.disabled = offered.length < 2;
  }

  blame(isBlamed) {
    for (const box of [this.select, this.other]) box?.setAttribute("aria-invalid", String(isBlamed && !box.hidden));
    this.place.classList.toggle("blamed", isBlamed);
  }
}

function whose({ citations, says, values }) {
  const details = text("details", "whose", "");
  details.append(text("summary", "", "Whose rule?"));
  const meaning = (value) => values.find((each) => each.value === value)?.text ?? value;
  for (const [source, words] of Object.entries(citations)) {
    const block = text("div", "reason", "");
    block.append(text("p", "sentence", (says[source] ?? []).map(meaning).join("; or ")), citation(source, quoted(source, words)));
    details.append(block);
  }
  if (details.childElementCount === 1) details.append(text("p", "sentence", "No source speaks of it."));
  return details;
}
