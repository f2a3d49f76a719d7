// The names of the seats, asked in a dialog that stays open until the table has taken them.

import { find, unfocus } from "/static/dom.js";

const LONGEST = 40; // letters of a name

export class Names {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {HTMLElement} place for a field a seat
   * @param {(names: string[]) => void} keep is called with what was typed, in the seats' order; `answered` tells what
   *   came of it
   */
  constructor(dialog, place, keep) {
    this.dialog = dialog;
    this.place = place;
    this.remark = find(".remark", HTMLElement, dialog);
    find("form", HTMLFormElement, dialog).addEventListener("submit", (event) => {
      event.preventDefault();
      this.say("");
      keep([...place.querySelectorAll("input")].map((input) => input.value));
    });
    find(".plain", HTMLElement, dialog).addEventListener("click", () => this.close());
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
  }

  get isOpen() {
    return this.dialog.open;
  }

  /**
   * @param {string[]} names
   * @param {Server.SeatState[]} seats
   */
  ask(names, seats) {
    this.say("");
    this.place.replaceChildren(...names.map((name, seat) => field(name, seat, seats[seat]?.side ?? seat)));
    this.dialog.showModal();
    this.place.querySelector("input")?.select();
  }

  /**
   * The table has taken the names, or says in a sentence why not: then the dialog stays, and what was typed.
   * @param {string} error
   */
  answered(error) {
    this.say(error);
    if (!error) this.close();
  }

  /** The focus is left nowhere, and at once, so that the next Enter is OK. */
  close() {
    this.dialog.close();
    unfocus();
  }

  /** @param {string} sentence */
  say(sentence) {
    this.remark.textContent = sentence;
  }
}

/**
 * @param {string} name
 * @param {Server.Seat} seat
 * @param {Server.Side} side
 */
function field(name, seat, side) {
  const label = document.createElement("label");
  label.dataset.side = String(side);
  const input = document.createElement("input");
  input.value = name;
  input.maxLength = LONGEST;
  input.autocomplete = "off";
  input.name = `seat-${seat}`;
  label.append(`Seat ${seat + 1}`, input);
  return label;
}
