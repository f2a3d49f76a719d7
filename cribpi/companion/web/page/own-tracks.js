// A board with a track for each side, for a game whose sides share a track of the device's own: a peg hides none.

import { STREET } from "/page/streets.js";

const HOLES = 121;
const LAST_STREET = 3;
const PITCH = 10, ASIDE = 12, APART = 20, EDGE = 20; // millimetres: along a street, to the next, to the next track's first, and around
const START = { x: EDGE + 2 * PITCH, y: EDGE }; // the first hole; before it are the start and an arrow
const GAMMA = 2.4; // a light is told, not lightness
const BACK = 0.5, GHOST = 0.35; // lightness
const OF_TRACK = 200; // numbers for the holes of a track, as its own LEDs
/** @type {[number, number, number]} */
const WHITE = [185, 185, 185];

/** @type {(one: Server.Kit, sides: number) => boolean} */
export const mustShare = (one, sides) =>
  sides > 2 && one.tracks.some((track) => track.sides.filter((side) => side < sides).length > 1);

/**
 * The kit with as many tracks as there are sides, each of four streets there and back.
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

/** @type {(side: number, hole: number) => { x: number, y: number }} The start and the game hole go on along their streets. */
function placeOf(side, hole) {
  const street = Math.min(Math.max(Math.floor((hole - 1) / STREET), 0), LAST_STREET);
  const along = hole - 1 - STREET * street;
  return {
    x: START.x + PITCH * (street % 2 ? STREET - 1 - along : along),
    y: START.y + side * (3 * ASIDE + APART) + street * ASIDE,
  };
}

/**
 * The pegs of all sides at rest, as lights.
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
