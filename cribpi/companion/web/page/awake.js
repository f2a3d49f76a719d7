// Keeps the screen on, so that it does not go dark between two cards.

import { useEffect } from "/page/vendor/preact.js";

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
