// A screen that stays lit while somebody looks at it and touches nothing: between two cards it must not fall asleep.

import { useEffect } from "/page/vendor/preact.js";

/** @param {boolean} isWanted as long as this is shown; a browser can do it at the computer itself and by https. */
export function useAwake(isWanted) {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return undefined;
    /** @type {{ release: () => Promise<void> } | null} */
    let lock = null;
    let isShown = true;
    const ask = () => {
      if (document.hidden) return;
      navigator.wakeLock.request("screen").then((given) => void (isShown ? (lock = given) : given.release()), () => {}); // a low battery refuses
    };
    ask();
    document.addEventListener("visibilitychange", ask); // it is lost with the page out of sight
    return () => {
      isShown = false;
      document.removeEventListener("visibilitychange", ask);
      lock?.release();
    };
  }, [isWanted]);
}
