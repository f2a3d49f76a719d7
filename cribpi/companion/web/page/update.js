// Shows that the page is outdated, and reloads it once per build, when no input would be lost.

import { html } from "/page/ui.js";
import { newest, waiting } from "/page/store.js";
import { useEffect } from "/page/vendor/preact.js";
import { WORDS } from "/page/words.js";

const READ = 1500; // milliseconds to read the notice, and between checks for open input
const TYPED_IN = "input:focus, textarea:focus, select:focus, dialog[open] input, dialog[open] textarea";

export function Update() {
  const build = newest.value;
  useEffect(() => {
    if (!build || wasTriedFor(build)) return undefined;
    const timer = setInterval(() => {
      if (waiting.value.length || document.querySelector(TYPED_IN)) return;
      history.replaceState({ ...history.state, build }, ""); // survives the reload, even without storage
      location.reload();
    }, READ);
    return () => clearInterval(timer);
  }, [build]);
  if (!build) return null;
  return html`<p class="update" role="status">${wasTriedFor(build) ? WORDS.outdated : WORDS.reloading}</p>`;
}

/** @param {string} build Whether a reload for this build did not update the page. */
const wasTriedFor = (build) => history.state?.build === build;
