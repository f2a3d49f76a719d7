// The board's layout: inlays and labels computed from the holes, in millimetres.

import { DOUBLE_SKUNK, endsStreet, SKUNK, STREET } from "/page/streets.js";

/**
 * @typedef {{ x: number, y: number }} Point position or vector
 * @typedef {Server.Hole} Hole
 * @typedef {[from: Point, bend: Point, bend: Point, to: Point]} Curve
 * @typedef {{ at: Point, out: Point, gap: number, bulge: number }} Turn middle, outward direction, and bulge
 *
 * A track, or a row of holes for the games won:
 * @typedef {object} Lane
 * @property {Hole[]} holes in order
 * @property {number} pitch
 * @property {number} bed its width
 * @property {(Turn | null)[]} turns after each hole; a row has none
 * @property {Curve[]} parts from hole to hole
 * @property {Path2D} path
 *
 * @typedef {Lane} Row
 * @typedef {Omit<Lane, "parts" | "path">} Street a lane without its curve
 * @typedef {{ lane: Lane, i: number }} Mark a hole of a lane, by its index
 * @typedef {{ at: Point, way: Point }} Start
 * @typedef {{ width: number, height: number }} Box
 * @typedef {(box: Box) => Point} Place candidate middle of a text with this size
 * @typedef {Point & Box & { text: string }} Label
 * @typedef {{ at: Point, reach: number }} Solid area to be free of labels
 */

export const TAU = Math.PI * 2;

const BED = 0.76; // lane width, in pitches
const CLEAR = 0.6; // minimum distance of labels from everything
const ARROW = 3.2; // extent of the arrow from its middle
const ROUND = 0.66; // extent of a turn's curve, relative to the distance of its ends: nearly a semicircle
const BULGE = 0.75 * ROUND; // outward extent of that curve, relative too
const NEAR = 3.4; // maximum distance, in pitches, of holes that share a label
const STEPS = 24; // points per curve when checking labels for overlap

/** @type {(a: Point, b: Point) => Point} */
const minus = (a, b) => ({ x: a.x - b.x, y: a.y - b.y });
/** @type {(a: Point, d: Point, mm: number) => Point} */
const along = (a, d, mm) => ({ x: a.x + d.x * mm, y: a.y + d.y * mm });
/** @type {(a: Point, b: Point) => Point} */
const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
/** @type {(a: Point, b: Point) => number} */
const dot = (a, b) => a.x * b.x + a.y * b.y;
/** @type {(v: Point) => number} */
const size = (v) => Math.hypot(v.x, v.y);
/** @type {(v: Point) => Point} */
const unit = (v) => ({ x: v.x / (size(v) || 1), y: v.y / (size(v) || 1) });

/**
 * Return item `i`. Throw a RangeError if there is none.
 * @template T
 * @param {T[]} list
 * @param {number} i
 */
function item(list, i) {
  const found = list[i];
  if (found === undefined) throw new RangeError(`of ${list.length} there is no number ${i}`);
  return found;
}

/**
 * Return the distances between consecutive holes.
 * @type {(holes: Hole[]) => number[]}
 */
const stepsOf = (holes) => holes.slice(1).map((hole, i) => size(minus(hole, item(holes, i))));

/** @type {(holes: Hole[]) => Hole[]} */
const inOrder = (holes) => [...holes].sort((a, b) => a.hole - b.hole);

/**
 * Return each track's holes in order, pitch, width, turns and curve through the holes: straight along streets, round at
 * turns.
 * @param {Server.Kit} kit
 * @returns {Lane[]}
 */
export function lanes(kit) {
  const streets = kit.tracks.map((track) => {
    const holes = inOrder(track.holes);
    const steps = stepsOf(holes).sort((a, b) => a - b);
    const pitch = item(steps, Math.floor(steps.length / 2));
    const turns = holes.map((_, i) => turn(holes, i, pitch));
    return { holes, pitch, bed: pitch * BED, turns };
  });
  const squash = Math.min(1, ...streets.map((lane) => squashOf(lane, kit.board)));
  return streets.map((lane) => {
    const all = parts(lane, squash);
    const turns = lane.turns.map((bend) => bend && { ...bend, bulge: bend.bulge * squash });
    return { ...lane, turns, parts: all, path: curve(all) };
  });
}

/**
 * Return the holes of one lap without the game hole: 120, or 60 if a game to 121 takes two laps.
 * @type {(lane: Lane) => number}
 */
const lapOf = (lane) => item(lane.holes, lane.holes.length - 1).hole - 1;

/**
 * Return the hole of `lane` for a peg at `score`, in a game to `target`.
 * @type {(lane: Lane, score: number, target: number) => number}
 */
export function holeAt(lane, score, target) {
  const last = score === target ? score - 1 : score;
  return score - Math.floor(Math.max(last - 1, 0) / lapOf(lane)) * lapOf(lane);
}

/**
 * Return the scores of a peg in `hole`, one per lap, as engraved: 30/90.
 * @type {(lane: Lane, hole: number, target: number) => string}
 */
function scoresAt(lane, hole, target) {
  const scores = [];
  for (let score = hole; score < target; score += lapOf(lane)) scores.push(score);
  return scores.join("/");
}

/**
 * Return the rows of holes for games won, with pitch, width and line.
 * @param {Server.Kit} kit
 * @param {Lane[]} all the tracks' lanes
 * @returns {Row[]}
 */
export function rows(kit, all) {
  return kit.tracks.flatMap((track, i) => track.games.map((games) => {
    const holes = inOrder(games.holes);
    const pitch = Math.min(item(all, i).pitch, ...stepsOf(holes));
    const lines = holes.map((to, at) => straight(holes[at - 1] ?? to, to)); // the first is a point
    return { holes, pitch, bed: pitch * BED, turns: [], parts: lines, path: curve(lines) };
  }));
}

/**
 * Return the turn after hole `i`, if any.
 * @type {(holes: Hole[], i: number, pitch: number) => Turn | null}
 */
function turn(holes, i, pitch) {
  const [before, hole, next, after] = [-1, 0, 1, 2].map((step) => holes[i + step]);
  if (!before || !hole || !next || !after) return null;
  const gap = size(minus(next, hole));
  const into = unit(minus(hole, before));
  if (gap < pitch * 1.05 || dot(into, unit(minus(after, next))) > -0.5) return null;
  return { at: middle(hole, next), out: into, gap, bulge: gap * BULGE };
}

/**
 * Return how much to flatten the turns so that all stay on the board, with a margin.
 * @type {(lane: Street, board: Box) => number}
 */
function squashOf(lane, board) {
  return Math.min(1, ...lane.turns.filter((bend) => bend !== null).map(({ at, out, bulge }) => {
    const room = Math.abs(out.x) > 0.5 ? (out.x > 0 ? board.width - at.x : at.x) : out.y > 0 ? board.height - at.y : at.y;
    return (room - lane.bed / 2 - 4) / bulge;
  }));
}

/** @type {(from: Point, to: Point) => Curve} */
const straight = (from, to) => [from, from, to, to];

/**
 * Return a lane's curves from hole to hole, as cubic Béziers of four points.
 * @type {(lane: Street, squash: number) => Curve[]}
 */
function parts(lane, squash) {
  return lane.holes.slice(1).map((to, i) => {
    const [from, bend] = [item(lane.holes, i), lane.turns[i]];
    if (!bend) return straight(from, to);
    const reach = bend.gap * ROUND * squash;
    return [from, along(from, bend.out, reach), along(to, bend.out, reach), to];
  });
}

/** @type {(all: Curve[]) => Path2D} */
function curve(all) {
  const path = new Path2D();
  const [first] = item(all, 0);
  path.moveTo(first.x, first.y);
  for (const [, a, b, to] of all) path.bezierCurveTo(a.x, a.y, b.x, b.y, to.x, to.y);
  return path;
}

/**
 * Return points along a lane, dense enough to find overlaps.
 * @type {(lane: Lane) => Point[]}
 */
function pointsOf(lane) {
  return lane.parts.flatMap(([p, a, b, q]) =>
    Array.from({ length: STEPS + 1 }, (_, step) => {
      const [t, u] = [step / STEPS, 1 - step / STEPS];
      const [k, l, m, n] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      return { x: k * p.x + l * a.x + m * b.x + n * q.x, y: k * p.y + l * a.y + m * b.y + n * q.y };
    }),
  );
}

/**
 * Return the ticks across a lane after every fifth hole of a street.
 * @type {(lane: Lane) => [Point, Point][]}
 */
export function ticks(lane) {
  /** @type {[Point, Point][]} */
  const lines = [];
  for (const [i, from] of lane.holes.entries()) {
    const to = lane.holes[i + 1];
    if (to && from.hole % 5 === 0 && !endsStreet(from.hole)) {
      lines.push(across(middle(from, to), unit(minus(to, from)), lane.bed / 2));
    }
  }
  return lines;
}

/**
 * Return the skunk lines: one between 90 and 91, two between 60 and 61; one between 30 and 31 in a short game.
 * @type {(all: Lane[], target: number) => [Point, Point][]}
 */
export function skunkLines(all, target) {
  /** @type {[number: number, shifts: number[]][]} */
  const marks = target > SKUNK ? [[SKUNK, [0]], [DOUBLE_SKUNK, [-1.1, 1.1]]] : [[STREET, [0]]];
  /** @type {[Point, Point][]} */
  const lines = [];
  for (const lane of all) {
    for (const [number, shifts] of marks) {
      const i = lane.holes.findIndex(({ hole }) => hole === holeAt(lane, number, target));
      const [from, to] = [lane.holes[i], lane.holes[i + 1]];
      if (from && to) {
        const way = unit(minus(to, from));
        const bend = lane.turns[i];
        const at = bend ? along(bend.at, bend.out, bend.bulge) : middle(from, to);
        lines.push(...shifts.map((shift) => across(along(at, way, shift), way, lane.bed / 2 + 0.4)));
      }
    }
  }
  return lines;
}

/** @type {(at: Point, way: Point, half: number) => [Point, Point]} */
function across(at, way, half) {
  const side = { x: -way.y, y: way.x };
  return [along(at, side, -half), along(at, side, half)];
}

/**
 * Return the lanes' starts and directions.
 * @type {(all: Lane[]) => Start[]}
 */
export function starts(all) {
  return all.map(startOf);
}

/** @type {(lane: Lane) => Start} */
function startOf(lane) {
  const first = item(lane.holes, 0);
  const way = unit(minus(item(lane.holes, 1), first));
  return { way, at: along(first, way, -lane.pitch) };
}

/**
 * Return the labels that fit: game hole, START, numbers at the ends of streets, and GAMES. Each has a text, a middle
 * and a size.
 * @param {Lane[]} all
 * @param {Row[]} games
 * @param {Box} board
 * @param {number} target
 * @param {(text: string) => Box} sizeOf
 * @param {number} ring outer radius of the game hole's ring
 */
export function labels(all, games, board, target, sizeOf, ring) {
  /** @type {Solid[]} */
  const solid = games.flatMap((row) => pointsOf(row).map((at) => ({ at, reach: row.bed / 2 })));
  solid.push(...all.flatMap((lane) => [
    ...pointsOf(lane).map((at) => ({ at, reach: lane.bed / 2 })),
    { at: startOf(lane).at, reach: ARROW },
    ...lane.holes.filter(({ hole }) => hole === holeAt(lane, target, target)).map((at) => ({ at, reach: ring })),
  ]));
  const first = item(all, 0);
  const gameHole = holeAt(first, target, target);
  const streets = first.holes.map(({ hole }) => hole).filter((hole) => hole > 0 && endsStreet(hole));
  const ends = streets.filter((hole) => hole < target && hole !== gameHole);
  const wanted = [
    ...numbers(all, gameHole, String(target), ring),
    ...grouped(all.map((lane) => ({ lane, i: 0 }))).map((group) => ({ text: "START", places: startPlaces(group) })),
    ...ends.flatMap((hole) => numbers(all, hole, scoresAt(first, hole, target), 0)),
    ...grouped(games.map((row) => ({ lane: row, i: row.holes.length - 1 }))).map(gamesLabel),
  ];
  /** @type {Label[]} */
  const kept = [];
  for (const { text, places } of wanted) {
    const box = sizeOf(text);
    const free = places.map((place) => ({ text, ...place(box), ...box })).find((label) => fits(label, board, solid, kept));
    if (free) kept.push(free);
  }
  return kept;
}

/** @type {(label: Label, board: Box, solid: Solid[], others: Label[]) => boolean} */
function fits(label, board, solid, others) {
  const [halfWidth, halfHeight] = [label.width / 2 + CLEAR, label.height / 2 + CLEAR];
  if (label.x < halfWidth || label.x > board.width - halfWidth) return false;
  if (label.y < halfHeight || label.y > board.height - halfHeight) return false;
  const apart = (/** @type {number} */ from, /** @type {number} */ half) => Math.max(0, Math.abs(from) - half);
  return (
    solid.every(({ at, reach }) => Math.hypot(apart(at.x - label.x, halfWidth), apart(at.y - label.y, halfHeight)) >= reach) &&
    others.every((other) => {
      const [x, y] = [Math.abs(other.x - label.x), Math.abs(other.y - label.y)];
      return x >= halfWidth + other.width / 2 || y >= halfHeight + other.height / 2;
    })
  );
}

/**
 * Label `hole` with `text`, shared by lanes with a hole in the same corner.
 * @type {(all: Lane[], hole: number, text: string, ring: number) => { text: string, places: Place[] }[]}
 */
function numbers(all, hole, text, ring) {
  const marks = all.map((lane) => ({ lane, i: lane.holes.findIndex((each) => each.hole === hole) }));
  return grouped(marks.filter(({ i }) => i >= 0)).map((group) => ({ text, places: places(group, ring) }));
}

/** @type {(mark: Mark) => Hole} */
const holeOf = ({ lane, i }) => item(lane.holes, i);

/**
 * Group neighbouring holes.
 * @type {(marks: Mark[]) => Mark[][]}
 */
function grouped(marks) {
  /** @type {Mark[][]} */
  const groups = [];
  for (const mark of marks) {
    const group = groups.find((others) => others.some((other) => size(minus(holeOf(other), holeOf(mark))) < NEAR * mark.lane.pitch));
    if (group) group.push(mark);
    else groups.push([mark]);
  }
  return groups;
}

/**
 * Return the positions of a number, best first: outside a turn, inside, past the end of a street, above or below.
 * Shared ones come before one hole's.
 * @type {(group: Mark[], ring: number) => Place[]}
 */
function places(group, ring) {
  const bends = group.flatMap(({ lane, i }) => {
    const bend = lane.turns[i];
    return bend ? [{ lane, bend }] : [];
  });
  const outside = [...bends].sort((a, b) => b.bend.bulge - a.bend.bulge);
  const ways = group.map(({ lane, i }) => ahead(lane, i));
  return [
    ...outside.map(({ lane, bend }) => next(along(bend.at, bend.out, bend.bulge + lane.bed / 2), bend.out)),
    ...outside.reverse().map(({ lane, bend }) => next(along(bend.at, bend.out, bend.bulge - lane.bed / 2), back(bend.out))),
    ...[ways, group.map(() => UP), group.map(() => DOWN)].flatMap((each) => beside(group, each, ring)),
    ...(ring ? group.flatMap((mark) => past(mark, ahead(mark.lane, mark.i), ring)) : []),
  ];
}

/**
 * Beyond a game hole's ring, if the lanes leave no space above and below.
 * @type {(mark: Mark, way: Point, ring: number) => Place[]}
 */
function past(mark, way, ring) {
  const hole = holeOf(mark);
  const { lane } = mark;
  const upright = Math.abs(way.y) > 0.5 ? [way, back(way)] : [UP, DOWN];
  return upright.flatMap((aside) => [RIGHT, back(RIGHT)].map((level) => (/** @type {Box} */ box) => ({
    x: next(along(hole, level, ring), level)(box).x,
    y: next(along(hole, aside, lane.bed / 2), aside)(box).y,
  })));
}

const UP = { x: 0, y: -1 };
const RIGHT = { x: 1, y: 0 };
const DOWN = { x: 0, y: 1 };
/** @type {(way: Point) => Point} */
const back = (way) => ({ x: -way.x, y: -way.y });

/**
 * Return the direction of the street at hole `i`; for a single hole in a corner, of the street before.
 * @type {(lane: Lane, i: number) => Point}
 */
function ahead(lane, i) {
  const b = i + 1 < lane.holes.length ? i : i - 1;
  return unit(minus(item(lane.holes, b), item(lane.holes, b - 1)));
}

/** @type {(group: Mark[], ways: Point[], ring: number) => Place[]} */
function beside(group, ways, ring) {
  const edges = group.map((mark, at) => along(holeOf(mark), item(ways, at), Math.max(mark.lane.bed / 2, ring)));
  const together = edges.reduce((sum, { x, y }) => ({ x: sum.x + x / edges.length, y: sum.y + y / edges.length }), { x: 0, y: 0 });
  return [next(together, item(ways, 0)), ...edges.map((edge, at) => next(edge, item(ways, at)))];
}

/**
 * START: behind the arrows, or above or below one, ending at the lane's start.
 * @type {(group: Mark[]) => Place[]}
 */
function startPlaces(group) {
  const each = group.map(({ lane }) => ({ ...startOf(lane), end: item(lane.holes, 0), bed: lane.bed }));
  const { at: first, way } = item(each, Math.floor((each.length - 1) / 2));
  const aside = each.flatMap(({ at, end, bed }) =>
    [UP, DOWN].map((side) => (/** @type {Box} */ box) => ({
      x: next(along(end, way, -bed / 2), back(way))(box).x,
      y: next(along(at, side, ARROW), side)(box).y,
    })),
  );
  return [next(along(first, way, -ARROW), back(way)), ...aside];
}

/**
 * GAMES: after the last hole of its rows, before the first, or next to either.
 * @type {(group: Mark[]) => { text: string, places: Place[] }}
 */
function gamesLabel(group) {
  const first = group.map(({ lane }) => ({ lane, i: 0 }));
  const ways = group.map((mark) => (mark.i ? unit(minus(holeOf(mark), item(mark.lane.holes, 0))) : RIGHT));
  const left = ways.map(({ x, y }) => ({ x: y, y: -x }));
  const aside = [group, first].flatMap((ends) => [left, left.map(back)].flatMap((each) => beside(ends, each, 0)));
  return { text: "GAMES", places: [...beside(group, ways, 0), ...beside(first, ways.map(back), 0), ...aside] };
}

/**
 * Return a text's position with its edge near `from`, in direction `way`.
 * @type {(from: Point, way: Point) => Place}
 */
function next(from, way) {
  return ({ width, height }) => along(from, way, CLEAR * 1.2 + (Math.abs(way.x) * width + Math.abs(way.y) * height) / 2);
}
