// The board: the server's drawing with lights on its holes, upright if there is room; otherwise a slim strip of tracks.

import { html } from "/page/ui.js";
import { kit, lit } from "/page/store.js";
import { endsStreet, streetEnds } from "/page/streets.js";
import { useEffect, useRef } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

/** @typedef {[red: number, green: number, blue: number]} Colour */
/** @typedef {{ svg: SVGSVGElement, of: string }} Drawing an SVG, and the request that it answers */

const GAMMA = 2.4; // LEDs take intensity, screens take lightness
const BACK = 0.5, GHOST = 0.35; // lightness of pegs
/** @type {Colour} */
const WHITE = [185, 185, 185];
const ROOM = 40; // pixels; a change of the board's room by less needs no other drawing
const AGAIN = 2000; // milliseconds until a drawing that did not come is asked for again

/** @type {Map<string, Promise<string>>} The drawings that were asked for, by their request. */
const drawings = new Map();

/** @type {(of: string) => Promise<string>} */
function drawingOf(of) {
  const found = drawings.get(of) ?? fetch(`/api/board.svg?${of}`).then((answer) => {
    if (!answer.ok) throw new Error(`board: ${answer.status}`);
    return answer.text();
  });
  drawings.set(of, found);
  found.catch(() => drawings.delete(of));
  return found;
}

/**
 * @param {Server.State} state
 * @param {(number | null)[]} ghosts Average position of each side, if shown.
 */
export const standing = (state, ghosts) =>
  `${WORDS.board}: ${state.sides.map((side, each) => WORDS.hole(side.name, side.front, side.back, ghosts[each])).join("; ")}`;

/**
 * Return the pegs of all sides at rest as lights, for a board with a track per side.
 * @type {(svg: SVGSVGElement, state: Server.State, ghosts: (number | null)[]) => Server.Light[]}
 */
function pegsOf(svg, state, ghosts) {
  /** @type {(side: number, hole: number, colour: Colour, lightness: number) => Server.Light} */
  const light = (side, hole, colour, lightness) =>
    [Number(svg.dataset.own) * side + hole, ...each(colour, (part) => Math.round(255 * ((part / 255) * lightness) ** GAMMA))];
  return state.sides.flatMap(({ front, back }, side) => {
    const [ghost, colour] = [ghosts[side], kit.value?.colours[side] ?? WHITE];
    return [
      ...(ghost ? [light(side, ghost, WHITE, GHOST)] : []),
      ...(back !== front ? [light(side, back, colour, BACK)] : []),
      light(side, front, colour, 1),
    ];
  });
}

/** @type {(colour: Colour, change: (part: number) => number) => Colour} */
const each = ([red, green, blue], change) => [change(red), change(green), change(blue)];

/**
 * Show lights, given in LED intensities: a glow on the wood around each, and the LED itself on top.
 * @type {(svg: SVGSVGElement, lit: Server.Light[]) => void}
 */
function shine(svg, lit) {
  const { width, height } = svg.viewBox.baseVal;
  const pitch = Number(svg.dataset.pitch);
  const found = lit.flatMap(([led, ...told]) => {
    const hole = svg.querySelector(`[data-led="${led}"]`);
    return hole instanceof SVGCircleElement ? [{ hole, told }] : [];
  });
  /** @type {(kind: string) => Node[]} */
  const spots = (kind) => found.map(({ hole, told }) => {
    const lightness = each(told, (part) => 255 * (part / 255) ** (1 / GAMMA));
    const most = Math.max(...lightness, 1);
    const strength = most / 255;
    const reach = kind === "led" ? hole.r.baseVal.value * 1.06 : pitch * (1.1 + 1.5 * strength);
    const spot = Object.assign(document.createElement("i"), { className: kind });
    const [left, top] = [hole.cx.baseVal.value / width, hole.cy.baseVal.value / height];
    spot.style.cssText = `left: ${100 * left}%; top: ${100 * top}%; width: ${(200 * reach) / width}%;`
      + `--hue: rgb(${each(lightness, (part) => Math.round((part * 255) / most)).join(" ")}); --strength: ${strength.toFixed(3)}`;
    return spot;
  });
  svg.nextElementSibling?.replaceChildren(...["dodge", "spill", "led"].flatMap(spots));
}

/**
 * Lights default to the table's, or to the device's where its own board is shown.
 * @param {{
 *   state: Server.State, isUpright: boolean, lights?: Server.Light[] | null, ghosts?: (number | null)[],
 *   isDevice?: boolean,
 * }} props
 */
export function BoardView({ state, isUpright, lights = null, ghosts = [], isDevice = false }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const show = useRef(() => {});
  useEffect(() => {
    const room = place.current;
    const slab = room?.querySelector(".slab");
    if (!room || !(slab instanceof HTMLElement)) return undefined;
    let wanted = "";
    let again = 0;
    const draw = () => {
      const [width, height] = [room.clientWidth, room.clientHeight].map((size) => ROOM * Math.floor(size / ROOM));
      if (!width || !height) return;
      const of = `target=${state.target}&sides=${isDevice ? 0 : state.sides.length}&upright=${isUpright}&width=${width}&height=${height}`;
      if (of === wanted) return;
      wanted = of;
      drawingOf(of).then((text) => {
        if (of !== wanted) return;
        const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
        const { width, height } = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (svg)).viewBox.baseVal;
        slab.style.setProperty("--ratio", `${width} / ${height}`);
        slab.firstElementChild?.replaceWith(svg);
        show.current();
      }, () => {
        wanted = "";
        again = setTimeout(draw, AGAIN);
      });
    };
    const watch = new ResizeObserver(draw);
    watch.observe(room);
    return () => {
      watch.disconnect();
      clearTimeout(again);
      wanted = "closed";
    };
  }, [state.target, state.sides.length, isUpright, isDevice]);
  useEffect(() => {
    show.current = () => {
      const svg = place.current?.querySelector("svg");
      if (svg?.dataset.pitch) shine(svg, svg.dataset.own ? pegsOf(svg, state, ghosts) : lights ?? lit.value);
    };
    return lit.subscribe(show.current);
  });
  return html`
    <section class="board" ref=${place} aria-label=${WORDS.board}>
      <div class="slab" role="img" aria-label=${standing(state, ghosts)}><svg /><div /></div>
    </section>
  `;
}

const LONG = 1000; // length of the strip in its own units
const EDGE = 34;

/**
 * The viewer's own track is the lowest, as their tile is the last.
 * @param {{ state: Server.State, mine: number | null, onOpen: () => void, ghosts?: (number | null)[] }} props
 */
export function Strip({ state, mine, onOpen, ghosts = [] }) {
  const at = (/** @type {number} */ hole) => EDGE + ((LONG - 2 * EDGE) * hole) / state.target;
  const order = state.sides.map((_, side) => side).sort((a, b) => Number(a === mine) - Number(b === mine));
  const high = 44 * order.length + 40;
  const lines = Array.from({ length: Math.floor(state.target / 5) }, (_, each) => (each + 1) * 5);
  const named = streetEnds(state.target - 8).concat(state.target);
  const rowAt = (/** @type {number} */ row) => (row === 0 ? 34 : high - 34 - 44 * (order.length - 1 - row));
  return html`
    <button type="button" class="strip" onClick=${onOpen} aria-label=${`${standing(state, ghosts)}. ${WORDS.openBoard}`}>
      <svg viewBox=${`0 0 ${LONG} ${high}`} aria-hidden="true">
        ${order.map(
          (side, row) => html`
            <rect class="lane" x=${EDGE - 14} y=${rowAt(row) - 15} width=${LONG - 2 * EDGE + 28} height="30" rx="15" />
            ${lines.map((hole) => html`<line class=${endsStreet(hole) ? "street" : ""} x1=${at(hole)} x2=${at(hole)} y1=${rowAt(row) - 14}
              y2=${rowAt(row) + 14} />`)}
            <circle class="game" cx=${at(state.target)} cy=${rowAt(row)} r="11" />
            ${ghosts[side] && html`<circle class="ghost" cx=${at(ghosts[side])} cy=${rowAt(row)} r="13" />`}
            <circle class="pegged back" data-side=${side} cx=${at(state.sides[side]?.back ?? 0)} cy=${rowAt(row)} r="12" />
            <circle class="pegged" data-side=${side} cx=${at(state.sides[side]?.front ?? 0)} cy=${rowAt(row)} r="15" />
            <circle class="spark" cx=${at(state.sides[side]?.front ?? 0)} cy=${rowAt(row)} r="6" />
          `,
        )}
        ${named.map((hole) => html`<text x=${hole === state.target ? at(hole) + 14 : at(hole)} y=${(rowAt(0) + rowAt(1)) / 2 + 11}
          text-anchor=${hole === state.target ? "end" : "middle"}>${hole}</text>`)}
      </svg>
    </button>
  `;
}
