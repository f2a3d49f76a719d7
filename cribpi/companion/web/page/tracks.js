// A board with a track per side, for games in which sides share a track of the device's board, so that no peg hides
// another.

import { STREET } from "/page/streets.js";

const HOLES = 121;
const LAST_STREET = 3;
const PITCH = 10, ASIDE = 12, APART = 20, EDGE = 20; // millimetres between holes, streets and tracks, and around
const START = { x: EDGE + 2 * PITCH, y: EDGE }; // first hole; start and arrow are before it
const GAMMA = 2.4; // LEDs take intensity, not lightness
const BACK = 0.5, GHOST = 0.35; // lightness
const OF_TRACK = 200; // LED numbers per track
/** @type {[number, number, number]} */
const WHITE = [185, 185, 185];

/** @type {(one: Server.Kit, sides: number) => boolean} */
export const mustShare = (one, sides) =>
  sides > 2 && one.tracks.some((track) => track.sides.filter((side) => side < sides).length > 1);

/**
 * Return the kit with one track per side, of four streets back and forth.
 * @type {(one: Server.Kit, sides: number) => Server.Kit}
 */
export function withOwnTracks(one, sides) {
  const wide = (STREET + 4) * PITCH + EDGE;
  const tracks = Array.from({ length: sides }, (_, side) => ({
    sides: [side],
    games: [],
    holes: Array.from({ length: HOLES + 1 }, (_each, hole) => ({ hole, led: ledOf(side, hole), ...placeOf(side, hole) })),
  }));
  return { ...one, board: { width: wide, height: placeOf(sides - 1, HOLES).y + EDGE }, tracks };
}

/** @type {(side: number, hole: number) => number} */
const ledOf = (side, hole) => OF_TRACK * side + hole;

/** @type {(side: number, hole: number) => { x: number, y: number }} The start and game hole extend their streets. */
function placeOf(side, hole) {
  const street = Math.min(Math.max(Math.floor((hole - 1) / STREET), 0), LAST_STREET);
  const along = hole - 1 - STREET * street;
  return {
    x: START.x + PITCH * (street % 2 ? STREET - 1 - along : along),
    y: START.y + side * (3 * ASIDE + APART) + street * ASIDE,
  };
}

/**
 * Return the pegs of all sides at rest as lights.
 * @type {(one: Server.Kit, state: Server.State, ghosts: (number | null)[]) => Server.Light[]}
 */
export function pegsOf(one, state, ghosts) {
  return state.sides.flatMap(({ front, back }, side) => {
    const ghost = ghosts[side];
    const colour = one.colours[side] ?? WHITE;
    /** @type {Server.Light[]} */
    const lit = ghost ? [light(side, ghost, WHITE, GHOST)] : [];
    if (back !== front) lit.push(light(side, back, colour, BACK));
    return [...lit, light(side, front, colour, 1)];
  });
}

/** @type {(side: number, hole: number, colour: [number, number, number], lightness: number) => Server.Light} */
function light(side, hole, colour, lightness) {
  const [red, green, blue] = colour.map((part) => Math.round(255 * ((part / 255) * lightness) ** GAMMA));
  return [ledOf(side, hole), red ?? 0, green ?? 0, blue ?? 0];
}
