// Why: a rule in its sentence, whose rule it is, and what that source says, the same wherever a reason is shown.

import { text } from "/static/dom.js";

/** @type {Partial<Record<string, string>>} */
const SOURCES = {
  "board-set": "Board set", "computer-game": "Computer game", lowe: "Lowe", "use-and-care": "Use and care",
  "travel-set": "Travel set", acc: "ACC", "old books": "Old books", "the house": "The house",
};
const PARAPHRASED = new Set(["acc", "old books", "the house"]); // their rules are told, and not in their own words
const SILENT = "not stated; as in standard";
const OURS = "cribpi"; // the source of what no source has a rule for: there is nobody to cite

/** @type {(source: string) => string} */
const sourceName = (source) => SOURCES[source] ?? source;

/**
 * What a source says: its own words between quotation marks.
 * @type {(source: string, words: string) => string}
 */
export function quoted(source, words) {
  return words === SILENT || PARAPHRASED.has(source) ? words : `“${words}”`;
}

/**
 * A reason as a block of its own.
 * @param {Server.Reason} why
 */
export function reason({ text: sentence, source, words }) {
  const block = text("div", "reason", "");
  block.append(text("p", "sentence", sentence));
  if (source !== OURS) block.append(citation(source, quoted(source, words)));
  return block;
}

/**
 * @param {string} source
 * @param {string} words
 */
export function citation(source, words) {
  const line = text("p", "citation", words ? ` ${words}` : "");
  line.prepend(text("span", "source", `${sourceName(source)}:`));
  return line;
}

/**
 * Whether a reason tells more than the refusal that it stands beside: the rules of the keypad do not.
 * @param {Server.Reason} why
 */
export const hasSource = (why) => why.source !== OURS;
