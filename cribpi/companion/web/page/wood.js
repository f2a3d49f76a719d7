// Wood, made from noise: a slab of walnut with its grain running along the board, under a lamp.

/** @typedef {[red: number, green: number, blue: number]} Colour */

const SIZE = 256;
const LATTICE = (() => {
  // A fixed seed, so that it is the same piece of wood every evening.
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

/** @type {(x: number, y: number) => number} */
function noise(x, y) {
  const left = Math.floor(x);
  const top = Math.floor(y);
  let fx = x - left;
  let fy = y - top;
  fx = fx * fx * (3 - 2 * fx);
  fy = fy * fy * (3 - 2 * fy);
  const a = (top & 255) * SIZE;
  const b = ((top + 1) & 255) * SIZE;
  const l = left & 255;
  const r = (left + 1) & 255;
  const aboveLeft = corner(a + l);
  const belowLeft = corner(b + l);
  const upper = aboveLeft + (corner(a + r) - aboveLeft) * fx;
  const lower = belowLeft + (corner(b + r) - belowLeft) * fx;
  return upper + (lower - upper) * fy;
}

/**
 * Return how light the wood is at a place in millimetres, from 0 (a dark ring, a pore) to 1.
 * @type {(x: number, y: number) => number}
 */
function grain(x, y) {
  const bend = 26 * noise(x * 0.0065 + 7, y * 0.011 + 3) + 7 * noise(x * 0.021, y * 0.035 + 40);
  const ring = (y * 0.55 + bend) * 0.16;
  const phase = ring - Math.floor(ring);
  const band = phase < 0.78 ? phase / 0.78 : (1 - phase) / 0.22; // slow growth, then a sudden winter
  const fibre = noise(x * 0.055 + 90, y * 2.6 + bend * 0.7);
  const fine = noise(x * 0.16, y * 5.5);
  const pore = noise(x * 0.11 + 50, y * 3.4 + 11);
  const light = 0.62 - 0.34 * band + 0.26 * (fibre - 0.5) + 0.14 * (fine - 0.5);
  return pore > 0.86 ? light - 1.3 * (pore - 0.86) : light;
}

/**
 * Return a canvas that shows a slab.
 * @param {number} width in pixels
 * @param {number} height in pixels
 * @param {number} scale in pixels a millimetre
 * @param {[dark: Colour, light: Colour]} tones the colours of its darkest and lightest wood
 * @param {number} lamp how bright the light over it is
 */
export function slab(width, height, scale, tones, lamp) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = penOf(canvas);
  const image = context.createImageData(width, height);
  const pixels = image.data;
  const [dark, light] = tones;
  let at = 0;
  for (let py = 0; py < height; py += 1) {
    const y = py / scale;
    for (let px = 0; px < width; px += 1) {
      const tone = Math.min(1, Math.max(0, grain(px / scale, y)));
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
 * Return what draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 */
export function penOf(canvas) {
  const pen = canvas.getContext("2d");
  if (!pen) throw new TypeError("this browser draws on no canvas");
  return pen;
}
