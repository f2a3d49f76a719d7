// What is heard: a short sound for a card, for points, for the end; and the count, spoken as players say it.

import { preferences } from "/page/preferences.js";
import { now } from "/page/store.js";
import { effect } from "/page/vendor/preact.js";

/** @type {Record<string, [frequency: number, at: number, length: number][]>} Notes: hertz, and seconds. */
const TUNES = {
  card: [[190, 0, 0.05]],
  peg: [[660, 0, 0.07], [880, 0.08, 0.09]],
  fifteen: [[587, 0, 0.09], [784, 0.1, 0.14]],
  thirtyOne: [[523, 0, 0.09], [659, 0.1, 0.09], [784, 0.2, 0.2]],
  go: [[392, 0, 0.12]],
  win: [[523, 0, 0.14], [659, 0.15, 0.14], [784, 0.3, 0.14], [1047, 0.45, 0.4]],
};
const LOUD = 0.12;

/** @type {AudioContext | null} */
let audio = null;
/** @type {Server.State | null} */
let before = null;

effect(() => {
  const state = now.value?.state ?? null;
  const { sound, voice } = preferences.peek();
  const last = before;
  before = state;
  if (!state || !last || state.seq <= last.seq) return;
  if (sound) play(tuneOf(last, state));
  if (voice && isNews(last, state) && state.last?.call) say(state.last.call);
});

/** @type {(last: Server.State, state: Server.State) => boolean} */
const isNews = (last, state) => JSON.stringify(last.last) !== JSON.stringify(state.last);

/** @type {(last: Server.State, state: Server.State) => keyof typeof TUNES | null} */
function tuneOf(last, state) {
  if (state.winner !== null && last.winner === null) return "win";
  const kinds = new Set(isNews(last, state) ? state.last?.scores.map(({ kind }) => kind) : []);
  if (kinds.has("thirty-one")) return "thirtyOne";
  if (kinds.has("go") || kinds.has("last")) return "go";
  if (kinds.has("fifteen") && state.phase === "play") return "fifteen";
  if (state.sides.some(({ front }, side) => front > (last.sides[side]?.front ?? 0))) return "peg";
  return state.pile.length > last.pile.length ? "card" : null;
}

/** @param {keyof typeof TUNES | null} name */
export function play(name) {
  if (!name) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  for (const [frequency, at, length] of TUNES[name] ?? []) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + at;
    tone.type = name === "card" ? "triangle" : "sine";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}

/** @param {string} words */
export function say(words) {
  if (!("speechSynthesis" in window)) return;
  speechSynthesis.cancel(); // what was said before is old news
  speechSynthesis.speak(new SpeechSynthesisUtterance(words));
}
