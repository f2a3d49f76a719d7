// The device: its screen pixel by pixel, and its keypad.

import { BoardView } from "/page/board.js";
import { useListener } from "/page/hooks.js";
import { useTyping } from "/page/input.js";
import { Keypad } from "/page/keypad.js";
import { offline, picture, refusal } from "/page/store.js";
import { html, Icon, TALL, Header, useQuery } from "/page/ui.js";
import { useEffect, useRef } from "/page/vendor/preact.js";
import { TABLE } from "/page/words-more.js";
import { WORDS } from "/page/words.js";

const WIDTH = 128, HEIGHT = 64;
const YELLOW_ROWS = 16, YELLOW = "#ffd35a", BLUE_WHITE = "#bfe3ff"; // the screen's two colours
const WIDEST = 256;

/**
 * Screen and keypad. The parent handles typed keys, and Escape closes them.
 * @param {{ now: Moment, onClose: () => void, hasClose?: boolean }} props
 */
export function Device({ now, onClose, hasClose = true }) {
  useListener(({ key }) => key === "Escape" && !document.querySelector("dialog[open]") && onClose(), "keydown");
  return html`
    <aside class="device" aria-label=${WORDS.device}>
      ${hasClose && html`<button type="button" class="tool" aria-label=${WORDS.close} onClick=${onClose}><${Icon} name="close" /></button>`}
      <${Screen} state=${now.state} />
      <p class="trouble" role="alert">${refusal.value?.byKeys || refusal.value?.sentence || offline.value}</p>
      <${Keypad} now=${now} isDevice=${true} />
    </aside>
  `;
}

const toStart = () => void (location.hash = "");

/** @param {{ now: Moment }} props The device alone, with its board. */
export function DevicePage({ now }) {
  useTyping(true);
  const isTall = useQuery(TALL);
  return html`
    <main class="device-page" data-seq=${now.state.seq} data-phase=${now.state.phase}>
      <${Header} />
      <h1 class="unseen">${WORDS.device}</h1>
      <${BoardView} state=${now.state} ghosts=${now.page.ghosts} isUpright=${isTall} isDevice=${true} />
      <${Device} now=${now} onClose=${toStart} hasClose=${false} />
      <p class="unseen" role="status">${now.state.prompt}</p>
    </main>
  `;
}

/** @param {{ state: Server.State }} props Scaled by whole numbers, so that all pixels are equal. */
function Screen({ state }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const shown = picture.value;
  useEffect(() => {
    let isLatest = true;
    draw(shown).then((image) => isLatest && canvas.current && image && colour(canvas.current, image));
    return () => (isLatest = false);
  }, [shown]);
  const dots = devicePixelRatio || 1;
  const scale = Math.max(1, Math.floor((WIDEST * dots) / WIDTH)) / dots;
  const size = { width: `${WIDTH * scale}px`, height: `${HEIGHT * scale}px` };
  return html`<canvas class="screen" ref=${canvas} width=${WIDTH} height=${HEIGHT} style=${size} role="img"
    aria-label=${TABLE.screenShows(state.prompt)}></canvas>`;
}

/** @param {string} base64 PNG; an unreadable one keeps the previous picture. */
async function draw(base64) {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  return image.decode().then(() => image, () => null);
}

/** @param {HTMLCanvasElement} canvas @param {HTMLImageElement} image black and white */
function colour(canvas, image) {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.globalCompositeOperation = "source-over";
  pen.drawImage(image, 0, 0);
  pen.globalCompositeOperation = "multiply";
  pen.fillStyle = YELLOW;
  pen.fillRect(0, 0, WIDTH, YELLOW_ROWS);
  pen.fillStyle = BLUE_WHITE;
  pen.fillRect(0, YELLOW_ROWS, WIDTH, HEIGHT - YELLOW_ROWS);
}
