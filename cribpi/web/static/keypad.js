// The keypad, laid out as the real one: pressed by mouse, by finger or on the computer's own keys.

const TYPED = {
  a: "A", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 0: "10", j: "J", q: "Q", k: "K",
  g: "GO", f: "FLNB", u: "UNDO", m: "MENU", enter: "OK", "[": "P1", "]": "P2",
  arrowup: "UP", arrowdown: "DOWN", arrowleft: "LEFT", arrowright: "RIGHT",
};
const HOLDS = { UNDO: 1000, MENU: 3000 }; // milliseconds
const SHOWN = { UP: "▲", DOWN: "▼", LEFT: "◀", RIGHT: "▶" };
const SPOKEN = {
  A: "ace", J: "jack", Q: "queen", K: "king", GO: "go", FLNB: "flush and nobs", UNDO: "undo, hold to redo",
  MENU: "menu, hold to shut down", OK: "OK", UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right",
};
const CAPTIONS = { UNDO: "hold: redo" };
const RANKS = new Set(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]);
const SAID = { first: "do this next", also: "makes sense now", works: "works now", "": "" };
const AMOUNTS = { A: "1", J: "11", Q: "12", K: "13" }; // what these ranks are while an amount is typed
const ROOM = 8; // letters of a caption that fit on a key in full size
const SIDE_KEYS = ["P1", "P2", "P3"];

export class Keypad {
  // `press(key)` is called once for each press, `hold:UNDO` and `hold:MENU` included.
  constructor(place, rows, press) {
    this.press = press;
    this.buttons = new Map();
    this.held = new Map(); // key -> the timer of a press that may become a hold
    for (const row of rows) {
      for (const key of row) place.append(this.button(key));
    }
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
    name.textContent = SHOWN[key] ?? key;
    const caption = document.createElement("span");
    caption.className = "caption";
    caption.textContent = CAPTIONS[key] ?? "";
    button.append(name, caption);
    button.setAttribute("aria-label", SPOKEN[key] ?? key);
    // A mouse leaves the focus where it was: Enter is OK then, and not the key clicked last once more.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => this.clicked(key));
    if (HOLDS[key]) {
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
      this.press(`hold:${key}`);
    }, HOLDS[key]);
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

  typed(event) {
    const key = TYPED[event.key.toLowerCase()];
    if (event.ctrlKey || event.metaKey || event.altKey || busy(event.target, event.key)) return;
    if (!key || !this.buttons.has(key)) return;
    event.preventDefault();
    if (event.repeat) return;
    if (HOLDS[key]) {
      this.begin(key);
    } else {
      this.flash(key);
      this.press(key);
    }
  }

  released(event) {
    const key = TYPED[event.key.toLowerCase()];
    if (HOLDS[key] && this.held.has(key) && !this.end(key)) {
      this.flash(key);
      this.press(key);
    }
  }

  flash(key) {
    const button = this.buttons.get(key);
    button.classList.remove("struck");
    button.getBoundingClientRect(); // so that striking it again is seen again
    button.classList.add("struck");
  }

  // Mark what makes sense next, and what works besides.  Ranks and sides are a choice of the table's: none of
  // them is "the" key.
  mark(keys, state, areAmounts) {
    const sensible = new Set(keys);
    const working = new Set([...always(state), ...(areAmounts ? RANKS : [])]);
    for (const [key, button] of this.buttons) {
      const best = key === keys[0] && !RANKS.has(key) && !SIDE_KEYS.includes(key);
      const next = best ? "first" : sensible.has(key) ? "also" : working.has(key) ? "works" : "";
      button.dataset.next = next;
      button.setAttribute("aria-description", SAID[next]);
    }
  }

  // Show which keys wait for their answer.
  wait(keys) {
    const waiting = new Set(keys.map((key) => key.replace("hold:", "")));
    for (const [key, button] of this.buttons) button.classList.toggle("waiting", waiting.has(key));
  }

  // Put the sides' names and colours on their keys; with no key of its own GO is the third side's in peg mode.
  // While the ranks are amounts, those say so whose amount is not their name.
  name(sides, entry, areAmounts) {
    for (const [key, button] of this.buttons) {
      const third = key === "GO" && entry === "peg" && sides.length === 3 && !this.buttons.has("P3");
      const side = third ? 2 : SIDE_KEYS.indexOf(key);
      const named = side >= 0 && side < sides.length;
      const caption = button.querySelector(".caption");
      caption.textContent = named ? sides[side].name.split("+")[0] : (CAPTIONS[key] || (areAmounts && AMOUNTS[key]) || "");
      caption.classList.toggle("long", named && caption.textContent.length > ROOM);
      if (named) {
        button.dataset.side = side;
        button.setAttribute("aria-label", `${SPOKEN[key] ?? key}, ${sides[side].name}`);
      } else {
        delete button.dataset.side;
        const amount = areAmounts && AMOUNTS[key] ? `, ${AMOUNTS[key]}` : "";
        button.setAttribute("aria-label", `${SPOKEN[key] ?? key}${amount}`);
      }
    }
  }
}

// The keys that work whatever the prompt asks for.
function always(state) {
  const keys = ["MENU"];
  if (state.can_undo || state.can_redo) keys.push("UNDO");
  if (!["idle", "new-game"].includes(state.phase)) keys.push(...SIDE_KEYS.slice(0, state.sides.length));
  return keys;
}

// Whether what has the focus wants the key for itself.
function busy(target, key) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog[open]") || target.closest("input, textarea, select")) return true;
  return key === "Enter" && target.closest("button, summary, a") !== null;
}

export const shownKey = (key) => SHOWN[key] ?? key;
