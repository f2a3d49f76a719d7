// What any part of the page may ask of the server and of its window, in Preact's own form.

import { load } from "/page/store.js";
import { useEffect, useState } from "/page/vendor/preact.js";

const AGAIN = 3000; // milliseconds until what is still being made, or did not come, is asked for again

/** The size of the window, in CSS pixels, also after it was turned. */
export function useSize() {
  const [size, setSize] = useState(() => ({ width: innerWidth, height: innerHeight }));
  useEffect(() => {
    const look = () => setSize({ width: innerWidth, height: innerHeight });
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  return size;
}

/**
 * What a path gives, once it is there. Asked for again while it is still being made or no line is there, when one of
 * what it may change *with* has changed, and by `again`; an answer that another question has overtaken is not shown.
 * Nothing for no path.
 * @template {object} T
 * @param {string} path
 * @param {unknown[]} changesWith always as many
 * @returns {{ found: T | null, isFailed: boolean, again: () => void }}
 */
export function useLoaded(path, ...changesWith) {
  const [state, setState] = useState(/** @type {{ path: string, found: T | null, isFailed: boolean }} */ ({ path, found: null, isFailed: false }));
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!path) return undefined;
    let isOvertaken = false;
    let timer = 0;
    const ask = () =>
      load(path).then(
        (/** @type {T & { pending?: number }} */ found) => {
          if (isOvertaken) return;
          setState({ path, found, isFailed: false });
          if (found.pending) timer = setTimeout(ask, AGAIN);
        },
        (/** @type {unknown} */ error) => {
          if (isOvertaken) return;
          setState((before) => ({ path, found: before.path === path ? before.found : null, isFailed: true }));
          if (error instanceof TypeError) timer = setTimeout(ask, AGAIN);
        },
      );
    ask();
    return () => {
      isOvertaken = true;
      clearTimeout(timer);
    };
  }, [path, turn, ...changesWith]);
  const again = () => setTurn((before) => before + 1);
  return state.path === path ? { ...state, again } : { found: null, isFailed: false, again };
}
