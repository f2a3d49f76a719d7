// Preact hooks for requests, the window and the screen.

import { load } from "/page/store.js";
import { useEffect, useState } from "/page/vendor/preact.js";

const RETRY = 3000; // milliseconds before an unfinished or failed request is repeated

/** Window size in CSS pixels, updated on rotation. */
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
 * Load a path, or nothing for an empty one. Retries while the result is unfinished or the server fails; reloads when
 * *changesWith* changes, and by `again`. Stale responses are ignored.
 * @template {object} T
 * @param {string} path
 * @param {unknown[]} changesWith of constant length
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
          if (found.pending) timer = setTimeout(ask, RETRY);
        },
        (/** @type {Error} */ { cause: status }) => {
          if (isOvertaken) return;
          setState((before) => ({ path, found: before.path === path ? before.found : null, isFailed: true }));
          const isRefused = typeof status === "number" && status < 500;
          if (!isRefused) timer = setTimeout(ask, RETRY);
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

// --- Keeps the screen on, so that it does not go dark between two cards.

/** @param {boolean} isWanted While shown. Browsers allow this only locally or over HTTPS. */
export function useAwake(isWanted) {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return undefined;
    /** @type {{ release: () => Promise<void> } | null} */
    let lock = null;
    let isShown = true;
    const ask = () => {
      if (document.hidden) return;
      navigator.wakeLock.request("screen").then((given) => void (isShown ? (lock = given) : given.release()), () => {}); // refused on low battery
    };
    ask();
    document.addEventListener("visibilitychange", ask); // released while the page is hidden
    return () => {
      isShown = false;
      document.removeEventListener("visibilitychange", ask);
      lock?.release();
    };
  }, [isWanted]);
}
