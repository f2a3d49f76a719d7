// Markup in templates, and shared elements.

import { h, htm, options, useEffect, useErrorBoundary, useRef, useState } from "/page/vendor/preact.js";
import { WORDS, YOU } from "/page/words.js";

/** Markup, whose props tests/companion/web/types/templates.mjs checks: it has the reasons for templates. */
export const html = htm.bind(h);

/** @param {unknown} part Whether it is a text without letters. */
const isNumber = (part) => typeof part === "number" || (typeof part === "string" && !/\p{L}/u.test(part));

// Protect numbers, names and cards in <bdi>, and SVG texts, which allow no other elements, from browser translation.
// Written in capitals it is an attribute: the property `translate` would read "no" as true.
options.vnode = ({ type, props }) => {
  if (type === "svg") props.translate = "no";
  else if ((type === "bdi" && props.children !== YOU) || (typeof type === "string" && [props.children].flat().every(isNumber)))
    props.TRANSLATE = "no";
};

/** @param {string} name Address of a file of this build. */
export const file = (name) => new URL(name, import.meta.url).pathname;

/** @param {unknown} error Report an error to the board's log. */
export const tell = (error) => void import("/page/fault.js").then(({ report }) => report(error), () => {});

/**
 * Error boundary: reports the error, and shows `instead` until `of` changes.
 * @param {{ of: unknown, instead?: () => unknown, children: unknown }} props
 */
export function Guarded({ of, instead, children }) {
  const failed = useRef(of);
  const [error, reset] = useErrorBoundary((found) => {
    failed.current = of;
    tell(found);
  });
  const isAnew = error !== undefined && failed.current !== of;
  useEffect(() => (isAnew ? reset() : undefined), [isAnew]);
  return error === undefined || isAnew ? children : instead && html`<${instead} />`;
}

/** Return the class names whose values are true. @param {...(string | false | null | undefined)} names */
export const classes = (...names) => names.filter(Boolean).join(" ");

/** @param {string} text Split into grapheme clusters: a flag or a family emoji is one. */
export const letters = (text) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** @param {string} label */
export const capital = (label) => label.charAt(0).toUpperCase() + label.slice(1);

/** @param {string} query Media query, updated on change. */
export function useQuery(query) {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setHolds(list.matches);
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, []);
  return holds;
}

/** Portrait screens, where the board is upright. */
export const TALL = "(orientation: portrait)";

/** Return whether to avoid motion, by the system's setting. @returns {boolean} */
export const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

const ICONS = {
  undo: "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
  redo: "M15 5l5 5-5 5M20 10H10a6 6 0 0 0 0 12h3",
  hint: "M9 19h6M10 22h4M12 2a7 7 0 0 0-4 12.7c.6.5 1 1.2 1 2V17h6v-.3c0-.8.4-1.5 1-2A7 7 0 0 0 12 2Z",
  log: "M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01",
  menu: "M3 6h18M3 12h18M3 18h18",
  keypad: "M3 4h4v4H3zM10 4h4v4h-4zM17 4h4v4h-4zM3 11h4v4H3zM10 11h4v4h-4zM17 11h4v4h-4zM3 18h11v3H3zM17 18h4v3h-4z",
  cards: "M4 7.5 11 5l4 12-7 2.5ZM14 5h6v14h-4",
  people: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2 21v-1a6 6 0 0 1 6-6h2a6 6 0 0 1 6 6v1M16 3.5a4 4 0 0 1 0 7M18 14.5a6 6 0 0 1 4 5.5v1",
  count: "M4 4h16v16H4zM8 9h8M8 13h8M8 17h4",
  chart: "M5 20v-7M12 20V4M19 20v-10",
  settings: "M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  lesson: "M12 6c-2-1.6-5-2-9-2v14c4 0 7 .4 9 2 2-1.6 5-2 9-2V4c-4 0-7 .4-9 2ZM12 6v14",
  rules: "M6 3h12v18H6zM9 8h6M9 12h6M9 16h4",
  close: "M5 5l14 14M19 5 5 19",
  phone: "M7 2h10v20H7zM11 18h2",
  screen: "M3 4h18v12H3zM8 20h8M12 16v4",
  watch: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  erase: "M9 5h12v14H9L3 12ZM12.5 9.5l5 5M17.5 9.5l-5 5",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
};

/** @typedef {keyof typeof ICONS} IconName */

/** @param {{ name: IconName }} props Icon next to text. Alone, its parent needs a label. */
export const Icon = ({ name }) => html`
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>
`;

let groups = 0; // radio buttons of a name exclude each other

/**
 * Radio buttons of a few values, side by side as segments. The selected one is shown once it is taken.
 * @param {{
 *   kind?: string, label: string, value: string, choices: { value: string, title: unknown, text?: string }[],
 *   onChoose: (value: string) => void,
 * }} props
 */
export function Segments({ kind = "segments", label, value, choices, onChoose }) {
  const [name] = useState(() => `radio-${(groups += 1)}`);
  const choose = (/** @type {Event & { currentTarget: HTMLFieldSetElement }} */ { target, currentTarget }) => {
    const wanted = target instanceof HTMLInputElement ? target.value : value; // a label's click is followed by its button's
    if (wanted === value) return;
    for (const radio of /** @type {Iterable<any>} */ (currentTarget.elements)) radio.checked = radio.value === value;
    onChoose(wanted);
  };
  return html`
    <fieldset class=${kind} role="radiogroup" aria-label=${label} onClick=${choose}>
      ${choices.map((one) => html`
        <label key=${one.value} title=${one.text} TRANSLATE=${isNumber(one.title) ? "no" : undefined}>
          <input type="radio" name=${name} value=${one.value} checked=${one.value === value} />${one.title}</label>`)}
    </fieldset>`;
}

/** @type {(seat: number, players: number) => number} Four players are two sides, partners opposite. */
export const sideOf = (seat, players) => (players === 4 ? seat % 2 : seat);

/** @param {{ side: number }} props Peg of a side, always next to another cue than its colour. */
export const Peg = ({ side }) => html`<span class="peg" data-side=${side} aria-hidden="true"></span>`;

/** @param {{ as?: string }} props Logo; as a link, it leads home. */
export const Home = ({ as = "a" }) => html`
  <${as} class="mark" href=${as === "a" ? "#" : undefined}
    aria-label=${as === "a" ? WORDS.name : undefined}><${Peg} side=${0} /><${Peg} side=${1} /> <b>${WORDS.name}</b><//>
`;

/**
 * Header of a page: logo, content, and a link *to* the previous page, if any.
 * @param {{ to?: string, name?: string, home?: string, children?: unknown }} props
 */
export const Header = ({ to = "#", name = WORDS.close, home = "a", children }) => html`
  <header class="tools"><${Home} as=${home} />${children}
    ${to && html`<a class="tool" href=${to} aria-label=${name}><${Icon} name="close" /></a>`}</header>
`;
