// The presses on their way: one after another, each with a name of its own, so that the table, which knows the
// name again, presses none of them twice however often the line breaks.  Each is meant for the state that was seen
// when it was pressed, or for what came of the one before: where somebody else was first, none of them counts.

const PATIENCE = 8000; // milliseconds until an answer is taken for lost, and asked for again
const PAUSE = 1000; // milliseconds between tries while there is no line
const ALWAYS = new Set(["UNDO", "MENU", "hold:MENU"]); // what these do does not hang on what a machine's seat did

export class Presses {
  // `answered(press, status, body, dropped)` is called for each answer, with the presses behind it that are not
  // sent any more, and `changed()` when what waits has changed.
  constructor(answered, changed) {
    this.answered = answered;
    this.changed = changed;
    this.waiting = [];
    this.lost = false;
    this.sending = false;
    this.awake = () => {};
  }

  // `seen` is the state that the press is meant for; without one it is sent whatever there is.
  add(path, body, seen = null) {
    this.waiting.push({ path, body: { ...body, id: freshName() }, seen });
    this.changed();
    this.send();
  }

  // The line is there again, as far as anyone can tell: try now.
  retry() {
    this.awake();
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    while (this.waiting.length > 0) {
      const press = this.waiting[0];
      const answer = await post(press);
      if (answer === null) {
        this.lost = true;
        this.changed();
        await this.pause();
      } else {
        this.lost = false;
        if (!isStillMeant(press, answer.body)) this.done(press, answer);
        else Object.assign(press, { seen: answer.body.state, body: { ...press.body, id: freshName() } });
        this.changed();
      }
    }
    this.sending = false;
  }

  // The press is answered; those behind it are meant for what came of it.
  done(press, { status, body }) {
    this.waiting.shift();
    const dropped = body.state ? this.waiting.filter(({ seen }) => seen) : [];
    this.waiting = this.waiting.filter((each) => !dropped.includes(each));
    for (const each of this.waiting) if (each.seen?.seq < body.seq) each.seen = body;
    this.answered(press, status, body, dropped);
  }

  pause() {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE);
      this.awake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

// Whether a press that came too late means the same as before: only the machine has moved, and what is asked is what
// was asked, or the key has nothing to do with it.
function isStillMeant({ seen, body: { key } }, { by, state }) {
  return by === "machine" && (ALWAYS.has(key) || state.prompt === seen.prompt);
}

// Send a press and return its answer, or null where none came whole.
async function post({ path, body, seen }) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(seen ? { ...body, if_seq: seen.seq } : body),
      signal: patience.signal,
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function freshName() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
