// Why: a rule in its sentence, whose rule it is, and what that source says, the same wherever a reason is shown.

import { text } from "/static/scores.js";

const SOURCES = {
  "board-set": "Board set", "computer-game": "Computer game", lowe: "Lowe", "use-and-care": "Use and care",
  "travel-set": "Travel set", acc: "ACC", "old books": "Old books", "the house": "The house",
};
const PARAPHRASED = new Set(["acc", "old books", "the house"]); // their rules are told, and not in their own words
const SILENT = "not stated; as in standard";
const OURS = "cribpi"; // the source of what no source has a rule for: there is nobody to cite

export const sourceName = (source) => SOURCES[source] ?? source;

// What a source says: its own words between quotation marks.
export function quoted(source, words) {
  return words === SILENT || PARAPHRASED.has(source) ? words : `“${words}”`;
}

// A reason, `{rule, text, source, words}`, as a block of its own.
export function reason({ text: sentence, source, words }) {
  const block = text("div", "reason", "");
  block.append(text("p", "sentence", sentence));
  if (source !== OURS) block.append(citation(source, quoted(source, words)));
  return block;
}

export function citation(source, words) {
  const line = text("p", "citation", words ? ` ${words}` : "");
  line.prepend(text("span", "source", `${sourceName(source)}:`));
  return line;
}

// Whether a reason tells more than the refusal that it stands beside: the rules of the keypad do not.
export const hasSource = (why) => Boolean(why) && why.source !== OURS;
