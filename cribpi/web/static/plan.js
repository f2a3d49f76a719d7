// The plan of the board: what is let into the wood, worked out from where the holes are.  Millimetres throughout.

export const TAU = Math.PI * 2;

const BED = 0.76; // width of a lane, in pitches
const ASIDE = 0.95; // distance of a label from its lane, in pitches
const ROUND = 0.66; // reach of a turn's curve, in distances between its ends: nearly half a circle
const BULGE = 0.75 * ROUND; // how far such a curve goes out, in the same measure
const NEAR = 34; // labels of one text that are nearer than this are one label

const minus = (a, b) => ({ x: a.x - b.x, y: a.y - b.y });
const along = (a, d, mm) => ({ x: a.x + d.x * mm, y: a.y + d.y * mm });
const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const dot = (a, b) => a.x * b.x + a.y * b.y;
const size = (v) => Math.hypot(v.x, v.y);
const unit = (v) => ({ x: v.x / (size(v) || 1), y: v.y / (size(v) || 1) });

// Return for each track its holes in order, its pitch, its width, its turns, and the curve that joins the
// holes: straight along a street, and round where the next street runs back.
export function lanes(kit) {
  const all = kit.tracks.map((track) => {
    const holes = [...track.holes].sort((a, b) => a.hole - b.hole);
    const steps = holes.slice(1).map((hole, i) => size(minus(hole, holes[i])));
    const pitch = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)];
    const turns = holes.map((_, i) => turn(holes, i, pitch));
    return { holes, pitch, bed: pitch * BED, turns };
  });
  const squash = Math.min(1, ...all.map((lane) => squashOf(lane, kit.board)));
  for (const lane of all) {
    for (const each of lane.turns) if (each) each.bulge *= squash;
    lane.path = curve(lane, squash);
  }
  return all;
}

// The turn between hole `i` and the next: its middle, the way out of it, and how far it bulges; or null.
function turn(holes, i, pitch) {
  const [before, hole, next, after] = [-1, 0, 1, 2].map((step) => holes[i + step]);
  if (!before || !after) return null;
  const gap = size(minus(next, hole));
  const into = unit(minus(hole, before));
  if (gap < pitch * 1.05 || dot(into, unit(minus(after, next))) > -0.5) return null;
  return { at: middle(hole, next), out: into, gap, bulge: gap * BULGE };
}

// How much flatter the turns must be for all of them to stay on the board, with some wood around.
function squashOf(lane, board) {
  return Math.min(1, ...lane.turns.filter(Boolean).map(({ at, out, bulge }) => {
    const room = Math.abs(out.x) > 0.5 ? (out.x > 0 ? board.width - at.x : at.x) : out.y > 0 ? board.height - at.y : at.y;
    return (room - lane.bed / 2 - 4) / bulge;
  }));
}

function curve(lane, squash) {
  const path = new Path2D();
  path.moveTo(lane.holes[0].x, lane.holes[0].y);
  for (const [i, to] of lane.holes.entries()) {
    const bend = lane.turns[i - 1];
    if (bend) {
      const a = along(lane.holes[i - 1], bend.out, bend.gap * ROUND * squash);
      const b = along(to, bend.out, bend.gap * ROUND * squash);
      path.bezierCurveTo(a.x, a.y, b.x, b.y, to.x, to.y);
    } else {
      path.lineTo(to.x, to.y);
    }
  }
  return path;
}

// Short lines across a lane after every fifth hole of a street, so that the eye can count.
export function ticks(lane) {
  const lines = [];
  for (const [i, from] of lane.holes.entries()) {
    const to = lane.holes[i + 1];
    if (to && from.hole % 5 === 0 && from.hole % 30 !== 0) {
      lines.push(across(middle(from, to), unit(minus(to, from)), lane.bed / 2));
    }
  }
  return lines;
}

// The lines that a loser must pass: one between 90 and 91 and two between 60 and 61; in a short game, 30 and 31.
export function skunkLines(all, target) {
  const marks = target > 90 ? [[90, [0]], [60, [-1.1, 1.1]]] : [[30, [0]]];
  const lines = [];
  for (const lane of all) {
    for (const [number, shifts] of marks) {
      const i = lane.holes.findIndex((hole) => hole.hole === number);
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

function across(at, way, half) {
  const side = { x: -way.y, y: way.x };
  return [along(at, side, -half), along(at, side, half)];
}

// Where the lanes begin, and which way they go.
export function starts(all) {
  return all.map((lane) => {
    const way = unit(minus(lane.holes[1], lane.holes[0]));
    return { way, at: along(lane.holes[0], way, -lane.pitch) };
  });
}

// What is written on the board: START, the numbers where the streets end, and the number of the game hole.
export function labels(all, board, target) {
  const found = all.flatMap((lane) => [
    beside("START", lane, 0, board),
    ...lane.holes.flatMap((hole, i) => {
      const isEnd = hole.hole % 30 === 0 && hole.hole > 0 && hole.hole < target;
      return isEnd || hole.hole === target ? [numberAt(lane, i, board)] : [];
    }),
  ]);
  const kept = grouped(found).map((group) => placed(group, board));
  const game = kept.filter((label) => label.text === String(target));
  return kept.filter((label) => game.includes(label) || !game.some((other) => clash(label, other)));
}

const clash = (a, b) => Math.abs(a.x - b.x) < 20 && Math.abs(a.y - b.y) < 8;

// A number stands outside a turn, or ahead of a street that ends with a corner, or beside one that goes on.
function numberAt(lane, i, board) {
  const text = String(lane.holes[i].hole);
  const bend = lane.turns[i];
  if (bend) {
    const outside = along(bend.at, bend.out, bend.bulge + lane.pitch * ASIDE);
    return { text, ...outside, reach: bend.bulge, within: along(bend.at, bend.out, -2) };
  }
  const [way, next] = corner(lane, i);
  if (next && Math.abs(dot(way, next)) < 0.5) {
    return { text, ...along(lane.holes[i], way, lane.pitch * (ASIDE + 0.1)), reach: 0 };
  }
  return beside(text, lane, i, board);
}

// The way along the street near hole `i`, and the way to the corner hole that belongs to it.
function corner(lane, i) {
  const [a, b, hole, next] = [-2, -1, 0, 1].map((step) => lane.holes[i + step]);
  if (next) return [unit(minus(hole, b)), unit(minus(next, hole))];
  return [unit(minus(b, a)), unit(minus(hole, b))];
}

function beside(text, lane, i, board) {
  const hole = lane.holes[i];
  const out = hole.y < board.height / 2 ? -1 : 1;
  return { text, x: hole.x, y: hole.y + out * lane.pitch * ASIDE, reach: out * hole.y };
}

function grouped(marks) {
  const groups = [];
  for (const label of marks) {
    const group = groups.find(([first]) => first.text === label.text && size(minus(first, label)) < NEAR);
    if (group) group.push(label);
    else groups.push([label]);
  }
  return groups;
}

// Of labels that mean the same, the outermost; inside the innermost turn where there is no room outside.
function placed(group, board) {
  const outermost = group.reduce((a, b) => (b.reach > a.reach ? b : a));
  const innermost = group.reduce((a, b) => (b.reach < a.reach ? b : a));
  if (outermost.reach === innermost.reach) {
    const total = group.reduce((sum, each) => ({ x: sum.x + each.x, y: sum.y + each.y }), { x: 0, y: 0 });
    return { text: outermost.text, x: total.x / group.length, y: total.y / group.length };
  }
  const fits = outermost.x > 5 && outermost.x < board.width - 5;
  return { text: outermost.text, ...(fits || !innermost.within ? { x: outermost.x, y: outermost.y } : innermost.within) };
}
