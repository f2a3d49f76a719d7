// The page: what the table says is shown, what is pressed is sent; nothing is decided here.

import { Board } from "/static/board.js";
import { short } from "/static/cards.js";
import { Felt } from "/static/felt.js";
import { Glass } from "/static/glass.js";
import { Keypad, shownKey } from "/static/keypad.js";
import { Match } from "/static/match.js";
import { Names } from "/static/names.js";
import { Presses } from "/static/presses.js";
import { Refusal } from "/static/refusal.js";
import { Room } from "/static/room.js";
import { Rules } from "/static/rules.js";
import { Scores, text } from "/static/scores.js";
import { Story } from "/static/story.js";

const find = (id) => document.getElementById(id);
const LONG = 60; // letters from which on a prompt is written smaller
const ANSWERS = { OK: "new count", UNDO: "a slip", GO: "says go" }; // what the keys do while a question is open
const ADD_UP = ["Amounts typed add up: 20 is 10 10.", "Another amount adds to it."]; // before the first; after
const COUNT_UP = "Up and down count the amount."; // where there are no keys to type one
const AGAIN = 2000; // milliseconds between tries to load what the page cannot do without

const shown = { state: null, page: { keys: [], log: [], trouble: [], names: [] } };
const line = { open: false, everOpen: false, isFresh: true }; // fresh: nothing was told since it was opened

const presses = new Presses(answered, waiting);
const scores = new Scores(document.querySelector("#scores ol"));
const story = new Story(find("log"), find("quiet"));
const glass = new Glass(find("glass"), find("pixels"));
const felt = new Felt(find("felt"), find("hand"), press);
const match = new Match(find("match"));
const refusal = new Refusal(find("refusal"), find("ask-why"), find("refused"));
const rules = new Rules(find("rules"), (request) => presses.add("/api/rules", request), refuse);
const names = new Names(find("names"), find("seats"), (given) => presses.add("/api/names", { names: given }));
let board;
let keypad;

function press(key) {
  refuse("");
  presses.add("/api/press", { key }, shown.state);
}

function answered(press, status, body, dropped) {
  if (body.state) overtaken(body, dropped);
  else showAnswer(press, status, body);
}

// Somebody else was first: what there is now comes before the sentence that says so.
function overtaken({ state, error }, dropped) {
  showState(state);
  const keys = dropped.map((press) => shownKey(press.body.key)).join(", ");
  refuse(keys ? `${error} Not sent: ${keys}.` : error);
}

function showAnswer(press, status, body) {
  const error = status === 200 ? "" : body.error || `The table answered with ${status} and no reason.`;
  if (press.path === "/api/names" && names.isOpen) names.answered(error);
  else if (press.path === "/api/rules" && rules.isOpen) rules.answered(error);
  else if (error) refuse(error, body.why);
  if (!error && body.seq !== undefined) showState(body);
}

function refuse(sentence, why) {
  refusal.say(sentence, why);
}

function waiting() {
  const keys = presses.waiting.map((each) => each.body.key).filter(Boolean);
  keypad.wait(keys);
  felt.wait(keys);
  showLine();
}

// Say in one line that there is no line to the table, and what waits for it.
function showLine() {
  const lost = presses.lost || (line.everOpen && !line.open);
  const keys = presses.waiting.map((each) => shownKey(each.body.key ?? each.path.replace("/api/", "")));
  if (lost) refuse(""); // what the table said before is old news now
  find("table").dataset.line = lost ? "lost" : "open";
  const wait = keys.length ? ` ${keys.join(", ")} ${keys.length > 1 ? "wait" : "waits"}, and will be sent once.` : "";
  const sentence = lost ? `No line to cribpi; trying again.${wait}` : "";
  if (find("line").textContent !== sentence) find("line").textContent = sentence;
  if (lost && names.isOpen) names.say(sentence);
  if (lost && rules.isOpen) rules.say(sentence);
}

// A state that was overtaken on its way is not shown; the first after the line was opened is, whatever it is: the
// table may have begun anew.
function showState(state) {
  if (!line.isFresh && shown.state && state.seq < shown.state.seq) return;
  line.isFresh = false;
  if (state.seq !== shown.state?.seq) refuse(""); // it was about what is gone
  const isNews = JSON.stringify(shown.state?.last) !== JSON.stringify(state.last);
  shown.state = state;
  const next = short(state.question ?? state.prompt, state.seats.map(({ name }) => name));
  find("prompt").textContent = next;
  find("prompt").classList.toggle("long", next.length > LONG);
  find("table").dataset.entry = state.phase === "idle" ? "" : state.entry;
  board.aim(state.target);
  find("wood").setAttribute("aria-label", `Board to ${state.target}: ${state.sides.map(standing).join("; ")}`);
  glass.describe(state);
  showMarks();
  showFelt();
  match.show(state);
  document.title = `${state.prompt} – cribpi`;
  showAside();
  showAnswers();
  say(state, isNews);
}

const standing = (side) => `${side.name} on hole ${side.front}, back peg on ${side.back}`;

function showPage(page) {
  shown.page = page;
  find("table").dataset.seq = page.seq; // which press all of this page has caught up with
  showMarks();
  showFelt();
  story.show(page.log);
  find("rename").hidden = page.names.length === 0;
  showTrouble(page.trouble);
  showTyped(page.typed ?? null);
  showAside();
  showAnswers();
}

// An amount that is being typed stands beside the prompt as large as on the glass.
function showTyped(amount) {
  find("typed").hidden = !amount;
  find("typed").textContent = amount || "";
}

// The cards are shown when the state and the page tell of the same moment: no card lies in two places.
function showFelt() {
  if (shown.state && shown.page.seq === shown.state.seq) felt.show(shown.state, shown.page);
}

// Whose turn it is and which keys work: the state and the page together tell.
function showMarks() {
  if (!shown.state) return;
  scores.show(shown.state, shown.page.shower ?? null);
  const areAmounts = (shown.page.typed ?? null) !== null;
  const isAtIt = (shown.page.thinking ?? null) !== null; // the machine's turn: no key is the next thing to do
  keypad.mark(isAtIt ? [] : shown.page.keys, shown.page.sides ?? {}, shown.state, shown.page.amounts ?? []);
  keypad.name(shown.page.sides ?? {}, shown.state, areAmounts);
}

// A trouble is told anew only where it is one.
function showTrouble(sentences) {
  const list = find("trouble").firstElementChild;
  if (list.dataset.told === sentences.join()) return;
  list.dataset.told = sentences.join();
  list.replaceChildren(...sentences.map((sentence) => text("li", "", sentence)));
}

// What a message says is not watered down by a hint beside it.
function showAside() {
  const hinted = shown.page.hand?.hint?.words ?? "";
  const message = shown.state?.message ?? (hinted && `Hint: ${hinted}.`);
  find("message").textContent = message;
  find("message").classList.toggle("hint", hinted !== "" && !shown.state?.message);
  find("aside").textContent = message ? "" : hint();
}

function hint() {
  const typed = shown.page.typed ?? null;
  if (typed === null) return "";
  return keypad.hasRanks ? ADD_UP[typed ? 1 : 0].replaceAll(" 10", ` ${shownKey("10")}`) : COUNT_UP;
}

// A question's keys stand beside it as well as on the keypad.
function showAnswers() {
  const keys = shown.state?.question ? shown.page.keys.filter((key) => key in ANSWERS) : [];
  const place = find("answers");
  place.hidden = keys.length === 0;
  if (place.dataset.keys === keys.join()) return;
  place.dataset.keys = keys.join();
  place.replaceChildren(...keys.map(answer));
}

function answer(key) {
  const button = text("button", "firm", `${shownKey(key)}: ${ANSWERS[key]}`);
  button.type = "button";
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => press(key));
  return button;
}

function say(state, isNews) {
  const points = isNews && state.last?.points ? `${state.sides[state.last.side]?.name}: ${state.last.call}. ` : "";
  const holes = state.sides.map((side) => `${side.name} ${side.front}`).join(", ");
  const message = state.message ? `${closed(state.message)} ` : "";
  const sentence = `${points}${message}${closed(state.question ?? state.prompt)} ${holes}`;
  if (find("say").textContent !== sentence) find("say").textContent = sentence;
}

// A sentence with its full stop, and never with two.
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

async function loadKit() {
  for (;;) {
    try {
      const response = await fetch("/api/kit");
      if (response.ok) return await response.json();
      find("prompt").textContent = `The board could not be loaded: cribpi answered with ${response.status}.`;
    } catch {
      find("prompt").textContent = "The board could not be loaded: no line to cribpi. Is it running? Trying again.";
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

const kit = await loadKit();
keypad = new Keypad(find("keypad"), kit, press);
board = new Board(find("board"), find("wood"), kit);
kit.colours.forEach((colour, side) => {
  document.documentElement.style.setProperty(`--side-${side}`, `rgb(${colour.join(" ")})`);
});
new Room(find("next"));
find("ask-rules").addEventListener("click", () => rules.ask());
find("rename").addEventListener("click", () => names.ask(shown.page.names, shown.state.seats));
listen();
