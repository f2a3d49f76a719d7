// Preact hook for requests.

import { load } from "/page/store.js";
import { useEffect, useState } from "/page/vendor/preact.js";

const RETRY = 3000; // milliseconds before an unfinished or failed request is repeated

/**
 * Load a path, or nothing for an empty one. Retries while the result is unfinished or the server fails; reloads when
 * *changesWith* changes, and by `again`. Stale responses are ignored.
 * @template {keyof Resources} Path
 * @param {Path} path
 * @param {unknown[]} changesWith of constant length
 * @returns {{ found: Resources[Path] | null, isFailed: boolean, again: () => void }}
 */
export function useResource(path, ...changesWith) {
  const [state, setState] = useState(/** @type {{ path: string, found: any, isFailed: boolean }} */ ({ path, found: null,
    isFailed: false }));
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!path) return undefined;
    let isOvertaken = false;
    let timer = 0;
    const ask = () =>
      load(path).then(
        (found) => {
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
  }, [path, tries, ...changesWith]);
  const again = () => setTries((before) => before + 1);
  return state.path === path ? { ...state, again } : { found: null, isFailed: false, again };
}
