// The glass of the OLED: each of its pixels a whole number of the screen's, the first two rows of text in yellow.

import { penOf } from "/page/wood.js";

const WIDTH = 128;
const HEIGHT = 64;
const YELLOW_ROWS = 16;
const YELLOW = "#ffd35a";
const BLUE_WHITE = "#bfe3ff";

export class Glass {
  /**
   * @param {HTMLElement} place
   * @param {HTMLCanvasElement} canvas
   */
  constructor(place, canvas) {
    this.place = place;
    this.canvas = canvas;
    this.latest = 0;
    new ResizeObserver(() => this.fit()).observe(place);
    this.fit();
  }

  fit() {
    const dots = window.devicePixelRatio || 1;
    const most = parseFloat(getComputedStyle(this.place).getPropertyValue("--most")) || 256;
    const scale = Math.max(1, Math.floor((most * dots) / WIDTH)) / dots;
    this.canvas.style.width = `${WIDTH * scale}px`;
    this.canvas.style.height = `${HEIGHT * scale}px`;
  }

  /**
   * Show a picture.  Pictures are unpacked out of order at times; only the latest counts.
   * @param {string} base64 of a PNG
   */
  async show(base64) {
    const turn = (this.latest += 1);
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    try {
      await image.decode();
    } catch {
      return;
    }
    if (turn !== this.latest) return;
    const context = penOf(this.canvas);
    context.globalCompositeOperation = "source-over";
    context.drawImage(image, 0, 0);
    context.globalCompositeOperation = "multiply";
    context.fillStyle = YELLOW;
    context.fillRect(0, 0, WIDTH, YELLOW_ROWS);
    context.fillStyle = BLUE_WHITE;
    context.fillRect(0, YELLOW_ROWS, WIDTH, HEIGHT - YELLOW_ROWS);
  }

  /**
   * Say what it shows, for those who hear the page.
   * @param {Server.State} state
   */
  describe(state) {
    const parts = [];
    if (state.count) parts.push(`count ${state.count}`);
    if (state.pile.length) parts.push(`played ${state.pile.join(" ")}`);
    if (state.starter) parts.push(`starter ${state.starter}`);
    this.canvas.setAttribute("aria-label", `Screen: ${[...parts, state.prompt].join(", ")}`);
  }
}
