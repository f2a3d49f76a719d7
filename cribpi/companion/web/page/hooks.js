// Preact hooks for events, the window and the screen.

import { offline, refusal } from "/page/store.js";
import { useEffect, useLayoutEffect, useRef, useState } from "/page/vendor/preact.js";

/**
 * Call the latest `act` for the window's events while the caller is shown.
 * @template {keyof (WindowEventMap & DocumentEventMap)} Kind
 * @param {(event: (WindowEventMap & DocumentEventMap)[Kind]) => unknown} act
 * @param {...Kind} kinds
 */
export function useListener(act, ...kinds) {
  const latest = useRef(act);
  latest.current = act;
  useLayoutEffect(() => { // active from the first frame
    const listen = (/** @type {any} */ event) => void latest.current(event);
    for (const kind of kinds) addEventListener(kind, listen);
    return () => kinds.forEach((kind) => removeEventListener(kind, listen));
  }, []);
}

/**
 * Call `act` in `delay` milliseconds, or never if that is null.
 * @type {(act: () => void, delay: number | null, ...since: unknown[]) => void}
 */
export function useTimeout(act, delay, ...since) {
  useEffect(() => {
    if (delay === null) return undefined;
    const timer = setTimeout(act, delay);
    return () => clearTimeout(timer);
  }, [delay, ...since]);
}

/**
 * Go to the step of an arrow key, Home or End.
 * @template Step
 * @param {Partial<Record<string, Step>>} steps by key
 * @param {Partial<Record<string, Step>>} inList by key, for those that scroll the page outside of `list`
 * @param {string} list selector
 * @param {(step: Step) => void} go
 */
export function useStepKeys(steps, inList, list, go) {
  useListener((event) => {
    const isInList = event.target instanceof Element && event.target.closest(list) !== null;
    const all = isInList ? { ...steps, ...inList } : steps;
    if (!Object.hasOwn(all, event.key) || (event.target instanceof HTMLInputElement && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    const next = all[event.key];
    if (next !== undefined) go(next);
  }, "keydown");
}

/** Return the last refusal, until the caller is left or *since* changes. @param {unknown[]} since */
export function useRefusal(...since) {
  useEffect(() => () => void (refusal.value = null), since);
  return offline.value || refusal.value?.sentence;
}

/** Window size in CSS pixels, updated on rotation. */
export function useSize() {
  const [size, setSize] = useState(() => ({ width: innerWidth, height: innerHeight }));
  useListener(() => setSize({ width: innerWidth, height: innerHeight }), "resize");
  return size;
}

/** @param {boolean} isWanted While shown. Browsers allow this only locally or over HTTPS. */
export function useAwake(isWanted) {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return undefined;
    /** @type {{ release: () => Promise<void> } | null} */
    let lock = null;
    let isShown = true;
    const ask = () => {
      if (document.hidden) return;
      // refused on low battery
      navigator.wakeLock.request("screen").then((given) => void (isShown ? (lock = given) : given.release()), () => {});
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
