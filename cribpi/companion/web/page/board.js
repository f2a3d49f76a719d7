// The board: the device's own, or three tracks for three sides, upright if there is room; otherwise a slim strip of
// tracks.

import { Board } from "/page/pegboard.js";
import { html } from "/page/ui.js";
import { mustShare, pegsOf, withOwnTracks } from "/page/tracks.js";
import { kit, lit } from "/page/store.js";
import { endsStreet, streetEnds } from "/page/streets.js";
import { useEffect, useRef } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

/**
 * Return the kit turned upright, with its start at the bottom.
 * @param {Server.Kit} one
 * @returns {Server.Kit}
 */
export function upright(one) {
  const { width, height } = one.board;
  const turned = (/** @type {Server.Hole[]} */ holes) => holes.map((hole) => ({ ...hole, x: height - hole.y, y: hole.x }));
  const isFootUp = firstHole(one).x < width / 2;
  const place = (/** @type {Server.Hole[]} */ holes) =>
    isFootUp ? turned(holes).map((hole) => ({ ...hole, x: height - hole.x, y: width - hole.y })) : turned(holes);
  return {
    ...one,
    board: { width: height, height: width },
    tracks: one.tracks.map((track) => ({
      ...track,
      holes: place(track.holes),
      games: track.games.map((row) => ({ ...row, holes: place(row.holes) })),
    })),
  };
}

/** @param {Server.Kit} one */
const firstHole = (one) => one.tracks[0]?.holes[0] ?? { x: 0, y: 0 };

/**
 * @param {Server.State} state
 * @param {(number | null)[]} ghosts Average position of each side, if shown.
 */
export const standing = (state, ghosts) =>
  `${WORDS.board}: ${state.sides.map((side, each) => WORDS.hole(side.name, side.front, side.back, ghosts[each])).join("; ")}`;

/** @param {{ state: Server.State, isUpright: boolean, lights?: Server.Light[] | null, ghosts?: (number | null)[], isDevice?: boolean }} props Lights default to the table's, or to the device's where its own board is shown. */
export function BoardView({ state, isUpright, lights = null, ghosts = [], isDevice = false }) {
  const sides = state.sides.length;
  const hasOwn = !isDevice && kit.value !== null && mustShare(kit.value, sides);
  const pegs = hasOwn && kit.value ? pegsOf(kit.value, state, ghosts) : null;
  const shown = pegs ?? lights;
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const board = useRef(/** @type {Board | null} */ (null));
  useEffect(() => {
    if (!place.current || !canvas.current || !kit.value) return undefined;
    const lying = hasOwn ? withOwnTracks(kit.value, sides) : kit.value;
    const made = new Board(place.current, canvas.current, isUpright ? upright(lying) : lying);
    board.current = made;
    made.aim(state.target);
    made.show(shown ?? lit.value);
    const stop = shown ? () => undefined : lit.subscribe((now) => made.show(now));
    return () => {
      stop();
      made.close();
    };
  }, [kit.value, isUpright, hasOwn && sides, shown === null]);
  useEffect(() => board.current?.aim(state.target), [state.target]);
  useEffect(() => {
    if (shown) board.current?.show(shown);
  }, [pegs ? JSON.stringify(pegs) : lights]);
  return html`
    <section class="board" ref=${place} aria-label=${WORDS.board}>
      <canvas ref=${canvas} role="img" aria-label=${standing(state, ghosts)}></canvas>
    </section>
  `;
}

const LONG = 1000; // length of the strip in its own units
const EDGE = 34;

/** @param {{ state: Server.State, mine: number | null, onOpen: () => void, ghosts?: (number | null)[] }} props The viewer's own track is the lowest, as their tile is the last. */
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
            ${lines.map((hole) => html`<line class=${endsStreet(hole) ? "street" : ""} x1=${at(hole)} x2=${at(hole)} y1=${rowAt(row) - 14} y2=${rowAt(row) + 14} />`)}
            <circle class="game" cx=${at(state.target)} cy=${rowAt(row)} r="11" />
            ${ghosts[side] && html`<circle class="ghost" cx=${at(ghosts[side])} cy=${rowAt(row)} r="13" />`}
            <circle class="pegged back" data-side=${side} cx=${at(state.sides[side]?.back ?? 0)} cy=${rowAt(row)} r="12" />
            <circle class="pegged" data-side=${side} cx=${at(state.sides[side]?.front ?? 0)} cy=${rowAt(row)} r="15" />
            <circle class="spark" cx=${at(state.sides[side]?.front ?? 0)} cy=${rowAt(row)} r="6" />
          `,
        )}
        ${named.map((hole) => html`<text x=${hole === state.target ? at(hole) + 14 : at(hole)} y=${(rowAt(0) + rowAt(1)) / 2 + 11} text-anchor=${hole === state.target ? "end" : "middle"}>${hole}</text>`)}
      </svg>
    </button>
  `;
}
