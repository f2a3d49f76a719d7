// The keypad, laid out as the real one: pressed by mouse, by finger or on the computer's own keys.

/** @type {Partial<Record<string, Server.Key>>} */
const TYPED = {
  a: "A", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 0: "10", j: "J", q: "Q", k: "K",
  g: "GO", f: "FLNB", u: "UNDO", m: "MENU", enter: "OK", "[": "P1", "]": "P2",
  arrowup: "UP", arrowdown: "DOWN", arrowleft: "LEFT", arrowright: "RIGHT",
};
/** @type {Partial<Record<Server.Key, string>>} */
const SHOWN = { UP: "▲", DOWN: "▼", LEFT: "◀", RIGHT: "▶" };
/** @type {Partial<Record<Server.Key, string>>} */
const SPOKEN = {
  A: "ace", J: "jack", Q: "queen", K: "king", GO: "go", FLNB: "flush or nobs", UNDO: "undo", MENU: "menu", UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right",
};
/** @type {Partial<Record<Server.Key, string>>} What a long press does, where that is no other key. */
const HELD = { "hold:UNDO": "redo", "hold:MENU": "off" };
/** @type {Partial<Record<Server.Key, string>>} */
const HELD_SPOKEN = { "hold:UNDO": "redo", "hold:MENU": "shut down", MENU: "open the menu" };
const RANKS = new Set(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]);
/** @type {Partial<Record<Server.Key, Server.Key>>} What a joystick has for them. */
const OTHER_NAMES = { P1: "LEFT", P2: "RIGHT" };
/** @type {Record<"first" | "also" | "works" | "", string>} */
const SAID = { first: "press this next", also: "suggested", works: "available", "": "" };
/** @type {Partial<Record<Server.Key, string>>} What these ranks are while an amount is typed. */
const AMOUNTS = { A: "1", J: "11", Q: "12", K: "13" };
const ROOM = 8; // letters of a caption that fit on a key in full size
const CHOICES = new Set([...RANKS, "UP", "DOWN"]); // one of several that make sense, and never "the" key
/** @type {Partial<Record<Server.Key, string>>} What is printed on the kit's keys. */
const printed = {};

/** @typedef {{ done: boolean, timer: ReturnType<typeof setTimeout> | undefined }} Hold a press that may become a hold */

export class Keypad {
  /**
   * @param {HTMLElement} place
   * @param {Server.Kit} kit
   * @param {(key: Server.Key) => void} press is called once for each press, `hold:UNDO` and `hold:MENU` included
   */
  constructor(place, kit, press) {
    const rows = kit.keys;
    Object.assign(printed, kit.caps);
    this.holds = new Map(Object.entries(kit.holds)); // key -> what its long press is, and after how many seconds
    this.onHold = new Set([...this.holds.values()].map((hold) => hold.key));
    this.stands = kit.sides; // rank key -> the side key that it is where a rank means nothing
    this.press = press;
    /** @type {Map<Server.Key, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {Map<Server.Key, HTMLElement>} What is small on each key. */
    this.captions = new Map();
    /** @type {Map<Server.Key, Hold>} */
    this.held = new Map();
    for (const row of rows) {
      for (const key of row) place.append(key ? this.button(key) : document.createElement("i"));
    }
    this.hasRanks = [...RANKS].every((rank) => this.buttons.has(rank));
    // On the computer's own keys a character that is printed on a key is that key.
    const characters = Object.entries(kit.caps).filter(([, cap]) => cap.length === 1);
    /** @type {Partial<Record<string, Server.Key>>} */
    this.typing = { ...TYPED, ...Object.fromEntries(characters.map(([key, cap]) => [cap, key])) };
    place.style.setProperty("--columns", String(Math.max(...rows.map((row) => row.length))));
    document.addEventListener("keydown", (event) => this.typed(event));
    document.addEventListener("keyup", (event) => this.released(event));
    window.addEventListener("blur", () => this.forget());
  }

  /** @param {Server.Key} key */
  button(key) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.key = key;
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = shownKey(key);
    const caption = document.createElement("span");
    caption.className = "caption";
    write(caption, this.captionOf(key));
    button.append(name, caption);
    button.setAttribute("aria-label", this.spoken(key));
    // A mouse leaves the focus where it was: Enter is OK then, and not the key clicked last once more.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => this.clicked(key));
    const hold = this.holds.get(key);
    if (hold) {
      button.style.setProperty("--hold", `${hold.seconds}s`);
      button.addEventListener("pointerdown", () => this.begin(key, hold));
      for (const end of ["pointerleave", "pointercancel"]) button.addEventListener(end, () => this.forget());
      button.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    this.buttons.set(key, button);
    this.captions.set(key, caption);
    return button;
  }

  /**
   * @param {Server.Key} key
   * @param {{ key: Server.Key, seconds: number }} longer what its long press is
   */
  begin(key, longer) {
    /** @type {Hold} */
    const hold = { done: false, timer: undefined };
    hold.timer = setTimeout(() => {
      hold.done = true;
      this.buttons.get(key)?.classList.remove("holding");
      this.press(longer.key);
    }, longer.seconds * 1000);
    this.buttons.get(key)?.classList.add("holding");
    this.held.set(key, hold);
  }

  /**
   * End a press of `key`; say whether it had become a hold.
   * @param {Server.Key} key
   */
  end(key) {
    const hold = this.held.get(key);
    this.held.delete(key);
    clearTimeout(hold?.timer);
    this.buttons.get(key)?.classList.remove("holding");
    return hold?.done ?? false;
  }

  forget() {
    for (const key of [...this.held.keys()]) this.end(key);
  }

  /** @param {Server.Key} key */
  clicked(key) {
    if (!this.end(key)) this.press(key);
  }

  /**
   * The key of this keypad that a key of the computer's is; a joystick's left and right are the sides'.
   * @param {KeyboardEvent} event
   */
  typedKey(event) {
    const key = this.typing[event.key.toLowerCase()];
    const other = key && OTHER_NAMES[key];
    return key && other && !this.buttons.has(key) && this.buttons.has(other) ? other : key;
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const key = this.typedKey(event);
    if (event.ctrlKey || event.metaKey || event.altKey || busy(event.target, event.key)) return;
    if (!key || !(this.buttons.has(key) || this.onHold.has(key))) return;
    event.preventDefault();
    if (event.repeat) return;
    const hold = this.holds.get(key);
    if (hold && this.buttons.has(key)) {
      this.begin(key, hold);
    } else {
      this.flash(key);
      this.press(key);
    }
  }

  /** @param {KeyboardEvent} event */
  released(event) {
    const key = this.typedKey(event);
    if (key && this.held.has(key) && !this.end(key)) {
      this.flash(key);
      this.press(key);
    }
  }

  /** @param {Server.Key} key */
  flash(key) {
    const button = this.buttons.get(key);
    if (!button) return;
    button.classList.remove("struck");
    button.getBoundingClientRect(); // so that striking it again is seen again
    button.classList.add("struck");
  }

  /**
   * Mark what makes sense next, and what works besides.  Ranks, sides, and a joystick's up and down are a choice
   * of the table's: none of them is "the" key.
   * @param {Server.Key[]} keys
   * @param {Record<Server.Key, Server.Side>} sides
   * @param {Server.State} state
   * @param {Server.Key[]} amounts
   */
  mark(keys, sides, state, amounts) {
    const sensible = new Set(keys);
    const working = new Set([...always(sides, state), ...amounts]);
    for (const [key, button] of this.buttons) {
      const best = key === keys[0] && !CHOICES.has(key) && !(key in sides);
      const next = best ? "first" : sensible.has(key) ? "also" : working.has(key) ? "works" : "";
      button.dataset.next = next;
      button.setAttribute("aria-description", SAID[next]);
    }
  }

  /**
   * The keys that make an amount, while one can be made.
   * @param {Server.State} state
   */
  amounts(state) {
    if (!this.hasRanks) return ["UP", "DOWN"];
    return [...RANKS].filter((key) => state.entry === "cards" || !(key in this.stands));
  }

  /**
   * What is small on a key, line by line: which amount it is, or its name where something else is printed on it;
   * and what a long press does.
   * @param {Server.Key} key
   * @param {Set<Server.Key>} [amounts]
   */
  captionOf(key, amounts = new Set()) {
    const amount = amounts.has(key) && AMOUNTS[key] !== printed[key] ? AMOUNTS[key] : "";
    const name = printed[key] && !amounts.has(key) ? key : amount;
    const longer = this.holds.get(key)?.key;
    return [name ?? "", longer ? `hold: ${HELD[longer] ?? longer}` : ""].filter(Boolean);
  }

  /**
   * What a key is called aloud.
   * @param {Server.Key} key
   */
  spoken(key) {
    const longer = this.holds.get(key)?.key;
    return (SPOKEN[key] ?? key) + (longer ? `, hold to ${HELD_SPOKEN[longer] ?? longer}` : "");
  }

  /**
   * Show which keys wait for their answer.
   * @param {Server.Key[]} keys
   */
  wait(keys) {
    const waiting = new Set(keys.map((key) => key.replace("hold:", "")));
    for (const [key, button] of this.buttons) button.classList.toggle("waiting", waiting.has(key));
  }

  /**
   * Put the sides' names and colours on the keys that are theirs now.
   * While the ranks are amounts, those say so whose amount is not their name.
   * @param {Record<Server.Key, Server.Side>} keys
   * @param {Server.State} state
   * @param {boolean} areAmounts
   */
  name(keys, state, areAmounts) {
    const amounts = new Set(areAmounts ? this.amounts(state) : []);
    for (const [key, button] of this.buttons) {
      const number = keys[key] ?? -1;
      const side = state.sides[number];
      const lines = side ? side.name.split("+").slice(0, 1) : this.captionOf(key, amounts);
      const caption = this.captions.get(key);
      if (caption) write(caption, lines);
      caption?.classList.toggle("long", side !== undefined && lines.join("").length > ROOM);
      if (side) {
        button.dataset.side = String(number);
        button.setAttribute("aria-label", `${this.spoken(key)}, ${side.name}`);
      } else {
        delete button.dataset.side;
        const amount = amounts.has(key) && AMOUNTS[key] ? `, ${AMOUNTS[key]}` : "";
        button.setAttribute("aria-label", `${this.spoken(key)}${amount}`);
      }
    }
  }
}

/**
 * The keys that work whatever the prompt asks for.
 * @param {Record<Server.Key, Server.Side>} sides
 * @param {Server.State} state
 */
function always(sides, state) {
  const keys = ["MENU"];
  if (state.can_undo || state.can_redo) keys.push("UNDO");
  if (!["idle", "new-game"].includes(state.phase)) keys.push(...Object.keys(sides));
  return keys;
}

/**
 * Whether what has the focus wants the key for itself.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function busy(target, key) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]") || target.closest("input, textarea, select")) return true;
  return key === "Enter" && target.closest("button, summary, a") !== null;
}

/**
 * Write `lines` into `place`, one below the other.
 * @param {HTMLElement} place
 * @param {string[]} lines
 */
function write(place, lines) {
  place.replaceChildren(...lines.flatMap((line, number) => (number ? [document.createElement("br"), line] : [line])));
}

/**
 * What a key is called on this kit.
 * @type {(key: Server.Key) => string}
 */
export const shownKey = (key) => printed[key] ?? SHOWN[key] ?? key;
