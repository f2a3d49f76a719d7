// What the table last told the page, and what the page sends to it.  Everything that is drawn is drawn from here.

import { capital } from "/page/html.js";
import { HEADERS, Presses } from "/page/presses.js";
import { batch, signal } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

/** @typedef {{ state: Server.State, page: Server.Page }} Moment the table as it stood at one moment */

const CARD = /^(10|[A2-9JQK])([CDHS]?)$/;
const AGAIN = 2000; // milliseconds between tries to load what the page cannot do without
const SILENCE = 25_000; // milliseconds without a word until a line is given up: the table says every 15 s that it is there

/** @type {import("/page/vendor/preact.js").Signal<Moment | null>} The state and the page are shown together or not at all. */
export const now = signal(null);
/** @type {import("/page/vendor/preact.js").Signal<{ sentence: string, why: Server.Reason | null, remedies: Server.Remedy[], byKeys?: string, meanwhile?: number } | null>} `byKeys` is the same at a keypad, `meanwhile` the `seq` of what came before it. */
export const refusal = signal(null);
/** @type {import("/page/vendor/preact.js").Signal<string>} What is wrong with the line; empty where nothing is. */
export const offline = signal("");
/** @type {import("/page/vendor/preact.js").Signal<Server.Light[]>} */
export const lit = signal([]);
/** @type {import("/page/vendor/preact.js").Signal<string>} What the screen shows: a PNG in base64. */
export const picture = signal("");
/** @type {import("/page/vendor/preact.js").Signal<Server.Kit | null>} */
export const kit = signal(null);
/** @type {import("/page/vendor/preact.js").Signal<Server.LogLine[]>} What happened in this game, newest first. */
export const log = signal([]);
/** @type {import("/page/vendor/preact.js").Signal<Server.Key[]>} The keys that are on their way. */
export const waiting = signal([]);

/** Whether nobody sees this page: it is in a tab behind another, or the phone sleeps. */
export const isHidden = signal(document.hidden);

/** @type {import("/page/vendor/preact.js").Signal<string>} The build of the program, where this page is of another. */
export const newest = signal("");
/** @type {string | null} */
let own = null;

/** @type {{ state: Server.State | null, page: Server.Page | null }} */
const told = { state: null, page: null };
const line = { isOpen: false, wasOpen: false, isFresh: true, isAsking: false }; // fresh: nothing was told since it was opened
const presses = new Presses(answered, showLine);

/** @type {{ state: Server.State, page: Server.Page, kit: Server.Kit, rules: Omit<Server.Rules, "options">, build: string, phone?: Server.Phone | null } | null} What came with the page itself. */
export const begun = JSON.parse(document.querySelector("#begun")?.textContent ?? "null");
if (begun) {
  document.querySelector("#begun")?.replaceChildren(); // a hand may be in it, and does not outlast its seat
  kit.value = begun.kit;
  own = begun.build;
  told.state = begun.state;
  if (begun.page) takePage(begun.page); // a phone that nobody knows is told nothing of the game
}
/** @type {import("/page/vendor/preact.js").Signal<Server.Phone | null | undefined>} Which phone this is: null where the board does not know it, undefined on the board's own page. */
export const phone = signal(begun?.phone);
/** @type {EventSource | null} */
let events = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence;

/** Whether what is seen is what came of the last press: nothing is on its way. */
export const isSettled = () => presses.waiting.length === 0 && told.state === now.value?.state;

/**
 * Whether `key` was pressed for what is shown, and not answered.  What came of a press may be shown before its answer is
 * here: then the key means something else.
 * @param {Server.Key} key
 */
export const isOnItsWay = (key) => presses.waiting.some((one) => one.key === key && (one.seen === null || one.seen.seq >= (now.value?.state.seq ?? 0)));

/** What was pressed last on this page: the place of its button, empty for a key or a card, and when. */
export const pressed = { place: "", at: -Infinity, seq: 0 };

/** @param {string} place */
export const note = (place) => Object.assign(pressed, { place, at: performance.now(), seq: now.value?.state.seq ?? 0 });

/**
 * Press a key, or a card of the open hand.  It is meant for what is seen; but while the computer chooses its discard
 * beside us, its move is nothing that ours hangs on.
 * @param {Server.Key} key
 * @param {string} place
 * @param {boolean} [carry] with all that a card says
 */
export function press(key, place = "", carry = false) {
  note(place);
  if (parts(key).suit && told.state?.phase === "play" && waiting.value.includes(key)) return; // with its suit there is one of it: it is being played
  refusal.value = null;
  const isBeside = told.page !== null && told.page.thinking !== null;
  presses.add("/api/press", carry ? { key, carry } : { key }, isBeside ? null : told.state, saidOf(key));
}

/** @param {Server.Key} key Whether it is a rank, or a card with its suit. */
export const isCard = (key) => CARD.test(key);

/** @param {Server.Card} card The rank and the suit of a card; no suit where it is not known. */
export function parts(card) {
  const [, rank = card, suit = ""] = CARD.exec(card) ?? [];
  return { rank, suit };
}

/** @param {Server.Key} key Return the text of its button, or the card; empty if the page has no button for it. */
function saidOf(key) {
  const choice = now.value?.page.choices.find((one) => one.key === key);
  if (choice && !choice.takes_suit && !parts(key).suit) return capital(key === "GO" ? choice.short : choice.label); // whose go it is may change before it is sent
  return isCard(key) ? key : key === "GO" ? WORDS.saysGo : (/^(?:digit|step):(.*)/.exec(key)?.[1] ?? "");
}

/** @param {string} sentence why the page itself does nothing */
export function refuse(sentence) {
  refusal.value = { sentence, why: null, remedies: [] };
}

/**
 * Set up a game and start it.
 * @param {Server.Requests["/api/game"]} setup
 */
export function start(setup) {
  if (presses.waiting.some(({ path }) => path === "/api/game")) return; // a double click starts one game
  refusal.value = null;
  presses.add("/api/game", setup, told.state);
}

/**
 * Change settings of the table: for every screen, and at once.
 * @param {Record<string, string>} values
 */
export function change(values) {
  refusal.value = null;
  presses.add("/api/settings", values);
}

/** @param {Server.Power} power */
export function switchPower(power) {
  refusal.value = null;
  presses.add("/api/power", { power });
}

/**
 * Set up what the next game is, or give names; what came of it is the next state, or a refusal.
 * @template {"/api/rules" | "/api/names"} Path
 * @param {Path} path
 * @param {Server.Requests[Path]} request
 */
export function send(path, request) {
  refusal.value = null;
  presses.add(path, request);
}

/**
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
export async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/**
 * Ask something that changes nothing on the table.
 * @template T
 * @param {string} path
 * @param {object} request
 * @returns {Promise<T>}
 */
export async function ask(path, request) {
  return (await fetch(path, { method: "POST", headers: HEADERS, body: JSON.stringify(request) })).json();
}

/** Listen to the table from now on, if anybody sees what it tells. */
export function connect() {
  if (isHidden.value) return;
  const stream = new EventSource("/api/events");
  events = stream;
  heard(stream);
  /**
   * @param {string} kind
   * @param {(event: MessageEvent) => void} [act]
   */
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
    else if (stream.readyState === EventSource.CLOSED) setTimeout(() => events === stream && connect(), AGAIN);
  });
  on("still");
  on("build", (event) => takeBuild(event.data));
  on("phone", (event) => takePhone(JSON.parse(event.data)));
  on("gone", forget);
  on("state", (event) => takeState(JSON.parse(event.data)));
  on("page", (event) => takePage(JSON.parse(event.data)));
  on("strip", (event) => (lit.value = JSON.parse(event.data).lit));
  on("oled", (event) => (picture.value = event.data));
}

/**
 * A line whose other end is gone without a word, as when the router was switched off, stays open for minutes.
 * @param {EventSource} stream
 */
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

// A browser opens six lines to one address, for all its tabs: with a line each, six of them would keep every press
// from going out.  And what a phone that has slept has missed, its old line may never say.
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

/** @param {Server.Phone | null} me With another role nothing of what was shown stays: a hand may be among it. */
export function takePhone(me) {
  const before = phone.value;
  const isSame = before && me && before.role === me.role && before.seat === me.seat;
  batch(() => {
    if (!isSame) {
      Object.assign(told, { state: null, page: null });
      now.value = null;
      log.value = [];
      refusal.value = null;
    }
    phone.value = me;
  });
}

/** The board knows this phone no more. */
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
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/**
 * A state that was overtaken on its way is not shown; the first after the line was opened is, whatever it is: the
 * table may have begun anew.
 * @param {Server.State} state
 */
function takeState(state) {
  if (!line.isFresh && told.state && state.seq < told.state.seq) return;
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

/**
 * The page is told the last few lines; those before them are kept, and asked for where they are not there.
 * @param {Server.LogLine[]} latest newest first
 */
function keepLog(latest) {
  const oldest = latest.at(-1);
  const at = log.value.findIndex(({ seq, text }) => seq === oldest?.seq && text === oldest.text);
  const before = at < 0 ? [] : log.value.slice(at + 1); // else lines between are missing, or it is another game
  log.value = [...latest, ...before];
  if (oldest && oldest.seq > 0 && before.length === 0 && !line.isAsking) {
    line.isAsking = true;
    load("/api/log").then(
      (/** @type {Server.LogLine[]} */ whole) => (log.value = [...whole]),
      () => {}, // what is there is shown meanwhile
    ).finally(() => (line.isAsking = false));
  }
}

/** @param {string} build The first one is our own where none came with the page. */
function takeBuild(build) {
  own ??= build;
  newest.value = build === own ? "" : build;
}

function settle() {
  const { state, page } = told;
  if (!state || !page || state.seq !== page.seq) return;
  batch(() => {
    if (now.value && state.seq !== now.value.state.seq && state.seq !== refusal.value?.meanwhile) refusal.value = null; // it was about what is gone
    now.value = { state, page };
  });
}

/**
 * @param {import("/page/presses.js").Press} press
 * @param {import("/page/presses.js").Answer} answer
 * @param {import("/page/presses.js").Press[]} dropped
 */
function answered(press, { status, body }, dropped) {
  if ("state" in body) takeState(body.state); // somebody else was first: what there is now, and a sentence that says so
  else if ("seq" in body) takeState(body);
  if (status === 200) return;
  if (status === 401) return forget();
  if ("state" in body && body.state.winner !== null) return; // what was done first ended the game: the result says so
  if (press.key && !("state" in body) && (press.seen ?? pressed).seq < (now.value?.state.seq ?? 0)) return; // it is about what is gone
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

/** @param {string} error With a capital, unless somebody's name begins it. */
const opened = (error) => (now.value?.state.seats.some(({ name }) => error.startsWith(name)) ? error : capital(error));

/** @param {import("/page/presses.js").Press[]} sent What their buttons said. */
const listed = (sent) => sent.flatMap(({ says }) => says || []).join(", ");

function showLine() {
  const isLost = presses.lost || (line.wasOpen && !line.isOpen);
  waiting.value = presses.waiting.flatMap(({ key }) => key ?? []);
  const says = listed(presses.waiting);
  const wrong = isLost ? WORDS.disconnected : presses.late ? WORDS.noAnswer : "";
  offline.value = isLost && says ? `${wrong} ${WORDS.willBeSent(says)}` : wrong;
}
