// Procedural wood: a walnut slab with the grain along the board, in lamplight.

/** @typedef {[red: number, green: number, blue: number]} Colour */

const SIZE = 256;
const LATTICE = (() => {
  // A fixed seed: the same wood each time.
  const values = new Float32Array(SIZE * SIZE);
  let seed = 20231;
  for (let i = 0; i < values.length; i += 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    values[i] = seed / 4294967296;
  }
  return values;
})();

/** @type {(i: number) => number} */
const corner = (i) => LATTICE[i] ?? 0;

/** @type {(part: number) => number} */
const eased = (part) => part * part * (3 - 2 * part);

/**
 * Return the noise along the line at `y`; half of the work is done in advance.
 * @param {number} y
 * @returns {(x: number) => number}
 */
function noiseAt(y) {
  const top = Math.floor(y);
  const [a, b, fy] = [(top & 255) * SIZE, ((top + 1) & 255) * SIZE, eased(y - top)];
  const line = new Float32Array(SIZE);
  for (let i = 0; i < SIZE; i += 1) line[i] = corner(a + i) + (corner(b + i) - corner(a + i)) * fy;
  return (x) => {
    const left = Math.floor(x);
    const before = line[left & 255] ?? 0;
    return before + ((line[(left + 1) & 255] ?? 0) - before) * eased(x - left);
  };
}

/** @type {(x: number, y: number) => number} */
function noise(x, y) {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const fx = eased(x - left);
  const a = (top & 255) * SIZE;
  const b = ((top + 1) & 255) * SIZE;
  const l = left & 255;
  const r = (left + 1) & 255;
  const upper = corner(a + l) + (corner(a + r) - corner(a + l)) * fx;
  const lower = corner(b + l) + (corner(b + r) - corner(b + l)) * fx;
  return upper + (lower - upper) * eased(y - top);
}

/** @type {{ of: string, light: Uint8ClampedArray }} The last slab's wood, reused for its inlay and other theme. */
let last = { of: "", light: new Uint8ClampedArray() };

/**
 * Return the lightness of each pixel by row, from 0 (dark ring or pore) to 255.
 * @param {number} width in pixels
 * @param {number} height in pixels
 * @param {number} scale pixels per millimetre
 */
function grain(width, height, scale) {
  const of = `${width} ${height} ${scale}`;
  if (last.of === of) return last.light;
  const found = new Uint8ClampedArray(width * height);
  let at = 0;
  for (let py = 0; py < height; py += 1) {
    const y = py / scale;
    const wide = noiseAt(y * 0.011 + 3);
    const narrow = noiseAt(y * 0.035 + 40);
    const fine = noiseAt(y * 5.5);
    const pores = noiseAt(y * 3.4 + 11);
    for (let px = 0; px < width; px += 1) {
      const x = px / scale;
      const bend = 26 * wide(x * 0.0065 + 7) + 7 * narrow(x * 0.021);
      const ring = (y * 0.55 + bend) * 0.16;
      const phase = ring - Math.floor(ring);
      const band = phase < 0.78 ? phase / 0.78 : (1 - phase) / 0.22; // slow growth, then an abrupt winter ring
      const fibre = noise(x * 0.055 + 90, y * 2.6 + bend * 0.7);
      const pore = pores(x * 0.11 + 50);
      const light = 0.62 - 0.34 * band + 0.26 * (fibre - 0.5) + 0.14 * (fine(x * 0.16) - 0.5);
      found[at] = 255 * (pore > 0.86 ? light - 1.3 * (pore - 0.86) : light);
      at += 1;
    }
  }
  last = { of, light: found };
  return found;
}

/**
 * Return a canvas of a slab.
 * @param {number} width in pixels
 * @param {number} height in pixels
 * @param {number} scale pixels per millimetre
 * @param {[dark: Colour, light: Colour]} tones its darkest and lightest colours
 * @param {number} lamp brightness of the lamp
 */
export function slab(width, height, scale, tones, lamp) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = penOf(canvas);
  const image = context.createImageData(width, height);
  const pixels = image.data;
  const [dark, light] = tones;
  const wood = grain(width, height, scale);
  let at = 0;
  for (let py = 0; py < height; py += 1) {
    for (let px = 0; px < width; px += 1) {
      const tone = (wood[at / 4] ?? 0) / 255;
      const dx = px / width - 0.42;
      const dy = py / height - 0.12;
      const shine = lamp * (1.08 - 0.42 * (dx * dx * 1.5 + dy * dy));
      pixels[at] = (dark[0] + (light[0] - dark[0]) * tone) * shine;
      pixels[at + 1] = (dark[1] + (light[1] - dark[1]) * tone) * shine;
      pixels[at + 2] = (dark[2] + (light[2] - dark[2]) * tone) * shine;
      pixels[at + 3] = 255;
      at += 4;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Return the canvas's 2D context.
 * @param {HTMLCanvasElement} canvas
 */
export function penOf(canvas) {
  const pen = canvas.getContext("2d");
  if (!pen) throw new TypeError("this browser draws on no canvas");
  return pen;
}
