// Sounds, vibration, spoken counts, and announcements for screen readers.

import { aloud, spoken } from "/page/cards.js";
import { preferences } from "/page/preferences.js";
import { byPoints } from "/page/prompt.js";
import { now, phone } from "/page/store.js";
import { capital, html } from "/page/ui.js";
import { effect, useEffect, useRef, useState } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-more.js";
import { and, WORDS } from "/page/words.js";

/**
 * Notes: frequency in hertz, start and length in seconds.
 * @type {Record<Server.Sound, [frequency: number, at: number, length: number][]>}
 */
const TUNES = {
  card: [[190, 0, 0.05]],
  peg: [[660, 0, 0.07], [880, 0.08, 0.09]],
  fifteen: [[587, 0, 0.09], [784, 0.1, 0.14]],
  "thirty-one": [[523, 0, 0.09], [659, 0.1, 0.09], [784, 0.2, 0.2]],
  go: [[392, 0, 0.12]],
  heels: [[784, 0, 0.08], [988, 0.09, 0.08], [1175, 0.18, 0.18]],
  win: [[523, 0, 0.14], [659, 0.15, 0.14], [784, 0.3, 0.14], [1047, 0.45, 0.4]],
};
/** @type {Record<Server.Sound, number[]>} Milliseconds: on, off, on. */
const BUZZES = {
  card: [10], peg: [25], fifteen: [25, 40, 25], "thirty-one": [25, 40, 25, 40, 25], go: [50], heels: [25, 40, 50],
  win: [50, 60, 50, 60, 150],
};
const LOUD = 0.12;
const LATE = 6; // maximum number of events played at once

/** @type {AudioContext | null} */
let audio = null;
let free = 0; // end of the last sound, in seconds of audio time
/** @type {Moment | null} */
let before = null;

effect(() => {
  const moment = now.value;
  const { sound, voice, vibration } = preferences.peek();
  const lines = moment && before ? news(before, moment).slice(-LATE) : [];
  before = moment;
  for (const line of lines) {
    if (sound && line.sound) play(line.sound);
    if (vibration && line.sound) buzz(line.sound);
    if (voice && line.said) say(line.said);
  }
});

effect(() => {
  if (!preferences.value.voice && "speechSynthesis" in window) speechSynthesis.cancel();
});

/**
 * Return this game's new log lines, oldest first; none after an undo or in another game.
 * @type {(before: Moment, after: Moment) => Server.LogLine[]}
 */
export function news(before, after) {
  const last = before.page.log[0]?.seq ?? -1;
  const newest = after.page.log[0]?.seq ?? -1;
  const isTakenBack = newest - last > after.state.seq - before.state.seq;
  return isTakenBack ? [] : after.page.log.filter(({ seq }) => seq > last).reverse();
}

/** Browsers block sound before the first input, and warn. */
const mayBeHeard = () => navigator.userActivation?.hasBeenActive ?? true;

/** @param {Server.Sound} name Starts when the previous one ends. */
export function play(name) {
  if (!mayBeHeard() || !("AudioContext" in window)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {}); // silent then
  const begin = Math.max(audio.currentTime, free);
  for (const [frequency, at, length] of TUNES[name]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const start = begin + at;
    free = start + length;
    tone.type = name === "card" ? "triangle" : "sine";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(0.001, free);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(free);
  }
}

export const canBuzz = () => "vibrate" in navigator && matchMedia("(any-pointer: coarse)").matches;

/** @param {Server.Sound} name */
export function buzz(name) {
  if (canBuzz() && mayBeHeard()) navigator.vibrate(BUZZES[name]);
}

/** @param {string} words Spoken after the current words, replacing any that wait. */
export function say(words) {
  if (!mayBeHeard() || !("speechSynthesis" in window)) return;
  if (speechSynthesis.pending) speechSynthesis.cancel();
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = "en";
  speechSynthesis.speak(speech);
}

// --- Announcements for screen readers: each move once as a sentence, then any remark and the prompt.

const KEPT = 8; // announcements kept for rereading

/**
 * Each announcement is a new element, so that screen readers read one with the same words again.
 * @param {{ now: Moment, viewer: Server.Seat | null }} props
 */
export function Announcements({ now, viewer }) {
  const before = useRef(/** @type {Moment | null} */ (null));
  const [heard, setHeard] = useState(/** @type {{ at: number, words: string }[]} */ ([]));
  useEffect(() => {
    const words = before.current ? changes(before.current, now, viewer) : asked(now, viewer);
    before.current = now;
    if (words) setHeard([...heard, { at: (heard.at(-1)?.at ?? 0) + 1, words }].slice(-KEPT));
  }, [now]);
  return html`<div class="unseen" role="log" aria-label=${WORDS.log}>
    ${heard.map(({ at, words }) => html`<p key=${at}>${words}</p>`)}</div>`;
}

/** @type {(before: Moment, now: Moment, viewer: Server.Seat | null) => string} */
function changes(before, now, viewer) {
  const parts = news(before, now).map(({ announced }) => announced);
  for (const said of REMARKS) {
    const words = said(now);
    if (words && words !== said(before)) parts.push(sentence(words));
  }
  if ((parts.length || asked(before, viewer) !== asked(now, viewer)) && !isBrief(now)) parts.push(asked(now, viewer));
  return parts.join(" ");
}

/** @type {(now: Moment, viewer: Server.Seat | null) => string} */
function asked({ state, page }, viewer) {
  const { dialog, asks, why } = page.table;
  if (dialog === "Why") return [WORDS.why, ...why.map(({ text }) => text)].join(" ");
  if (dialog === "Menu") return sentence(WORDS.menu); // no selected line on this page
  if (dialog === "ChangeSettings" && !phone.value) return sentence(WORDS.settings);
  const isMine = viewer !== null && state.phase === "play" && state.turn === viewer && dialog === null && page.hand?.playable.length;
  return sentence(isMine ? WORDS.yourTurn : (!preferences.value.device
    && (dialog === null || dialog === "Undone") && byPoints({ state, page })) || asks);
}

/**
 * Remarks; cards chosen for the crib too, as typing a rank does not show which it was.
 * @type {((now: Moment) => string | null | undefined)[]}
 */
const REMARKS = [
  ({ state }) => state.message,
  ({ page }) => page.trouble[0],
  ({ page }) => page.hand?.hint?.words && TABLE.hinted(page.hand.hint.words),
  ({ state, page }) => (state.phase === "deal" ? capital(and((page.hand?.chosen ?? []).map(spoken))) : ""),
];
/** @param {Moment} now Whether a computer must act. It acts before an announcement of its thinking would end. */
const isBrief = ({ page }) => page.thinking !== null && !page.hand?.wanted;

/** @param {string} words */
const sentence = (words) => (words ? aloud(words).replace(/[.?!]?$/, (end) => end || ".") : "");
