// The keypad, laid out as the real one: pressed by mouse, by finger or on the computer's own keys.

const TYPED = {
  a: "A", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 0: "10", j: "J", q: "Q", k: "K",
  g: "GO", f: "FLNB", u: "UNDO", m: "MENU", enter: "OK", "[": "P1", "]": "P2",
  arrowup: "UP", arrowdown: "DOWN", arrowleft: "LEFT", arrowright: "RIGHT",
};
const SHOWN = { UP: "▲", DOWN: "▼", LEFT: "◀", RIGHT: "▶" };
const SPOKEN = {
  A: "ace", J: "jack", Q: "queen", K: "king", GO: "go", FLNB: "flush and nobs", UNDO: "undo", MENU: "menu", UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right",
};
const HELD = { "hold:UNDO": "redo", "hold:MENU": "off" }; // what a long press does, where that is no other key
const HELD_SPOKEN = { "hold:UNDO": "redo", "hold:MENU": "shut down", MENU: "open the menu" };
const RANKS = new Set(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]);
const OTHER_NAMES = { P1: "LEFT", P2: "RIGHT" }; // what a joystick has for them
const SAID = { first: "do this next", also: "makes sense now", works: "works now", "": "" };
const AMOUNTS = { A: "1", J: "11", Q: "12", K: "13" }; // what these ranks are while an amount is typed
const ROOM = 8; // letters of a caption that fit on a key in full size
const CHOICES = new Set([...RANKS, "UP", "DOWN"]); // one of several that make sense, and never "the" key
const printed = {}; // what is printed on the kit's keys

export class Keypad {
  // `press(key)` is called once for each press, `hold:UNDO` and `hold:MENU` included.
  constructor(place, kit, press) {
    const rows = kit.keys;
    Object.assign(printed, kit.caps);
    this.holds = kit.holds ?? {}; // key -> what its long press is, and after how many seconds
    this.onHold = new Set(Object.values(this.holds).map((hold) => hold.key));
    this.stands = kit.sides ?? {}; // rank key -> the side key that it is where a rank means nothing
    this.press = press;
    this.buttons = new Map();
    this.held = new Map(); // key -> the timer of a press that may become a hold
    for (const row of rows) {
      for (const key of row) place.append(key ? this.button(key) : document.createElement("i"));
    }
    this.hasRanks = [...RANKS].every((rank) => this.buttons.has(rank));
    // On the computer's own keys a character that is printed on a key is that key.
    const characters = Object.entries(printed).filter(([, cap]) => cap.length === 1);
    this.typing = { ...TYPED, ...Object.fromEntries(characters.map(([key, cap]) => [cap, key])) };
    place.style.setProperty("--columns", Math.max(...rows.map((row) => row.length)));
    document.addEventListener("keydown", (event) => this.typed(event));
    document.addEventListener("keyup", (event) => this.released(event));
    window.addEventListener("blur", () => this.forget());
  }

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
    if (this.holds[key]) {
      button.style.setProperty("--hold", `${this.holds[key].seconds}s`);
      button.addEventListener("pointerdown", () => this.begin(key));
      for (const end of ["pointerleave", "pointercancel"]) button.addEventListener(end, () => this.forget());
      button.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    this.buttons.set(key, button);
    return button;
  }

  begin(key) {
    const hold = { done: false };
    hold.timer = setTimeout(() => {
      hold.done = true;
      this.buttons.get(key)?.classList.remove("holding");
      this.press(this.holds[key].key);
    }, this.holds[key].seconds * 1000);
    this.buttons.get(key)?.classList.add("holding");
    this.held.set(key, hold);
  }

  // End a press of `key`; say whether it had become a hold.
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

  clicked(key) {
    if (!this.end(key)) this.press(key);
  }

  // The key of this keypad that a key of the computer's is; a joystick's left and right are the sides'.
  typedKey(event) {
    const key = this.typing[event.key.toLowerCase()];
    return this.buttons.has(key) || !this.buttons.has(OTHER_NAMES[key]) ? key : OTHER_NAMES[key];
  }

  typed(event) {
    const key = this.typedKey(event);
    if (event.ctrlKey || event.metaKey || event.altKey || busy(event.target, event.key)) return;
    if (!key || !(this.buttons.has(key) || this.onHold.has(key))) return;
    event.preventDefault();
    if (event.repeat) return;
    if (this.holds[key] && this.buttons.has(key)) {
      this.begin(key);
    } else {
      this.flash(key);
      this.press(key);
    }
  }

  released(event) {
    const key = this.typedKey(event);
    if (this.held.has(key) && !this.end(key)) {
      this.flash(key);
      this.press(key);
    }
  }

  flash(key) {
    const button = this.buttons.get(key);
    if (!button) return;
    button.classList.remove("struck");
    button.getBoundingClientRect(); // so that striking it again is seen again
    button.classList.add("struck");
  }

  // Mark what makes sense next, and what works besides.  Ranks, sides, and a joystick's up and down are a choice
  // of the table's: none of them is "the" key.
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

  // The keys that make an amount, while one can be made.
  amounts(state) {
    if (!this.hasRanks) return ["UP", "DOWN"];
    return [...RANKS].filter((key) => state.entry === "cards" || !(key in this.stands));
  }

  // What is small on a key, line by line: which amount it is, or its name where something else is printed on it;
  // and what a long press does.
  captionOf(key, amounts = new Set()) {
    const amount = amounts.has(key) && AMOUNTS[key] !== printed[key] ? AMOUNTS[key] : "";
    const name = printed[key] && !amounts.has(key) ? key : amount;
    const longer = this.holds[key]?.key;
    return [name, longer ? `hold: ${HELD[longer] ?? longer}` : ""].filter(Boolean);
  }

  // What a key is called aloud.
  spoken(key) {
    const longer = this.holds[key]?.key;
    return (SPOKEN[key] ?? key) + (longer ? `, hold to ${HELD_SPOKEN[longer] ?? longer}` : "");
  }

  // Show which keys wait for their answer.
  wait(keys) {
    const waiting = new Set(keys.map((key) => key.replace("hold:", "")));
    for (const [key, button] of this.buttons) button.classList.toggle("waiting", waiting.has(key));
  }

  // Put the sides' names and colours on the keys that are theirs now.
  // While the ranks are amounts, those say so whose amount is not their name.
  name(keys, state, areAmounts) {
    const sides = state.sides;
    const amounts = new Set(areAmounts ? this.amounts(state) : []);
    for (const [key, button] of this.buttons) {
      const side = keys[key] ?? -1;
      const named = side >= 0 && side < sides.length;
      const caption = button.querySelector(".caption");
      write(caption, named ? [sides[side].name.split("+")[0]] : this.captionOf(key, amounts));
      caption.classList.toggle("long", named && caption.textContent.length > ROOM);
      if (named) {
        button.dataset.side = side;
        button.setAttribute("aria-label", `${this.spoken(key)}, ${sides[side].name}`);
      } else {
        delete button.dataset.side;
        const amount = amounts.has(key) && AMOUNTS[key] ? `, ${AMOUNTS[key]}` : "";
        button.setAttribute("aria-label", `${this.spoken(key)}${amount}`);
      }
    }
  }
}

// The keys that work whatever the prompt asks for.
function always(sides, state) {
  const keys = ["MENU"];
  if (state.can_undo || state.can_redo) keys.push("UNDO");
  if (!["idle", "new-game"].includes(state.phase)) keys.push(...Object.keys(sides));
  return keys;
}

// Whether what has the focus wants the key for itself.
function busy(target, key) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]") || target.closest("input, textarea, select")) return true;
  return key === "Enter" && target.closest("button, summary, a") !== null;
}

// Write `lines` into `place`, one below the other.
function write(place, lines) {
  place.replaceChildren(...lines.flatMap((line, number) => (number ? [document.createElement("br"), line] : [line])));
}

export const shownKey = (key) => printed[key] ?? SHOWN[key] ?? key;
