// Sounds, vibration, and spoken counts.

import { preferences } from "/page/preferences.js";
import { now } from "/page/store.js";
import { effect } from "/page/vendor/preact.js";

/** @typedef {import("/page/store.js").Moment} Moment */

/** @type {Record<Server.Sound, [frequency: number, at: number, length: number][]>} Notes: frequency in hertz, start and length in seconds. */
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
