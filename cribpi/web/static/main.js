// The page: what the table says is shown, what is pressed is sent; nothing is decided here.

import { Board } from "/page/pegboard.js";
import { short } from "/static/cards.js";
import { find, text } from "/static/dom.js";
import { Felt } from "/static/felt.js";
import { Glass } from "/static/glass.js";
import { Keypad, shownKey } from "/static/keypad.js";
import { Match } from "/static/match.js";
import { Names } from "/static/names.js";
import { Presses } from "/page/presses.js";
import { Refusal } from "/static/refusal.js";
import { Room } from "/static/room.js";
import { Rules } from "/static/rules.js";
import { Scores } from "/static/scores.js";
import { Story } from "/static/story.js";

/** @import { Answer, Press } from "/page/presses.js" */

const places = {
  table: find("#table", HTMLElement),
  prompt: find("#prompt", HTMLElement),
  typed: find("#typed", HTMLElement),
  answers: find("#answers", HTMLElement),
  line: find("#line", HTMLElement),
  message: find("#message", HTMLElement),
  aside: find("#aside", HTMLElement),
  trouble: find("#trouble ul", HTMLElement),
  rename: find("#rename", HTMLElement),
  say: find("#say", HTMLElement),
  wood: find("#wood", HTMLCanvasElement),
};
const LONG = 60; // letters from which on a prompt is written smaller
/** @type {Partial<Record<Server.Key, string>>} What the keys do while a question is open. */
const ANSWERS = { OK: "new count", UNDO: "wrong key", GO: "say go" };
const AGAIN = 2000; // milliseconds between tries to load what the page cannot do without

/** @type {{ state: Server.State | null, page: Server.Page | null }} What was last told. */
const shown = { state: null, page: null };
const line = { open: false, everOpen: false, isFresh: true }; // fresh: nothing was told since it was opened

const presses = new Presses(answered, waiting);
const scores = new Scores(find("#scores ol", HTMLElement));
const story = new Story(find("#log", HTMLElement), find("#quiet", HTMLElement));
const glass = new Glass(find("#glass", HTMLElement), find("#pixels", HTMLCanvasElement));
const felt = new Felt(find("#felt", HTMLElement), find("#hand", HTMLElement), press);
const match = new Match(find("#match", HTMLElement));
const refusal = new Refusal(find("#refusal", HTMLElement), find("#ask-why", HTMLElement), find("#refused", HTMLElement));
const rules = new Rules(find("#rules", HTMLDialogElement), (request) => presses.add("/api/rules", request), refuse);
const names = new Names(find("#names", HTMLDialogElement), find("#seats", HTMLElement), (given) =>
  presses.add("/api/names", { names: given }),
);
const kit = await loadKit();
const keypad = new Keypad(find("#keypad", HTMLElement), kit, press);
const board = new Board(find("#board", HTMLElement), places.wood, kit);
kit.colours.forEach((colour, side) => {
  document.documentElement.style.setProperty(`--side-${side}`, `rgb(${colour.join(" ")})`);
});
new Room(find("#next", HTMLElement));
find("#ask-rules", HTMLElement).addEventListener("click", () => rules.ask());
places.rename.addEventListener("click", () => {
  if (shown.page && shown.state) names.ask(shown.page.names, shown.state.seats);
});
listen();

/** @param {Server.Key} key */
function press(key) {
  refuse("");
  presses.add("/api/press", { key }, shown.state);
}

/**
 * @param {Press} press
 * @param {Answer} answer
 * @param {Press[]} dropped
 */
function answered(press, { status, body }, dropped) {
  if ("state" in body) overtaken(body, dropped);
  else showAnswer(press, status, body);
}

/**
 * Somebody else was first: what there is now comes before the sentence that says so.
 * @param {Server.Overtaken} answer
 * @param {Press[]} dropped
 */
function overtaken({ state, error }, dropped) {
  showState(state);
  const keys = dropped.map(nameOf).join(", ");
  refuse(keys ? `${error} Not sent: ${keys}.` : error);
}

/**
 * @param {Press} press
 * @param {number} status
 * @param {Server.State | Server.Refusal} body
 */
function showAnswer(press, status, body) {
  const { error: reason = "", why } = "error" in body ? body : {};
  const error = status === 200 ? "" : reason || `cribpi failed with error ${status}. Try again.`;
  if (press.path === "/api/names" && names.isOpen) names.answered(error);
  else if (press.path === "/api/rules" && rules.isOpen) rules.answered(error);
  else if (error) refuse(error, why);
  if (!error && "seq" in body) showState(body);
}

/**
 * @param {string} sentence nothing where there is no refusal any more
 * @param {Server.Reason} [why]
 */
function refuse(sentence, why) {
  refusal.say(sentence, why);
}

function waiting() {
  const keys = presses.waiting.flatMap(({ key }) => key ?? []);
  keypad.wait(keys);
  felt.wait(keys);
  showLine();
}

/** @type {(press: Press) => string} */
const nameOf = ({ key, path }) => shownKey(key ?? path.replace("/api/", ""));

/** Say in one line that the connection is lost, and what waits for it. */
function showLine() {
  const lost = presses.lost || (line.everOpen && !line.open);
  const keys = presses.waiting.map(nameOf);
  if (lost) refuse(""); // what the table said before is old news now
  places.table.dataset.line = lost ? "lost" : "open";
  const wait = keys.length ? ` ${keys.join(", ")} will be sent when cribpi is back.` : "";
  const sentence = lost ? `Disconnected, reconnecting.${wait}` : "";
  if (places.line.textContent !== sentence) places.line.textContent = sentence;
  if (lost && names.isOpen) names.say(sentence);
  if (lost && rules.isOpen) rules.say(sentence);
}

/**
 * A state that was overtaken on its way is not shown; the first after the line was opened is, whatever it is: the
 * table may have begun anew.
 * @param {Server.State} state
 */
function showState(state) {
  if (!line.isFresh && shown.state && state.seq < shown.state.seq) return;
  line.isFresh = false;
  if (state.seq !== shown.state?.seq) refuse(""); // it was about what is gone
  const isNews = JSON.stringify(shown.state?.last) !== JSON.stringify(state.last);
  shown.state = state;
  const next = short(state.question ?? state.prompt, state.seats.map(({ name }) => name));
  places.prompt.textContent = next;
  places.prompt.classList.toggle("long", next.length > LONG);
  places.table.dataset.entry = state.phase === "idle" ? "" : state.entry;
  board.aim(state.target);
  places.wood.setAttribute("aria-label", `Board to ${state.target}: ${state.sides.map(standing).join("; ")}`);
  glass.describe(state);
  showMarks();
  showFelt();
  match.show(state);
  document.title = `${state.prompt} – cribpi`;
  showAside();
  showAnswers();
  say(state, isNews);
}

/** @type {(side: Server.SideState) => string} */
const standing = (side) => `${side.name} in hole ${side.front}, back peg in ${side.back}`;

/** @param {Server.Page} page */
function showPage(page) {
  shown.page = page;
  places.table.dataset.seq = String(page.seq); // which press all of this page has caught up with
  showMarks();
  showFelt();
  story.show(page.log);
  places.rename.hidden = page.names.length === 0;
  showTrouble(page.trouble);
  showTyped(page.typed);
  showAside();
  showAnswers();
}

/**
 * An amount that is being typed stands beside the prompt as large as on the glass.
 * @param {number | null} amount
 */
function showTyped(amount) {
  places.typed.hidden = !amount;
  places.typed.textContent = amount ? String(amount) : "";
}

/** The cards are shown when the state and the page tell of the same moment: no card lies in two places. */
function showFelt() {
  const { state, page } = shown;
  if (state && page && page.seq === state.seq) felt.show(state, page);
}

/** Whose turn it is and which keys work: the state and the page together tell. */
function showMarks() {
  const { state, page } = shown;
  if (!state) return;
  scores.show(state, page?.shower ?? null);
  if (!page) return;
  const isThinking = page.thinking !== null; // the computer's turn: no key is the next thing to do
  keypad.mark(isThinking ? [] : page.keys, page.sides, state, page.amounts);
  keypad.name(page.sides, state, page.typed !== null);
}

/**
 * A trouble is told anew only where it is one.
 * @param {string[]} sentences
 */
function showTrouble(sentences) {
  const list = places.trouble;
  if (list.dataset.told === sentences.join()) return;
  list.dataset.told = sentences.join();
  list.replaceChildren(...sentences.map((sentence) => text("li", "", sentence)));
}

/** What a message says is not watered down by a hint beside it. */
function showAside() {
  const hinted = shown.page?.hand?.hint?.words ?? "";
  const message = shown.state?.message ?? (hinted && `Hint: ${hinted}.`);
  places.message.textContent = message;
  places.message.classList.toggle("hint", hinted !== "" && !shown.state?.message);
  places.aside.textContent = message ? "" : hint();
}

function hint() {
  const typed = shown.page?.typed ?? null;
  if (typed === null) return "";
  if (!keypad.hasRanks) return "Press up or down to change the amount.";
  return typed ? "The next key adds to it." : `Keys add up: for 20, press ${shownKey("10")} twice.`;
}

/** A question's keys stand beside it as well as on the keypad. */
function showAnswers() {
  const keys = (shown.state?.question && shown.page?.keys.filter((key) => key in ANSWERS)) || [];
  const place = places.answers;
  place.hidden = keys.length === 0;
  if (place.dataset.keys === keys.join()) return;
  place.dataset.keys = keys.join();
  place.replaceChildren(...keys.map(answer));
}

/** @param {Server.Key} key */
function answer(key) {
  const button = text("button", "firm", `${shownKey(key)}: ${ANSWERS[key]}`);
  button.type = "button";
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => press(key));
  return button;
}

/**
 * @param {Server.State} state
 * @param {boolean} isNews
 */
function say(state, isNews) {
  const points = isNews && state.last?.points ? `${state.sides[state.last.side]?.name}: ${state.last.call}. ` : "";
  const holes = state.sides.map((side) => `${side.name} ${side.front}`).join(", ");
  const message = state.message ? `${closed(state.message)} ` : "";
  const sentence = `${points}${message}${closed(state.question ?? state.prompt)} ${holes}`;
  if (places.say.textContent !== sentence) places.say.textContent = sentence;
}

/**
 * A sentence with its full stop, and never with two.
 * @type {(sentence: string) => string}
 */
const closed = (sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

function listen() {
  const events = new EventSource("/api/events");
  events.addEventListener("open", () => {
    Object.assign(line, { open: true, everOpen: true, isFresh: true });
    presses.retry();
    showLine();
  });
  events.addEventListener("error", () => {
    line.open = false;
    showLine();
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN);
  });
  events.addEventListener("state", (event) => showState(JSON.parse(event.data)));
  events.addEventListener("page", (event) => showPage(JSON.parse(event.data)));
  events.addEventListener("strip", (event) => board.show(JSON.parse(event.data).lit));
  events.addEventListener("oled", (event) => glass.show(event.data));
}

/** @returns {Promise<Server.Kit>} */
async function loadKit() {
  for (;;) {
    try {
      const response = await fetch("/api/kit");
      if (response.ok) return await response.json();
      places.prompt.textContent = `Can't load the board: cribpi failed with error ${response.status}. Trying again.`;
    } catch {
      places.prompt.textContent = "Can't reach cribpi. Is it running? Trying again.";
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

