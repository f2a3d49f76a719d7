// The rules of the next game, in a dialog: a preset, and whatever the house changes in it.

import { Row } from "/static/rule.js";
import { find, text, unfocus } from "/static/dom.js";
import { Seating } from "/static/seating.js";

/** @typedef {import("/static/rule.js").Shown} Shown */

/** @type {{ value: Server.Entry, text: string }[]} */
const ENTRIES = [
  { value: "cards", text: "real cards: enter every card" },
  { value: "peg", text: "real cards: enter points only" },
  { value: "dealt", text: "computer deals; no real cards" },
];
const ASSIGNED = /\b([a-z_]+)=([\w-]+)/g; // an option with a value, as the table's sentences name them
/** @type {Record<string, RegExp>} Options that its sentences name without their value. */
const SPOKEN = {
  target: /\ba target of\b/, stake: /\ba stake of\b/, match: /\ba match of\b/,
  skunk: /\bwithout a skunk\b/, players: /\bplayers\b/,
};
const REMEDY = "choose "; // what stands behind it is to be changed

export class Rules {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {(request: Server.Setup) => void} send posts what was chosen
   * @param {(sentence: string) => void} fail is called when the rules cannot be shown
   */
  constructor(dialog, send, fail) {
    this.dialog = dialog;
    this.send = send;
    this.fail = fail;
    this.places = {
      scroll: find(".scroll", HTMLElement, dialog),
      playing: find(".playing", HTMLElement, dialog),
      choices: find(".choices", HTMLElement, dialog),
      putBack: find(".put-back", HTMLElement, dialog),
      remark: find(".remark", HTMLElement, dialog),
    };
    /** @type {Map<string, Server.Preset>} */
    this.presets = new Map();
    /** @type {Map<string, Server.Option>} */
    this.options = new Map();
    /** @type {Map<string, string>} What is chosen other than the preset has it. */
    this.changes = new Map();
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** @type {Seating | null} */
    this.seating = null;
    this.rules = "";
    this.players = 0;
    /** @type {Server.Entry} */
    this.entry = "cards";
    find("form", HTMLFormElement, dialog).addEventListener("submit", (event) => {
      event.preventDefault();
      this.say("");
      send(this.request());
    });
    new ResizeObserver(() => this.rows.forEach((row) => row.tellWhole())).observe(this.places.choices);
    find(".leave", HTMLElement, dialog).addEventListener("click", () => this.close());
    this.places.putBack.addEventListener("click", () => this.change(() => this.changes.clear()));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
  }

  get isOpen() {
    return this.dialog.open;
  }

  async ask() {
    const rules = await this.load();
    if (!rules) return;
    this.begin(rules);
    this.say("");
    if (!this.isOpen) this.dialog.showModal();
    this.rows.get("rules")?.select.focus();
    this.places.scroll.scrollTop = 0;
  }

  /**
   * Return all that can be chosen, or null where it could not be loaded, which is said.
   * @returns {Promise<Server.Rules | null>}
   */
  async load() {
    try {
      const response = await fetch("/api/rules");
      if (response.ok) return await response.json();
      this.fail(`Can't load the rules: cribpi failed with error ${response.status}. Try again.`);
    } catch {
      this.fail("Can't load the rules. Is cribpi running? Try again.");
    }
    return null;
  }

  /** @param {Server.Rules} rules */
  begin({ presets, options, levels, speeds, setup, playing }) {
    this.presets = new Map(presets.map((preset) => [preset.name, preset]));
    this.options = new Map(options.map((option) => [option.name, inWords(option)]));
    this.rules = setup.rules;
    this.players = setup.players;
    this.entry = setup.entry;
    const plain = this.plain();
    this.changes = new Map(Object.entries(setup.effective).filter(([name, value]) => value !== plain[name]));
    this.rows = new Map();
    const groups = new Map(options.map(({ group }) => [group, /** @type {string[]} */ ([])]));
    for (const { name, group } of options) groups.get(group)?.push(name);
    const places = [...groups].map(([title, names], at) => this.group(title, at ? names : ["rules", ...names, "entry"]));
    this.seating = new Seating(levels, speeds, setup, () => this.change(() => {}));
    places.splice(1, 0, this.seating.place);
    this.places.choices.replaceChildren(...places);
    this.places.playing.replaceChildren(...this.playing(playing));
    this.show();
  }

  /** The preset that is chosen. */
  preset() {
    const preset = this.presets.get(this.rules);
    if (!preset) throw new Error(`${this.rules} is not a preset`);
    return preset;
  }

  /**
   * The values of the preset for so many players, before the house changes any.
   * @returns {Partial<Record<string, string>>}
   */
  plain() {
    return this.preset().effective[this.players] ?? {};
  }

  /** @returns {Server.Setup} */
  request() {
    const { rules, players, entry, changes } = this;
    const seated = entry === "dealt" ? this.seating?.request() : {};
    return { rules, players, entry, options: Object.fromEntries(changes), ...seated };
  }

  // --- what is on the page of rules ---

  /**
   * @param {string} title
   * @param {string[]} names
   */
  group(title, names) {
    const place = document.createElement("fieldset");
    place.append(text("legend", "", title), ...names.map((name) => this.row(name)));
    return place;
  }

  /** @param {string} name */
  row(name) {
    const row = new Row(name, this.told(name), (value) => this.change(() => this.chosen(name, value)));
    this.rows.set(name, row);
    return row.place;
  }

  /**
   * @param {string} name
   * @returns {Shown}
   */
  told(name) {
    if (name === "rules") {
      const values = [...this.presets.keys()].map((preset) => ({ value: preset, text: preset }));
      return { title: "Rules", text: "", values };
    }
    if (name === "entry") return {
      title: "Cards",
      text: "Enter every card and cribpi scores for you. Enter points and you score. Or let the computer deal, and play here.",
      values: ENTRIES,
    };
    const option = this.options.get(name);
    if (!option) throw new Error(`${name} is not an option`);
    return option;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  chosen(name, value) {
    if (name === "rules") {
      this.rules = value;
      const known = this.preset().players;
      if (!known.includes(this.players)) this.players = known[0] ?? this.players;
      this.changes.clear();
    } else if (name === "players") this.players = Number(value);
    else if (name === "entry") this.entry = ENTRIES.find((entry) => entry.value === value)?.value ?? this.entry;
    else this.changes.set(name, value);
  }

  /** @param {() => void} act */
  change(act) {
    act();
    const plain = this.plain();
    for (const [name, value] of this.changes) if (plain[name] === value) this.changes.delete(name);
    this.say("");
    this.show();
  }

  show() {
    const preset = this.preset();
    const plain = this.plain();
    for (const [name, row] of this.rows) row.show(this.changes.get(name) ?? plain[name] ?? "", this.changes.has(name));
    this.rows.get("rules")?.show(this.rules, false, preset.text);
    this.rows.get("entry")?.show(this.entry, false);
    this.rows.get("players")?.show(String(this.players), false);
    this.seating?.show(this.players, this.entry === "dealt");
    this.rows.get("players")?.allow((value) => preset.players.includes(Number(value)));
    this.rows.get("deal")?.allow((value) => value === plain.deal);
    const count = this.changes.size;
    this.places.putBack.hidden = count === 0;
    this.places.putBack.textContent = count === 1 ? "Reset 1 change" : `Reset ${count} changes`;
  }

  /**
   * What the game on the table is played by, where there is one.
   * @param {Server.Rules["playing"]} playing
   */
  playing(playing) {
    if (playing === null) return [];
    const { rules, players, target, effective, options, over } = playing;
    const hasHouseRules = Object.keys(options).some((name) => name !== "target");
    const game = `${rules}${hasHouseRules ? " with house rules" : ""}, ${players} players, to ${target}`;
    const told = over ? `Last game: ${game}.` : `These rules are for the next game. This game stays on ${game}.`;
    const details = document.createElement("details");
    const list = document.createElement("dl");
    for (const [name, value] of Object.entries(effective)) {
      const option = this.options.get(name);
      if (!option) continue;
      const line = document.createElement("div");
      line.append(text("dt", "", option.title), text("dd", "", this.meaning(option, value)));
      if (name in options) line.append(text("dd", "changed", "house rule"));
      list.append(line);
    }
    details.append(text("summary", "", over ? "Rules of the last game" : "Rules of this game"), list);
    return [text("p", "", told), details];
  }

  /** @type {(option: Server.Option, value: string) => string} */
  meaning = (option, value) => option.values.find((each) => each.value === value)?.text ?? value;

  // --- what came of it ---

  /** @param {string} error */
  answered(error) {
    if (error) this.say(error);
    else this.close();
  }

  /**
   * A refusal, with the options that it names in the words of this dialog, and these are marked; the first to be
   * changed is shown.
   * @param {string} sentence
   */
  say(sentence) {
    const named = new Set(Object.entries(SPOKEN).flatMap(([name, words]) => (words.test(sentence) ? [name] : [])));
    const remedy = new Set();
    const from = sentence.indexOf(REMEDY);
    const said = sentence.replace(ASSIGNED, (whole, name, value, at) => {
      const option = this.options.get(name);
      if (!option) return whole;
      named.add(name);
      if (from >= 0 && at > from) remedy.add(name);
      return `“${option.title}: ${this.meaning(option, value)}”`;
    });
    this.places.remark.textContent = said;
    for (const [name, row] of this.rows) row.blame(named.has(name));
    [...remedy, ...named].map((name) => this.rows.get(name)).find(Boolean)?.place.scrollIntoView({ block: "center" });
  }

  /** The focus is left nowhere, and at once, so that the next Enter is OK. */
  close() {
    this.dialog.close();
    unfocus();
  }
}

/**
 * An option as it is shown: where numbers may be typed, each value tells its own.
 * @param {Server.Option} option
 * @returns {Server.Option}
 */
function inWords(option) {
  const values = option.values.map(({ value, text: meaning }) => ({
    value,
    text: option.others && /^\d/.test(value) ? `${value}: ${meaning}` : meaning,
  }));
  return { ...option, values };
}
