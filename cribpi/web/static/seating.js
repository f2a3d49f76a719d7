// Who sits where in a game that the computer deals: for each seat a name, and a person or a level; and the speed.

import { Row } from "/static/rule.js";
import { text } from "/static/dom.js";

const LONGEST = 40; // letters of a name
const SPEED = { title: "Speed", text: "" };

export class Seating {
  /**
   * @param {Server.Choosable[]} levels
   * @param {Server.Choosable[]} speeds
   * @param {Server.Rules["setup"]} setup
   * @param {() => void} changed is called when something is chosen
   */
  constructor(levels, speeds, setup, changed) {
    const choices = (/** @type {Server.Choosable[]} */ all) => all.map(({ value, title }) => ({ value, text: title }));
    this.sentences = new Map(levels.map(({ value, text: sentence }) => [value, sentence]));
    this.paces = new Map(speeds.map(({ value, text: sentence }) => [value, sentence]));
    this.levels = [...setup.levels];
    this.names = [...setup.names];
    this.speed = setup.speed;
    this.players = setup.players;
    this.place = document.createElement("fieldset");
    this.place.className = "seating";
    this.seats = [0, 1, 2, 3].map((seat) => this.seat(seat, choices(levels), changed));
    this.pace = new Row("speed", { ...SPEED, values: choices(speeds) }, (speed) => {
      this.speed = speed;
      changed();
    });
    this.place.append(text("legend", "", "Players"), ...this.seats.map(({ row }) => row.place), this.pace.place);
  }

  /**
   * @param {Server.Seat} seat
   * @param {Server.Value[]} values
   * @param {() => void} changed
   */
  seat(seat, values, changed) {
    const title = `Seat ${seat + 1}`;
    const row = new Row(`seat-${seat}`, { title, text: "", values }, (level) => {
      this.levels[seat] = level;
      changed();
    });
    const name = document.createElement("input");
    name.id = `seat-name-${seat}`;
    name.setAttribute("aria-label", `Name for seat ${seat + 1}`);
    name.placeholder = "name, or the peg colour";
    name.maxLength = LONGEST;
    name.autocomplete = "off";
    name.addEventListener("input", () => (this.names[seat] = name.value.trim()));
    row.select.before(name);
    row.select.setAttribute("aria-label", `Who plays in seat ${seat + 1}`);
    return { row, name };
  }

  /**
   * Show the seats of so many players; in a game with real cards nobody is asked.
   * @param {number} players
   * @param {boolean} isDealt
   */
  show(players, isDealt) {
    this.players = players;
    this.place.hidden = !isDealt;
    const last = this.levels.at(-1) ?? "";
    while (this.levels.length < players) this.levels.push(last);
    this.seats.forEach(({ row, name }, seat) => {
      const level = this.levels[seat] ?? "";
      row.place.hidden = seat >= players;
      row.show(level, false, this.sentences.get(level));
      if (document.activeElement !== name) name.value = this.names[seat] ?? "";
    });
    this.pace.show(this.speed, false, this.paces.get(this.speed));
    this.pace.place.hidden = this.levels.slice(0, players).every((level) => level === "");
  }

  /** What is asked for, of `POST /api/rules`. */
  request() {
    const { players, levels, names, speed } = this;
    return { levels: levels.slice(0, players), speed, names: Array.from({ length: players }, (_, seat) => names[seat] ?? "") };
  }
}
