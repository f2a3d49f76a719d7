// The board: wood, engraving and holes drawn once per size, and lights drawn on top when they change.

import { holeAt, labels, lanes, rows, skunkLines, starts, ticks, TAU } from "/page/layout.js";
import { preferences } from "/page/preferences.js";
import { penOf, slab } from "/page/wood.js";

/** @import { Hole, Label, Point, Start } from "/page/layout.js" */
/** @import { Colour } from "/page/wood.js" */

/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {{ hole: Hole, hue: Colour, strength: number }} Light a lit hole and its perceived colour */
/** @typedef {{ tones: [Colour, Colour], inlay: [Colour, Colour], lamp: number }} Look */

const GAMMA = 2.4; // LEDs take intensity, screens take lightness
const MOST_PIXELS = 1.1e6; // wood texture; larger boards stretch it
/** @type {Look} */
const LIGHT = { tones: [[62, 34, 19], [150, 92, 53]], inlay: [[142, 98, 60], [206, 158, 108]], lamp: 1.06 };
/** @type {Look} */
const DARK = { tones: [[38, 21, 12], [104, 64, 37]], inlay: [[78, 50, 30], [136, 96, 61]], lamp: 0.92 };
const RING = 1.62; // game hole's ring, in hole radii
const RING_WIDTH = 0.42; // in hole radii
const LEAST = 8.5; // minimum letter height in CSS pixels
const CAPITAL = 0.73; // height of capitals and digits, in letter sizes
const WORDS = ["START", "GAMES"]; // smaller than numbers
/** @type {[how: GlobalCompositeOperation, alpha: number][]} Glow around a lit hole. */
const WAYS = [["color-dodge", 0.3], ["screen", 0.34]];
/** @type {[at: number, part: number][]} Its falloff from the hole. */
const FALL = [[0, 1], [0.25, 0.62], [0.5, 0.24], [0.75, 0.07], [1, 0]];
const INLAY = "#f0dcb8";
const JOINT = "#2a1206";

export class Board {
  /**
   * @param {HTMLElement} place
   * @param {HTMLCanvasElement} canvas
   * @param {Server.Kit} kit
   */
  constructor(place, canvas, kit) {
    this.place = place;
    this.canvas = canvas;
    this.kit = kit;
    this.lanes = lanes(kit);
    /** @type {Map<number, Hole>} LED -> hole. */
    this.spots = new Map();
    this.rows = rows(kit, this.lanes);
    this.beds = [...this.lanes, ...this.rows];
    for (const bed of this.beds) {
      for (const hole of bed.holes) this.spots.set(hole.led, hole);
    }
    /** @type {Server.Light[]} */
    this.lit = [];
    /** @type {HTMLCanvasElement | null} The board without its lights. */
    this.unlit = null;
    this.scale = 0; // canvas pixels per millimetre; 0 before layout
    this.dots = 1; // device pixels per CSS pixel
    this.target = 121;
    this.pitch = Math.min(...this.beds.map((bed) => bed.pitch));
    place.style.setProperty("--ratio", `${kit.board.width} / ${kit.board.height}`);
    this.scheme = window.matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => this.prepare();
    this.theme = preferences.value.theme;
    this.unwatch = preferences.subscribe(({ theme }) => {
      if (theme === this.theme) return;
      this.theme = theme;
      this.repaint();
    });
    this.scheme.addEventListener("change", this.repaint);
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(place);
    this.fit();
  }

  /** Stop observing its place. */
  close() {
    this.watch.disconnect();
    this.scheme.removeEventListener("change", this.repaint);
    this.unwatch();
  }

  /**
   * Show lights, given in LED intensities.
   * @param {Server.Light[]} lit
   */
  show(lit) {
    this.lit = lit;
    this.draw();
  }

  /**
   * Mark the game hole of a game to `target`.
   * @param {number} target
   */
  aim(target) {
    if (target !== this.target) {
      this.target = target;
      this.prepare();
    }
  }

  /** Fill its place, keeping the board's proportions. */
  fit() {
    const room = this.place.getBoundingClientRect();
    const { width, height } = this.kit.board;
    const scale = Math.min(room.width / width, room.height / height);
    const dots = window.devicePixelRatio || 1;
    const [wide, high] = [Math.floor(width * scale * dots), Math.floor(height * scale * dots)];
    if (wide < 1 || (this.scale && wide === this.canvas.width && high === this.canvas.height)) return;
    [this.canvas.width, this.canvas.height] = [wide, high];
    this.canvas.style.width = `${wide / dots}px`;
    this.canvas.style.height = `${high / dots}px`;
    this.scale = wide / width;
    this.dots = dots;
    this.prepare();
  }

  prepare() {
    const { width, height } = this.canvas;
    const shrink = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
    const look = (this.theme === "auto" ? this.scheme.matches : this.theme === "dark") ? DARK : LIGHT;
    const [wide, high, scale] = [Math.ceil(width * shrink), Math.ceil(height * shrink), this.scale * shrink];
    const wood = grained(wide, high, scale, look.tones, look.lamp);
    const inlay = grained(wide, high, scale, look.inlay, look.lamp);
    this.unlit = document.createElement("canvas");
    [this.unlit.width, this.unlit.height] = [width, height];
    const context = penOf(this.unlit);
    context.drawImage(wood, 0, 0, width, height);
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    this.drawLanes(context, inlay);
    this.drawMarks(context);
    this.drawHoles(context);
    this.drawEdge(context);
    this.draw();
  }

  /**
   * Draw the lanes: inlays of lighter wood with dark joints.
   * @param {Pen} context
   * @param {HTMLCanvasElement} inlay
   */
  drawLanes(context, inlay) {
    context.lineJoin = "round";
    context.lineCap = "round";
    const lighter = context.createPattern(inlay, "no-repeat");
    if (!lighter) return; // an empty canvas has no pattern
    lighter.setTransform(new DOMMatrix().scale(this.kit.board.width / inlay.width));
    /** @type {[dy: number, extra: number, colour: string | CanvasPattern][]} */
    const layers = [
      [0.5, 0.7, "rgb(255 220 170 / 22%)"],
      [0, 0.9, "rgb(12 5 1 / 62%)"],
      [0, 0, lighter],
    ];
    for (const [dy, extra, colour] of layers) {
      for (const { bed, path } of this.beds) {
        context.save();
        context.translate(0, dy);
        context.lineWidth = bed + extra;
        context.strokeStyle = colour;
        context.stroke(path);
        context.restore();
      }
    }
  }

  /** @param {Pen} context */
  drawMarks(context) {
    context.lineCap = "round";
    context.strokeStyle = "rgb(30 14 5 / 62%)";
    context.lineWidth = Math.max(0.5, this.dots / this.scale);
    for (const lane of this.lanes) {
      for (const [from, to] of ticks(lane)) line(context, from, to);
    }
    context.textAlign = "center";
    for (const label of this.labels(context)) this.write(context, label);
    context.strokeStyle = JOINT;
    context.lineCap = "butt";
    context.lineWidth = Math.max(0.9, (1.3 * this.dots) / this.scale);
    for (const [from, to] of skunkLines(this.lanes, this.target)) line(context, from, to);
    for (const start of starts(this.lanes)) this.drawStart(context, start);
  }

  /**
   * Draw an arrowhead before the first hole, in the inlay's colour.
   * @param {Pen} context
   * @param {Start} start
   */
  drawStart(context, { at, way }) {
    const side = { x: -way.y, y: way.x };
    const tip = { x: at.x + way.x * 3, y: at.y + way.y * 3 };
    context.beginPath();
    context.moveTo(tip.x, tip.y);
    context.lineTo(at.x - way.x * 1.6 + side.x * 2.6, at.y - way.y * 1.6 + side.y * 2.6);
    context.lineTo(at.x - way.x * 1.6 - side.x * 2.6, at.y - way.y * 1.6 - side.y * 2.6);
    context.closePath();
    context.fillStyle = INLAY;
    context.fill();
  }

  /**
   * Draw the labels that fit; letters are always legible.
   * @param {Pen} context
   */
  labels(context) {
    const sizeOf = (/** @type {string} */ text) => {
      context.font = this.font(text);
      const { width } = context.measureText(text);
      return { width, height: parseFloat(this.font(text).slice(4)) * CAPITAL };
    };
    const ring = this.radius * (RING + RING_WIDTH / 2);
    return labels(this.lanes, this.rows, this.kit.board, this.target, sizeOf, ring);
  }

  /**
   * Use millimetres as the unit.
   * @param {string} text
   */
  font(text) {
    const size = Math.max(WORDS.includes(text) ? 3.6 : 5, (LEAST * this.dots) / this.scale);
    return `600 ${size}px ui-sans-serif, system-ui, "Helvetica Neue", Arial, sans-serif`;
  }

  /**
   * @param {Pen} context
   * @param {Label} label
   */
  write(context, { text, x, y, height }) {
    context.font = this.font(text);
    /** @type {[rise: number, colour: string][]} */
    const layers = [[(0.8 * this.dots) / this.scale, "rgb(0 0 0 / 45%)"], [0, INLAY]];
    for (const [rise, colour] of layers) {
      context.fillStyle = colour;
      context.fillText(text, x, y + height / 2 - rise);
    }
  }

  get radius() {
    return Math.min(this.pitch * 0.33, Math.max(this.pitch * 0.25, (2.9 * this.dots) / this.scale));
  }

  /** @param {Pen} context */
  drawHoles(context) {
    const r = this.radius;
    for (const lane of this.lanes) {
      const gameHole = holeAt(lane, this.target, this.target);
      for (const hole of lane.holes) if (hole.hole === gameHole) this.drawGameHole(context, hole, r);
    }
    for (const hole of this.spots.values()) {
      context.fillStyle = "rgb(255 222 176 / 30%)"; // lower rim in lamplight
      disc(context, hole.x, hole.y + r * 0.2, r);
      const depth = context.createRadialGradient(hole.x, hole.y + r * 0.35, r * 0.1, hole.x, hole.y, r);
      depth.addColorStop(0, "#2c1a10");
      depth.addColorStop(0.7, "#160b05");
      depth.addColorStop(1, "#080301");
      context.fillStyle = depth;
      disc(context, hole.x, hole.y, r);
    }
  }

  /**
   * @param {Pen} context
   * @param {Hole} hole
   * @param {number} r
   */
  drawGameHole(context, hole, r) {
    context.strokeStyle = INLAY;
    context.lineWidth = r * RING_WIDTH;
    context.beginPath();
    context.arc(hole.x, hole.y, r * RING, 0, TAU);
    context.stroke();
  }

  /** @param {Pen} context */
  drawEdge(context) {
    const { width, height } = this.kit.board;
    /** @type {[inset: number, alpha: number][]} */
    const lines = [[0.4, 0.3], [1.2, 0.1]];
    for (const [inset, alpha] of lines) {
      context.strokeStyle = `rgb(255 226 180 / ${alpha * 100}%)`;
      context.lineWidth = 0.8;
      context.beginPath();
      context.roundRect(inset, inset, width - 2 * inset, height - 2 * inset, 5 - inset);
      context.stroke();
    }
    const shade = context.createLinearGradient(0, height - 5, 0, height);
    shade.addColorStop(0, "rgb(0 0 0 / 0%)");
    shade.addColorStop(1, "rgb(0 0 0 / 45%)");
    context.fillStyle = shade;
    context.fillRect(0, height - 5, width, 5);
  }

  draw() {
    if (!this.unlit) return;
    const context = penOf(this.canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = "source-over";
    context.drawImage(this.unlit, 0, 0);
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    const lights = this.lit.flatMap(([led, ...told]) => {
      const hole = this.spots.get(led);
      return hole ? [{ hole, ...seen(told) }] : [];
    });
    for (const light of lights) this.spill(context, light);
    for (const light of lights) this.glow(context, light);
  }

  /**
   * Draw the glow around a lit hole.
   * @param {Pen} context
   * @param {Light} light
   */
  spill(context, { hole, hue, strength }) {
    const reach = this.pitch * (1.1 + 1.5 * strength);
    for (const [way, alpha] of WAYS) {
      context.globalCompositeOperation = way;
      const fall = context.createRadialGradient(hole.x, hole.y, 0, hole.x, hole.y, reach);
      for (const [at, part] of FALL) {
        fall.addColorStop(at, shade(hue, alpha * part * strength));
      }
      context.fillStyle = fall;
      disc(context, hole.x, hole.y, reach);
    }
  }

  /**
   * Draw the LED: its colour, with a hot middle if bright.
   * @param {Pen} context
   * @param {Light} light
   */
  glow(context, { hole, hue, strength }) {
    const r = this.radius * 1.06;
    context.globalCompositeOperation = "source-over";
    const heart = context.createRadialGradient(hole.x, hole.y, 0, hole.x, hole.y, r);
    const power = 0.3 + 0.7 * strength;
    const dimmed = (/** @type {Colour} */ colour) => each(colour, (part) => part * power);
    heart.addColorStop(0, shade(dimmed(mixed(hue, 255, 0.72 * strength)), 1));
    heart.addColorStop(0.42, shade(dimmed(mixed(hue, 255, 0.24 * strength)), 1));
    heart.addColorStop(0.86, shade(dimmed(hue), 1));
    heart.addColorStop(1, shade(dimmed(hue), 0.35));
    context.fillStyle = heart;
    disc(context, hole.x, hole.y, r);
  }
}

/**
 * Return a slab with the grain along the longer side.
 * @type {typeof slab}
 */
function grained(width, height, scale, tones, lamp) {
  if (height <= width) return slab(width, height, scale, tones, lamp);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = penOf(canvas);
  context.setTransform(0, 1, 1, 0, 0, 0);
  context.drawImage(slab(height, width, scale, tones, lamp), 0, 0);
  return canvas;
}

/** @type {(colour: Colour, change: (part: number) => number) => Colour} */
const each = ([red, green, blue], change) => [change(red), change(green), change(blue)];

/**
 * Convert an LED colour to its perceived hue at full brightness, and its lightness from 0 to 1.
 * @type {(told: Colour) => { hue: Colour, strength: number }}
 */
function seen(told) {
  const lightness = each(told, (part) => 255 * (part / 255) ** (1 / GAMMA));
  const most = Math.max(...lightness, 1);
  return { hue: each(lightness, (part) => (part * 255) / most), strength: most / 255 };
}

/** @type {(hue: Colour, white: number, part: number) => Colour} */
const mixed = (hue, white, part) => each(hue, (dark) => dark + (white - dark) * part);
/** @type {(hue: Colour, alpha: number) => string} */
const shade = (hue, alpha) => `rgb(${hue.map(Math.round).join(" ")} / ${(alpha * 100).toFixed(1)}%)`;

/** @type {(context: Pen, x: number, y: number, r: number) => void} */
function disc(context, x, y, r) {
  context.beginPath();
  context.arc(x, y, r, 0, TAU);
  context.fill();
}

/** @type {(context: Pen, from: Point, to: Point) => void} */
function line(context, from, to) {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}
