// The presses on their way: one after another, each with a name of its own, so that the table, which knows the
// name again, presses none of them twice however often the line breaks.

const PATIENCE = 8000; // milliseconds until an answer is taken for lost, and asked for again
const PAUSE = 1000; // milliseconds between tries while there is no line

export class Presses {
  // `answered(press, status, body)` is called for each answer, `changed()` when what waits has changed.
  constructor(answered, changed) {
    this.answered = answered;
    this.changed = changed;
    this.waiting = [];
    this.lost = false;
    this.sending = false;
    this.awake = () => {};
  }

  add(path, body) {
    this.waiting.push({ path, body: { ...body, id: freshName() } });
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
        this.waiting.shift();
        this.answered(press, answer.status, answer.body);
        this.changed();
      }
    }
    this.sending = false;
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

// Send a press and return its answer, or null where none came whole.
async function post({ path, body }) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
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
