// The request queue. Requests are sent one at a time, with an id, so that retries are idempotent. Each is conditional
// on the state seen, or on the result of the one before; if another client was first, all of them are dropped.

const TIMEOUT = 8000; // milliseconds before a response counts as lost, and the request is repeated
const LATE = 2000; // milliseconds before a response is shown to be late
const PAUSE = 1000; // milliseconds between retries when offline
/** Refusals come with status 200, to keep them out of the browser's console. */
const HEADERS = { "Content-Type": "application/json", "Prefer": "refused=200" };
const REFUSED = 409; // status of a refusal
const ALWAYS = new Set(["UNDO", "MENU", "hold:MENU", "/api/game"]); // unaffected by a computer's move

/**
 * @typedef {keyof Server.Requests} Path
 * @typedef {object} Press a pending press
 * @property {Path} path
 * @property {Server.Key | null} key null where it is no key that was pressed
 * @property {string} says label of the button when it was pressed; "" if the list of unsent presses does not name the press
 * @property {Server.Requests[Path] & { id: string }} body
 * @property {Server.State | null} seen the state that it is meant for; null where it is meant for any
 *
 * @typedef {{ status: number, body: Server.Answer }} Answer
 */

export class Presses {
  /**
   * @param {(press: Press, answer: Answer, dropped: Press[]) => void} answered called with each response, and the
   *   queued presses dropped with it
   * @param {() => void} changed called when the queue changes
   */
  constructor(answered, changed) {
    this.answered = answered;
    this.changed = changed;
    /** @type {Press[]} */
    this.waiting = [];
    this.lost = false;
    this.late = false;
    this.sending = false;
    this.retry = () => {};
  }

  /**
   * @template {Path} P
   * @param {P} path
   * @param {Server.Requests[P]} body
   * @param {Server.State | null} [seen] state that the press is conditional on, if any
   * @param {string} [says] its button's label
   */
  add(path, body, seen = null, says = "") {
    const key = "key" in body && typeof body.key === "string" ? body.key : null; // a setting's value may be a number
    this.waiting.push({ path, key, says, body: { ...body, id: freshName() }, seen });
    this.changed();
    this.send();
  }

  /** Drop all queued presses. */
  drop() {
    this.waiting = [];
    this.lost = false;
    this.changed();
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    for (let press = this.waiting[0]; press; press = this.waiting[0]) {
      const { path, body, seen } = press;
      const timer = setTimeout(() => {
        this.late = true;
        this.changed();
      }, LATE);
      const answer = await post(path, seen ? { ...body, if_seq: seen.seq } : body);
      clearTimeout(timer);
      this.late = false;
      if (answer === null) {
        this.lost = true;
        this.changed();
        await new Promise((resolve) => {
          this.retry = () => resolve(undefined); // the connection may be back
          setTimeout(resolve, PAUSE);
        });
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

  /** Handle a response. Queued presses become conditional on its state. @param {Press} press @param {Answer} answer */
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
}

/**
 * Return the new state for a stale press that still applies, otherwise null. It applies if only a computer moved, and
 * the prompt is unchanged or irrelevant to the key.
 * @param {Press} press
 * @param {Server.Answer} answer
 */
function stillMeant({ seen, key, path }, answer) {
  if (!("state" in answer) || answer.by !== "machine") return null;
  return ALWAYS.has(key ?? path) || answer.state.prompt === seen?.prompt ? answer.state : null;
}

/**
 * Send a request and return the response, or null if it is lost or incomplete.
 * @template {Path} P
 * @param {P} path
 * @param {Server.Requests[P]} [body]
 * @param {"POST" | "DELETE"} [method]
 * @returns {Promise<{ status: number, body: any } | null>}
 */
export async function post(path, body, method = "POST") {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), TIMEOUT);
  try {
    const response = await fetch(path, {
      method,
      headers: HEADERS,
      body: JSON.stringify(body) ?? null,
      signal: patience.signal,
    });
    const answer = await response.json();
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
