// The latest state received from the server, and the requests sent. Everything drawn comes from here.

import { capital } from "/page/ui.js";
import { Presses } from "/page/queue.js";
import { batch, signal } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const CARD = /^(10|[A2-9JQK])([CDHS]?)$/;
const RETRY = 2000; // milliseconds between attempts to load what the page requires
const SILENCE = 25_000; // milliseconds without an event before reconnecting; the server sends one every 15 s

/** @type {Signal<Moment | null>} State and page, always of the same moment. */
export const now = signal(null);
/**
 * `byKeys` is the text for a keypad, `meanwhile` the newer state's `seq`.
 * @type {Signal<{ sentence: string, why: Server.Reason | null, remedies: Server.Remedy[], byKeys?: string, meanwhile?: number } | null>}
 */
export const refusal = signal(null);
/** @type {Signal<string>} Connection error, or "". */
export const offline = signal("");
/** @type {Signal<Server.Light[]>} */
export const lit = signal([]);
/** @type {Signal<string>} Screen contents, a PNG in base64. */
export const picture = signal("");
/** @type {Signal<Server.Kit | null>} */
export const kit = signal(null);
/** @type {Signal<Server.LogLine[]>} This game's log, newest first. */
export const log = signal([]);
/** @type {Signal<Server.Key[]>} Pending keys. */
export const waiting = signal([]);

/** Whether the page is hidden: in a background tab, or on a sleeping phone. */
export const isHidden = signal(document.hidden);

/** @type {Signal<string>} The program's build if it differs from the page's. */
export const newest = signal("");
/** @type {string | null} */
let own = null;

/** @type {{ state: Server.State | null, page: Server.Page | null, answer: Server.State | null }} `answer` to one's own press. */
const told = { state: null, page: null, answer: null };
/** @type {{ state: any, page: any, rules: any, choices: any }} Latest state and page of the stream, which sends changed fields only. */
const streamed = { state: null, page: null, rules: {}, choices: {} };
const line = { isOpen: false, wasOpen: false, isFresh: true, isAsking: false }; // fresh: nothing received since it was opened
const presses = new Presses(answered, showLine);

/**
 * State loaded with the page.
 * @type {{
 *   state: Server.State, page: Server.Page, kit: Server.Kit, rules: Omit<Server.Rules, "options">, build: string,
 *   phone?: Server.Phone | null,
 * } | null}
 */
export const begun = JSON.parse(document.querySelector("#begun")?.textContent ?? "null");
if (begun) {
  document.querySelector("#begun")?.replaceChildren(); // may contain a hand, which must not outlive its seat
  kit.value = begun.kit;
  own = begun.build;
  told.state = begun.state;
  if (begun.page) takePage(begun.page); // unknown phones get no game
}
/** @type {Signal<Server.Phone | null | undefined>} This phone: null if unknown, undefined on the local page. */
export const phone = signal(begun?.phone);
/** @type {EventSource | null} */
let events = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence;

/** Whether the latest state is shown, with no press pending. */
export const isSettled = () => presses.waiting.length === 0 && told.state === now.value?.state;

/**
 * Return whether a press of `key` is pending for the state shown. If the resulting state arrives before the response,
 * the key already has a new meaning.
 * @param {Server.Key} key
 */
export const isOnItsWay = (key) => presses.waiting.some((one) =>
  one.key === key && (one.seen === null || one.seen.seq >= (now.value?.state.seq ?? 0)));

/** Last press: its button's place, empty for a key or card, and time. */
export const pressed = { place: "", at: -Infinity, seq: 0 };

/** @param {string} place */
export const note = (place) => Object.assign(pressed, { place, at: performance.now(), seq: now.value?.state.seq ?? 0 });

/** Return the state that a press is meant for: the one shown, or the answer to one's own press if that is later. */
function meantFor() {
  const shown = now.value?.state ?? null;
  return told.answer && told.answer.seq > (shown?.seq ?? 0) ? told.answer : shown;
}

/**
 * Press a key or a card of the open hand, conditional on the state it is meant for. While a computer discards at the same time,
 * there is no condition.
 * @param {Server.Key} key
 * @param {string} place
 * @param {boolean} [carry] including implied shows
 */
export function press(key, place = "", carry = false) {
  note(place);
  const meant = meantFor();
  // the pack has this card only once, and playing it is already on the way
  if (parts(key).suit && meant?.phase === "play" && waiting.value.includes(key)) return;
  refusal.value = null;
  const isBeside = (now.value?.page.thinking ?? null) !== null;
  presses.add("/api/press", carry ? { key, carry } : { key }, isBeside ? null : meant, saidOf(key));
}

/** @param {Server.Key} key Whether it is a rank or a suited card. */
export const isCard = (key) => CARD.test(key);

/** @param {Server.Key} key Whether it is a rank, which picks a card, or a line by its number. */
export const isRank = (key) => isCard(key) && !parts(key).suit;

/** @param {Server.Card} card Rank and suit; an empty suit if unknown. */
export function parts(card) {
  const [, rank = card, suit = ""] = CARD.exec(card) ?? [];
  return { rank, suit };
}

/** @param {Server.Key} key Text of its button, or the card; empty if there is no button. */
function saidOf(key) {
  const choice = now.value?.page.choices.find((one) => one.key === key);
  // the turn may change before it is sent
  if (choice && !choice.takes_suit && !parts(key).suit) return capital(key === "GO" ? choice.short : choice.label);
  return isCard(key) ? key : key === "GO" ? WORDS.saysGo : (/^(?:digit|step):(.*)/.exec(key)?.[1] ?? "");
}

/** @param {string} sentence reason for refusing on the page */
export function refuse(sentence) {
  refusal.value = { sentence, why: null, remedies: [] };
}

/** Start a game with a setup. @param {Server.Requests["/api/game"]} setup */
export function start(setup) {
  if (presses.waiting.some(({ path }) => path === "/api/game")) return; // double click
  refusal.value = null;
  presses.add("/api/game", setup, meantFor());
}

/**
 * Change rules of the next game, names or settings, for all screens. The result is the next state or a refusal.
 * @template {keyof Server.Requests} Path
 * @param {Path} path
 * @param {Server.Requests[Path]} request
 */
export function send(path, request) {
  refusal.value = null;
  presses.add(path, request);
}

/** @template T @param {string} path @returns {Promise<T>} */
export async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`, { cause: response.status });
  return response.json();
}

/**
 * Look up what the stream sends only once: lines of the log, then by their index, rules by their name, and a choice's fields by its key.
 * @param {string} name
 * @param {any} value
 */
function whole(name, value) {
  if (value?.rule) return (streamed.rules[value.rule] = value.text ? value : streamed.rules[value.rule]);
  if (name === "log") return value.map((/** @type {any} */ sent) => streamed.page?.log[sent] ?? sent);
  if (name !== "choices") return value;
  return value.map((/** @type {any} */ sent) => (streamed.choices[sent.key] = { ...streamed.choices[sent.key], ...sent }));
}

/** Open the event stream, unless the page is hidden. */
export function connect() {
  if (isHidden.value) return;
  const stream = new EventSource("/api/events?changes=true");
  events = stream;
  heard(stream);
  /** @param {string} kind @param {(event: MessageEvent) => void} [act] */
  const on = (kind, act = () => {}) =>
    stream.addEventListener(kind, (/** @type {MessageEvent} */ event) => {
      heard(stream);
      act(event);
    });
  on("open", () => {
    Object.assign(line, { isOpen: true, wasOpen: true, isFresh: true });
    presses.retry();
    showLine();
  });
  stream.addEventListener("error", async () => {
    line.isOpen = false;
    showLine();
    const isGone = phone.value && (await isUnknown());
    if (events !== stream) return;
    if (isGone) forget();
    else if (stream.readyState === EventSource.CLOSED) setTimeout(() => events === stream && connect(), RETRY);
  });
  on("still");
  on("build", (event) => takeBuild(event.data));
  on("phone", (event) => takePhone(JSON.parse(event.data)));
  on("gone", forget);
  on("state", (event) => takeState((streamed.state = { ...streamed.state, ...JSON.parse(event.data, whole) })));
  on("page", (event) => takePage((streamed.page = { ...streamed.page, ...JSON.parse(event.data, whole) })));
  on("strip", (event) => (lit.value = JSON.parse(event.data).lit));
  on("oled", (event) => (picture.value = event.data));
}

/** Reconnect after silence: if the router loses power, a dead connection stays open for minutes. @param {EventSource} stream */
function heard(stream) {
  clearTimeout(silence);
  silence = setTimeout(() => {
    if (events !== stream) return;
    stream.close();
    line.isOpen = false;
    showLine();
    connect();
  }, SILENCE);
}

// Browsers allow six connections per host over all tabs, so hidden tabs must not hold any. A phone that wakes
// reconnects, because its old connection may be dead.
document.addEventListener("visibilitychange", () => {
  isHidden.value = document.hidden;
  hangUp();
  if (phone.value !== null) connect();
});

function hangUp() {
  clearTimeout(silence);
  events?.close();
  events = null;
}

const isUnknown = () => fetch("/api/phone").then(({ status }) => status === 401, () => false);

/** @param {Server.Phone | null} me A change of role clears everything shown, which may include a hand. */
export function takePhone(me) {
  const before = phone.value;
  const isSame = before && me && before.role === me.role && before.seat === me.seat;
  batch(() => {
    if (!isSame) {
      Object.assign(told, { state: null, page: null, answer: null });
      Object.assign(streamed, { state: null, page: null, rules: {}, choices: {} });
      now.value = null;
      log.value = [];
      refusal.value = null;
    }
    phone.value = me;
  });
}

/** Handle the board's removal of this phone. */
export function forget() {
  hangUp();
  Object.assign(line, { isOpen: false, wasOpen: false });
  presses.drop();
  takePhone(null);
}

export async function loadKit() {
  for (;;) {
    try {
      kit.value = await load("/api/kit");
      return;
    } catch {
      offline.value = WORDS.unreachable;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}

/** Ignore stale states, except for the first of a connection: the journal may have been replaced. @param {Server.State} state */
function takeState(state) {
  if (!line.isFresh && told.state && state.seq < told.state.seq) return;
  if (line.isFresh) told.answer = null;
  line.isFresh = false;
  told.state = state;
  settle();
}

/** @param {Server.Page} page */
function takePage(page) {
  told.page = page;
  keepLog(page.log);
  settle();
}

/** Merge new lines into the log, and load the rest if lines are missing. @param {Server.LogLine[]} latest newest first */
function keepLog(latest) {
  const oldest = latest.at(-1);
  const at = log.value.findIndex(({ seq, text }) => seq === oldest?.seq && text === oldest.text);
  const before = at < 0 ? [] : log.value.slice(at + 1); // -1: lines are missing, or another game
  log.value = [...latest, ...before];
  if (oldest && oldest.seq > 0 && before.length === 0 && !line.isAsking) {
    line.isAsking = true;
    load("/api/log").then(
      (/** @type {Server.LogLine[]} */ whole) => (log.value = [...whole]),
      () => {}, // keep the lines shown
    ).finally(() => (line.isAsking = false));
  }
}

/** @param {string} build The first is the page's own, if that came without one. */
function takeBuild(build) {
  own ??= build;
  newest.value = build === own ? "" : build;
}

function settle() {
  const { state, page } = told;
  if (!state || !page || state.seq !== page.seq) return;
  batch(() => {
    // about an earlier state
    if (now.value && state.seq !== now.value.state.seq && state.seq !== refusal.value?.meanwhile) refusal.value = null;
    now.value = { state, page };
  });
}

/**
 * @param {import("/page/queue.js").Press} press
 * @param {import("/page/queue.js").Answer} answer
 * @param {import("/page/queue.js").Press[]} dropped
 */
function answered(press, { status, body }, dropped) {
  if ("state" in body) takeState(body.state); // another client was first: the body has its state
  else if ("seq" in body) takeState((told.answer = body));
  if (status === 200) return;
  if (status === 401) return forget();
  if ("state" in body && body.state.winner !== null) return; // the game has ended, as the result shows
  if (press.key && !("state" in body) && (press.seen ?? pressed).seq < (now.value?.state.seq ?? 0)) return; // about an earlier state
  const error = "error" in body ? body.error : WORDS.failed(status);
  const lost = listed(dropped);
  const whole = (/** @type {string} */ said) => (lost ? `${said.replace(/[^.?!]$/, "$&.")} ${WORDS.notSent(lost)}` : said);
  refusal.value = {
    sentence: whole(opened(("told" in body && body.told) || error)),
    byKeys: whole(error),
    why: ("why" in body && body.why) || null,
    remedies: ("remedies" in body && body.remedies) || [],
    ...("state" in body ? { meanwhile: body.state.seq } : {}),
  };
}

/** @param {string} error Capitalized, unless it starts with a name. */
const opened = (error) => (now.value?.state.seats.some(({ name }) => error.startsWith(name)) ? error : capital(error));

/** Return the labels of the buttons, separated by commas. @param {import("/page/queue.js").Press[]} sent */
const listed = (sent) => sent.flatMap(({ says }) => says || []).join(", ");

function showLine() {
  const isLost = presses.lost || (line.wasOpen && !line.isOpen);
  waiting.value = presses.waiting.flatMap(({ key }) => key ?? []);
  const says = listed(presses.waiting);
  const wrong = isLost ? WORDS.disconnected : presses.late ? WORDS.noAnswer : "";
  offline.value = isLost && says ? `${wrong} ${WORDS.willBeSent(says)}` : wrong;
}
