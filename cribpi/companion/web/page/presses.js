// The presses on their way: one after another, each with a name of its own, so that the table, which knows the
// name again, presses none of them twice however often the line breaks.  Each is meant for the state that was seen
// when it was pressed, or for what came of the one before: where somebody else was first, none of them counts.

const PATIENCE = 8000; // milliseconds until an answer is taken for lost, and asked for again
const LATE = 2000; // milliseconds until it is said that an answer has not come yet
const PAUSE = 1000; // milliseconds between tries while there is no line
/** A refusal is an answer like others, and nothing for the browser's console. */
export const HEADERS = { "Content-Type": "application/json", "Prefer": "refused=200" };
const REFUSED = 409; // what the status of a refusal would have been
const ALWAYS = new Set(["UNDO", "MENU", "hold:MENU", "/api/game"]); // what these do does not hang on what a computer's seat did

/**
 * @typedef {keyof Server.Requests} Path
 * @typedef {object} Press a press on its way
 * @property {Path} path
 * @property {Server.Key | null} key null where it is no key that was pressed
 * @property {string} says the text of its button when it was pressed; empty if the list of unsent presses leaves it out
 * @property {Server.Requests[Path] & { id: string }} body
 * @property {Server.State | null} seen the state that it is meant for; null where it is meant for any
 *
 * @typedef {{ status: number, body: Server.Answer }} Answer
 */

export class Presses {
  /**
   * @param {(press: Press, answer: Answer, dropped: Press[]) => void} answered is called for each answer, with the
   *   presses behind it that are not sent any more
   * @param {() => void} changed is called when what waits has changed
   */
  constructor(answered, changed) {
    this.answered = answered;
    this.changed = changed;
    /** @type {Press[]} */
    this.waiting = [];
    this.lost = false;
    this.late = false;
    this.sending = false;
    this.awake = () => {};
  }

  /**
   * @template {Path} P
   * @param {P} path
   * @param {Server.Requests[P]} body
   * @param {Server.State | null} [seen] the state that the press is meant for; without one it is sent whatever there is
   * @param {string} [says] what its button says
   */
  add(path, body, seen = null, says = "") {
    const key = "key" in body ? body.key : null;
    this.waiting.push({ path, key, says, body: { ...body, id: freshName() }, seen });
    this.changed();
    this.send();
  }

  /** The line is there again, as far as anyone can tell: try now. */
  retry() {
    this.awake();
  }

  /** Send none of those that wait. */
  drop() {
    this.waiting = [];
    this.lost = false;
    this.changed();
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    for (let press = this.waiting[0]; press; press = this.waiting[0]) {
      const answer = await this.soon(post(press));
      if (answer === null) {
        this.lost = true;
        this.changed();
        await this.pause();
      } else {
        this.lost = false;
        const now = stillMeant(press, answer.body);
        if (now === null) this.done(press, answer);
        else Object.assign(press, { seen: now, body: { ...press.body, id: freshName() } });
        this.changed();
      }
    }
    this.sending = false;
  }

  /**
   * Wait for an answer, and tell when it is late.
   * @param {Promise<Answer | null>} answer
   */
  async soon(answer) {
    const timer = setTimeout(() => {
      this.late = true;
      this.changed();
    }, LATE);
    const found = await answer;
    clearTimeout(timer);
    this.late = false;
    return found;
  }

  /**
   * The press is answered; those behind it are meant for what came of it.
   * @param {Press} press
   * @param {Answer} answer
   */
  done(press, answer) {
    const { body } = answer;
    this.waiting.shift();
    const dropped = "state" in body ? this.waiting.filter(({ seen }) => seen) : [];
    this.waiting = this.waiting.filter((each) => !dropped.includes(each));
    if ("seq" in body) {
      for (const each of this.waiting) if (each.seen && each.seen.seq < body.seq) each.seen = body;
    }
    this.answered(press, answer, dropped);
  }

  /** @returns {Promise<void>} */
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

/**
 * Return the state that a press which came too late is meant for as well, or null: only the computer has moved, and
 * what is asked is what was asked, or the key has nothing to do with it.
 * @param {Press} press
 * @param {Server.Answer} answer
 */
function stillMeant({ seen, key, path }, answer) {
  if (!("state" in answer) || answer.by !== "machine") return null;
  return ALWAYS.has(key ?? path) || answer.state.prompt === seen?.prompt ? answer.state : null;
}

/**
 * Send a press and return its answer, or null where none came whole.
 * @param {Press} press
 * @returns {Promise<Answer | null>}
 */
async function post({ path, body, seen }) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify(seen ? { ...body, if_seq: seen.seq } : body),
      signal: patience.signal,
    });
    const answer = /** @type {Server.Answer} */ (await response.json());
    return { status: response.ok && "error" in answer ? REFUSED : response.status, body: answer };
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
